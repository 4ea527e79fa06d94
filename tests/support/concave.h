// Concave bodies of boxes, of 1000 kg/m^3.

#ifndef SCREE_TESTS_SUPPORT_CONCAVE_H
#define SCREE_TESTS_SUPPORT_CONCAVE_H

#include <scree/scree.h>

// m
static const double scree_concave_width = 0.1;

enum { SCREE_CONCAVE_MOST = 3 };

// Boxes: their edges and where their centres are, in multiples of the width, and how they are turned, all
// zero for not at all.
struct scree_concave {
    size_t boxes;
    struct {
        double edge[3], at[3], orientation[4];
    } box[SCREE_CONCAVE_MOST];
};

// An L and a U of bars of one width; a box, and the same of two parts, each turned by a right angle.
extern const struct scree_concave scree_concave_ell, scree_concave_you, scree_concave_whole,
    scree_concave_halves;

// Makes the parts, and their shapes with this rounding.
void scree_concave_parts(struct scree_world *world, const struct scree_concave *shape, double rounding,
                         struct scree_pebble *part);

// Adds a body; `at`: motion, position of the centre of mass, and orientation of the axes of the boxes.
scree_body_id scree_concave_add(struct scree_world *world, const struct scree_concave *shape, double rounding,
                                const struct scree_rigid_def *at);

#endif
