// Between the world and the event engine: making lists and events from the flights of bodies, and the world
// from them; see event.h.

#include "contact/grain_order.h"
#include "event/cell.h"
#include "event/cells.h"
#include "math/vec3.h"
#include "world/cell.h"
#include "world/grain.h"
#include "world/wall.h"
#include "world/wall_body.h"

#include <math.h>
#include <string.h>

// --- from the world

static void read_space(struct scree_event *event)
{
    const struct scree_world *world = event->world;
    const double *period = scree_world_cell(world)->period, *gravity = scree_world_clock(world)->gravity;
    struct scree_event_space *space = &event->space;
    space->flight = scree_world_flights(world);
    space->id = scree_world_ids(world);
    space->falls = false;
    for (int k = 0; k < 3; ++k) {
        space->period[k] = period[k] > 0 ? period[k] : 1;
        space->inverse[k] = period[k] > 0 ? 1 / period[k] : 0;
        space->gravity[k] = gravity[k];
        space->falls = space->falls || gravity[k] != 0;
    }
}

void scree_event_find(const struct scree_event *event, uint32_t body, double position[3], double velocity[3],
                      int64_t turns[3])
{
    const struct scree_cell *cell = scree_world_cell(event->world);
    scree_event_position(&event->space.flight[body], scree_event_gravity(event, body), event->now, position);
    scree_event_velocity(&event->space.flight[body], scree_event_gravity(event, body), event->now, velocity);
    if (event->space.skew.present) {
        scree_event_cell_enter(event, position, velocity, turns);
        return;
    }
    for (int k = 0; k < 3; ++k) {
        turns[k] = 0;
        if (cell->period[k] > 0 && !(position[k] >= cell->lower[k] && position[k] < cell->upper[k]))
            scree_cell_wrap_coordinate(cell->lower[k], cell->upper[k], cell->period[k], &position[k],
                                       &turns[k]);
    }
}

static void count_images(struct scree_event *event, uint32_t body, const int64_t turns[3], int64_t sign)
{
    struct scree_image *images = scree_world_images(event->world);
    for (int k = 0; k < 3 && images; ++k)
        images[body].count[k] += sign * turns[k];
}

void scree_event_show(struct scree_event *event)
{
    struct scree_grain *grain = scree_world_grains(event->world);
    for (uint32_t i = 0; i < scree_world_bodies(event->world); ++i) {
        int64_t turns[3];
        double position[3], velocity[3];
        scree_event_find(event, i, position, velocity, turns);
        memcpy(grain[i].position, position, sizeof position);
        memcpy(grain[i].velocity, velocity, sizeof velocity);
        count_images(event, i, turns, 1);
    }
    if (event->rigid.turns)
        scree_event_rigid_show(event);
    scree_wall_body_follow(event->world);
    if (event->space.skew.present)
        scree_event_cell_show_work(event);
}

void scree_event_hide(struct scree_event *event)
{
    for (uint32_t i = 0; i < scree_world_bodies(event->world) && scree_world_images(event->world); ++i) {
        int64_t turns[3];
        double position[3], velocity[3];
        scree_event_find(event, i, position, velocity, turns);
        count_images(event, i, turns, -1);
    }
}

// Whether the flight of a body has an orientation, which it may have been given later.
static bool has_turn(const struct scree_event *event, uint32_t body)
{
    const struct scree_quat orientation =
        scree_quat_load(scree_world_flight_turns(event->world)[body].orientation);
    return scree_quat_norm_squared(orientation) > 0;
}

// Takes the flights of edited bodies from the world; those of others go on.
static void read_flights(struct scree_event *event)
{
    const struct scree_grain *grain = scree_world_grains(event->world);
    for (uint32_t i = 0; i < scree_world_bodies(event->world); ++i) {
        int64_t turns[3];
        double position[3], velocity[3];
        const bool turns_in = event->rigid.turns && !has_turn(event, i);
        if ((grain[i].flags & SCREE_FLAG_OUTDATED) || turns_in) {
            scree_event_take_off(event, i, event->now, grain[i].position, grain[i].velocity);
            scree_world_flights(event->world)[i].radius = scree_grain_reach(event->world, i);
            if (event->rigid.turns)
                scree_event_rigid_turn_off(event, i, event->now, true);
            continue;
        }
        if (event->rigid.turns)
            scree_event_rigid_resume(event, i);
        scree_event_find(event, i, position, velocity, turns);
        count_images(event, i, turns, -1);
    }
}

// Copies the constants of all bodies that collisions need.
static void read_bodies(struct scree_event *event)
{
    const struct scree_rotor *rotors = scree_world_rotors(event->world);
    event->any_fixed = false;
    for (uint32_t i = 0; i < event->lists.bodies; ++i) {
        const struct scree_grain *grain = &scree_world_grains(event->world)[i];
        struct scree_event_body *body = &event->lists.body[i];
        body->moves = (grain->flags & SCREE_FIX_POSITION) != SCREE_FIX_POSITION;
        event->any_fixed = event->any_fixed || !body->moves;
        if (scree_event_piston_is(event->world, i))
            body->moves = SCREE_EVENT_MOVES_WALLS;
        body->id = event->space.id[i];
        body->lightness = body->moves ? 1 / grain->mass : 0;
        if ((grain->flags & SCREE_FIX_SPIN) != SCREE_FIX_SPIN && grain->radius > 0)
            body->turning = 1 / scree_grain_inertia(grain, rotors ? &rotors[i] : NULL);
    }
}

