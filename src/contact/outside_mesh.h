// Contacts of a polyhedron with a mesh: a wall of facets without rounding.
//
// As for two polyhedra (docs/theory/polyhedra.md) the contacts are those of vertices of one side with the
// whole of the other, and of pairs of edges. A vertex of the polyhedron touches the mesh like a sphere with
// the radius of the rounding: at each local minimum of the distance, so edges between facets of one plane do
// not count. Edges of the mesh count if their faces meet at an angle above the smooth angle, on the side on
// which they are convex; vertices of the mesh if such an edge ends there.
//
// Keys. The contact of a vertex with a face has the number of the vertex and of the flat patch, so it does
// not depend on how a plane is divided in triangles.

#ifndef SCREE_CONTACT_OUTSIDE_MESH_H
#define SCREE_CONTACT_OUTSIDE_MESH_H

#include "contact/outside.h"
#include "convex/pair.h"

// Largest numbers of facets and edges of a mesh, so that keys fit into 32 bits.
enum { SCREE_OUTSIDE_MESH_FACETS = 1 << 18, SCREE_OUTSIDE_MESH_EDGES = 1 << 19 };

// Facets near a corner, of which fewer must be within the rounding.
enum { SCREE_OUTSIDE_MESH_NEAR = 512 };

// Returned if there are more.
#define SCREE_OUTSIDE_MESH_CROWDED SIZE_MAX

// Finds all contacts; `position` is that of the reference point of the body, whose own position is 0. At most
// `capacity` are stored, the number of all is returned, or SCREE_OUTSIDE_MESH_CROWDED.
size_t scree_outside_mesh_find(const struct scree_convex_body *body, struct scree_vec3 position,
                               const struct scree_wall *wall, struct scree_convex_contact *contact,
                               size_t capacity);

// The contact among `old` ones that touch `n` of a pair continues although its key is new: the same vertex of
// the polyhedron at a feature of the mesh that it no longer touches. Returns `count` if there is none.
size_t scree_outside_mesh_left(const struct scree_outside_pair *pair, size_t n, const uint32_t *old,
                               size_t count);

#endif
