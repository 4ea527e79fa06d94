// Rows of neighbours, see rows.h. Grains of one level search for those in higher slots. Between levels the
// smaller grain finds the larger; if the larger has the lower slot, the pair is added to its row afterwards.
// Grains of a few neighbouring cells share one list of grains around them.

#include "detect/rows.h"

#include "base/array.h"
#include "base/processor.h"
#include "base/sort.h"
#include "detect/crowd.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum {
    TILE = SCREE_CONTACTS_TILE,
    PAGE = 1 << SCREE_ROWS_PAGE_BITS,
    MAX_PAGES = 1 << (32 - SCREE_ROWS_PAGE_BITS),
    // large worlds use blocks that are returned to the system when freed
    LARGE_BLOCK = 1 << 20
};

static const double infinity = (double)INFINITY;

// a neighbour to be added to the row of a larger grain
struct deferred {
    uint32_t grain, entry;
};

struct found {
    uint32_t *data;
    size_t capacity;
    struct scree_pair_test_count count;
};

struct block {
    uint32_t *data;
    uint32_t first; // number of the first page
    size_t pages;
};

// working memory and results of a thread
struct scratch {
    struct found found;
    struct scree_pair_test_list larger, same_level; // grains around the current block
    SCREE_ARRAY(struct deferred) deferred;
    SCREE_ARRAY(struct block) block;
    uint32_t *next;  // free memory in the last block
    uint32_t offset; // as in scree_rows.offset
    size_t free_words;
    uint32_t *inside; // [tiles]
    bool crowded;
    scree_status status;
};

struct task {
    const struct scree_candidates_input *input;
    struct scree_rows *rows;
    struct scree_grid grid;
    const struct scree_pair_test_set *test;
    struct scratch *scratch;
    int threads;
    bool no_exclusions; // no pair is excluded: by materials, as grains of one body, or by bonds
    _Atomic uint32_t *pages;
    size_t block_pages;
    // deferred entries sorted by grain, and the first of each grain
    uint32_t *deferred_first;
    uint64_t *deferred;
};

// --- searching

// Checks whether all materials in use interact with each other, so that no pair has to be excluded.
static scree_status find_excluded(struct task *task)
{
    const struct scree_candidates_input *input = task->input;
    bool *used;
    SCREE_TRY(scree_memory_new(input->materials, sizeof *used, (void **)&used));
    for (size_t i = 0; i < input->count; ++i)
        if (task->grid.material[i] != 0)
            used[task->grid.material[i]] = true;
    task->no_exclusions = true;
    for (size_t a = 0; a < input->materials; ++a)
        for (size_t b = 0; b <= a && used[a]; ++b)
            if (used[b] && input->class_of[a * input->materials + b] == SCREE_CONTACTS_NO_CLASS)
                task->no_exclusions = false;
    scree_memory_free(used);
    task->no_exclusions = task->no_exclusions && !input->carried && !input->excluded.first;
    return SCREE_OK;
}

static scree_status too_many(void)
{
    return scree_status_fail(SCREE_ERROR_LIMIT, "too many pairs of neighbouring grains: more than %lu",
                             (unsigned long)UINT32_MAX);
}

// allocates another block of pages
static scree_status reserve_pages(const struct task *task, struct scratch *scratch, size_t wanted)
{
    const size_t least = (wanted + PAGE - 1) / PAGE;
    const size_t pages = least > task->block_pages ? least : task->block_pages;
    struct block block = {.pages = pages};
    if (pages > MAX_PAGES)
        return too_many();
    if (scratch->block.count == scratch->block.capacity)
        SCREE_TRY(scree_array_reserve(&scratch->block, scratch->block.count + 1));
    // the counter cannot overflow: after a failure the other threads add few pages
    block.first = atomic_fetch_add_explicit(task->pages, (uint32_t)pages, memory_order_relaxed);
    if (block.first + pages > MAX_PAGES)
        return too_many();
    SCREE_TRY(scree_memory_new(pages * PAGE, sizeof *block.data, (void **)&block.data));
    scratch->block.data[scratch->block.count++] = block;
    scratch->next = block.data;
    scratch->offset = block.first << SCREE_ROWS_PAGE_BITS;
    scratch->free_words = pages * PAGE;
    return SCREE_OK;
}

// reserves a row of `count` entries
static scree_status reserve_row(const struct task *task, struct scratch *scratch, size_t count, uint32_t slot,
                                uint32_t **row)
{
    // the length has 27 bits
    if (count >= UINT32_C(1) << 27)
        return too_many();
    if (scratch->free_words < count + 1)
        SCREE_TRY(reserve_pages(task, scratch, count + 1));
    task->rows->offset[slot] = scratch->offset;
    *row = scratch->next;
    scratch->next += count + 1;
    scratch->offset += (uint32_t)(count + 1);
    scratch->free_words -= count + 1;
    return SCREE_OK;
}

