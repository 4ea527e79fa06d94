// The periodic cell from inside: how a place is taken into it, and out of it again.
//
// What always holds between moves: along an axis of period L a position x has lower <= x < upper, and the
// body has come to x + L times its image. A place that is out by one period becomes x - L or x + L, rounded
// once; one farther out x - n L; what rounding would leave outside lies at the lower bound.

#ifndef SCREE_WORLD_CELL_H
#define SCREE_WORLD_CELL_H

#include "math/vec3.h"
#include "world/world.h"

// Periods between a place and the cell at most: beyond, rounding would leave little of the place.
#define SCREE_CELL_FARTHEST 1e9

// Takes a coordinate that is outside into [lower, upper) and counts the periods. False when it is no number
// or too far away, and then nothing has changed.
static inline bool scree_cell_take(double lower, double upper, double period, double *x, int64_t *image)
{
    const double ratio = (*x - lower) / period;
    if (!(ratio > -SCREE_CELL_FARTHEST && ratio < SCREE_CELL_FARTHEST))
        return false;
    int64_t turns = *x >= upper ? 1 : -1;
    double taken = *x >= upper ? *x - period : *x + period;
    if (!(taken >= lower && taken < upper)) {
        turns = (int64_t)ratio;
        turns -= (double)turns > ratio;
        taken = *x - (double)turns * period;
        turns += taken >= upper;
        taken = taken >= lower && taken < upper ? taken : lower;
    }
    *x = taken;
    *image += turns;
    return true;
}

// Where a body has come to.
static inline struct scree_vec3 scree_cell_unwrapped(const struct scree_world *world, scree_slot slot)
{
    const struct scree_vec3 position = scree_vec3_load(scree_world_grains(world)[slot.index].position);
    if (!scree_world_images(world))
        return position;
    const double *period = scree_world_cell(world)->period;
    const int64_t *n = scree_world_images(world)[slot.index].count;
    const struct scree_vec3 displacement =
        scree_vec3_make((double)n[0] * period[0], (double)n[1] * period[1], (double)n[2] * period[2]);
    return scree_vec3_add(position, displacement);
}

// Whether anything repeats.
static inline bool scree_cell_repeats(const struct scree_world *world)
{
    const double *period = scree_world_cell(world)->period;
    return period[0] > 0 || period[1] > 0 || period[2] > 0;
}

// Refuses a position that is too far away to be taken into the cell.
SCREE_NODISCARD scree_status scree_cell_check(const struct scree_world *world, const double *position);

// Takes the position of a body into the cell, or those of all; one that cannot be stays.
void scree_cell_wrap(struct scree_world *world, scree_slot slot);
void scree_cell_wrap_all(struct scree_world *world);

// A body is put elsewhere: it has come no farther than its new position tells.
void scree_cell_forget(struct scree_world *world, scree_slot slot);

// Whether a position is where the cell has it.
bool scree_cell_contains(const struct scree_world *world, const double *position);

#endif
