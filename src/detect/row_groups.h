// Groups of rows: finds the touching pairs of a tile, and assigns them to the groups of the tile.
//
// Pairs that touch when the lists are made are stored as rows, one row for each grain in the lower slot.
// SCREE_ROW_GROUPS_LANES rows of about the same length are interleaved as a group, so that few lanes of the
// batch loops are idle (see scree_kernel_job). All other pairs are in lists.
//
// A tile with too few touching pairs has only lists.
//
// Invariants: a group has one class; a row has at most SCREE_ROW_GROUPS_MAX_DEPTH pairs, and the other pairs
// of its grain are in lists. Results do not depend on rows.

#ifndef SCREE_DETECT_ROW_GROUPS_H
#define SCREE_DETECT_ROW_GROUPS_H

#include "detect/rows.h"

enum { SCREE_ROW_GROUPS_MAX_DEPTH = 16, SCREE_ROW_GROUPS_LANES = SCREE_KERNEL_WIDTH };

// The groups of one tile, in the memory of one thread.
struct scree_row_groups {
    size_t classes;
    uint8_t *count;  // [classes][tile]: pairs of the row of each grain
    uint32_t *next;  // [classes][tile]: next candidate of that row, from the first of the tile on
    uint32_t *owner; // [groups * lanes]: slots; the last of a class is repeated as padding
    uint8_t *depth;  // [groups]
    size_t groups;
    size_t candidates;     // of the groups, with padding
    size_t inside, across; // candidates that go into lists
    size_t real;           // all candidates
};

SCREE_NODISCARD scree_status scree_row_groups_begin(struct scree_row_groups *groups, size_t classes);
void scree_row_groups_end(struct scree_row_groups *groups);

// The class of two interacting grains.
static inline size_t scree_row_groups_class(const struct scree_candidates_input *input, uint32_t i,
                                            uint32_t j)
{
    return input->classes > 1 ? input->class_of[scree_candidates_material(input, i) * input->materials +
                                                scree_candidates_material(input, j)]
                              : 0;
}

// Makes the groups of a tile. Touching pairs that are not in rows are marked as not touching.
void scree_row_groups_make(struct scree_row_groups *groups, const struct scree_rows *rows,
                           const struct scree_candidates_input *input, size_t tile);

// Candidate of the next pair of a grain, given by its index in the tile, and a class.
static inline uint32_t scree_row_groups_next(struct scree_row_groups *groups, size_t class, size_t index)
{
    uint32_t *next = &groups->next[class * SCREE_CONTACTS_TILE + index];
    const uint32_t candidate = *next;
    *next += SCREE_ROW_GROUPS_LANES;
    return candidate;
}

#endif
