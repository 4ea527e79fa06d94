// Convex hulls of points in two and three dimensions.

#ifndef SCREE_CONVEX_HULL_H
#define SCREE_CONVEX_HULL_H

#include "convex/convex.h"

// The hull of points, at most 65535. `error` is the largest error of coordinates, m (0 for exact ones): faces
// of the exact hull that lie in one plane within it are one face, and its corners need not be all points on
// it. Vertices are in the order of the points. Fails if the points lie in a plane (two dimensions: on a line)
// within the error, or if the hull has too many vertices.
SCREE_NODISCARD scree_status scree_convex_hull(int dimension, const struct scree_vec3 *point, size_t points,
                                               double error, struct scree_convex *shape);

// The same, but fails if not all points are vertices of the hull.
SCREE_NODISCARD scree_status scree_convex_hull_of_all(int dimension, const struct scree_vec3 *point,
                                                      size_t points, double error,
                                                      struct scree_convex *shape);

// The same, for a closed mesh that must be convex: all vertices must be on the hull within the error.
SCREE_NODISCARD scree_status scree_convex_from_mesh(const double (*vertex)[3], size_t vertices,
                                                    const uint32_t (*triangle)[3], size_t triangles,
                                                    double error, struct scree_convex *shape);

#endif
