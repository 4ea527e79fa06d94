// The shapes of polyhedra that a scene defines under `polyhedra`.
//
// Invariants: a shape is computed once, when it is first needed, and kept until the scene is freed.

#ifndef SCREE_LANGUAGE_POLYHEDRA_H
#define SCREE_LANGUAGE_POLYHEDRA_H

#include "convex/convex.h"
#include "language/key.h"
#include "pack/body.h"
#include "world/records.h"

struct scree_reading;
struct scree_node;

// Reports a name that the shape of a clump or a polyhedron must not have; `what` is "a clump" or the like.
// Returns true if it is good.
bool scree_polyhedra_check_name(struct scree_reading *reading, const struct scree_node *map, const char *what,
                                const char *name);

struct scree_polyhedra_shape {
    const char *name;
    // the part at least the rounding below all faces, as written: about the centre of mass, along the
    // principal axes; without vertices after a mistake
    struct scree_convex core;
    struct scree_shape row;
    // of a mesh: the vertices of its hull, and the largest error of their coordinates. The keys `vertices`
    // and `vertex-error` with these values give the same numbers as its file
    double (*vertex)[3];
    size_t vertices;
    double vertex_error;
    double radius, reach;            // of the sphere of equal volume, and distance of the farthest point, m
    struct scree_pack_pebble around; // the sphere around the body, for an equal radius of 1
};

struct scree_polyhedra {
    SCREE_ARRAY(struct scree_polyhedra_shape *) shape;
};

void scree_polyhedra_free(struct scree_polyhedra *polyhedra);

// Returns the shape of this name; null if there is none, or after a diagnostic or a failure.
const struct scree_polyhedra_shape *scree_polyhedra_find(struct scree_reading *reading, const char *name);

// The same for the name that is the value of a key.
const struct scree_polyhedra_shape *scree_polyhedra_read(struct scree_reading *reading,
                                                         const struct scree_node *map, enum scree_key_id key);

// Returns shape number `index` of the scene, from 0, in the same way; null past the last.
const struct scree_polyhedra_shape *scree_polyhedra_at(struct scree_reading *reading, size_t index);

// Reports a key that does not fit the dimension of the scene if the map has it; returns whether it fits. Only
// for keys of shapes of the other dimension.
bool scree_polyhedra_fits(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key);

// Makes all shapes, so that mistakes in those that are not used are reported too.
SCREE_NODISCARD scree_status scree_polyhedra_make(struct scree_reading *reading);

#endif
