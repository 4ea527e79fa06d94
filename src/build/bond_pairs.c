// Pairs of sides that bonds connect, see bond_pairs.h.
//
// Grains are sorted into cells at least as wide as the largest range of a pair; a pair lies in the same cell
// or in adjacent ones. The cells that contain grains are found by binary search in their sorted numbers.

#include "build/bond_pairs.h"

#include "base/sort.h"
#include "shape/surface.h"
#include "world/grain.h"
#include "world/group.h"
#include "world/wall.h"

#include <math.h>

// bits of the number of a cell along one axis
enum { AXIS_BITS = 20 };

// The grains that can be bonded, by ascending id of the body and part, and the cells that contain them.
struct search {
    const struct scree_world *world;
    const struct scree_bond_pairs_filter *filter;
    double gap, factor;
    uint32_t *grain; // [count] numbers of the grains
    size_t count;
    double largest;            // radius, m
    double lower[3], width[3]; // of the cells
    uint64_t cells[3], *cell;  // number along each axis; [count] of each entry of `order`, ascending
    uint32_t *order;           // [count] entries of `grain` by cell
    scree_bond_pair_list *found;
};

static const struct scree_grain *grain_at(const struct search *search, size_t entry)
{
    return &scree_world_grains(search->world)[search->grain[entry]];
}

// --- filter

static bool match(uint64_t wanted, uint64_t has)
{
    return wanted == 0 || wanted == has;
}

static bool accepts_materials(const struct scree_bond_pairs_filter *filter, uint64_t one, uint64_t other)
{
    const uint64_t a = filter->material[0].value, b = filter->material[1].value;
    return (match(a, one) && match(b, other)) || (match(a, other) && match(b, one));
}

static bool accepts_group(uint64_t wanted, uint64_t mask)
{
    return wanted == 0 || (wanted & mask) != 0;
}

static bool accepts_bodies(const struct search *search, const struct scree_grain *one,
                           const struct scree_grain *other)
{
    const uint64_t *wanted = search->filter->groups;
    const uint64_t a = scree_group_of_body(search->world, one->owner),
                   b = scree_group_of_body(search->world, other->owner);
    return one->owner != other->owner && accepts_materials(search->filter, one->material, other->material) &&
           ((accepts_group(wanted[0], a) && accepts_group(wanted[1], b)) ||
            (accepts_group(wanted[0], b) && accepts_group(wanted[1], a)));
}

static bool accepts_wall(const struct search *search, const struct scree_grain *grain, size_t wall)
{
    return accepts_group(search->filter->walls, scree_group_of_wall(search->world, wall)) &&
           accepts_group(search->filter->groups[0], scree_group_of_body(search->world, grain->owner)) &&
           accepts_materials(search->filter, grain->material, scree_wall_row(search->world, wall)->material);
}

// Finds the number of a grain; false if there is none.
static bool find_grain(const struct scree_world *world, const struct scree_bond_side *side, uint32_t *number)
{
    if (!scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, side->body.value, number))
        return false;
    const struct scree_clump *clump = scree_grain_clump(world, *number);
    uint32_t row;
    if (!clump)
        return true;
    if (!scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_GRAIN)->pool, clump->first + side->part - 1,
                         &row))
        return false;
    *number = (uint32_t)scree_world_bodies(world) + row;
    return true;
}

bool scree_bond_pairs_accept(const struct scree_world *world, const struct scree_bond_pairs_filter *filter,
                             const struct scree_bond_side side[2], scree_wall_id wall)
{
    const struct search search = {.world = world, .filter = filter};
    const struct scree_grain *grains = scree_world_grains(world);
    uint32_t number[2];
    if (filter->to_walls != (wall.value != 0) || !find_grain(world, &side[0], &number[0]))
        return false;
    if (!filter->to_walls)
        return find_grain(world, &side[1], &number[1]) &&
               accepts_bodies(&search, &grains[number[0]], &grains[number[1]]);
    return scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool, wall.value, &number[1]) &&
           accepts_wall(&search, &grains[number[0]], number[1]);
}

// --- pairs

static struct scree_bond_side side_of(const struct scree_world *world, const struct scree_grain *grain)
{
    return (struct scree_bond_side){{scree_world_ids(world)[grain->owner]}, grain->part};
}

static double limit_of(const struct search *search, double radius)
{
    return search->gap + search->factor * radius;
}

