// Grids of cells, see grid.h.

#include "event/grid.h"

#include "base/memory.h"
#include "base/processor.h"

#include <math.h>
#include <string.h>

enum {
    BATCH = 8,
    PARTS = SCREE_EVENT_PARTS,
    SPAN = SCREE_EVENT_SPAN,
    MOST_CELLS = 1 << 10,
    MOST_FETCHED = 64
};

// Radii of one grid differ by at most this factor, but for the smallest.
static const double ratio = 2.5;

#define SCREE_KERNEL_BODY "event/grid.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

static scree_event_grid_search *const searches[SCREE_KERNEL_SETS][2] = {
    {scree_kernel_near_v2, scree_kernel_near_skewed_v2},
#if SCREE_WIDE_SETS
    {scree_kernel_near_v3, scree_kernel_near_skewed_v3},
    {scree_kernel_near_v4, scree_kernel_near_skewed_v4},
#endif
};

// --- grids

static int grid_of(const struct scree_event_grids *grids, double radius)
{
    int g = 0;
    for (double limit = grids->largest / ratio; g + 1 < grids->count && radius <= limit; limit /= ratio)
        ++g;
    return g;
}

// Half of the number of cells that a search of the largest body spans must fit into a probe.
static double width_of(const struct scree_event_grids *grids, const struct scree_event_grid *grid,
                       double margin)
{
    const double wanted = 1.0001 * (2 * grid->largest + margin),
                 least = (grids->largest + grid->largest + margin) / (SPAN / 2 - 3);
    return wanted > least ? wanted : least;
}

static void choose_cells(struct scree_event_grids *grids, struct scree_event_grid *grid, double margin)
{
    double most = 4 * (double)grid->bodies + 64;
    const double width = width_of(grids, grid, margin);
    for (int k = 2; k >= 0; --k) {
        double cells = floor(grids->across[k] / width);
        const double limit = k == 0 ? most : most > 1 ? most : 1;
        cells = cells < MOST_CELLS ? cells : MOST_CELLS;
        cells = cells < limit ? cells : floor(limit);
        grid->cells[k] = cells > 1 && !(k == 2 && grids->dimension == 2) ? (uint32_t)cells : 1;
        most /= (double)grid->cells[k];
    }
    grid->first = grids->cells;
    grids->cells += grid->cells[0] * grid->cells[1] * grid->cells[2];
}

scree_status scree_event_grids_make(struct scree_event_grids *grids, const double *radius, size_t bodies,
                                    double margin)
{
    grids->count = SCREE_EVENT_GRIDS;
    for (size_t i = 0; i < bodies; ++i)
        grids->largest = radius[i] > grids->largest ? radius[i] : grids->largest;
    int last = 0;
    for (size_t i = 0; i < bodies; ++i) {
        if (!(radius[i] > 0))
            continue;
        const int g = grid_of(grids, radius[i]);
        struct scree_event_grid *grid = &grids->grid[g];
        ++grid->bodies;
        grid->largest = radius[i] > grid->largest ? radius[i] : grid->largest;
        last = g > last ? g : last;
    }
    grids->count = last + 1;
    for (int g = 0; g < grids->count; ++g)
        if (grids->grid[g].bodies > 0)
            choose_cells(grids, &grids->grid[g], margin);
    grids->groups = 1;
    SCREE_TRY(scree_memory_new(grids->cells, sizeof *grids->bodies, (void **)&grids->bodies));
    return scree_memory_new(grids->cells, sizeof *grids->held, (void **)&grids->held);
}

void scree_event_grids_free(struct scree_event_grids *grids)
{
    scree_memory_free(grids->bodies);
    scree_memory_free(grids->held);
    *grids = (struct scree_event_grids){0};
}

// --- cells

static struct scree_event_held *held_in(const struct scree_event_grids *grids, uint32_t cell)
{
    return grids->held + (size_t)cell * grids->groups;
}

