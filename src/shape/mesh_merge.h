// Makes equal vertices one, see scree/mesh.h.

#ifndef SCREE_SHAPE_MESH_MERGE_H
#define SCREE_SHAPE_MESH_MERGE_H

#include "math/real.h"

#include <scree/mesh.h>

// A number that is the same for points with the same coordinates, where 0 and -0 differ.
static inline uint64_t scree_mesh_merge_hash(const double x[3])
{
    uint64_t hash = 0;
    for (int k = 0; k < 3; ++k) {
        hash = (hash ^ scree_real_bits(x[k])) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash * UINT64_C(0xBF58476D1CE4E5B9) >> 32;
}

// Makes vertices with the same coordinates one; 0 and -0 are the same. The others keep their order.
SCREE_NODISCARD scree_status scree_mesh_merge_equal(struct scree_mesh *mesh);

// Moves each vertex that is within `tolerance` (above 0) of an earlier one that was not moved onto the first
// such vertex, and counts them.
SCREE_NODISCARD scree_status scree_mesh_merge_near(struct scree_mesh *mesh, double tolerance, size_t *moved);

// Removes the vertices without a facet, and counts them.
SCREE_NODISCARD scree_status scree_mesh_merge_unused(struct scree_mesh *mesh, size_t *unused);

#endif
