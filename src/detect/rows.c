// Rows of near grains, see rows.h. Grains of one level find each other from both sides; between levels the
// smaller one finds the larger, whose row is completed afterwards. Grains of a few neighbouring cells share
// what lies around them.

#include "detect/rows.h"

#include "base/array.h"
#include "base/processor.h"
#include "detect/meet.h"

#include <math.h>
#include <string.h>

enum { TILE = SCREE_CONTACTS_TILE, AHEAD = SCREE_ROWS_AHEAD, LEAST_BLOCK = 1 << 16, MOST_BLOCK = 1 << 20 };

static const double infinity = (double)INFINITY;

// what a larger grain must still learn
struct late {
    uint32_t grain, entry;
};

struct tags {
    uint64_t *data;
    size_t count, capacity;
};

// what one thread works with, and where it leaves what it finds
struct bench {
    struct tags hits, spare;
    struct scree_meet_list larger, alike; // around the block at hand
    SCREE_ARRAY(struct late) late;
    SCREE_ARRAY(void *) block;
    uint32_t *next; // room in the last block
    size_t room, block_size;
    uint32_t *inside, *across; // [tiles]
    scree_status status;
};

struct task {
    const struct scree_candidates_input *input;
    struct scree_rows *rows;
    struct scree_grid grid;
    const struct scree_meet_set *meet;
    struct bench *bench;
    int threads;
    bool all_touch; // no pair of materials that are there is left out
    // late entries in order of their grains, and where those of each begin
    uint32_t *late_first, *late;
};

// --- sorting
// ---------------------------------------------------------------------------------------------------

static void merge(const uint64_t *from, size_t middle, size_t count, uint64_t *to)
{
    size_t a = 0, b = middle;
    for (size_t n = 0; n < count; ++n)
        to[n] = b == count || (a < middle && from[a] < from[b]) ? from[a++] : from[b++];
}

static scree_status reserve(struct tags *tags, size_t wanted)
{
    if (tags->capacity < wanted)
        return scree_array_grow(&tags->data, &tags->capacity, wanted, sizeof *tags->data);
    return SCREE_OK;
}

// short rows in registers, long ones by merging: a grain may have 10^5 neighbours
static scree_status sort_hits(const struct task *task, struct bench *bench)
{
    enum { RUN = SCREE_MEET_SORT };
    struct tags *hits = &bench->hits, *spare = &bench->spare;
    const size_t count = hits->count;
    SCREE_TRY(reserve(spare, count + RUN));
    SCREE_TRY(reserve(hits, count + RUN));
    for (size_t at = 0; at < count; at += RUN)
        task->meet->sort(hits->data + at, count - at < RUN ? count - at : RUN, spare->data + at);
    struct tags *from = spare, *to = hits;
    for (size_t run = RUN; run < count; run *= 2) {
        for (size_t at = 0; at < count; at += 2 * run) {
            const size_t left = count - at, here = left < 2 * run ? left : 2 * run;
            merge(from->data + at, here < run ? here : run, here, to->data + at);
        }
        struct tags *swap = from;
        from = to;
        to = swap;
    }
    if (from == spare) {
        const struct tags swap = *hits;
        *hits = *spare;
        *spare = swap;
    }
    hits->count = count;
    return SCREE_OK;
}

// --- searching
// -------------------------------------------------------------------------------------------------

// Whether any two grains that are there may touch, whatever other materials know of each other.
static scree_status look_for_strangers(struct task *task)
{
    const struct scree_candidates_input *input = task->input;
    bool *here;
    SCREE_TRY(scree_memory_new(input->sorts, sizeof *here, (void **)&here));
    for (size_t i = 0; i < input->count; ++i)
        if (task->grid.material[i] != 0)
            here[task->grid.material[i]] = true;
    task->all_touch = true;
    for (size_t a = 0; a < input->sorts; ++a)
        for (size_t b = 0; b <= a && here[a]; ++b)
            if (here[b] && input->sort[a * input->sorts + b] == SCREE_CONTACTS_NO_CLASS)
                task->all_touch = false;
    scree_memory_free(here);
    return SCREE_OK;
}

