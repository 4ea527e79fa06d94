// Hierarchical cell list, see cells.h.

#include "pack/cells.h"

#include "math/vec3.h"
#include "pack/solid.h"
#include "world/grain.h"

#include <math.h>
#include <string.h>

enum { LEVELS = SCREE_CELLS_LEVELS, MAX_RANGE = 8 };

static double width_of(const struct scree_cells *cells, int level)
{
    return ldexp(cells->coarsest_width, -level);
}

// Returns the finest level whose cells are at least as wide as the grain's diameter.
static int level_of(const struct scree_cells *cells, double radius)
{
    int level = 0;
    while (level < LEVELS - 1 && width_of(cells, level + 1) >= 2 * radius)
        ++level;
    return level;
}

// Wraps a cell index along a periodic axis, which has as many cells as fit into the period.
static int64_t wrap(const struct scree_cells *cells, int level, int axis, int64_t cell)
{
    const double period = cells->free_region->period[axis];
    if (!(period > 0))
        return cell;
    const double count = floor(period / width_of(cells, level));
    const int64_t cells_across = count > 1 ? (int64_t)count : 1;
    return ((cell % cells_across) + cells_across) % cells_across;
}

static int64_t cell_of(const struct scree_cells *cells, int level, int axis, double x)
{
    const double period = cells->free_region->period[axis], width = width_of(cells, level);
    if (!(period > 0))
        return (int64_t)floor(x / width);
    const double count = period > width ? floor(period / width) : 1;
    const double from_lower = x - cells->free_region->region.lower[axis];
    return (int64_t)floor((from_lower - period * floor(from_lower / period)) * count / period);
}

static size_t bucket_of(const struct scree_cells *cells, int level, const int64_t cell[3])
{
    uint64_t hash = (uint64_t)level;
    for (int k = 0; k < 3; ++k)
        hash = (hash ^ (uint64_t)cell[k]) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(hash >> 32) % cells->buckets;
}

// Whether grains overlap of which at least one is a polyhedron. Its nearest point may belong to another image
// than the nearest centre.
static bool images_overlap(const struct scree_cells *cells, const struct scree_fill_grain *a,
                           const struct scree_fill_grain *b, const double nearest[3], double range)
{
    const double *period = cells->free_region->period;
    for (unsigned image = 0; image < 8; ++image) {
        double between[3], square = 0;
        bool exists = true;
        for (int k = 0; k < 3; ++k) {
            const bool other = image >> k & 1;
            exists = exists && (!other || period[k] > 0);
            between[k] = nearest[k] - (!other ? 0 : nearest[k] > 0 ? period[k] : -period[k]);
            square += between[k] * between[k];
        }
        if (exists && square < range * range &&
            scree_pack_solids_overlap(b->solid, b->radius, a->solid, a->radius, scree_vec3_load(between)))
            return true;
    }
    return false;
}

static bool overlap(const struct scree_cells *cells, const struct scree_fill_grain *a,
                    const struct scree_fill_grain *b)
{
    double displacement[3];
    scree_free_region_difference(cells->free_region, b->position, a->position, displacement);
    const double square = scree_vec3_norm_squared(scree_vec3_load(displacement));
    const double range = a->radius + b->radius;
    if (!(square < range * range))
        return false;
    return (!a->solid && !b->solid) || images_overlap(cells, a, b, displacement, range);
}

static bool bucket_overlaps(const struct scree_cells *cells, const scree_fill_list *list, int level,
                            const int64_t cell[3], const struct scree_fill_grain *grain)
{
    for (uint32_t g = cells->head[bucket_of(cells, level, cell)]; g > 0; g = cells->previous[g - 1])
        if (cells->level[g - 1] == level && overlap(cells, &list->data[g - 1], grain))
            return true;
    return false;
}

