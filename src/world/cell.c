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

static bool can_enter(struct scree_vec3 s)
{
    return fabs(s.x) < SCREE_CELL_FARTHEST && fabs(s.y) < SCREE_CELL_FARTHEST &&
           fabs(s.z) < SCREE_CELL_FARTHEST;
}

scree_status scree_cell_check(const struct scree_world *world, const double *position)
{
    bool near = can_be_wrapped(scree_world_cell(world), position);
    if (scree_world_lattice(world)) {
        const struct scree_cell_lattice lattice = scree_cell_lattice_of(world);
        near = can_enter(scree_cell_fraction(&lattice, position));
    }
    return near ? SCREE_OK : too_far(position);
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
    return (struct scree_cell_lattice){.vectors = vectors,
                                       .inverse = scree_mat3_inverse(vectors),
                                       .half = scree_lattice_load(lattice->rate),
                                       .full =
                                           scree_mat3_product(scree_lattice_load(lattice->gradient), vectors),
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

// Takes other vectors of the same lattice.
static void change_vectors(struct scree_world *world, const int64_t change[3][3])
{
    struct scree_lattice *lattice = scree_world_lattice(world);
    int64_t inverse[3][3];
    scree_lattice_inverse_change(change, inverse);
    scree_lattice_store(scree_lattice_change(scree_lattice_load(lattice->vectors), change), lattice->vectors);
    scree_lattice_store(scree_lattice_change(scree_lattice_load(lattice->rate), change), lattice->rate);
    const struct scree_cell_lattice now = scree_cell_lattice_of(world);
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        struct scree_image *image = &scree_world_images(world)[i];
        struct scree_grain *grain = &scree_world_grains(world)[i];
        const struct scree_image old = *image;
        for (int k = 0; k < 3; ++k)
            image->count[k] =
                inverse[k][0] * old.count[0] + inverse[k][1] * old.count[1] + inverse[k][2] * old.count[2];
        (void)scree_cell_enter(&now, grain, image, !(grain->flags & SCREE_FLAG_MOVE_ON_STEP));
    }
}

bool scree_cell_advance(struct scree_world *world, double h)
{
    struct scree_lattice *lattice = scree_world_lattice(world);
    int64_t change[3][3];
    const struct scree_mat3 rate = scree_lattice_rate(scree_lattice_load(lattice->gradient), h),
                            deformation = scree_lattice_load(lattice->deformation),
                            velocities = scree_mat3_product(rate, scree_lattice_load(lattice->vectors)),
                            vectors =
                                scree_mat3_add_scaled(scree_lattice_load(lattice->vectors), h, velocities);
    scree_lattice_store(velocities, lattice->rate);
    scree_lattice_store(vectors, lattice->vectors);
    scree_lattice_store(scree_mat3_add_scaled(deformation, h, scree_mat3_product(rate, deformation)),
                        lattice->deformation);
    if (!scree_lattice_reduce(vectors, world->dimension, change))
        return false;
    change_vectors(world, (const int64_t(*)[3])change);
    return true;
}

scree_status scree_cell_refuse_lattice(const struct scree_world *world, const char *what)
{
    return !scree_world_lattice(world)
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                   "the cell of this world has cell vectors (scree_cell_set_vectors, "
                                   "scree_cell_deform), in which %s is not available",
                                   what);
}

static scree_status refuse(const char *what, const char *instead)
{
    return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                             "a cell with cell vectors contains spheres or disks with contact laws only, and "
                             "this world has %s: %s",
                             what, instead);
}

static scree_status check_bodies(const struct scree_world *world)
{
    // bodies in two dimensions move in the plane
    const uint32_t in_plane = world->dimension == 2 ? SCREE_FIX_Z | SCREE_FIX_SPIN_X | SCREE_FIX_SPIN_Y : 0;
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        if (grain->kind != SCREE_KIND_SPHERE && grain->kind != SCREE_KIND_DISK)
            return refuse("a body that is neither a sphere nor a disk", "use a box along the axes");
        if (grain->flags & SCREE_FLAG_FREEDOMS & ~in_plane)
            return refuse("a body with fixed degrees of freedom",
                          "set them free, or use a box along the axes");
    }
    return SCREE_OK;
}

scree_status scree_cell_check_lattice(const struct scree_world *world, bool bodies)
{
    static const struct {
        int entity;
        const char *what, *instead;
    } refused[] = {
        {SCREE_ENTITY_WALL, "a wall", "remove it, or use a box along the axes"},
        {SCREE_ENTITY_GRAIN, "a body of several grains", "remove it, or use a box along the axes"},
        {SCREE_ENTITY_BOND, "a bond", "remove it, or use a box along the axes"},
        {SCREE_ENTITY_FLUX_SURFACE, "a flux surface", "remove it, or use a box along the axes"},
    };
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; ++k)
        if (scree_world_entity(world, refused[k].entity)->count > 0)
            return refuse(refused[k].what, refused[k].instead);
    const double *gravity = scree_world_clock(world)->gravity;
    if (gravity[0] != 0 || gravity[1] != 0 || gravity[2] != 0)
        return refuse("gravity", "set it to 0: without walls bodies would fall for ever");
    return bodies ? check_bodies(world) : SCREE_OK;
}

