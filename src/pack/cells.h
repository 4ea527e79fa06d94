// Hierarchical cell list of placed grains: one level of cells for each factor of two in size, so that the
// overlap test of a small grain only visits its neighbourhood, however large the largest grain is.

#ifndef SCREE_PACK_CELLS_H
#define SCREE_PACK_CELLS_H

#include "base/array.h"
#include "pack/free_region.h"

enum { SCREE_CELLS_LEVELS = 32 };

struct scree_pack_solid;
struct scree_world;

// A sphere, a pebble of a clump, or a polyhedron, of which the radius is that of the sphere around it.
struct scree_fill_grain {
    double position[3], radius;
    double shared; // fraction of its volume that does not count: other pebbles have it, or it is not filled
    struct scree_pack_solid *solid; // of a polyhedron, else null
};

typedef SCREE_ARRAY(struct scree_fill_grain) scree_fill_list;

// Adds a grain of a world, whose records are up to date, unless its radius is 0.
SCREE_NODISCARD scree_status scree_cells_list_add(scree_fill_list *list, const struct scree_world *world,
                                                  size_t grain);

// Frees a list and its polyhedra.
void scree_cells_list_free(scree_fill_list *list);

// Spatial hash.
struct scree_cells {
    uint32_t *head; // [buckets]: index + 1 of the last grain of a bucket; 0 for none
    size_t buckets;
    uint32_t *previous;              // [grains]: index + 1 of the previous grain in the bucket
    int *level;                      // [grains]
    size_t used[SCREE_CELLS_LEVELS]; // number of grains of each level
    double coarsest_width;           // of the cells of level 0
    const struct scree_free_region *free_region;
};

// Creates cells for up to `capacity` grains of radii up to `largest`, and adds the list. Close also after
// failure.
SCREE_NODISCARD scree_status scree_cells_open(struct scree_cells *cells,
                                              const struct scree_free_region *free_region, double largest,
                                              const scree_fill_list *list, size_t capacity);
void scree_cells_close(struct scree_cells *cells);

// Adds grain `g` of the list.
void scree_cells_add(struct scree_cells *cells, const scree_fill_list *list, size_t g);

// Returns whether a grain overlaps no grain in the cells.
bool scree_cells_is_free(const struct scree_cells *cells, const scree_fill_list *list,
                         const struct scree_fill_grain *grain);

#endif