// Doubles the room of all cells.
static scree_status grow_cells(struct scree_event_grids *grids)
{
    const uint32_t old = grids->groups, groups = 2 * old;
    struct scree_event_held *fresh;
    SCREE_TRY(scree_memory_new((size_t)grids->cells * groups, sizeof *fresh, (void **)&fresh));
    for (size_t cell = 0; cell < grids->cells; ++cell)
        memcpy(fresh + cell * groups, grids->held + cell * old, old * sizeof *fresh);
    scree_memory_free(grids->held);
    grids->held = fresh;
    grids->groups = groups;
    return SCREE_OK;
}

// A place along an axis in parts of cells, without remainder.
static uint32_t parts_along(const struct scree_event_grid *grid, int axis, uint32_t at)
{
    return (uint32_t)((uint64_t)at * grid->cells[axis] * PARTS >> 32);
}

void scree_event_grids_place(const struct scree_event_grids *grids, const double position[3],
                             uint32_t place[3])
{
    double along[3];
    memcpy(along, position, sizeof along);
    if (grids->skew)
        scree_vec3_store(scree_event_skew_fraction(grids->skew, position), along);
    for (int k = 0; k < 3; ++k) {
        const double steps = (along[k] - grids->lower[k]) * grids->inverse_step[k];
        // far outside along an axis that is not periodic: any place will do, because nothing is near
        const double turns = steps > -0x1p60 && steps < 0x1p60 ? steps : 0;
        place[k] = (uint32_t)(uint64_t)(int64_t)floor(turns);
    }
}

uint32_t scree_event_grids_cell(const struct scree_event_grids *grids, const uint32_t place[3], double radius)
{
    const struct scree_event_grid *grid = &grids->grid[grid_of(grids, radius)];
    uint32_t cell[3];
    for (int k = 0; k < 3; ++k)
        cell[k] = parts_along(grid, k, place[k]) / PARTS;
    return grid->first + (cell[2] * grid->cells[1] + cell[1]) * grid->cells[0] + cell[0];
}

scree_status scree_event_grids_enter(struct scree_event_grids *grids, uint32_t cell, uint32_t body,
                                     const uint32_t place[3], double radius)
{
    const struct scree_event_grid *grid = &grids->grid[grid_of(grids, radius)];
    if (grids->bodies[cell] == BATCH * grids->groups)
        SCREE_TRY(grow_cells(grids));
    const uint32_t at = grids->bodies[cell]++, l = at % BATCH;
    struct scree_event_held *held = held_in(grids, cell) + at / BATCH;
    const double size = ceil(radius / grid->largest * UINT8_MAX);
    held->word[l] = (uint32_t)(size < 1 ? 1 : size > UINT8_MAX ? UINT8_MAX : size) << 24;
    for (int k = 0; k < 3; ++k)
        held->word[l] |= parts_along(grid, k, place[k]) % PARTS << 8 * k;
    held->body[l] = body;
    return SCREE_OK;
}

void scree_event_grids_leave(struct scree_event_grids *grids, uint32_t cell, uint32_t body)
{
    const uint32_t last = --grids->bodies[cell];
    struct scree_event_held *held = held_in(grids, cell), *end = &held[last / BATCH];
    uint32_t at = 0;
    while (held[at / BATCH].body[at % BATCH] != body)
        ++at;
    held += at / BATCH;
    held->body[at % BATCH] = end->body[last % BATCH];
    held->word[at % BATCH] = end->word[last % BATCH];
    end->word[last % BATCH] = 0;
}

// --- searching

// The cells within `reach` of a place along an axis, each once.
static void look_around(const struct scree_event_grids *grids, const struct scree_event_grid *grid, int axis,
                        uint32_t place, double reach, struct scree_event_probe *probe)
{
    const int64_t cells = grid->cells[axis], own = parts_along(grid, axis, place) / PARTS;
    const double parts = (double)place * ((double)cells * PARTS * 0x1p-32) - (double)own * PARTS;
    const double all = (double)cells * PARTS, length = grids->period[axis] / all;
    const double far = reach * all / grids->across[axis];
    int64_t low = (int64_t)floor((parts - far) / PARTS), high = (int64_t)floor((parts + far) / PARTS);
    // all cells: these do not tell which image of a body is near
    const bool whole = high - low + 1 >= cells;
    low = whole ? -own : low;
    high = whole ? cells - 1 - own : high;
    probe->length[axis] = (float)length;
    probe->turn[axis] = whole ? (float)all : 0x1p100f;
    probe->count[axis] = (uint32_t)(high - low + 1);
    for (int64_t n = low; n <= high; ++n) {
        const double before = whole || n == 0 ? 0
                              : n < 0         ? parts - (double)(n + 1) * PARTS
                                              : (double)n * PARTS - parts;
        const int64_t cell = own + n;
        probe->cell[axis][n - low] = (uint32_t)(cell < 0 ? cell + cells : cell < cells ? cell : cell - cells);
        probe->at[axis][n - low] = (float)(parts - (double)n * PARTS - 0.5);
        probe->gap[axis][n - low] = (float)(before * length * before * length);
    }
}

