// Numbers of bonds and fragments, see bond.h.

#include "measure/bond.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/sum.h"
#include "world/world.h"

void scree_bond_measure_counts(const struct scree_world *world, struct scree_bond_counts *counts)
{
    uint64_t by_mode[SCREE_BOND_MODES];
    counts->live = (double)scree_bond_count(world);
    counts->broken = (double)scree_bond_broken(world, by_mode);
    for (int m = 0; m < SCREE_BOND_MODES; ++m)
        counts->by_mode[m] = (double)by_mode[m];
}

// The mass of the largest fragment and of all bodies. `order` has the bodies by fragment. Exact sums, so that
// the result does not depend on slots.
static void weigh(const struct scree_world *world, const struct scree_bond_fragment *fragment,
                  const uint32_t *order, size_t bodies, struct scree_bond_pieces *pieces)
{
    const struct scree_grain *grain = scree_world_grains(world);
    struct scree_sum total = {0}, own = {0};
    double largest = 0;
    for (size_t n = 0; n < bodies; ++n) {
        const uint64_t id = fragment[order[n]].fragment.value;
        scree_sum_add(&total, grain[order[n]].mass);
        scree_sum_add(&own, grain[order[n]].mass);
        if (n + 1 < bodies && fragment[order[n + 1]].fragment.value == id)
            continue;
        const double mass = scree_sum_value(&own);
        largest = mass > largest ? mass : largest;
        own = (struct scree_sum){0};
    }
    const double mass = scree_sum_value(&total);
    pieces->largest = mass > 0 ? largest / mass : 0;
}

scree_status scree_bond_measure_pieces(const struct scree_world *world, struct scree_bond_pieces *pieces)
{
    const size_t bodies = scree_world_bodies(world);
    struct scree_bond_fragment *fragment = NULL;
    uint64_t *id = NULL;
    uint32_t *order = NULL;
    size_t fragments = 0;
    scree_status status = scree_memory_new(bodies, sizeof *fragment, (void **)&fragment);
    if (status == SCREE_OK)
        status = scree_memory_new(bodies, sizeof *id, (void **)&id);
    if (status == SCREE_OK)
        status = scree_memory_new(bodies, sizeof *order, (void **)&order);
    if (status == SCREE_OK)
        status = scree_bond_fragments(world, fragment, bodies, &fragments);
    for (size_t b = 0; b < bodies && status == SCREE_OK; ++b)
        id[b] = fragment[b].fragment.value;
    if (status == SCREE_OK)
        status = scree_sort_order(id, bodies, order);
    *pieces = (struct scree_bond_pieces){.fragments = (double)fragments};
    if (status == SCREE_OK)
        weigh(world, fragment, order, bodies, pieces);
    scree_memory_free(order);
    scree_memory_free(id);
    scree_memory_free(fragment);
    return status;
}

static scree_status add_live(const struct scree_world *world, struct scree_bond_energies *energies)
{
    const size_t capacity = scree_bond_count(world);
    scree_bond_id *id;
    size_t count = 0;
    SCREE_TRY(scree_memory_new(capacity, sizeof *id, (void **)&id));
    scree_status status = scree_bond_list(world, id, capacity, &count);
    for (size_t n = 0; n < count && status == SCREE_OK; ++n) {
        struct scree_bond_state state;
        status = scree_bond_get(world, id[n], &state);
        energies->elastic += status == SCREE_OK ? state.stored : 0;
        energies->damage += status == SCREE_OK ? state.lost : 0;
    }
    scree_memory_free(id);
    return status;
}

scree_status scree_bond_measure_energies(const struct scree_world *world,
                                         struct scree_bond_energies *energies)
{
    struct scree_bond_event event = {0};
    *energies = (struct scree_bond_energies){0};
    SCREE_TRY(add_live(world, energies));
    while (scree_bond_next_event(world, event.number, &event)) {
        energies->released += event.energy;
        energies->damage += event.lost;
    }
    return SCREE_OK;
}
