// Bodies in a region, their mass, motion and volume, see include/scree/measure.h.

#include "base/sum.h"
#include "contact/walk.h"
#include "measure/part.h"

#include <math.h>

enum { MASS, MOMENTUM, WARMTH = MOMENTUM + 3, SUMS };

struct gathering {
    const struct scree_part *part;
    struct scree_measure_flow flow;
    struct scree_sum sums[SUMS];
};

static void add_mass(const struct scree_world *world, scree_slot slot, const struct scree_on_step *motion,
                     void *user)
{
    struct gathering *gathering = (struct gathering *)user;
    const struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    if (!scree_part_has(gathering->part, world, slot.index))
        return;
    const double speed = scree_vec3_norm(scree_vec3_load(motion->velocity));
    ++gathering->flow.bodies;
    gathering->flow.fastest = speed > gathering->flow.fastest ? speed : gathering->flow.fastest;
    scree_sum_add(&gathering->sums[MASS], grain->mass);
    for (int k = 0; k < 3; ++k)
        scree_sum_add(&gathering->sums[MOMENTUM + k], grain->mass * motion->velocity[k]);
}

// The mean velocity is known now.
static void add_warmth(const struct scree_world *world, scree_slot slot, const struct scree_on_step *motion,
                       void *user)
{
    struct gathering *gathering = (struct gathering *)user;
    const struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    if (!scree_part_has(gathering->part, world, slot.index))
        return;
    const struct scree_vec3 apart =
        scree_vec3_sub(scree_vec3_load(motion->velocity), scree_vec3_load(gathering->flow.velocity));
    scree_sum_add(&gathering->sums[WARMTH], grain->mass * scree_vec3_norm_squared(apart));
}

scree_status scree_measure_motion(struct scree_world *world, const struct scree_measure_region *region,
                                  struct scree_measure_flow *flow)
{
    SCREE_WORLD_COMPUTES;
    struct scree_part part;
    struct gathering gathering = {.part = &part};
    SCREE_TRY(scree_part_begin(world, region, &part));
    SCREE_TRY(scree_walk_bodies(world, add_mass, &gathering));
    *flow = gathering.flow;
    if (flow->bodies == 0)
        return SCREE_OK;
    flow->mass = scree_sum_value(&gathering.sums[MASS]);
    for (int k = 0; k < 3; ++k)
        flow->velocity[k] = scree_sum_value(&gathering.sums[MOMENTUM + k]) / flow->mass;
    gathering.flow = *flow;
    SCREE_TRY(scree_walk_bodies(world, add_warmth, &gathering));
    flow->temperature = scree_sum_value(&gathering.sums[WARMTH]) / (part.dimension * flow->mass);
    return SCREE_OK;
}

// One that goes round the cell has as many parts in a region as there are periods in it, without end; where
// the region has no ends it is one.
static scree_status check_size(const struct scree_part *part, double radius)
{
    for (int k = 0; k < 3; ++k)
        if (part->period[k] > 0 && !part->whole[k] && !(radius <= part->period[k]))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "a body of radius %g m is wider than two periods of the cell, %g m along %c", radius,
                part->period[k], 'x' + k);
    return SCREE_OK;
}

scree_status scree_measure_solid(const struct scree_world *world, const struct scree_measure_region *region,
                                 double *share)
{
    SCREE_WORLD_COMPUTES;
    struct scree_part part;
    struct scree_sum sum = {0};
    SCREE_TRY(scree_part_begin_volume(world, region, &part));
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        const bool member = part.mask == 0 || scree_group_of_body(world, i) & part.mask;
        if (!(grain->radius > 0 && member))
            continue;
        SCREE_TRY(check_size(&part, grain->radius));
        scree_sum_add(&sum, scree_part_ball(&part, grain->position, grain->radius));
    }
    *share = scree_sum_value(&sum) / part.volume;
    return SCREE_OK;
}