static scree_status store_row(const struct task *task, struct scratch *scratch, uint32_t slot)
{
    const struct scree_pair_test_count count = scratch->found.count;
    uint32_t *row;
    if (count.all == 0)
        return SCREE_OK;
    SCREE_TRY(reserve_row(task, scratch, count.all, slot, &row));
    *row = scree_rows_header(count.all, count.touching);
    memcpy(row + 1, scratch->found.data, count.all * sizeof *row);
    scratch->inside[slot / TILE] += (uint32_t)count.inside;
    return SCREE_OK;
}

static void count_one(struct scree_pair_test_count *count, uint32_t entry)
{
    const bool touches = entry & SCREE_PAIR_TEST_TOUCHES;
    ++count->all;
    count->touching += touches;
    count->inside += !touches && (entry & SCREE_PAIR_TEST_INSIDE);
}

static void drop_excluded(const struct task *task, uint32_t slot, struct found *found)
{
    const struct scree_candidates_input *input = task->input;
    const uint16_t *material = task->grid.material;
    const uint8_t *class_of = input->class_of + material[slot] * input->materials;
    const size_t all = found->count.all;
    found->count = (struct scree_pair_test_count){0};
    for (size_t n = 0; n < all; ++n) {
        const uint32_t entry = found->data[n];
        found->data[found->count.all] = entry;
        const bool one_body = input->carried && input->id[slot] == input->id[entry >> 2];
        const bool excluded = scree_exclusions_contain(&input->excluded, slot, entry >> 2);
        if (class_of[material[entry >> 2]] != SCREE_CONTACTS_NO_CLASS && !one_body && !excluded)
            count_one(&found->count, entry);
    }
}

static scree_status search_list(const struct task *task, struct scratch *scratch,
                                const struct scree_pair_test_grain *one,
                                const struct scree_pair_test_list *list)
{
    struct found *found = &scratch->found;
    const size_t max = found->count.all + list->count;
    if (found->capacity < max)
        SCREE_TRY(scree_array_grow(&found->data, &found->capacity, max, sizeof *found->data));
    scree_pair_test_search *search = task->test->search[task->grid.skew != NULL][list->wraps];
    const struct scree_pair_test_count added = search(list, one, found->data + found->count.all);
    found->count.all += added.all;
    found->count.touching += added.touching;
    found->count.inside += added.inside;
    return SCREE_OK;
}

// Larger grains do not search for smaller ones: defers the pairs that belong to their rows.
static scree_status defer_to_larger(struct scratch *scratch, uint32_t slot)
{
    struct found *found = &scratch->found;
    const size_t all = found->count.all;
    // the smaller grains around a larger one are not counted, so it may be crowded
    scratch->crowded |= all > 0;
    found->count = (struct scree_pair_test_count){0};
    for (size_t n = 0; n < all; ++n) {
        const uint32_t entry = found->data[n];
        found->data[found->count.all] = entry;
        if (entry >> 2 > slot) {
            count_one(&found->count, entry);
            continue;
        }
        if (scratch->deferred.count == scratch->deferred.capacity)
            SCREE_TRY(scree_array_reserve(&scratch->deferred, scratch->deferred.count + 1));
        scratch->deferred.data[scratch->deferred.count++] =
            (struct deferred){entry >> 2, slot << 2 | (entry & 3)};
    }
    return SCREE_OK;
}

static scree_status find_row(const struct task *task, struct scratch *scratch, uint32_t index)
{
    const struct scree_grid *grid = &task->grid;
    const uint32_t tag = grid->tag[index], slot = scree_grid_slot(tag);
    struct scree_pair_test_grain one = {.x = grid->x[index],
                                        .y = grid->y[index],
                                        .z = grid->z[index],
                                        .radius = grid->radius[index],
                                        .range = grid->range[index],
                                        .tag = tag,
                                        .above = -1};
    scratch->found.count = (struct scree_pair_test_count){0};
    if (scratch->larger.count > 0) {
        SCREE_TRY(search_list(task, scratch, &one, &scratch->larger));
        if (!task->no_exclusions)
            drop_excluded(task, slot, &scratch->found);
        SCREE_TRY(defer_to_larger(scratch, slot));
    }
    one.above = tag | 3;
    SCREE_TRY(search_list(task, scratch, &one, &scratch->same_level));
    if (!task->no_exclusions)
        drop_excluded(task, slot, &scratch->found);
    return store_row(task, scratch, slot);
}

