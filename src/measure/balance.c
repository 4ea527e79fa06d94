// Unbalanced forces, largest overlap and power of walls, see include/scree/measure.h.

#include "base/sum.h"
#include "contact/walk.h"
#include "math/vec3.h"

#include <scree/measure.h>

#include <math.h>

static void update_largest(const struct scree_walk_item *contact, void *user)
{
    double *fraction = (double *)user;
    double radius = contact->side[0]->radius;
    if (contact->side[1] && contact->side[1]->radius < radius)
        radius = contact->side[1]->radius;
    // as the alarm: the radius of a polyhedron is that of the sphere around it
    const double length = contact->evaluated->outside ? contact->evaluated->depth : radius;
    const double relative_overlap = contact->evaluated->overlap / length;
    *fraction = relative_overlap > *fraction ? relative_overlap : *fraction;
}

scree_status scree_measure_max_overlap(const struct scree_world *world, double *fraction)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    *fraction = 0;
    return scree_walk_contacts(world, update_largest, fraction);
}

struct forces {
    struct scree_sum sum;
    size_t count;
};

static void add_contact(const struct scree_walk_item *contact, void *user)
{
    struct forces *forces = (struct forces *)user;
    scree_sum_add(&forces->sum, scree_vec3_norm(scree_vec3_load(contact->force)));
    ++forces->count;
}

// The force on a body along its free axes. Returns false if it is fixed in place.
static bool unbalanced_force(const struct scree_world *world, size_t slot, double *magnitude)
{
    const struct scree_grain *grain = &scree_world_grains(world)[slot];
    const struct scree_wrench *wrench = &scree_world_wrenches(world)[slot];
    const double *gravity = scree_world_clock(world)->gravity;
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double force = wrench->force[k] + grain->mass * gravity[k];
        square += grain->flags & 1u << k ? 0 : force * force;
    }
    *magnitude = sqrt(square);
    return (grain->flags & SCREE_FIX_POSITION) != SCREE_FIX_POSITION;
}

scree_status scree_measure_unbalanced(const struct scree_world *world, double *ratio)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct forces contacts = {0}, bodies = {0};
    double magnitude;
    SCREE_TRY(scree_walk_contacts(world, add_contact, &contacts));
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        if (unbalanced_force(world, i, &magnitude)) {
            scree_sum_add(&bodies.sum, magnitude);
            ++bodies.count;
        }
    const double mean_unbalanced = bodies.count > 0 ? scree_sum_value(&bodies.sum) / (double)bodies.count : 0;
    const double mean_contact_force =
        contacts.count > 0 ? scree_sum_value(&contacts.sum) / (double)contacts.count : 0;
    *ratio = mean_contact_force > 0 ? mean_unbalanced / mean_contact_force
             : mean_unbalanced > 0  ? (double)INFINITY
                                    : 0;
    return SCREE_OK;
}

static void add_to_sides(const struct scree_walk_item *contact, void *user)
{
    const double force = scree_vec3_norm(scree_vec3_load(contact->force));
    for (int side = 0; side < 2; ++side)
        if (contact->side[side])
            scree_sum_add((struct scree_sum *)user, force);
}

scree_status scree_measure_force_ratio(const struct scree_world *world, double *ratio)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_sum all = {0}, unbalanced = {0};
    const double weight = scree_vec3_norm(scree_vec3_load(scree_world_clock(world)->gravity));
    double magnitude;
    SCREE_TRY(scree_walk_contacts(world, add_to_sides, &all));
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        scree_sum_add(&all, scree_world_grains(world)[i].mass * weight);
        if (unbalanced_force(world, i, &magnitude))
            scree_sum_add(&unbalanced, magnitude);
    }
    const double sum = scree_sum_value(&all);
    *ratio = sum > 0 ? scree_sum_value(&unbalanced) / sum : 0;
    return SCREE_OK;
}

static void add_wall_power(const struct scree_walk_item *contact, void *user)
{
    if (!contact->side[1])
        scree_sum_add((struct scree_sum *)user, contact->evaluated->wall_power);
}

scree_status scree_measure_wall_power(const struct scree_world *world, double *power)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_sum sum = {0};
    SCREE_TRY(scree_walk_contacts(world, add_wall_power, &sum));
    *power = scree_sum_value(&sum);
    return SCREE_OK;
}
