// Forces of bodies on walls.

#ifndef SCREE_MEASURE_WALL_H
#define SCREE_MEASURE_WALL_H

#include "world/world.h"

// Stores the force and moment of its contacts in every wall; unchanged on failure.
SCREE_NODISCARD scree_status scree_wall_load_all(struct scree_world *world);

// Force and moment about a point on all walls in any group of a mask; either may be null.
SCREE_NODISCARD scree_status scree_wall_load_groups(const struct scree_world *world, uint64_t mask,
                                                    const double point[3], double force[3], double moment[3]);

#endif
