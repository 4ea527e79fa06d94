// Roughness of walls, see wall_rough.h.

#include "world/wall_rough.h"

#include "world/edit.h"
#include "world/wall.h"

const char *scree_wall_rough_fault(const struct scree_wall_roughness *roughness)
{
    return roughness->angle >= 0 && roughness->angle <= SCREE_WALL_ROUGHEST
               ? NULL
               : "the angle of a rough wall must be from 0, smooth, to 0.5 rad";
}

scree_status scree_wall_set_roughness(struct scree_world *world, scree_wall_id id,
                                      const struct scree_wall_roughness *roughness)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_entity *walls = scree_world_entity(world, SCREE_ENTITY_WALL);
    scree_slot slot;
    SCREE_TRY(scree_world_check_not_in_load(world));
    SCREE_TRY(scree_entity_find(walls, id.value, &slot));
    const char *fault = scree_wall_rough_fault(roughness);
    if (fault)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "%s; got %g", fault, roughness->angle);
    SCREE_TRY(scree_entity_require(walls, SCREE_WALL_ROUGH));
    scree_edit_all(world, SCREE_EDIT_WALLS);
    ((struct scree_wall_roughness *)scree_world_column(world, SCREE_ENTITY_WALL,
                                                       SCREE_WALL_ROUGH))[slot.index] = *roughness;
    scree_edit_end(world);
    return SCREE_OK;
}

scree_status scree_wall_get_roughness(const struct scree_world *world, scree_wall_id id,
                                      struct scree_wall_roughness *roughness)
{
    scree_slot slot;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_WALL), id.value, &slot));
    const struct scree_wall_roughness *rough = scree_wall_rough(world, slot.index);
    *roughness = rough ? *rough : (struct scree_wall_roughness){0};
    return SCREE_OK;
}

scree_status scree_wall_rough_refuse(const struct scree_world *world, const char *why)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        if (scree_wall_rough(world, w))
            return scree_status_fail(
                SCREE_ERROR_UNSUPPORTED, "wall %llu is rough: %s",
                (unsigned long long)scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL))[w], why);
    return SCREE_OK;
}
