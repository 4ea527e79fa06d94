// Internals of groups: the bit masks of their members.

#ifndef SCREE_WORLD_GROUP_H
#define SCREE_WORLD_GROUP_H

#include "world/world.h"

#include <scree/group.h>

// Bit of a group.
SCREE_NODISCARD scree_status scree_group_mask(const struct scree_world *world, scree_group_id id,
                                              uint64_t *mask);

// Bit mask of the groups of a body.
static inline uint64_t scree_group_of_body(const struct scree_world *world, size_t slot)
{
    const struct scree_groups *groups =
        (const struct scree_groups *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_GROUPS);
    return groups ? groups[slot].mask : 0;
}

// Bit mask of the groups of a wall.
static inline uint64_t scree_group_of_wall(const struct scree_world *world, size_t slot)
{
    const struct scree_groups *groups =
        (const struct scree_groups *)scree_world_column(world, SCREE_ENTITY_WALL, SCREE_WALL_GROUPS);
    return groups ? groups[slot].mask : 0;
}

#endif
