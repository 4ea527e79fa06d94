// The event engine: collisions in the order of their times, see event.h.

#include "base/instant.h"
#include "base/sum.h"
#include "event/cell.h"
#include "event/cells.h"
#include "math/real.h"
#include "math/vec3.h"
#include "world/cell.h"
#include "world/edit.h"
#include "world/grain.h"
#include "world/wall.h"

#include <math.h>
#include <string.h>

// the automatic step is chosen, and positions are inspected, at step numbers divisible by this
enum { STEP_EVERY = 64 };

// lists are made anew, with rows sorted in space, after so many rebuilds of the list of a body on average
enum { REBUILDS_PER_ORDER = 16 };

// --- the next event

// Order of events at one time: lists are built first, then collisions follow by ids.
struct key {
    uint64_t low, high;
};

static struct key key_of(const struct scree_event *event, uint32_t body)
{
    const uint32_t next = event->lists.body[body].next;
    const uint64_t own = event->lists.body[body].id;
    if (next == SCREE_EVENT_LEAVES)
        return (struct key){0, own};
    if (next >= SCREE_EVENT_WALL)
        return (struct key){own, UINT64_MAX - (next - SCREE_EVENT_WALL)};
    const uint64_t other = event->lists.body[next].id;
    return own < other ? (struct key){own, other} : (struct key){other, own};
}

static bool is_before(struct key a, struct key b)
{
    return a.low < b.low || (a.low == b.low && a.high < b.high);
}

// Fetches the flights of the bodies of a list into the caches; a list has room for a multiple of eight.
static void fetch_flights(const struct scree_flight *flight, const uint32_t *body, uint32_t count)
{
    for (uint32_t n = 0; n < count; n += 8)
        for (uint32_t k = 0; k < 8; ++k)
            __builtin_prefetch(&flight[body[n + k]]);
}

// Fetches what the events of the list need into the caches, in stages: addresses come from the stage before.
static void fetch(const struct scree_event *event)
{
    const struct scree_event_queue *queue = &event->queue;
    const struct scree_event_body *bodies = event->lists.body;
    const struct scree_flight *flight = event->space.flight;
    const uint32_t *neighbour = event->lists.neighbour.data;
    for (unsigned k = queue->first; k < queue->last; ++k) {
        __builtin_prefetch(&bodies[queue->soon[k].body]);
        __builtin_prefetch(&flight[queue->soon[k].body]);
    }
    for (unsigned k = queue->first; k < queue->last; ++k) {
        const struct scree_event_body *body = &bodies[queue->soon[k].body];
        __builtin_prefetch(&neighbour[body->start]);
        if (body->next < SCREE_EVENT_WALL) {
            __builtin_prefetch(&bodies[body->next]);
            __builtin_prefetch(&queue->time[0][body->next]);
        } else if (body->next == SCREE_EVENT_LEAVES) {
            scree_event_lists_prefetch(&event->lists, queue->soon[k].body,
                                       flight[queue->soon[k].body].radius);
        }
    }
    for (unsigned k = queue->first; k < queue->last; ++k) {
        const struct scree_event_body *body = &bodies[queue->soon[k].body];
        fetch_flights(flight, neighbour + body->start, body->count);
        if (body->next < SCREE_EVENT_WALL)
            __builtin_prefetch(&neighbour[bodies[body->next].start]);
    }
    for (unsigned k = queue->first; k < queue->last; ++k) {
        const struct scree_event_body *body = &bodies[queue->soon[k].body];
        const struct scree_event_body *partner = body->next < SCREE_EVENT_WALL ? &bodies[body->next] : body;
        if (partner != body)
            fetch_flights(flight, neighbour + partner->start, partner->count);
    }
}