static void drop_strangers(const struct task *task, uint32_t slot, struct tags *hits)
{
    const struct scree_candidates_input *input = task->input;
    const uint16_t *material = task->grid.material;
    const uint8_t *sort = input->sort + material[slot] * input->sorts;
    size_t kept = 0;
    for (size_t n = 0; n < hits->count; ++n) {
        const uint64_t tag = hits->data[n];
        hits->data[kept] = tag;
        kept += sort[material[scree_grid_slot(tag)]] != SCREE_CONTACTS_NO_CLASS;
    }
    hits->count = kept;
}

static uint32_t entry_of(uint64_t own, uint64_t other)
{
    const uint32_t a = (uint32_t)own >> 2, b = (uint32_t)other >> 2;
    // neither may wrap, the pair does not, and both are of one tile
    const bool inside = ((own | other) & 3) == 0 && a / TILE == b / TILE;
    return b << 2 | (inside ? SCREE_ROWS_INSIDE : 0u) | (own > other ? SCREE_ROWS_HIGH : 0u);
}

// a piece of the blocks for a row
static scree_status take_room(struct bench *bench, size_t count, uint32_t **row)
{
    if (bench->room < count + AHEAD) {
        const size_t room = count + AHEAD > bench->block_size ? count + AHEAD : bench->block_size;
        if (bench->block.count == bench->block.capacity)
            SCREE_TRY(scree_array_reserve(&bench->block, bench->block.count + 1));
        SCREE_TRY(scree_memory_new(room, sizeof *bench->next, (void **)&bench->next));
        bench->block.data[bench->block.count++] = bench->next;
        bench->room = room;
    }
    *row = bench->next;
    bench->next += count;
    bench->room -= count;
    return SCREE_OK;
}

static scree_status keep_row(const struct task *task, struct bench *bench, uint64_t own)
{
    const struct tags *hits = &bench->hits;
    const uint32_t slot = scree_grid_slot(own);
    uint32_t *row, owned[2];
    if (hits->count > SCREE_MEET_SORT)
        SCREE_TRY(sort_hits(task, bench));
    SCREE_TRY(take_room(bench, hits->count, &row));
    if (hits->count > SCREE_MEET_SORT)
        task->meet->entries(own, hits->data, hits->count, row, owned);
    else
        task->meet->row(own, hits->data, hits->count, row, owned);
    bench->across[slot / TILE] += owned[0];
    bench->inside[slot / TILE] += owned[1];
    task->rows->row[slot] = row;
    task->rows->first[slot + 1] = (uint32_t)hits->count;
    return SCREE_OK;
}

static scree_status search_list(const struct task *task, struct bench *bench, uint32_t place,
                                const struct scree_meet_list *list)
{
    struct tags *hits = &bench->hits;
    SCREE_TRY(reserve(hits, hits->count + list->count + SCREE_MEET_SORT));
    scree_meet_search *search = list->wraps ? task->meet->search_wrapping : task->meet->search;
    hits->count += search(list, &task->grid, place, hits->data + hits->count);
    return SCREE_OK;
}

// the larger grains near a grain will not see it themselves
static scree_status tell_larger(struct bench *bench, uint64_t own)
{
    for (size_t n = 0; n < bench->hits.count; ++n) {
        const uint64_t tag = bench->hits.data[n];
        const uint32_t flags = (entry_of(own, tag) & 3) ^ SCREE_ROWS_HIGH;
        const struct late late = {scree_grid_slot(tag), scree_grid_slot(own) << 2 | flags};
        SCREE_TRY(scree_array_push(&bench->late, late));
    }
    return SCREE_OK;
}

