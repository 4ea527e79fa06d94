// Cells with cell vectors, and how they deform; see cell.h and include/scree/cell.h.
//
// The velocity gradient is constant, or a function of time gives it: that of the coming step, in its middle
// and at its end, is set before bodies move (EQUATIONS 5).

#include "world/body.h"
#include "world/bond.h"
#include "world/cell_servo.h"
#include "world/edit.h"
#include "world/wall_cell.h"

#include <scree/cell.h>

#include <math.h>
#include <stdio.h>

// Takes other vectors of the same lattice.
static void change_vectors(struct scree_world *world, const int64_t change[3][3])
{
    struct scree_lattice *lattice = scree_world_lattice(world);
    int64_t inverse[3][3];
    scree_lattice_inverse_change(change, inverse);
    scree_lattice_store(scree_lattice_change(scree_lattice_load(lattice->vectors), change), lattice->vectors);
    scree_lattice_store(scree_lattice_change(scree_lattice_load(lattice->rate), change), lattice->rate);
    const struct scree_cell_lattice now = scree_cell_lattice_of(world);
    world->carried_stale = true;
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

double scree_cell_narrowest(const struct scree_world *world)
{
    const double *period = scree_world_cell(world)->period;
    const struct scree_lattice *lattice = scree_world_lattice(world);
    double least = (double)INFINITY, width[3];
    for (int k = 0; k < 3; ++k)
        least = period[k] > 0 && period[k] < least ? period[k] : least;
    if (lattice)
        scree_vec3_store(scree_lattice_widths(scree_cell_lattice_of(world).inverse), width);
    for (int k = 0; k < world->dimension && lattice; ++k)
        least = width[k] < least ? width[k] : least;
    return least;
}

// The bounds of the cell along open axes.
static void set_bounds(struct scree_world *world)
{
    struct scree_cell *cell = scree_world_cell(world);
    for (int k = 0; k < 3; ++k)
        if (scree_lattice_is_open(scree_world_open_axes(world), k))
            cell->upper[k] = cell->lower[k] + scree_world_lattice(world)->vectors[4 * k];
}

bool scree_cell_advance(struct scree_world *world, double h)
{
    struct scree_lattice *lattice = scree_world_lattice(world);
    int64_t change[3][3];
    const struct scree_mat3 rate = scree_lattice_rate(scree_lattice_load(lattice->coming), h),
                            deformation = scree_lattice_load(lattice->deformation),
                            velocities = scree_mat3_product(rate, scree_lattice_load(lattice->vectors)),
                            vectors =
                                scree_mat3_add_scaled(scree_lattice_load(lattice->vectors), h, velocities);
    scree_lattice_store(velocities, lattice->rate);
    scree_lattice_store(vectors, lattice->vectors);
    scree_lattice_store(scree_mat3_add_scaled(deformation, h, scree_mat3_product(rate, deformation)),
                        lattice->deformation);
    memcpy(lattice->middle, lattice->coming, sizeof lattice->middle);
    memcpy(lattice->gradient, lattice->end, sizeof lattice->gradient);
    set_bounds(world);
    if (!scree_lattice_reduce(vectors, world->dimension, scree_world_open_axes(world), change))
        return false;
    change_vectors(world, (const int64_t(*)[3])change);
    return true;
}

scree_status scree_cell_refuse_lattice(const struct scree_world *world, const char *what)
{
    return !scree_world_lattice(world)
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                   "the cell of this world has cell vectors or deforms; in such a cell %s is "
                                   "not available",
                                   what);
}

scree_status scree_cell_refuse_deforming(const struct scree_world *world, const char *what)
{
    SCREE_TRY(scree_cell_refuse_lattice(world, what));
    return !world->will_deform
               ? SCREE_OK
               : scree_status_fail(
                     SCREE_ERROR_UNSUPPORTED,
                     "the cell of this world deforms in a later stage; in such a cell %s is not "
                     "available",
                     what);
}

static scree_status refuse(const char *what, const char *instead)
{
    return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                             "a cell with cell vectors contains free bodies only, and this world has %s: %s",
                             what, instead);
}

static scree_status check_bodies(const struct scree_world *world)
{
    // bodies in two dimensions move in the plane
    const uint32_t in_plane = world->dimension == 2 ? SCREE_FIX_Z | SCREE_FIX_SPIN_X | SCREE_FIX_SPIN_Y : 0;
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        if (grain->flags & SCREE_FLAG_FREEDOMS & ~in_plane)
            return refuse("a body with fixed degrees of freedom",
                          "set them free, or use a box along the axes");
    }
    return SCREE_OK;
}

