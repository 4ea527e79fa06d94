// Who is near whom: for every grain the others, by ascending id, as the searches of many threads found them.
//
// What always holds: a pair is in the rows of both of its grains. A row lies in one piece somewhere in the
// blocks that the threads filled, and SCREE_ROWS_AHEAD entries behind it can be read.

#ifndef SCREE_DETECT_ROWS_H
#define SCREE_DETECT_ROWS_H

#include "detect/candidates.h"

struct scree_rows {
    size_t grains, tiles;
    uint32_t *first; // [grains + 1] where each row would begin if all lay one behind the other
    uint32_t **row;  // [grains] entries
    uint32_t *inside,
        *across;  // [tiles] candidates that belong to a tile: each counts for its grain in the lower slot
    void **block; // where the rows are
    size_t blocks;
};

enum { SCREE_ROWS_AHEAD = 16 };

// An entry names the other grain; whether the pair is inside a tile; whether the row's grain is its high
// side.
enum { SCREE_ROWS_HIGH = 1, SCREE_ROWS_INSIDE = 2 };

SCREE_NODISCARD scree_status scree_rows_build(struct scree_rows *rows,
                                              const struct scree_candidates_input *input);
void scree_rows_free(struct scree_rows *rows);

#endif