static scree_status find_row(const struct task *task, struct bench *bench, uint32_t place)
{
    const uint64_t own = task->grid.tag[place];
    bench->hits.count = 0;
    if (bench->larger.count > 0) {
        SCREE_TRY(search_list(task, bench, place, &bench->larger));
        if (!task->all_touch)
            drop_strangers(task, scree_grid_slot(own), &bench->hits);
        SCREE_TRY(tell_larger(bench, own));
    }
    SCREE_TRY(search_list(task, bench, place, &bench->alike));
    if (!task->all_touch)
        drop_strangers(task, scree_grid_slot(own), &bench->hits);
    return keep_row(task, bench, own);
}

// --- blocks of cells

// the places of the grains of a block
struct group {
    uint32_t first[16], last[16];
    int runs;
};

static struct scree_meet_box box_around(const struct scree_grid *grid, const struct group *group)
{
    struct scree_meet_box box = {.low = {infinity, infinity, infinity},
                                 .high = {-infinity, -infinity, -infinity}};
    for (int r = 0; r < group->runs; ++r) {
        for (uint32_t p = group->first[r]; p < group->last[r]; ++p) {
            const double x[3] = {grid->x[p], grid->y[p], grid->z[p]};
            for (int k = 0; k < 3; ++k) {
                box.low[k] = x[k] < box.low[k] ? x[k] : box.low[k];
                box.high[k] = x[k] > box.high[k] ? x[k] : box.high[k];
            }
            box.reach = grid->reach[p] > box.reach ? grid->reach[p] : box.reach;
        }
    }
    return box;
}

static scree_status search_around(const struct task *task, struct bench *bench, int level,
                                  const struct group *group, const struct scree_meet_box *box)
{
    const struct scree_grid *grid = &task->grid;
    scree_meet_begin(&bench->larger);
    for (int l = 0; l < level; ++l)
        SCREE_TRY(scree_meet_gather(&bench->larger, grid, &grid->level[l], box));
    scree_meet_end(&bench->larger);
    scree_meet_begin(&bench->alike);
    SCREE_TRY(scree_meet_gather(&bench->alike, grid, &grid->level[level], box));
    scree_meet_end(&bench->alike);
    for (int r = 0; r < group->runs; ++r)
        for (uint32_t p = group->first[r]; p < group->last[r]; ++p)
            SCREE_TRY(find_row(task, bench, p));
    return SCREE_OK;
}

static scree_status search_group(const struct task *task, struct bench *bench, int number,
                                 const struct group *group)
{
    const struct scree_grid *grid = &task->grid;
    const struct scree_grid_level *level = &grid->level[number];
    struct scree_meet_box box = box_around(grid, group);
    bool wide = false;
    for (int k = 0; k < 3; ++k)
        wide |= (box.high[k] - box.low[k]) * level->axis[k].inverse > (double)(2 * level->block[k]);
    if (!wide)
        return search_around(task, bench, number, group, &box);
    // folded space: these are far from each other
    for (int r = 0; r < group->runs; ++r) {
        for (uint32_t p = group->first[r]; p < group->last[r]; ++p) {
            const struct group one = {.first = {p}, .last = {p + 1}, .runs = 1};
            box = box_around(grid, &one);
            SCREE_TRY(search_around(task, bench, number, &one, &box));
        }
    }
    return SCREE_OK;
}

// the blocks of a row in x; rows are numbered along y, then z
static scree_status search_row(const struct task *task, struct bench *bench, int number, int64_t row)
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
            SCREE_TRY(search_group(task, bench, number, &group));
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
    struct bench *bench = &task->bench[thread];
    size_t before = 0;
    for (int l = 0; l < task->grid.levels; ++l) {
        const size_t rows = (size_t)rows_of(&task->grid.level[l]);
        for (size_t row = first > before ? first - before : 0;
             row < rows && before + row < last && bench->status == SCREE_OK; ++row)
            bench->status = search_row(task, bench, l, (int64_t)row);
        before += rows;
    }
}

// --- completing the rows of larger grains