// Checks what a velocity gradient does to walls and with gravity. The unwrapped positions of bodies, whose
// potential energy is counted, have the mean velocities of images that may be far away.
static scree_status check_drive(const struct scree_world *world, unsigned open, const double gradient[9])
{
    const double *gravity = scree_world_clock(world)->gravity;
    if (open == 0 && (gravity[0] != 0 || gravity[1] != 0 || gravity[2] != 0))
        return refuse("gravity", "set it to 0, or make the cell not periodic along an axis: without walls "
                                 "bodies would fall for ever");
    for (int k = 0; k < 9; ++k)
        if (gradient[k] != 0 && gravity[k / 3] != 0 && !scree_lattice_is_open(open, k / 3) &&
            !scree_lattice_is_open(open, k % 3))
            return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                     "the velocity along %c changes along %c, along which the cell is "
                                     "periodic too, and gravity has a component along %c: the work of "
                                     "gravity would be another one in each image. Set this component of "
                                     "gravity or this entry of the velocity gradient to 0",
                                     'x' + k / 3, 'x' + k % 3, 'x' + k / 3);
    return scree_wall_cell_check_gradient(world, gradient);
}

scree_status scree_cell_check_gradient(const struct scree_world *world, const double gradient[9])
{
    return check_drive(world, scree_world_open_axes(world), gradient);
}

static scree_status check_content(const struct scree_world *world, unsigned open, const double gradient[9],
                                  bool bodies)
{
    if (scree_world_entity(world, SCREE_ENTITY_FLUX_SURFACE)->count > 0)
        return refuse("a flux surface", "remove it, or use a box along the axes");
    SCREE_TRY(scree_wall_cell_check(world, open));
    SCREE_TRY(check_drive(world, open, gradient));
    return bodies ? check_bodies(world) : SCREE_OK;
}

scree_status scree_cell_check_lattice(const struct scree_world *world, bool bodies)
{
    return check_content(world, scree_world_open_axes(world), scree_world_lattice(world)->gradient, bodies);
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
    if (!(volume >= SCREE_CELL_SMALLEST_PERIOD * product))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the vectors of a cell must be right-handed, and span a volume of at least "
                                 "%g times the product of their lengths; they span %g of %g",
                                 SCREE_CELL_SMALLEST_PERIOD, volume, product);
    for (int k = 0; k < dimension; ++k)
        if (!(fabs(corner[k]) <= sqrt(longest) / SCREE_CELL_SMALLEST_PERIOD))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the corner of a cell must be at most %g times the length of its "
                                     "longest vector from the origin; along %c it is at %g",
                                     1 / SCREE_CELL_SMALLEST_PERIOD, 'x' + k, corner[k]);
    return SCREE_OK;
}

static void set_gradient(struct scree_lattice *lattice, const double gradient[9])
{
    double *const all[] = {lattice->gradient, lattice->middle, lattice->coming, lattice->end};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k)
        memcpy(all[k], gradient, sizeof lattice->gradient);
}

// The vectors and open axes of the cell: those it has, or those of a box that is periodic along some axis.
static scree_status present_vectors(const struct scree_world *world, struct scree_lattice *lattice,
                                    unsigned *open)
{
    const struct scree_cell *cell = scree_world_cell(world);
    *open = scree_world_open_axes(world);
    if (scree_world_lattice(world)) {
        *lattice = *scree_world_lattice(world);
        return SCREE_OK;
    }
    if (!scree_cell_is_periodic(world))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "a cell with cell vectors is periodic along some axis, and this world is not "
            "periodic: set a periodic cell first");
    *lattice = (struct scree_lattice){.vectors = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                      .deformation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int k = 0; k < world->dimension; ++k) {
        *open |= cell->period[k] > 0 ? 0 : 1u << k;
        lattice->vectors[4 * k] = cell->period[k] > 0 ? cell->period[k] : cell->upper[k] - cell->lower[k];
        if (!(lattice->vectors[4 * k] > 0))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "a cell with cell vectors has bounds along all axes, for its volume, and "
                "along %c this cell goes from %g to %g m: set its bounds first",
                'x' + k, cell->lower[k], cell->upper[k]);
    }
    return SCREE_OK;
}

