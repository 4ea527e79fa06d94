// Groups of rows, see row_groups.h.

#include "detect/row_groups.h"

#include "base/memory.h"

#include <string.h>

enum { TILE = SCREE_CONTACTS_TILE, LANES = SCREE_ROW_GROUPS_LANES, MAX_DEPTH = SCREE_ROW_GROUPS_MAX_DEPTH };

scree_status scree_row_groups_begin(struct scree_row_groups *groups, size_t classes)
{
    *groups = (struct scree_row_groups){.classes = classes > 0 ? classes : 1};
    const size_t all = groups->classes * TILE;
    SCREE_TRY(scree_memory_new(all, sizeof *groups->count, (void **)&groups->count));
    SCREE_TRY(scree_memory_new(all, sizeof *groups->next, (void **)&groups->next));
    SCREE_TRY(scree_memory_new(all, sizeof *groups->owner, (void **)&groups->owner));
    return scree_memory_new(all / LANES, sizeof *groups->depth, (void **)&groups->depth);
}

void scree_row_groups_end(struct scree_row_groups *groups)
{
    void *const blocks[] = {groups->count, groups->next, groups->owner, groups->depth};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
    *groups = (struct scree_row_groups){0};
}

// Counts the touching pairs of a row by class. After MAX_DEPTH pairs of a class the others are marked as not
// touching, so that they go into lists. Returns the number of pairs inside the tile that go into lists.
static size_t count_row(struct scree_row_groups *groups, const struct scree_candidates_input *input,
                        uint32_t i, uint32_t *row, size_t *touching)
{
    uint32_t *entry = row + 1;
    const size_t length = scree_rows_length(row);
    size_t inside = 0, touch = 0;
    for (size_t n = 0; n < length; ++n) {
        uint8_t *count = &groups->count[scree_row_groups_class(input, i, entry[n] >> 2) * TILE + i % TILE];
        const bool touches = (entry[n] & SCREE_PAIR_TEST_TOUCHES) && *count < MAX_DEPTH;
        *count = (uint8_t)(*count + touches);
        touch += touches;
        inside += !touches && (entry[n] & SCREE_PAIR_TEST_INSIDE);
        entry[n] = touches ? entry[n] : entry[n] & ~(uint32_t)SCREE_PAIR_TEST_TOUCHES;
    }
    // do not write the empty row, which all threads share
    if (length > 0)
        *row = scree_rows_header(length, touch);
    *touching += touch;
    return inside;
}

// Counts the rows of a tile by class; returns the number of pairs in rows. All others go into lists.
static size_t count_pairs(struct scree_row_groups *groups, const struct scree_rows *rows,
                          const struct scree_candidates_input *input, size_t tile, size_t end)
{
    size_t touching = 0, all = 0, longest = 0;
    memset(groups->count, 0, groups->classes * TILE);
    for (size_t i = tile * TILE; i < end; ++i) {
        const uint32_t *row = scree_rows_row(rows, i);
        const size_t touch = scree_rows_touching(row);
        scree_rows_prefetch(rows, i);
        groups->count[i % TILE] = (uint8_t)touch;
        longest = touch > longest ? touch : longest;
        touching += touch;
        all += scree_rows_length(row);
    }
    groups->inside = rows->inside[tile];
    if (groups->classes > 1 || longest > MAX_DEPTH) {
        touching = groups->inside = 0;
        memset(groups->count, 0, TILE);
        for (size_t i = tile * TILE; i < end; ++i)
            groups->inside += count_row(groups, input, (uint32_t)i, scree_rows_row(rows, i), &touching);
    }
    groups->across = all - touching - groups->inside;
    groups->real = all;
    return touching;
}

// Puts all pairs of a tile into lists.
static void put_all_into_lists(struct scree_row_groups *groups, const struct scree_rows *rows, size_t first,
                               size_t end)
{
    groups->inside = groups->across = 0;
    for (size_t i = first; i < end; ++i) {
        uint32_t *row = scree_rows_row(rows, i);
        const size_t length = scree_rows_length(row);
        for (size_t n = 1; n <= length; ++n) {
            row[n] &= ~(uint32_t)SCREE_PAIR_TEST_TOUCHES;
            groups->inside += (row[n] & SCREE_PAIR_TEST_INSIDE) != 0;
            groups->across += (row[n] & SCREE_PAIR_TEST_INSIDE) == 0;
        }
    }
}

// Sorts grains by the lengths of their rows, longest first; returns the number of rows.
static size_t sort_rows(const uint8_t *count, uint16_t *sorted)
{
    size_t first[MAX_DEPTH + 2] = {0};
    for (size_t i = 0; i < TILE; ++i)
        ++first[MAX_DEPTH - count[i] + 1];
    for (size_t k = 0; k < MAX_DEPTH; ++k)
        first[k + 1] += first[k];
    const size_t all = first[MAX_DEPTH];
    for (size_t i = 0; i < TILE; ++i)
        if (count[i] > 0)
            sorted[first[MAX_DEPTH - count[i]]++] = (uint16_t)i;
    return all;
}

void scree_row_groups_make(struct scree_row_groups *groups, const struct scree_rows *rows,
                           const struct scree_candidates_input *input, size_t tile)
{
    uint16_t sorted[TILE];
    const size_t first = tile * TILE, end = first + TILE < rows->grains ? first + TILE : rows->grains;
    groups->groups = groups->candidates = 0;
    const size_t touching = count_pairs(groups, rows, input, tile, end);
    if ((double)touching < input->min_touching_per_grain * (double)(end - first)) {
        put_all_into_lists(groups, rows, first, end);
        return;
    }
    for (size_t class = 0; class < groups->classes; ++class) {
        const uint8_t *count = groups->count + class * TILE;
        const size_t all = sort_rows(count, sorted);
        for (size_t at = 0; at < all; at += LANES) {
            const uint8_t depth = count[sorted[at]];
            for (size_t l = 0; l < LANES; ++l) {
                const size_t i = sorted[at + l < all ? at + l : all - 1];
                groups->owner[groups->groups * LANES + l] = (uint32_t)(tile * TILE + i);
                if (at + l < all)
                    groups->next[class * TILE + i] = (uint32_t)(groups->candidates + l);
            }
            groups->depth[groups->groups++] = depth;
            groups->candidates += LANES * (size_t)depth;
        }
    }
}
