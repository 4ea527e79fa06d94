// A hierarchical grid: each level has grains of similar size, and cells twice as wide as its largest
// range. The grains of a cell are consecutive, and so are those of cells adjacent along x.
//
// Invariants: the ranges of levels differ by at least a factor of two, and no level is empty; for any extent
// there are at most twice as many cells as grains (64 for few grains), because space is folded: cell n of an
// axis with N cells is stored as n mod N. Before folding the cell is a monotonic function of the position.

#ifndef SCREE_DETECT_GRID_H
#define SCREE_DETECT_GRID_H

#include "detect/candidates.h"

enum { SCREE_GRID_LEVELS = 32 };

// A tag identifies a grain: 30 bits of slot, one bit that is set if it may wrap before the next search, and
// one unused bit.
enum { SCREE_GRID_WRAPS = 2 };

static inline uint32_t scree_grid_slot(uint32_t tag)
{
    return tag >> 2;
}

struct scree_grid_axis {
    double origin, inverse; // inverse width of a cell
    double period;          // infinite if not periodic
    int64_t cells;
    bool folds; // the first cell follows the last: the axis is periodic, or space is folded
};

struct scree_grid_level {
    struct scree_grid_axis axis[3];
    int64_t block[3]; // cells along each axis whose grains share a search
    double range;     // largest range of a grain of this level
    uint32_t first;   // first cell
    uint32_t grains;  // end of its grains in the arrays below
};

struct scree_grid {
    struct scree_grid_level level[SCREE_GRID_LEVELS]; // the largest grains first
    int levels;
    // grains, sorted by level, then by cell
    double *x, *y, *z, *radius, *range; // range: radius plus half the margin, and the extra of the grain
    uint32_t *tag;
    uint32_t *start;                          // [cells + 1] first grain of each cell
    const struct scree_candidates_skew *skew; // coordinates are its u; null: positions
    void *block;                              // memory of all of the above
    // by slot, 0 for grains that cannot touch: a compact copy, because searches read it in random order
    uint16_t *material;
};

SCREE_NODISCARD scree_status scree_grid_build(struct scree_grid *grid,
                                              const struct scree_candidates_input *input);
void scree_grid_free(struct scree_grid *grid);

// The cell along the axis before folding; a monotonic function of x.
static inline int64_t scree_grid_along(const struct scree_grid_axis *axis, double x)
{
    const double max = 0x1p60;
    double t = (x - axis->origin) * axis->inverse;
    t = t < max ? t : max;
    t = t > -max ? t : -max;
    const int64_t cell = (int64_t)t;
    return cell - ((double)cell > t);
}

static inline int64_t scree_grid_fold(const struct scree_grid_axis *axis, int64_t cell)
{
    if ((uint64_t)cell < (uint64_t)axis->cells)
        return cell;
    const int64_t rest = cell % axis->cells;
    return rest < 0 ? rest + axis->cells : rest;
}

// First grains of the cells of a row along x.
static inline const uint32_t *scree_grid_row(const struct scree_grid *grid,
                                             const struct scree_grid_level *level, int64_t y, int64_t z)
{
    return grid->start + level->first + (z * level->axis[1].cells + y) * level->axis[0].cells;
}

#endif