// --- blocks of cells

// indices of the grains of a block of cells
struct group {
    uint32_t first[16], last[16];
    int runs;
};

static struct scree_pair_test_box box_around(const struct scree_grid *grid, const struct group *group)
{
    struct scree_pair_test_box box = {.low = {infinity, infinity, infinity},
                                      .high = {-infinity, -infinity, -infinity}};
    for (int r = 0; r < group->runs; ++r) {
        for (uint32_t p = group->first[r]; p < group->last[r]; ++p) {
            const double x[3] = {grid->x[p], grid->y[p], grid->z[p]};
            for (int k = 0; k < 3; ++k) {
                box.low[k] = x[k] < box.low[k] ? x[k] : box.low[k];
                box.high[k] = x[k] > box.high[k] ? x[k] : box.high[k];
            }
            box.range = grid->range[p] > box.range ? grid->range[p] : box.range;
        }
    }
    return box;
}

// Lowest tag of a group.
static uint32_t lowest_of(const struct scree_grid *grid, const struct group *group)
{
    uint32_t lowest = UINT32_MAX;
    for (int r = 0; r < group->runs; ++r)
        for (uint32_t p = group->first[r]; p < group->last[r]; ++p)
            lowest = grid->tag[p] < lowest ? grid->tag[p] : lowest;
    return lowest;
}

static scree_status search_around(const struct task *task, struct scratch *scratch, int level,
                                  const struct group *group, const struct scree_pair_test_box *box)
{
    const struct scree_grid *grid = &task->grid;
    scree_pair_test_begin(&scratch->larger, grid, -1);
    for (int l = 0; l < level; ++l)
        SCREE_TRY(scree_pair_test_gather(&scratch->larger, grid, &grid->level[l], box));
    scree_pair_test_end(&scratch->larger);
    scree_pair_test_begin(&scratch->same_level, grid, lowest_of(grid, group) | 3);
    SCREE_TRY(scree_pair_test_gather(&scratch->same_level, grid, &grid->level[level], box));
    scree_pair_test_end(&scratch->same_level);
    scratch->crowded |= scratch->larger.tested + scratch->same_level.tested >= SCREE_CONTACTS_CROWDED;
    for (int r = 0; r < group->runs; ++r)
        for (uint32_t p = group->first[r]; p < group->last[r]; ++p)
            SCREE_TRY(find_row(task, scratch, p));
    return SCREE_OK;
}

static scree_status search_group(const struct task *task, struct scratch *scratch, int number,
                                 const struct group *group)
{
    const struct scree_grid *grid = &task->grid;
    const struct scree_grid_level *level = &grid->level[number];
    struct scree_pair_test_box box = box_around(grid, group);
    bool wide = false;
    for (int k = 0; k < 3; ++k)
        wide |= (box.high[k] - box.low[k]) * level->axis[k].inverse > (double)(2 * level->block[k]);
    if (!wide)
        return search_around(task, scratch, number, group, &box);
    // with folded space the grains of a block may be far apart: search around each
    for (int r = 0; r < group->runs; ++r) {
        for (uint32_t p = group->first[r]; p < group->last[r]; ++p) {
            const struct group one = {.first = {p}, .last = {p + 1}, .runs = 1};
            box = box_around(grid, &one);
            SCREE_TRY(search_around(task, scratch, number, &one, &box));
        }
    }
    return SCREE_OK;
}

// the blocks of a row in x; rows are numbered along y, then z
static scree_status search_row(const struct task *task, struct scratch *scratch, int number, int64_t row)
{
    const struct scree_grid *grid = &task->grid;
    const struct scree_grid_level *level = &grid->level[number];
    const int64_t *block = level->block;
    const int64_t rows = (level->axis[1].cells + block[1] - 1) / block[1];
    const int64_t y = row % rows * block[1], z = row / rows * block[2];
    for (int64_t x = 0; x < level->axis[0].cells; x += block[0]) {
        const int64_t end = x + block[0] < level->axis[0].cells ? x + block[0] : level->axis[0].cells;
        struct group group = {.runs = 0};
        for (int64_t nz = z; nz < z + block[2] && nz < level->axis[2].cells; ++nz) {
            for (int64_t ny = y; ny < y + block[1] && ny < level->axis[1].cells; ++ny) {
                const uint32_t *start = scree_grid_row(grid, level, ny, nz);
                group.first[group.runs] = start[x];
                group.last[group.runs] = start[end];
                group.runs += start[x] < start[end];
            }
        }
        if (group.runs > 0)
            SCREE_TRY(search_group(task, scratch, number, &group));
    }
    return SCREE_OK;
}

