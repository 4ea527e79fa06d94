// What bodies do to walls.

#ifndef SCREE_MEASURE_WALL_H
#define SCREE_MEASURE_WALL_H

#include "world/world.h"

// Gives every wall the force and moment of its contacts; on failure they stay.
SCREE_NODISCARD scree_status scree_wall_load_all(struct scree_world *world);

#endif
