// A wall as a set of parametrised patches, for brute force: the nearest point is found by search, in long
// double, from the definition of the wall only.

#ifndef SCREE_TESTS_SUPPORT_SHEET_H
#define SCREE_TESTS_SUPPORT_SHEET_H

#include <scree/wall.h>

// Flat: corner + s edge[0] + t edge[1]. Round: a surface of revolution, from radius[0] at `corner` to
// radius[1] at corner + edge[0] (parameter s), through all angles (parameter t). Ball: centred at `corner`,
// from pole to pole (s), through all angles (t).
enum scree_sheet_kind { SCREE_SHEET_FLAT, SCREE_SHEET_ROUND, SCREE_SHEET_BALL };

struct scree_sheet {
    enum scree_sheet_kind kind;
    long double corner[3], edge[2][3];
    long double radius[2];
    long double
        across[2][3]; // unit vectors perpendicular to the axis; the first points to the middle of the square
};

enum { SCREE_SHEETS = 6 };

// The patches of a wall. `spread` is half the width of a plane; in two dimensions infinite walls extend from
// z = -spread to z = spread.
unsigned scree_sheet_make(const struct scree_wall_def *def, int dimension, long double spread,
                          struct scree_sheet sheet[SCREE_SHEETS]);

// The point of a sheet at 0 <= s, t <= 1.
void scree_sheet_point(const struct scree_sheet *sheet, long double s, long double t, long double point[3]);

// The smallest distance from a point to a patch.
long double scree_sheet_distance(const struct scree_sheet *sheet, const long double place[3]);

#endif
