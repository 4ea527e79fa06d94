// Walls with mass: the body that a wall of a scene moves with.

#ifndef SCREE_BUILD_FREE_WALL_H
#define SCREE_BUILD_FREE_WALL_H

#include "language/reading.h"

#include <scree/wall.h>

// Adds the body of a new wall with the key `free`, and attaches the wall to it. `def` is the definition of
// the wall, and its vertices still exist. Reports mistakes.
SCREE_NODISCARD scree_status scree_build_free_wall(struct scree_reading *reading, struct scree_world *world,
                                                   const struct scree_node *entry,
                                                   const struct scree_wall_def *def, scree_wall_id wall);

#endif