// Fills in the pair of two grains; of bodies the nearest periodic images count.
static void measure(const struct scree_world *world, const struct scree_grain *one,
                    const struct scree_grain *other, struct scree_bond_pair *pair)
{
    const double *period = scree_world_cell(world)->period;
    double distance[3];
    for (int k = 0; k < 3; ++k) {
        distance[k] = other->position[k] - one->position[k];
        if (period[k] > 0)
            distance[k] -= period[k] * floor(distance[k] / period[k] + 0.5);
    }
    *pair = (struct scree_bond_pair){
        .side = {side_of(world, one), side_of(world, other)},
        .gap = scree_vec3_norm(scree_vec3_load(distance)) - (one->radius + other->radius),
        .radius = one->radius < other->radius ? one->radius : other->radius,
    };
}

// A dense packing has fewer than 13 neighbours a grain; many more bonds are a mistake that would fill the
// memory.
enum { MOST_PER_GRAIN = 100, FEW = 1000 };

static scree_status add_pair(const struct search *search, const struct scree_bond_pair *pair)
{
    const size_t most = FEW + MOST_PER_GRAIN * scree_grain_count(search->world);
    if (search->found->count < most)
        return scree_array_push(search->found, *pair);
    return scree_status_fail(SCREE_ERROR_LIMIT,
                             "one entry makes at most %d bonds per grain; more are within this gap: use a "
                             "smaller one",
                             MOST_PER_GRAIN);
}

static scree_status add_walls(const struct search *search, const struct scree_grain *grain)
{
    const struct scree_entity *walls = scree_world_entity(search->world, SCREE_ENTITY_WALL);
    for (size_t w = 0; w < walls->count; ++w) {
        const struct scree_wall *wall = scree_wall_row(search->world, w);
        struct scree_surface_query query;
        unsigned f;
        scree_surface_query_begin(&query, wall, grain->position,
                                  grain->radius + limit_of(search, grain->radius));
        while (accepts_wall(search, grain, w) && scree_surface_query_next(&query, &f)) {
            if (!scree_surface_is_contact(wall, f, grain->position))
                continue;
            struct scree_surface_touch touch;
            scree_surface_touch(wall, f, grain->position, &touch);
            const struct scree_bond_pair pair = {.side = {side_of(search->world, grain)},
                                                 .wall = {scree_entity_ids(walls)[w]},
                                                 .feature = f,
                                                 .gap = touch.gap - grain->radius,
                                                 .radius = grain->radius};
            if (pair.gap <= limit_of(search, pair.radius))
                SCREE_TRY(add_pair(search, &pair));
        }
    }
    return SCREE_OK;
}

// --- cells

// The number of the cell of a coordinate along an axis.
static uint64_t along(const struct search *search, int axis, double x)
{
    const double place = floor((x - search->lower[axis]) / search->width[axis]);
    const double last = (double)(search->cells[axis] - 1);
    return (uint64_t)(place > 0 ? place < last ? place : last : 0);
}

static uint64_t cell_at(const uint64_t place[3])
{
    return (place[2] << 2 * AXIS_BITS) | (place[1] << AXIS_BITS) | place[0];
}

// Divides the extent of all grains, or the period, into cells at least as wide as the range of a pair.
static void divide(struct search *search)
{
    const struct scree_cell *cell = scree_world_cell(search->world);
    const double range = 2 * search->largest + limit_of(search, search->largest);
    for (int k = 0; k < 3; ++k) {
        double lower = (double)INFINITY, upper = -(double)INFINITY;
        for (size_t g = 0; g < search->count; ++g) {
            const double x = grain_at(search, g)->position[k];
            lower = x < lower ? x : lower;
            upper = x > upper ? x : upper;
        }
        const bool periodic = cell->period[k] > 0;
        const double extent = periodic ? cell->period[k] : upper - lower;
        const double most = (double)(1 << AXIS_BITS), fit = floor(extent / range);
        const double cells = fit < 1 ? 1 : fit < most ? fit : most;
        search->lower[k] = periodic ? cell->lower[k] : lower;
        search->width[k] = extent > 0 ? extent / cells : range;
        search->cells[k] = (uint64_t)cells;
    }
}

