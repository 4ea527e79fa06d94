// Contact stress (Love-Weber) and kinetic stress in a region, see include/scree/measure.h.

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

static void add_contact(const struct scree_walk_item *contact, void *user)
{
    struct accumulator *accumulator = (struct accumulator *)user;
    const double *to = contact->centre;
    double from[3];
    for (int k = 0; k < 3; ++k)
        from[k] = to[k] - contact->branch[k];
    const double fraction = scree_part_fraction(accumulator->part, from, to);
    for (int k = 0; k < TENSOR && fraction > 0; ++k)
        scree_sum_add(&accumulator->sums[k], fraction * contact->force[k / 3] * contact->branch[k % 3]);
}

scree_status scree_measure_stress(const struct scree_world *world, const struct scree_measure_region *region,
                                  double stress[9])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_part part;
    struct accumulator accumulator = {.part = &part};
    SCREE_TRY(scree_part_begin_volume(world, region, &part));
    SCREE_TRY(scree_part_of_contacts(&part));
    SCREE_TRY(scree_walk_forces(world, add_contact, &accumulator));
    finish(&accumulator, stress);
    return SCREE_OK;
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
