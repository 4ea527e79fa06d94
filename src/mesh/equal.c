// Equal positions, see equal.h.
//
// The table is larger than caches, so positions are entered in groups: the places of a group are requested
// from memory before the first is read, and then the positions that they refer to.

#include "mesh/equal.h"

#include "base/memory.h"

enum { GROUP = 32 };

struct table {
    const double (*position)[3];
    uint32_t *place; // numbers of positions, from 1; 0 is free
    size_t size;     // a power of two
    size_t used;
    uint64_t compared;
};

static bool are_equal(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// -0 has the hash of 0.
static uint64_t hash_of(const struct table *table, uint32_t n)
{
    const double *p = table->position[n], positive[3] = {p[0] + 0.0, p[1] + 0.0, p[2] + 0.0};
    return scree_mesh_equal_hash(positive);
}

// The place of a position that is equal to position n, or a free one.
static uint32_t *find_place(struct table *table, uint32_t n, uint64_t hash)
{
    size_t at = hash & (table->size - 1);
    for (;; at = (at + 1) & (table->size - 1)) {
        ++table->compared;
        if (table->place[at] == 0 || are_equal(table->position[table->place[at] - 1], table->position[n]))
            return &table->place[at];
    }
}

// Makes the table four times as large.
static scree_status enlarge(struct table *table)
{
    uint32_t *before = table->place, *place;
    const size_t size = table->size;
    SCREE_TRY(scree_memory_new(4 * size, sizeof *place, (void **)&place));
    table->place = place;
    table->size = 4 * size;
    for (size_t at = 0; at < size; ++at)
        if (before[at] != 0)
            *find_place(table, before[at] - 1, hash_of(table, before[at] - 1)) = before[at];
    scree_memory_free(before);
    return SCREE_OK;
}

static void prefetch(const struct table *table, uint32_t begin, uint32_t end, uint64_t *hash)
{
    for (uint32_t n = begin; n < end; ++n) {
        hash[n - begin] = hash_of(table, n);
        __builtin_prefetch(&table->place[hash[n - begin] & (table->size - 1)]);
    }
    for (uint32_t n = begin; n < end; ++n) {
        const uint32_t other = table->place[hash[n - begin] & (table->size - 1)];
        __builtin_prefetch(table->position[other > 0 ? other - 1 : n]);
    }
}

static scree_status enter(struct table *table, uint32_t n, uint64_t hash, uint32_t *first)
{
    uint32_t *place = find_place(table, n, hash);
    first[n] = *place ? *place - 1 : n;
    if (*place)
        return SCREE_OK;
    *place = n + 1;
    return 2 * ++table->used > table->size ? enlarge(table) : SCREE_OK;
}

scree_status scree_mesh_equal_find(const double (*position)[3], size_t count, uint32_t *first, bool *complete)
{
    struct table table = {.position = position, .size = 1024};
    uint64_t hash[GROUP];
    SCREE_TRY(scree_memory_new(table.size, sizeof *table.place, (void **)&table.place));
    scree_status status = SCREE_OK;
    // about two comparisons for each position are usual
    const uint64_t most = 16 * (uint64_t)count + 1024;
    for (size_t begin = 0; status == SCREE_OK && begin < count && table.compared <= most; begin += GROUP) {
        const size_t end = count - begin < GROUP ? count : begin + GROUP;
        prefetch(&table, (uint32_t)begin, (uint32_t)end, hash);
        for (size_t n = begin; status == SCREE_OK && n < end && table.compared <= most; ++n)
            status = enter(&table, (uint32_t)n, hash[n - begin], first);
    }
    *complete = table.compared <= most;
    scree_memory_free(table.place);
    return status;
}
