// Radial distribution functions: pairs of a periodic cell by their distance, see distribution.h.
//
// Each body of the first group is compared with the images of the partners in the cells around it, in a grid
// along the cell vectors. Images of the body itself do not count. So the expected number of pairs in a shell,
// for partners that are independent of each other, is the number of ordered pairs times the volume of the
// shell over that of the cell, also beyond half of the period. Counts are whole numbers and have no order.

#include "base/memory.h"
#include "measure/distribution.h"
#include "world/cell.h"
#include "world/group.h"

#include <math.h>

enum { WIDTHS = 4 }; // the largest distance over the smallest width of the cell

struct grid {
    const struct scree_world *world;
    struct scree_vec3 vector[3], corner;
    struct scree_mat3 inverse;
    double width[3], volume;
    int64_t cells[3], reach[3];
    uint32_t *start;             // of each cell, in `partner`; one more for the end
    uint32_t *cell;              // of each body
    uint32_t *partner;           // slots, by cell
    struct scree_vec3 *position; // of each body, in the cell
};

static void set_vectors(const struct scree_world *world, struct grid *grid)
{
    const struct scree_cell *cell = scree_world_cell(world);
    double length[3];
    for (int k = 0; k < 3; ++k)
        length[k] = cell->period[k] > 0 ? cell->period[k] : 1;
    struct scree_mat3 vectors = scree_mat3_diagonal(scree_vec3_load(length));
    grid->corner = scree_vec3_load(cell->lower);
    grid->inverse = scree_mat3_inverse(vectors);
    if (scree_world_lattice(world)) {
        const struct scree_cell_lattice lattice = scree_cell_lattice_of(world);
        vectors = lattice.vectors;
        grid->inverse = lattice.inverse;
        grid->corner = lattice.corner;
    }
    const struct scree_mat3 columns = scree_mat3_transpose(vectors);
    grid->vector[0] = scree_mat3_row_x(columns);
    grid->vector[1] = scree_mat3_row_y(columns);
    grid->vector[2] = scree_mat3_row_z(columns);
    grid->volume = fabs(scree_mat3_determinant(vectors));
    scree_vec3_store(scree_lattice_widths(grid->inverse), grid->width);
}

scree_status scree_distribution_check_pairs(const struct scree_world *world,
                                            const struct scree_distribution *row)
{
    for (int k = 0; k < world->dimension; ++k)
        if (!scree_cell_is_periodic_along(world, k))
            return scree_status_fail(
                SCREE_ERROR_UNSUPPORTED,
                "a radial distribution needs a cell that is periodic along all axes, and this one is not "
                "along "
                "%c: beside walls and free surfaces the density of partners at a distance is not known",
                'x' + k);
    if (!(row->first >= 0))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the bins of a radial distribution must not begin below 0 m; got %g m",
                                 row->first);
    const double least = scree_cell_narrowest(world);
    if (!(row->last <= WIDTHS * least))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the bins of a radial distribution end at %g m, more than %d widths of the periodic "
            "cell, which is %g m wide",
            row->last, (int)WIDTHS, least);
    return SCREE_OK;
}

// Cells not smaller than the largest distance, unless the whole cell is, and not more than bodies.
static scree_status make_grid(const struct scree_world *world, double farthest, struct grid *grid)
{
    const size_t bodies = scree_world_bodies(world);
    size_t all = 1;
    *grid = (struct grid){.world = world};
    set_vectors(world, grid);
    for (int k = 0; k < 3; ++k) {
        const double fit = floor(grid->width[k] / farthest);
        grid->cells[k] = 1;
        while (k < world->dimension && (double)grid->cells[k] < fit && all * (size_t)grid->cells[k] < bodies)
            ++grid->cells[k];
        all *= (size_t)grid->cells[k];
        // room for the rounding of places in the grid
        const double size = grid->width[k] / (double)grid->cells[k];
        grid->reach[k] = k < world->dimension ? (int64_t)ceil(farthest / size * (1 + 1e-9)) : 0;
    }
    SCREE_TRY(scree_memory_new(all + 2, sizeof *grid->start, (void **)&grid->start));
    SCREE_TRY(scree_memory_new(bodies, sizeof *grid->cell, (void **)&grid->cell));
    SCREE_TRY(scree_memory_new(bodies, sizeof *grid->partner, (void **)&grid->partner));
    return scree_memory_new(bodies, sizeof *grid->position, (void **)&grid->position);
}

static int64_t divide_down(int64_t a, int64_t by)
{
    return a >= 0 ? a / by : -((by - 1 - a) / by);
}

// The cell at a place, and the numbers of cell vectors from it to the place.
static size_t cell_at(const struct grid *grid, const int64_t place[3], int64_t turns[3])
{
    size_t cell = 0;
    for (int k = 2; k >= 0; --k) {
        turns[k] = divide_down(place[k], grid->cells[k]);
        cell = cell * (size_t)grid->cells[k] + (size_t)(place[k] - turns[k] * grid->cells[k]);
    }
    return cell;
}

