// Neighbour lists of the event engine, see lists.h.

#include "event/lists.h"

#include "base/processor.h"
#include "world/cell.h"
#include "world/grain.h"

#include <math.h>
#include <string.h>

enum { BATCH = 8 };

// least period of a cell, or width between its faces if it has cell vectors, in largest radii
#define LEAST_PERIOD 4.1
#define LEAST_WIDTH 5.2

// --- rows

// Fills the room after a list with the body itself, which predictions never find.
static void fill_up(struct scree_event_lists *lists, uint32_t body)
{
    const struct scree_event_body *row = &lists->body[body];
    uint32_t *list = lists->neighbour.data + row->start;
    for (uint32_t n = row->count; n < row->room; ++n)
        list[n] = body;
}

static scree_status grow_row(struct scree_event_lists *lists, uint32_t body, uint32_t room)
{
    struct scree_event_body *row = &lists->body[body];
    const size_t start = lists->neighbour.count;
    if (start + room >= UINT32_MAX)
        return scree_status_fail(SCREE_ERROR_LIMIT, "the neighbour lists have more than %u entries",
                                 UINT32_MAX);
    SCREE_TRY(scree_array_reserve(&lists->neighbour, start + room));
    if (row->count > 0)
        memcpy(lists->neighbour.data + start, lists->neighbour.data + row->start,
               row->count * sizeof(uint32_t));
    lists->neighbour.count += room;
    row->start = (uint32_t)start;
    row->room = room;
    fill_up(lists, body);
    return SCREE_OK;
}

static scree_status append(struct scree_event_lists *lists, uint32_t body, uint32_t neighbour)
{
    struct scree_event_body *row = &lists->body[body];
    if (row->count == row->room)
        SCREE_TRY(grow_row(lists, body, row->room + row->room / 2 / BATCH * BATCH + BATCH));
    lists->neighbour.data[row->start + row->count++] = neighbour;
    return SCREE_OK;
}

// The index of a body in a list, or `count`.
static uint32_t index_in(const uint32_t *list, uint32_t count, uint32_t body)
{
    uint32_t index = count;
#pragma omp simd reduction(min : index)
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t here = list[k] == body ? k : UINT32_MAX;
        index = here < index ? here : index;
    }
    return index;
}

static void erase(struct scree_event_lists *lists, uint32_t body, uint32_t neighbour)
{
    struct scree_event_body *row = &lists->body[body];
    uint32_t *list = lists->neighbour.data + row->start;
    list[index_in(list, row->count, neighbour)] = list[row->count - 1];
    list[--row->count] = body;
}

// --- searching

// Leaves out bodies of materials without a rule.
static void drop_passing(struct scree_event_lists *lists, uint16_t material)
{
    size_t kept = 0;
    for (size_t n = 0; n < lists->found.count; ++n) {
        const uint32_t body = lists->found.data[n];
        lists->found.data[kept] = body;
        kept += scree_law_class_of(lists->classes, material, lists->body[body].material) !=
                SCREE_CONTACTS_NO_CLASS;
    }
    lists->found.count = kept;
}

// Lists all bodies near a place, with the body there itself if it is in its cell.
static void search(struct scree_event_lists *lists, const struct scree_event_body *place, double radius)
{
    lists->found.count =
        scree_event_grids_find(&lists->grids, place->place, radius, lists->margin, lists->found.data);
    if (lists->some_pass)
        drop_passing(lists, place->material);
}

// Fetches the lists of bodies into the caches.
static void fetch_rows(const struct scree_event_lists *lists, const uint32_t *body, uint32_t count)
{
    for (uint32_t n = 0; n < count; ++n) {
        const struct scree_event_body *row = &lists->body[body[n]];
        __builtin_prefetch(&lists->neighbour.data[row->start]);
        __builtin_prefetch(&lists->neighbour.data[row->start + row->count]);
    }
}