// Returns whether a grain of a level, whose radius is at most half a cell width, overlaps `grain`.
static bool level_overlaps(const struct scree_cells *cells, const scree_fill_list *list, int level,
                           const struct scree_fill_grain *grain)
{
    const double width = width_of(cells, level);
    const double cells_needed = ceil((grain->radius + 0.5 * width) / width);
    const int64_t range = cells_needed < MAX_RANGE ? (int64_t)cells_needed : MAX_RANGE;
    int64_t middle[3], cell[3];
    // for a large grain, testing all grains is cheaper than visiting all cells around it
    for (size_t g = 0; cells_needed > MAX_RANGE && g < list->count; ++g)
        if (overlap(cells, &list->data[g], grain))
            return true;
    if (cells_needed > MAX_RANGE)
        return false;
    for (int k = 0; k < 3; ++k)
        middle[k] = cell_of(cells, level, k, grain->position[k]);
    const int64_t range_z = cells->free_region->region.dimension == 2 ? 0 : range;
    // most grains that overlap one do so here
    for (int k = 0; k < 3; ++k)
        cell[k] = wrap(cells, level, k, middle[k]);
    if (bucket_overlaps(cells, list, level, cell, grain))
        return true;
    for (int64_t x = -range; x <= range; ++x)
        for (int64_t y = -range; y <= range; ++y)
            for (int64_t z = -range_z; z <= range_z; ++z) {
                cell[0] = wrap(cells, level, 0, middle[0] + x);
                cell[1] = wrap(cells, level, 1, middle[1] + y);
                cell[2] = wrap(cells, level, 2, middle[2] + z);
                if (bucket_overlaps(cells, list, level, cell, grain))
                    return true;
            }
    return false;
}

bool scree_cells_is_free(const struct scree_cells *cells, const scree_fill_list *list,
                         const struct scree_fill_grain *grain)
{
    for (int level = 0; level < LEVELS; ++level)
        if (cells->used[level] > 0 && level_overlaps(cells, list, level, grain))
            return false;
    return true;
}

void scree_cells_add(struct scree_cells *cells, const scree_fill_list *list, size_t g)
{
    int64_t cell[3];
    const int level = level_of(cells, list->data[g].radius);
    for (int k = 0; k < 3; ++k)
        cell[k] = cell_of(cells, level, k, list->data[g].position[k]);
    uint32_t *head = &cells->head[bucket_of(cells, level, cell)];
    cells->level[g] = level;
    cells->previous[g] = *head;
    *head = (uint32_t)g + 1;
    ++cells->used[level];
}

scree_status scree_cells_open(struct scree_cells *cells, const struct scree_free_region *free_region,
                              double largest, const scree_fill_list *list, size_t capacity)
{
    double largest_radius = largest;
    for (size_t g = 0; g < list->count; ++g)
        largest_radius = list->data[g].radius > largest_radius ? list->data[g].radius : largest_radius;
    *cells = (struct scree_cells){
        .coarsest_width = 2 * largest_radius, .free_region = free_region, .buckets = 2 * capacity + 1};
    SCREE_TRY(scree_memory_new(cells->buckets, sizeof *cells->head, (void **)&cells->head));
    SCREE_TRY(scree_memory_new(capacity + 1, sizeof *cells->previous, (void **)&cells->previous));
    SCREE_TRY(scree_memory_new(capacity + 1, sizeof *cells->level, (void **)&cells->level));
    for (size_t g = 0; g < list->count; ++g)
        scree_cells_add(cells, list, g);
    return SCREE_OK;
}

scree_status scree_cells_list_add(scree_fill_list *list, const struct scree_world *world, size_t grain)
{
    const struct scree_grain *row = &scree_world_grains(world)[grain];
    struct scree_fill_grain added = {.radius = row->radius, .shared = scree_grain_shared(world, grain)};
    if (!(row->radius > 0))
        return SCREE_OK;
    memcpy(added.position, row->position, sizeof added.position);
    SCREE_TRY(scree_array_reserve(list, list->count + 1));
    SCREE_TRY(scree_pack_solid_of(world, grain, &added.solid));
    list->data[list->count++] = added;
    return SCREE_OK;
}

void scree_cells_list_free(scree_fill_list *list)
{
    for (size_t g = 0; g < list->count; ++g)
        scree_memory_free(list->data[g].solid);
    scree_array_free(list);
}

void scree_cells_close(struct scree_cells *cells)
{
    scree_memory_free(cells->head);
    scree_memory_free(cells->previous);
    scree_memory_free(cells->level);
}
