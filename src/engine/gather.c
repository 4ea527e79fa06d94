// Summing pushes, see gather.h.

#include "engine/gather.h"

#include "base/memory.h"
#include "base/processor.h"

#include <string.h>

enum {
    GROUP = 8,
    AHEAD = 4,   // groups whose records are called from memory
    DEEPEST = 32 // longer rows go on one by one, so that eight bodies do not wait for a large one
};

// what candidates that are not near give
static const double nothing[2 * SCREE_KERNEL_PUSH] __attribute__((aligned(64)));

// An entry laid out: number of the record of a side, whether it is inside a tile, and whether it counts.
static uint32_t laid(uint32_t entry, bool counts)
{
    return ((entry >> 2 << 1 | (entry & 1)) << 1 | (entry >> 1 & 1)) << 1 | counts;
}

static uint32_t depth_of(const struct scree_contacts *contacts, size_t group)
{
    uint32_t depth = 0;
    for (size_t i = GROUP * group; i < GROUP * (group + 1) && i < contacts->grains; ++i) {
        const uint32_t length = contacts->row_first[i + 1] - contacts->row_first[i];
        depth = length > depth ? length : depth;
    }
    return depth < DEEPEST ? depth : DEEPEST;
}

// Whether the record of an entry of a row is to be read.
static bool counts(const struct scree_contacts *contacts, uint32_t entry, size_t first)
{
    return scree_contacts_is_live(contacts, (entry >> 1 & 1 ? first : 0) + (entry >> 2));
}

scree_status scree_gather_lay(struct scree_gather_rows *rows, const struct scree_contacts *contacts)
{
    const size_t groups = (contacts->grains + GROUP - 1) / GROUP;
    SCREE_TRY(scree_memory_grow((void **)&rows->first, &rows->groups, groups + 1, sizeof *rows->first));
    rows->first[0] = 0;
    for (size_t g = 0; g < groups; ++g)
        rows->first[g + 1] = rows->first[g] + depth_of(contacts, g);
    SCREE_TRY(scree_memory_grow((void **)&rows->entry, &rows->entries, GROUP * (size_t)rows->first[groups],
                                sizeof *rows->entry));
    for (size_t i = 0; i < GROUP * groups; ++i) {
        const uint32_t begin = i < contacts->grains ? contacts->row_first[i] : 0;
        const uint32_t length = i < contacts->grains ? contacts->row_first[i + 1] - begin : 0;
        const size_t inside = contacts->inside[i / SCREE_CONTACTS_TILE], g = i / GROUP;
        uint32_t *entry = &rows->entry[GROUP * (size_t)rows->first[g] + i % GROUP];
        for (uint32_t k = 0; k < rows->first[g + 1] - rows->first[g]; ++k) {
            const uint32_t own = k < length ? contacts->row[begin + k] : 0;
            entry[GROUP * (size_t)k] = k < length ? laid(own, counts(contacts, own, inside)) : laid(0, false);
        }
    }
    return SCREE_OK;
}

// The rows of a group are shared by threads that mark candidates across tiles, each an entry of its own. Sums
// read plainly: what is across tiles is marked before any sum, and inside a tile by the thread that sums it.
static void mark(const struct scree_gather_rows *rows, size_t i, uint32_t entry, bool live)
{
    const uint32_t own = laid(entry, false);
    uint32_t *word = &rows->entry[GROUP * (size_t)rows->first[i / GROUP] + i % GROUP];
    for (uint32_t k = rows->first[i / GROUP]; k < rows->first[i / GROUP + 1]; ++k, word += GROUP)
        if ((__atomic_load_n(word, __ATOMIC_RELAXED) & ~1u) == own) {
            __atomic_store_n(word, own | live, __ATOMIC_RELAXED);
            return;
        }
}

void scree_gather_mark(const struct scree_gather_rows *rows, const struct scree_contacts *contacts,
                       bool inside, const uint32_t *candidate, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        const struct scree_pair pair = contacts->pair[candidate[k]];
        const size_t first = inside ? contacts->inside[pair.low / SCREE_CONTACTS_TILE] : 0;
        const uint32_t record = candidate[k] - (uint32_t)first;
        const bool live = scree_contacts_is_live(contacts, candidate[k]);
        mark(rows, pair.low, scree_contacts_entry(record, inside, false), live);
        mark(rows, pair.high, scree_contacts_entry(record, inside, true), live);
    }
}

#define SCREE_KERNEL_BODY "engine/gather.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

static void (*const sets[SCREE_KERNEL_SETS])(const struct scree_gather *, size_t, size_t) = {
    scree_kernel_sum_v2,
#if defined __x86_64__
    scree_kernel_sum_v3,
    scree_kernel_sum_v4,
#endif
};

void scree_gather_contacts(const struct scree_gather *gather, size_t first, size_t last)
{
    sets[scree_processor_set()](gather, first, last);
}

void scree_gather_add(const struct scree_gather *gather, size_t i, const double *push)
{
    struct scree_wrench *wrench = &gather->wrench[i - gather->origin];
    for (int k = 0; k < 3; ++k) {
        wrench->force[k] += push[k];
        wrench->moment[k] += push[4 + k];
    }
    gather->loss[i].friction += push[3];
    gather->loss[i].dashpot += push[7];
    gather->loss[i].ahead += push[7];
    if (gather->width > SCREE_KERNEL_PUSH)
        gather->loss[i].inner += push[SCREE_KERNEL_PUSH + 3];
}
