// The edges of a mesh: which facets meet at each, however many.
//
// Side 3 f + k of facet f goes from its vertex k to vertex (k + 1) % 3. Invariants: each side belongs to one
// edge; the sides of an edge are consecutive in `side`, in ascending order; edges are in ascending order of
// their vertices, vertex[0] < vertex[1].

#ifndef SCREE_SHAPE_MESH_EDGES_H
#define SCREE_SHAPE_MESH_EDGES_H

#include <scree/mesh.h>

struct scree_mesh_edge {
    uint32_t vertex[2];
    uint32_t first; // position in `side`
    uint32_t sides; // 1: open, 2: between two facets, more: non-manifold
};

struct scree_mesh_edges {
    struct scree_mesh_edge *edge;
    size_t count;
    uint32_t *side;          // of all edges
    uint32_t (*of_facet)[3]; // edge of each side
};

// Finds the edges of a mesh without degenerate facets. Free them also after a failure.
SCREE_NODISCARD scree_status scree_mesh_edges_find(const struct scree_mesh *mesh,
                                                   struct scree_mesh_edges *edges);
void scree_mesh_edges_free(struct scree_mesh_edges *edges);

// Reverses the facets of a mesh with flip[f] != 0, and their sides.
void scree_mesh_edges_flip(struct scree_mesh *mesh, struct scree_mesh_edges *edges, const uint8_t *flip);

// Returns whether a side goes from vertex[0] of its edge to vertex[1].
static inline bool scree_mesh_edges_forward(const struct scree_mesh *mesh, uint32_t side)
{
    const uint32_t *v = mesh->facet[side / 3];
    return v[side % 3] < v[(side % 3 + 1) % 3];
}

// The vertex of a facet opposite to a side.
static inline uint32_t scree_mesh_edges_opposite(const struct scree_mesh *mesh, uint32_t side)
{
    return mesh->facet[side / 3][(side % 3 + 2) % 3];
}

#endif
