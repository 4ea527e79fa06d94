// Shells of a mesh, and the orientation of their facets, see scree/mesh.h.

#ifndef SCREE_SHAPE_MESH_ORIENT_H
#define SCREE_SHAPE_MESH_ORIENT_H

#include "shape/mesh_edges.h"

// Gives all facets of a shell the orientation of most of them, where edges of two facets allow it; closed
// shells face outwards, or inwards if they are cavities. Sets in the report: flipped, shells, closed,
// cavities and volume.
SCREE_NODISCARD scree_status scree_mesh_orient(struct scree_mesh *mesh, struct scree_mesh_edges *edges,
                                               struct scree_mesh_report *report);

#endif
