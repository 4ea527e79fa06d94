// What contacts with a mesh need: the facets at each edge and vertex, whether an edge is flat, convex or
// concave, and flat patches.
//
// Invariants: the facets of a vertex are in ascending order. A patch is a set of facets that are joined by
// flat edges and lie in one plane within the error of their vertices; patches are numbered by their first
// facet.

#ifndef SCREE_SHAPE_MESH_TOPOLOGY_H
#define SCREE_SHAPE_MESH_TOPOLOGY_H

#include "shape/mesh_edges.h"

// FLAT: two facets that may lie in one plane, given the error of their vertices. CONVEX: they bend away from
// their front. MANY: more than two facets.
enum scree_mesh_bend {
    SCREE_MESH_OPEN,
    SCREE_MESH_FLAT,
    SCREE_MESH_CONVEX,
    SCREE_MESH_CONCAVE,
    SCREE_MESH_MANY,
    SCREE_MESH_BENDS
};

struct scree_mesh_topology {
    struct scree_mesh_edges edges;
    uint8_t *bend;          // of each edge, enum scree_mesh_bend
    uint32_t *vertex_begin; // facets of vertex v: vertex_facet[vertex_begin[v]] to before vertex_begin[v + 1]
    uint32_t *vertex_facet;
    uint32_t *patch; // of each facet
    size_t patches;
};

// Finds the topology of a repaired mesh. Free it also after a failure.
SCREE_NODISCARD scree_status scree_mesh_topology_find(const struct scree_mesh *mesh,
                                                      struct scree_mesh_topology *topology);
void scree_mesh_topology_free(struct scree_mesh_topology *topology);

// A bound of the distance of each vertex from its true position, round-off included.
double scree_mesh_topology_error(const struct scree_mesh *mesh);

// Finds the patches; called by scree_mesh_topology_find.
SCREE_NODISCARD scree_status scree_mesh_patches_find(const struct scree_mesh *mesh, double error,
                                                     struct scree_mesh_topology *topology);

#endif
