// Numbers of bonds and fragments, see bond.h.

#include "measure/bond.h"

#include "base/memory.h"
#include "base/sum.h"

#include <scree/body.h>

void scree_bond_measure_counts(const struct scree_world *world, struct scree_bond_counts *counts)
{
    uint64_t by_mode[SCREE_BOND_MODES];
    counts->live = (double)scree_bond_count(world);
    counts->broken = (double)scree_bond_broken(world, by_mode);
    for (int m = 0; m < SCREE_BOND_MODES; ++m)
        counts->by_mode[m] = (double)by_mode[m];
}

scree_status scree_bond_measure_pieces(const struct scree_world *world, struct scree_bond_pieces *pieces)
{
    const size_t bodies = scree_body_count(world);
    struct scree_bond_fragment *fragment;
    size_t fragments;
    struct scree_sum total = {0};
    double largest = 0;
    SCREE_TRY(scree_memory_new(bodies, sizeof *fragment, (void **)&fragment));
    const scree_status status = scree_bond_fragments(world, fragment, bodies, &fragments);
    // the first body of each fragment stands for it
    for (size_t b = 0; b < bodies && status == SCREE_OK; ++b)
        if (fragment[b].body.value == fragment[b].fragment.value) {
            scree_sum_add(&total, fragment[b].mass);
            largest = fragment[b].mass > largest ? fragment[b].mass : largest;
        }
    scree_memory_free(fragment);
    const double mass = scree_sum_value(&total);
    *pieces = (struct scree_bond_pieces){
        .fragments = status == SCREE_OK ? (double)fragments : 0,
        .largest = mass > 0 ? largest / mass : 0,
    };
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