// Of the events at the time of the first entry of the list, moves the one that comes first to the front.
static void settle_tie(struct scree_event_queue *queue, const struct scree_event *event)
{
    struct scree_event_soon *soon = queue->soon, *front = &soon[queue->first];
    const struct scree_event_body *bodies = event->lists.body;
    unsigned end = queue->first + 1;
    while (end < queue->last && soon[end].time == front->time)
        ++end;
    // the two bodies of one collision have the same event
    if (end == queue->first + 2 && bodies[front[0].body].next == front[1].body &&
        bodies[front[1].body].next == front[0].body)
        return;
    for (unsigned k = queue->first + 1; k < end; ++k)
        if (queue->time[0][soon[k].body] == front->time &&
            is_before(key_of(event, soon[k].body), key_of(event, front->body))) {
            const struct scree_event_soon other = soon[k];
            soon[k] = *front;
            *front = other;
        }
}

// The body of the next event; returns false if there is none up to the end of the step.
static bool find_next(struct scree_event *event, uint32_t *body)
{
    struct scree_event_queue *queue = &event->queue;
    if (!scree_event_queue_tidy(queue)) {
        scree_event_queue_fill(queue);
        if (queue->first == queue->last)
            return false;
        fetch(event);
    }
    struct scree_event_soon *front = &queue->soon[queue->first];
    if (!(front->time <= event->end))
        return false;
    if (queue->crowded) {
        for (uint32_t i = 0; i < event->lists.bodies; ++i)
            if (queue->time[0][i] == front->time && is_before(key_of(event, i), key_of(event, front->body)))
                front->body = i;
        queue->horizon = -(double)INFINITY;
    } else if (queue->first + 1 < queue->last && front[1].time == front->time) {
        settle_tie(queue, event);
    }
    event->now = front->time;
    if (event->space.skew.present)
        scree_event_cell_move(event);
    *body = front->body;
    ++queue->first;
    return true;
}

// The place of a body is ahead of it, see lists.h; not under gravity, where the time of leaving is found from
// a bound of the bend, which has no room for that.
static void find_place(const struct scree_event *event, uint32_t body, double place[3])
{
    const struct scree_flight *flight = &event->space.flight[body];
    const double *gravity = scree_event_gravity(event, body);
    double velocity[3], displacement[3];
    scree_event_position(flight, gravity, event->now, place);
    if (gravity)
        return;
    memcpy(velocity, flight->velocity, sizeof velocity);
    if (event->space.skew.present)
        scree_event_cell_displacement(event, body, place, velocity, displacement);
    const double speed = scree_vec3_norm(scree_vec3_load(velocity));
    for (int k = 0; k < 3 && speed > 0; ++k)
        place[k] += event->lists.lead / speed * velocity[k];
}

static scree_status rebuild(struct scree_event *event, uint32_t body)
{
    double place[3];
    find_place(event, body, place);
    ++event->counts.rebuilds;
    return scree_event_lists_rebuild(&event->lists, body, place, event->space.flight[body].radius);
}

// Whether the collision of a body with a partner is due now: the partner may have collided since it was
// predicted. It has not if its flight is the older one: time does not go back, and every new flight of a body
// is followed by a prediction for it. Nor has it if its own next event is the same collision.
static bool is_due(const struct scree_event *event, uint32_t body, uint32_t partner)
{
    const struct scree_flight *flight = event->space.flight;
    const bool is_known =
        flight[partner].time < flight[body].time ||
        (event->lists.body[partner].next == body && event->queue.time[0][partner] == event->now);
    return (is_known && !event->rigid.any) || scree_event_time_of_pair(event, body, partner) == event->now;
}

// Executes all events up to the end of the step.
static scree_status run_events(struct scree_event *event)
{
    for (uint32_t body; !event->watch.stopped && find_next(event, &body);) {
        const uint32_t next = event->lists.body[body].next;
        if (next == SCREE_EVENT_LEAVES) {
            SCREE_TRY(rebuild(event, body));
        } else if (next >= SCREE_EVENT_WALL) {
            if (scree_event_wall_is_due(event, body, next - SCREE_EVENT_WALL))
                scree_event_collide_wall(event, body, next - SCREE_EVENT_WALL);
        } else if (is_due(event, body, next)) {
            scree_event_collide_pair(event, body, next);
            scree_event_predict(event, next);
        }
        scree_event_predict(event, body);
    }
    return SCREE_OK;
}

