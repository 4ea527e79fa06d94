// Mass, mean motion, granular temperature and solid fraction in a region, see include/scree/measure.h.

#include "base/sum.h"
#include "contact/walk.h"
#include "measure/part.h"
#include "world/body.h"
#include "world/grain.h"

#include <math.h>

enum { MASS, MOMENTUM, FLUCTUATION = MOMENTUM + 3, SUMS };

struct accumulator {
    const struct scree_part *part;
    struct scree_measure_mean_motion motion;
    struct scree_sum sums[SUMS];
};

static void add_mass(const struct scree_world *world, scree_slot slot, const struct scree_on_step *motion,
                     void *user)
{
    struct accumulator *accumulator = (struct accumulator *)user;
    const struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    if (!scree_part_has(accumulator->part, world, slot.index))
        return;
    double velocity[3];
    scree_vec3_store(scree_body_fluctuation(world, grain, motion->velocity), velocity);
    const double speed = scree_vec3_norm(scree_vec3_load(velocity));
    ++accumulator->motion.bodies;
    accumulator->motion.fastest = speed > accumulator->motion.fastest ? speed : accumulator->motion.fastest;
    scree_sum_add(&accumulator->sums[MASS], grain->mass);
    for (int k = 0; k < 3; ++k)
        scree_sum_add(&accumulator->sums[MOMENTUM + k], grain->mass * velocity[k]);
}

// Second pass, with the mean velocity.
static void add_fluctuation(const struct scree_world *world, scree_slot slot,
                            const struct scree_on_step *motion, void *user)
{
    struct accumulator *accumulator = (struct accumulator *)user;
    const struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    if (!scree_part_has(accumulator->part, world, slot.index))
        return;
    const struct scree_vec3 deviation = scree_vec3_sub(scree_body_fluctuation(world, grain, motion->velocity),
                                                       scree_vec3_load(accumulator->motion.velocity));
    scree_sum_add(&accumulator->sums[FLUCTUATION], grain->mass * scree_vec3_norm_squared(deviation));
}

scree_status scree_measure_motion(struct scree_world *world, const struct scree_measure_region *region,
                                  struct scree_measure_mean_motion *motion)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_part part;
    struct accumulator accumulator = {.part = &part};
    SCREE_TRY(scree_part_begin(world, region, &part));
    SCREE_TRY(scree_walk_bodies(world, add_mass, &accumulator));
    *motion = accumulator.motion;
    if (motion->bodies == 0)
        return SCREE_OK;
    motion->mass = scree_sum_value(&accumulator.sums[MASS]);
    for (int k = 0; k < 3; ++k)
        motion->velocity[k] = scree_sum_value(&accumulator.sums[MOMENTUM + k]) / motion->mass;
    accumulator.motion = *motion;
    SCREE_TRY(scree_walk_bodies(world, add_fluctuation, &accumulator));
    motion->temperature = scree_sum_value(&accumulator.sums[FLUCTUATION]) / (part.dimension * motion->mass);
    return SCREE_OK;
}

// Sums over bodies for the second Sonine coefficient: components in the first pass, powers in the second.
struct powers {
    const struct scree_part *part;
    size_t bodies;
    double mean[3];
    struct scree_sum velocity[3], square, fourth;
};

static void add_velocity(const struct scree_world *world, scree_slot slot, const struct scree_on_step *motion,
                         void *user)
{
    struct powers *powers = (struct powers *)user;
    double velocity[3];
    if (!scree_part_has(powers->part, world, slot.index))
        return;
    scree_vec3_store(scree_body_fluctuation(world, &scree_world_grains(world)[slot.index], motion->velocity),
                     velocity);
    ++powers->bodies;
    for (int k = 0; k < 3; ++k)
        scree_sum_add(&powers->velocity[k], velocity[k]);
}

static void add_powers(const struct scree_world *world, scree_slot slot, const struct scree_on_step *motion,
                       void *user)
{
    struct powers *powers = (struct powers *)user;
    if (!scree_part_has(powers->part, world, slot.index))
        return;
    const struct scree_vec3 c = scree_vec3_sub(
        scree_body_fluctuation(world, &scree_world_grains(world)[slot.index], motion->velocity),
        scree_vec3_load(powers->mean));
    const double square = scree_vec3_norm_squared(c);
    scree_sum_add(&powers->square, square);
    scree_sum_add(&powers->fourth, square * square);
}

scree_status scree_measure_kurtosis(struct scree_world *world, const struct scree_measure_region *region,
                                    double *a2)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_part part;
    struct powers powers = {.part = &part};
    *a2 = 0;
    SCREE_TRY(scree_part_begin(world, region, &part));
    SCREE_TRY(scree_walk_bodies(world, add_velocity, &powers));
    if (powers.bodies == 0)
        return SCREE_OK;
    const double bodies = (double)powers.bodies, d = part.dimension;
    for (int k = 0; k < 3; ++k)
        powers.mean[k] = scree_sum_value(&powers.velocity[k]) / bodies;
    SCREE_TRY(scree_walk_bodies(world, add_powers, &powers));
    const double square = scree_sum_value(&powers.square) / bodies;
    if (square > 0)
        *a2 = d / (d + 2) * (scree_sum_value(&powers.fourth) / bodies / square / square) - 1;
    return SCREE_OK;
}

// Refuses a body whose radius is larger than the period: it would be counted once for each image that
// overlaps the region, except along an axis where the region is as wide as the period.
static scree_status check_size(const struct scree_part *part, double radius)
{
    for (int k = 0; k < 3; ++k)
        if (part->period[k] > 0 && !part->spans_period[k] && !(radius <= part->period[k]))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "a body of radius %g m is too large: the period of the cell is %g m along %c", radius,
                part->period[k], 'x' + k);
    return SCREE_OK;
}

scree_status scree_measure_solid_fraction(const struct scree_world *world,
                                          const struct scree_measure_region *region, double *fraction)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_part part;
    struct scree_sum sum = {0};
    SCREE_TRY(scree_part_begin_volume(world, region, &part));
    if (part.region.shape == SCREE_MEASURE_MESH)
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED,
            "a solid fraction takes a box, a cylinder or a sphere as its region: the part of a "
            "body inside of a mesh is not computed");
    scree_grain_update_records((struct scree_world *)(uintptr_t)world, 0, NULL);
    // pebbles of a clump share its volume in proportion to their own
    const size_t bodies = scree_world_bodies(world);
    for (size_t g = 0; g < scree_grain_count(world); ++g) {
        const struct scree_grain *grain =
            g < bodies ? &scree_world_grains(world)[g] : scree_grain_update_record(world, g - bodies);
        const bool member = part.mask == 0 || scree_group_of_body(world, grain->owner) & part.mask;
        if (!(grain->radius > 0 && member))
            continue;
        SCREE_TRY(check_size(&part, grain->radius));
        scree_sum_add(&sum, (1 - scree_grain_shared(world, g)) *
                                scree_part_ball(&part, grain->position, grain->radius));
    }
    *fraction = scree_sum_value(&sum) / part.volume;
    return SCREE_OK;
}
