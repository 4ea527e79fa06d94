// Motion of walls by functions of time, servos and bodies, and of surfaces along themselves; see
// include/scree/wall.h.
//
// In a step of h s from t on a wall moves with its velocity at t + h / 2. Laws need this one, for the
// displacement, and the one at t + h, for dashpots and for the work of the wall: the row has the first and
// the change to the second. All of this is a function of the time and the step.
//
// Invariants: a wall has at most one function; `by_function` is set for each wall that has one, and for those
// of a checkpoint whose function has not been set again.

#include "math/quat.h"
#include "world/edit.h"
#include "world/group.h"
#include "world/servo.h"
#include "world/wall.h"
#include "world/wall_body.h"
#include "world/wall_cell.h"

#include <stdio.h>
#include <string.h>

enum { VECTORS = 4, NUMBERS = 3 * VECTORS };

// The members of a row, in the order of struct scree_wall_motion.
static void list_members(struct scree_wall *wall, double *rate[VECTORS], double *change[VECTORS])
{
    double *const rates[VECTORS] = {wall->velocity, wall->spin, wall->surface_velocity, wall->surface_spin};
    double *const changes[VECTORS] = {wall->velocity_change, wall->spin_change, wall->surface_velocity_change,
                                      wall->surface_spin_change};
    memcpy(rate, rates, sizeof rates);
    memcpy(change, changes, sizeof changes);
}

_Static_assert(sizeof(struct scree_wall_motion) == NUMBERS * sizeof(double), "only the four vectors");

struct scree_wall_motion scree_wall_motion_now(const struct scree_wall *wall)
{
    struct scree_wall copy = *wall;
    struct scree_wall_motion motion;
    double *rate[VECTORS], *change[VECTORS], numbers[NUMBERS];
    list_members(&copy, rate, change);
    for (int n = 0; n < NUMBERS; ++n)
        numbers[n] = rate[n / 3][n % 3] + change[n / 3][n % 3];
    memcpy(&motion, numbers, sizeof motion);
    return motion;
}

void scree_wall_motion_store(struct scree_wall *wall, const struct scree_wall_motion *motion)
{
    double *rate[VECTORS], *change[VECTORS];
    list_members(wall, rate, change);
    for (int v = 0; v < VECTORS; ++v) {
        memcpy(rate[v], (const char *)motion + (size_t)v * 3 * sizeof(double), 3 * sizeof(double));
        memset(change[v], 0, 3 * sizeof(double));
    }
    memset(wall->pivot_rest, 0, sizeof wall->pivot_rest);
}

// --- at a contact

// Adds the motion of the surface along itself to that of the rigid wall.
static void add_surface(const struct scree_wall *wall, const double *velocity, const double *spin,
                        struct scree_vec3 point, struct scree_vec3 normal,
                        struct scree_wall_touch_motion *motion)
{
    const struct scree_quat q = scree_quat_load(wall->orientation);
    const struct scree_vec3 turn = scree_quat_rotate(q, scree_vec3_load(spin));
    const struct scree_vec3 arm = scree_vec3_sub(point, scree_vec3_load(wall->reference));
    const struct scree_vec3 along =
        scree_vec3_add(scree_quat_rotate(q, scree_vec3_load(velocity)), scree_vec3_cross(turn, arm));
    const struct scree_vec3 tangential = scree_vec3_add_scaled(along, -scree_vec3_dot(along, normal), normal);
    motion->velocity = scree_vec3_add(motion->velocity, tangential);
    motion->spin = scree_vec3_add(motion->spin, turn);
}

static bool is_zero(const double *v)
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

void scree_wall_motion_mid_step(const struct scree_world *world, const struct scree_wall *wall, double h,
                                struct scree_vec3 point, struct scree_vec3 normal,
                                struct scree_wall_touch_motion *motion)
{
    if (wall->by_function == SCREE_WALL_BY_CELL) {
        scree_wall_cell_mid_step(world, wall, h, point, normal, motion);
        return;
    }
    motion->velocity = scree_wall_velocity(wall, point);
    motion->spin = scree_vec3_load(wall->spin);
    if (!is_zero(wall->surface_velocity) || !is_zero(wall->surface_spin))
        add_surface(wall, wall->surface_velocity, wall->surface_spin, point, normal, motion);
}

void scree_wall_motion_on_step(const struct scree_world *world, const struct scree_wall *wall,
                               struct scree_vec3 point, struct scree_vec3 normal,
                               struct scree_wall_touch_motion *motion)
{
    if (wall->by_function == SCREE_WALL_BY_CELL) {
        scree_wall_cell_on_step(world, wall, point, normal, motion);
        return;
    }
    if (wall->by_function == 0 && is_zero(wall->velocity_change) && is_zero(wall->spin_change)) {
        scree_wall_motion_mid_step(world, wall, 0, point, normal, motion);
        return;
    }
    const struct scree_wall_motion now = scree_wall_motion_now(wall);
    const struct scree_vec3 arm = scree_vec3_sub(point, scree_vec3_load(wall->pivot));
    motion->spin = scree_vec3_load(now.spin);
    motion->velocity = scree_vec3_add(scree_vec3_load(now.velocity), scree_vec3_cross(motion->spin, arm));
    if (!is_zero(now.surface_velocity) || !is_zero(now.surface_spin))
        add_surface(wall, now.surface_velocity, now.surface_spin, point, normal, motion);
}

