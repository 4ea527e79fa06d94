// Voronoi cells of points in a convex domain: a block that is cut by joints.

#ifndef SCREE_CONVEX_VORONOI_H
#define SCREE_CONVEX_VORONOI_H

#include "convex/convex.h"

struct scree_convex_voronoi {
    struct scree_vec3 lower, upper;    // corners of the box, m; z is 0 in two dimensions
    const struct scree_convex *domain; // the part of the box to be cut, of which it is the box; null for all
    double gap;                        // width of the joints between cells, m
    const struct scree_vec3 *point;    // inside of the domain
    size_t points;
    int dimension; // 2 for polygons in the plane z = 0
};

// Random points in the domain; `point` receives them. Point n is a function of the domain, the seed and n
// alone. Fails if the domain is too small a part of its box.
SCREE_NODISCARD scree_status scree_convex_voronoi_points(const struct scree_convex_voronoi *def,
                                                         uint64_t seed, struct scree_vec3 *point);

// Makes the cells of all points. The reference point of cell n is point n. `shape` has place for all; after
// an error none is left.
SCREE_NODISCARD scree_status scree_convex_voronoi_make(const struct scree_convex_voronoi *def,
                                                       struct scree_convex *shape);

#endif
