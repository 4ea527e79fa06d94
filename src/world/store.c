// Restoring the state of a world, see store.h.

#include "world/store.h"

#include "world/grain.h"
#include "world/polyhedron.h"
#include "world/wall_body.h"
#include "world/wall_facets.h"

static scree_status fail(const char *what)
{
    return scree_status_fail(SCREE_ERROR_NUMBER, "the stored world is inconsistent: %s", what);
}

scree_status scree_store_restore_rows(struct scree_entity *entity, const uint64_t *ids, size_t count,
                                      uint64_t last)
{
    for (size_t c = 0; c < entity->columns.count; ++c)
        if (entity->columns.data[c].external && count != 1)
            return scree_status_fail(SCREE_ERROR_NUMBER,
                                     "the stored world is inconsistent: '%s' has %zu rows instead of one",
                                     entity->name, count);
    scree_pool_free(&entity->pool);
    entity->count = 0;
    SCREE_TRY(scree_entity_reserve(entity, count));
    for (size_t row = 0; row < count; ++row) {
        if (ids[row] == 0 || ids[row] > last || scree_pool_find(&entity->pool, ids[row], NULL))
            return scree_status_fail(
                SCREE_ERROR_NUMBER,
                "the stored world is inconsistent: row %zu of '%s' has the invalid id %llu", row,
                entity->name, (unsigned long long)ids[row]);
        SCREE_TRY(scree_pool_insert_id(&entity->pool, ids[row], (uint32_t)row));
        scree_entity_ids(entity)[row] = ids[row];
    }
    entity->pool.last = last;
    entity->count = count;
    ++entity->version;
    return SCREE_OK;
}

scree_status scree_store_finish(struct scree_world *world)
{
    if (world->dimension != 2 && world->dimension != 3)
        return fail("its dimension is neither 2 nor 3");
    if (scree_world_entity(world, SCREE_ENTITY_CELL)->count != 1 ||
        scree_world_entity(world, SCREE_ENTITY_ENGINE)->count != 1 ||
        scree_world_entity(world, SCREE_ENTITY_WORLD)->count != 1)
        return fail("'cell', 'engine' and 'world' must have one row each");
    world->edits.count = SCREE_WORLD_FEW_EDITS + 1;
    SCREE_TRY(scree_grain_reserve_records(world));
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        if (scree_world_grains(world)[i].material > scree_world_entity(world, SCREE_ENTITY_MATERIAL)->count)
            return fail("a body has a material that does not exist");
    SCREE_TRY(scree_wall_body_check(world));
    SCREE_TRY(scree_wall_facets_restore(world));
    SCREE_TRY(scree_polyhedron_restore(world));
    return scree_world_validate(world);
}