// Checks that the cell can be replaced by one with cell vectors, and makes room for these.
static scree_status prepare_lattice(struct scree_world *world, const double corner[3],
                                    const struct scree_lattice *lattice, unsigned open)
{
    struct scree_entity *cells = scree_world_entity(world, SCREE_ENTITY_CELL);
    const struct scree_cell_lattice now = {
        .inverse = scree_lattice_inverse(scree_lattice_load(lattice->vectors), open),
        .corner = scree_vec3_load(corner)};
    SCREE_TRY(check_content(world, open, lattice->gradient, true));
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        SCREE_TRY(scree_cell_check_near(&now, scree_world_grains(world)[i].position));
    SCREE_TRY(scree_bond_check_vectors(world, scree_lattice_load(lattice->vectors), open));
    SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_IMAGE));
    scree_edit_finish_fields(world);
    if (open != 0)
        SCREE_TRY(scree_entity_require(cells, SCREE_CELL_OPEN));
    if (scree_world_lattice(world))
        return SCREE_OK;
    SCREE_TRY(scree_entity_require(cells, SCREE_CELL_LATTICE));
    *scree_world_lattice(world) = *lattice;
    set_gradient(scree_world_lattice(world), (const double[9]){0});
    return SCREE_OK;
}

// Replaces the cell; fluctuations of velocities and spins do not change. `reset`: bodies enter it anew.
static void set_lattice(struct scree_world *world, const double corner[3],
                        const struct scree_lattice *lattice, unsigned open, bool reset)
{
    struct scree_cell *cell = scree_world_cell(world);
    struct scree_cell_open *axes =
        (struct scree_cell_open *)scree_world_column(world, SCREE_ENTITY_CELL, SCREE_CELL_OPEN);
    struct scree_lattice *now = scree_world_lattice(world);
    int64_t change[3][3];
    scree_edit_all(world, SCREE_EDIT_CELL);
    const struct scree_vec3 turn = scree_lattice_spin(
        scree_mat3_sub(scree_lattice_load(lattice->gradient), scree_lattice_load(now->gradient)));
    const struct scree_cell old_cell = *cell;
    const struct scree_mat3 old_gradient = scree_lattice_load(now->gradient);
    *cell = (struct scree_cell){{corner[0], corner[1], corner[2]}, {corner[0], corner[1], corner[2]}, {0}};
    *now = *lattice;
    if (axes)
        axes->axes = open;
    set_bounds(world);
    // the cell vectors at which carried grains were written are not known any more
    world->carried_stale = true;
    // lists of a cell with open axes depend on whether it is sheared along its faces
    world->contacts_stale = world->contacts_stale || open != 0;
    struct scree_rotor *rotors = scree_world_rotors(world);
    for (uint32_t i = 0; i < scree_world_bodies(world); ++i) {
        struct scree_grain *grain = &scree_world_grains(world)[i];
        const struct scree_vec3 place =
            scree_vec3_sub(scree_vec3_load(grain->position), scree_vec3_load(old_cell.lower));
        const struct scree_vec3 velocity =
            scree_vec3_sub(scree_vec3_load(grain->velocity), scree_mat3_apply(old_gradient, place));
        scree_vec3_store(scree_vec3_add(velocity, scree_cell_mean_velocity(world, grain->position)),
                         grain->velocity);
        scree_body_add_spin(grain, rotors ? &rotors[i] : NULL, turn);
        if (reset)
            scree_cell_reset_images(world, (scree_slot){i});
    }
    if (scree_lattice_reduce(scree_lattice_load(now->vectors), world->dimension, open, change))
        change_vectors(world, (const int64_t(*)[3])change);
    scree_cell_wrap_all(world);
    scree_wall_cell_follow(world);
    scree_edit_end(world);
}

static scree_status check_not_stepping(const struct scree_world *world)
{
    return world->stepping ? scree_status_fail(SCREE_ERROR_STATE, "the cell cannot be set inside a step")
                           : SCREE_OK;
}

static scree_status check_gradient(const struct scree_world *world, unsigned open, const double gradient[9])
{
    for (int k = 0; k < 9; ++k) {
        const bool tilts = scree_lattice_is_open(open, k / 3) && !scree_lattice_is_open(open, k % 3);
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
        if (tilts && gradient[k] != 0)
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the cell is not periodic along %c, so its other vectors must stay "
                "perpendicular to %c: the velocity gradient of the %c-velocity along %c must "
                "be 0, not %g",
                of, of, of, along, gradient[k]);
    }
    return SCREE_OK;
}

