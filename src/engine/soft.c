// The soft engine: explicit time steps. A step is the table of points below; callbacks run in between.
//
// Invariant: between steps the complete state is in the world.

#include "engine/soft.h"

#include "engine/cell_servo.h"
#include "engine/half_kick.h"
#include "engine/points.h"
#include "engine/refresh.h"
#include "engine/servo.h"
#include "world/damping.h"
#include "world/edit.h"

#include <scree/field.h>

static const struct {
    int point;
    scree_status (*work)(struct scree_soft *soft); // null: callbacks only
    scree_profile_part part;                       // of the profile
} points[] = {
    {SCREE_POINT_BEGIN, scree_points_begin,
     SCREE_PROFILE_MOTION}, // pending half-kick, if on-step velocities are needed
    {SCREE_POINT_BEGIN, scree_step_control_choose,
     SCREE_PROFILE_STEP}, // step control: the time step is chosen or checked
    {SCREE_POINT_MOVE, scree_step_control_note_edits, SCREE_PROFILE_STEP}, // step control: edits by callbacks
    {SCREE_POINT_MOVE, scree_points_move, SCREE_PROFILE_MOTION}, // integration scheme: kick, drift, rotate
    {SCREE_POINT_MOVE, scree_alarm_after_move,
     SCREE_PROFILE_ALARMS},                                      // alarms: non-finite numbers, displacements
    {SCREE_POINT_TIME, scree_points_time, SCREE_PROFILE_MOTION}, // time advances
    {SCREE_POINT_INSERT_DELETE, scree_points_walls,
     SCREE_PROFILE_WALLS}, // walls move, bodies are inserted and deleted
    {SCREE_POINT_INSERT_DELETE, scree_alarm_after_walls,
     SCREE_PROFILE_ALARMS},                                                  // alarms: displacements of walls
    {SCREE_POINT_DETECT, scree_step_control_note_edits, SCREE_PROFILE_STEP}, // as above
    {SCREE_POINT_DETECT, scree_refresh_lists,
     SCREE_PROFILE_SEARCH}, // contact search, when the skin is used up
    {SCREE_POINT_DETECT, scree_alarm_after_pebbles, SCREE_PROFILE_ALARMS}, // alarms: displacements of pebbles
    {SCREE_POINT_CONTACTS, scree_points_contacts, SCREE_PROFILE_MOTION},   // contact forces, summed on bodies
    {SCREE_POINT_LOADS, scree_points_loads, SCREE_PROFILE_MOTION},   // loads, constant ones and functions
    {SCREE_POINT_GATHER, scree_points_gather, SCREE_PROFILE_MOTION}, // all forces are summed, local damping
    {SCREE_POINT_RECORD, scree_servo_act, SCREE_PROFILE_WALLS},      // servo control of walls
    {SCREE_POINT_RECORD, scree_cell_servo_act, SCREE_PROFILE_WALLS}, // and of the cell
    {SCREE_POINT_RECORD, scree_alarm_after_step, SCREE_PROFILE_ALARMS}, // alarms: overlaps
    {SCREE_POINT_RECORD, scree_points_record,
     SCREE_PROFILE_ALARMS}, // invariants are checked, in builds with assertions
};

enum { POINTS = sizeof points / sizeof points[0], LAST_POINT = 100 };

// Does the work of all points in [from, to); after each point its callbacks are called.
static scree_status run_points(struct scree_soft *soft, int from, int to)
{
    for (int p = 0; p < POINTS; ++p) {
        if (points[p].point < from || points[p].point >= to)
            continue;
        const int next = p + 1 < POINTS && points[p + 1].point < to ? points[p + 1].point : to;
        if (points[p].work)
            SCREE_TRY(points[p].work(soft));
        scree_profile_mark(&soft->profile, points[p].part);
        scree_engine_call(soft->engine, points[p].point, next);
        if (soft->profile.sampled && scree_engine_has_callback(soft->engine, points[p].point, next))
            scree_profile_mark(&soft->profile, SCREE_PROFILE_CALLBACKS);
    }
    return SCREE_OK;
}

// Before the first step of a run: if no force is up to date, as in an initial state, evaluates forces as in a
// step, with the callbacks of its points.
static scree_status refresh_all(struct scree_soft *soft)
{
    const struct scree_world *world = soft->world;
    if (!world->outdated && !world->contacts_stale)
        return SCREE_OK;
    SCREE_TRY(scree_step_control_note_edits(soft));
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        if (!(scree_world_grains(world)[i].flags & SCREE_FLAG_OUTDATED))
            return scree_refresh(soft);
    scree_mover_read_world(&soft->mover, soft->step);
    SCREE_TRY(scree_points_set_aside_pending(soft));
    soft->state_only = true;
    const scree_status status = run_points(soft, SCREE_POINT_DETECT, SCREE_POINT_RECORD);
    soft->state_only = false;
    scree_points_restore_pending(soft);
    return status;
}

