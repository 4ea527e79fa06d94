// Sums of carried grains, see carried.h.

#include "contact/carried.h"

#include "base/memory.h"
#include "base/processor.h"
#include "math/lanes.h"

#include <string.h>

void scree_carried_free(struct scree_carried *carried)
{
    scree_grain_owners_free(&carried->owners);
    scree_memory_free(carried->block);
    scree_memory_free(carried->ready_first);
    scree_memory_free(carried->ready);
    scree_memory_free(carried->work);
    *carried = (struct scree_carried){0};
}

static bool carries(const struct scree_carried *carried, size_t body)
{
    return carried->owners.first[body] < carried->owners.first[body + 1];
}

// True if something in a tile has contacts or bonds, so that its grains are read.
static bool is_evaluated(const struct scree_world *world, const struct scree_bond_lists *bonds, size_t tile)
{
    const struct scree_contacts *contacts = &world->contacts;
    return scree_contacts_first(contacts, tile, 0) < scree_contacts_first(contacts, tile + 1, 0) ||
           contacts->walls.first[tile] < contacts->walls.first[tile + 1] ||
           (bonds->live > 0 && bonds->count[tile] > 0);
}

// Tiles of the grains of a block of bodies, and whether other pieces add to one of them.
struct extent {
    size_t first, last;
    bool shared;
};

static struct extent extent_of(const struct scree_carried *carried, const struct scree_world *world,
                               const struct scree_pieces *pieces, const struct scree_bond_lists *bonds,
                               size_t block)
{
    const size_t bodies = scree_world_bodies(world), first = block * SCREE_SUMS_BLOCK,
                 last = first + SCREE_SUMS_BLOCK < bodies ? first + SCREE_SUMS_BLOCK : bodies,
                 own = first / SCREE_CONTACTS_TILE;
    struct extent extent = {own, own, scree_pieces_block_is_shared(pieces, block)};
    if (!is_evaluated(world, bonds, own))
        extent.first = SIZE_MAX;
    for (size_t k = carried->owners.first[first]; k < carried->owners.first[last]; ++k) {
        const size_t slot = bodies + carried->owners.row[k], tile = slot / SCREE_CONTACTS_TILE;
        extent.first = tile < extent.first ? tile : extent.first;
        extent.last = tile > extent.last ? tile : extent.last;
        extent.shared = extent.shared || scree_pieces_block_is_shared(pieces, slot / SCREE_SUMS_BLOCK);
    }
    return extent;
}

// The tile with which a block is complete, SIZE_MAX if it is only after all tiles.
static size_t complete_with(const struct scree_carried *carried, const struct scree_world *world,
                            const struct scree_pieces *pieces, const struct scree_bond_lists *bonds,
                            size_t block)
{
    const struct extent extent = extent_of(carried, world, pieces, bonds, block);
    size_t piece = 0;
    while (pieces->tile[piece + 1] <= extent.last)
        ++piece;
    return extent.shared || extent.first < pieces->tile[piece] ? SIZE_MAX : extent.last;
}

// Sorts blocks by the tile with which they are complete.
static scree_status schedule(struct scree_carried *carried, const struct scree_world *world,
                             const struct scree_pieces *pieces, const struct scree_bond_lists *bonds)
{
    const size_t tiles = world->contacts.tiles,
                 blocks = (scree_world_bodies(world) + SCREE_SUMS_BLOCK - 1) / SCREE_SUMS_BLOCK;
    SCREE_TRY(
        scree_memory_new(tiles + 2, sizeof *carried->ready_first, (void **)&carried->ready_first));
    SCREE_TRY(scree_memory_new(blocks, sizeof *carried->ready, (void **)&carried->ready));
    for (size_t b = 0; b < blocks; ++b) {
        if (carried->block[b] == SCREE_CARRIED_NONE)
            continue;
        const size_t tile = complete_with(carried, world, pieces, bonds, b);
        carried->block[b] = tile == SIZE_MAX ? SCREE_CARRIED_AFTER_ALL : SCREE_CARRIED_WITH_TILE;
        if (tile != SIZE_MAX)
            ++carried->ready_first[tile + 2];
    }
    for (size_t t = 0; t < tiles; ++t)
        carried->ready_first[t + 2] += carried->ready_first[t + 1];
    for (size_t b = 0; b < blocks; ++b)
        if (carried->block[b] == SCREE_CARRIED_WITH_TILE)
            carried->ready[carried->ready_first[complete_with(carried, world, pieces, bonds, b) + 1]++] =
                (uint32_t)b;
    return SCREE_OK;
}

static scree_status make(struct scree_carried *carried, const struct scree_world *world,
                         const struct scree_pieces *pieces, const struct scree_bond_lists *bonds)
{
    const size_t bodies = scree_world_bodies(world);
    SCREE_TRY(scree_grain_owners_make(world, &carried->owners));
    SCREE_TRY(scree_memory_new(bodies / SCREE_SUMS_BLOCK + 1, 1, (void **)&carried->block));
    SCREE_TRY(scree_memory_new(scree_grain_carried(world), sizeof *carried->work, (void **)&carried->work));
    for (size_t i = 0; i < bodies; ++i)
        if (carries(carried, i))
            carried->block[i / SCREE_SUMS_BLOCK] = SCREE_CARRIED_AFTER_ALL;
    return schedule(carried, world, pieces, bonds);
}

scree_status scree_carried_make(struct scree_carried *carried, const struct scree_world *world,
                                const struct scree_pieces *pieces, const struct scree_bond_lists *bonds)
{
    scree_carried_free(carried);
    if (scree_grain_carried(world) == 0)
        return SCREE_OK;
    const scree_status status = make(carried, world, pieces, bonds);
    if (status != SCREE_OK)
        scree_carried_free(carried);
    return status;
}

