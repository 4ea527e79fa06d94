// The cells in which partners of collisions are drawn: boxes along the axes, or along the cell vectors of a
// periodic cell that has them. A period has a whole number of cells, and so has the space between two planes
// that face each other along an axis, less the radius that centres of bodies keep from them: the number with
// which their width is nearest to the wanted one. Elsewhere cells have the width that is wanted, from a plane
// on or from the origin.
//
// Invariants: cells are a function of the walls, the periodic cell, the bodies and the wanted width alone; so
// nothing of them is kept from step to step.
#ifndef SCREE_EVENT_CELLS_H
#define SCREE_EVENT_CELLS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct scree_event;

// Cells are numbered along an axis from -2^20 to 2^20 - 1; what is beyond is in none.
enum { SCREE_EVENT_CELLS_HALF = 1 << 20 };
#define SCREE_EVENT_CELLS_OUTSIDE UINT64_MAX

struct scree_event_cells {
    double lower[3], inverse[3]; // lower end of cell 0, and cells per length; in a skewed cell of fractions
    int number[3];               // of cells along an axis with two ends; 0 for any number
    int end[3];                  // of an axis with one: 1 below, -1 above; else 0
    double volume;               // of a cell, in two dimensions its area
    bool skewed;
};

// The width of cells, m: that which is wanted, or for 0 such that they hold ten bodies on average; 0 without
// bodies. Fails for 0 where the world has no limits along an axis, and names it.
SCREE_NODISCARD scree_status scree_event_cells_width(const struct scree_event *event, double wanted,
                                                     double *width);

// The same between walls where they are now, as after a restart.
SCREE_NODISCARD scree_status scree_event_check_cells(struct scree_event *event);

// Chooses cells of about the width that is wanted.
SCREE_NODISCARD scree_status scree_event_cells_make(const struct scree_event *event, double wanted,
                                                    struct scree_event_cells *cells);

// The code of the cell of a position in the periodic cell.
uint64_t scree_event_cells_at(const struct scree_event *event, const struct scree_event_cells *cells,
                              const double position[3]);

#endif
