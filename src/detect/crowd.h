// Refuses bodies that lie upon each other in crowds, before pairs of them are listed: n bodies at one place
// have n (n - 1) / 2 pairs.
//
// Only cells of the grid with many grains are examined, so a packing costs nothing. Grains of a level that
// have a cell to themselves have a bounded number of neighbours.

#ifndef SCREE_DETECT_CROWD_H
#define SCREE_DETECT_CROWD_H

#include "detect/grid.h"

// Fails if a crowded cell has a pair that interacts and overlaps by more than `input->crowd_overlap` of its
// smaller radius; names the pair.
SCREE_NODISCARD scree_status scree_crowd_check(const struct scree_grid *grid,
                                               const struct scree_candidates_input *input);

#endif
