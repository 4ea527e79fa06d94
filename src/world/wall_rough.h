// Roughness of walls, a column that exists once a wall has been rough.

#ifndef SCREE_WORLD_WALL_ROUGH_H
#define SCREE_WORLD_WALL_ROUGH_H

#include "world/world.h"

#include <scree/wall.h>

// The roughness of a wall; null if it is smooth.
static inline const struct scree_wall_roughness *scree_wall_rough(const struct scree_world *world,
                                                                  size_t wall)
{
    const struct scree_wall_roughness *rows =
        (const struct scree_wall_roughness *)scree_world_column(world, SCREE_ENTITY_WALL, SCREE_WALL_ROUGH);
    return rows && rows[wall].angle != 0 ? &rows[wall] : NULL;
}

bool scree_wall_rough_any(const struct scree_world *world);

// Fails if a rough wall is one that contact forces cannot use: a mesh, a wall that moves with a body or by a
// servo, or any if the world has polyhedra.
SCREE_NODISCARD scree_status scree_wall_rough_check(const struct scree_world *world);

// Returns null, or a message that says what is wrong.
const char *scree_wall_rough_fault(const struct scree_wall_roughness *roughness);

#endif
