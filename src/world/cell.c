// The periodic cell, see cell.h and include/scree/cell.h.

#include "world/cell.h"

#include "world/bond.h"
#include "world/edit.h"

#include <scree/cell.h>

// Smallest period relative to the distance of its faces from the origin: with a smaller one, positions in the
// cell have too few significant digits.
#define SMALLEST_RELATIVE_PERIOD 1e-8

static scree_status check_axis(const struct scree_world *world, const struct scree_cell_def *def, int k)
{
    const double lower = def->lower[k], upper = def->upper[k];
    if (!(lower >= -1e150 && lower <= 1e150 && upper >= -1e150 && upper <= 1e150))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the bounds of a cell must be finite and at most 1e150 in magnitude; along %c they are %g "
            "and %g",
            'x' + k, lower, upper);
    if (k == 2 && world->dimension == 2)
        return !def->periodic[k] ? SCREE_OK
                                 : scree_status_fail(SCREE_ERROR_ARGUMENT,
                                                     "a world of two dimensions cannot be periodic along z");
    if (!def->periodic[k])
        return upper >= lower
                   ? SCREE_OK
                   : scree_status_fail(SCREE_ERROR_ARGUMENT,
                                       "the upper bound of a cell must not be below the lower one; along %c "
                                       "they are %g and %g",
                                       'x' + k, upper, lower);
    const double farthest = fabs(lower) > fabs(upper) ? fabs(lower) : fabs(upper);
    if (upper - lower >= SMALLEST_RELATIVE_PERIOD * farthest && upper - lower >= 1e-150)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "along %c, where the cell is periodic, its width must be at least %g times the "
                             "larger magnitude of its bounds; upper and lower are %g and %g",
                             'x' + k, SMALLEST_RELATIVE_PERIOD, upper, lower);
}

static struct scree_cell read(const struct scree_cell_def *def)
{
    struct scree_cell cell = {{0}, {0}, {0}};
    for (int k = 0; k < 3; ++k) {
        cell.lower[k] = def->lower[k];
        cell.upper[k] = def->upper[k];
        cell.period[k] = def->periodic[k] ? def->upper[k] - def->lower[k] : 0;
    }
    return cell;
}

static bool can_be_wrapped(const struct scree_cell *cell, const double *position)
{
    for (int k = 0; k < 3; ++k) {
        const double displacement = fabs(position[k] - cell->lower[k]);
        if (cell->period[k] > 0 && !(displacement / cell->period[k] < SCREE_CELL_FARTHEST))
            return false;
    }
    return true;
}

static scree_status too_far(const double *position)
{
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "a body at (%g, %g, %g) is farther than %g periods from the periodic cell",
                             position[0], position[1], position[2], SCREE_CELL_FARTHEST);
}

scree_status scree_cell_check(const struct scree_world *world, const double *position)
{
    return can_be_wrapped(scree_world_cell(world), position) ? SCREE_OK : too_far(position);
}

scree_status scree_cell_check_resolution(const struct scree_world *world, const double *position,
                                         double radius)
{
    const struct scree_cell *cell = scree_world_cell(world);
    for (int k = 0; k < 3; ++k) {
        double coordinate = position[k] < 0 ? -position[k] : position[k];
        const double edge = -cell->lower[k] > cell->upper[k] ? -cell->lower[k] : cell->upper[k];
        coordinate = cell->period[k] > 0 && edge < coordinate ? edge : coordinate;
        if (coordinate > SCREE_CELL_RADII * radius)
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the position of a grain with a radius of %g m is %c = %g m, where numbers have a resolution "
                "of %.2g m, more than a millionth of the radius: place it nearer to the origin, at most %g m "
                "away",
                radius, "xyz"[k], position[k], coordinate * 0x1p-52, SCREE_CELL_RADII * radius);
    }
    return SCREE_OK;
}

static bool is_inside(const struct scree_cell *cell, const double *position, int k)
{
    return position[k] >= cell->lower[k] && position[k] < cell->upper[k];
}

bool scree_cell_contains(const struct scree_world *world, const double *position)
{
    const struct scree_cell *cell = scree_world_cell(world);
    for (int k = 0; k < 3; ++k)
        if (cell->period[k] > 0 && !is_inside(cell, position, k))
            return false;
    return true;
}

void scree_cell_wrap(struct scree_world *world, scree_slot slot)
{
    const struct scree_cell *cell = scree_world_cell(world);
    double *position = scree_world_grains(world)[slot.index].position;
    for (int k = 0; k < 3; ++k)
        if (cell->period[k] > 0 && !is_inside(cell, position, k))
            (void)scree_cell_wrap_coordinate(cell->lower[k], cell->upper[k], cell->period[k], &position[k],
                                             &scree_world_images(world)[slot.index].count[k]);
}

void scree_cell_wrap_all(struct scree_world *world)
{
    for (uint32_t i = 0; i < scree_world_bodies(world) && scree_cell_is_periodic(world); ++i)
        scree_cell_wrap(world, (scree_slot){i});
}

void scree_cell_reset_images(struct scree_world *world, scree_slot slot)
{
    if (scree_world_images(world))
        scree_world_images(world)[slot.index] = (struct scree_image){{0}};
}

scree_status scree_cell_set(struct scree_world *world, const struct scree_cell_def *def)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    if (world->stepping)
        return scree_status_fail(SCREE_ERROR_STATE, "the cell cannot be set inside a step");
    for (int k = 0; k < 3; ++k)
        SCREE_TRY(check_axis(world, def, k));
    const struct scree_cell cell = read(def);
    scree_edit_finish_fields(world);
    if (memcmp(scree_world_cell(world), &cell, sizeof cell) == 0)
        return SCREE_OK;
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        if (!can_be_wrapped(&cell, scree_world_grains(world)[i].position))
            return too_far(scree_world_grains(world)[i].position);
    SCREE_TRY(scree_bond_check_cell(world, &cell));
    if (def->periodic[0] || def->periodic[1] || def->periodic[2])
        SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_IMAGE));
    scree_edit_all(world, SCREE_EDIT_CELL);
    *scree_world_cell(world) = cell;
    for (uint32_t i = 0; i < scree_world_bodies(world); ++i)
        scree_cell_reset_images(world, (scree_slot){i});
    scree_cell_wrap_all(world);
    scree_edit_end(world);
    return SCREE_OK;
}

void scree_cell_get(const struct scree_world *world, struct scree_cell_def *def)
{
    const struct scree_cell *cell = scree_world_cell(world);
    memcpy(def->lower, cell->lower, sizeof def->lower);
    memcpy(def->upper, cell->upper, sizeof def->upper);
    for (int k = 0; k < 3; ++k)
        def->periodic[k] = cell->period[k] > 0;
}

scree_status scree_cell_unwrapped_position(const struct scree_world *world, scree_body_id id,
                                           double position[3])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_BODY), id.value, &slot));
    scree_vec3_store(scree_cell_unwrapped(world, slot), position);
    return SCREE_OK;
}
