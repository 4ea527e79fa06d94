// After a drift: wraps bodies into the periodic cell, finds the largest speed and checks displacements, in
// one pass over records that are in cache.

#ifndef SCREE_ENGINE_DRIFT_H
#define SCREE_ENGINE_DRIFT_H

#include "motion/motion.h"
#include "world/cell.h"

// Largest strain of the cell in a step: the map of the mean motion is regular below 2, and accurate far
// below.
#define SCREE_DRIFT_STRAIN 0.1

// Bounds of the cell, laid out for vector registers.
struct scree_drift {
    // along non-periodic axes, and in lane 3, every finite number is within bounds
    double lower[4], upper[4], period[4];
    double square_limit; // square of the limit of displacement, in radii per second, rounded down
    bool periodic;
    // in a cell with cell vectors only: the flow, null otherwise, and the cell at the end of the step
    const struct scree_motion_flow *flow;
    double half_step;
    struct scree_cell_lattice lattice;
};

// `limit`: limit of displacement, in radii per second. `step` is about to be taken.
struct scree_drift scree_drift_begin(const struct scree_world *world, double limit,
                                     const struct scree_motion_step *step);

// Checks that the schemes can move the bodies of a cell with cell vectors, and that nothing else is in it.
SCREE_NODISCARD scree_status scree_drift_check(const struct scree_world *world,
                                               const struct scree_motion_scheme *translation,
                                               const struct scree_motion_scheme *rotation);

// Checks that a step of `h` does not strain the cell too much.
SCREE_NODISCARD scree_status scree_drift_check_strain(const struct scree_world *world, double h);

// Before bodies move: sets how the cell deforms in the coming step of `h`, and checks that this is short
// enough.
SCREE_NODISCARD scree_status scree_drift_prepare(struct scree_world *world, double h);

// The flow of the mean motion in a step of `h` after one of `last`, in a world whose cell has cell vectors.
void scree_drift_flow(const struct scree_world *world, double h, double last, struct scree_motion_flow *flow);

// Wraps the positions of bodies that have moved into the cell, updates their image counts (null if no axis
// is periodic) and returns the square of the largest speed; NaN if a position or a velocity is not finite,
// or if a body is farther than SCREE_CELL_FARTHEST periods away. Sets `far` if the displacement of a body
// with a radius, by its velocity, is above the limit.
double scree_drift_end(const struct scree_drift *drift, struct scree_grain *grain, struct scree_image *image,
                       size_t count, bool *far);

// The speed of a body that has moved; in a cell with cell vectors, of its fluctuation.
double scree_drift_speed(const struct scree_drift *drift, const struct scree_grain *grain);

// Wraps one body that is outside the cell; returns false if its position is not finite or too far away.
bool scree_drift_wrap(const struct scree_drift *drift, struct scree_grain *grain, struct scree_image *image);

#endif
