// Two bodies in the axes of the first, in an order that depends on the two alone.

#ifndef SCREE_CONVEX_PLACE_H
#define SCREE_CONVEX_PLACE_H

#include "convex/pair.h"

// Side a is that of the lower position, so exchanged sides give the same numbers.
struct scree_convex_place {
    const struct scree_convex_body *a, *b;
    bool exchanged;
    struct scree_mat3 turn;  // from the axes of b to those of a
    struct scree_vec3 shift; // position of b in the axes of a
    double reach;            // sum of the rounding radii
    double size;             // bound of all coordinates
};

// Whether side a of the place is b.
bool scree_convex_is_exchanged(const struct scree_convex_body *a, const struct scree_convex_body *b);
struct scree_convex_place scree_convex_place(const struct scree_convex_body *a,
                                             const struct scree_convex_body *b);

// A point of b in the axes of a, and a point of a in the axes of b.
static inline struct scree_vec3 scree_convex_from_b(const struct scree_convex_place *place,
                                                    struct scree_vec3 point)
{
    return scree_vec3_add(scree_mat3_apply(place->turn, point), place->shift);
}

static inline struct scree_vec3 scree_convex_to_b(const struct scree_convex_place *place,
                                                  struct scree_vec3 point)
{
    return scree_mat3_apply_transposed(place->turn, scree_vec3_sub(point, place->shift));
}

// Extent of both bodies along a direction, in the axes of a: a is below `a`, b is above `b`.
struct scree_convex_extent {
    double a, b;
    uint32_t vertex[2]; // where
};

struct scree_convex_extent scree_convex_extent(const struct scree_convex_place *place, struct scree_vec3 axis,
                                               const uint32_t start[2]);

// A separating direction, or the centres' if there is none: unit length, in the axes of a. `gap` receives the
// distance of the polyhedra as far as it was found: an upper bound, 0 if none separates.
struct scree_vec3 scree_convex_separate(const struct scree_convex_place *place, double *gap);

// The direction in which the shortest translation separates two polyhedra that overlap, and its length.
struct scree_vec3 scree_convex_penetration(const struct scree_convex_place *place, double *depth,
                                           struct scree_vec3 point[2]);

#endif
