// Cells that find the bodies near a place, for the neighbour lists of the event engine. Bodies of similar
// sizes have a grid of their own, with cells of their width: so a small body searches few others beside large
// ones.
//
// Places are whole numbers of steps along each axis, 2^32 of which are a period of the cell, or of a fold of
// space along an axis that is not periodic: differences of them are those to the nearest image. Cells hold
// the places of eight bodies in one cache line, in 256 parts of the width of a cell, so that a search waits
// for few lines and tests eight bodies at once. In a cell with cell vectors places are fractions of these,
// and move with the cell.
//
// Invariants: a cell holds its bodies without gaps; a body is in the grid of its radius, in the cell of its
// place.

#ifndef SCREE_EVENT_GRID_H
#define SCREE_EVENT_GRID_H

#include "base/array.h"
#include "base/status.h"
#include "event/skew.h"

#include <scree/kernel.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCREE_EVENT_GRIDS = 8, SCREE_EVENT_PARTS = 256, SCREE_EVENT_SPAN = 64 };

// Eight bodies of a cell. A word has the place along x, y and z in parts of the cell, without remainder, and
// in its highest byte the radius in parts of the largest one of the grid, rounded up; 0: no body.
struct scree_event_held {
    uint32_t body[8];
    uint32_t word[8];
};

struct scree_event_grid {
    size_t bodies;            // 0: the grid is not there
    double largest;           // radius, m
    uint32_t cells[3], first; // numbers of cells, and of the first one
};

struct scree_event_grids {
    double lower[3], step[3], inverse_step[3]; // places along an axis
    double period[3];                          // of the cell or of a fold, m; 1 along a cell vector
    double across[3];                          // the distance of the faces, m, at most this in any strain
    double largest;                            // radius of all, m
    int dimension, count;                      // of grids
    struct scree_event_grid grid[SCREE_EVENT_GRIDS];
    uint32_t cells;                      // of all grids
    uint32_t groups;                     // of eight bodies, for which a cell has room
    uint32_t *bodies;                    // per cell
    struct scree_event_held *held;       // `groups` per cell
    const struct scree_event_skew *skew; // cell vectors, null without
};

// What a search around a place in one grid reads: along each axis, the cells near it. Lengths are in parts of
// a cell.
struct scree_event_probe {
    uint32_t count[3], cell[3][SCREE_EVENT_SPAN];
    float at[3][SCREE_EVENT_SPAN];  // the place, from the lower corner of the cell and less half a part
    float gap[3][SCREE_EVENT_SPAN]; // square of the distance to the cell, m^2
    float turn[3];                  // period, where cells do not distinguish images, else very large
    float length[3];                // of a part, m
    float range;                    // radius plus margin and half a part, m
    float size;                     // of a part of the largest radius, m
    float reach;                    // square of the largest distance of a neighbour, m^2
    float vector[9];                // of a part along each cell vector, m
};

// Lists the bodies of a grid that are near; returns their number.
typedef size_t scree_event_grid_search(const struct scree_event_grids *grids,
                                       const struct scree_event_grid *grid,
                                       const struct scree_event_probe *probe, uint32_t *found);

// Chooses grids for radii of bodies, so many, plus a margin; places have been chosen. They are empty.
SCREE_NODISCARD scree_status scree_event_grids_make(struct scree_event_grids *grids, const double *radius,
                                                    size_t bodies, double margin);
void scree_event_grids_free(struct scree_event_grids *grids);

// The place of a position.
void scree_event_grids_place(const struct scree_event_grids *grids, const double position[3],
                             uint32_t place[3]);

// The cell of a place for bodies of this radius.
uint32_t scree_event_grids_cell(const struct scree_event_grids *grids, const uint32_t place[3],
                                double radius);

// Puts a body into a cell, or takes it out.
SCREE_NODISCARD scree_status scree_event_grids_enter(struct scree_event_grids *grids, uint32_t cell,
                                                     uint32_t body, const uint32_t place[3], double radius);
void scree_event_grids_leave(struct scree_event_grids *grids, uint32_t cell, uint32_t body);

// Lists all bodies whose surfaces may be nearer than the margin to that of a body at a place, in `found`,
// which has room for all bodies and eight more; returns their number.
size_t scree_event_grids_find(const struct scree_event_grids *grids, const uint32_t place[3], double radius,
                              double margin, uint32_t *found);

// Fetches what such a search reads into the caches, if that is little.
void scree_event_grids_prefetch(const struct scree_event_grids *grids, const uint32_t place[3], double radius,
                                double margin);

// Bytes of all arrays.
size_t scree_event_grids_memory(const struct scree_event_grids *grids);

#endif
