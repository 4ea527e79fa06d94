// Makes equal vertices one, see scree/mesh.h.

#ifndef SCREE_SHAPE_MESH_MERGE_H
#define SCREE_SHAPE_MESH_MERGE_H

#include <scree/mesh.h>

// Makes vertices with the same coordinates one; 0 and -0 are the same. The others keep their order.
SCREE_NODISCARD scree_status scree_mesh_merge_equal(struct scree_mesh *mesh);

// Moves each vertex that is within `tolerance` (above 0) of an earlier one that was not moved onto the first
// such vertex, and counts them.
SCREE_NODISCARD scree_status scree_mesh_merge_near(struct scree_mesh *mesh, double tolerance, size_t *moved);

// Removes the vertices without a facet, and counts them.
SCREE_NODISCARD scree_status scree_mesh_merge_unused(struct scree_mesh *mesh, size_t *unused);

#endif
