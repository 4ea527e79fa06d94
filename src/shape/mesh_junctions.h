// T-junctions of a mesh: open edges on which a vertex of another open edge lies.

#ifndef SCREE_SHAPE_MESH_JUNCTIONS_H
#define SCREE_SHAPE_MESH_JUNCTIONS_H

#include "shape/mesh_edges.h"

// Counts the open edges between whose ends a vertex of another open edge lies, within the error of the three
// vertices. A place has the facet of the edge and a facet of the vertex, and the position of the vertex.
SCREE_NODISCARD scree_status scree_mesh_junctions_find(const struct scree_mesh *mesh,
                                                       const struct scree_mesh_edges *edges,
                                                       struct scree_mesh_places *junctions);

#endif
