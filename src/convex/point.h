// The point of a convex body that is nearest to a given point.

#ifndef SCREE_CONVEX_POINT_H
#define SCREE_CONVEX_POINT_H

#include "convex/convex.h"

// Signed distance of a point from a body, negative inside, and its gradient. Inside, the distance is that of
// the nearest face, which continues the one outside of the face without a jump of its gradient.
struct scree_convex_nearest {
    double gap;
    struct scree_vec3 normal; // unit length, away from the body
};

// In the axes of the shape. A gap of `limit` or more may be returned as any number not below `limit`.
struct scree_convex_nearest scree_convex_point(const struct scree_convex *shape, struct scree_vec3 point,
                                               double limit);

#endif
