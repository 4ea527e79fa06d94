// The servo of a cell, see cell_servo.h and include/scree/cell.h; it acts in engine/cell_servo.c.

#include "world/cell_servo.h"

#include "math/real.h"
#include "world/cell.h"
#include "world/wall_cell.h"

#include <math.h>
#include <stdio.h>

enum { ENTRIES = 9 };

static const char *const names[ENTRIES] = {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};

static scree_status check_entries(const struct scree_world *world, const struct scree_cell_servo_def *def)
{
    int controlled = 0, diagonal = 0;
    for (int k = 0; k < ENTRIES; ++k) {
        const int transposed = k % 3 * 3 + k / 3;
        if (!def->controlled[k])
            continue;
        ++controlled;
        diagonal += k % 4 == 0;
        if (world->dimension == 2 && (k / 3 == 2 || k % 3 == 2))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "a world of two dimensions has no stress %s: control xx, xy, yx or yy",
                                     names[k]);
        if (k != transposed && def->controlled[transposed])
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the entries %s and %s of the velocity gradient cannot be controlled "
                                     "together: the stress is symmetric, so control one of them",
                                     names[k], names[transposed]);
    }
    if (controlled == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a servo of the cell must control an entry of the velocity gradient; to "
                                 "remove it, pass null");
    if (def->common && diagonal < 2)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a common rate needs two or three controlled entries of xx, yy and zz");
    return SCREE_OK;
}

static scree_status check_targets(const bool controlled[ENTRIES], const double stress[ENTRIES])
{
    for (int k = 0; k < ENTRIES; ++k)
        if (controlled[k] && !(fabs(stress[k]) <= 1e100))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "a wanted stress must be finite and at most 1e100 Pa in magnitude; "
                                     "that of %s is %g",
                                     names[k], stress[k]);
    return SCREE_OK;
}

static double largest_of(const struct scree_cell_servo_def *def)
{
    double largest = 0;
    for (int k = 0; k < ENTRIES; ++k)
        largest = def->controlled[k] && fabs(def->stress[k]) > largest ? fabs(def->stress[k]) : largest;
    return largest;
}

// `highest`: the largest wanted stress of earlier servos.
static scree_status check_numbers(const struct scree_cell_servo_def *def, double highest)
{
    if (!(def->rate >= 0 && def->rate <= 1e150))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the largest rate of a servo of the cell must be positive and finite, or 0 "
                                 "for a quasi-static one; got %g 1/s",
                                 def->rate);
    if (!(def->gain >= 0 && def->gain <= 1))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the gain of a servo of the cell must be in (0, 1], or 0 for 0.5; got %g",
                                 def->gain);
    if (!(def->tolerance >= 0 && def->tolerance < 1))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the tolerance of a servo of the cell must be in [0, 1); got %g",
                                 def->tolerance);
    if (def->rate == 0 && scree_real_max(highest, largest_of(def)) == 0 && !def->function)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "a servo of the cell whose wanted stresses are all 0 needs a largest rate: a "
            "quasi-static one follows from the stress");
    return SCREE_OK;
}

static void store_def(const struct scree_cell_servo_def *def, struct scree_cell_servo *servo)
{
    servo->controlled = 0;
    for (int k = 0; k < ENTRIES; ++k)
        servo->controlled |= (uint64_t)def->controlled[k] << k;
    memcpy(servo->stress, def->stress, sizeof servo->stress);
    servo->common = def->common;
    servo->largest = servo->rate_limit = def->rate;
    servo->gain = def->gain > 0 ? def->gain : 0.5;
    servo->tolerance = def->tolerance;
    servo->pace = 1;
    servo->every = def->every > 0 ? def->every : 10;
    servo->by_function = def->function != NULL;
}

// The cell keeps its velocity gradient, also if the servo has just set new rates.
static void release_entries(struct scree_world *world)
{
    const struct scree_cell_servo *servo = scree_world_cell_servo(world);
    struct scree_lattice *lattice = scree_world_lattice(world);
    for (int k = 0; k < ENTRIES && servo; ++k)
        if (servo->controlled >> k & 1)
            lattice->coming[k] = lattice->end[k] = lattice->gradient[k];
}

static scree_status remove_servo(struct scree_world *world)
{
    struct scree_cell_servo *servo = scree_world_cell_servo(world);
    release_entries(world);
    if (servo)
        servo->controlled = servo->by_function = 0;
    scree_cell_servo_end_targets(world);
    return SCREE_OK;
}

// Entries that would tilt periodic vectors along an open axis are 0.
static scree_status check_open(const struct scree_world *world, const struct scree_cell_servo_def *def)
{
    const unsigned open = scree_world_open_axes(world);
    for (int k = 0; k < ENTRIES; ++k) {
        const int of = 'x' + k / 3, along = 'x' + k % 3;
        if (def->controlled[k] && scree_lattice_is_open(open, k / 3) && !scree_lattice_is_open(open, k % 3))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the cell is not periodic along %c, so a servo cannot set the velocity "
                                     "gradient of the %c-velocity along %c; the same shear stress is reached "
                                     "by that of the %c-velocity along %c",
                                     of, of, along, along, of);
    }
    return SCREE_OK;
}

scree_status scree_cell_servo_check_walls(const struct scree_world *world)
{
    const struct scree_cell_servo *servo = scree_world_cell_servo(world);
    const unsigned open = scree_world_open_axes(world);
    for (int k = 0; servo && k < 3; ++k)
        if ((servo->controlled >> 4 * k & 1) && scree_lattice_is_open(open, k) &&
            !scree_wall_cell_is_across(world, k))
            return scree_status_fail(
                SCREE_ERROR_ARGUMENT,
                "the servo of the cell wants a stress along %c, along which the cell is not "
                "periodic, and no wall across %c moves with the cell: let a wall there move "
                "with it, or give the wall a servo of its own",
                'x' + k, 'x' + k);
    return SCREE_OK;
}

