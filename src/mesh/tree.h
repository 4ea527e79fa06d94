// Tree of boxes around the facets of a surface, to find those near a point. Facets are ordered along a Morton
// curve through space; each box encloses eight consecutive facets, or eight boxes of the level below.

#ifndef SCREE_MESH_TREE_H
#define SCREE_MESH_TREE_H

#include "base/status.h"
#include "mesh/surface.h"

enum { SCREE_MESH_BRANCHES = 8 };

// Adds the tree to a surface whose facets are complete.
SCREE_NODISCARD scree_status scree_mesh_tree_build(struct scree_mesh_surface *surface);

// Number of boxes of the lowest level, of eight facets each.
static inline size_t scree_mesh_leaves(const struct scree_mesh_surface *surface)
{
    return (surface->facets + SCREE_MESH_BRANCHES - 1) / SCREE_MESH_BRANCHES;
}

// Lists the boxes of the lowest level within a distance of a point in `leaf`, which has room for all; returns
// their number.
size_t scree_mesh_find_leaves(const struct scree_mesh_surface *surface, struct scree_vec3 point, double range,
                              uint32_t *leaf);

// Number of the eight facets of a box that a search with this point and range would find.
size_t scree_mesh_count_in_leaf(const struct scree_mesh_surface *surface, uint32_t leaf,
                                struct scree_vec3 point, double range);

// A search for the facets within a distance of a point, in no particular order.
struct scree_mesh_query {
    const struct scree_mesh_surface *surface;
    struct scree_vec3 point;
    double range;
    struct {
        uint32_t next, end; // boxes of this level, or facets in order on level -1
    } open[17];
    int level;
};

void scree_mesh_query_begin(struct scree_mesh_query *query, const struct scree_mesh_surface *surface,
                            struct scree_vec3 point, double range);

// Finds the next facet; returns false at the end.
bool scree_mesh_query_next(struct scree_mesh_query *query, uint32_t *facet);

#endif