static scree_status take_steps(struct scree_soft *soft, struct scree_world *world, uint64_t steps,
                               double until)
{
    SCREE_TRY(scree_mover_check(&soft->mover));
    SCREE_TRY(scree_field_commit(world));
    // without contacts no search clears the lists
    if (!scree_world_has_contacts(world))
        scree_contacts_free(&world->contacts);
    world->stepping = true;
    soft->carried_moved = false;
    scree_alarm_reset(&soft->watch);
    soft->overlaps_due = soft->overlaps_due || world->outdated || world->contacts_stale;
    scree_status status = refresh_all(soft);
    soft->until = until;
    soft->steps_left = steps;
    // check overlaps and walls of an edited state before the first step
    if (status == SCREE_OK && soft->overlaps_due && scree_points_has_next(soft)) {
        soft->overlaps_due = false;
        scree_alarm_check_soft_faces(soft);
        status = scree_alarm_after_step(soft);
    }
    // an error here leaves the state unchanged
    if (status == SCREE_OK && scree_points_has_next(soft))
        SCREE_TRY(scree_step_control_start(soft));
    while (status == SCREE_OK && scree_points_has_next(soft)) {
        --soft->steps_left;
        scree_profile_step(&soft->profile, scree_world_bodies(world));
        status = run_points(soft, 0, LAST_POINT);
    }
    if (status != SCREE_OK)
        scree_points_discard_forces(soft);
    // report the alarm instead of failures that it caused
    return soft->watch.stopped ? scree_status_fail(SCREE_ERROR_NUMBER, "%s", soft->watch.text) : status;
}

static scree_status advance(void *self, struct scree_world *world, uint64_t steps, double until)
{
    struct scree_soft *soft = (struct scree_soft *)self;
    const double begun = scree_profile_begin(&soft->profile);
    const scree_status status = take_steps(soft, world, steps, until);
    scree_profile_end(&soft->profile, begun);
    return status;
}

static scree_status sync(void *self, struct scree_world *world)
{
    struct scree_soft *soft = (struct scree_soft *)self;
    scree_refresh_set_levels(soft, false);
    scree_wall_wear_collect(&soft->collider);
    world->stepping = false;
    return scree_half_kick_sync(&soft->mover);
}

static scree_status set_step(void *self, double step)
{
    return scree_step_control_set((struct scree_soft *)self, step);
}

static scree_status get_step(void *self, double *step)
{
    struct scree_soft *soft = (struct scree_soft *)self;
    *step = soft->step;
    return soft->world->stepping ? SCREE_OK : scree_step_control_predict(soft, step);
}

static scree_status find_limit(void *self, struct scree_limit *limit)
{
    return scree_step_control_explain((struct scree_soft *)self, limit);
}

static scree_status find_limit_at_rest(void *self, double *stable)
{
    return scree_step_control_at_rest((struct scree_soft *)self, stable);
}

static scree_status set_damping(void *self, const struct scree_damping *damping)
{
    struct scree_soft *soft = (struct scree_soft *)self;
    SCREE_TRY(scree_damping_check(damping));
    if (soft->mover.damping.local == damping->local && soft->mover.damping.viscous == damping->viscous)
        return SCREE_OK;
    scree_edit_all(soft->world, SCREE_EDIT_DAMPING);
    soft->mover.damping = *damping;
    scree_edit_end(soft->world);
    return SCREE_OK;
}

static void report_profile(const void *self, struct scree_profile *profile)
{
    scree_profile_report(&((const struct scree_soft *)self)->profile, profile);
}

const struct scree_engine_ops scree_soft_engine = {.name = "soft",
                                                   .size = sizeof(struct scree_soft),
                                                   .begin = scree_soft_def_begin,
                                                   .advance = advance,
                                                   .sync = sync,
                                                   .end = scree_soft_def_end,
                                                   .set_step = set_step,
                                                   .step = get_step,
                                                   .limit = find_limit,
                                                   .limit_at_rest = find_limit_at_rest,
                                                   .set_damping = set_damping,
                                                   .profile = report_profile};

scree_status scree_soft_create_with(struct scree_world *world, const struct scree_soft_def *def,
                                    const struct scree_motion_scheme *translation,
                                    const struct scree_motion_scheme *rotation, struct scree_engine **engine)
{
    return scree_engine_create(world, &scree_soft_engine,
                               &(struct scree_soft_choice){def, translation, rotation}, engine);
}

scree_status scree_soft_create(struct scree_world *world, const struct scree_soft_def *def,
                               struct scree_engine **engine)
{
    return scree_soft_create_with(world, def, NULL, NULL, engine);
}

scree_status scree_soft_set_safety(struct scree_engine *engine, double safety)
{
    SCREE_TRY(scree_engine_check(engine, &scree_soft_engine));
    return scree_step_control_set_safety((struct scree_soft *)engine->self, safety);
}
