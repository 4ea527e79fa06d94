// Refuses crowds of strongly overlapping bodies before their pairs are listed: n bodies at one place have
// n (n - 1) / 2 pairs.
//
// Only cells of the grid with many grains are examined, so the check of a normal packing takes almost no
// time.

#ifndef SCREE_DETECT_CROWD_H
#define SCREE_DETECT_CROWD_H

#include "detect/grid.h"

// Fails if a crowded cell has a pair that interacts and overlaps by more than `input->crowd_overlap` of its
// smaller radius; the message names the pair. A cell with more than 1000 grains is refused at an overlap of
// the smaller radius even if the limit is larger, because its pairs need much time and memory.
SCREE_NODISCARD scree_status scree_crowd_check(const struct scree_grid *grid,
                                               const struct scree_candidates_input *input);

#endif
