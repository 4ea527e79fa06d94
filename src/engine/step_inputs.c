// Inputs of the critical step, see step_inputs.h.

#include "engine/step_inputs.h"

#include "mesh/surface.h"
#include "world/body.h"
#include "world/grain.h"
#include "world/polyhedron.h"
#include "world/wall_cell.h"
#include "world/wall_shape.h"

#include <float.h>
#include <math.h>

static const struct scree_step_inputs_extent empty_extent = {{DBL_MAX, DBL_MAX, DBL_MAX},
                                                             {-DBL_MAX, -DBL_MAX, -DBL_MAX}};

static void extend(struct scree_step_inputs_extent *extent, const double *centre, double radius)
{
    for (int k = 0; k < 3; ++k) {
        extent->lower[k] = centre[k] - radius < extent->lower[k] ? centre[k] - radius : extent->lower[k];
        extent->upper[k] = centre[k] + radius > extent->upper[k] ? centre[k] + radius : extent->upper[k];
    }
}

double scree_step_inputs_closing_speed(const struct scree_step_inputs *inputs)
{
    const struct scree_step_inputs_extent *extent = &inputs->velocity;
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double difference = extent->upper[k] - extent->lower[k];
        square += difference > 0 ? difference * difference : 0;
    }
    return sqrt(square) + 2 * inputs->gradient * inputs->largest;
}

// The speed of the fastest point of a polyhedron, and its rounding.
static void read_polyhedron(const struct scree_world *world, size_t number, double speed,
                            struct scree_critical_step_material *material)
{
    const struct scree_shape *shape = scree_polyhedron_of_grain(world, number);
    const struct scree_vec3 spin = scree_vec3_load(scree_world_grains(world)[number].spin);
    material->fastest = scree_real_max(material->fastest, speed + scree_vec3_norm(spin) * shape->reach);
    material->rounding = scree_real_min(material->rounding, shape->rounding);
}

static void read_bodies(struct scree_critical_step *critical, struct scree_step_inputs *inputs)
{
    const struct scree_world *world = inputs->world;
    // if there are loads, they are part of the stored force
    const struct scree_wrench *load = scree_world_loads(world) ? scree_world_wrenches(world) : NULL;
    double gravity[3];
    scree_world_gravity(world, gravity);
    inputs->acceleration = sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    for (size_t i = 0; i < scree_grain_count(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        const struct scree_vec3 velocity = scree_body_fluctuation(world, grain, grain->velocity);
        const double speed = sqrt(scree_vec3_dot(velocity, velocity)),
                     component[3] = {velocity.x, velocity.y, velocity.z};
        if (grain->radius > 0 && speed * inputs->crossing > grain->radius)
            inputs->crossing = grain->radius / speed;
        if (!scree_step_inputs_can_touch(inputs->collider, grain))
            continue;
        struct scree_critical_step_material *material = &critical->materials.data[grain->material];
        const uint32_t class = scree_step_inputs_class(grain->radius);
        material->low = material->bodies == 0 || class < material->low ? class : material->low;
        material->high = class > material->high ? class : material->high;
        material->min_radius = material->bodies == 0 || grain->radius < material->min_radius
                                   ? grain->radius
                                   : material->min_radius;
        material->radius = grain->radius > material->radius ? grain->radius : material->radius;
        material->mass = grain->mass > material->mass ? grain->mass : material->mass;
        material->fastest = scree_real_max(material->fastest, speed);
        if (grain->flags & SCREE_FLAG_SHAPED)
            read_polyhedron(world, i, speed, material);
        material->has_fixed = material->has_fixed || scree_step_inputs_is_fixed(grain);
        ++material->bodies;
        inputs->largest = scree_real_max(inputs->largest, grain->radius);
        extend(&inputs->velocity, component, 0);
        extend(&inputs->position, grain->position, 0);
        for (int k = 0; k < 3 && load; ++k) {
            const double acceleration = fabs(gravity[k]) + fabs(load[grain->owner].force[k]) / grain->mass;
            inputs->acceleration = acceleration > inputs->acceleration ? acceleration : inputs->acceleration;
        }
    }
}

static void read_walls(struct scree_critical_step *critical, struct scree_step_inputs *inputs)
{
    const struct scree_world *world = inputs->world;
    static const double zero[3] = {0};
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        const struct scree_wall *wall = scree_wall_row(world, w);
        if (wall->material >= inputs->collider->classes.materials)
            continue;
        ++critical->materials.data[wall->material].walls;
        if (scree_world_lattice(world)) {
            double relative[3], spread;
            scree_vec3_store(scree_wall_cell_relative(world, wall, inputs->position.lower,
                                                      inputs->position.upper, &spread),
                             relative);
            extend(&inputs->velocity, relative, spread);
            continue;
        }
        const double spin = fabs(wall->spin[0]) + fabs(wall->spin[1]) + fabs(wall->spin[2]);
        if (spin > 0)
            extend(&inputs->velocity, zero,
                   scree_wall_speed(wall, inputs->position.lower, inputs->position.upper));
        else
            extend(&inputs->velocity, wall->velocity, 0);
    }
}