// Executes the events of a step, with the collisions that a stochastic engine draws in its middle.
static scree_status run_step(struct scree_event *event)
{
    const double end = event->end;
    if (!event->draws.present)
        return run_events(event);
    event->end = event->now + 0.5 * (end - event->now);
    event->draws.time = -(double)INFINITY;
    SCREE_TRY(run_events(event));
    if (event->watch.stopped)
        return SCREE_OK;
    event->now = event->draws.time = event->end;
    if (event->space.skew.present)
        scree_event_cell_move(event);
    SCREE_TRY(scree_event_draw_collisions(event, end - event->walls.start));
    event->end = end;
    return run_events(event);
}

// --- steps

// The time in which a body flies a tenth of the mean radius, or by which it falls in a tenth of the time of a
// fall by a radius, if that is shorter. Of a stochastic engine: likewise a fifth of the width of a cell.
double scree_event_step_at(const struct scree_event *event, double square)
{
    const struct scree_world *world = event->world;
    const size_t bodies = scree_world_bodies(world);
    struct scree_sum sum = {0};
    for (size_t i = 0; i < bodies; ++i)
        scree_sum_add(&sum, scree_grain_equal_radius(world, i));
    const double radius = bodies > 0 ? scree_sum_value(&sum) / (double)bodies : 0;
    double length = radius;
    if (event->draws.present && scree_event_cells_width(event, event->draws.def.cell, &length) == SCREE_OK)
        length *= 2;
    square += scree_vec3_norm(scree_vec3_load(scree_world_clock(world)->gravity)) * length;
    return square > 0 ? 0.1 * length / sqrt(square) : 0;
}

// The mean square speed of bodies, without the mean motion of a cell that deforms. The sum is exact: it must
// not depend on the order of rows.
static double mean_square_speed(const struct scree_world *world)
{
    const struct scree_clock *clock = scree_world_clock(world);
    struct scree_sum sum = {0};
    for (uint32_t i = 0; i < scree_world_bodies(world); ++i) {
        double position[3], velocity[3];
        const struct scree_flight *flight = &scree_world_flights(world)[i];
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        const bool falls = (grain->flags & SCREE_FIX_POSITION) != SCREE_FIX_POSITION;
        scree_event_velocity(flight, falls ? clock->gravity : NULL, clock->time, velocity);
        scree_event_position(flight, falls ? clock->gravity : NULL, clock->time, position);
        if (grain->flags & SCREE_FLAG_OUTDATED) {
            memcpy(velocity, grain->velocity, sizeof velocity);
            memcpy(position, grain->position, sizeof position);
        }
        const struct scree_vec3 mean =
            scree_world_lattice(world) ? scree_cell_mean_velocity(world, position) : scree_vec3_zero();
        scree_sum_add(&sum, scree_vec3_norm_squared(scree_vec3_sub(scree_vec3_load(velocity), mean)));
        scree_sum_add(&sum, scree_event_rigid_square(world, i));
    }
    return scree_sum_value(&sum) / (double)scree_world_bodies(world);
}

scree_status scree_event_check_cells(struct scree_event *event)
{
    double width;
    SCREE_TRY(scree_event_walls_make(&event->walls, event->world, event->now, event->now));
    return scree_event_cells_width(event, event->draws.def.cell, &width);
}

