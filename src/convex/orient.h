// On which side of a plane or line a point lies: the exact sign, whatever the round-off.
//
// A determinant of doubles is computed first with a bound of its error, and only if the bound does not
// decide, again as an exact sum of exact products. Coordinates must be 0 or between 2^-300 and 2^300.

#ifndef SCREE_CONVEX_ORIENT_H
#define SCREE_CONVEX_ORIENT_H

#include "math/vec3.h"

// 1 if d is above the plane of a, b, c (the side from which they are anticlockwise), -1 below, 0 in it.
int scree_convex_orient(struct scree_vec3 a, struct scree_vec3 b, struct scree_vec3 c, struct scree_vec3 d);

// The same for points of a plane: 1 if a, b, c are anticlockwise. Each point has two coordinates.
int scree_convex_orient_plane(const double a[2], const double b[2], const double c[2]);

#endif