// --- functions

static struct scree_wall_drive *find_drive(const struct scree_world *world, scree_wall_id id)
{
    for (size_t d = 0; d < world->drives.count; ++d)
        if (world->drives.data[d].wall.value == id.value)
            return &world->drives.data[d];
    return NULL;
}

static void release(const struct scree_wall_drive *drive)
{
    if (drive->def.release)
        drive->def.release(drive->def.user);
}

void scree_world_free_drives(struct scree_world *world)
{
    for (size_t d = 0; d < world->drives.count; ++d)
        release(&world->drives.data[d]);
    scree_array_free(&world->drives);
}

void scree_wall_motion_end(struct scree_world *world, scree_wall_id id)
{
    struct scree_wall_drive *drive = find_drive(world, id);
    if (!drive)
        return;
    release(drive);
    *drive = world->drives.data[--world->drives.count];
}

scree_status scree_world_check_drives(const struct scree_world *world)
{
    const uint64_t *ids = scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL));
    for (size_t w = 0; w < scree_wall_rows(world); ++w)
        if (scree_wall_row(world, w)->by_function == SCREE_WALL_BY_FUNCTION &&
            !find_drive(world, (scree_wall_id){ids[w]}))
            return scree_status_fail(SCREE_ERROR_STATE,
                                     "the checkpoint of this world had a function that moves wall %llu: set "
                                     "it again with scree_wall_motion_set_function before running",
                                     (unsigned long long)ids[w]);
    return SCREE_OK;
}

static bool is_steered(const struct scree_world *world, const struct scree_servo *servo, size_t slot)
{
    uint64_t mask;
    return scree_group_mask(world, (scree_group_id){servo->group}, &mask) == SCREE_OK &&
           (scree_group_of_wall(world, slot) & mask);
}

bool scree_wall_is_steered(const struct scree_world *world, size_t slot)
{
    bool steered = false;
    for (size_t s = 0; s < scree_servo_rows(world); ++s)
        steered = steered || is_steered(world, scree_servo_row(world, s), slot);
    return steered;
}

// Change of the velocity along the direction of a servo from the middle of the present step to its end.
static double change_by_servo(const struct scree_world *world, const struct scree_servo *servo)
{
    return scree_world_clock(world)->steps % servo->every == 0 ? servo->change : 0;
}

// A servo prescribes the velocity or the spin along its direction.
static void follow_servos(const struct scree_world *world, size_t slot, bool on_step,
                          struct scree_wall_motion *motion)
{
    for (size_t s = 0; s < scree_servo_rows(world); ++s) {
        const struct scree_servo *servo = scree_servo_row(world, s);
        double *velocity = servo->turns ? motion->spin : motion->velocity;
        const struct scree_vec3 direction = scree_vec3_load(servo->direction), v = scree_vec3_load(velocity);
        const double prescribed = servo->velocity + (on_step ? change_by_servo(world, servo) : 0);
        if (is_steered(world, servo, slot))
            scree_vec3_store(scree_vec3_add_scaled(v, prescribed - scree_vec3_dot(v, direction), direction),
                             velocity);
    }
}

static struct scree_wall_motion motion_at(const struct scree_world *world,
                                          const struct scree_wall_drive *drive, size_t slot, double time,
                                          bool on_step)
{
    struct scree_wall_motion motion = scree_wall_motion_now(scree_wall_row(world, slot));
    drive->def.function(drive->def.user, time, &motion);
    follow_servos(world, slot, on_step, &motion);
    return motion;
}

static scree_status set_function(struct scree_world *world, scree_slot slot, scree_wall_id id,
                                 const struct scree_wall_motion_def *def)
{
    const struct scree_wall_drive drive = {id, *def};
    struct scree_wall_drive *present = find_drive(world, id);
    struct scree_wall *wall = scree_wall_row(world, slot.index);
    const bool awaited = wall->by_function > 0 && !present;
    const struct scree_wall_motion motion =
        motion_at(world, &drive, slot.index, scree_world_clock(world)->time, false);
    SCREE_TRY(scree_wall_check_motion(world, &motion));
    if (!present)
        SCREE_TRY(scree_array_push(&world->drives, drive));
    if (present) {
        release(present);
        *present = drive;
    }
    // the state of a checkpoint continues as it is
    if (awaited)
        return SCREE_OK;
    scree_wall_edit_motion(world, slot.index, &motion);
    scree_wall_row(world, slot.index)->by_function = SCREE_WALL_BY_FUNCTION;
    return SCREE_OK;
}

