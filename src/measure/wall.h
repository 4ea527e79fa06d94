// What bodies do to walls.

#ifndef SCREE_MEASURE_WALL_H
#define SCREE_MEASURE_WALL_H

#include "world/world.h"

// Gives every wall the force and moment of its contacts; on failure they stay.
SCREE_NODISCARD scree_status scree_wall_load_all(struct scree_world *world);

// Force and moment about a point of all walls that are in any of the groups of a mask; either may be null.
SCREE_NODISCARD scree_status scree_wall_load_groups(const struct scree_world *world, uint64_t mask,
                                                    const double about[3], double force[3], double moment[3]);

#endif
