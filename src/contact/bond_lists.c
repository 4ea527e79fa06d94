// Lists of bonds, see bond_lists.h.

#include "contact/bond_lists.h"

#include "base/sort.h"
#include "contact/bond_batches.h"
#include "world/grain.h"
#include "world/wall.h"

#include <string.h>

enum { TILE = SCREE_CONTACTS_TILE };

// Slot of the grain of a side, UINT32_MAX at a wall.
static uint32_t slot_of(const struct scree_world *world, const struct scree_bond_sides *sides, int side)
{
    uint32_t slot = UINT32_MAX;
    if (sides->carried[side] > 0)
        return scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_GRAIN)->pool, sides->carried[side],
                               &slot)
                   ? (uint32_t)scree_world_bodies(world) + slot
                   : UINT32_MAX;
    (void)scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, sides->body[side], &slot);
    return slot;
}

static struct scree_bond_entry entry_of(const struct scree_world *world, uint32_t row)
{
    const struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
    struct scree_bond_entry entry = {.row = row,
                                     .slot = {slot_of(world, sides, 0), slot_of(world, sides, 1)}};
    memcpy(entry.sum, entry.slot, sizeof entry.sum);
    return entry;
}

static scree_status allocate(struct scree_bond_lists *lists, const struct scree_world *world)
{
    const size_t rows = scree_bond_rows(world);
    lists->tiles = world->contacts.tiles;
    SCREE_TRY(scree_memory_new(rows, sizeof *lists->entry, (void **)&lists->entry));
    SCREE_TRY(scree_memory_new(lists->tiles + 1, sizeof *lists->first, (void **)&lists->first));
    SCREE_TRY(scree_memory_new(lists->tiles, sizeof *lists->count, (void **)&lists->count));
    SCREE_TRY(scree_memory_new(lists->tiles, sizeof *lists->walls, (void **)&lists->walls));
    return scree_memory_new(lists->tiles, sizeof *lists->broke, (void **)&lists->broke);
}

static bool has_wall(const struct scree_bond_entry *entry)
{
    return entry->slot[1] == UINT32_MAX;
}

// Fills the lists in the order of ids, which is stable under sorting by owner, those with walls last in a
// tile.
static scree_status fill(struct scree_bond_lists *lists, const struct scree_world *world,
                         const uint32_t *by_id, uint64_t *place, uint32_t *order)
{
    size_t count = 0;
    struct scree_bond_entry *listed;
    SCREE_TRY(scree_memory_new(scree_bond_rows(world), sizeof *listed, (void **)&listed));
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < scree_bond_rows(world) && status == SCREE_OK; ++k) {
        if (scree_bond_sides(world)[by_id[k]].broken) {
            status = scree_array_push(&lists->broken, scree_bond_ids(world)[by_id[k]]);
            continue;
        }
        listed[count] = entry_of(world, by_id[k]);
        const uint64_t owner = scree_bond_lists_owner(&listed[count]);
        place[count] = 2 * (owner / TILE * TILE) + owner % TILE + (has_wall(&listed[count]) ? TILE : 0);
        ++count;
    }
    if (status == SCREE_OK)
        status = scree_sort_order(place, count, order);
    for (size_t k = 0; k < count && status == SCREE_OK; ++k) {
        lists->entry[k] = listed[order[k]];
        const size_t tile = place[order[k]] / (2 * TILE);
        ++lists->first[tile + 1];
        lists->walls[tile] += has_wall(&lists->entry[k]);
    }
    lists->live = count;
    scree_memory_free(listed);
    return status;
}

static scree_status build(struct scree_bond_lists *lists, const struct scree_world *world)
{
    const size_t rows = scree_bond_rows(world);
    uint32_t *by_id = NULL, *order = NULL;
    uint64_t *place = NULL;
    SCREE_TRY(allocate(lists, world));
    scree_status status = scree_memory_new(rows, sizeof *by_id, (void **)&by_id);
    if (status == SCREE_OK)
        status = scree_memory_new(rows, sizeof *order, (void **)&order);
    if (status == SCREE_OK)
        status = scree_memory_new(rows, sizeof *place, (void **)&place);
    if (status == SCREE_OK)
        status = scree_sort_order(scree_bond_ids(world), rows, by_id);
    if (status == SCREE_OK)
        status = fill(lists, world, by_id, place, order);
    for (size_t t = 0; t < lists->tiles && status == SCREE_OK; ++t) {
        lists->count[t] = lists->first[t + 1];
        lists->first[t + 1] += lists->first[t];
    }
    if (status == SCREE_OK)
        status = scree_bond_batches_allocate(lists);
    scree_memory_free(place);
    scree_memory_free(order);
    scree_memory_free(by_id);
    return status;
}

// Moves the rows of bonds to the order of the lists, in which they are read; broken ones come last.
static scree_status sort_rows(struct scree_bond_lists *lists, struct scree_world *world)
{
    size_t sorted = 0, count = 0;
    uint32_t *order;
    while (sorted < lists->live && lists->entry[sorted].row == sorted)
        ++sorted;
    if (sorted == lists->live)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(scree_bond_rows(world), sizeof *order, (void **)&order));
    for (; count < lists->live; ++count)
        order[count] = lists->entry[count].row;
    for (uint32_t row = 0; row < scree_bond_rows(world); ++row)
        if (scree_bond_sides(world)[row].broken)
            order[count++] = row;
    const scree_status status = scree_entity_permute(scree_world_entity(world, SCREE_ENTITY_BOND), order);
    for (uint32_t k = 0; k < lists->live && status == SCREE_OK; ++k)
        lists->entry[k].row = k;
    scree_memory_free(order);
    return status;
}