// Chooses the automatic step. Between two choices the step of the clock goes on, also after a restart, unless
// the cell deforms faster now.
static scree_status choose_step(struct scree_event *event)
{
    const struct scree_world *world = event->world;
    const struct scree_clock *clock = scree_world_clock(world);
    if (event->draws.present)
        SCREE_TRY(scree_event_check_cells(event));
    event->step = event->def.step > 0 ? event->def.step : clock->step;
    if (event->def.step > 0)
        return SCREE_OK;
    // a world that all bodies have left goes on with its step
    const bool empty = scree_world_bodies(world) == 0;
    if (!(event->step > 0) || (clock->steps % STEP_EVERY == 0 && !empty))
        event->step = scree_event_step_at(event, empty ? 0 : mean_square_speed(world));
    const double longest = scree_event_cell_longest(world);
    if (longest < (double)INFINITY && !(event->step > 0 && event->step < longest))
        event->step = longest;
    if (!(event->step > 0))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "there is no automatic step for the %s engine, because no body moves: give its `step`",
            event->engine->ops->name);
    return SCREE_OK;
}

static bool has_changed(const struct scree_event *event)
{
    const struct scree_world *world = event->world;
    return !event->ready || world->outdated ||
           event->body_version != scree_world_entity(world, SCREE_ENTITY_BODY)->version ||
           event->wall_version != scree_world_entity(world, SCREE_ENTITY_WALL)->version ||
           event->rule_version != scree_world_entity(world, SCREE_ENTITY_INTERACTION)->version;
}

scree_status scree_event_resume(struct scree_event *event)
{
    const struct scree_world *world = event->world;
    if (!has_changed(event)) {
        scree_event_hide(event);
        return SCREE_OK;
    }
    SCREE_TRY(scree_event_check(event));
    event->overlaps_due = event->overlaps_due || world->outdated;
    event->faces_due = true;
    event->largest = 0;
    for (size_t i = 0; i < scree_grain_count(world); ++i)
        event->largest = scree_real_max(event->largest, scree_world_grains(world)[i].radius);
    SCREE_TRY(scree_event_prepare(event));
    event->body_version = scree_world_entity(world, SCREE_ENTITY_BODY)->version;
    event->wall_version = scree_world_entity(world, SCREE_ENTITY_WALL)->version;
    event->rule_version = scree_world_entity(world, SCREE_ENTITY_INTERACTION)->version;
    return SCREE_OK;
}

// Checks the overlaps of an edited state, and again before each run until they are allowed; and its walls.
static void check_start(struct scree_event *event)
{
    scree_event_check_faces(event);
    if (!event->overlaps_due)
        return;
    scree_event_check_overlaps(event);
    event->overlaps_due = event->watch.stopped;
}

static bool has_next(const struct scree_event *event, double until)
{
    return !scree_instant_has_come(scree_world_clock(event->world)->time, until) && !event->watch.stopped &&
           scree_engine_continues(event->engine);
}

// Counts for the alarm of collapse. Short collisions are counted on from step to step as long as they are at
// least half of all.
static void begin_counts(struct scree_event *event)
{
    event->quick = 0;
    if (event->shorts > event->shorts_before && 2 * event->shorts >= event->counted) {
        event->shorts_before = event->shorts;
        return;
    }
    event->shorts = event->shorts_before = event->counted = 0;
}

