// Rows side by side: which pairs of a tile touch, and where each of them lies in the groups of the tile.
//
// The pairs that touch when the lists are made become rows: those of a grain, the one in the lower slot,
// follow each other, and SCREE_ROW_GROUPS_LANES rows of about the same length lie side by side as a group, so
// that hardly any lane of the batch loops is idle (see scree_kernel_job). All others stay in lists.
//
// A tile of which too few pairs touch has lists alone.
//
// What always holds: a group is of one class; a row has at most SCREE_ROW_GROUPS_DEEPEST pairs, what is more
// of a grain's stays in lists. Nothing of it shows in a result.

#ifndef SCREE_DETECT_ROW_GROUPS_H
#define SCREE_DETECT_ROW_GROUPS_H

#include "detect/rows.h"

enum { SCREE_ROW_GROUPS_DEEPEST = 16, SCREE_ROW_GROUPS_LANES = SCREE_KERNEL_WIDTH };

// The groups of one tile, as one thread works them out.
struct scree_row_groups {
    size_t classes;
    uint8_t *count;  // [classes][tile]: pairs of the row of each grain
    uint32_t *place; // [classes][tile]: where the next pair of that row lies, from the first of the tile on
    uint32_t *owner; // [groups * lanes]: slots; the last of a class repeats to fill up its group
    uint8_t *depth;  // [groups]
    size_t groups;
    size_t candidates;     // that the groups take, filled up
    size_t inside, across; // candidates that go into lists
    size_t real;           // all candidates
};

SCREE_NODISCARD scree_status scree_row_groups_begin(struct scree_row_groups *groups, size_t classes);
void scree_row_groups_end(struct scree_row_groups *groups);

// The class of two grains that may touch.
static inline size_t scree_row_groups_class(const struct scree_candidates_input *input, uint32_t i,
                                            uint32_t j)
{
    return input->classes > 1
               ? input->class_of[input->grain[i].material * input->materials + input->grain[j].material]
               : 0;
}

// Lays the groups of a tile. Pairs that touch and do not go into rows are marked as if they did not.
void scree_row_groups_lay(struct scree_row_groups *groups, const struct scree_rows *rows,
                          const struct scree_candidates_input *input, size_t tile);

// Where the next pair of a grain, by its place in the tile, and of a class lies.
static inline uint32_t scree_row_groups_next(struct scree_row_groups *groups, size_t class, size_t place)
{
    uint32_t *next = &groups->place[class * SCREE_CONTACTS_TILE + place];
    const uint32_t here = *next;
    *next += SCREE_ROW_GROUPS_LANES;
    return here;
}

#endif
