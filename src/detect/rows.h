// Who is near whom: for every grain those in higher slots, as the searches of many threads found them.
//
// What always holds: a pair is in the row of its grain in the lower slot alone. The order within a row
// follows from slots and places. A row lies in one piece somewhere in the blocks that the threads filled,
// which are made of pages that are numbered; its length comes first.

#ifndef SCREE_DETECT_ROWS_H
#define SCREE_DETECT_ROWS_H

#include "detect/candidates.h"
#include "detect/pair_test.h"

enum { SCREE_ROWS_PAGE = 12 /* bits of a place in its page */ };

struct scree_rows {
    size_t grains, tiles;
    uint32_t *at;    // [grains] page and place in it; 0 for an empty row
    uint32_t **page; // where each begins; the first is no part of a block, and holds the empty row
    uint32_t nothing;
    uint32_t *inside; // [tiles] pairs inside the tile that do not touch
    void **block;     // where the rows are
    size_t blocks;
    bool crowds; // some grain may have SCREE_CONTACTS_CROWD neighbours or more
};

// The first word of a row: its length, and how many of its pairs touch, or SCREE_ROWS_MANY where these are as
// many or more.
enum { SCREE_ROWS_MANY = 31 };

static inline uint32_t scree_rows_word(size_t length, size_t touching)
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

// The word of a row, and behind it its entries, see scree_pair_test_search.
static inline uint32_t *scree_rows_row(const struct scree_rows *rows, size_t slot)
{
    const uint32_t at = rows->at[slot], places = UINT32_C(1) << SCREE_ROWS_PAGE;
    return rows->page[at >> SCREE_ROWS_PAGE] + (at & (places - 1));
}

// Asks for a row to come: they lie in the order in which they were found, which no processor foresees.
static inline void scree_rows_ahead(const struct scree_rows *rows, size_t slot)
{
    enum { AHEAD = 64 };
    if (slot + AHEAD < rows->grains)
        __builtin_prefetch(scree_rows_row(rows, slot + AHEAD));
}

SCREE_NODISCARD scree_status scree_rows_build(struct scree_rows *rows,
                                              const struct scree_candidates_input *input);
void scree_rows_free(struct scree_rows *rows);

#endif
