// Triangle meshes, see scree/mesh.h and scree/shape.h.

#ifndef SCREE_SHAPE_MESH_H
#define SCREE_SHAPE_MESH_H

#include "math/vec3.h"

#include <scree/mesh.h>

// Vertex `corner` of a triangle, relative to `origin` in units of `size`.
static inline struct scree_vec3 scree_mesh_corner(const struct scree_shape_mesh *mesh, size_t triangle,
                                                  int corner, const double origin[3], double size)
{
    const double *v = mesh->vertex[mesh->triangle[triangle][corner]];
    return scree_vec3_make((v[0] - origin[0]) / size, (v[1] - origin[1]) / size, (v[2] - origin[2]) / size);
}

// Corners of the bounding box.
void scree_mesh_bounds(const struct scree_shape_mesh *mesh, double lower[3], double upper[3]);

#endif