scree_status scree_bond_lists_build(struct scree_bond_lists *lists, struct scree_world *world)
{
    scree_bond_lists_free(lists);
    if (scree_bond_rows(world) == 0)
        return SCREE_OK;
    scree_status status = build(lists, world);
    if (status == SCREE_OK)
        status = sort_rows(lists, world);
    // for scree_bond_uncover
    if (status == SCREE_OK)
        status = scree_array_reserve(&world->uncovered, world->uncovered.count + lists->broken.count);
    if (status != SCREE_OK)
        scree_bond_lists_free(lists);
    return status;
}

// Slot and partner of both sides of an excluding bond; returns the number of grains, 0 if it excludes
// nothing.
static int partners_of(const struct scree_world *world, size_t row, uint32_t slot[2], uint64_t other[2])
{
    const struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
    uint32_t wall;
    if (!sides->excludes || sides->broken)
        return 0;
    slot[0] = slot_of(world, sides, 0);
    slot[1] = slot_of(world, sides, 1);
    other[0] = slot[1];
    other[1] = slot[0];
    if (sides->wall == 0)
        return 2;
    if (!scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool, sides->wall, &wall))
        return 0;
    // the point of contact moves from facet to facet, so a bond excludes a mesh as a whole
    const bool is_mesh = scree_wall_row(world, wall)->shape == SCREE_WALL_MESH;
    other[0] = scree_exclusions_wall(wall, is_mesh ? 0 : sides->feature);
    return 1;
}

static scree_status exclude(const struct scree_world *world, struct scree_exclusions *exclusions)
{
    const size_t grains = scree_grain_count(world);
    uint32_t slot[2];
    uint64_t other[2];
    size_t all = 0;
    SCREE_TRY(scree_memory_new(grains + 2, sizeof *exclusions->first, (void **)&exclusions->first));
    uint32_t *next = exclusions->first + 1;
    for (size_t row = 0; row < scree_bond_rows(world); ++row) {
        const int count = partners_of(world, row, slot, other);
        for (int s = 0; s < count; ++s, ++all)
            ++next[slot[s] + 1];
    }
    for (size_t i = 0; i < grains; ++i)
        next[i + 1] += next[i];
    SCREE_TRY(scree_memory_new(all, sizeof *exclusions->other, (void **)&exclusions->other));
    for (size_t row = 0; row < scree_bond_rows(world); ++row) {
        const int count = partners_of(world, row, slot, other);
        for (int s = 0; s < count; ++s)
            exclusions->other[next[slot[s]]++] = other[s];
    }
    return SCREE_OK;
}

scree_status scree_bond_lists_exclude(const struct scree_world *world, struct scree_exclusions *exclusions)
{
    bool any = false;
    *exclusions = (struct scree_exclusions){0};
    for (size_t row = 0; row < scree_bond_rows(world) && !any; ++row)
        any = scree_bond_sides(world)[row].excludes && !scree_bond_sides(world)[row].broken;
    const scree_status status = any ? exclude(world, exclusions) : SCREE_OK;
    if (status == SCREE_OK)
        return SCREE_OK;
    scree_memory_free(exclusions->first);
    scree_memory_free(exclusions->other);
    *exclusions = (struct scree_exclusions){0};
    return status;
}

void scree_bond_lists_free(struct scree_bond_lists *lists)
{
    scree_memory_free(lists->entry);
    scree_memory_free(lists->batch);
    scree_memory_free(lists->elasticity);
    scree_memory_free(lists->reach);
    scree_memory_free(lists->tile);
    scree_memory_free(lists->first);
    scree_memory_free(lists->count);
    scree_memory_free(lists->walls);
    scree_memory_free(lists->broke);
    scree_array_free(&lists->broken);
    *lists = (struct scree_bond_lists){0};
}

// The entry of a row, null if it is not listed.
static struct scree_bond_entry *find(const struct scree_bond_lists *lists, const struct scree_world *world,
                                     uint32_t row)
{
    const struct scree_bond_entry wanted = entry_of(world, row);
    const size_t tile = scree_bond_lists_owner(&wanted) / TILE;
    for (size_t k = 0; tile < lists->tiles && k < lists->count[tile]; ++k)
        if (lists->entry[lists->first[tile] + k].row == row)
            return &lists->entry[lists->first[tile] + k];
    return NULL;
}

// The last row takes the place of the removed one.
void scree_bond_lists_remove(struct scree_bond_lists *lists, struct scree_world *world, uint32_t row)
{
    const uint32_t last = (uint32_t)scree_bond_rows(world) - 1;
    struct scree_bond_entry *entry = find(lists, world, row);
    if (entry) {
        const size_t tile = scree_bond_lists_owner(entry) / TILE;
        const bool wall = has_wall(entry);
        const struct scree_bond_entry *end = lists->entry + lists->first[tile] + lists->count[tile];
        memmove(entry, entry + 1, (size_t)(end - entry - 1) * sizeof *entry);
        --lists->count[tile];
        lists->walls[tile] -= wall;
        lists->tile[tile].filled = false;
        --lists->live;
    }
    struct scree_bond_entry *moved = last != row ? find(lists, world, last) : NULL;
    scree_bond_remove_row(world, row);
    if (moved)
        moved->row = row;
}
