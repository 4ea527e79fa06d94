// Batches of bonds, see bond_batches.h.

#include "contact/bond_batches.h"

#include "contact/bond_law.h"

#include <string.h>

enum { WIDTH = SCREE_KERNEL_WIDTH };

static size_t batches_of(size_t bonds)
{
    return (bonds + WIDTH - 1) / WIDTH;
}

scree_status scree_bond_batches_allocate(struct scree_bond_lists *lists)
{
    size_t batches = 0;
    SCREE_TRY(scree_memory_new(lists->tiles, sizeof *lists->tile, (void **)&lists->tile));
    for (size_t t = 0; t < lists->tiles; ++t) {
        lists->tile[t].first = batches;
        batches += batches_of(lists->count[t] - lists->walls[t]);
    }
    SCREE_TRY(scree_memory_new(batches, sizeof *lists->batch, (void **)&lists->batch));
    SCREE_TRY(scree_memory_new(batches, sizeof *lists->elasticity, (void **)&lists->elasticity));
    return scree_memory_new(batches, sizeof *lists->reach, (void **)&lists->reach);
}

static void fill_lane(struct scree_bond_batch *batch, struct scree_bond_elasticity *elasticity,
                      const struct scree_world *world, const struct scree_bond_entry *entry, size_t l)
{
    const struct scree_bond_spring *spring = &scree_bond_springs(world)[entry->row];
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < 4; ++k)
            batch->axes[side][k][l] = spring->axes[side][k];
        elasticity->arm[side][l] = spring->arm[side];
        batch->slot[side][l] = entry->slot[side];
        batch->owner[side][l] = scree_world_grains(world)[entry->slot[side]].owner;
        batch->sum[side][l] = entry->sum[side];
    }
    for (int k = 0; k < 4; ++k)
        elasticity->stiffness[k][l] = spring->stiffness[k];
    elasticity->damping[l] = spring->damping;
    batch->safe[l] = scree_bond_strengths(world)
                         ? scree_bond_law_safe_energy(spring, &scree_bond_strengths(world)[entry->row])
                         : (double)INFINITY;
}

static uint32_t reach_of(const struct scree_bond_batch *batch)
{
    uint32_t reach = 0;
    for (int side = 0; side < 2; ++side)
        for (size_t l = 0; l < WIDTH; ++l)
            reach = batch->slot[side][l] > reach ? batch->slot[side][l] : reach;
    return reach;
}

static void fill_state(struct scree_bond_tile *state, const struct scree_bond_batch *batch,
                       const struct scree_bond_elasticity *elasticity, size_t l)
{
    state->damped = state->damped || elasticity->damping[l] > 0;
    for (int side = 0; side < 2; ++side) {
        state->carried = state->carried || batch->owner[side][l] != batch->slot[side][l];
        state->shared = state->shared || batch->sum[side][l] != batch->slot[side][l];
    }
}

void scree_bond_batches_fill(const struct scree_bond_lists *lists, const struct scree_world *world,
                             size_t tile)
{
    const struct scree_bond_entry *entry = &lists->entry[lists->first[tile]];
    const size_t count = lists->count[tile] - lists->walls[tile];
    struct scree_bond_tile *state = &lists->tile[tile];
    state->damped = state->carried = state->shared = false;
    state->uniform = true;
    for (size_t k = 0; k < WIDTH * batches_of(count); ++k) {
        const size_t b = state->first + k / WIDTH;
        struct scree_bond_batch *batch = &lists->batch[b];
        struct scree_bond_elasticity *elasticity = &lists->elasticity[b],
                                     *first = &lists->elasticity[state->first];
        fill_lane(batch, elasticity, world, &entry[k < count ? k : k / WIDTH * WIDTH], k % WIDTH);
        fill_state(state, batch, elasticity, k % WIDTH);
        if (k % WIDTH != WIDTH - 1)
            continue;
        lists->reach[b] = reach_of(batch);
        state->uniform = state->uniform && memcmp(elasticity, first, sizeof *first) == 0;
    }
    state->filled = true;
}
