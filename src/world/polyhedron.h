// Polyhedra: rows of shapes and their vertices, the hulls that contacts use, and bodies that have a shape,
// see include/scree/polyhedron.h.
//
// Invariants: a shape is never removed. Its hull is made from its rows alone, so a restart makes the same. A
// body that is a polyhedron is of the kind SCREE_KIND_RIGID, has SCREE_FLAG_SHAPED, and its radius is the
// reach of its shape.

#ifndef SCREE_WORLD_POLYHEDRON_H
#define SCREE_WORLD_POLYHEDRON_H

#include "math/vec3.h"
#include "world/world.h"

#include <scree/polyhedron.h>

// The shape of a body, null if it is no polyhedron.
const struct scree_shape *scree_polyhedron_of(const struct scree_world *world, size_t slot);

// Corners of the bounding box of a polyhedron; false, and nothing written, for another body.
bool scree_polyhedron_bounds(const struct scree_world *world, size_t slot, double lower[3], double upper[3]);

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
