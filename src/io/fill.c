// Filling a region with grains, see fill.h. Those that are placed lie in cells of space, a set of cells for
// each factor of two in size, so that a small one asks no more than those around it, whatever the largest is.

#include "io/fill.h"

#include "base/random.h"
#include "base/sort.h"
#include "math/real.h"

#include <math.h>
#include <string.h>

enum { TRIES = 1000, LEVELS = 32, MOST_REACH = 8, STREAM_SIZE = 1, STREAM_PLACE = 2 };

// Grains in cells, by a hash of where these are.
struct cells {
    uint32_t *head; // [buckets]: the last grain of a bucket, and one more; 0 for none
    size_t buckets;
    uint32_t *before;    // [grains]: the one before it in its bucket, likewise
    int *level;          // [grains]
    size_t used[LEVELS]; // grains of each level
    double top;          // width of the widest cells
    const struct scree_fill *fill;
};

static double width_of(const struct cells *cells, int level)
{
    return ldexp(cells->top, -level);
}

// The level whose cells are no narrower than a grain is wide.
static int level_of(const struct cells *cells, double radius)
{
    int level = 0;
    while (level < LEVELS - 1 && width_of(cells, level + 1) >= 2 * radius)
        ++level;
    return level;
}

// Cells that repeat have as many along an axis as fit whole.
static int64_t fold(const struct cells *cells, int level, int axis, int64_t cell)
{
    const double period = cells->fill->room.period[axis];
    if (!(period > 0))
        return cell;
    const double count = floor(period / width_of(cells, level));
    const int64_t whole = count > 1 ? (int64_t)count : 1;
    return ((cell % whole) + whole) % whole;
}

static int64_t cell_of(const struct cells *cells, int level, int axis, double x)
{
    const double period = cells->fill->room.period[axis], width = width_of(cells, level);
    if (!(period > 0))
        return (int64_t)floor(x / width);
    const double count = period > width ? floor(period / width) : 1;
    const double at = x - cells->fill->room.region.lower[axis];
    return (int64_t)floor((at - period * floor(at / period)) * count / period);
}

static size_t bucket_of(const struct cells *cells, int level, const int64_t cell[3])
{
    uint64_t hash = (uint64_t)level;
    for (int k = 0; k < 3; ++k)
        hash = (hash ^ (uint64_t)cell[k]) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(hash >> 32) % cells->buckets;
}

static bool overlap(const struct cells *cells, const struct scree_fill_grain *a,
                    const struct scree_fill_grain *b)
{
    double way[3];
    scree_room_way(&cells->fill->room, b->place, a->place, way);
    const double square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
    const double reach = a->radius + b->radius;
    return square < reach * reach;
}

static bool bucket_has(const struct cells *cells, const scree_fill_list *list, int level,
                       const int64_t cell[3], const struct scree_fill_grain *grain)
{
    for (uint32_t g = cells->head[bucket_of(cells, level, cell)]; g > 0; g = cells->before[g - 1])
        if (cells->level[g - 1] == level && overlap(cells, &list->data[g - 1], grain))
            return true;
    return false;
}

// Whether one of a level overlaps a grain: it has its centre at most as far as both reach.
static bool level_has(const struct cells *cells, const scree_fill_list *list, int level,
                      const struct scree_fill_grain *grain)
{
    const double width = width_of(cells, level);
    const double far = ceil((grain->radius + 0.5 * width) / width);
    const int64_t reach = far < MOST_REACH ? (int64_t)far : MOST_REACH;
    int64_t middle[3], cell[3];
    // around a large one there are more cells than grains
    for (size_t g = 0; far > MOST_REACH && g < list->count; ++g)
        if (overlap(cells, &list->data[g], grain))
            return true;
    if (far > MOST_REACH)
        return false;
    for (int k = 0; k < 3; ++k)
        middle[k] = cell_of(cells, level, k, grain->place[k]);
    const int64_t flat = cells->fill->room.region.dimension == 2 ? 0 : reach;
    for (int64_t x = -reach; x <= reach; ++x)
        for (int64_t y = -reach; y <= reach; ++y)
            for (int64_t z = -flat; z <= flat; ++z) {
                cell[0] = fold(cells, level, 0, middle[0] + x);
                cell[1] = fold(cells, level, 1, middle[1] + y);
                cell[2] = fold(cells, level, 2, middle[2] + z);
                if (bucket_has(cells, list, level, cell, grain))
                    return true;
            }
    return false;
}

static bool is_free(const struct cells *cells, const scree_fill_list *list,
                    const struct scree_fill_grain *grain)
{
    for (int level = 0; level < LEVELS; ++level)
        if (cells->used[level] > 0 && level_has(cells, list, level, grain))
            return false;
    return true;
}