// Checks that vectors along which the cell is periodic are perpendicular to open axes.
static scree_status check_open(const struct scree_lattice *lattice, unsigned open)
{
    for (int k = 0; k < 9; ++k) {
        const int of = k / 3, vector = k % 3;
        if (scree_lattice_is_open(open, of) && !scree_lattice_is_open(open, vector) &&
            lattice->vectors[k] != 0)
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the cell is not periodic along %c, so its periodic vectors must be "
                                     "perpendicular to %c: the %c-component of vector %d must be 0, not %g",
                                     'x' + of, 'x' + of, 'x' + of, vector + 1, lattice->vectors[k]);
        if (scree_lattice_is_open(open, of) && of == vector && !(lattice->vectors[k] > 0))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the cell is not periodic along %c: its vector %d must have a positive "
                                     "%c-component, not %g",
                                     'x' + of, vector + 1, 'x' + of, lattice->vectors[k]);
    }
    return SCREE_OK;
}

static scree_status set_vectors(struct scree_world *world, const double corner[3], const double vectors[9],
                                unsigned open)
{
    SCREE_TRY(check_not_stepping(world));
    const bool flat = world->dimension == 2;
    struct scree_vec3 edge[3] = {scree_vec3_load(vectors), scree_vec3_load(vectors + 3),
                                 scree_vec3_load(vectors + 6)};
    if (flat) {
        edge[0].z = edge[1].z = 0;
        edge[2] = scree_vec3_make(0, 0, 1);
    }
    const struct scree_lattice *old = scree_world_lattice(world);
    struct scree_lattice lattice = {.deformation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                    .work = old ? old->work : 0,
                                    .form = old ? old->form : SCREE_CELL_MEAN_FIELD};
    scree_lattice_store(scree_mat3_from_columns(edge[0], edge[1], edge[2]), lattice.vectors);
    const double place[3] = {corner[0], corner[1], flat ? 0 : corner[2]};
    SCREE_TRY(check_open(&lattice, open));
    SCREE_TRY(check_vectors(place, scree_lattice_load(lattice.vectors), world->dimension));
    SCREE_TRY(prepare_lattice(world, place, &lattice, open));
    scree_cell_end_drive(world);
    set_lattice(world, place, &lattice, open, true);
    return SCREE_OK;
}

scree_status scree_cell_set_vectors(struct scree_world *world, const double corner[3],
                                    const double vectors[9])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    return set_vectors(world, corner, vectors, 0);
}

scree_status scree_cell_set_vectors_along(struct scree_world *world, const double corner[3],
                                          const double vectors[9], const bool periodic[3])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    unsigned open = 0;
    for (int k = 0; k < world->dimension; ++k)
        open |= periodic[k] ? 0 : 1u << k;
    if (open == (1u << world->dimension) - 1)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a cell with cell vectors must be periodic along some axis: set a box with "
                                 "scree_cell_set instead");
    return set_vectors(world, corner, vectors, open);
}

// Deforms the cell as it is from now on with a gradient, which a function gives or not.
static scree_status deform(struct scree_world *world, const double gradient[9], bool by_function)
{
    struct scree_lattice lattice;
    unsigned open;
    double corner[3];
    SCREE_TRY(present_vectors(world, &lattice, &open));
    SCREE_TRY(check_gradient(world, open, gradient));
    double coming[9], with_servo[9];
    memcpy(with_servo, gradient, sizeof with_servo);
    scree_cell_servo_apply(world, gradient, coming, with_servo);
    set_gradient(&lattice, with_servo);
    lattice.by_function = by_function;
    memcpy(corner, scree_world_cell(world)->lower, sizeof corner);
    // a box has any bounds along z in two dimensions
    if (world->dimension == 2)
        corner[2] = 0;
    SCREE_TRY(check_vectors(corner, scree_lattice_load(lattice.vectors), world->dimension));
    SCREE_TRY(prepare_lattice(world, corner, &lattice, open));
    set_lattice(world, corner, &lattice, open, false);
    return SCREE_OK;
}

scree_status scree_cell_deform(struct scree_world *world, const double gradient[9])
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    SCREE_TRY(check_not_stepping(world));
    SCREE_TRY(deform(world, gradient, false));
    scree_cell_end_drive(world);
    return SCREE_OK;
}

