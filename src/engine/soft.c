// The soft engine: explicit time steps. A step is the table of points below, and callbacks run in between.
//
// What always holds: between steps nothing is known that is not in the world; a step is a function of the
// state at its start. Forces are summed in fixed order: contacts, then walls, then pushes and loads as they
// came.

#include "engine/soft.h"

#include "engine/loads.h"
#include "world/damping.h"

#include <string.h>

static scree_status begin_step(struct scree_soft *soft);
static scree_status move_bodies(struct scree_soft *soft);
static scree_status pass_time(struct scree_soft *soft);
static scree_status place_grains(struct scree_soft *soft);
static scree_status add_loads(struct scree_soft *soft);
static scree_status gather_forces(struct scree_soft *soft);
static scree_status check_world(struct scree_soft *soft);

static const struct {
    int point;
    scree_status (*work)(struct scree_soft *soft);
} points[] = {
    {SCREE_POINT_BEGIN, begin_step},     // the pending half-kick
    {SCREE_POINT_MOVE, move_bodies},     // kick, drift, rotate
    {SCREE_POINT_TIME, pass_time},       //
    {SCREE_POINT_DETECT, place_grains},  // grains follow their bodies
    {SCREE_POINT_LOADS, add_loads},      // constant and the user's
    {SCREE_POINT_GATHER, gather_forces}, // in fixed order
    {SCREE_POINT_RECORD, check_world},   // invariants, in builds with assertions
};

enum { POINTS = sizeof points / sizeof points[0], LAST_POINT = 100, MOST_THREADS = 1024 };

// Does the work of all points in [from, to), each followed by the callbacks up to the next.
static scree_status pass(struct scree_soft *soft, int from, int to)
{
    for (int p = 0; p < POINTS; ++p) {
        if (points[p].point < from || points[p].point >= to)
            continue;
        const int next = p + 1 < POINTS && points[p + 1].point < to ? points[p + 1].point : to;
        SCREE_TRY(points[p].work(soft));
        scree_engine_call(soft->engine, points[p].point, next);
    }
    return SCREE_OK;
}

static scree_status refresh_all(struct scree_soft *soft);
static scree_status refresh_edited(struct scree_soft *soft);
static void advance_time(struct scree_soft *soft);

// An evaluation that failed on its way leaves no half of a force behind: the next run begins with a new one.
static void void_forces(struct scree_soft *soft)
{
    struct scree_world *world = soft->world;
    if (world->motor && world->motor->forces_known)
        return;
    if (scree_world_pushes(world))
        memset(scree_world_pushes(world), 0, scree_world_bodies(world) * sizeof(struct scree_push));
    scree_world_outdate(world);
}

static scree_status advance(void *self, struct scree_world *world, uint64_t steps, double until)
{
    struct scree_soft *soft = (struct scree_soft *)self;
    SCREE_TRY(scree_mover_check(&soft->mover));
    scree_world_close_edit(world);
    world->stepping = true;
    scree_status status = refresh_all(soft);
    for (uint64_t s = 0; status == SCREE_OK && s < steps && scree_world_clock(world)->time < until &&
                         scree_engine_goes_on(soft->engine);
         ++s)
        status = pass(soft, 0, LAST_POINT);
    if (status != SCREE_OK)
        void_forces(soft);
    return status;
}

static void set_levels(struct scree_soft *soft, bool moving)
{
    struct scree_world *world = soft->world;
    const scree_level turning = soft->mover.rotation->level;
    world->motor = moving ? &soft->mover.motor : NULL;
    world->level[SCREE_LEVEL_OF_VELOCITY] = moving ? soft->mover.translation->level : SCREE_ON_STEP;
    world->level[SCREE_LEVEL_OF_MOMENTUM] = moving ? turning : SCREE_ON_STEP;
    // round bodies have a law of their own
    world->level[SCREE_LEVEL_OF_SPIN] = moving ? scree_spherical.level : SCREE_ON_STEP;
    soft->mover.motor.forces_known = false;
}

static scree_status sync(void *self, struct scree_world *world)
{
    struct scree_soft *soft = (struct scree_soft *)self;
    set_levels(soft, false);
    world->stepping = false;
    return scree_mover_sync(&soft->mover);
}

// Velocities are made on-step only if someone looks; else the half-kick is done in one go with the next.
static scree_status begin_step(struct scree_soft *soft)
{
    if (!soft->world->motor ||
        !(soft->world->outdated || scree_engine_hooked(soft->engine, 0, SCREE_POINT_MOVE)))
        return SCREE_OK;
    SCREE_TRY(scree_mover_sync(&soft->mover));
    set_levels(soft, false);
    return SCREE_OK;
}

