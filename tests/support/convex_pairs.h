// Random pairs of convex bodies for tests, near-degenerate ones included.

#ifndef SCREE_TESTS_SUPPORT_CONVEX_PAIRS_H
#define SCREE_TESTS_SUPPORT_CONVEX_PAIRS_H

#include "convex/pair.h"

#include <stddef.h>

enum { CONVEX_SHAPES = 24 };

// Shapes of the library, hulls of random points, and slivers of aspect ratios down to 1e-6.
struct convex_shapes {
    struct scree_convex shape[CONVEX_SHAPES];
};

void convex_shapes_make(struct convex_shapes *shapes, uint64_t seed);
void convex_shapes_free(struct convex_shapes *shapes);

// Shapes for a group of tests, and the functions that make them before and free them after the group.
extern struct convex_shapes convex_group_shapes;
int convex_group_begin(void **state);
int convex_group_end(void **state);

struct scree_mat3 convex_draw_rotation(uint64_t *seed);

// Draws two bodies that are a little apart or overlap a little: at random, or with parallel faces, an edge on
// an edge, or a vertex on a vertex, moved by up to `most` or by a few round-offs.
void convex_draw_pair(const struct convex_shapes *shapes, uint64_t *seed, double most,
                      struct scree_convex_body *a, struct scree_convex_body *b);

// The largest separation of two polyhedra along the directions of all pairs of features: the distance if it
// is positive, else minus the length of the shortest translation that separates them. `highest`, if not NULL,
// receives a bound of what it is if directions from near points or from nearly parallel edges were exact:
// their error lowers the separation.
double convex_exhaustive_gap(const struct scree_convex_body *a, const struct scree_convex_body *b,
                             double *highest);

#endif
