// The key of a contact: what tells it from all others, wherever its sides lie.
//
// What always holds: of two grains the one of lower id is `low`, of two parts of one id that of the lower
// part; at a wall `low` is the grain. A key has no padding, and equal keys are equal byte for byte.

#ifndef SCREE_WORLD_CONTACT_KEY_H
#define SCREE_WORLD_CONTACT_KEY_H

#include "world/registry.h"

#include <assert.h>

// What the sides are; numbers are written to files.
enum scree_contact_kind { SCREE_CONTACT_OF_GRAINS, SCREE_CONTACT_OF_WALL, SCREE_CONTACT_KINDS };

struct scree_contact_key {
    uint64_t low, high;           // ids: of two bodies, or of a body and a wall
    uint32_t low_part, high_part; // which grain of its body a side is: 0 for the body's own
    uint32_t feature;             // of the wall
    uint16_t image;               // of the high side; 0 while nothing but the nearest is touched
    uint16_t kind;                // of enum scree_contact_kind
};

// What tells a grain from all others.
struct scree_contact_key_grain {
    uint64_t body;    // id
    uint64_t carried; // id of the grain, 0 for the body's own
};

static_assert(sizeof(struct scree_contact_key) == 32, "a key has no padding");

// Their members as fields.
extern const struct scree_registry_part scree_contact_key_fields[], scree_contact_key_grain_fields[];

// By the low side, then kind and image, then the high side and its feature: less than, equal to or greater
// than 0.
int scree_contact_key_compare(const struct scree_contact_key *a, const struct scree_contact_key *b);

// Numbers of keys in that order.
SCREE_NODISCARD scree_status scree_contact_key_order(const struct scree_contact_key *key, size_t count,
                                                     uint32_t *order);

#endif
