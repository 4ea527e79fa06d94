// Polyhedra: rows of shapes and their vertices, the hulls that contacts use, and bodies that have a shape,
// see include/scree/polyhedron.h.
//
// Invariants: a shape is never removed. Its hull is made from its rows alone, so a restart makes the same. A
// body that is a polyhedron is of the kind SCREE_KIND_RIGID, has SCREE_FLAG_SHAPED, and its radius is the
// reach of its shape. A carried grain that is one is of the kind SCREE_KIND_POLYHEDRON, has the same radius,
// and a row with its shape and its orientation in the body. In two dimensions
// shapes are polygons: volumes are areas, only the third moment of inertia is set, about z, and bodies are of
// the kind SCREE_KIND_POLAR.

#ifndef SCREE_WORLD_POLYHEDRON_H
#define SCREE_WORLD_POLYHEDRON_H

#include "math/mat3.h"
#include "world/world.h"

#include <scree/polyhedron.h>

// A shape, null if it does not exist; the shape of a body that is a polyhedron, null for another body; and
// that of a grain by its number in the array of all grains, null for a sphere or disk.
const struct scree_shape *scree_polyhedron_shape(const struct scree_world *world, uint64_t id);
const struct scree_shape *scree_polyhedron_of(const struct scree_world *world, size_t slot);
const struct scree_shape *scree_polyhedron_of_grain(const struct scree_world *world, size_t number);

// Rows of the shapes of carried grains, null if none has been a polyhedron.
struct scree_local_shape *scree_polyhedron_locals(const struct scree_world *world);

// The axes of the shape of a grain that is a polyhedron, in world axes.
struct scree_mat3 scree_polyhedron_axes(const struct scree_world *world, size_t number);

// Orientation of the principal axes of a shape; `given`: of the axes in which it was given, all zero for the
// identity.
SCREE_NODISCARD scree_status scree_polyhedron_orient(const struct scree_shape *shape, const double given[4],
                                                     double orientation[4]);

// Extends a bounding box by a grain whose record is up to date; returns false for others than polyhedra.
bool scree_polyhedron_include(const struct scree_world *world, size_t number, double lower[3],
                              double upper[3]);

static inline bool scree_polyhedron_any(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_SHAPE)->count > 0;
}

// Adds a shape: its core is the hull of `shape.vertices` points about the centre of mass, along the principal
// axes. The first vertex, the hull and the lengths derived from it are set here.
SCREE_NODISCARD scree_status scree_polyhedron_insert_shape(struct scree_world *world,
                                                           const struct scree_vec3 *core,
                                                           struct scree_shape shape, scree_shape_id *id);

// The same with all lengths multiplied by `scale`. If one of the last shapes has the same numbers, its id is
// returned, and none is added.
SCREE_NODISCARD scree_status scree_polyhedron_insert_scaled(struct scree_world *world,
                                                            const struct scree_vec3 *core,
                                                            struct scree_shape shape, double scale,
                                                            scree_shape_id *id);

// Makes the hulls of all shapes from restored rows.
SCREE_NODISCARD scree_status scree_polyhedron_restore(struct scree_world *world);

// Frees the hulls of all shapes.
void scree_polyhedron_free(struct scree_world *world);

#endif
