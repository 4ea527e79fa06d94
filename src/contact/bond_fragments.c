// Fragments: the connected components of bodies and live bonds, by union-find with path halving.
//
// Invariant: the root of a component is its body with the lowest id, so roots do not depend on the order of
// bonds.

#include "base/memory.h"
#include "base/sort.h"
#include "world/bond.h"

#include <scree/bond.h>

static uint32_t root_of(uint32_t *parent, uint32_t slot)
{
    while (parent[slot] != slot)
        slot = parent[slot] = parent[parent[slot]];
    return slot;
}

static void join(const struct scree_world *world, uint32_t *parent)
{
    const struct scree_pool *bodies = &scree_world_entity(world, SCREE_ENTITY_BODY)->pool;
    const uint64_t *id = scree_world_ids(world);
    for (size_t row = 0; row < scree_bond_rows(world); ++row) {
        const struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
        uint32_t a, b;
        if (sides->broken || !scree_pool_find(bodies, sides->body[0], &a) ||
            !scree_pool_find(bodies, sides->body[1], &b))
            continue;
        a = root_of(parent, a);
        b = root_of(parent, b);
        if (id[a] < id[b])
            parent[b] = a;
        else
            parent[a] = b;
    }
}

// Sizes and masses of the components, at their roots. Masses are added in the order of ids, so that no bit
// depends on slots.
static size_t measure(const struct scree_world *world, const uint32_t *by_id, uint32_t *parent,
                      struct scree_bond_fragment *sum)
{
    size_t fragments = 0;
    for (size_t k = 0; k < scree_world_bodies(world); ++k) {
        const uint32_t i = by_id[k], root = root_of(parent, i);
        fragments += root == i;
        ++sum[root].bodies;
        sum[root].mass += scree_world_grains(world)[i].mass;
    }
    return fragments;
}

scree_status scree_bond_fragments(const struct scree_world *world, struct scree_bond_fragment *out,
                                  size_t capacity, size_t *fragments)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    const size_t bodies = scree_world_bodies(world);
    const uint64_t *id = scree_world_ids(world);
    uint32_t *parent, *by_id = NULL;
    struct scree_bond_fragment *sum = NULL;
    SCREE_TRY(scree_memory_new(bodies, sizeof *parent, (void **)&parent));
    scree_status status = scree_memory_new(bodies, sizeof *sum, (void **)&sum);
    if (status == SCREE_OK)
        status = scree_memory_new(bodies, sizeof *by_id, (void **)&by_id);
    if (status == SCREE_OK)
        status = scree_sort_order(id, bodies, by_id);
    if (status == SCREE_OK) {
        for (uint32_t i = 0; i < bodies; ++i)
            parent[i] = i;
        join(world, parent);
        const size_t count = measure(world, by_id, parent, sum);
        if (fragments)
            *fragments = count;
        for (uint32_t i = 0; i < bodies && i < capacity; ++i) {
            const uint32_t root = root_of(parent, i);
            out[i] = (struct scree_bond_fragment){{id[i]}, {id[root]}, sum[root].bodies, sum[root].mass};
        }
    }
    scree_memory_free(by_id);
    scree_memory_free(sum);
    scree_memory_free(parent);
    return status;
}
