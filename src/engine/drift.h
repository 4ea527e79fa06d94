// What follows a drift: bodies that left the periodic cell come back into it, and the speed of the fastest is
// noted, in one pass over records that lie in cache.

#ifndef SCREE_ENGINE_DRIFT_H
#define SCREE_ENGINE_DRIFT_H

#include "world/cell.h"

// The cell as the pass reads it.
struct scree_drift {
    // where nothing repeats, and in fourth place, every finite number is within bounds
    double lower[4], upper[4], period[4];
    bool repeats;
};

struct scree_drift scree_drift_begin(const struct scree_world *world);

// Takes the positions of bodies that have moved into the cell, counts their images (null where nothing
// repeats), and returns the square of the largest speed; not a number when a position or a velocity is not a
// finite number, or a body went farther than SCREE_CELL_FARTHEST periods.
double scree_drift_end(const struct scree_drift *drift, struct scree_grain *grain, struct scree_image *image,
                       size_t count);

#endif
