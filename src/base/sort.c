// Radix sort, least significant byte first: a stable counting pass for each byte that is not the same in all
// keys. The counts of all bytes are taken in one sweep: passes do not change them.

#include "base/sort.h"

#include "base/memory.h"

enum { DIGITS = 8, VALUES = 256 };

struct item {
    uint64_t key;
    uint32_t index;
};

struct counts {
    uint32_t of[DIGITS][VALUES];
};

static unsigned digit_of(uint64_t key, int digit)
{
    return (unsigned)(key >> (8 * digit)) & (VALUES - 1);
}

static void load(const uint64_t *keys, size_t count, struct item *items, struct counts *counts)
{
    for (size_t i = 0; i < count; ++i) {
        items[i] = (struct item){.key = keys[i], .index = (uint32_t)i};
        for (int digit = 0; digit < DIGITS; ++digit)
            ++counts->of[digit][digit_of(keys[i], digit)];
    }
}

static void scatter(const struct item *from, struct item *to, size_t count, int digit, uint32_t *next)
{
    // replace each count by the position of the first item with that value
    uint32_t before = 0;
    for (int value = 0; value < VALUES; ++value) {
        const uint32_t here = next[value];
        next[value] = before;
        before += here;
    }
    for (size_t i = 0; i < count; ++i)
        to[next[digit_of(from[i].key, digit)]++] = from[i];
}

scree_status scree_sort_order(const uint64_t *keys, size_t count, uint32_t *order)
{
    if (count > UINT32_MAX)
        return scree_status_fail(SCREE_ERROR_LIMIT, "%zu keys are too many to sort; the maximum is %lu",
                                 count, (unsigned long)UINT32_MAX);
    if (count == 0)
        return SCREE_OK;
    struct item *scratch;
    SCREE_TRY(scree_memory_new(2 * count, sizeof *scratch, (void **)&scratch));
    struct item *from = scratch, *to = scratch + count;
    struct counts counts = {0};
    load(keys, count, from, &counts);
    for (int digit = 0; digit < DIGITS; ++digit) {
        // skip a byte that is the same in all keys
        if (counts.of[digit][digit_of(keys[0], digit)] == count)
            continue;
        scatter(from, to, count, digit, counts.of[digit]);
        struct item *swap = from;
        from = to;
        to = swap;
    }
    for (size_t i = 0; i < count; ++i)
        order[i] = from[i].index;
    scree_memory_free(scratch);
    return SCREE_OK;
}

// --- in place: heap sort

static void sink(uint64_t *keys, size_t root, size_t count)
{
    const uint64_t key = keys[root];
    for (size_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        child += child + 1 < count && keys[child + 1] > keys[child];
        if (keys[child] <= key)
            break;
        keys[root] = keys[child];
        root = child;
    }
    keys[root] = key;
}

void scree_sort_in_place(uint64_t *keys, size_t count)
{
    for (size_t root = count / 2; root-- > 0;)
        sink(keys, root, count);
    for (size_t end = count; end-- > 1;) {
        const uint64_t largest = keys[0];
        keys[0] = keys[end];
        keys[end] = largest;
        sink(keys, 0, end);
    }
}
