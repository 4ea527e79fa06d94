// The exact convex hull of points as loops of corners, by gift wrapping.
//
// Wrapping (Chand and Kapur, J. ACM 17, 78, 1970): the face beyond an edge is found by turning a plane about
// the edge until it meets a point. All points of the face are then those exactly in its plane, and its
// corners are their hull in the plane, so points of a plane, on a line, or on each other need no special
// cases. The cost is the number of faces times that of points.

#ifndef SCREE_CONVEX_WRAP_H
#define SCREE_CONVEX_WRAP_H

#include "base/status.h"
#include "math/vec3.h"

#include <stdint.h>

// Loops of corners: face f has the corners [first[f], first[f + 1]).
struct scree_convex_loops {
    uint32_t *first, *corner;
    size_t faces, corners;                 // used
    size_t face_capacity, corner_capacity; // allocated
};

SCREE_NODISCARD scree_status scree_convex_loops_add(struct scree_convex_loops *loops, const uint32_t *corner,
                                                    size_t corners);
void scree_convex_loops_free(struct scree_convex_loops *loops);

// Points must be different, with coordinates as in orient.h.
SCREE_NODISCARD scree_status scree_convex_wrap(const struct scree_vec3 *point, size_t points,
                                               struct scree_convex_loops *loops);

// The hull of some points of a plane: `chosen` of them by number, sorted on return. Their coordinates are
// point[2 n] and point[2 n + 1]. `loop` has place for 2 `chosen` numbers. Returns the number of corners,
// anticlockwise, without those on a line between their neighbours.
size_t scree_convex_wrap_plane(const double *point, uint32_t *choice, size_t chosen, uint32_t *loop);

#endif
