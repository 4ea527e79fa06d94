// Summing pushes, see gather.h.

#include "engine/gather.h"

#include "base/memory.h"
#include "base/processor.h"

#include <string.h>

enum {
    GROUP = 8,
    DEEPEST = 32, // longer rows go on one by one, so that eight bodies do not wait for a large one
    AHEAD = 4     // groups whose records across tiles are called from memory
};

// An entry laid out: number of the record of a side, and whether it is inside a tile.
static uint32_t laid(uint32_t entry)
{
    return (entry >> 2 << 1 | (entry & 1)) << 1 | (entry >> 1 & 1);
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

static scree_status grow(uint32_t **block, size_t *room, size_t wanted)
{
    if (wanted <= *room)
        return SCREE_OK;
    SCREE_TRY(scree_memory_resize((void **)block, *room, wanted, sizeof **block));
    *room = wanted;
    return SCREE_OK;
}

scree_status scree_gather_lay(struct scree_gather_rows *rows, const struct scree_contacts *contacts)
{
    const size_t groups = (contacts->grains + GROUP - 1) / GROUP;
    const uint32_t nothing = laid(scree_contacts_entry((uint32_t)contacts->inside[0], false, false));
    SCREE_TRY(grow(&rows->first, &rows->groups, groups + 1));
    rows->first[0] = 0;
    for (size_t g = 0; g < groups; ++g)
        rows->first[g + 1] = rows->first[g] + depth_of(contacts, g);
    SCREE_TRY(grow(&rows->entry, &rows->entries, GROUP * (size_t)rows->first[groups]));
    for (size_t g = 0; g < groups; ++g)
        for (size_t l = 0; l < GROUP; ++l) {
            const size_t i = GROUP * g + l;
            const uint32_t begin = i < contacts->grains ? contacts->row_first[i] : 0;
            const uint32_t length = i < contacts->grains ? contacts->row_first[i + 1] - begin : 0;
            const uint32_t depth = rows->first[g + 1] - rows->first[g];
            for (uint32_t k = 0; k < depth; ++k)
                rows->entry[GROUP * (size_t)(rows->first[g] + k) + l] =
                    k < length ? laid(contacts->row[begin + k]) : nothing;
        }
    return SCREE_OK;
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