static int64_t rows_of(const struct scree_grid_level *level)
{
    return ((level->axis[1].cells + level->block[1] - 1) / level->block[1]) *
           ((level->axis[2].cells + level->block[2] - 1) / level->block[2]);
}

static size_t rows_of_all(const struct scree_grid *grid)
{
    int64_t rows = 0;
    for (int l = 0; l < grid->levels; ++l)
        rows += rows_of(&grid->level[l]);
    return (size_t)rows;
}

// rows of blocks are numbered through all levels
static void search_rows(void *context, size_t first, size_t last, int thread)
{
    const struct task *task = context;
    struct scratch *scratch = &task->scratch[thread];
    size_t before = 0;
    for (int l = 0; l < task->grid.levels; ++l) {
        const size_t rows = (size_t)rows_of(&task->grid.level[l]);
        for (size_t row = first > before ? first - before : 0;
             row < rows && before + row < last && scratch->status == SCREE_OK; ++row)
            scratch->status = search_row(task, scratch, l, (int64_t)row);
        before += rows;
    }
}

// --- completing the rows of larger grains

static scree_status sort_deferred(struct task *task, size_t total)
{
    const size_t grains = task->rows->grains;
    SCREE_TRY(scree_memory_new(grains + 2, sizeof *task->deferred_first, (void **)&task->deferred_first));
    SCREE_TRY(scree_memory_new(total, sizeof *task->deferred, (void **)&task->deferred));
    uint32_t *next = task->deferred_first + 1;
    for (int t = 0; t < task->threads; ++t)
        for (size_t n = 0; n < task->scratch[t].deferred.count; ++n)
            ++next[task->scratch[t].deferred.data[n].grain + 1];
    for (size_t i = 0; i < grains; ++i)
        next[i + 1] += next[i];
    for (int t = 0; t < task->threads; ++t) {
        for (size_t n = 0; n < task->scratch[t].deferred.count; ++n) {
            const struct deferred *deferred = &task->scratch[t].deferred.data[n];
            task->deferred[next[deferred->grain]++] = deferred->entry;
        }
        scree_array_free(&task->scratch[t].deferred);
    }
    return SCREE_OK;
}

static scree_status complete_row(const struct task *task, struct scratch *scratch, size_t slot)
{
    uint64_t *deferred = task->deferred + task->deferred_first[slot];
    const size_t added = task->deferred_first[slot + 1] - task->deferred_first[slot];
    const uint32_t *old = scree_rows_row(task->rows, slot);
    const size_t length = scree_rows_length(old);
    struct scree_pair_test_count count = {length, scree_rows_touching(old), 0};
    uint32_t *row;
    // sort, because threads append in any order
    scree_sort_in_place(deferred, added);
    SCREE_TRY(reserve_row(task, scratch, length + added, (uint32_t)slot, &row));
    if (length > 0)
        memcpy(row + 1, old + 1, length * sizeof *row);
    for (size_t n = 0; n < added; ++n) {
        row[1 + length + n] = (uint32_t)deferred[n];
        count_one(&count, (uint32_t)deferred[n]);
    }
    *row = scree_rows_header(count.all, count.touching);
    scratch->inside[slot / TILE] += (uint32_t)count.inside;
    return SCREE_OK;
}

static void complete_rows(void *context, size_t first, size_t last, int thread)
{
    const struct task *task = context;
    struct scratch *scratch = &task->scratch[thread];
    for (size_t i = first; i < last && scratch->status == SCREE_OK; ++i)
        if (task->deferred_first[i] < task->deferred_first[i + 1])
            scratch->status = complete_row(task, scratch, i);
}

// --- building

// sets the message again, because each thread has its own
static scree_status status_of(const struct task *task)
{
    for (int t = 0; t < task->threads; ++t)
        if (task->scratch[t].status != SCREE_OK)
            return scree_status_fail(task->scratch[t].status,
                                     "not enough memory for the neighbour lists of %zu grains",
                                     task->rows->grains);
    return SCREE_OK;
}

static scree_status make_scratch(struct task *task)
{
    SCREE_TRY(scree_memory_new((size_t)task->threads, sizeof *task->scratch, (void **)&task->scratch));
    const size_t share = task->rows->grains / (size_t)task->threads;
    for (int t = 0; t < task->threads; ++t)
        SCREE_TRY(scree_memory_new(task->rows->tiles, sizeof *task->scratch[t].inside,
                                   (void **)&task->scratch[t].inside));
    const size_t entries = 2 * share < LARGE_BLOCK ? 2 * share : LARGE_BLOCK;
    task->block_pages = entries / PAGE + (entries < PAGE);
    return SCREE_OK;
}