static scree_status check_vectors(const double corner[3], struct scree_mat3 vectors, int dimension)
{
    const struct scree_mat3 columns = scree_mat3_transpose(vectors);
    const double square[3] = {scree_vec3_norm_squared(scree_mat3_row_x(columns)),
                              scree_vec3_norm_squared(scree_mat3_row_y(columns)),
                              scree_vec3_norm_squared(scree_mat3_row_z(columns))};
    double longest = 0, product = 1;
    for (int k = 0; k < dimension; ++k) {
        if (!(square[k] >= 1e-100 && square[k] <= 1e100))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the vectors of a cell must be from 1e-50 to 1e50 m long; vector %d has "
                                     "a length of %g m",
                                     k + 1, sqrt(square[k]));
        longest = square[k] > longest ? square[k] : longest;
        product *= sqrt(square[k]);
    }
    // positions in the cell have enough digits
    const double volume = scree_mat3_determinant(vectors);
    if (!(volume >= SMALLEST_RELATIVE_PERIOD * product))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the vectors of a cell must be right-handed, and span a volume of at least "
                                 "%g times the product of their lengths; they span %g of %g",
                                 SMALLEST_RELATIVE_PERIOD, volume, product);
    for (int k = 0; k < dimension; ++k)
        if (!(fabs(corner[k]) <= sqrt(longest) / SMALLEST_RELATIVE_PERIOD))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the corner of a cell must be at most %g times the length of its "
                                     "longest vector from the origin; along %c it is at %g",
                                     1 / SMALLEST_RELATIVE_PERIOD, 'x' + k, corner[k]);
    return SCREE_OK;
}

// The corner and the vectors of the cell: those it has, or those of a box that is periodic along all axes.
static scree_status present_vectors(const struct scree_world *world, struct scree_lattice *lattice)
{
    const struct scree_cell *cell = scree_world_cell(world);
    if (scree_world_lattice(world)) {
        *lattice = *scree_world_lattice(world);
        return SCREE_OK;
    }
    for (int k = 0; k < world->dimension; ++k)
        if (!(cell->period[k] > 0))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "a cell with cell vectors is periodic along all axes, and this cell is "
                                     "not periodic along %c: set a periodic cell first",
                                     'x' + k);
    *lattice = (struct scree_lattice){.vectors = {cell->period[0], 0, 0, 0, cell->period[1], 0, 0, 0,
                                                  world->dimension == 3 ? cell->period[2] : 1},
                                      .deformation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    return SCREE_OK;
}

// Checks that the cell can be replaced by one with cell vectors, and makes room for these.
static scree_status prepare_lattice(struct scree_world *world, const double corner[3],
                                    const struct scree_lattice *lattice)
{
    struct scree_entity *cells = scree_world_entity(world, SCREE_ENTITY_CELL);
    const struct scree_cell_lattice now = {.inverse =
                                               scree_mat3_inverse(scree_lattice_load(lattice->vectors)),
                                           .corner = scree_vec3_load(corner)};
    SCREE_TRY(scree_cell_check_lattice(world, true));
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        if (!can_enter(scree_cell_fraction(&now, scree_world_grains(world)[i].position)))
            return too_far(scree_world_grains(world)[i].position);
    SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_IMAGE));
    scree_edit_finish_fields(world);
    if (scree_world_lattice(world))
        return SCREE_OK;
    SCREE_TRY(scree_entity_require(cells, SCREE_CELL_LATTICE));
    *scree_world_lattice(world) = *lattice;
    memset(scree_world_lattice(world)->gradient, 0, sizeof lattice->gradient);
    return SCREE_OK;
}

// Replaces the cell; fluctuations of velocities and spins do not change. `reset`: bodies enter it anew.
static void set_lattice(struct scree_world *world, const double corner[3],
                        const struct scree_lattice *lattice, bool reset)
{
    struct scree_cell *cell = scree_world_cell(world);
    struct scree_lattice *now = scree_world_lattice(world);
    int64_t change[3][3];
    scree_edit_all(world, SCREE_EDIT_CELL);
    const struct scree_vec3 turn = scree_lattice_spin(
        scree_mat3_sub(scree_lattice_load(lattice->gradient), scree_lattice_load(now->gradient)));
    const struct scree_cell old_cell = *cell;
    const struct scree_mat3 old_gradient = scree_lattice_load(now->gradient);
    *cell = (struct scree_cell){{corner[0], corner[1], corner[2]}, {corner[0], corner[1], corner[2]}, {0}};
    *now = *lattice;
    for (uint32_t i = 0; i < scree_world_bodies(world); ++i) {
        struct scree_grain *grain = &scree_world_grains(world)[i];
        const struct scree_vec3 place =
            scree_vec3_sub(scree_vec3_load(grain->position), scree_vec3_load(old_cell.lower));
        const struct scree_vec3 velocity =
            scree_vec3_sub(scree_vec3_load(grain->velocity), scree_mat3_apply(old_gradient, place));
        scree_vec3_store(scree_vec3_add(velocity, scree_cell_mean_velocity(world, grain->position)),
                         grain->velocity);
        scree_vec3_store(scree_vec3_add(scree_vec3_load(grain->spin), turn), grain->spin);
        if (reset)
            scree_cell_reset_images(world, (scree_slot){i});
    }
    if (scree_lattice_reduce(scree_lattice_load(now->vectors), world->dimension, change))
        change_vectors(world, (const int64_t(*)[3])change);
    scree_cell_wrap_all(world);
    scree_edit_end(world);
}