// Rows in order of bodies; those that follow each other in memory are written together.
void scree_carried_follow(const struct scree_carried *carried, struct scree_grain_update *update,
                          size_t first, size_t last)
{
    const uint32_t *row = carried->owners.row;
    const size_t end = carried->owners.first[last];
    for (size_t k = carried->owners.first[first]; k < end;) {
        size_t next = k + 1;
        while (next < end && row[next] == row[next - 1] + 1)
            ++next;
        scree_grain_update_rows(update, row[k], row[next - 1] + 1);
        k = next;
    }
}

// Grains of consecutive bodies, whose sums are taken together: neighbours in memory, in one block of sums.
struct run {
    size_t first, last; // in the order of `owners->row`
    struct scree_wrench wrench[SCREE_SUMS_BLOCK] __attribute__((aligned(64)));
    struct scree_losses loss[SCREE_SUMS_BLOCK];
};

static size_t end_of_run(const struct scree_carried *carried, size_t bodies, size_t first, size_t end)
{
    const uint32_t *row = carried->owners.row;
    const size_t slot = bodies + row[first], in_block = SCREE_SUMS_BLOCK - slot % SCREE_SUMS_BLOCK;
    const size_t most = first + in_block < end ? first + in_block : end;
    size_t last = first + 1;
    while (last < most && row[last] == row[last - 1] + 1)
        ++last;
    return last;
}

static void take_run(const struct scree_carried *carried, struct scree_sums *sums,
                     const struct scree_world *world, enum scree_sums_taking taking, struct run *run)
{
    const size_t slot = scree_world_bodies(world) + carried->owners.row[run->first],
                 count = run->last - run->first;
    memset(run->loss, 0, count * sizeof run->loss[0]);
    scree_sums_take(sums, scree_world_grains(world), slot, slot + count, run->wrench, run->loss, taking);
}

// Adds the grains [first, last) of a run to the body `i` that carries them.
SCREE_PROCESSOR_WIDE static void add_to_body(const struct scree_carried *carried,
                                             const struct scree_world *world, const struct run *run,
                                             size_t first, size_t last, size_t i, struct scree_wrench *wrench)
{
    const struct scree_local_grain *local = scree_grain_locals(world);
    const struct scree_mat3 m = scree_grain_axes(world, i);
    const scree_lanes x = {m.xx, m.yx, m.zx, 0}, y = {m.xy, m.yy, m.zy, 0}, z = {m.xz, m.yz, m.zz, 0};
    scree_lanes force = scree_lanes_load(wrench->force), moment = scree_lanes_load(wrench->moment),
                loss = scree_lanes_load(&scree_world_losses(world)[i].friction);
    for (size_t k = first; k < last; ++k) {
        const uint32_t row = carried->owners.row[k];
        const struct scree_wrench *own = &run->wrench[k - run->first];
        const double *offset = local[row].offset;
        const scree_lanes arm = x * offset[0] + y * offset[1] + z * offset[2],
                          own_force = scree_lanes_load(own->force);
        force += own_force;
        moment += scree_lanes_load(own->moment) + scree_lanes_cross(arm, own_force);
        loss += scree_lanes_load(&run->loss[k - run->first].friction);
        if (carried->work[row] != 0)
            scree_world_wrenches(world)[i].work += carried->work[row];
        carried->work[row] = 0;
    }
    scree_lanes_store_three(force, wrench->force);
    scree_lanes_store_three(moment, wrench->moment);
    scree_lanes_store(loss, &scree_world_losses(world)[i].friction);
}

void scree_carried_add(const struct scree_carried *carried, struct scree_sums *sums,
                       struct scree_world *world, size_t first, size_t last, struct scree_wrench *wrench,
                       enum scree_sums_taking taking)
{
    const struct scree_grain_owners *owners = &carried->owners;
    const size_t bodies = scree_world_bodies(world), end = owners->first[last];
    struct run run;
    size_t i = first;
    for (run.last = owners->first[first]; run.last < end;) {
        run.first = run.last;
        run.last = end_of_run(carried, bodies, run.first, end);
        take_run(carried, sums, world, taking, &run);
        for (size_t at = run.first; at < run.last; ++i) {
            const size_t next = owners->first[i + 1] < run.last ? owners->first[i + 1] : run.last;
            if (next > at)
                add_to_body(carried, world, &run, at, next, i, &wrench[i - first]);
            at = next;
            if (owners->first[i + 1] > run.last)
                break;
        }
    }
}

void scree_carried_choose(const struct scree_carried *carried, const struct scree_sums *sums,
                          struct scree_world *world, size_t first, size_t last, double step,
                          bool unknown_only)
{
    const struct scree_grain_owners *owners = &carried->owners;
    struct scree_grain *grain = scree_world_grains(world);
    for (size_t i = first; i < last; ++i) {
        struct scree_grain *const carried_grain = grain + scree_world_bodies(world);
        uint16_t quantum_of_all = 0;
        if (!carries(carried, i) || (unknown_only && grain[i].quantum != 0))
            continue;
        for (size_t k = owners->first[i]; k < owners->first[i + 1]; ++k) {
            struct scree_grain *part = &carried_grain[owners->row[k]];
            scree_sums_choose(sums, part, (uint32_t)(part - grain), step);
            quantum_of_all = part->quantum > quantum_of_all ? part->quantum : quantum_of_all;
        }
        grain[i].quantum = quantum_of_all;
        for (size_t k = owners->first[i]; k < owners->first[i + 1]; ++k)
            carried_grain[owners->row[k]].quantum = quantum_of_all;
    }
}
