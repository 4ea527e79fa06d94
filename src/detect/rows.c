// Rows of near grains, see rows.h. Grains of one level find each other from both sides; between levels the
// smaller one finds the larger, whose row is completed afterwards.

#include "detect/rows.h"

#include "base/array.h"
#include "detect/grid.h"

#include <string.h>

enum { TILE = SCREE_CONTACTS_TILE };

// what a larger grain must still learn
struct late {
    uint32_t grain, entry;
};

// what one thread works with
struct bench {
    struct scree_grid_hits hits, spare;
    SCREE_ARRAY(uint32_t) row;
    SCREE_ARRAY(struct late) late;
    scree_status status;
};

struct task {
    const struct scree_candidates_input *input;
    struct scree_rows *rows;
    struct scree_grid grid;
    struct bench *bench;
    bool all_touch; // no pair of materials is left out
    // late entries in order of their grains, and where those of each begin
    uint32_t *late_first, *late;
};

// --- sorting
// ---------------------------------------------------------------------------------------------------

static void insert_in_order(uint64_t *tag, size_t count)
{
    for (size_t i = 1; i < count; ++i) {
        const uint64_t one = tag[i];
        size_t at = i;
        for (; at > 0 && tag[at - 1] > one; --at)
            tag[at] = tag[at - 1];
        tag[at] = one;
    }
}

static void merge(const uint64_t *from, size_t middle, size_t count, uint64_t *to)
{
    size_t a = 0, b = middle;
    for (size_t n = 0; n < count; ++n)
        to[n] = b == count || (a < middle && from[a] < from[b]) ? from[a++] : from[b++];
}

// short runs by insertion, long ones by merging: a grain may have 10^5 neighbours
static scree_status sort_hits(struct bench *bench)
{
    enum { RUN = 16 };
    struct scree_grid_hits *hits = &bench->hits, *spare = &bench->spare;
    const size_t count = hits->count;
    for (size_t at = 0; at < count; at += RUN)
        insert_in_order(hits->tag + at, count - at < RUN ? count - at : RUN);
    if (count <= RUN)
        return SCREE_OK;
    if (spare->capacity < count)
        SCREE_TRY(scree_array_grow(&spare->tag, &spare->capacity, count, sizeof *spare->tag));
    for (size_t run = RUN; run < count; run *= 2) {
        for (size_t at = 0; at < count; at += 2 * run) {
            const size_t left = count - at, here = left < 2 * run ? left : 2 * run;
            merge(hits->tag + at, here < run ? here : run, here, spare->tag + at);
        }
        const struct scree_grid_hits swap = *hits;
        *hits = *spare;
        *spare = swap;
        hits->count = count;
    }
    return SCREE_OK;
}

// --- searching
// -------------------------------------------------------------------------------------------------

static bool all_touch(const struct scree_candidates_input *input)
{
    // material 0 is none
    for (size_t a = 1; a < input->sorts; ++a)
        for (size_t b = 1; b < input->sorts; ++b)
            if (input->sort[a * input->sorts + b] == SCREE_CONTACTS_NO_CLASS)
                return false;
    return true;
}