scree_status scree_cell_set_vectors(struct scree_world *world, const double corner[3],
                                    const double vectors[9])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    if (world->stepping)
        return scree_status_fail(SCREE_ERROR_STATE, "the cell cannot be set inside a step");
    const bool flat = world->dimension == 2;
    struct scree_vec3 edge[3] = {scree_vec3_load(vectors), scree_vec3_load(vectors + 3),
                                 scree_vec3_load(vectors + 6)};
    if (flat) {
        edge[0].z = edge[1].z = 0;
        edge[2] = scree_vec3_make(0, 0, 1);
    }
    struct scree_lattice lattice = {.deformation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    scree_lattice_store(scree_mat3_from_columns(edge[0], edge[1], edge[2]), lattice.vectors);
    const double place[3] = {corner[0], corner[1], flat ? 0 : corner[2]};
    SCREE_TRY(check_vectors(place, scree_lattice_load(lattice.vectors), world->dimension));
    SCREE_TRY(prepare_lattice(world, place, &lattice));
    set_lattice(world, place, &lattice, true);
    return SCREE_OK;
}

static scree_status check_gradient(const struct scree_world *world, const double gradient[9])
{
    for (int k = 0; k < 9; ++k) {
        const int of = 'x' + k / 3, along = 'x' + k % 3;
        if (!(fabs(gradient[k]) <= 1e150))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "a velocity gradient must be finite and at most 1e150 1/s in magnitude; "
                                     "that of the %c-velocity along %c is %g",
                                     of, along, gradient[k]);
        if (world->dimension == 2 && (of == 'z' || along == 'z') && gradient[k] != 0)
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "a world of two dimensions has no velocity gradient of the %c-velocity "
                                     "along %c; it must be 0, not %g",
                                     of, along, gradient[k]);
    }
    return SCREE_OK;
}

scree_status scree_cell_deform(struct scree_world *world, const double gradient[9])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_lattice lattice;
    if (world->stepping)
        return scree_status_fail(SCREE_ERROR_STATE, "the cell cannot be set inside a step");
    SCREE_TRY(check_gradient(world, gradient));
    SCREE_TRY(present_vectors(world, &lattice));
    memcpy(lattice.gradient, gradient, sizeof lattice.gradient);
    double corner[3];
    memcpy(corner, scree_world_cell(world)->lower, sizeof corner);
    SCREE_TRY(check_vectors(corner, scree_lattice_load(lattice.vectors), world->dimension));
    SCREE_TRY(prepare_lattice(world, corner, &lattice));
    set_lattice(world, corner, &lattice, false);
    return SCREE_OK;
}

scree_status scree_cell_get_state(const struct scree_world *world, struct scree_cell_state *state)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_lattice lattice;
    SCREE_TRY(present_vectors(world, &lattice));
    memcpy(state->corner, scree_world_cell(world)->lower, sizeof state->corner);
    scree_lattice_store(scree_mat3_transpose(scree_lattice_load(lattice.vectors)), state->vectors);
    memcpy(state->gradient, lattice.gradient, sizeof state->gradient);
    memcpy(state->deformation, lattice.deformation, sizeof state->deformation);
    scree_lattice_store(scree_lattice_hencky(scree_lattice_load(lattice.deformation)), state->strain);
    state->volume = scree_mat3_determinant(scree_lattice_load(lattice.vectors));
    return SCREE_OK;
}

scree_status scree_cell_fluctuation(const struct scree_world *world, scree_body_id id, double velocity[3])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    struct scree_on_step motion;
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_BODY), id.value, &slot));
    SCREE_TRY(scree_world_on_step(world, slot.index, 1, &motion));
    const struct scree_vec3 mean =
        scree_world_lattice(world)
            ? scree_cell_mean_velocity(world, scree_world_grains(world)[slot.index].position)
            : scree_vec3_make(0, 0, 0);
    scree_vec3_store(scree_vec3_sub(scree_vec3_load(motion.velocity), mean), velocity);
    return SCREE_OK;
}
