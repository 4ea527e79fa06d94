// The shapes of clumps that a scene defines under `clumps`.
//
// Invariants: a shape is computed once, when it is first needed, and kept until the scene is freed. All
// positions are relative to the centre of mass.

#ifndef SCREE_LANGUAGE_CLUMPS_H
#define SCREE_LANGUAGE_CLUMPS_H

#include "language/clump_parts.h"
#include "language/key.h"
#include "pack/body.h"

#include <scree/shape.h>

struct scree_reading;
struct scree_node;

struct scree_clumps_shape {
    const char *name;
    uint64_t number; // 1 for the first of the scene
    size_t pebbles;
    struct scree_pack_pebble *packed;    // along the axes of the shape, for an equal radius of 1
    struct scree_pack_pebble *principal; // the same along the principal axes
    // null without `parts`: the polyhedra of pebbles as written, with orientations of their axes along the
    // principal axes. The pebble is the sphere around a polyhedron
    struct scree_clump_part *part;
    uint16_t *material; // of each pebble: its number in the scene from 1, which is its id; 0 for none
    // of a file, to print the scene without it: pebbles as the file gives them, in m, and its values of a
    // body of uniform density, with the volume 0 if it has none; null for others
    struct scree_pack_pebble *of_file;
    struct scree_shape_values uniform;
    double radius;                   // of the sphere (disk) of equal volume (area), as written, m
    double reach, largest, smallest; // as in struct scree_pack_shape
    double shared;
    double axes[4];               // the principal axes in the axes of the shape
    double square[3];             // principal moments of inertia over the mass, for an equal radius of 1
    double given_mass;            // as written, kg; 0: the mass follows from the density
    struct scree_shape_mass mass; // as written; the error is a bound, or a standard error if sampled
    enum scree_shape_method method;
    bool is_mesh;
    struct scree_shape_fidelity fidelity; // of a mesh
};

struct scree_clumps {
    SCREE_ARRAY(struct scree_clumps_shape *) shape;
};

// The polyhedron of a pebble; null for a sphere or disk.
static inline const struct scree_polyhedra_shape *
scree_clumps_polyhedron(const struct scree_clumps_shape *shape, size_t pebble)
{
    return shape->part ? shape->part[pebble].polyhedron : NULL;
}

void scree_clumps_free(struct scree_clumps *clumps);

// Returns the shape of this name; null if there is none, or after a diagnostic or a failure.
const struct scree_clumps_shape *scree_clumps_find(struct scree_reading *reading, const char *name);

// The same for the name that is the value of a key.
const struct scree_clumps_shape *scree_clumps_read(struct scree_reading *reading,
                                                   const struct scree_node *map, enum scree_key_id key);

// Returns shape number `index` of the scene, from 0, in the same way; null past the last.
const struct scree_clumps_shape *scree_clumps_at(struct scree_reading *reading, size_t index);

// Makes all shapes, so that mistakes in those that are not used are reported too.
SCREE_NODISCARD scree_status scree_clumps_make(struct scree_reading *reading);

#endif