scree_status scree_wall_motion_set_function(struct scree_world *world, scree_wall_id id,
                                            const struct scree_wall_motion_def *def)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    scree_slot slot;
    SCREE_TRY(scree_world_check_not_in_load(world));
    if (world->stepping)
        return scree_status_fail(SCREE_ERROR_STATE,
                                 "the function that moves a wall cannot be set inside a step");
    SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_WALL), id.value, &slot));
    if (scree_wall_follows(scree_wall_row(world, slot.index)))
        return scree_status_fail(
            SCREE_ERROR_STATE,
            "wall %llu moves with body %llu: detach it with scree_wall_body_detach before "
            "setting its motion",
            (unsigned long long)id.value, (unsigned long long)scree_wall_body_of(world, slot.index));
    const bool in_cell = scree_wall_row(world, slot.index)->by_function == SCREE_WALL_BY_CELL;
    if (in_cell && def && def->function)
        return scree_status_fail(
            SCREE_ERROR_STATE,
            "wall %llu moves with the cell: end that with scree_wall_set_in_cell before giving it a function",
            (unsigned long long)id.value);
    if (def && def->function)
        return set_function(world, slot, id, def);
    if (in_cell || scree_wall_row(world, slot.index)->by_function == 0)
        return SCREE_OK;
    const struct scree_wall_motion motion = scree_wall_motion_now(scree_wall_row(world, slot.index));
    scree_wall_edit_motion(world, slot.index, &motion);
    scree_wall_row(world, slot.index)->by_function = 0;
    scree_wall_motion_end(world, id);
    return SCREE_OK;
}

// --- steps

static scree_status check_at(const struct scree_world *world, const struct scree_wall_drive *drive,
                             double time, const struct scree_wall_motion *motion)
{
    char cause[400];
    if (scree_wall_check_motion(world, motion) == SCREE_OK)
        return SCREE_OK;
    snprintf(cause, sizeof cause, "%s", scree_status_message());
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "the function that moves wall %llu is wrong at %g s: %s",
                             (unsigned long long)drive->wall.value, time, cause);
}

// Returns false if the wall has been removed.
static bool find_wall(const struct scree_world *world, const struct scree_wall_drive *drive, scree_slot *slot)
{
    return scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool, drive->wall.value,
                           &slot->index);
}

scree_status scree_wall_motion_begin_step(struct scree_world *world, double h)
{
    const double middle = scree_world_clock(world)->time + 0.5 * h;
    // bodies, and the cell, have moved already
    scree_wall_body_follow(world);
    if (scree_world_lattice(world))
        scree_wall_cell_begin_step(world, h);
    for (size_t d = 0; d < world->drives.count; ++d) {
        const struct scree_wall_drive *drive = &world->drives.data[d];
        scree_slot slot;
        if (!find_wall(world, drive, &slot))
            continue;
        struct scree_wall *wall = scree_wall_row(world, slot.index);
        const struct scree_wall_motion motion = motion_at(world, drive, slot.index, middle, false);
        SCREE_TRY(check_at(world, drive, middle, &motion));
        double rest[3];
        memcpy(rest, wall->pivot_rest, sizeof rest);
        scree_wall_motion_store(wall, &motion);
        memcpy(wall->pivot_rest, rest, sizeof rest);
    }
    return SCREE_OK;
}

// Sets the changes of velocity of walls without functions: those of servos.
static void end_step_of_servos(const struct scree_world *world)
{
    for (size_t w = 0; w < scree_wall_rows(world); ++w) {
        struct scree_wall *wall = scree_wall_row(world, w);
        struct scree_vec3 change[2] = {{0, 0, 0}, {0, 0, 0}}; // of velocity, of spin
        for (size_t s = 0; s < scree_servo_rows(world); ++s) {
            const struct scree_servo *servo = scree_servo_row(world, s);
            struct scree_vec3 *sum = &change[servo->turns ? 1 : 0];
            if (is_steered(world, servo, w))
                *sum = scree_vec3_add_scaled(*sum, change_by_servo(world, servo),
                                             scree_vec3_load(servo->direction));
        }
        if (wall->by_function > 0)
            continue;
        scree_vec3_store(change[0], wall->velocity_change);
        scree_vec3_store(change[1], wall->spin_change);
    }
}

void scree_wall_motion_end_step(struct scree_world *world)
{
    const double end = scree_world_clock(world)->time;
    end_step_of_servos(world);
    if (scree_world_lattice(world))
        scree_wall_cell_end_step(world);
    for (size_t d = 0; d < world->drives.count; ++d) {
        const struct scree_wall_drive *drive = &world->drives.data[d];
        scree_slot slot;
        if (!find_wall(world, drive, &slot))
            continue;
        struct scree_wall *wall = scree_wall_row(world, slot.index);
        const struct scree_wall_motion motion = motion_at(world, drive, slot.index, end, true);
        double *rate[VECTORS], *change[VECTORS];
        list_members(wall, rate, change);
        for (int n = 0; n < NUMBERS; ++n) {
            double now;
            memcpy(&now, (const char *)&motion + (size_t)n * sizeof now, sizeof now);
            change[n / 3][n % 3] = now - rate[n / 3][n % 3];
        }
    }
}
