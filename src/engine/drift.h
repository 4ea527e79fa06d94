// What follows a drift: bodies that left the periodic cell come back into it, and the speed of the fastest is
// noted, and whether one went too far, in one pass over records that lie in cache.

#ifndef SCREE_ENGINE_DRIFT_H
#define SCREE_ENGINE_DRIFT_H

#include "world/cell.h"

// The cell as the pass reads it.
struct scree_drift {
    // where nothing repeats, and in fourth place, every finite number is within bounds
    double lower[4], upper[4], period[4];
    double most; // square of the radii that a body may go in a second, a hair less
    bool repeats;
};

// `most`: radii that a body may go in a second.
struct scree_drift scree_drift_begin(const struct scree_world *world, double most);

// Takes the positions of bodies that have moved into the cell, counts their images (null where nothing
// repeats), and returns the square of the largest speed; not a number when a position or a velocity is not a
// finite number, or a body went farther than SCREE_CELL_FARTHEST periods. `far` becomes true where a body
// that has a radius went too far, by its velocity.
double scree_drift_end(const struct scree_drift *drift, struct scree_grain *grain, struct scree_image *image,
                       size_t count, bool *far);

// The first of these for one body that is out of the cell; false where it has no place.
bool scree_drift_take_back(const struct scree_drift *drift, struct scree_grain *grain,
                           struct scree_image *image);

#endif
