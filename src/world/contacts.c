// Contacts, see contacts.h.

#include "world/contacts.h"

#include "base/memory.h"
#include "base/sort.h"

static void free_index(struct scree_contacts *contacts)
{
    scree_memory_free(contacts->row_first);
    scree_memory_free(contacts->row);
    contacts->row_first = contacts->row = NULL;
}

scree_status scree_contacts_index(struct scree_contacts *contacts)
{
    if (contacts->row_first)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(contacts->grains + 2, sizeof(uint32_t), (void **)&contacts->row_first));
    const scree_status status =
        scree_memory_new(2 * contacts->pair_count, sizeof(uint32_t), (void **)&contacts->row);
    if (status != SCREE_OK) {
        free_index(contacts);
        return status;
    }
    uint32_t *next = contacts->row_first + 1;
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        // skip self-pairs, which are padding
        next[pair.low + 1] += pair.low != pair.high;
        next[pair.high + 1] += pair.low != pair.high;
    }
    for (size_t i = 0; i < contacts->grains; ++i)
        next[i + 1] += next[i];
    // filling advances the begin of each slot to its end, which is the begin of the next one
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        if (pair.low != pair.high) {
            contacts->row[next[pair.low]++] = (uint32_t)c;
            contacts->row[next[pair.high]++] = (uint32_t)c;
        }
    }
    return SCREE_OK;
}

// Linear search, used if there is no memory for a sorted index.
static size_t find_linear(const struct scree_contacts *contacts, uint64_t id)
{
    for (size_t i = 0; i < contacts->grains; ++i)
        if (contacts->id[i] == id)
            return i;
    return SIZE_MAX;
}

size_t scree_contacts_first_of(const struct scree_contacts *contacts, uint64_t id)
{
    size_t first = 0, last = contacts->grains;
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (contacts->id[contacts->by_id[middle]] < id)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

size_t scree_contacts_find(struct scree_contacts *contacts, uint64_t id)
{
    const size_t grains = contacts->grains;
    if (!contacts->by_id) {
        if (scree_memory_new(grains, sizeof *contacts->by_id, (void **)&contacts->by_id) != SCREE_OK)
            return find_linear(contacts, id);
        if (scree_sort_order(contacts->id, grains, contacts->by_id) != SCREE_OK) {
            scree_memory_free(contacts->by_id);
            contacts->by_id = NULL;
            return find_linear(contacts, id);
        }
    }
    const size_t first = scree_contacts_first_of(contacts, id);
    return first < grains && contacts->id[contacts->by_id[first]] == id ? contacts->by_id[first] : SIZE_MAX;
}

void scree_contacts_free_outside(struct scree_outside_contacts *outside)
{
    void *const blocks[] = {outside->first,  outside->pair, outside->wall,    outside->class_of,
                            outside->layout, outside->live, outside->feature, outside->history,
                            outside->axis,   outside->force};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
    *outside = (struct scree_outside_contacts){0};
}

void scree_contacts_free(struct scree_contacts *contacts)
{
    void *const blocks[] = {
        contacts->first,         contacts->pair,           contacts->class_of,          contacts->layout,
        contacts->history,       contacts->live,           contacts->crowded,           contacts->id,
        contacts->group,         contacts->depth,          contacts->walls.first,       contacts->walls.pair,
        contacts->walls.feature, contacts->walls.class_of, contacts->walls.layout,      contacts->walls.live,
        contacts->walls.history, contacts->walls.order,    contacts->walls.id,          contacts->row_first,
        contacts->row,           contacts->carried,        contacts->tangential_factor, contacts->by_id,
        contacts->part,          contacts->walls.force,    contacts->walls.rough};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
    scree_contacts_free_outside(&contacts->outside);
    *contacts = (struct scree_contacts){0};
}
