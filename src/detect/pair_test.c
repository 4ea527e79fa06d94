// Gathering the grains around a box, and testing pairs; see pair_test.h.

#include "detect/pair_test.h"

#include "base/array.h"
#include "detect/rows.h"

#include <math.h>
#include <string.h>

enum { BATCH = 8 };

static const double infinity = (double)INFINITY;

_Static_assert(1 << SCREE_PAIR_TEST_TILE == SCREE_CONTACTS_TILE,
               "SCREE_PAIR_TEST_TILE does not match the size of a tile");

#define SCREE_KERNEL_BODY "detect/pair_test.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

const struct scree_pair_test_set scree_pair_test_sets[SCREE_KERNEL_SETS] = {
    {{{scree_kernel_search_v2, scree_kernel_search_wrapping_v2},
      {scree_kernel_search_skewed_v2, scree_kernel_search_skewed_wrapping_v2}}},
#if SCREE_WIDE_SETS
    {{{scree_kernel_search_v3, scree_kernel_search_wrapping_v3},
      {scree_kernel_search_skewed_v3, scree_kernel_search_skewed_wrapping_v3}}},
    {{{scree_kernel_search_v4, scree_kernel_search_wrapping_v4},
      {scree_kernel_search_skewed_v4, scree_kernel_search_skewed_wrapping_v4}}},
#endif
};

// --- gathering

static scree_status reserve(struct scree_pair_test_list *list, size_t wanted)
{
    // one block for six columns
    size_t rows = list->capacity ? list->capacity : 256;
    while (rows < wanted)
        rows *= 2;
    double *fresh;
    SCREE_TRY(scree_memory_new(rows, 6 * sizeof(double), (void **)&fresh));
    double *const column[5] = {list->x, list->y, list->z, list->radius, list->range};
    for (size_t k = 0; k < 5 && list->count > 0; ++k)
        memcpy(fresh + k * rows, column[k], list->count * sizeof(double));
    if (list->count > 0)
        memcpy(fresh + 5 * rows, list->tag, list->count * sizeof *list->tag);
    scree_memory_free(list->x);
    list->x = fresh;
    list->y = fresh + rows;
    list->z = fresh + 2 * rows;
    list->radius = fresh + 3 * rows;
    list->range = fresh + 4 * rows;
    list->tag = (int64_t *)(void *)(fresh + 5 * rows);
    list->capacity = rows;
    return SCREE_OK;
}

// Adds grains with tags above list->above. There is no branch, because the processor could not predict it:
// about half of the grains are skipped.
static scree_status add(struct scree_pair_test_list *list, const struct scree_grid *grid, uint32_t first,
                        uint32_t last)
{
    if (list->capacity < list->count + (last - first) + 2 * BATCH)
        SCREE_TRY(reserve(list, list->count + (last - first) + 2 * BATCH));
    double *const restrict x = list->x, *const restrict y = list->y, *const restrict z = list->z;
    double *const restrict radius = list->radius, *const restrict range = list->range;
    int64_t *const restrict tag = list->tag;
    const int64_t above = list->above;
    size_t at = list->count;
    for (uint32_t p = first; p < last; ++p) {
        x[at] = grid->x[p];
        y[at] = grid->y[p];
        z[at] = grid->z[p];
        radius[at] = grid->radius[p];
        range[at] = grid->range[p];
        tag[at] = grid->tag[p];
        at += grid->tag[p] > above;
    }
    list->count = at;
    list->tested += last - first;
    return SCREE_OK;
}

// a range of cells along an axis
struct span {
    int64_t first, count;
};

static struct span span_around(const struct scree_grid_axis *axis, double low, double high, double range,
                               double *period)
{
    // slightly wider, for round-off in the test of distances
    const double wide = range * (1 + 0x1p-20);
    int64_t a = scree_grid_along(axis, low - wide - 0x1p-50 * fabs(low));
    int64_t b = scree_grid_along(axis, high + wide + 0x1p-50 * fabs(high));
    if (a < 0 || b >= axis->cells)
        *period = axis->period;
    if (!axis->folds) {
        a = a < 0 ? 0 : a;
        b = b < axis->cells ? b : axis->cells - 1;
    }
    const int64_t cells = b - a + 1;
    return (struct span){scree_grid_fold(axis, a), cells < axis->cells ? cells : axis->cells};
}

// adds the grains of a row of cells along x; the cells are consecutive, except where the axis folds
static scree_status add_row(struct scree_pair_test_list *list, const struct scree_grid *grid,
                            const struct scree_grid_level *level, struct span span, int64_t y, int64_t z)
{
    const uint32_t *start = scree_grid_row(grid, level, y, z);
    const int64_t end = span.first + span.count, beyond = end - level->axis[0].cells;
    if (beyond <= 0)
        return add(list, grid, start[span.first], start[end]);
    SCREE_TRY(add(list, grid, start[span.first], start[level->axis[0].cells]));
    return add(list, grid, start[0], start[beyond]);
}

scree_status scree_pair_test_gather(struct scree_pair_test_list *list, const struct scree_grid *grid,
                                    const struct scree_grid_level *level,
                                    const struct scree_pair_test_box *box)
{
    struct span span[3];
    for (int k = 0; k < 3; ++k) {
        span[k] = span_around(&level->axis[k], box->low[k], box->high[k], box->range + level->range,
                              &list->period[k]);
        list->wraps |= list->period[k] < infinity;
    }
    int64_t z = span[2].first;
    for (int64_t nz = 0; nz < span[2].count; ++nz) {
        int64_t y = span[1].first;
        for (int64_t ny = 0; ny < span[1].count; ++ny) {
            SCREE_TRY(add_row(list, grid, level, span[0], y, z));
            y = y + 1 < level->axis[1].cells ? y + 1 : 0;
        }
        z = z + 1 < level->axis[2].cells ? z + 1 : 0;
    }
    return SCREE_OK;
}

void scree_pair_test_begin(struct scree_pair_test_list *list, const struct scree_grid *grid, int64_t above)
{
    if (grid->skew)
        memcpy(list->from, grid->skew->from, sizeof list->from);
    list->count = list->tested = 0;
    list->above = above;
    list->wraps = false;
    for (int k = 0; k < 3; ++k)
        list->period[k] = infinity;
}

// add() always leaves space for padding
void scree_pair_test_end(struct scree_pair_test_list *list)
{
    for (; list->count % BATCH != 0; ++list->count) {
        list->x[list->count] = infinity;
        list->y[list->count] = list->z[list->count] = 0;
        list->radius[list->count] = list->range[list->count] = 0;
    }
}

void scree_pair_test_free(struct scree_pair_test_list *list)
{
    scree_memory_free(list->x);
    *list = (struct scree_pair_test_list){0};
}
