// Nearest points of two edges, made smooth.
//
// The nearest points of two nearly parallel edges jump from end to end when the edges turn, and a contact
// that passes the end of an edge would be counted for the edge and for the vertex. So not the distance |x -
// y| of two points is minimised, but
//
//     D^2 = |x - y|^2 + p(s) + p(t),
//
// where s and t are the places on the edges. The penalty p grows slowly from the middle of an edge, and
// steeply in a zone at its ends, where it reaches the square of `reach`. D^2 is strictly convex, so its
// minimum is one point, which moves without jumps, and lies between the ends if D < reach. The gradient of D
// along a translation of y is (y - x) / D: a force along the line of x and y. See docs/theory/polyhedra.md.

#ifndef SCREE_CONVEX_EDGES_H
#define SCREE_CONVEX_EDGES_H

#include "math/vec3.h"

#include <stdbool.h>

// Share of `reach` over which an edge fades at its ends, and the root of the penalty at the ends that grows
// from the middle.
#define SCREE_CONVEX_EDGE_ZONE 0.1
#define SCREE_CONVEX_EDGE_SLOPE 0.1

// A segment in space with its penalty.
struct scree_convex_segment {
    struct scree_vec3 start, direction; // unit length
    double length;
    double slow;  // factor of the square of the distance from the middle
    double zone;  // length of the zones at the ends
    double steep; // factor of the square of the depth in a zone
};

static inline struct scree_convex_segment
scree_convex_segment_make(struct scree_vec3 start, struct scree_vec3 direction, double length, double reach)
{
    struct scree_convex_segment s = {.start = start, .direction = direction, .length = length};
    const double root = SCREE_CONVEX_EDGE_SLOPE * reach / length;
    s.slow = root * root;
    s.zone = scree_real_min(SCREE_CONVEX_EDGE_ZONE * reach, 0.5 * length);
    s.steep = reach / s.zone * (reach / s.zone);
    return s;
}

// Minimum of D^2 of two segments; false if D is not below `reach`. `place` receives s and t.
bool scree_convex_edges(const struct scree_convex_segment *a, const struct scree_convex_segment *b,
                        double reach, double *square, double place[2]);

#endif