static scree_status take_steps(struct scree_event *event, uint64_t steps, double until)
{
    struct scree_world *world = event->world;
    const struct scree_clock *clock = scree_world_clock(world);
    for (; steps > 0 && has_next(event, until); --steps) {
        begin_counts(event);
        SCREE_TRY(choose_step(event));
        SCREE_TRY(scree_event_begin_step(event));
        const scree_status status = run_step(event);
        // an alarm or a failure ends the step at its time
        if (event->watch.stopped || status != SCREE_OK)
            scree_world_clock(world)->time = event->end = event->now;
        event->now = event->end;
        scree_event_cell_end_step(event, status == SCREE_OK && !event->watch.stopped);
        scree_wall_advance(world, event->end - event->walls.start);
        scree_event_courses_follow(world);
        scree_wall_motion_end_step(world);
        scree_event_check_faces(event);
        if (status != SCREE_OK) {
            scree_event_show(event);
            event->ready = false;
            return status;
        }
        const bool is_ordered =
            event->counts.rebuilds - event->rebuilds_ordered <= REBUILDS_PER_ORDER * event->lists.bodies;
        const bool inspects = clock->steps % STEP_EVERY == 0 && !event->watch.stopped &&
                              scree_alarm_is_active(&event->watch, SCREE_ALARM_OUTSIDE);
        if (inspects || !is_ordered || scree_engine_has_callback(event->engine, 0, 100)) {
            scree_event_show(event);
            event->ready = is_ordered;
            if (inspects)
                scree_alarm_check_outside(&event->watch, world);
            scree_engine_call(event->engine, 0, 100);
            SCREE_TRY(scree_event_resume(event));
            check_start(event);
        }
    }
    return SCREE_OK;
}

scree_status scree_event_advance(void *self, struct scree_world *world, uint64_t steps, double until)
{
    struct scree_event *event = (struct scree_event *)self;
    world->stepping = true;
    scree_alarm_reset(&event->watch);
    SCREE_TRY(scree_event_resume(event));
    check_start(event);
    const scree_status status = take_steps(event, steps, until);
    event->now = scree_world_clock(world)->time;
    if (event->ready)
        scree_event_show(event);
    if (event->watch.stopped)
        return scree_status_fail(SCREE_ERROR_NUMBER, "%s", event->watch.text);
    return status;
}

scree_status scree_event_sync(void *self, struct scree_world *world)
{
    (void)self;
    world->stepping = false;
    return SCREE_OK;
}

// --- creation

scree_status scree_event_begin(struct scree_event *event, struct scree_engine *engine,
                               struct scree_world *world, const struct scree_event_def *def)
{
    const char *name = engine->ops->name;
    event->engine = engine;
    event->world = world;
    event->def = *def;
    if (!(event->def.step >= 0 && event->def.contact_time >= 0 && event->def.elastic_below >= 0))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the step, the contact time and the speed below which collisions are elastic "
            "must not be negative; got %g s, %g s and %g m/s",
            event->def.step, event->def.contact_time, event->def.elastic_below);
    SCREE_TRY(scree_event_alarms_read(event));
    SCREE_TRY(scree_event_check(event));
    SCREE_TRY(scree_interaction_check_collisions(world));
    struct scree_entity *bodies = scree_world_entity(world, SCREE_ENTITY_BODY);
    SCREE_TRY(scree_entity_require(bodies, SCREE_BODY_FLIGHT));
    SCREE_TRY(scree_entity_require(bodies, SCREE_BODY_LOSSES));
    SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_ENGINE), SCREE_ENGINE_COLLISIONS));
    struct scree_clock *clock = scree_world_clock(world);
    // bodies that another engine has moved begin new flights
    if (strcmp(clock->translation, name) != 0) {
        scree_edit_outdate_all(world);
        memset(clock->translation, 0, sizeof clock->translation);
        memset(clock->rotation, 0, sizeof clock->rotation);
        strncpy(clock->translation, name, sizeof clock->translation - 1);
        strncpy(clock->rotation, name, sizeof clock->rotation - 1);
    }
    return SCREE_OK;
}

static scree_status begin(void *self, struct scree_engine *engine, struct scree_world *world, const void *def)
{
    return scree_event_begin((struct scree_event *)self, engine, world, (const struct scree_event_def *)def);
}

void scree_event_end(void *self, struct scree_world *world)
{
    struct scree_event *event = (struct scree_event *)self;
    (void)world;
    scree_interaction_free(&event->classes);
    scree_event_walls_free(&event->walls);
    scree_event_pistons_free(&event->pistons);
    scree_event_lists_free(&event->lists);
    scree_event_queue_free(&event->queue);
    scree_event_rigid_free(&event->rigid);
    scree_event_draws_free(&event->draws);
}