static scree_status sort_late(struct task *task, size_t total)
{
    const size_t grains = task->rows->grains;
    SCREE_TRY(scree_memory_new(grains + 2, sizeof *task->late_first, (void **)&task->late_first));
    SCREE_TRY(scree_memory_new(total, sizeof *task->late, (void **)&task->late));
    uint32_t *next = task->late_first + 1;
    for (int t = 0; t < task->threads; ++t)
        for (size_t n = 0; n < task->bench[t].late.count; ++n)
            ++next[task->bench[t].late.data[n].grain + 1];
    for (size_t i = 0; i < grains; ++i)
        next[i + 1] += next[i];
    for (int t = 0; t < task->threads; ++t) {
        for (size_t n = 0; n < task->bench[t].late.count; ++n) {
            const struct late *late = &task->bench[t].late.data[n];
            task->late[next[late->grain]++] = late->entry;
        }
        scree_array_free(&task->bench[t].late);
    }
    return SCREE_OK;
}

// entries sort like tags: what they say of the pair stands where tags speak of the grain
static uint64_t tag_of_entry(const struct task *task, uint32_t entry)
{
    return task->grid.tag[task->grid.place[entry >> 2]] >> 32 << 32 | entry;
}

static scree_status complete_row(const struct task *task, struct bench *bench, size_t slot)
{
    struct scree_rows *rows = task->rows;
    struct tags *hits = &bench->hits;
    const uint32_t *late = task->late + task->late_first[slot];
    const size_t more = task->late_first[slot + 1] - task->late_first[slot], count = rows->first[slot + 1];
    hits->count = 0;
    SCREE_TRY(reserve(hits, count + more));
    for (size_t n = 0; n < count; ++n)
        hits->data[hits->count++] = tag_of_entry(task, rows->row[slot][n]);
    for (size_t n = 0; n < more; ++n) {
        hits->data[hits->count++] = tag_of_entry(task, late[n]);
        const bool owned = slot < late[n] >> 2, inside = late[n] & SCREE_ROWS_INSIDE;
        bench->inside[slot / TILE] += owned && inside;
        bench->across[slot / TILE] += owned && !inside;
    }
    SCREE_TRY(sort_hits(task, bench));
    SCREE_TRY(take_room(bench, hits->count, &rows->row[slot]));
    for (size_t n = 0; n < hits->count; ++n)
        rows->row[slot][n] = (uint32_t)hits->data[n];
    rows->first[slot + 1] = (uint32_t)hits->count;
    return SCREE_OK;
}

static void complete_rows(void *context, size_t first, size_t last, int thread)
{
    const struct task *task = context;
    struct bench *bench = &task->bench[thread];
    for (size_t i = first; i < last && bench->status == SCREE_OK; ++i)
        if (task->late_first[i] < task->late_first[i + 1])
            bench->status = complete_row(task, bench, i);
}

// --- all of it

// a message belongs to the thread that failed, so it is said again
static scree_status status_of(const struct task *task)
{
    for (int t = 0; t < task->threads; ++t)
        if (task->bench[t].status != SCREE_OK)
            return scree_status_fail(task->bench[t].status, "no memory for the neighbours of %zu grains",
                                     task->rows->grains);
    return SCREE_OK;
}

static scree_status make_benches(struct task *task)
{
    SCREE_TRY(scree_memory_new((size_t)task->threads, sizeof *task->bench, (void **)&task->bench));
    // large worlds take blocks that go back to the system when they are freed
    const size_t share = task->rows->grains / (size_t)task->threads;
    for (int t = 0; t < task->threads; ++t) {
        uint32_t *counts;
        task->bench[t].block_size = share < LEAST_BLOCK ? LEAST_BLOCK : MOST_BLOCK;
        SCREE_TRY(scree_memory_new(2 * task->rows->tiles, sizeof *counts, (void **)&counts));
        task->bench[t].inside = counts;
        task->bench[t].across = counts ? counts + task->rows->tiles : NULL;
    }
    return SCREE_OK;
}