scree_status scree_cell_set_form(struct scree_world *world, enum scree_cell_form form)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    SCREE_TRY(check_not_stepping(world));
    if (form != SCREE_CELL_MEAN_FIELD && form != SCREE_CELL_NEWTON)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the form of the motion in a cell must be SCREE_CELL_MEAN_FIELD (0) or "
                                 "SCREE_CELL_NEWTON (1); got %d",
                                 (int)form);
    SCREE_TRY(scree_cell_require_vectors(world));
    scree_world_lattice(world)->form = form;
    return SCREE_OK;
}

scree_status scree_cell_require_vectors(struct scree_world *world)
{
    static const double at_rest[9] = {0};
    return scree_world_lattice(world) ? SCREE_OK : deform(world, at_rest, false);
}

// --- gradients that are functions of time

void scree_cell_end_drive(struct scree_world *world)
{
    if (world->cell_drive.release)
        world->cell_drive.release(world->cell_drive.user);
    world->cell_drive = (struct scree_cell_drive_def){0};
}

scree_status scree_cell_check_drive(const struct scree_world *world)
{
    const struct scree_lattice *lattice = scree_world_lattice(world);
    return !lattice || !lattice->by_function || world->cell_drive.function
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_STATE,
                                   "the checkpoint of this world had a function that gives the velocity "
                                   "gradient of the cell: set it again with scree_cell_set_drive, or set a "
                                   "constant gradient with scree_cell_deform, before running");
}

// Evaluates a function at a time.
static scree_status gradient_at(const struct scree_world *world, const struct scree_cell_drive_def *def,
                                double time, double gradient[9])
{
    char cause[300];
    struct scree_lattice lattice;
    unsigned open;
    SCREE_TRY(present_vectors(world, &lattice, &open));
    def->function(def->user, time, gradient);
    if (check_gradient(world, open, gradient) == SCREE_OK)
        return SCREE_OK;
    snprintf(cause, sizeof cause, "%s", scree_status_message());
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "the function that gives the velocity gradient of the cell is wrong at %g s: %s",
                             time, cause);
}

scree_status scree_cell_set_drive(struct scree_world *world, const struct scree_cell_drive_def *def)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_lattice lattice;
    unsigned open;
    SCREE_TRY(check_not_stepping(world));
    SCREE_TRY(present_vectors(world, &lattice, &open));
    const bool drives = def && def->function;
    // the state of a checkpoint continues as it is
    const bool awaited = lattice.by_function && !world->cell_drive.function;
    if (drives)
        SCREE_TRY(gradient_at(world, def, scree_world_clock(world)->time, lattice.gradient));
    if (!(drives && awaited))
        SCREE_TRY(deform(world, lattice.gradient, drives));
    scree_cell_end_drive(world);
    if (drives)
        world->cell_drive = *def;
    return SCREE_OK;
}

scree_status scree_cell_begin_step(struct scree_world *world, double h)
{
    struct scree_lattice *lattice = scree_world_lattice(world);
    const double time = scree_world_clock(world)->time;
    if (!lattice || !(lattice->by_function || scree_world_cell_servo(world)))
        return SCREE_OK;
    double coming[9], end[9];
    memcpy(coming, lattice->coming, sizeof coming);
    if (lattice->by_function)
        SCREE_TRY(gradient_at(world, &world->cell_drive, time + 0.5 * h, coming));
    memcpy(end, coming, sizeof end);
    if (lattice->by_function)
        SCREE_TRY(gradient_at(world, &world->cell_drive, time + h, end));
    scree_cell_servo_apply(world, lattice->gradient, coming, end);
    SCREE_TRY(check_drive(world, scree_world_open_axes(world), coming));
    memcpy(lattice->coming, coming, sizeof coming);
    memcpy(lattice->end, end, sizeof end);
    return SCREE_OK;
}

// --- the state

scree_status scree_cell_get_state(const struct scree_world *world, struct scree_cell_state *state)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_lattice lattice;
    unsigned open;
    SCREE_TRY(present_vectors(world, &lattice, &open));
    for (int k = 0; k < 3; ++k)
        state->periodic[k] = k < world->dimension && !scree_lattice_is_open(open, k);
    memcpy(state->corner, scree_world_cell(world)->lower, sizeof state->corner);
    if (world->dimension == 2)
        state->corner[2] = 0;
    scree_lattice_store(scree_mat3_transpose(scree_lattice_load(lattice.vectors)), state->vectors);
    memcpy(state->gradient, lattice.gradient, sizeof state->gradient);
    state->form = lattice.form == SCREE_CELL_NEWTON ? SCREE_CELL_NEWTON : SCREE_CELL_MEAN_FIELD;
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
