// Walls at periodic faces.
//
// A wall has no periodic images. So its force on a body must not change when the body passes a periodic face:
// for each position of a centre on one face, gap and normal must be those at the opposite face. A difference
// is a force that appears or vanishes, and creates energy. A wall is safe along a periodic axis if
//
// - no body that is on a face, or beyond it by rounding, can touch the wall;
// - or the wall is the same everywhere along the axis, and is at least as long as the cell;
// - or for each face that it is near it has a copy, one period away, with the same motion.
//
// A plane, and each face of a box with bodies inside, is solid behind, without an end.

#ifndef SCREE_WORLD_WALL_FACES_H
#define SCREE_WORLD_WALL_FACES_H

#include "world/world.h"

enum scree_wall_faces_problem {
    SCREE_WALL_FACES_NEAR,  // an end is near a face, or beyond one
    SCREE_WALL_FACES_CROSS, // a plane without an end, or a face of a container, is not parallel to the axis
    SCREE_WALL_FACES_TURN   // it is the same along the axis now, but rotates out of this position
};

struct scree_wall_faces_fault {
    enum scree_wall_faces_problem problem;
    int axis;
    double lower, upper; // extent along the axis, m; infinite for a plane
};

// Finds the first axis along which the force of a wall on grains whose surface or interaction range reaches
// `reach` m from their centre changes at the periodic faces. Returns false if there is none.
// The walls of `world` are checked in `cell`, which need not be that of the world.
bool scree_wall_faces_find(const struct scree_world *world, const struct scree_cell *cell, size_t slot,
                           double reach, struct scree_wall_faces_fault *fault);

// Whether a wall spans the periodic cell of the world along one of its axes, so that it goes on beyond its
// ends.
bool scree_wall_faces_spans(const struct scree_world *world, const struct scree_wall *wall);

// Whether a wall spans the periodic cell along one of its axes, but ends less than `reach` beyond a face: a
// body with corners, whose centre is in the cell, can be beyond such an end.
bool scree_wall_faces_ends_within(const struct scree_world *world, const struct scree_wall *wall,
                                  double reach);

enum { SCREE_WALL_FACES_LENGTH = 380 };

// Writes what is wrong and what would be right, after a beginning such as "wall 3, a cone,".
void scree_wall_faces_text(const struct scree_wall *wall, const struct scree_cell *cell, double reach,
                           const struct scree_wall_faces_fault *fault, char text[SCREE_WALL_FACES_LENGTH]);

#endif
