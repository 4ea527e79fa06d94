// Grains that have been placed, in cells of space, a set of cells for each factor of two in size, so that a
// small one asks no more than those around it, whatever the largest is.

#ifndef SCREE_PACK_CELLS_H
#define SCREE_PACK_CELLS_H

#include "base/array.h"
#include "pack/free_region.h"

enum { SCREE_CELLS_LEVELS = 32 };

struct scree_fill_grain {
    double place[3], radius;
};

typedef SCREE_ARRAY(struct scree_fill_grain) scree_fill_list;

// By a hash of where they are.
struct scree_cells {
    uint32_t *head; // [buckets]: the last grain of a bucket, and one more; 0 for none
    size_t buckets;
    uint32_t *before;                // [grains]: the one before it in its bucket, likewise
    int *level;                      // [grains]
    size_t used[SCREE_CELLS_LEVELS]; // grains of each level
    double top;                      // width of the widest cells
    const struct scree_free_region *room;
};

// Puts all of a list into cells, which have room for so many; `largest` is the largest radius to come. To be
// closed also after a failure.
SCREE_NODISCARD scree_status scree_cells_open(struct scree_cells *cells, const struct scree_free_region *room,
                                              double largest, const scree_fill_list *list, size_t places);
void scree_cells_close(struct scree_cells *cells);

// Puts grain `g` of the list in, which was added since.
void scree_cells_put(struct scree_cells *cells, const scree_fill_list *list, size_t g);

// Whether a grain overlaps none of those.
bool scree_cells_free_for(const struct scree_cells *cells, const scree_fill_list *list,
                          const struct scree_fill_grain *grain);

#endif
