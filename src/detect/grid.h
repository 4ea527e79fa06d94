// A hierarchical grid: grains of alike size lie in one level, whose cells are as wide as two of its largest
// reach. The grains of a cell lie one behind the other, and so do those of neighbouring cells in x.
//
// What always holds: levels differ by a factor of two in size or more, and only those in use are there; cells
// are at most twice as many as grains, whatever the extent, because far cells are folded onto near ones. A
// search in a level finds every grain there that is near enough, once, and none that is not.

#ifndef SCREE_DETECT_GRID_H
#define SCREE_DETECT_GRID_H

#include "detect/candidates.h"

enum { SCREE_GRID_LEVELS = 32 };

#define SCREE_GRID_NOWHERE UINT32_MAX

// A tag orders grains by id and says who they are: from the top 32 bits of rank, 30 of slot, one that is set
// where the grain may wrap before the next search, and one that a search sets where the pair needs the
// shortest difference.
static inline uint32_t scree_grid_slot(uint64_t tag)
{
    return (uint32_t)tag >> 2;
}

struct scree_grid_axis {
    double origin, inverse; // of the width of a cell
    double period, half;    // infinite where not periodic
    int64_t cells;
};

struct scree_grid_level {
    struct scree_grid_axis axis[3];
    double reach;    // the largest
    uint32_t first;  // its first cell
    uint32_t grains; // places of its grains end here
};

struct scree_grid {
    struct scree_grid_level level[SCREE_GRID_LEVELS]; // the largest grains first
    int levels;
    // by place: those of a level together, then those of a cell
    double *x, *y, *z, *reach; // radius and half the margin
    uint64_t *tag;
    uint32_t *place; // by slot; SCREE_GRID_NOWHERE for grains that touch nothing
    uint32_t *start; // [cells + 1] first place of each cell
    void *block;     // all of the above
};

// What a search found.
struct scree_grid_hits {
    uint64_t *tag;
    size_t count, capacity;
};

SCREE_NODISCARD scree_status scree_grid_build(struct scree_grid *grid,
                                              const struct scree_candidates_input *input);
void scree_grid_free(struct scree_grid *grid);

// Appends the grains of a level near the one at `place`, without itself.
SCREE_NODISCARD scree_status scree_grid_find(const struct scree_grid *grid, uint32_t place, int level,
                                             struct scree_grid_hits *hits);

// The level of the grain at `place`.
static inline int scree_grid_level_of(const struct scree_grid *grid, uint32_t place)
{
    int level = 0;
    while (place >= grid->level[level].grains)
        ++level;
    return level;
}

#endif