// The shortest time in which grains move by the thickness of a mesh that is thinner than their radius, or
// polyhedra by their rounding at a wall that pushes to both sides; at most `crossing`. `approach`: speed of
// the wall, m/s.
static double crossing_at_wall(const struct scree_critical_step *critical,
                               const struct scree_step_inputs *inputs, const struct scree_wall *wall,
                               double approach, double crossing)
{
    const struct scree_law_classes *classes = &inputs->collider->classes;
    const double thin = wall->shape == SCREE_WALL_MESH ? wall->surface->thinnest : (double)INFINITY;
    for (size_t m = 1; m < critical->materials.count && wall->material < classes->materials; ++m) {
        const struct scree_critical_step_material *side = &critical->materials.data[m];
        const double length =
            scree_real_min(thin < side->radius ? thin : (double)INFINITY,
                           scree_wall_shape_is_two_sided(wall) ? side->rounding : (double)INFINITY);
        const double speed = scree_real_max(side->fastest, approach);
        if (side->bodies > 0 && speed * crossing > length &&
            classes->table[m * classes->materials + wall->material] != SCREE_CONTACTS_NO_CLASS)
            crossing = length / speed;
    }
    return crossing;
}

double scree_step_inputs_displacement_step(const struct scree_critical_step *critical,
                                           const struct scree_step_inputs *inputs)
{
    double crossing = inputs->crossing;
    for (size_t w = 0; w < scree_wall_rows(inputs->world) && critical->bins.count > 0; ++w) {
        const struct scree_wall *wall = scree_wall_row(inputs->world, w);
        const double speed = scree_world_lattice(inputs->world)
                                 ? scree_wall_cell_approach(inputs->world, wall, inputs->position.lower,
                                                            inputs->position.upper)
                                 : scree_wall_approach(wall, inputs->position.lower, inputs->position.upper);
        crossing = speed * crossing > critical->min_radius ? critical->min_radius / speed : crossing;
        crossing = crossing_at_wall(critical, inputs, wall, speed, crossing);
    }
    const double step = 0.5 * critical->displacement * crossing;
    return inputs->gradient * step > SCREE_DRIFT_STRAIN ? SCREE_DRIFT_STRAIN / inputs->gradient : step;
}

scree_status scree_step_inputs_make(struct scree_critical_step *critical,
                                    const struct scree_collider *collider, struct scree_step_inputs *inputs)
{
    *inputs = (struct scree_step_inputs){.collider = collider,
                                         .world = collider->world,
                                         .velocity = empty_extent,
                                         .position = empty_extent,
                                         .crossing = DBL_MAX};
    if (scree_world_lattice(collider->world))
        inputs->gradient =
            scree_lattice_norm(scree_lattice_load(scree_world_lattice(collider->world)->gradient));
    SCREE_TRY(scree_array_reserve(&critical->materials, collider->classes.materials));
    critical->materials.count = collider->classes.materials;
    for (size_t m = 0; m < critical->materials.count; ++m)
        critical->materials.data[m] = (struct scree_critical_step_material){.rounding = (double)INFINITY};
    read_bodies(critical, inputs);
    read_walls(critical, inputs);
    return SCREE_OK;
}
