// Lacey's mixing index, see include/scree/measure.h. Bodies are sorted by cell, and each cell is summed
// exactly, so the result does not depend on the order of bodies.

#include "base/memory.h"
#include "base/sort.h"
#include "base/sum.h"
#include "measure/part.h"
#include "world/cell.h"

struct mixing {
    struct scree_part part;
    const uint32_t *cells;
    uint64_t members; // mask of the group
    bool by_mass;
    uint64_t *cell;  // of each body in the region
    uint32_t *slot;  // of that body
    uint32_t *order; // by cell
    size_t count;
};

// Sums over the bodies of a cell, or of all cells.
struct amounts {
    struct scree_sum all, members, squares;
};

// The cell of a fraction of the region along an axis. The upper bound, which a ball and a cylinder include,
// belongs to the last cell.
static uint64_t cell_at(double fraction, uint32_t cells)
{
    const double number = fraction * cells;
    return !(number > 0) ? 0 : number < cells ? (uint64_t)number : cells - 1;
}

// The cell of a position along an axis.
static uint64_t cell_along(const struct mixing *mixing, int axis, double position)
{
    const struct scree_part *part = &mixing->part;
    const uint32_t cells = mixing->cells[axis];
    double from_lower = position - part->lower[axis];
    if (part->period[axis] > 0)
        from_lower -= part->period[axis] * floor(from_lower / part->period[axis]);
    const double length =
        part->spans_period[axis] ? part->period[axis] : part->upper[axis] - part->lower[axis];
    return cell_at(from_lower / length, cells);
}

// In a cell with cell vectors the grid is along these.
static uint64_t skewed_cell(const struct mixing *mixing, const double *position)
{
    double fraction[3];
    uint64_t cell = 0;
    scree_vec3_store(scree_cell_fraction(&mixing->part.lattice, position), fraction);
    for (int k = 0; k < mixing->part.dimension; ++k)
        cell = cell * mixing->cells[k] + cell_at(fraction[k], mixing->cells[k]);
    return cell;
}

static void list_bodies(const struct scree_world *world, struct mixing *mixing)
{
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        uint64_t cell = 0;
        if (!scree_part_has(&mixing->part, world, i))
            continue;
        for (int k = 0; k < mixing->part.dimension && !mixing->part.skewed; ++k)
            cell = cell * mixing->cells[k] + cell_along(mixing, k, scree_world_grains(world)[i].position[k]);
        mixing->cell[mixing->count] =
            mixing->part.skewed ? skewed_cell(mixing, scree_world_grains(world)[i].position) : cell;
        mixing->slot[mixing->count++] = (uint32_t)i;
    }
}

// Adds the bodies [first, last) of the order to the sums.
static void add_bodies(const struct scree_world *world, const struct mixing *mixing, size_t first,
                       size_t last, struct amounts *sums)
{
    for (size_t k = first; k < last; ++k) {
        const uint32_t slot = mixing->slot[mixing->order[k]];
        const double amount = mixing->by_mass ? scree_world_grains(world)[slot].mass : 1;
        scree_sum_add(&sums->all, amount);
        scree_sum_add(&sums->squares, amount * amount);
        if (scree_group_of_body(world, slot) & mixing->members)
            scree_sum_add(&sums->members, amount);
    }
}

static double index_of(const struct scree_world *world, const struct mixing *mixing)
{
    struct amounts total = {0};
    struct scree_sum variance = {0}, random = {0};
    add_bodies(world, mixing, 0, mixing->count, &total);
    const double all = scree_sum_value(&total.all), members = scree_sum_value(&total.members);
    if (!(members > 0 && members < all))
        return 0;
    const double fraction = members / all;
    for (size_t first = 0, last; first < mixing->count; first = last) {
        const uint64_t cell = mixing->cell[mixing->order[first]];
        struct amounts sums = {0};
        for (last = first; last < mixing->count && mixing->cell[mixing->order[last]] == cell;)
            ++last;
        add_bodies(world, mixing, first, last, &sums);
        const double amount = scree_sum_value(&sums.all);
        const double deviation = scree_sum_value(&sums.members) / amount - fraction;
        scree_sum_add(&variance, amount / all * deviation * deviation);
        scree_sum_add(&random, scree_sum_value(&sums.squares) / amount / all);
    }
    const double separated_variance = fraction * (1 - fraction);
    const double range = separated_variance - separated_variance * scree_sum_value(&random);
    // without two bodies in a cell the range is 0, or its rounding error
    return range > 1e-12 * separated_variance ? (separated_variance - scree_sum_value(&variance)) / range : 0;
}

scree_status scree_measure_mixing(const struct scree_world *world, const struct scree_measure_region *region,
                                  scree_group_id members, const uint32_t cells[3], bool by_mass,
                                  double *index)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct mixing mixing = {.cells = cells, .by_mass = by_mass};
    const size_t bodies = scree_world_bodies(world);
    if (region && region->shape != SCREE_MEASURE_EVERYWHERE)
        SCREE_TRY(scree_cell_refuse_deforming(world, "the mixing index of a region"));
    SCREE_TRY(scree_part_begin_volume(world, region, &mixing.part));
    SCREE_TRY(scree_group_mask(world, members, &mixing.members));
    for (int k = 0; k < mixing.part.dimension; ++k)
        if (cells[k] < 1 || cells[k] > SCREE_MEASURE_MAX_CELLS)
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "a mixing index needs 1 to %d cells along each axis; got %lu along %c",
                                     (int)SCREE_MEASURE_MAX_CELLS, (unsigned long)cells[k], 'x' + k);
    scree_status status = scree_memory_new(bodies, sizeof *mixing.cell, (void **)&mixing.cell);
    if (status == SCREE_OK)
        status = scree_memory_new(bodies, sizeof *mixing.slot, (void **)&mixing.slot);
    if (status == SCREE_OK)
        status = scree_memory_new(bodies, sizeof *mixing.order, (void **)&mixing.order);
    if (status == SCREE_OK) {
        list_bodies(world, &mixing);
        status = scree_sort_order(mixing.cell, mixing.count, mixing.order);
    }
    if (status == SCREE_OK)
        *index = index_of(world, &mixing);
    scree_memory_free(mixing.cell);
    scree_memory_free(mixing.slot);
    scree_memory_free(mixing.order);
    return status;
}
