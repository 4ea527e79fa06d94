// A triangle as a convex body, for facets of meshes: without allocated memory.

#ifndef SCREE_CONVEX_TRIANGLE_H
#define SCREE_CONVEX_TRIANGLE_H

#include "convex/convex.h"

#include <stdbool.h>

// The shape refers to the arrays beside it, so the struct must not be copied.
struct scree_convex_triangle {
    struct scree_convex shape;
    struct scree_vec3 vertex[3];
    struct scree_convex_edge edge[3];
    struct scree_convex_face face[5];
    uint32_t corner[12], corner_edge[12], neighbour_first[4], neighbour[6];
};

// Returns false if the triangle has no area.
bool scree_convex_triangle_make(const struct scree_vec3 corner[3], struct scree_convex_triangle *triangle);

#endif