static scree_status sort_into_cells(struct search *search)
{
    uint64_t *cell;
    divide(search);
    SCREE_TRY(scree_memory_new(search->count, sizeof *search->order, (void **)&search->order));
    SCREE_TRY(scree_memory_new(search->count, sizeof *search->cell, (void **)&search->cell));
    SCREE_TRY(scree_memory_new(search->count, sizeof *cell, (void **)&cell));
    for (size_t g = 0; g < search->count; ++g) {
        uint64_t place[3];
        for (int k = 0; k < 3; ++k)
            place[k] = along(search, k, grain_at(search, g)->position[k]);
        cell[g] = cell_at(place);
    }
    const scree_status status = scree_sort_order(cell, search->count, search->order);
    for (size_t n = 0; n < search->count && status == SCREE_OK; ++n)
        search->cell[n] = cell[search->order[n]];
    scree_memory_free(cell);
    return status;
}

// The first entry of `order` whose cell is at least `wanted`.
static size_t first_in(const struct search *search, uint64_t wanted)
{
    size_t first = 0, last = search->count;
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (search->cell[middle] < wanted)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

// Adds the pairs of a grain with the later grains of one cell.
static scree_status add_from_cell(const struct search *search, size_t entry, uint64_t cell)
{
    const struct scree_grain *grain = grain_at(search, entry);
    for (size_t n = first_in(search, cell); n < search->count && search->cell[n] == cell; ++n) {
        const struct scree_grain *other = grain_at(search, search->order[n]);
        struct scree_bond_pair pair;
        if (search->order[n] <= entry || !accepts_bodies(search, grain, other))
            continue;
        measure(search->world, grain, other, &pair);
        if (pair.gap <= limit_of(search, pair.radius))
            SCREE_TRY(add_pair(search, &pair));
    }
    return SCREE_OK;
}

// The places of the cells around a grain along an axis, each once. Returns their number.
static size_t places_around(const struct search *search, int axis, double x, uint64_t place[3])
{
    const uint64_t cells = search->cells[axis], middle = along(search, axis, x);
    const bool periodic = scree_world_cell(search->world)->period[axis] > 0;
    size_t count = 0;
    for (uint64_t step = 0; step < 3 && count < cells; ++step) {
        // one cell less is all cells but one more
        const uint64_t at = middle + (step == 0 ? 0 : step == 1 ? 1 : cells - 1);
        const bool inside = step == 0 || (step == 1 ? middle + 1 < cells : middle > 0);
        if (periodic || inside)
            place[count++] = at % cells;
    }
    return count;
}

// Sorts the pairs from `first` on, which have the same first side, by their second side.
static void sort_pairs(const scree_bond_pair_list *list, size_t first)
{
    // few neighbours: insertion
    for (size_t n = first + 1; n < list->count; ++n) {
        const struct scree_bond_pair pair = list->data[n];
        size_t at = n;
        for (; at > first; --at) {
            const struct scree_bond_side *before = &list->data[at - 1].side[1], *own = &pair.side[1];
            if (before->body.value < own->body.value ||
                (before->body.value == own->body.value && before->part < own->part))
                break;
            list->data[at] = list->data[at - 1];
        }
        list->data[at] = pair;
    }
}

static scree_status add_bodies(const struct search *search, size_t entry)
{
    const double *position = grain_at(search, entry)->position;
    const size_t before = search->found->count;
    uint64_t place[3][3];
    size_t count[3];
    for (int k = 0; k < 3; ++k)
        count[k] = places_around(search, k, position[k], place[k]);
    for (size_t z = 0; z < count[2]; ++z)
        for (size_t y = 0; y < count[1]; ++y)
            for (size_t x = 0; x < count[0]; ++x) {
                const uint64_t at[3] = {place[0][x], place[1][y], place[2][z]};
                SCREE_TRY(add_from_cell(search, entry, cell_at(at)));
            }
    sort_pairs(search->found, before);
    return SCREE_OK;
}

// --- the search

static scree_status update_grains(struct scree_world *world)
{
    SCREE_TRY(scree_grain_reserve_records(world));
    scree_grain_update_records(world, 0, NULL);
    return SCREE_OK;
}

static scree_status find_all(struct search *search)
{
    SCREE_TRY(scree_grain_list(search->world, false, &search->grain, &search->count));
    for (size_t g = 0; g < search->count; ++g) {
        const double radius = grain_at(search, g)->radius;
        search->largest = radius > search->largest ? radius : search->largest;
    }
    if (!search->filter->to_walls && search->count > 0)
        SCREE_TRY(sort_into_cells(search));
    for (size_t g = 0; g < search->count; ++g)
        SCREE_TRY(search->filter->to_walls ? add_walls(search, grain_at(search, g)) : add_bodies(search, g));
    return SCREE_OK;
}

scree_status scree_bond_pairs_find(struct scree_world *world, const struct scree_bond_pairs_filter *filter,
                                   double gap, double factor, scree_bond_pair_list *list)
{
    struct search search = {.world = world, .filter = filter, .gap = gap, .factor = factor, .found = list};
    SCREE_TRY(update_grains(world));
    const scree_status status = find_all(&search);
    scree_memory_free(search.grain);
    scree_memory_free(search.cell);
    scree_memory_free(search.order);
    return status;
}

scree_status scree_bond_pairs_smallest(struct scree_world *world,
                                       const struct scree_bond_pairs_filter *filter, double *gap)
{
    scree_status status = SCREE_OK;
    *gap = (double)INFINITY;
    // distances in multiples of the smaller radius, up to any distance that the coordinates resolve
    for (double factor = 1; factor < 1e12 && isinf(*gap) && status == SCREE_OK; factor *= 4) {
        scree_bond_pair_list list = {0};
        status = scree_bond_pairs_find(world, filter, 0, factor, &list);
        for (size_t n = 0; n < list.count && status == SCREE_OK; ++n)
            *gap = list.data[n].gap < *gap ? list.data[n].gap : *gap;
        scree_array_free(&list);
    }
    return status;
}

// The grains of a body from which a side is chosen: parts `first` to `last`, or that of a body that is none.
struct parts {
    uint64_t first, last;
};

static scree_status find_parts(const struct scree_world *world, scree_body_id body, uint64_t wanted,
                               struct parts *parts)
{
    uint32_t slot;
    if (!scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, body.value, &slot))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is no body %llu",
                                 (unsigned long long)body.value);
    const struct scree_clump *clump = scree_grain_clump(world, slot);
    *parts = wanted > 0 ? (struct parts){wanted, wanted} : (struct parts){1, clump ? clump->grains : 1};
    if (wanted == 0 || (clump && wanted <= clump->grains))
        return SCREE_OK;
    if (!clump)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "body %llu is no clump: its part must be 0, not %llu",
                                 (unsigned long long)body.value, (unsigned long long)wanted);
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "body %llu has parts from 1 to %llu, not %llu",
                             (unsigned long long)body.value, (unsigned long long)clump->grains,
                             (unsigned long long)wanted);
}

