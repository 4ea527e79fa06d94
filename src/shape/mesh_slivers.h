// Facets of a mesh whose three vertices are on a line: removing one would open the mesh.

#ifndef SCREE_SHAPE_MESH_SLIVERS_H
#define SCREE_SHAPE_MESH_SLIVERS_H

#include <scree/mesh.h>

// Radius of the inscribed circle of a facet: twice its area over its perimeter, 0 for three equal vertices.
double scree_mesh_slivers_radius(const struct scree_mesh *mesh, size_t facet);

// The radius up to which a facet has no area within round-off.
double scree_mesh_slivers_round_off(const struct scree_mesh *mesh);

// Makes facets with three different vertices on a line a part of their neighbours where that is possible:
// a b c, with b on the side from a to c, and its neighbour a c d become a b d and b c d. The surface stays
// the same and closed. Counts them.
SCREE_NODISCARD scree_status scree_mesh_slivers_mend(struct scree_mesh *mesh, size_t *mended);

#endif
