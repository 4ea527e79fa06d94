// Key of a contact: identifies it independently of slots and order.
//
// Invariants: `low` is the body of lower id; at a wall, the body. A key has no padding, so equal keys are
// equal byte for byte.

#ifndef SCREE_WORLD_CONTACT_KEY_H
#define SCREE_WORLD_CONTACT_KEY_H

#include "world/registry.h"

#include <assert.h>

// Types of the two sides. The numbers are written to files.
enum scree_contact_kind {
    SCREE_CONTACT_OF_GRAINS,
    SCREE_CONTACT_OF_WALL,
    SCREE_CONTACT_OF_SHAPES,         // two bodies, at least one of which is a polyhedron
    SCREE_CONTACT_OF_SHAPE_AND_WALL, // a polyhedron and a wall
    SCREE_CONTACT_KINDS
};

static inline bool scree_contact_kind_is_wall(unsigned kind)
{
    return kind == SCREE_CONTACT_OF_WALL || kind == SCREE_CONTACT_OF_SHAPE_AND_WALL;
}

struct scree_contact_key {
    uint64_t low, high;           // ids of two bodies, or of a body and a wall
    uint32_t low_part, high_part; // number of the grain within its body; 0 for the body's own
    uint32_t feature;             // feature of the wall, or of both sides of a contact of polyhedra
    uint16_t image;               // periodic image of the high side; always 0, the nearest
    uint16_t kind;                // enum scree_contact_kind
};

// Identity of a grain.
struct scree_contact_key_grain {
    uint64_t body;    // id
    uint64_t carried; // id of the grain, 0 for the body's own
};

static_assert(sizeof(struct scree_contact_key) == 32, "a key has no padding");

// Members of the two structs as fields.
extern const struct scree_registry_part scree_contact_key_fields[], scree_contact_key_grain_fields[];

// Compares by low side, kind, image, high side and feature. Returns a number below, equal to or above 0.
int scree_contact_key_compare(const struct scree_contact_key *a, const struct scree_contact_key *b);

// Fills `order` with the indices of the keys in that order.
SCREE_NODISCARD scree_status scree_contact_key_order(const struct scree_contact_key *key, size_t count,
                                                     uint32_t *order);

#endif