// Replaces the list of a body by the bodies found, and mends the lists of those that are new or left.
static scree_status replace(struct scree_event_lists *lists, uint32_t body)
{
    struct scree_event_body *row = &lists->body[body];
    uint32_t *left = lists->neighbour.data + row->start, lefts = row->count, fresh = 0;
    uint32_t *found = lists->found.data;
    const uint32_t count = (uint32_t)lists->found.count;
    for (uint32_t n = 0; n < count; ++n) {
        const uint32_t at = index_in(left, lefts, found[n]);
        if (at < lefts) {
            left[at] = left[--lefts];
            continue;
        }
        // bodies that are new go to the front
        const uint32_t other = found[n];
        found[n] = found[fresh];
        found[fresh++] = other;
        __builtin_prefetch(&lists->body[other]);
    }
    for (uint32_t n = 0; n < lefts; ++n)
        __builtin_prefetch(&lists->body[left[n]]);
    fetch_rows(lists, left, lefts);
    fetch_rows(lists, found, fresh);
    for (uint32_t n = 0; n < lefts; ++n)
        erase(lists, left[n], body);
    row->count = 0;
    if (count > row->room)
        SCREE_TRY(grow_row(lists, body, (count + BATCH) / BATCH * BATCH));
    memcpy(lists->neighbour.data + row->start, found, count * sizeof *found);
    row->count = count;
    fill_up(lists, body);
    for (uint32_t n = 0; n < fresh; ++n)
        SCREE_TRY(append(lists, found[n], body));
    return SCREE_OK;
}

void scree_event_lists_prefetch(const struct scree_event_lists *lists, uint32_t body, double radius)
{
    if (!(lists->alone > 0))
        scree_event_grids_prefetch(&lists->grids, lists->body[body].place, radius, lists->margin);
}

static void put(struct scree_event_lists *lists, uint32_t body, const double position[3], double radius)
{
    struct scree_event_body *row = &lists->body[body];
    scree_event_grids_place(&lists->grids, position, row->place);
    row->cell = scree_event_grids_cell(&lists->grids, row->place, radius);
}

static scree_status enter(struct scree_event_lists *lists, uint32_t body, double radius)
{
    const struct scree_event_body *row = &lists->body[body];
    return scree_event_grids_enter(&lists->grids, row->cell, body, row->place, radius);
}

scree_status scree_event_lists_rebuild(struct scree_event_lists *lists, uint32_t body, const double place[3],
                                       double radius)
{
    if (lists->alone > 0) {
        put(lists, body, place, radius);
        return SCREE_OK;
    }
    scree_event_grids_leave(&lists->grids, lists->body[body].cell, body);
    put(lists, body, place, radius);
    search(lists, &lists->body[body], radius);
    SCREE_TRY(replace(lists, body));
    return enter(lists, body, radius);
}

// --- making

struct extent {
    double lower[3], upper[3], largest, mean_cube, mean_square, mean;
    size_t count;
};

static struct extent measure(const struct scree_world *world)
{
    struct extent extent = {.lower = {(double)INFINITY, (double)INFINITY, (double)INFINITY},
                            .upper = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY}};
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        const double r = scree_grain_reach(world, i);
        for (int k = 0; k < 3; ++k) {
            const double x = grain->position[k];
            extent.lower[k] = x - r < extent.lower[k] ? x - r : extent.lower[k];
            extent.upper[k] = x + r > extent.upper[k] ? x + r : extent.upper[k];
        }
        extent.largest = r > extent.largest ? r : extent.largest;
        extent.mean += r;
        extent.mean_square += r * r;
        extent.mean_cube += r * r * r;
        ++extent.count;
    }
    const double n = extent.count > 0 ? (double)extent.count : 1;
    extent.mean /= n;
    extent.mean_square /= n;
    extent.mean_cube /= n;
    return extent;
}

// In a cell that deforms a quarter of the margin m is for its strain e since any list was built: places
// that were at least D + m apart, with the sum D of radii, are at least (1 - e) (D + m) apart. Neighbours are
// at most (1 + e) (D + m) plus their ways from their places apart, D + 2 m, which must be below half of the
// width (1 - e) W of the cell, so that they are nearest images. A tenth of D, for which the narrowest cells
// have room, leaves 0.022 for e: enough for an automatic step.
static void share_margin(struct scree_event_lists *lists, double largest_sum, double room)
{
    lists->margin = lists->margin > 0.1 * largest_sum ? lists->margin : 0.1 * largest_sum;
    lists->margin = lists->margin < room / 2.7 ? lists->margin : room / 2.7;
    lists->strain = 0.25 * lists->margin / (largest_sum + lists->margin);
    lists->range = 0.375 * lists->margin;
}