static void put(struct cells *cells, const scree_fill_list *list, size_t g)
{
    int64_t cell[3];
    const int level = level_of(cells, list->data[g].radius);
    for (int k = 0; k < 3; ++k)
        cell[k] = cell_of(cells, level, k, list->data[g].place[k]);
    uint32_t *head = &cells->head[bucket_of(cells, level, cell)];
    cells->level[g] = level;
    cells->before[g] = *head;
    *head = (uint32_t)g + 1;
    ++cells->used[level];
}

static scree_status open_cells(struct cells *cells, const struct scree_fill *fill,
                               const scree_fill_list *list, size_t room)
{
    double most = fill->sizes->most;
    for (size_t g = 0; g < list->count; ++g)
        most = list->data[g].radius > most ? list->data[g].radius : most;
    *cells = (struct cells){.top = 2 * most, .fill = fill, .buckets = 2 * room + 1};
    SCREE_TRY(scree_memory_new(cells->buckets, sizeof *cells->head, (void **)&cells->head));
    SCREE_TRY(scree_memory_new(room + 1, sizeof *cells->before, (void **)&cells->before));
    SCREE_TRY(scree_memory_new(room + 1, sizeof *cells->level, (void **)&cells->level));
    for (size_t g = 0; g < list->count; ++g)
        put(cells, list, g);
    return SCREE_OK;
}

static void close_cells(struct cells *cells)
{
    scree_memory_free(cells->head);
    scree_memory_free(cells->before);
    scree_memory_free(cells->level);
}

// --- at random

double scree_fill_radius(const struct scree_fill *fill, uint64_t number)
{
    const struct scree_random_key key = {fill->seed, STREAM_SIZE};
    return scree_sizes_draw(fill->sizes, scree_random_uniform(key, number, 0, 0));
}

static double volume_of(const struct scree_fill *fill, double radius)
{
    const double area = SCREE_PI * radius * radius;
    return fill->room.region.dimension == 2 ? area : area * radius * 4 / 3;
}

scree_status scree_fill_count(const struct scree_fill *fill, const scree_fill_list *list, double porosity,
                              size_t *count)
{
    double left = (1 - porosity) * scree_room_volume(&fill->room);
    *count = 0;
    for (size_t g = 0; g < list->count; ++g)
        if (scree_region_holds(&fill->room.region, list->data[g].place, 0))
            left -= volume_of(fill, list->data[g].radius);
    for (; *count <= UINT32_MAX / 2; ++*count) {
        const double volume = volume_of(fill, scree_fill_radius(fill, *count));
        // as near as can be
        if (!(left > 0.5 * volume))
            return SCREE_OK;
        left -= volume;
    }
    return scree_status_fail(SCREE_ERROR_LIMIT, "at most %u grains can be filled in", UINT32_MAX / 2);
}

// Grain numbers by falling radius; radii are drawn here.
static scree_status draw_sizes(const struct scree_fill *fill, double *radius, uint32_t *order)
{
    uint64_t *rank;
    SCREE_TRY(scree_memory_new(fill->count, sizeof *rank, (void **)&rank));
    for (size_t g = 0; g < fill->count; ++g) {
        radius[g] = scree_fill_radius(fill, g);
        // bits of positive numbers are in order
        uint64_t bits;
        memcpy(&bits, &radius[g], sizeof bits);
        rank[g] = ~bits;
    }
    const scree_status status = scree_sort_order(rank, fill->count, order);
    scree_memory_free(rank);
    return status;
}

static bool try_places(const struct scree_fill *fill, const struct cells *cells, const scree_fill_list *list,
                       uint32_t number, struct scree_fill_grain *grain)
{
    const struct scree_random_key key = {fill->seed, STREAM_PLACE};
    const struct scree_region *region = &fill->room.region;
    for (uint64_t attempt = 0; attempt < TRIES; ++attempt) {
        double u[3];
        scree_random_fill(key, number, attempt, u, 3);
        for (int k = 0; k < 3; ++k)
            grain->place[k] =
                k < region->dimension ? region->lower[k] + u[k] * (region->upper[k] - region->lower[k]) : 0;
        if (scree_room_holds(&fill->room, grain->place, grain->radius) && is_free(cells, list, grain))
            return true;
    }
    return false;
}