// The vectors of parts of cells along the cell vectors; returns the largest distance of a place from the
// middle of its part.
static double set_vectors(const struct scree_event_grids *grids, const struct scree_event_grid *grid,
                          struct scree_event_probe *probe)
{
    double far = 0;
    const double *h = grids->skew->here;
    memset(probe->vector, 0, sizeof probe->vector);
    for (int k = 0; k < grids->dimension; ++k) {
        const double parts = (double)grid->cells[k] * PARTS;
        for (int j = 0; j < 3; ++j)
            probe->vector[3 * j + k] = (float)(h[3 * j + k] / parts);
        far += 0.5 * sqrt(h[k] * h[k] + h[3 + k] * h[3 + k] + h[6 + k] * h[6 + k]) / parts;
    }
    return far;
}

static double half_part(const struct scree_event_grids *grids, const struct scree_event_grid *grid)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double length = grids->period[k] / ((double)grid->cells[k] * PARTS);
        square += 0.25 * length * length;
    }
    return sqrt(square);
}

static void make_probe(const struct scree_event_grids *grids, const struct scree_event_grid *grid,
                       const uint32_t place[3], double range, struct scree_event_probe *probe)
{
    range = 1.00001 * (range + (grids->skew ? set_vectors(grids, grid, probe) : half_part(grids, grid)));
    const double reach = range + 1.00001 * grid->largest;
    for (int k = 0; k < 3; ++k)
        look_around(grids, grid, k, place[k], reach, probe);
    probe->range = (float)range;
    probe->size = (float)(1.00001 * grid->largest / UINT8_MAX);
    // gaps along cell vectors are no distances
    probe->reach = grids->skew ? 0x1p100f : (float)(1.0001 * reach * reach);
}

size_t scree_event_grids_find(const struct scree_event_grids *grids, const uint32_t place[3], double radius,
                              double margin, uint32_t *found)
{
    scree_event_grid_search *const search = searches[scree_processor_set()][grids->skew != NULL];
    size_t all = 0;
    struct scree_event_probe probe;
    for (int g = 0; g < grids->count; ++g) {
        if (grids->grid[g].bodies == 0)
            continue;
        make_probe(grids, &grids->grid[g], place, radius + margin, &probe);
        all += search(grids, &grids->grid[g], &probe, found + all);
    }
    return all;
}

void scree_event_grids_prefetch(const struct scree_event_grids *grids, const uint32_t place[3], double radius,
                                double margin)
{
    struct scree_event_probe probe;
    for (int g = 0; g < grids->count; ++g) {
        const struct scree_event_grid *grid = &grids->grid[g];
        if (grid->bodies == 0)
            continue;
        make_probe(grids, grid, place, radius + margin, &probe);
        if (probe.count[0] * probe.count[1] * probe.count[2] > MOST_FETCHED)
            continue;
        for (uint32_t c = 0; c < probe.count[2]; ++c)
            for (uint32_t b = 0; b < probe.count[1]; ++b)
                for (uint32_t a = 0; a < probe.count[0]; ++a)
                    __builtin_prefetch(held_in(
                        grids, grid->first +
                                   (probe.cell[2][c] * grid->cells[1] + probe.cell[1][b]) * grid->cells[0] +
                                   probe.cell[0][a]));
    }
}

size_t scree_event_grids_memory(const struct scree_event_grids *grids)
{
    return grids->cells * (sizeof *grids->bodies + grids->groups * sizeof *grids->held);
}