// Polyhedra that a clump has beside its spheres are left out; what is given by its number is refused where
// the bond is added.
static bool is_choice(const struct scree_grain *grain, uint64_t wanted)
{
    return wanted > 0 || grain->part == 0 || !(grain->flags & SCREE_FLAG_SHAPED);
}

scree_status scree_bond_pairs_of(struct scree_world *world, const struct scree_bond_pairs_filter *filter,
                                 const scree_body_id body[2], const uint64_t part[2],
                                 struct scree_bond_pair *pair)
{
    SCREE_TRY(update_grains(world));
    const struct scree_grain *grains = scree_world_grains(world);
    struct parts parts[2];
    for (int k = 0; k < 2; ++k)
        SCREE_TRY(find_parts(world, body[k], part[k], &parts[k]));
    pair->gap = (double)INFINITY;
    for (uint64_t p = parts[0].first; p <= parts[0].last; ++p)
        for (uint64_t q = parts[1].first; q <= parts[1].last; ++q) {
            const struct scree_bond_side side[2] = {{body[0], (unsigned)p}, {body[1], (unsigned)q}};
            struct scree_bond_pair near;
            uint32_t number[2];
            if (!find_grain(world, &side[0], &number[0]) || !find_grain(world, &side[1], &number[1]))
                continue;
            const struct scree_grain *one = &grains[number[0]], *other = &grains[number[1]];
            if (!is_choice(one, part[0]) || !is_choice(other, part[1]) ||
                !accepts_materials(filter, one->material, other->material))
                continue;
            measure(world, one, other, &near);
            if (near.gap < pair->gap)
                *pair = near;
        }
    return !isinf(pair->gap)
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_ARGUMENT,
                                   "bodies %llu and %llu have no %s of these materials to bond "
                                   "(polyhedra have no bonds)",
                                   (unsigned long long)body[0].value, (unsigned long long)body[1].value,
                                   world->dimension == 2 ? "disks" : "spheres");
}
