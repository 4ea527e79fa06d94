// Total force and moment of bodies on a group of walls, see include/scree/measure.h.

#include "world/group.h"

#include "measure/wall.h"

#include <scree/measure.h>

scree_status scree_group_load(const struct scree_world *world, scree_group_id id, const double point[3],
                              double force[3], double moment[3])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    const double origin[3] = {0};
    uint64_t mask;
    SCREE_TRY(scree_group_mask(world, id, &mask));
    return scree_wall_load_groups(world, mask, point ? point : origin, force, moment);
}