// Sorts rows of bodies in space: neighbours share cache lines.
static scree_status order(struct scree_event *event)
{
    double diameter = 0;
    const size_t bodies = scree_world_bodies(event->world);
    for (size_t i = 0; i < bodies; ++i)
        diameter += 2 * scree_grain_equal_radius(event->world, i) / (double)bodies;
    event->rebuilds_ordered = event->counts.rebuilds;
    return scree_grain_order(event->world, diameter, NULL);
}

// Bodies whose collisions are drawn need no neighbours. They look for walls again when they have moved by a
// cell.
static scree_status choose_margin(struct scree_event *event)
{
    double width;
    event->lists.alone = 0;
    if (!event->draws.present)
        return SCREE_OK;
    SCREE_TRY(scree_event_draws_measure(event));
    SCREE_TRY(scree_event_cells_width(event, event->draws.def.cell, &width));
    event->lists.alone = width > 0 ? 2 * width : 1;
    return SCREE_OK;
}

scree_status scree_event_prepare(struct scree_event *event)
{
    struct scree_world *world = event->world;
    const size_t bodies = scree_world_bodies(world);
    event->ready = false;
    event->now = scree_world_clock(world)->time;
    SCREE_TRY(order(event));
    SCREE_TRY(scree_event_courses_begin(world));
    SCREE_TRY(scree_event_walls_make(&event->walls, world, event->now, event->now));
    SCREE_TRY(scree_interaction_resolve_collisions(world, &event->classes));
    SCREE_TRY(scree_event_cell_read(event));
    if (event->space.skew.present)
        SCREE_TRY(scree_event_lists_check(world));
    SCREE_TRY(choose_margin(event));
    SCREE_TRY(scree_event_lists_make(&event->lists, world, &event->classes,
                                     event->space.skew.present ? &event->space.skew : NULL));
    if (event->draws.present && event->lists.some_pass &&
        event->draws.def.partner == SCREE_STOCHASTIC_FICTITIOUS)
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED,
            "fictitious partners are drawn from the mean of all bodies of a cell, but some "
            "materials have no contact law with each other: give one to all pairs, or let "
            "bodies be partners");
    if (event->draws.present && event->walls.shapes.shape.count == 0)
        event->lists.range = (double)INFINITY;
    event->strained = 0;
    SCREE_TRY(scree_event_queue_make(&event->queue, bodies));
    SCREE_TRY(scree_event_pistons_make(&event->pistons, world));
    SCREE_TRY(scree_event_rigid_make(event));
    read_space(event);
    read_bodies(event);
    // what may fail comes before flights go on
    if (event->draws.present)
        SCREE_TRY(scree_event_draws_prepare(event));
    read_flights(event);
    if (event->space.skew.present)
        scree_event_cell_read_work(event);
    scree_world_clear_outdated(world);
    for (uint32_t i = 0; i < bodies; ++i)
        scree_event_predict(event, i);
    event->ready = true;
    return SCREE_OK;
}

scree_status scree_event_begin_step(struct scree_event *event)
{
    struct scree_world *world = event->world;
    SCREE_TRY(scree_event_cell_begin_step(event));
    const bool walls = scree_world_entity(world, SCREE_ENTITY_WALL)->count > 0;
    // with the velocities of walls at the start of the step, then those of its middle
    if (walls)
        SCREE_TRY(scree_event_walls_make(&event->walls, world, event->now, event->now));
    SCREE_TRY(scree_wall_motion_begin_step(world, event->step));
    SCREE_TRY(scree_world_advance_time(world, event->step));
    event->end = scree_world_clock(world)->time;
    scree_event_walls_set_step(&event->walls, event->now, event->end);
    scree_event_walls_accelerate(&event->walls, world);
    for (uint32_t i = 0; i < event->lists.bodies && event->walls.any_moves; ++i) {
        if (scree_event_rigid_concerns(event, i, i)) {
            const struct scree_event_contact touch =
                scree_event_rigid_walls(event, i, event->queue.time[0][i]);
            if (touch.time < (double)INFINITY || touch.until < (double)INFINITY)
                scree_event_predict(event, i);
            continue;
        }
        const struct scree_event_wall_hit hit = scree_event_walls_next(
            &event->walls, &event->classes, &event->space.flight[i], event->lists.body[i].material,
            scree_event_gravity(event, i), event->queue.time[0][i]);
        if (hit.time <= event->queue.time[0][i] || scree_event_meets_moving_shape(event, i))
            scree_event_predict(event, i);
    }
    return SCREE_OK;
}
