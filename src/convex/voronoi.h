// Voronoi cells of points in a box: a block that is cut by joints.

#ifndef SCREE_CONVEX_VORONOI_H
#define SCREE_CONVEX_VORONOI_H

#include "convex/convex.h"

struct scree_convex_voronoi {
    struct scree_vec3 lower, upper; // corners of the box, m
    double gap;                     // width of the joints between cells, m
    const struct scree_vec3 *point; // inside of the box
    size_t points;
};

// Random points in a box: point n is a function of the seed and n alone.
void scree_convex_voronoi_points(struct scree_vec3 lower, struct scree_vec3 upper, uint64_t seed,
                                 struct scree_vec3 *point, size_t points);

// Makes the cells of all points. The reference point of cell n is point n. `shape` has place for all; after
// an error none is left.
SCREE_NODISCARD scree_status scree_convex_voronoi_make(const struct scree_convex_voronoi *def,
                                                       struct scree_convex *shape);

#endif
