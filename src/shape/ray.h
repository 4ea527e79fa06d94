// Rays, to find walls below a body.

#ifndef SCREE_SHAPE_RAY_H
#define SCREE_SHAPE_RAY_H

#include "world/records.h"

#include <stdbool.h>

// Returns true if a ray from a point along a unit direction meets the surface of a wall, or starts inside a
// solid one.
bool scree_ray_meets(const struct scree_wall *wall, const double from[3], const double direction[3]);

// Returns true if a wall can hold bodies inside: a cylinder, a cone, a sphere or a box with bodies inside.
bool scree_ray_is_vessel(const struct scree_wall *wall);

// Returns true if a ray passes through the inside of a vessel, which ends where a cylinder or cone ends.
bool scree_ray_passes_inside(const struct scree_wall *wall, const double from[3], const double direction[3]);

#endif
