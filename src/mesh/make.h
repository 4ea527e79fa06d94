// Making the surface of a mesh from its facets: vertices, edges, patches and the tree of boxes.

#ifndef SCREE_MESH_MAKE_H
#define SCREE_MESH_MAKE_H

#include "base/status.h"
#include "mesh/surface.h"

// Makes a surface of facets, each given by three points. `error` is the largest error of coordinates, m, for
// example by rounding to single precision: facets within it of a plane lie in the plane. Fails if a facet has
// no area. `smooth_cosine` is copied. `surface` is freed by scree_mesh_surface_free.
SCREE_NODISCARD scree_status scree_mesh_surface_make(const double (*corner)[3][3], size_t facets,
                                                     double error, double smooth_cosine,
                                                     struct scree_mesh_surface *surface);
void scree_mesh_surface_free(struct scree_mesh_surface *surface);

#endif
