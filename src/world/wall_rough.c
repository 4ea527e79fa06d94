// Roughness of walls, see wall_rough.h.

#include "world/wall_rough.h"

#include "world/cell.h"
#include "world/edit.h"
#include "world/polyhedron.h"
#include "world/wall.h"
#include "world/wall_body.h"

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

bool scree_wall_rough_any(const struct scree_world *world)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        if (scree_wall_rough(world, w))
            return true;
    return false;
}

scree_status scree_wall_rough_check(const struct scree_world *world)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        const struct scree_wall *wall = scree_wall_row(world, w);
        const char *fault = wall->shape == SCREE_WALL_MESH       ? "is a mesh"
                            : scree_wall_follows(wall)           ? "moves with a body"
                            : scree_wall_is_steered(world, w)    ? "is moved by a servo"
                            : scree_polyhedron_any(world)        ? "would touch polyhedra"
                            : scree_world_lattice(world) != NULL ? "is in a cell with cell vectors"
                                                                 : NULL;
        if (fault && scree_wall_rough(world, w))
            return scree_status_fail(
                SCREE_ERROR_UNSUPPORTED,
                "wall %llu is rough and %s, which the soft engine cannot do: omit `rough`",
                (unsigned long long)scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL))[w], fault);
    }
    return SCREE_OK;
}