// A new place is 0.7 mean free paths of a dilute gas ahead: bodies fly on by one of them on average, and may
// be scattered before. 0.5 and 1 are as fast within the noise.
static void choose_lead(struct scree_event_lists *lists, bool flat, double density, double diameter)
{
    const double pi = 3.14159265358979323846,
                 path = 1 / (sqrt(2.0) * density * (flat ? 2 * diameter : pi * diameter * diameter));
    lists->lead = 0.7 * path < 0.9 * lists->range ? 0.7 * path : 0.9 * lists->range;
}

// A margin with which a body has about 16 neighbours (8 in two dimensions) in a fluid: the fastest one,
// see docs/decisions/event-engine.md. It must leave the lists of a periodic cell unambiguous.
static void choose_margin(struct scree_event_lists *lists, const struct scree_world *world,
                          const struct extent *extent)
{
    const double *period = scree_world_cell(world)->period;
    const bool flat = world->dimension == 2;
    double volume = 1, narrowest = (double)INFINITY;
    if (lists->grids.skew) {
        volume = scree_mat3_determinant(scree_lattice_load(lists->grids.skew->here));
        narrowest = scree_cell_narrowest(world);
    }
    for (int k = 0; k < (flat ? 2 : 3) && !lists->grids.skew; ++k) {
        volume *= period[k] > 0 ? period[k] : extent->upper[k] - extent->lower[k];
        narrowest = period[k] > 0 && period[k] < narrowest ? period[k] : narrowest;
    }
    // a sphere of `times` the diameter contains 8 fraction times^3 bodies, a circle 4 fraction times^2
    const double pi = 3.14159265358979323846, count = (double)extent->count;
    const double wanted = flat ? 8 / (4 * pi * count * extent->mean_square / volume)
                               : 16 / (8 * (4 * pi / 3) * count * extent->mean_cube / volume);
    double times = 1;
    while ((flat ? times * times : times * times * times) < wanted && times < 8)
        times *= 1.03125;
    const double diameter = 2 * extent->mean, room = 0.5 * narrowest * (1 - 1e-3) - 2 * extent->largest;
    double margin = (times - 1 > 0.25 ? times - 1 : 0.25) * diameter;
    margin = lists->alone > 0 ? lists->alone : margin;
    // distances of neighbours grow by up to the margin until one is listed again, and stay below half of a
    // period
    margin = margin < 0.5 * room ? margin : 0.5 * room;
    lists->margin = margin;
    lists->range = 0.5 * margin;
    if (lists->grids.skew)
        share_margin(lists, 2 * extent->largest, room);
    choose_lead(lists, flat, count / volume, diameter);
}

scree_status scree_event_lists_check(const struct scree_world *world)
{
    double largest = 0;
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const double radius = scree_grain_reach(world, i);
        largest = radius > largest ? radius : largest;
    }
    if (scree_world_lattice(world) && scree_cell_narrowest(world) < LEAST_WIDTH * largest)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the periodic cell is too narrow for the event engine: two faces are %g m apart, but it needs %g "
            "m, twice the largest diameter and a margin: give it more bodies",
            scree_cell_narrowest(world), LEAST_WIDTH * largest);
    for (int k = 0; k < 3; ++k) {
        const double period = scree_world_cell(world)->period[k];
        if (period > 0 && period < LEAST_PERIOD * largest)
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the periodic cell is too narrow for the event engine: %g m along %c, but it needs %g "
                "m, twice the largest diameter and a margin",
                period, "xyz"[k], LEAST_PERIOD * largest);
    }
    return SCREE_OK;
}

// Chooses the places along the axes: a period, or a fold that is wide enough for all bodies.
static void choose_places(struct scree_event_lists *lists, const struct scree_world *world,
                          const struct extent *extent)
{
    const struct scree_cell *cell = scree_world_cell(world);
    struct scree_event_grids *grids = &lists->grids;
    const double width = (2 * extent->largest + lists->margin) * 1.0001;
    if (grids->skew)
        scree_vec3_store(scree_lattice_widths(scree_lattice_load(grids->skew->inverse)), grids->across);
    for (int k = 0; k < 3; ++k) {
        const bool periodic = cell->period[k] > 0;
        const double size = extent->upper[k] - extent->lower[k];
        grids->period[k] = grids->skew ? 1 : periodic ? cell->period[k] : size > 3 * width ? size : 3 * width;
        grids->lower[k] = grids->skew ? 0 : periodic ? cell->lower[k] : extent->lower[k];
        grids->across[k] = grids->skew ? grids->across[k] * (1 - lists->strain) : grids->period[k];
        grids->step[k] = grids->period[k] * 0x1p-32;
        grids->inverse_step[k] = 1 / grids->step[k];
    }
}

