// Keys of contacts, see contact_key.h.

#include "world/contact_key.h"

#include "base/memory.h"
#include "base/sort.h"

enum { WORDS = 4 };

#define PART(record, member, type, more, about)                                                              \
    {                                                                                                        \
        offsetof(struct record, member),                                                                     \
        {                                                                                                    \
            NULL, #member, type, 1, "", SCREE_SCALAR, SCREE_TIMELESS,                                        \
                SCREE_PERSISTED | SCREE_GHOSTED | SCREE_OWNED | (more), about                                \
        }                                                                                                    \
    }

const struct scree_registry_part scree_contact_key_fields[] = {
    PART(scree_contact_key, low, SCREE_U64, 0, "Id of the first side, a body."),
    PART(scree_contact_key, high, SCREE_U64, 0, "Id of the second side: a body of higher id, or a wall."),
    PART(scree_contact_key, low_part, SCREE_U32, 0,
         "Number of the grain within the first body; 0 for its own."),
    PART(scree_contact_key, high_part, SCREE_U32, 0,
         "Number of the grain within the second body; 0 for its own, and for a wall."),
    PART(scree_contact_key, feature, SCREE_U32, 0,
         "Feature of the wall: the face of a box with bodies inside, else 0; of a polyhedron which of its "
         "vertices "
         "or edges touches what."),
    PART(scree_contact_key, image, SCREE_U16, 0, "Periodic image of the second side; 0 is the nearest."),
    PART(scree_contact_key, kind, SCREE_U16, 0,
         "Type of the second side: 0 a body, 1 a wall; 2 and 3 the same with a polyhedron."),
    {0}};

const struct scree_registry_part scree_contact_key_grain_fields[] = {
    PART(scree_contact_key_grain, body, SCREE_U64, SCREE_NEUTRAL, "Id of the body."),
    PART(scree_contact_key_grain, carried, SCREE_U64, SCREE_NEUTRAL,
         "Id of a carried grain; 0 for the body's own."),
    {0}};
#undef PART

// A key as words, the most significant first.
static uint64_t word_of(const struct scree_contact_key *key, int word)
{
    switch (word) {
    case 0:
        return key->low;
    case 1:
        return (uint64_t)key->low_part << 32 | (uint64_t)key->kind << 16 | key->image;
    case 2:
        return key->high;
    default:
        return (uint64_t)key->high_part << 32 | key->feature;
    }
}

int scree_contact_key_compare(const struct scree_contact_key *a, const struct scree_contact_key *b)
{
    for (int word = 0; word < WORDS; ++word)
        if (word_of(a, word) != word_of(b, word))
            return word_of(a, word) < word_of(b, word) ? -1 : 1;
    return 0;
}

// Radix sort by words: stable sorts, the least significant word first.
scree_status scree_contact_key_order(const struct scree_contact_key *key, size_t count, uint32_t *order)
{
    uint64_t *value = NULL;
    uint32_t *sorted = NULL, *before = NULL;
    scree_status status = scree_memory_new(count, sizeof *value, (void **)&value);
    if (status == SCREE_OK)
        status = scree_memory_new(count, sizeof *sorted, (void **)&sorted);
    if (status == SCREE_OK)
        status = scree_memory_new(count, sizeof *before, (void **)&before);
    for (size_t k = 0; k < count && status == SCREE_OK; ++k)
        order[k] = (uint32_t)k;
    for (int word = WORDS - 1; word >= 0 && status == SCREE_OK; --word) {
        for (size_t k = 0; k < count; ++k) {
            before[k] = order[k];
            value[k] = word_of(&key[before[k]], word);
        }
        status = scree_sort_order(value, count, sorted);
        for (size_t k = 0; k < count && status == SCREE_OK; ++k)
            order[k] = before[sorted[k]];
    }
    scree_memory_free(before);
    scree_memory_free(sorted);
    scree_memory_free(value);
    return status;
}
