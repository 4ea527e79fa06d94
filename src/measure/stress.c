// The stress of contacts and of motion in a region, see include/scree/measure.h.

#include "base/sum.h"
#include "contact/walk.h"
#include "measure/part.h"

enum { TENSOR = 9 };

struct gathering {
    const struct scree_part *part;
    double mean[3];
    struct scree_sum sums[TENSOR];
};

static void take(const struct gathering *gathering, double stress[9])
{
    for (int k = 0; k < TENSOR; ++k)
        stress[k] = (0 - scree_sum_value(&gathering->sums[k])) / gathering->part->volume;
}

static void add_contact(const struct scree_walk_touch *touch, void *user)
{
    struct gathering *gathering = (struct gathering *)user;
    const double *to = touch->place;
    double from[3];
    for (int k = 0; k < 3; ++k)
        from[k] = to[k] - touch->branch[k];
    const double share = scree_part_share(gathering->part, from, to);
    for (int k = 0; k < TENSOR && share > 0; ++k)
        scree_sum_add(&gathering->sums[k], share * touch->force[k / 3] * touch->branch[k % 3]);
}

scree_status scree_measure_stress(const struct scree_world *world, const struct scree_measure_region *region,
                                  double stress[9])
{
    SCREE_WORLD_COMPUTES;
    struct scree_part part;
    struct gathering gathering = {.part = &part};
    SCREE_TRY(scree_part_begin_volume(world, region, &part));
    SCREE_TRY(scree_part_of_contacts(&part));
    SCREE_TRY(scree_walk_contacts(world, add_contact, &gathering));
    take(&gathering, stress);
    return SCREE_OK;
}

static void add_body(const struct scree_world *world, scree_slot slot, const struct scree_on_step *motion,
                     void *user)
{
    struct gathering *gathering = (struct gathering *)user;
    const struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    double apart[3];
    if (!scree_part_has(gathering->part, world, slot.index))
        return;
    for (int k = 0; k < 3; ++k)
        apart[k] = motion->velocity[k] - gathering->mean[k];
    for (int k = 0; k < TENSOR; ++k)
        scree_sum_add(&gathering->sums[k], grain->mass * apart[k / 3] * apart[k % 3]);
}

scree_status scree_measure_kinetic_stress(struct scree_world *world,
                                          const struct scree_measure_region *region, double stress[9])
{
    SCREE_WORLD_COMPUTES;
    struct scree_part part;
    struct scree_measure_flow flow;
    struct gathering gathering = {.part = &part};
    SCREE_TRY(scree_part_begin_volume(world, region, &part));
    SCREE_TRY(scree_measure_motion(world, &part.region, &flow));
    memcpy(gathering.mean, flow.velocity, sizeof gathering.mean);
    SCREE_TRY(scree_walk_bodies(world, add_body, &gathering));
    take(&gathering, stress);
    return SCREE_OK;
}