// Whether walls and gravity allow the entries to have any value.
static scree_status check_drive(const struct scree_world *world, const struct scree_cell_servo_def *def)
{
    double gradient[ENTRIES];
    for (int k = 0; k < ENTRIES; ++k)
        gradient[k] = def->controlled[k] ? 1 : 0;
    return scree_cell_check_gradient(world, gradient);
}

scree_status scree_cell_set_servo(struct scree_world *world, const struct scree_cell_servo_def *def)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    if (world->stepping)
        return scree_status_fail(SCREE_ERROR_STATE, "the servo of the cell cannot be set inside a step");
    if (!def)
        return remove_servo(world);
    double stress[ENTRIES];
    memcpy(stress, def->stress, sizeof stress);
    SCREE_TRY(check_entries(world, def));
    if (def->function)
        def->function(def->user, scree_world_clock(world)->time, stress);
    SCREE_TRY(check_targets(def->controlled, stress));
    struct scree_cell_servo_def checked = *def;
    memcpy(checked.stress, stress, sizeof stress);
    SCREE_TRY(
        check_numbers(&checked, scree_world_cell_servo(world) ? scree_world_cell_servo(world)->highest : 0));
    SCREE_TRY(scree_cell_require_vectors(world));
    SCREE_TRY(check_open(world, def));
    SCREE_TRY(check_drive(world, def));
    SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_CELL), SCREE_CELL_SERVO));
    struct scree_cell_servo *servo =
        (struct scree_cell_servo *)scree_world_column(world, SCREE_ENTITY_CELL, SCREE_CELL_SERVO);
    // the state of a checkpoint continues as it is
    const bool awaited = servo->by_function && !world->cell_targets.function && def->function;
    scree_cell_servo_end_targets(world);
    if (!awaited) {
        const double highest = scree_real_max(servo->highest, largest_of(&checked));
        release_entries(world);
        memset(servo, 0, sizeof *servo);
        store_def(&checked, servo);
        servo->highest = highest;
        memcpy(servo->rate, scree_world_lattice(world)->gradient, sizeof servo->rate);
    }
    if (def->function)
        world->cell_targets = (struct scree_cell_targets){def->function, def->user, def->release, NULL};
    return SCREE_OK;
}

scree_status scree_cell_get_servo(const struct scree_world *world, struct scree_cell_servo_state *state)
{
    const struct scree_cell_servo *servo = scree_world_cell_servo(world);
    if (!servo)
        return scree_status_fail(SCREE_ERROR_MISSING, "the cell has no servo");
    memset(state, 0, sizeof *state);
    for (int k = 0; k < ENTRIES; ++k)
        state->def.controlled[k] = servo->controlled >> k & 1;
    state->def.common = servo->common;
    state->def.rate = servo->rate_limit;
    state->def.gain = servo->gain;
    state->def.tolerance = servo->tolerance;
    state->def.every = (unsigned)servo->every;
    state->def.function = world->cell_targets.function;
    state->def.user = world->cell_targets.user;
    state->def.release = world->cell_targets.release;
    memcpy(state->def.stress, servo->stress, sizeof servo->stress);
    memcpy(state->measured, servo->measured, sizeof servo->measured);
    memcpy(state->rate, servo->rate, sizeof servo->rate);
    state->largest = servo->largest;
    return SCREE_OK;
}

scree_status scree_cell_servo_set_targets(struct scree_world *world, double time)
{
    struct scree_cell_servo *servo = scree_world_cell_servo(world);
    bool controlled[ENTRIES];
    double stress[ENTRIES];
    char cause[300];
    if (!servo->by_function)
        return SCREE_OK;
    for (int k = 0; k < ENTRIES; ++k)
        controlled[k] = servo->controlled >> k & 1;
    memcpy(stress, servo->stress, sizeof stress);
    world->cell_targets.function(world->cell_targets.user, time, stress);
    if (check_targets(controlled, stress) == SCREE_OK) {
        memcpy(servo->stress, stress, sizeof stress);
        return SCREE_OK;
    }
    snprintf(cause, sizeof cause, "%s", scree_status_message());
    const char *place = world->cell_targets.place;
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "%s%sthe function that gives the wanted stresses of the cell is wrong at %g s: "
                             "%s",
                             place ? place : "", place ? ": " : "", time, cause);
}

void scree_cell_servo_set_place(struct scree_world *world, const char *place)
{
    world->cell_targets.place = place;
}

void scree_cell_servo_apply(const struct scree_world *world, const double gradient[9], double coming[9],
                            double end[9])
{
    const struct scree_cell_servo *servo = scree_world_cell_servo(world);
    if (!servo)
        return;
    for (int k = 0; k < ENTRIES; ++k)
        if (servo->controlled >> k & 1) {
            coming[k] = 0.5 * (gradient[k] + servo->rate[k]);
            end[k] = servo->rate[k];
        }
}

scree_status scree_cell_servo_check_targets(const struct scree_world *world)
{
    const struct scree_cell_servo *servo = scree_world_cell_servo(world);
    return !servo || !servo->by_function || world->cell_targets.function
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_STATE,
                                   "the checkpoint of this world had a function that gives the wanted "
                                   "stresses of the cell: set it again with scree_cell_set_servo before "
                                   "running");
}

void scree_cell_servo_end_targets(struct scree_world *world)
{
    if (world->cell_targets.release)
        world->cell_targets.release(world->cell_targets.user);
    world->cell_targets = (struct scree_cell_targets){0};
}
