// Sums of carried grains, see carried.h.

#include "contact/carried.h"

#include "base/memory.h"
#include "base/processor.h"
#include "world/pebbles.h"

#include <string.h>

void scree_carried_free(struct scree_carried *carried)
{
    scree_grain_owners_free(&carried->owners);
    scree_memory_free(carried->block);
    scree_memory_free(carried->ready_first);
    scree_memory_free(carried->ready);
    scree_memory_free(carried->in_tile);
    scree_memory_free(carried->work);
    *carried = (struct scree_carried){0};
}

static bool carries(const struct scree_carried *carried, size_t body)
{
    return carried->owners.first[body] < carried->owners.first[body + 1];
}

// True if all bodies of a block carry grains.
static bool all_carry(const struct scree_carried *carried, size_t first, size_t bodies)
{
    const size_t last = first + SCREE_SUMS_BLOCK < bodies ? first + SCREE_SUMS_BLOCK : bodies;
    for (size_t i = first; i < last; ++i)
        if (!carries(carried, i))
            return false;
    return true;
}

// True if something in a tile has contacts or bonds, so that its grains are read.
static bool is_evaluated(const struct scree_world *world, const struct scree_bond_lists *bonds, size_t tile)
{
    const struct scree_contacts *contacts = &world->contacts;
    return scree_contacts_first(contacts, tile, 0) < scree_contacts_first(contacts, tile + 1, 0) ||
           contacts->walls.first[tile] < contacts->walls.first[tile + 1] ||
           (contacts->outside.pairs > 0 &&
            contacts->outside.first[tile] < contacts->outside.first[tile + 1]) ||
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
    SCREE_TRY(scree_memory_new(tiles + 2, sizeof *carried->ready_first, (void **)&carried->ready_first));
    SCREE_TRY(scree_memory_new(blocks, sizeof *carried->ready, (void **)&carried->ready));
    for (size_t b = 0; b < blocks; ++b) {
        if (carried->block[b] == SCREE_CARRIED_NONE)
            continue;
        const size_t tile = complete_with(carried, world, pieces, bonds, b);
        carried->block[b] = (uint8_t)(tile == SIZE_MAX ? SCREE_CARRIED_AFTER_ALL : SCREE_CARRIED_WITH_TILE);
        if (all_carry(carried, b * SCREE_SUMS_BLOCK, scree_world_bodies(world)))
            carried->block[b] |= SCREE_CARRIED_BY_ALL;
        if (tile != SIZE_MAX)
            ++carried->ready_first[tile + 2];
    }
    for (size_t t = 0; t < tiles; ++t)
        carried->ready_first[t + 2] += carried->ready_first[t + 1];
    for (size_t b = 0; b < blocks; ++b)
        if (scree_carried_block_of(carried, b) == SCREE_CARRIED_WITH_TILE)
            carried->ready[carried->ready_first[complete_with(carried, world, pieces, bonds, b) + 1]++] =
                (uint32_t)b;
    return SCREE_OK;
}