static scree_status fill_at_random(const struct scree_fill *fill, scree_fill_list *list)
{
    struct cells cells = {0};
    double *radius = NULL;
    uint32_t *order = NULL;
    const size_t before = list->count;
    scree_status status = scree_memory_new(fill->count, sizeof *radius, (void **)&radius);
    if (status == SCREE_OK)
        status = scree_memory_new(fill->count, sizeof *order, (void **)&order);
    if (status == SCREE_OK)
        status = draw_sizes(fill, radius, order);
    if (status == SCREE_OK)
        status = scree_array_reserve(list, before + fill->count);
    if (status == SCREE_OK)
        status = open_cells(&cells, fill, list, before + fill->count);
    for (size_t k = 0; status == SCREE_OK && k < fill->count; ++k) {
        struct scree_fill_grain grain = {.radius = radius[order[k]]};
        if (!try_places(fill, &cells, list, order[k], &grain))
            break;
        list->data[list->count++] = grain;
        put(&cells, list, list->count - 1);
    }
    close_cells(&cells);
    scree_memory_free(radius);
    scree_memory_free(order);
    return status;
}

// --- on a lattice

// Place `i`, `j`, `k` of a lattice of spheres of one width: layers of rows.
static void lattice_place(enum scree_fill_order order, int dimension, double width, const int64_t at[3],
                          double place[3])
{
    const double i = (double)at[0], j = (double)at[1], k = (double)at[2];
    const bool dense = order == SCREE_FILL_HEXAGONAL;
    const double row = dense ? sqrt(3.0) / 2 : 1, layer = dense ? sqrt(2.0 / 3) : 1;
    const double odd_row = dense ? 0.5 * (double)(at[1] & 1) : 0, odd_layer = dense ? (double)(at[2] & 1) : 0;
    place[0] = width * (0.5 + i + odd_row + 0.5 * odd_layer);
    place[1] = width * (0.5 + j * row + odd_layer * row / 3);
    place[2] = dimension == 2 ? 0 : width * (0.5 + k * layer);
}

// In the way of a lattice is what was there before.
static scree_status lay(const struct scree_fill *fill, const struct cells *cells, scree_fill_list *list)
{
    // a hair apart, so that rounding makes no overlap; and inside of faces that repeat
    const double width = 2 * fill->sizes->most * (1 + 1e-9);
    struct scree_region closed = fill->room.region;
    memset(closed.open, 0, sizeof closed.open);
    const struct scree_region *region = &closed;
    int64_t many[3], at[3];
    for (int k = 0; k < 3; ++k)
        many[k] = k < region->dimension
                      ? (int64_t)ceil(1.3 * (region->upper[k] - region->lower[k]) / width) + 1
                      : 1;
    size_t made = 0;
    for (at[2] = 0; at[2] < many[2]; ++at[2])
        for (at[1] = 0; at[1] < many[1]; ++at[1])
            for (at[0] = 0; at[0] < many[0] && made < fill->count; ++at[0]) {
                struct scree_fill_grain grain = {.radius = scree_fill_radius(fill, made)};
                lattice_place(fill->order, region->dimension, width, at, grain.place);
                for (int k = 0; k < region->dimension; ++k)
                    grain.place[k] += region->lower[k];
                if (!scree_region_holds(region, grain.place, 0.5 * width) ||
                    !scree_room_holds(&fill->room, grain.place, grain.radius) ||
                    !is_free(cells, list, &grain))
                    continue;
                SCREE_TRY(scree_array_push(list, grain));
                ++made;
            }
    return SCREE_OK;
}

static scree_status fill_lattice(const struct scree_fill *fill, scree_fill_list *list)
{
    struct cells cells;
    scree_status status = open_cells(&cells, fill, list, list->count);
    if (status == SCREE_OK)
        status = lay(fill, &cells, list);
    close_cells(&cells);
    return status;
}

// Whether so many may be asked for at all: volumes, and places of a lattice.
static scree_status check_wish(const struct scree_fill *fill)
{
    const double width = 2 * fill->sizes->least, most = 1e8;
    double places = 1;
    for (int k = 0; k < fill->room.region.dimension; ++k)
        places *= (fill->room.region.upper[k] - fill->room.region.lower[k]) / width + 1;
    // no packing of spheres has twice the density of a cubic one
    if (fill->order == SCREE_FILL_RANDOM && (double)fill->count > 2 * places)
        return scree_status_fail(SCREE_ERROR_LIMIT,
                                 "%zu grains have no room in this region, which holds less than %.3g",
                                 fill->count, 2 * places);
    if (fill->order != SCREE_FILL_RANDOM && !(places <= most))
        return scree_status_fail(SCREE_ERROR_LIMIT, "a lattice has at most %g places, and this one %.3g",
                                 most, places);
    return SCREE_OK;
}

scree_status scree_fill(const struct scree_fill *fill, scree_fill_list *list)
{
    SCREE_TRY(check_wish(fill));
    if (list->count + (fill->order == SCREE_FILL_RANDOM ? fill->count : 0) > UINT32_MAX / 2)
        return scree_status_fail(SCREE_ERROR_LIMIT, "at most %u grains can be filled in", UINT32_MAX / 2);
    return fill->order == SCREE_FILL_RANDOM ? fill_at_random(fill, list) : fill_lattice(fill, list);
}