// what all threads found; from here on rows own their blocks
static scree_status collect(struct task *task)
{
    struct scree_rows *rows = task->rows;
    size_t before = 0, blocks = 0;
    for (size_t i = 0; i < rows->grains; ++i) {
        before += rows->first[i + 1];
        if (before > UINT32_MAX)
            return scree_status_fail(SCREE_ERROR_LIMIT, "more than %lu pairs of grains are near each other",
                                     (unsigned long)UINT32_MAX / 2);
        rows->first[i + 1] = (uint32_t)before;
    }
    for (int t = 0; t < task->threads; ++t) {
        for (size_t tile = 0; tile < rows->tiles; ++tile) {
            rows->inside[tile] += task->bench[t].inside[tile];
            rows->across[tile] += task->bench[t].across[tile];
        }
        blocks += task->bench[t].block.count;
    }
    SCREE_TRY(scree_memory_new(blocks, sizeof *rows->block, (void **)&rows->block));
    for (int t = 0; t < task->threads; ++t) {
        for (size_t b = 0; b < task->bench[t].block.count; ++b)
            rows->block[rows->blocks++] = task->bench[t].block.data[b];
        task->bench[t].block.count = 0;
    }
    return SCREE_OK;
}

static scree_status find_all(struct task *task)
{
    const struct scree_candidates_input *input = task->input;
    SCREE_TRY(make_benches(task));
    SCREE_TRY(scree_grid_build(&task->grid, input));
    SCREE_TRY(look_for_strangers(task));
    scree_team_run(input->team, rows_of_all(&task->grid), 1, search_rows, task);
    SCREE_TRY(status_of(task));
    size_t late = 0;
    for (int t = 0; t < task->threads; ++t)
        late += task->bench[t].late.count;
    if (late > UINT32_MAX)
        return scree_status_fail(SCREE_ERROR_LIMIT, "more than %lu pairs of grains are near each other",
                                 (unsigned long)UINT32_MAX);
    if (late > 0) {
        SCREE_TRY(sort_late(task, late));
        scree_team_run(input->team, task->rows->grains, TILE, complete_rows, task);
        SCREE_TRY(status_of(task));
    }
    return collect(task);
}

static void clear_task(struct task *task)
{
    for (int t = 0; task->bench && t < task->threads; ++t) {
        struct bench *bench = &task->bench[t];
        for (size_t b = 0; b < bench->block.count; ++b)
            scree_memory_free(bench->block.data[b]);
        scree_array_free(&bench->block);
        scree_array_free(&bench->late);
        scree_memory_free(bench->hits.data);
        scree_memory_free(bench->spare.data);
        scree_memory_free(bench->inside);
        scree_meet_free(&bench->larger);
        scree_meet_free(&bench->alike);
    }
    scree_memory_free(task->bench);
    scree_memory_free(task->late_first);
    scree_memory_free(task->late);
    scree_grid_free(&task->grid);
}

scree_status scree_rows_build(struct scree_rows *rows, const struct scree_candidates_input *input)
{
    *rows = (struct scree_rows){.grains = input->count, .tiles = (input->count + TILE - 1) / TILE};
    struct task task = {.input = input,
                        .rows = rows,
                        .meet = &scree_meet_sets[scree_processor_set()],
                        .threads = scree_team_size(input->team)};
    scree_status status = scree_memory_new(rows->grains + 1, sizeof *rows->first, (void **)&rows->first);
    if (status == SCREE_OK)
        status = scree_memory_new(rows->grains, sizeof *rows->row, (void **)&rows->row);
    if (status == SCREE_OK)
        status = scree_memory_new(rows->tiles, sizeof *rows->inside, (void **)&rows->inside);
    if (status == SCREE_OK)
        status = scree_memory_new(rows->tiles, sizeof *rows->across, (void **)&rows->across);
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
    void *const blocks[] = {rows->block, rows->row, rows->first, rows->inside, rows->across};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
    *rows = (struct scree_rows){0};
}
