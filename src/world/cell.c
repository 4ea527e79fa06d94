// The periodic cell, see cell.h and include/scree/cell.h.

#include "world/cell.h"

#include "world/bond.h"
#include "world/edit.h"

#include <scree/cell.h>

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
    if (upper - lower >= SCREE_CELL_SMALLEST_PERIOD * farthest && upper - lower >= 1e-150)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "along %c, where the cell is periodic, its width must be at least %g times the "
                             "larger magnitude of its bounds; upper and lower are %g and %g",
                             'x' + k, SCREE_CELL_SMALLEST_PERIOD, upper, lower);
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

static bool can_enter(struct scree_vec3 s)
{
    return fabs(s.x) < SCREE_CELL_FARTHEST && fabs(s.y) < SCREE_CELL_FARTHEST &&
           fabs(s.z) < SCREE_CELL_FARTHEST;
}

scree_status scree_cell_check_near(const struct scree_cell_lattice *lattice, const double *position)
{
    return can_enter(scree_cell_fraction(lattice, position)) ? SCREE_OK : too_far(position);
}

scree_status scree_cell_check(const struct scree_world *world, const double *position)
{
    if (scree_world_lattice(world)) {
        const struct scree_cell_lattice lattice = scree_cell_lattice_of(world);
        return scree_cell_check_near(&lattice, position);
    }
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

// In a cell with cell vectors, up to round-off.
static bool is_within(struct scree_vec3 s)
{
    const double digits = 1e-6;
    return s.x >= -digits && s.x <= 1 + digits && s.y >= -digits && s.y <= 1 + digits && s.z >= -digits &&
           s.z <= 1 + digits;
}

bool scree_cell_contains(const struct scree_world *world, const double *position)
{
    const struct scree_cell *cell = scree_world_cell(world);
    if (scree_world_lattice(world)) {
        const struct scree_cell_lattice lattice = scree_cell_lattice_of(world);
        return is_within(scree_cell_fraction(&lattice, position));
    }
    for (int k = 0; k < 3; ++k)
        if (cell->period[k] > 0 && !is_inside(cell, position, k))
            return false;
    return true;
}

static void enter(struct scree_world *world, const struct scree_cell_lattice *lattice, size_t slot)
{
    struct scree_grain *grain = &scree_world_grains(world)[slot];
    const bool middle = world->pending_step && !(grain->flags & SCREE_FLAG_MOVE_ON_STEP);
    (void)scree_cell_enter(lattice, grain, &scree_world_images(world)[slot], middle);
}

void scree_cell_wrap(struct scree_world *world, scree_slot slot)
{
    const struct scree_cell *cell = scree_world_cell(world);
    double *position = scree_world_grains(world)[slot.index].position;
    if (scree_world_lattice(world)) {
        const struct scree_cell_lattice lattice = scree_cell_lattice_of(world);
        enter(world, &lattice, slot.index);
        return;
    }
    for (int k = 0; k < 3; ++k)
        if (cell->period[k] > 0 && !is_inside(cell, position, k))
            (void)scree_cell_wrap_coordinate(cell->lower[k], cell->upper[k], cell->period[k], &position[k],
                                             &scree_world_images(world)[slot.index].count[k]);
}

void scree_cell_wrap_all(struct scree_world *world)
{
    if (scree_world_lattice(world)) {
        const struct scree_cell_lattice lattice = scree_cell_lattice_of(world);
        for (size_t i = 0; i < scree_world_bodies(world); ++i)
            enter(world, &lattice, i);
    }
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
    SCREE_TRY(scree_cell_refuse_lattice(world, "a cell along the axes of the world"));
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

// --- cells with cell vectors

struct scree_cell_lattice scree_cell_lattice_of(const struct scree_world *world)
{
    const struct scree_lattice *lattice = scree_world_lattice(world);
    const struct scree_mat3 vectors = scree_lattice_load(lattice->vectors);
    return (struct scree_cell_lattice){
        .vectors = vectors,
        .inverse = scree_lattice_inverse(vectors, scree_world_open_axes(world)),
        .half = scree_lattice_load(lattice->rate),
        .full = scree_mat3_product(scree_lattice_load(lattice->gradient), vectors),
        .corner = scree_vec3_load(scree_world_cell(world)->lower)};
}

bool scree_cell_enter(const struct scree_cell_lattice *lattice, struct scree_grain *grain,
                      struct scree_image *image, bool middle)
{
    const struct scree_vec3 s = scree_cell_fraction(lattice, grain->position);
    if (!can_enter(s))
        return false;
    const struct scree_vec3 n = scree_vec3_make(floor(s.x), floor(s.y), floor(s.z));
    if (n.x == 0 && n.y == 0 && n.z == 0)
        return true;
    const struct scree_vec3 position = scree_vec3_sub(scree_vec3_load(grain->position),
                                                      scree_mat3_apply(lattice->vectors, n)),
                            full = scree_mat3_apply(lattice->full, n),
                            change = middle ? scree_mat3_apply(lattice->half, n) : full;
    scree_vec3_store(position, grain->position);
    scree_vec3_store(scree_vec3_sub(scree_vec3_load(grain->velocity), change), grain->velocity);
    const struct scree_vec3 kick = scree_vec3_sub(full, change);
    grain->half_kick[0] = (float)((double)grain->half_kick[0] - kick.x);
    grain->half_kick[1] = (float)((double)grain->half_kick[1] - kick.y);
    grain->half_kick[2] = (float)((double)grain->half_kick[2] - kick.z);
    image->count[0] += (int64_t)n.x;
    image->count[1] += (int64_t)n.y;
    image->count[2] += (int64_t)n.z;
    return true;
}
