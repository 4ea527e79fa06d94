// Regions that are the inside of a mesh, see region.h.

#include "mesh/inside.h"
#include "pack/region.h"
#include "shape/nearest.h"
#include "world/wall.h"

#include <scree/group.h>

#include <math.h>

static scree_status refuse_open(const char *group)
{
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT,
        "the mesh '%.60s' is open, or its facets have no consistent orientation, so it has no "
        "inside: `scree info` of its file lists the open edges",
        group);
}

scree_status scree_region_mesh_find(const struct scree_world *world, const char *group, scree_wall_id *id)
{
    scree_group_id number;
    scree_slot slot;
    size_t count;
    SCREE_TRY(scree_group_find(world, group, &number));
    SCREE_TRY(scree_group_walls(world, number, id, 1, &count));
    if (count > 0)
        SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_WALL), id->value, &slot));
    if (count != 1 || scree_wall_row(world, slot.index)->shape != SCREE_WALL_MESH)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "'%.60s' must be a group of one wall that is a mesh; it has %zu walls%s",
                                 group, count, count == 1 ? " of another shape" : "");
    return scree_mesh_is_closed(scree_wall_row(world, slot.index)->surface) ? SCREE_OK : refuse_open(group);
}

void scree_region_mesh_follow(struct scree_region *region, const struct scree_world *world)
{
    const struct scree_entity *walls = scree_world_entity(world, SCREE_ENTITY_WALL);
    uint32_t slot;
    if (region->shape != SCREE_REGION_MESH)
        return;
    const bool found = scree_pool_find(&walls->pool, region->mesh.value, &slot);
    region->wall = found ? scree_wall_row(world, slot) : NULL;
    for (int k = 0; k < 3 && found; ++k) {
        double half = 0;
        for (int axis = 0; axis < 3; ++axis)
            half += fabs(region->wall->axes[axis][k]) * region->wall->size[axis];
        region->lower[k] = region->wall->reference[k] - half;
        region->upper[k] = region->wall->reference[k] + half;
    }
}

scree_status scree_region_mesh_bind(struct scree_region *region, const struct scree_world *world)
{
    if (region->shape != SCREE_REGION_MESH)
        return SCREE_OK;
    SCREE_TRY(scree_region_mesh_find(world, region->group, &region->mesh));
    scree_region_mesh_follow(region, world);
    region->volume = fabs(scree_mesh_volume(region->wall->surface));
    return SCREE_OK;
}