// The laws that ask for loads at mid-step get them, and take their step with what came even if a load failed.
static scree_status pass_middle(struct scree_soft *soft)
{
    struct scree_mover *mover = &soft->mover;
    const size_t bodies = scree_world_bodies(soft->world);
    if (bodies == 0 || !scree_mover_needs_middle(mover))
        return SCREE_OK;
    memset(soft->middle.data, 0, bodies * sizeof soft->middle.data[0]);
    const double time = scree_world_clock(soft->world)->time + 0.5 * mover->step.h;
    const scree_status status = scree_loads_add(mover, SCREE_LOADS_MIDDLE, time, soft->middle.data);
    scree_mover_finish(mover, soft->middle.data);
    return status;
}

// What can fail without having moved anything comes first; from there on the step is taken whole.
static scree_status move_bodies(struct scree_soft *soft)
{
    struct scree_mover *mover = &soft->mover;
    if (!soft->world->motor)
        SCREE_TRY(refresh_edited(soft));
    SCREE_TRY(scree_mover_check(mover));
    if (scree_mover_needs_middle(mover))
        SCREE_TRY(scree_array_reserve(&soft->middle, scree_world_bodies(soft->world)));
    if (!soft->world->motor)
        scree_mover_restore(mover);
    mover->step.h = soft->step;
    scree_mover_advance(mover);
    const scree_status status = pass_middle(soft);
    set_levels(soft, true);
    if (status != SCREE_OK)
        advance_time(soft);
    return status;
}

static double due_time(const struct scree_clock *clock)
{
    return clock->anchor_time + (double)(clock->steps - clock->anchor_steps) * clock->step;
}

static void advance_time(struct scree_soft *soft)
{
    struct scree_clock *clock = scree_world_clock(soft->world);
    // the step has changed, or the time was set by another engine or by hand
    if (clock->step != soft->step || clock->time != due_time(clock)) {
        clock->anchor_time = clock->time;
        clock->anchor_steps = clock->steps;
        clock->step = soft->step;
    }
    ++clock->steps;
    clock->time = due_time(clock);
}

static scree_status pass_time(struct scree_soft *soft)
{
    advance_time(soft);
    return SCREE_OK;
}

static scree_status place_grains(struct scree_soft *soft)
{
    // forces are evaluated for what lies there now; what is edited from here on is outdated again
    if (soft->world->outdated)
        for (size_t i = 0; i < scree_world_bodies(soft->world); ++i)
            scree_world_grains(soft->world)[i].flags &= ~(uint32_t)SCREE_FLAG_OUTDATED;
    soft->world->outdated = false;
    if (scree_world_entity(soft->world, SCREE_ENTITY_GRAIN)->count > 0)
        SCREE_TRY(scree_entity_require(scree_world_entity(soft->world, SCREE_ENTITY_BODY), SCREE_BODY_PUSH));
    scree_grain_place(soft->world);
    return SCREE_OK;
}

static scree_status add_loads(struct scree_soft *soft)
{
    if (soft->world->loads.count == 0)
        return SCREE_OK;
    return scree_loads_add(&soft->mover, SCREE_LOADS_AHEAD, scree_world_clock(soft->world)->time,
                           scree_world_pushes(soft->world));
}

// The sum of a body's pushes becomes its force, and the pushes begin anew.
static void take_push(struct scree_world *world, size_t i)
{
    struct scree_push *push = &scree_world_pushes(world)[i];
    struct scree_wrench *wrench = &scree_world_wrenches(world)[i];
    memcpy(wrench->force, push->force, sizeof push->force);
    memcpy(wrench->moment, push->moment, sizeof push->moment);
    memset(push, 0, sizeof *push);
}

static void take_pushes(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    for (size_t i = first; i < last; ++i)
        take_push((struct scree_world *)context, i);
}

static scree_status gather_forces(struct scree_soft *soft)
{
    struct scree_world *world = soft->world;
    if (scree_world_pushes(world)) {
        scree_grain_return(world);
        scree_team_run(&soft->mover.team, scree_world_bodies(world), SCREE_MOVER_BLOCK, take_pushes, world);
    }
    SCREE_TRY(scree_mover_drag(&soft->mover, false));
    soft->mover.motor.forces_known = true;
    return SCREE_OK;
}

static scree_status check_world(struct scree_soft *soft)
{
#ifdef NDEBUG
    (void)soft;
    return SCREE_OK;
#else
    return scree_world_validate(soft->world);
#endif
}

// Bodies edited since the last step get the forces of what lies there now; the others keep theirs to the bit.
static scree_status refresh_edited(struct scree_soft *soft)
{
    struct scree_world *world = soft->world;
    if (!world->outdated)
        return SCREE_OK;
    scree_world_gravity(world, soft->mover.step.gravity);
    SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_PUSH));
    SCREE_TRY(scree_loads_add(&soft->mover, SCREE_LOADS_NOW, scree_world_clock(world)->time,
                              scree_world_pushes(world)));
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        if (scree_world_grains(world)[i].flags & SCREE_FLAG_OUTDATED)
            take_push(world, i);
    SCREE_TRY(scree_mover_drag(&soft->mover, true));
    return place_grains(soft);
}

