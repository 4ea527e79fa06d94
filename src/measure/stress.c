// Contact stress (Love-Weber), couple stress and kinetic stress in a region, see include/scree/measure.h.

#include "base/sum.h"
#include "contact/walk.h"
#include "measure/part.h"
#include "world/body.h"

enum { TENSOR = 9 };

struct accumulator {
    const struct scree_part *part;
    double mean[3];
    struct scree_sum sums[TENSOR];
};

static void finish(const struct accumulator *accumulator, double stress[9])
{
    for (int k = 0; k < TENSOR; ++k)
        stress[k] = (0 - scree_sum_value(&accumulator->sums[k])) / accumulator->part->volume;
}

// Adds a quantity that the contact transmits to its first side, times the branch vector.
static void add_transmitted(const struct scree_walk_item *contact, const double transmitted[3],
                            struct accumulator *accumulator)
{
    const double *to = contact->centre;
    double from[3];
    for (int k = 0; k < 3; ++k)
        from[k] = to[k] - contact->branch[k];
    const double fraction = scree_part_fraction(accumulator->part, from, to);
    for (int k = 0; k < TENSOR && fraction > 0; ++k)
        scree_sum_add(&accumulator->sums[k], fraction * transmitted[k / 3] * contact->branch[k % 3]);
}

static void add_force(const struct scree_walk_item *contact, void *user)
{
    add_transmitted(contact, contact->force, (struct accumulator *)user);
}

static void add_moment(const struct scree_walk_item *contact, void *user)
{
    const struct scree_law_vector couple = contact->evaluated->couple;
    const struct scree_vec3 middle = scree_vec3_add_scaled(scree_vec3_load(contact->centre), -0.5,
                                                           scree_vec3_load(contact->branch)),
                            arm = scree_vec3_sub(scree_vec3_load(contact->point), middle);
    double moment[3];
    scree_vec3_store(scree_vec3_add(scree_vec3_make(couple.x, couple.y, couple.z),
                                    scree_vec3_cross(arm, scree_vec3_load(contact->force))),
                     moment);
    add_transmitted(contact, moment, (struct accumulator *)user);
}

static scree_status measure_contacts(const struct scree_world *world,
                                     const struct scree_measure_region *region, scree_walk_contact *add,
                                     double stress[9])
{
    struct scree_part part;
    struct accumulator accumulator = {.part = &part};
    SCREE_TRY(scree_part_begin_volume(world, region, &part));
    SCREE_TRY(scree_part_of_contacts(&part));
    SCREE_TRY(scree_walk_forces(world, add, &accumulator));
    finish(&accumulator, stress);
    return SCREE_OK;
}

scree_status scree_measure_stress(const struct scree_world *world, const struct scree_measure_region *region,
                                  double stress[9])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    return measure_contacts(world, region, add_force, stress);
}

scree_status scree_measure_couple_stress(const struct scree_world *world,
                                         const struct scree_measure_region *region, double stress[9])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    return measure_contacts(world, region, add_moment, stress);
}

static void add_body(const struct scree_world *world, scree_slot slot, const struct scree_on_step *motion,
                     void *user)
{
    struct accumulator *accumulator = (struct accumulator *)user;
    const struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    double deviation[3];
    if (!scree_part_has(accumulator->part, world, slot.index))
        return;
    scree_vec3_store(scree_vec3_sub(scree_body_fluctuation(world, grain, motion->velocity),
                                    scree_vec3_load(accumulator->mean)),
                     deviation);
    for (int k = 0; k < TENSOR; ++k)
        scree_sum_add(&accumulator->sums[k], grain->mass * deviation[k / 3] * deviation[k % 3]);
}

scree_status scree_measure_kinetic_stress(struct scree_world *world,
                                          const struct scree_measure_region *region, double stress[9])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_part part;
    struct scree_measure_mean_motion motion;
    struct accumulator accumulator = {.part = &part};
    SCREE_TRY(scree_part_begin_volume(world, region, &part));
    SCREE_TRY(scree_measure_motion(world, &part.region, &motion));
    memcpy(accumulator.mean, motion.velocity, sizeof accumulator.mean);
    SCREE_TRY(scree_walk_bodies(world, add_body, &accumulator));
    finish(&accumulator, stress);
    return SCREE_OK;
}
