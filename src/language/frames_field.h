// The arrays of bodies, contacts, walls, pebbles, bonds, polyhedra and the cell that frames can have, by
// name.
//
// Arrays of bodies are all numeric fields of the registry and some derived quantities. Arrays of contacts,
// walls, pebbles, bonds, polyhedra and the cell are a fixed list; their names begin with "contact.", "wall.",
// "pebble.", "bond.", "polyhedron." and "cell.".

#ifndef SCREE_LANGUAGE_FRAMES_FIELD_H
#define SCREE_LANGUAGE_FRAMES_FIELD_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    SCREE_FRAMES_BODIES,
    SCREE_FRAMES_CONTACTS,
    SCREE_FRAMES_WALLS,
    SCREE_FRAMES_PEBBLES,
    SCREE_FRAMES_BONDS,
    SCREE_FRAMES_POLYHEDRA,
    SCREE_FRAMES_CELL,
    SCREE_FRAMES_SERIES
};

// The quantity of an array.
enum scree_frames_quantity {
    SCREE_FRAMES_FIELD, // a field of the registry, by name
    // fields whose values are others in a world with clumps or polyhedra
    SCREE_FRAMES_SIZE,
    SCREE_FRAMES_SHAPE,
    SCREE_FRAMES_ORIENTATION,
#define DERIVED(series, quantity, ...) SCREE_FRAMES_##quantity,
#include "language/frames_field.def"
};

struct scree_frames_field {
    int series;
    enum scree_frames_quantity quantity;
    const char *name; // of the array
    unsigned width;   // number of components; 0 for a field of the registry
};

// Whether a quantity is one of the facets of meshes.
static inline bool scree_frames_field_is_of_facets(enum scree_frames_quantity quantity)
{
    return quantity >= SCREE_FRAMES_WALL_FACET && quantity <= SCREE_FRAMES_WALL_IMPACT_ENERGY;
}

// In the same order as scree_frames_field_names.
extern const struct scree_frames_field scree_frames_field_rows[];
extern const char *const scree_frames_field_names[]; // null-terminated

#endif