scree_status scree_event_set_step(void *self, double step)
{
    struct scree_event *event = (struct scree_event *)self;
    if (!(step >= 0 && step < (double)INFINITY))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the step must not be negative, and 0 is automatic; got %g s", step);
    event->def.step = step;
    event->step = 0;
    return SCREE_OK;
}

scree_status scree_event_next_step(void *self, double *step)
{
    struct scree_event *event = (struct scree_event *)self;
    if (event->draws.present && !event->ready) {
        SCREE_TRY(scree_event_draws_measure(event));
        event->now = scree_world_clock(event->world)->time;
    }
    if (!event->world->stepping)
        SCREE_TRY(choose_step(event));
    *step = event->step;
    return SCREE_OK;
}

const struct scree_engine_ops scree_event_engine = {.name = "event",
                                                    .size = sizeof(struct scree_event),
                                                    .begin = begin,
                                                    .advance = scree_event_advance,
                                                    .sync = scree_event_sync,
                                                    .end = scree_event_end,
                                                    .set_step = scree_event_set_step,
                                                    .step = scree_event_next_step};

scree_status scree_event_create(struct scree_world *world, const struct scree_event_def *def,
                                struct scree_engine **engine)
{
    return scree_engine_create(world, &scree_event_engine, def, engine);
}

static scree_status event_of(const struct scree_engine *engine, const struct scree_event **event)
{
    *event = (const struct scree_event *)engine->self;
    if (engine->ops == &scree_event_engine || engine->ops == &scree_stochastic_engine)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                             "the function needs an event or stochastic engine; the engine is '%s'",
                             engine->ops->name);
}

scree_status scree_event_set_elastic(struct scree_engine *engine, double contact_time, double elastic_below)
{
    SCREE_TRY(scree_engine_check(engine, &scree_event_engine));
    if (!(contact_time >= 0 && contact_time < (double)INFINITY && elastic_below >= 0 &&
          elastic_below < (double)INFINITY))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the contact time and the speed below which collisions are elastic must not be "
            "negative; got %g s and %g m/s",
            contact_time, elastic_below);
    struct scree_event *event = (struct scree_event *)engine->self;
    event->def.contact_time = contact_time;
    event->def.elastic_below = elastic_below;
    return SCREE_OK;
}

scree_status scree_event_get_counts(const struct scree_engine *engine, struct scree_event_counts *counts)
{
    const struct scree_event *event;
    SCREE_TRY(event_of(engine, &event));
    const struct scree_collisions *collisions = scree_world_collisions(event->world);
    *counts = event->counts;
    counts->pairs = collisions->pairs;
    counts->walls = collisions->walls;
    counts->elastic = collisions->elastic;
    counts->virial = collisions->virial;
    const struct scree_cell_course *course = scree_world_cell_course(event->world);
    for (int k = 0; k < 9; ++k)
        counts->impulses[k] = course ? course->impulses[k] : 0;
    return SCREE_OK;
}

scree_status scree_event_observe(struct scree_engine *engine, scree_event_observer *observer, void *user)
{
    SCREE_TRY(scree_engine_check(engine, engine->ops == &scree_stochastic_engine ? &scree_stochastic_engine
                                                                                 : &scree_event_engine));
    struct scree_event *event = (struct scree_event *)engine->self;
    event->observer = observer;
    event->observer_user = user;
    return SCREE_OK;
}

scree_status scree_event_memory(const struct scree_engine *engine, size_t *bytes)
{
    const struct scree_event *event;
    SCREE_TRY(event_of(engine, &event));
    *bytes = event->queue.size * sizeof(double) + scree_event_lists_memory(&event->lists) +
             event->lists.bodies * sizeof(struct scree_flight) + scree_event_rigid_memory(event) +
             scree_event_draws_memory(&event->draws);
    return SCREE_OK;
}
