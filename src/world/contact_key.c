// Keys of contacts, see contact_key.h.

#include "world/contact_key.h"

#include "base/memory.h"
#include "base/sort.h"

enum { WORDS = 4 };

// A key as words, of which the first counts most.
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

// Stable sorts, the last word first.
scree_status scree_contact_key_order(const struct scree_contact_key *key, size_t count, uint32_t *order)
{
    uint64_t *value = NULL;
    uint32_t *place = NULL, *before = NULL;
    scree_status status = scree_memory_new(count, sizeof *value, (void **)&value);
    if (status == SCREE_OK)
        status = scree_memory_new(count, sizeof *place, (void **)&place);
    if (status == SCREE_OK)
        status = scree_memory_new(count, sizeof *before, (void **)&before);
    for (size_t k = 0; k < count && status == SCREE_OK; ++k)
        order[k] = (uint32_t)k;
    for (int word = WORDS - 1; word >= 0 && status == SCREE_OK; --word) {
        for (size_t k = 0; k < count; ++k) {
            before[k] = order[k];
            value[k] = word_of(&key[before[k]], word);
        }
        status = scree_sort_order(value, count, place);
        for (size_t k = 0; k < count && status == SCREE_OK; ++k)
            order[k] = before[place[k]];
    }
    scree_memory_free(before);
    scree_memory_free(place);
    scree_memory_free(value);
    return status;
}
