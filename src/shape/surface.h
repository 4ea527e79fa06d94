// Surface: how far a wall is from a place, and in which direction. What a grain touches of a wall.
//
// A wall of one feature touches a grain at its nearest point; a container of flat faces touches it with each
// face on its own, as a half-space each. Edges, corners and rims are nearest points like all others.
//
// What always holds: the gap is right to a few roundings of the coordinates relative to the wall; the normal
// is of unit length, and for a centre on the surface, on an axis of revolution or in the middle of a sphere
// it is a definite one of those that are right.

#ifndef SCREE_SHAPE_SURFACE_H
#define SCREE_SHAPE_SURFACE_H

#include "world/records.h"

#include <stdbool.h>

struct scree_surface_touch {
    double gap;       // from the surface to the centre; negative in what is solid
    double normal[3]; // from the surface to the centre, out of what is solid
    double point[3];  // the nearest of the surface
};

// How many contacts one grain can have with a wall; they are features 0, 1, ...
static inline unsigned scree_surface_features(const struct scree_wall *wall)
{
    return wall->features;
}

// False only if the gap is beyond `range`, in the very arithmetic of scree_surface_touch.
bool scree_surface_near(const struct scree_wall *wall, unsigned feature, const double centre[3],
                        double range);

void scree_surface_touch(const struct scree_wall *wall, unsigned feature, const double centre[3],
                         struct scree_surface_touch *touch);

#endif
