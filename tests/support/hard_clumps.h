// Small worlds of dimers and trimers for the event engine.

#ifndef SCREE_SUPPORT_HARD_CLUMPS_H
#define SCREE_SUPPORT_HARD_CLUMPS_H

#include "support/clumps.h"
#include "support/hard_bodies.h"

// Two spheres of radius 0.35 at a distance of 0.7; and three, with three different moments.
static inline void hard_make_shape(int kind, struct scree_test_clump *shape)
{
    static const double spheres[2][3][4] = {{{-0.35, 0, 0, 0.35}, {0.35, 0, 0, 0.35}},
                                            {{0, 0, 0, 0.3}, {0.5, 0, 0, 0.2}, {0.1, 0.5, 0.05, 0.2}}};
    scree_test_clump_make(spheres[kind], (size_t)kind + 2, 1, shape);
}

static inline scree_body_id hard_add(struct hard *hard, int kind, const struct scree_rigid_def *at)
{
    struct scree_test_clump shape;
    hard_make_shape(kind, &shape);
    return scree_test_clump_add(hard->world, &shape, hard->material, at);
}

#endif
