// Rows side by side, see row_groups.h.

#include "detect/row_groups.h"

#include "base/memory.h"

#include <string.h>

enum {
    TILE = SCREE_CONTACTS_TILE,
    LANES = SCREE_ROW_GROUPS_LANES,
    DEEPEST = SCREE_ROW_GROUPS_DEEPEST,
    MASKED = SCREE_ROW_GROUPS_ASKED
};

scree_status scree_row_groups_begin(struct scree_row_groups *groups, size_t classes)
{
    *groups = (struct scree_row_groups){.classes = classes > 0 ? classes : 1};
    const size_t all = groups->classes * TILE;
    SCREE_TRY(scree_memory_new(all, sizeof *groups->count, (void **)&groups->count));
    SCREE_TRY(scree_memory_new(all, sizeof *groups->place, (void **)&groups->place));
    SCREE_TRY(scree_memory_new(all, sizeof *groups->owner, (void **)&groups->owner));
    return scree_memory_new(all / LANES, sizeof *groups->depth, (void **)&groups->depth);
}

void scree_row_groups_end(struct scree_row_groups *groups)
{
    void *const blocks[] = {groups->count, groups->place, groups->owner, groups->depth};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
    *groups = (struct scree_row_groups){0};
}

static bool touch_now(const struct scree_candidates_input *input, uint32_t i, uint32_t j)
{
    const struct scree_grain *a = &input->grain[i], *b = &input->grain[j];
    const double size = a->radius + b->radius;
    double square = 0;
    for (int k = 0; k < input->dimension; ++k) {
        const double d = scree_kernel_nearest(a->position[k] - b->position[k], input->period[k]);
        square += d * d;
    }
    return square < size * size;
}

uint32_t scree_row_groups_touching(const struct scree_rows *rows, const struct scree_candidates_input *input,
                                   uint32_t slot)
{
    const uint32_t *row = rows->row[slot];
    const size_t all = rows->first[slot + 1] - rows->first[slot], count = all < MASKED ? all : MASKED;
    uint32_t bits = 0;
    for (size_t n = 0; n < count; ++n) {
        const uint32_t other = row[n] >> 2;
        if (other > slot && touch_now(input, slot, other))
            bits |= UINT32_C(1) << n;
    }
    return bits;
}

// The lengths of the rows of a tile by class.
static void count_pairs(struct scree_row_groups *groups, const struct scree_rows *rows,
                        const struct scree_candidates_input *input, size_t tile, uint32_t *touch)
{
    memset(groups->count, 0, groups->classes * TILE);
    groups->inside = groups->across = 0;
    for (uint32_t i = (uint32_t)(tile * TILE); i < (tile + 1) * TILE && i < rows->grains; ++i)
        for (uint32_t left = touch[i]; left; left &= left - 1) {
            const unsigned n = (unsigned)__builtin_ctz(left);
            const uint32_t entry = rows->row[i][n];
            uint8_t *count = &groups->count[scree_row_groups_class(input, i, entry >> 2) * TILE + i % TILE];
            if (*count == DEEPEST) {
                touch[i] &= ~(UINT32_C(1) << n);
                continue;
            }
            ++*count;
            groups->inside += (entry & SCREE_ROWS_INSIDE) != 0;
            groups->across += (entry & SCREE_ROWS_INSIDE) == 0;
        }
}

// Grains by the lengths of their rows, the longest first; returns how many have any.
static size_t sort_rows(const uint8_t *count, uint16_t *sorted)
{
    size_t first[DEEPEST + 2] = {0};
    for (size_t i = 0; i < TILE; ++i)
        ++first[DEEPEST - count[i] + 1];
    for (size_t k = 0; k < DEEPEST; ++k)
        first[k + 1] += first[k];
    const size_t all = first[DEEPEST];
    for (size_t i = 0; i < TILE; ++i)
        if (count[i] > 0)
            sorted[first[DEEPEST - count[i]]++] = (uint16_t)i;
    return all;
}

void scree_row_groups_lay(struct scree_row_groups *groups, const struct scree_rows *rows,
                          const struct scree_candidates_input *input, size_t tile, uint32_t *touch)
{
    uint16_t sorted[TILE];
    const size_t first = tile * TILE, end = first + TILE < rows->grains ? first + TILE : rows->grains;
    count_pairs(groups, rows, input, tile, touch);
    groups->groups = groups->candidates = 0;
    if ((double)(groups->inside + groups->across) < input->rows_from * (double)(end - first)) {
        memset(touch + first, 0, (end - first) * sizeof *touch);
        groups->inside = groups->across = 0;
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
                    groups->place[class * TILE + i] = (uint32_t)(groups->candidates + l);
            }
            groups->depth[groups->groups++] = depth;
            groups->candidates += LANES * (size_t)depth;
        }
    }
}