// Before the first step of a run: where no force holds, as in an initial state, they are evaluated as in a
// step, with the callbacks that stand there.
static scree_status refresh_all(struct scree_soft *soft)
{
    const struct scree_world *world = soft->world;
    if (!world->outdated)
        return SCREE_OK;
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        if (!(scree_world_grains(world)[i].flags & SCREE_FLAG_OUTDATED))
            return refresh_edited(soft);
    scree_world_gravity(world, soft->mover.step.gravity);
    return pass(soft, SCREE_POINT_DETECT, SCREE_POINT_RECORD);
}

static scree_status check_law(const struct scree_world *world, const struct scree_motion_law *law)
{
    if (law->contacts || world->contact_laws == 0)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_UNSUPPORTED,
        "the law of motion '%s' cannot move bodies that touch, and this world has a contact law: "
        "choose %s",
        law->name, law->kind == SCREE_TRANSLATION ? "'velocity-verlet'" : "'splitting'");
}

// What scree_engine_create hands to begin.
struct choice {
    const struct scree_soft_def *def;
    const struct scree_motion_law *translation, *rotation;
};

static scree_status check_step(double step)
{
    if (step > 0 && step <= 1e150)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT, "the time step must be positive, in s; got %g%s", step,
        step == 0 ? ": without contacts nothing tells how long it may be, so it must be given" : "");
}

static scree_status begin(void *self, struct scree_engine *engine, struct scree_world *world, const void *def)
{
    struct scree_soft *soft = (struct scree_soft *)self;
    const struct choice *choice = (const struct choice *)def;
    SCREE_TRY(check_step(choice->def->step));
    SCREE_TRY(scree_damping_check(&choice->def->damping));
    if (choice->def->threads < 0 || choice->def->threads > MOST_THREADS)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the number of threads is at most %d, and 0 for all processors; got %d",
                                 MOST_THREADS, choice->def->threads);
    soft->mover.translation = choice->translation;
    soft->mover.rotation = choice->rotation;
    if (!soft->mover.translation)
        SCREE_TRY(scree_motion_find(SCREE_TRANSLATION, choice->def->translation, &soft->mover.translation));
    if (!soft->mover.rotation)
        SCREE_TRY(scree_motion_find(SCREE_ROTATION, choice->def->rotation, &soft->mover.rotation));
    SCREE_TRY(check_law(world, soft->mover.translation));
    SCREE_TRY(check_law(world, soft->mover.rotation));
    soft->engine = engine;
    soft->world = world;
    soft->step = choice->def->step;
    soft->mover.damping = choice->def->damping;
    soft->mover.team.threads = choice->def->threads;
    SCREE_TRY(scree_mover_begin(&soft->mover, world));
    world->refuses_pushes = soft->mover.rotation->middle != NULL;
    return SCREE_OK;
}

static void end(void *self, struct scree_world *world)
{
    scree_array_free(&((struct scree_soft *)self)->middle);
    world->refuses_pushes = false;
}

static const struct scree_engine_ops ops = {.name = "soft",
                                            .size = sizeof(struct scree_soft),
                                            .begin = begin,
                                            .advance = advance,
                                            .sync = sync,
                                            .end = end};

scree_status scree_soft_create_with(struct scree_world *world, const struct scree_soft_def *def,
                                    const struct scree_motion_law *translation,
                                    const struct scree_motion_law *rotation, struct scree_engine **engine)
{
    return scree_engine_create(world, &ops, &(struct choice){def, translation, rotation}, engine);
}

scree_status scree_soft_create(struct scree_world *world, const struct scree_soft_def *def,
                               struct scree_engine **engine)
{
    return scree_soft_create_with(world, def, NULL, NULL, engine);
}

static scree_status soft_of(struct scree_engine *engine, struct scree_soft **soft)
{
    *soft = NULL;
    if (engine->ops != &ops)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED, "this is for a soft engine; the engine is '%s'",
                                 engine->ops->name);
    if (engine->world->stepping)
        return scree_status_fail(SCREE_ERROR_STATE, "the engine cannot be changed inside a step");
    *soft = (struct scree_soft *)engine->self;
    return SCREE_OK;
}

scree_status scree_soft_set_step(struct scree_engine *engine, double step)
{
    struct scree_soft *soft;
    SCREE_TRY(soft_of(engine, &soft));
    SCREE_TRY(check_step(step));
    soft->step = step;
    return SCREE_OK;
}

scree_status scree_soft_set_damping(struct scree_engine *engine, const struct scree_damping *damping)
{
    struct scree_soft *soft;
    SCREE_TRY(soft_of(engine, &soft));
    SCREE_TRY(scree_damping_check(damping));
    soft->mover.damping = *damping;
    scree_world_outdate(engine->world);
    return SCREE_OK;
}
