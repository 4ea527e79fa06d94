// What tells one contact from every other, whatever the slots, threads and ranks.
//
// A contact is between two sides; a side is a part of a body (part 0: the body's own grain; facets and
// vertices number on). `image` says in which periodic image the second side is met, `feature` tells contacts
// of one pair of parts apart (manifolds). What always holds: the lower side comes first, so the two ranks
// that see a contact across their border name it alike; sums over the contacts of a body run by ascending
// key.

#ifndef SCREE_WORLD_KEY_H
#define SCREE_WORLD_KEY_H

#include <stdbool.h>
#include <stdint.h>

struct scree_key_side {
    uint64_t id;
    uint32_t part;
};

struct scree_key {
    struct scree_key_side low, high;
    int8_t image[3];
    uint8_t feature;
};

static inline int scree_key_compare_sides(struct scree_key_side a, struct scree_key_side b)
{
    if (a.id != b.id)
        return a.id < b.id ? -1 : 1;
    return (a.part > b.part) - (a.part < b.part);
}

// Names the contact of `a` with the image of `b` shifted by `image` cells. `swapped` tells whether the sides
// changed places, and with them the sign of normal and force.
static inline struct scree_key scree_key_make(struct scree_key_side a, struct scree_key_side b,
                                              const int8_t image[3], uint8_t feature, bool *swapped)
{
    // a body that meets its own image is ordered by the first cell index that differs from 0
    int order = scree_key_compare_sides(a, b);
    for (int k = 0; k < 3 && order == 0; ++k)
        order = (image[k] < 0) - (image[k] > 0);
    *swapped = order > 0;
    const int sign = *swapped ? -1 : 1;
    struct scree_key key = {*swapped ? b : a, *swapped ? a : b, {0}, feature};
    for (int k = 0; k < 3; ++k)
        key.image[k] = (int8_t)(sign * image[k]);
    return key;
}

// The order of summation: negative, zero or positive.
static inline int scree_key_compare(const struct scree_key *a, const struct scree_key *b)
{
    int order = scree_key_compare_sides(a->low, b->low);
    if (order == 0)
        order = scree_key_compare_sides(a->high, b->high);
    for (int k = 0; k < 3 && order == 0; ++k)
        order = (a->image[k] > b->image[k]) - (a->image[k] < b->image[k]);
    return order ? order : (a->feature > b->feature) - (a->feature < b->feature);
}

#endif