// Sets the addresses of the pages of all blocks.
static scree_status number_pages(const struct task *task)
{
    struct scree_rows *rows = task->rows;
    scree_memory_free(rows->page);
    SCREE_TRY(scree_memory_new(*task->pages, sizeof *rows->page, (void **)&rows->page));
    rows->page[0] = &rows->empty;
    for (int t = 0; t < task->threads; ++t)
        for (size_t b = 0; b < task->scratch[t].block.count; ++b) {
            const struct block *block = &task->scratch[t].block.data[b];
            for (size_t p = 0; p < block->pages; ++p)
                rows->page[block->first + p] = block->data + p * PAGE;
        }
    return SCREE_OK;
}

// merges the results of all threads; the blocks then belong to `rows`
static scree_status collect(struct task *task)
{
    struct scree_rows *rows = task->rows;
    size_t blocks = 0;
    SCREE_TRY(number_pages(task));
    SCREE_TRY(scree_memory_new(rows->tiles, sizeof *rows->inside, (void **)&rows->inside));
    for (int t = 0; t < task->threads; ++t) {
        blocks += task->scratch[t].block.count;
        rows->crowded |= task->scratch[t].crowded;
        for (size_t tile = 0; tile < rows->tiles; ++tile)
            rows->inside[tile] += task->scratch[t].inside[tile];
    }
    SCREE_TRY(scree_memory_new(blocks, sizeof *rows->block, (void **)&rows->block));
    for (int t = 0; t < task->threads; ++t) {
        for (size_t b = 0; b < task->scratch[t].block.count; ++b)
            rows->block[rows->blocks++] = task->scratch[t].block.data[b].data;
        task->scratch[t].block.count = 0;
    }
    return SCREE_OK;
}

static scree_status find_all(struct task *task)
{
    const struct scree_candidates_input *input = task->input;
    SCREE_TRY(make_scratch(task));
    SCREE_TRY(scree_grid_build(&task->grid, input));
    if (input->crowd_overlap > 0)
        SCREE_TRY(scree_crowd_check(&task->grid, input));
    SCREE_TRY(find_excluded(task));
    scree_team_run(input->team, rows_of_all(&task->grid), 1, search_rows, task);
    SCREE_TRY(status_of(task));
    size_t deferred = 0;
    for (int t = 0; t < task->threads; ++t)
        deferred += task->scratch[t].deferred.count;
    if (deferred > UINT32_MAX)
        return too_many();
    if (deferred > 0) {
        SCREE_TRY(sort_deferred(task, deferred));
        SCREE_TRY(number_pages(task));
        scree_team_run(input->team, task->rows->grains, TILE, complete_rows, task);
        SCREE_TRY(status_of(task));
    }
    return collect(task);
}

static void clear_task(struct task *task)
{
    for (int t = 0; task->scratch && t < task->threads; ++t) {
        struct scratch *scratch = &task->scratch[t];
        for (size_t b = 0; b < scratch->block.count; ++b)
            scree_memory_free(scratch->block.data[b].data);
        scree_array_free(&scratch->block);
        scree_array_free(&scratch->deferred);
        scree_memory_free(scratch->found.data);
        scree_memory_free(scratch->inside);
        scree_pair_test_free(&scratch->larger);
        scree_pair_test_free(&scratch->same_level);
    }
    scree_memory_free(task->scratch);
    scree_memory_free(task->deferred_first);
    scree_memory_free(task->deferred);
    scree_grid_free(&task->grid);
}

scree_status scree_rows_build(struct scree_rows *rows, const struct scree_candidates_input *input)
{
    *rows = (struct scree_rows){.grains = input->count, .tiles = (input->count + TILE - 1) / TILE};
    _Atomic uint32_t pages = 1;
    struct task task = {.input = input,
                        .rows = rows,
                        .test = &scree_pair_test_sets[scree_processor_set()],
                        .threads = scree_team_size(input->team),
                        .pages = &pages};
    scree_status status = scree_memory_new(rows->grains, sizeof *rows->offset, (void **)&rows->offset);
    if (status == SCREE_OK)
        status = find_all(&task);
    clear_task(&task);
    if (status != SCREE_OK)
        scree_rows_free(rows);
    return status;
}

void scree_rows_free(struct scree_rows *rows)
{
    for (size_t b = 0; b < rows->blocks; ++b)
        scree_memory_free(rows->block[b]);
    scree_memory_free(rows->block);
    scree_memory_free(rows->inside);
    scree_memory_free(rows->page);
    scree_memory_free(rows->offset);
    *rows = (struct scree_rows){0};
}