static void drop_strangers(const struct task *task, uint32_t slot, struct scree_grid_hits *hits)
{
    const struct scree_candidates_input *input = task->input;
    const uint8_t *sort = input->sort + input->grain[slot].material * input->sorts;
    size_t kept = 0;
    for (size_t n = 0; n < hits->count; ++n) {
        const uint64_t tag = hits->tag[n];
        hits->tag[kept] = tag;
        kept += sort[input->grain[scree_grid_slot(tag)].material] != SCREE_CONTACTS_NO_CLASS;
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

// the row of a grain, behind those of the tile that are there already
static scree_status find_row(const struct task *task, struct bench *bench, uint32_t slot)
{
    const struct scree_grid *grid = &task->grid;
    struct scree_grid_hits *hits = &bench->hits;
    const uint32_t place = grid->place[slot];
    hits->count = 0;
    if (place == SCREE_GRID_NOWHERE)
        return SCREE_OK;
    const int level = scree_grid_level_of(grid, place);
    const uint64_t own = grid->tag[place];
    for (int l = 0; l < level; ++l)
        SCREE_TRY(scree_grid_find(grid, place, l, hits));
    if (!task->all_touch)
        drop_strangers(task, slot, hits);
    for (size_t n = 0; n < hits->count; ++n) {
        const uint64_t tag = hits->tag[n];
        const uint32_t flags = (entry_of(own, tag) & 3) ^ SCREE_ROWS_HIGH;
        const struct late late = {scree_grid_slot(tag), slot << 2 | flags};
        SCREE_TRY(scree_array_push(&bench->late, late));
    }
    SCREE_TRY(scree_grid_find(grid, place, level, hits));
    if (!task->all_touch)
        drop_strangers(task, slot, hits);
    SCREE_TRY(sort_hits(bench));
    if (bench->row.capacity - bench->row.count < hits->count)
        SCREE_TRY(scree_array_reserve(&bench->row, bench->row.count + hits->count));
    uint32_t *row = bench->row.data + bench->row.count;
    for (size_t n = 0; n < hits->count; ++n)
        row[n] = entry_of(own, hits->tag[n]);
    bench->row.count += hits->count;
    return SCREE_OK;
}

static scree_status keep_tile(struct task *task, struct bench *bench, size_t tile)
{
    uint32_t **kept = &task->rows->tile[tile];
    scree_memory_free(*kept);
    SCREE_TRY(scree_memory_new(bench->row.count, sizeof **kept, (void **)kept));
    uint32_t inside = 0, across = 0;
    for (size_t n = 0; n < bench->row.count; ++n) {
        const uint32_t entry = bench->row.data[n];
        (*kept)[n] = entry;
        inside += (entry & 3) == SCREE_ROWS_INSIDE;
        across += (entry & 3) == 0;
    }
    task->rows->inside[tile] = inside;
    task->rows->across[tile] = across;
    return SCREE_OK;
}

// first[] holds where rows end within their tile until all tiles are known
static scree_status find_tile(struct task *task, struct bench *bench, size_t tile)
{
    const size_t end = (tile + 1) * TILE < task->rows->grains ? (tile + 1) * TILE : task->rows->grains;
    bench->row.count = 0;
    for (size_t i = tile * TILE; i < end; ++i) {
        SCREE_TRY(find_row(task, bench, (uint32_t)i));
        task->rows->first[i + 1] = (uint32_t)bench->row.count;
    }
    return keep_tile(task, bench, tile);
}

static void find_tiles(void *context, size_t first, size_t last, int thread)
{
    struct task *task = context;
    struct bench *bench = &task->bench[thread];
    for (size_t t = first; t < last && bench->status == SCREE_OK; ++t)
        bench->status = find_tile(task, bench, t);
}

// --- completing the rows of larger grains
// ----------------------------------------------------------------------

static scree_status sort_late(struct task *task, size_t total)
{
    const size_t grains = task->rows->grains;
    const int threads = scree_team_size(task->input->team);
    SCREE_TRY(scree_memory_new(grains + 2, sizeof *task->late_first, (void **)&task->late_first));
    SCREE_TRY(scree_memory_new(total, sizeof *task->late, (void **)&task->late));
    uint32_t *next = task->late_first + 1;
    for (int t = 0; t < threads; ++t)
        for (size_t n = 0; n < task->bench[t].late.count; ++n)
            ++next[task->bench[t].late.data[n].grain + 1];
    for (size_t i = 0; i < grains; ++i)
        next[i + 1] += next[i];
    for (int t = 0; t < threads; ++t) {
        for (size_t n = 0; n < task->bench[t].late.count; ++n) {
            const struct late *late = &task->bench[t].late.data[n];
            task->late[next[late->grain]++] = late->entry;
        }
        scree_array_free(&task->bench[t].late);
    }
    return SCREE_OK;
}

static scree_status add_hit(const struct task *task, struct scree_grid_hits *hits, uint32_t entry)
{
    if (hits->count == hits->capacity)
        SCREE_TRY(scree_array_grow(&hits->tag, &hits->capacity, hits->count + 1, sizeof *hits->tag));
    // the flags of the pair take the place of those of the grain, so that they are sorted along
    const uint64_t rank = task->grid.tag[task->grid.place[entry >> 2]] >> 32;
    hits->tag[hits->count++] = rank << 32 | entry;
    return SCREE_OK;
}

static scree_status complete_tile(struct task *task, struct bench *bench, size_t tile)
{
    struct scree_rows *rows = task->rows;
    const size_t begin = tile * TILE, end = begin + TILE < rows->grains ? begin + TILE : rows->grains;
    if (task->late_first[begin] == task->late_first[end])
        return SCREE_OK;
    uint32_t from = 0;
    bench->row.count = 0;
    for (size_t i = begin; i < end; ++i) {
        bench->hits.count = 0;
        for (uint32_t n = from; n < rows->first[i + 1]; ++n)
            SCREE_TRY(add_hit(task, &bench->hits, rows->tile[tile][n]));
        for (uint32_t n = task->late_first[i]; n < task->late_first[i + 1]; ++n)
            SCREE_TRY(add_hit(task, &bench->hits, task->late[n]));
        from = rows->first[i + 1];
        SCREE_TRY(sort_hits(bench));
        SCREE_TRY(scree_array_reserve(&bench->row, bench->row.count + bench->hits.count));
        for (size_t n = 0; n < bench->hits.count; ++n)
            bench->row.data[bench->row.count++] = (uint32_t)bench->hits.tag[n];
        rows->first[i + 1] = (uint32_t)bench->row.count;
    }
    return keep_tile(task, bench, tile);
}

static void complete_tiles(void *context, size_t first, size_t last, int thread)
{
    struct task *task = context;
    struct bench *bench = &task->bench[thread];
    for (size_t t = first; t < last && bench->status == SCREE_OK; ++t)
        bench->status = complete_tile(task, bench, t);
}

// --- all of it
// -------------------------------------------------------------------------------------------------

// a message belongs to the thread that failed, so it is said again
static scree_status run_tiles(struct task *task, scree_team_work *work)
{
    scree_team_run(task->input->team, task->rows->tiles, 1, work, task);
    for (int t = 0; t < scree_team_size(task->input->team); ++t)
        if (task->bench[t].status != SCREE_OK)
            return scree_status_fail(task->bench[t].status, "no memory for the neighbours of %zu grains",
                                     task->rows->grains);
    return SCREE_OK;
}

static scree_status number_rows(struct scree_rows *rows)
{
    size_t before = 0, grain = 0;
    for (size_t t = 0; t < rows->tiles; ++t) {
        const size_t base = before;
        for (const size_t end = grain + TILE; grain < end && grain < rows->grains; ++grain) {
            before = base + rows->first[grain + 1];
            rows->first[grain + 1] = (uint32_t)before;
        }
        if (before > UINT32_MAX)
            return scree_status_fail(SCREE_ERROR_LIMIT, "more than %lu pairs of grains are near each other",
                                     (unsigned long)UINT32_MAX / 2);
    }
    return SCREE_OK;
}

static scree_status find_all(struct task *task)
{
    const struct scree_candidates_input *input = task->input;
    const int threads = scree_team_size(input->team);
    SCREE_TRY(scree_memory_new((size_t)threads, sizeof *task->bench, (void **)&task->bench));
    SCREE_TRY(scree_grid_build(&task->grid, input));
    SCREE_TRY(run_tiles(task, find_tiles));
    size_t late = 0;
    for (int t = 0; t < threads; ++t)
        late += task->bench[t].late.count;
    if (late > 0) {
        if (late > UINT32_MAX)
            return scree_status_fail(SCREE_ERROR_LIMIT, "more than %lu pairs of grains are near each other",
                                     (unsigned long)UINT32_MAX);
        SCREE_TRY(sort_late(task, late));
        SCREE_TRY(run_tiles(task, complete_tiles));
    }
    return number_rows(task->rows);
}

static void clear_task(struct task *task)
{
    for (int t = 0; task->bench && t < scree_team_size(task->input->team); ++t) {
        scree_memory_free(task->bench[t].hits.tag);
        scree_memory_free(task->bench[t].spare.tag);
        scree_array_free(&task->bench[t].row);
        scree_array_free(&task->bench[t].late);
    }
    scree_memory_free(task->bench);
    scree_memory_free(task->late_first);
    scree_memory_free(task->late);
    scree_grid_free(&task->grid);
}

scree_status scree_rows_build(struct scree_rows *rows, const struct scree_candidates_input *input)
{
    *rows = (struct scree_rows){.grains = input->count, .tiles = (input->count + TILE - 1) / TILE};
    struct task task = {.input = input, .rows = rows, .all_touch = all_touch(input)};
    scree_status status = scree_memory_new(rows->grains + 1, sizeof *rows->first, (void **)&rows->first);
    if (status == SCREE_OK)
        status = scree_memory_new(rows->tiles, sizeof *rows->tile, (void **)&rows->tile);
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
    for (size_t t = 0; rows->tile && t < rows->tiles; ++t)
        scree_memory_free(rows->tile[t]);
    scree_memory_free(rows->tile);
    scree_memory_free(rows->first);
    scree_memory_free(rows->inside);
    scree_memory_free(rows->across);
    *rows = (struct scree_rows){0};
}
