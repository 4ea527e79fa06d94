// Lists of candidates for a pass: first those between tiles of consecutive grains (all of them and the ones
// across a periodic face), then those inside each tile, every range filled up to whole batches with a pair
// that never touches. A row per grain names its records in the order of the other grain's id: that is the
// order in which pushes are summed.

#ifndef SCREE_BENCH_KERNEL_LIST_H
#define SCREE_BENCH_KERNEL_LIST_H

#include "kernel_bed.h"
#include "kernel_grain.h"

// a gather looks this many entries ahead
enum { LIST_AHEAD = 48 };

struct list {
    struct pair *pairs;
    size_t tile_size, tiles;
    // the last pair, behind all tiles, is one that never touches
    // inner candidates of tile t lie in [inner[t], inner[t + 1]), those between tiles in [0, inner[0])
    size_t *inner;
    size_t candidates, crossing, longest;
    // records of candidates between tiles, and behind them those that the inner candidates of every tile
    // share in turn
    size_t records;
    // grain i sums the records row[row_first[i]] and on: 2 * record + side
    uint32_t *row_first, *row;
};

struct neighbours {
    uint32_t *first, *slot;
};

static inline int list_ascending(const void *a, const void *b)
{
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

// for each grain the later grains nearer than the skin, ascending
static inline struct neighbours list_search(const struct bed *bed, double skin)
{
    struct cells cells = bed_cells(bed, 1.0 + skin);
    struct neighbours found = {bed_new(bed->count + 1, sizeof(uint32_t)), NULL};
    size_t capacity = 8 * bed->count, count = 0;
    found.slot = bed_new(capacity, sizeof(uint32_t));
    for (size_t i = 0; i < bed->count; i++) {
        found.first[i] = (uint32_t)count;
        for (int n = 0; n < 27; n++) {
            size_t cell =
                bed_cell(&cells, &bed->ball[i], (const int[3]){n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1});
            if (cell == SIZE_MAX)
                continue;
            for (uint32_t j = cells.first[cell]; j != UINT32_MAX && count < capacity; j = cells.next[j])
                if (j > i && bed_gap(bed, i, j) < skin)
                    found.slot[count++] = j;
        }
        qsort(found.slot + found.first[i], count - found.first[i], sizeof(uint32_t), list_ascending);
    }
    found.first[bed->count] = (uint32_t)count;
    free(cells.first);
    free(cells.next);
    return found;
}

static inline void list_push(struct list *list, const struct bed *bed, size_t *at, uint32_t i, uint32_t j)
{
    int ordered = bed->ball[i].id < bed->ball[j].id;
    list->pairs[(*at)++] = ordered ? (struct pair){i, j} : (struct pair){j, i};
}

static inline void list_fill(struct list *list, const struct bed *bed, size_t *at)
{
    for (; *at % 8 != 0; (*at)++)
        list->pairs[*at] = (struct pair){(uint32_t)bed->count, (uint32_t)bed->count + 1};
}

// near a periodic face a grain may wrap before the next search: such pairs need the shortest difference
static inline int list_near_face(const struct bed *bed, size_t i)
{
    const double *centre = bed->ball[i].centre;
    for (int k = 0; k < 2; k++)
        if (centre[k] < bed_skin || centre[k] > bed->box[k] - bed_skin)
            return 1;
    return 0;
}

static inline int list_crosses(const struct list *list, const struct bed *bed, size_t i, size_t j)
{
    const double *a = bed->ball[i].centre, *b = bed->ball[j].centre;
    if (list->tiles == 1)
        return 0;
    return i / list->tile_size != j / list->tile_size || fabs(a[0] - b[0]) > 0.5 * bed->box[0] ||
           fabs(a[1] - b[1]) > 0.5 * bed->box[1] || list_near_face(bed, i) || list_near_face(bed, j);
}

struct entry {
    uint32_t grain, other, record;
};

static inline int list_entry_order(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    if (p->grain != q->grain)
        return p->grain < q->grain ? -1 : 1;
    return (p->other > q->other) - (p->other < q->other);
}

static inline void list_rows(struct list *list, const struct bed *bed)
{
    struct entry *entry = bed_new(2 * list->inner[list->tiles], sizeof *entry);
    size_t count = 0, tile = 0;
    for (size_t c = 0; c < list->inner[list->tiles]; c++) {
        struct pair pair = list->pairs[c];
        if (pair.low >= bed->count)
            continue;
        while (tile < list->tiles && c >= list->inner[tile + 1])
            tile++;
        size_t record = c < list->inner[0] ? c : c - list->inner[tile] + list->inner[0];
        uint32_t low = bed->ball[pair.low].id, high = bed->ball[pair.high].id;
        entry[count++] = (struct entry){pair.low, high, (uint32_t)(2 * record)};
        entry[count++] = (struct entry){pair.high, low, (uint32_t)(2 * record + 1)};
    }
    qsort(entry, count, sizeof *entry, list_entry_order);
    list->row_first = bed_new(bed->count + 1, sizeof(uint32_t));
    list->row = bed_new(count + LIST_AHEAD, sizeof(uint32_t));
    for (size_t k = 0; k < count; k++) {
        list->row[k] = entry[k].record;
        list->row_first[entry[k].grain + 1] = (uint32_t)k + 1;
    }
    for (size_t i = 0; i < bed->count; i++)
        if (list->row_first[i + 1] < list->row_first[i])
            list->row_first[i + 1] = list->row_first[i];
    free(entry);
}

// tile_size 0: one tile, and nothing lies between tiles
static inline struct list list_build(const struct bed *bed, const struct neighbours *found, size_t tile_size)
{
    struct list list = {.tile_size = tile_size ? tile_size : bed->count};
    list.tiles = (bed->count + list.tile_size - 1) / list.tile_size;
    list.inner = bed_new(list.tiles + 1, sizeof *list.inner);
    list.candidates = found->first[bed->count];
    list.pairs = bed_new(list.candidates + 8 * (list.tiles + 2), sizeof *list.pairs);
    size_t at = 0;
    for (uint32_t i = 0; i < bed->count; i++)
        for (uint32_t k = found->first[i]; k < found->first[i + 1]; k++)
            if (list_crosses(&list, bed, i, found->slot[k]))
                list_push(&list, bed, &at, i, found->slot[k]);
    list.crossing = at;
    list_fill(&list, bed, &at);
    for (size_t tile = 0; tile < list.tiles; tile++) {
        list.inner[tile] = at;
        for (uint32_t i = (uint32_t)(tile * list.tile_size);
             i < (tile + 1) * list.tile_size && i < bed->count; i++)
            for (uint32_t k = found->first[i]; k < found->first[i + 1]; k++)
                if (!list_crosses(&list, bed, i, found->slot[k]))
                    list_push(&list, bed, &at, i, found->slot[k]);
        list_fill(&list, bed, &at);
        list.longest = at - list.inner[tile] > list.longest ? at - list.inner[tile] : list.longest;
    }
    list.inner[list.tiles] = at;
    list.pairs[at] = (struct pair){(uint32_t)bed->count, (uint32_t)bed->count + 1};
    list.records = list.inner[0] + list.longest;
    list_rows(&list, bed);
    return list;
}

static inline void list_free(struct list *list)
{
    free(list->pairs);
    free(list->inner);
    free(list->row_first);
    free(list->row);
}

#endif