static struct scree_vec3 shift_by(const struct grid *grid, const int64_t turns[3])
{
    struct scree_vec3 shift = scree_vec3_zero();
    for (int k = 0; k < 3; ++k)
        shift = scree_vec3_add_scaled(shift, (double)turns[k], grid->vector[k]);
    return shift;
}

// Finds the cell of a body, and its position there: a body may be outside before it is moved into the cell.
static void place_body(struct grid *grid, size_t slot)
{
    const struct scree_vec3 position = scree_vec3_load(scree_world_grains(grid->world)[slot].position);
    double part[3];
    int64_t place[3], turns[3];
    scree_vec3_store(scree_mat3_apply(grid->inverse, scree_vec3_sub(position, grid->corner)), part);
    for (int k = 0; k < 3; ++k)
        place[k] = k < grid->world->dimension ? (int64_t)floor(part[k] * (double)grid->cells[k]) : 0;
    grid->cell[slot] = (uint32_t)cell_at(grid, place, turns);
    grid->position[slot] = scree_vec3_sub(position, shift_by(grid, turns));
}

static bool is_member(const struct scree_world *world, size_t slot, uint64_t mask)
{
    return mask == 0 || scree_group_of_body(world, slot) & mask;
}

// Sorts the partners by cells; returns their number.
static size_t sort_partners(struct grid *grid, uint64_t mask)
{
    const size_t bodies = scree_world_bodies(grid->world);
    const size_t all = (size_t)(grid->cells[0] * grid->cells[1] * grid->cells[2]);
    size_t count = 0;
    for (size_t i = 0; i < bodies; ++i) {
        place_body(grid, i);
        if (is_member(grid->world, i, mask)) {
            ++grid->start[grid->cell[i] + 2];
            ++count;
        }
    }
    for (size_t c = 2; c <= all; ++c)
        grid->start[c] += grid->start[c - 1];
    for (size_t i = 0; i < bodies; ++i)
        if (is_member(grid->world, i, mask))
            grid->partner[grid->start[grid->cell[i] + 1]++] = (uint32_t)i;
    return count;
}

// Counts the partners of a body in one cell; `shift` leads to the image of the cell.
static void count_cell(const struct grid *grid, const struct scree_distribution *row, struct scree_bin *bin,
                       size_t body, size_t cell, struct scree_vec3 shift)
{
    const struct scree_vec3 from = grid->position[body];
    const double farthest = row->last * row->last;
    for (uint32_t k = grid->start[cell]; k < grid->start[cell + 1]; ++k) {
        const uint32_t other = grid->partner[k];
        const struct scree_vec3 d = scree_vec3_add(scree_vec3_sub(grid->position[other], from), shift);
        const double square = scree_vec3_norm_squared(d);
        if (!(square <= farthest) || other == body)
            continue;
        const int64_t at = scree_distribution_bin_of(row, sqrt(square));
        if (at >= 0)
            ++bin[at].count;
    }
}

// Counts the partners of a body.
static void count_body(const struct grid *grid, const struct scree_distribution *row, struct scree_bin *bin,
                       size_t body)
{
    const int64_t *reach = grid->reach, *cells = grid->cells, cell = grid->cell[body];
    const int64_t place[3] = {cell % cells[0], cell / cells[0] % cells[1], cell / cells[0] / cells[1]};
    int64_t turns[3];
    for (int64_t z = -reach[2]; z <= reach[2]; ++z)
        for (int64_t y = -reach[1]; y <= reach[1]; ++y)
            for (int64_t x = -reach[0]; x <= reach[0]; ++x) {
                const int64_t at[3] = {place[0] + x, place[1] + y, place[2] + z};
                const size_t other = cell_at(grid, at, turns);
                count_cell(grid, row, bin, body, other, shift_by(grid, turns));
            }
}

scree_status scree_distribution_sample_pairs(const struct scree_world *world, struct scree_distribution *row,
                                             struct scree_bin *bin)
{
    struct grid grid;
    uint64_t mask = 0, partners = 0;
    size_t first = 0, both = 0;
    SCREE_TRY(scree_distribution_check_pairs(world, row));
    if (row->group != 0)
        SCREE_TRY(scree_group_mask(world, (scree_group_id){row->group}, &mask));
    if (row->partners != 0)
        SCREE_TRY(scree_group_mask(world, (scree_group_id){row->partners}, &partners));
    const scree_status status = make_grid(world, row->last, &grid);
    if (status == SCREE_OK) {
        const size_t second = sort_partners(&grid, partners);
        for (size_t i = 0; i < scree_world_bodies(world); ++i) {
            if (!is_member(world, i, mask))
                continue;
            ++first;
            both += is_member(world, i, partners);
            count_body(&grid, row, bin, i);
        }
        row->weight += ((double)first * (double)second - (double)both) / grid.volume;
    }
    scree_memory_free(grid.start);
    scree_memory_free(grid.cell);
    scree_memory_free(grid.partner);
    scree_memory_free(grid.position);
    return status;
}
