// Order of the rows of grains, see grain_order.h.

#include "contact/grain_order.h"

#include "base/memory.h"
#include "base/sort.h"
#include "detect/morton.h"
#include "world/entity.h"
#include "world/grain.h"

static scree_status sort_rows(struct scree_world *world, int entity, const uint64_t *key)
{
    const size_t count = scree_world_entity(world, entity)->count;
    uint32_t *order;
    SCREE_TRY(scree_memory_new(count, sizeof *order, (void **)&order));
    scree_status status = scree_sort_order(key, count, order);
    if (status == SCREE_OK)
        status = scree_entity_permute(scree_world_entity(world, entity), order);
    scree_memory_free(order);
    return status;
}

// Sorts bodies along a Morton curve.
static scree_status sort_bodies(struct scree_world *world, double size_of_cell)
{
    const size_t count = scree_world_bodies(world);
    uint64_t *key;
    SCREE_TRY(scree_memory_new(count, sizeof *key, (void **)&key));
    scree_morton_keys(scree_world_grains(world), count, size_of_cell, key);
    const scree_status status = sort_rows(world, SCREE_ENTITY_BODY, key);
    scree_memory_free(key);
    return status;
}

// Sorts carried grains by the slots of their bodies, then by part.
static scree_status sort_carried(struct scree_world *world)
{
    const size_t count = scree_grain_carried(world), bodies = scree_world_bodies(world);
    uint64_t *key;
    if (count == 0)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(count, sizeof *key, (void **)&key));
    for (size_t g = 0; g < count; ++g)
        key[g] =
            (uint64_t)scree_world_grains(world)[bodies + g].owner << 16 | scree_grain_locals(world)[g].part;
    const scree_status status = sort_rows(world, SCREE_ENTITY_GRAIN, key);
    scree_memory_free(key);
    return status;
}

scree_status scree_grain_order(struct scree_world *world, double size_of_cell, const struct scree_team *team)
{
    scree_status status = sort_bodies(world, size_of_cell);
    scree_world_update_owners(world);
    if (status == SCREE_OK)
        status = sort_carried(world);
    scree_world_update_owners(world);
    scree_grain_update_records(world, 0, team);
    return status;
}