// A candidate belongs to the tile of its lower slot, and carried grains come after all others.
static scree_status find_tiles(struct scree_carried *carried, const struct scree_world *world)
{
    const struct scree_contacts *contacts = &world->contacts;
    const size_t bodies = scree_world_bodies(world);
    SCREE_TRY(scree_memory_new(contacts->tiles, sizeof *carried->in_tile, (void **)&carried->in_tile));
    for (size_t t = 0; t < contacts->tiles; ++t) {
        const size_t last = scree_contacts_first(contacts, t + 1, 0);
        bool found = (t + 1) * SCREE_CONTACTS_TILE > bodies;
        for (size_t c = scree_contacts_first(contacts, t, 0); c < last && !found; ++c)
            found = contacts->pair[c].low >= bodies || contacts->pair[c].high >= bodies;
        carried->in_tile[t] = found;
    }
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
    SCREE_TRY(find_tiles(carried, world));
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

// The first body from `body` on that carries grains, `last` if there is none.
static inline size_t next_carrier(const struct scree_carried *carried, size_t body, size_t last)
{
    while (body < last && !carries(carried, body))
        ++body;
    return body;
}

#define SCREE_KERNEL_BODY "contact/carried.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

static void (*const sets[SCREE_KERNEL_SETS])(const struct scree_carried *carried, struct scree_sums *sums,
                                             const struct scree_world *world, size_t first, size_t last,
                                             struct scree_wrench *wrench, bool stepped) = {
    scree_kernel_add_v2,
#if SCREE_WIDE_SETS
    scree_kernel_add_v3,
    scree_kernel_add_v4,
#endif
};

// Adds the work of moving walls on carried grains to their bodies.
static void add_work(const struct scree_carried *carried, const struct scree_world *world, size_t first,
                     size_t last)
{
    for (size_t i = first; i < last; ++i)
        for (size_t k = carried->owners.first[i]; k < carried->owners.first[i + 1]; ++k) {
            double *work = &carried->work[carried->owners.row[k]];
            if (*work != 0)
                scree_world_wrenches(world)[i].work += *work;
            *work = 0;
        }
}

// The same as the functions above for grains with terms beyond the limits of the integers, which are rare.
static void add_split(const struct scree_carried *carried, struct scree_sums *sums,
                      const struct scree_world *world, size_t i, struct scree_wrench *wrench, bool stepped)
{
    const struct scree_mat3 axes = scree_grain_axes(world, i);
    for (size_t k = carried->owners.first[i]; k < carried->owners.first[i + 1]; ++k) {
        const uint32_t row = carried->owners.row[k];
        const size_t slot = scree_world_bodies(world) + row;
        struct scree_wrench own;
        struct scree_losses lost = {0}, *loss = &scree_world_losses(world)[i];
        scree_sums_take(sums, scree_world_grains(world), slot, slot + 1, &own, &lost, SCREE_SUMS_STEP);
        const struct scree_vec3 arm = scree_grain_arm_along(axes, &scree_grain_locals(world)[row]),
                                moment = scree_vec3_cross(arm, scree_vec3_load(own.force));
        scree_vec3_store(scree_vec3_add(scree_vec3_load(wrench->force), scree_vec3_load(own.force)),
                         wrench->force);
        scree_vec3_store(scree_vec3_add(scree_vec3_load(wrench->moment),
                                        scree_vec3_add(scree_vec3_load(own.moment), moment)),
                         wrench->moment);
        loss->friction += lost.friction;
        loss->dashpot += lost.dashpot;
        loss->internal += lost.internal;
        loss->ahead += stepped ? lost.ahead : 0;
    }
}

void scree_carried_add(const struct scree_carried *carried, struct scree_sums *sums,
                       struct scree_world *world, size_t first, size_t last, struct scree_wrench *wrench,
                       enum scree_sums_taking taking, bool walls_move)
{
    if (walls_move)
        add_work(carried, world, first, last);
    const bool stepped = taking != SCREE_SUMS_STATE;
    if (!scree_sums_any_is_split(sums)) {
        sets[scree_processor_set()](carried, sums, world, first, last, wrench, stepped);
        return;
    }
    for (size_t i = first; i < last; ++i)
        if (carries(carried, i))
            add_split(carried, sums, world, i, &wrench[i - first], stepped);
}

void scree_carried_across(const struct scree_carried *carried, struct scree_sums *sums,
                          const struct scree_world *world, const struct scree_kernel_cell *cell, size_t first,
                          size_t last, struct scree_across *across)
{
    const size_t bodies = scree_world_bodies(world);
    for (size_t i = first; i < last; ++i) {
        if (!carries(carried, i))
            continue;
        const struct scree_mat3 axes = scree_grain_axes(world, i);
        for (size_t k = carried->owners.first[i]; k < carried->owners.first[i + 1]; ++k) {
            const uint32_t row = carried->owners.row[k];
            const struct scree_grain *grain = &scree_world_grains(world)[bodies + row];
            const struct scree_vec3 place =
                scree_vec3_add(scree_vec3_load(scree_world_grains(world)[i].position),
                               scree_grain_arm_along(axes, &scree_grain_locals(world)[row]));
            const struct scree_vec3 d = scree_vec3_sub(place, scree_vec3_load(grain->position));
            const struct scree_law_vector n =
                scree_kernel_periods(cell, (struct scree_law_vector){d.x, d.y, d.z});
            double force[3];
            if (n.x == 0 && n.y == 0 && n.z == 0)
                continue;
            scree_sums_force(sums, grain, (uint32_t)(bodies + row), force);
            scree_across_add(across, force, (const double[3]){n.x, n.y, n.z});
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