// Enters the pairs of a body with those before it, with some room for bodies that come near later. A pair is
// found from one side only: rounding may let the other one miss it.
static scree_status first_list(struct scree_event_lists *lists, uint32_t body, double radius)
{
    search(lists, &lists->body[body], radius);
    const uint32_t count = (uint32_t)lists->found.count;
    SCREE_TRY(grow_row(lists, body, (count + BATCH / 2) / BATCH * BATCH + BATCH));
    for (size_t n = 0; n < count; ++n) {
        const uint32_t other = lists->found.data[n];
        if (other >= body)
            continue;
        SCREE_TRY(append(lists, body, other));
        SCREE_TRY(append(lists, other, body));
    }
    return SCREE_OK;
}

// Whether some materials of bodies have no rule.
static bool some_pass(const struct scree_law_classes *classes, const struct scree_world *world)
{
    uint16_t material[2] = {0, 0};
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        material[0] = scree_world_grains(world)[i].material;
        if (material[0] == material[1])
            continue;
        material[1] = material[0];
        for (size_t m = 1; m < classes->materials; ++m)
            if (scree_law_class_of(classes, material[0], (uint16_t)m) == SCREE_CONTACTS_NO_CLASS)
                return true;
    }
    return false;
}

static scree_status make_grids(struct scree_event_lists *lists, const struct scree_world *world)
{
    double *radius;
    const size_t bodies = scree_world_bodies(world);
    SCREE_TRY(scree_memory_new(bodies, sizeof *radius, (void **)&radius));
    for (size_t i = 0; i < bodies; ++i)
        radius[i] = scree_grain_reach(world, i);
    const scree_status status = scree_event_grids_make(&lists->grids, radius, bodies, lists->margin);
    scree_memory_free(radius);
    return status;
}

static scree_status make(struct scree_event_lists *lists, const struct scree_world *world)
{
    const struct scree_grain *grain = scree_world_grains(world);
    const size_t bodies = scree_world_bodies(world);
    const struct extent extent = measure(world);
    choose_margin(lists, world, &extent);
    choose_places(lists, world, &extent);
    SCREE_TRY(make_grids(lists, world));
    lists->bodies = bodies;
    SCREE_TRY(scree_memory_new(bodies, sizeof *lists->body, (void **)&lists->body));
    SCREE_TRY(scree_array_reserve(&lists->found, bodies + BATCH));
    for (uint32_t i = 0; i < bodies; ++i) {
        const double radius = scree_grain_reach(world, i);
        put(lists, i, grain[i].position, radius);
        lists->body[i].material = grain[i].material;
        // those without a radius touch others with their walls only, and are in no cell
        if (radius > 0 && !(lists->alone > 0))
            SCREE_TRY(enter(lists, i, radius));
    }
    for (uint32_t i = 0; i < bodies && !(lists->alone > 0); ++i)
        if (scree_grain_reach(world, i) > 0)
            SCREE_TRY(first_list(lists, i, scree_grain_reach(world, i)));
    return SCREE_OK;
}

scree_status scree_event_lists_make(struct scree_event_lists *lists, const struct scree_world *world,
                                    const struct scree_law_classes *classes,
                                    const struct scree_event_skew *skew)
{
    const double alone = lists->alone;
    scree_event_lists_free(lists);
    lists->alone = alone;
    lists->classes = classes;
    lists->grids.dimension = world->dimension;
    lists->grids.skew = skew;
    // grains of a body may have other materials than it has
    lists->some_pass = scree_grain_carried(world) == 0 && some_pass(classes, world);
    if (scree_world_bodies(world) == 0)
        return SCREE_OK;
    const scree_status status = make(lists, world);
    if (status != SCREE_OK)
        scree_event_lists_free(lists);
    return status;
}

void scree_event_lists_free(struct scree_event_lists *lists)
{
    scree_event_grids_free(&lists->grids);
    scree_memory_free(lists->body);
    scree_array_free(&lists->neighbour);
    scree_array_free(&lists->found);
    *lists = (struct scree_event_lists){0};
}

size_t scree_event_lists_memory(const struct scree_event_lists *lists)
{
    return scree_event_grids_memory(&lists->grids) + lists->bodies * sizeof *lists->body +
           (lists->neighbour.capacity + lists->found.capacity) * sizeof(uint32_t);
}
