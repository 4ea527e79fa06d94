// Neighbours of each grain in higher slots, found by several threads.
//
// Invariants: a pair is only in the row of its grain in the lower slot. The order within a row depends
// on slots and positions only. A row is contiguous, begins with its length, and is stored in the blocks of
// some thread, which consist of numbered pages.

#ifndef SCREE_DETECT_ROWS_H
#define SCREE_DETECT_ROWS_H

#include "detect/candidates.h"
#include "detect/pair_test.h"

enum { SCREE_ROWS_PAGE_BITS = 12 }; // lower bits of an offset: position in its page

struct scree_rows {
    size_t grains, tiles;
    uint32_t *offset; // [grains] page and offset within it; 0 for an empty row
    uint32_t **page;  // address of each page; page 0 contains only the empty row and is not in a block
    uint32_t empty;   // the empty row
    uint32_t *inside; // [tiles] pairs inside the tile that do not touch
    void **block;     // memory of the rows
    size_t blocks;
    bool crowded; // some grain may have SCREE_CONTACTS_CROWDED neighbours or more
};

// The first word of a row: its length, and the number of its touching pairs, or SCREE_ROWS_MANY if there are
// at least that many.
enum { SCREE_ROWS_MANY = 31 };

static inline uint32_t scree_rows_header(size_t length, size_t touching)
{
    return (uint32_t)length << 5 | (uint32_t)(touching < SCREE_ROWS_MANY ? touching : SCREE_ROWS_MANY);
}

static inline size_t scree_rows_length(const uint32_t *row)
{
    return *row >> 5;
}

static inline size_t scree_rows_touching(const uint32_t *row)
{
    return *row & SCREE_ROWS_MANY;
}

// Address of a row: the first word, then its entries, see scree_pair_test_search.
static inline uint32_t *scree_rows_row(const struct scree_rows *rows, size_t slot)
{
    const uint32_t offset = rows->offset[slot], page_size = UINT32_C(1) << SCREE_ROWS_PAGE_BITS;
    return rows->page[offset >> SCREE_ROWS_PAGE_BITS] + (offset & (page_size - 1));
}

// Prefetches a later row: rows are stored in the order of the search, not of slots.
static inline void scree_rows_prefetch(const struct scree_rows *rows, size_t slot)
{
    enum { AHEAD = 64 };
    if (slot + AHEAD < rows->grains)
        __builtin_prefetch(scree_rows_row(rows, slot + AHEAD));
}

SCREE_NODISCARD scree_status scree_rows_build(struct scree_rows *rows,
                                              const struct scree_candidates_input *input);
void scree_rows_free(struct scree_rows *rows);

#endif
