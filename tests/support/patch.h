// A wall as a set of parametrised patches. The distance of a point from a patch is found by brute-force
// search in long double: an independent reference for the geometry of walls.

#ifndef SCREE_TESTS_SUPPORT_PATCH_H
#define SCREE_TESTS_SUPPORT_PATCH_H

#include <scree/wall.h>

// Flat: corner + s edge[0] + t edge[1]. Round: a surface of revolution, from radius[0] at `corner` to
// radius[1] at corner + edge[0] (parameter s), through all angles (parameter t). Ball: a face of a cube,
// projected onto the sphere around `corner`.
enum scree_patch_kind { SCREE_PATCH_FLAT, SCREE_PATCH_ROUND, SCREE_PATCH_BALL };

struct scree_patch {
    enum scree_patch_kind kind;
    long double corner[3], edge[2][3];
    long double radius[2];
    // round: unit vectors perpendicular to the axis; ball: the first points to the middle of the face
    long double across[2][3];
};

enum { SCREE_PATCHES_MAX = 6 };

// The patches of a wall; returns their number. `spread` is half the width of a plane. In two dimensions
// walls extend from z = -spread to z = spread.
unsigned scree_patch_make(const struct scree_wall_def *def, int dimension, long double spread,
                          struct scree_patch patch[SCREE_PATCHES_MAX]);

// The point of a patch at 0 <= s, t <= 1.
void scree_patch_point(const struct scree_patch *patch, long double s, long double t, long double point[3]);

// The smallest distance from a point to a patch.
long double scree_patch_distance(const struct scree_patch *patch, const long double position[3]);

#endif
