// Engines, see include/scree/engine.h: creation, runs, callbacks. The time integration is in the engine's
// table of functions.
//
// Invariant: after every run, failed or not, velocities are on-step.

#include "engine/engine.h"

#include "base/team.h"
#include "world/cell.h"
#include "world/cell_servo.h"
#include "world/servo.h"

#include <scree/profile.h>

#include <assert.h>
#include <math.h>
#include <string.h>

static const struct scree_engine_ops *const engines[] = {
#define SCREE_ENGINE(symbol) &scree_##symbol##_engine,
#include "engine/engine.def"
#undef SCREE_ENGINE
};

const struct scree_engine_ops *scree_engine_at(size_t index)
{
    return index < sizeof engines / sizeof engines[0] ? engines[index] : NULL;
}

scree_status scree_engine_create(struct scree_world *world, const struct scree_engine_ops *ops,
                                 const void *def, struct scree_engine **engine)
{
    *engine = NULL;
    if (world->engine)
        return scree_status_fail(SCREE_ERROR_STATE,
                                 "the world has an engine already; destroy that one first");
    if (!ops || !ops->name || !ops->begin || !ops->advance || !ops->sync || !ops->end)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "an engine must have a name and all of the functions begin, advance, sync and end");
    struct scree_engine *made;
    SCREE_TRY(scree_memory_new(1, sizeof *made, (void **)&made));
    made->ops = ops;
    made->world = world;
    scree_status status = scree_memory_new(ops->size ? ops->size : 1, 1, &made->self);
    world->engine = ops->name;
    if (status == SCREE_OK)
        status = ops->begin(made->self, made, world, def);
    if (status != SCREE_OK) {
        world->engine = NULL;
        scree_array_free(&made->hooks);
        scree_memory_free(made->self);
        scree_memory_free(made);
        return status;
    }
    *engine = made;
    return SCREE_OK;
}

void scree_engine_destroy(struct scree_engine *engine)
{
    if (!engine)
        return;
    assert(!engine->running);
    engine->ops->end(engine->self, engine->world);
    engine->world->engine = NULL;
    scree_array_free(&engine->hooks);
    scree_memory_free(engine->self);
    scree_memory_free(engine);
}

static scree_status run(struct scree_engine *engine, uint64_t steps, double until)
{
    if (engine->running)
        return scree_status_fail(SCREE_ERROR_STATE,
                                 "a run cannot be started inside a step: return from the callback first");
    SCREE_TRY(scree_world_check_loads(engine->world));
    SCREE_TRY(scree_world_check_drives(engine->world));
    SCREE_TRY(scree_cell_check_drive(engine->world));
    SCREE_TRY(scree_cell_servo_check_targets(engine->world));
    SCREE_TRY(scree_servo_check_areas(engine->world));
    engine->running = true;
    engine->stopped = false;
    engine->failed = SCREE_OK;
    const struct scree_team_float setting = scree_team_float_enter();
    const scree_status advanced = engine->ops->advance(engine->self, engine->world, steps, until);
    char diagnostic[sizeof engine->diagnostic];
    strncpy(diagnostic, scree_status_message(), sizeof diagnostic - 1);
    diagnostic[sizeof diagnostic - 1] = 0;
    const scree_status synced = engine->ops->sync(engine->self, engine->world);
    scree_team_float_leave(setting);
    engine->running = false;
    // report the first failure
    if (engine->failed != SCREE_OK)
        return scree_status_fail(engine->failed, "%s", engine->diagnostic);
    if (advanced != SCREE_OK)
        return scree_status_fail(advanced, "%s", diagnostic);
    return synced;
}

scree_status scree_engine_run(struct scree_engine *engine, uint64_t steps)
{
    return run(engine, steps, (double)INFINITY);
}

scree_status scree_engine_run_until(struct scree_engine *engine, double time)
{
    if (!isfinite(time))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the end time of a run must be finite; got %g", time);
    return run(engine, UINT64_MAX, time);
}

scree_status scree_engine_run_within(struct scree_engine *engine, uint64_t steps, double time)
{
    if (isnan(time))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the end time of a run must be a number or infinity; got NaN");
    return run(engine, steps, time);
}

void scree_engine_stop(struct scree_engine *engine)
{
    engine->stopped = true;
}

const char *scree_engine_name(const struct scree_engine *engine)
{
    return engine->ops->name;
}

struct scree_world *scree_engine_world(struct scree_engine *engine)
{
    return engine->world;
}

scree_status scree_engine_set_callback(struct scree_engine *engine, int point, scree_callback *callback,
                                       void *user, scree_callback_id *id)
{
    if (point < 0 || point > 99 || !callback)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a callback needs a function and a point from 0 to 99; got point %d%s",
                                 point, callback ? "" : " and no function");
    SCREE_TRY(scree_array_reserve(&engine->hooks, engine->hooks.count + 1));
    size_t index = engine->hooks.count;
    while (index > 0 && engine->hooks.data[index - 1].point > point)
        --index;
    memmove(&engine->hooks.data[index + 1], &engine->hooks.data[index],
            (engine->hooks.count - index) * sizeof engine->hooks.data[0]);
    engine->hooks.data[index] = (struct scree_engine_hook){point, ++engine->last_hook, callback, user};
    ++engine->hooks.count;
    if (id)
        id->value = engine->last_hook;
    return SCREE_OK;
}

scree_status scree_engine_remove_callback(struct scree_engine *engine, scree_callback_id id)
{
    for (size_t h = 0; h < engine->hooks.count; ++h)
        if (engine->hooks.data[h].id == id.value) {
            memmove(&engine->hooks.data[h], &engine->hooks.data[h + 1],
                    (engine->hooks.count - h - 1) * sizeof engine->hooks.data[0]);
            --engine->hooks.count;
            return SCREE_OK;
        }
    return scree_status_fail(SCREE_ERROR_MISSING, "there is no callback with id %llu",
                             (unsigned long long)id.value);
}

bool scree_engine_continues(const struct scree_engine *engine)
{
    return !engine->stopped && engine->failed == SCREE_OK;
}

bool scree_engine_has_callback(const struct scree_engine *engine, int from, int to)
{
    for (size_t h = 0; h < engine->hooks.count; ++h)
        if (engine->hooks.data[h].point >= from && engine->hooks.data[h].point < to)
            return true;
    return false;
}

// The first hook after (point, id) and before `to`. It is searched for each time, because callbacks may set
// and remove others.
static const struct scree_engine_hook *next_hook(const struct scree_engine *engine, int point, uint64_t id,
                                                 uint64_t last, int to)
{
    for (size_t h = 0; h < engine->hooks.count; ++h) {
        const struct scree_engine_hook *hook = &engine->hooks.data[h];
        // a callback added at the present point runs in the next step, so that one that adds itself does not
        // loop
        if (hook->point > point || (hook->point == point && hook->id > id && hook->id <= last))
            return hook->point < to ? hook : NULL;
    }
    return NULL;
}

void scree_engine_call(struct scree_engine *engine, int from, int to)
{
    uint64_t id = 0, last = engine->last_hook;
    const struct scree_engine_hook *hook;
    for (int point = from; (hook = next_hook(engine, point, id, last, to));) {
        if (hook->point > point)
            last = engine->last_hook;
        point = hook->point;
        id = hook->id;
        // clear an older message, in case the callback fails without one
        scree_status_clear();
        const scree_status status = hook->callback(engine, engine->world, hook->user);
        if (status == SCREE_OK || engine->failed != SCREE_OK)
            continue;
        engine->failed = scree_status_fail(status, "a callback at point %d of step %llu failed: %s", point,
                                           (unsigned long long)scree_world_clock(engine->world)->steps,
                                           scree_status_message()[0] ? scree_status_message()
                                                                     : scree_status_meaning(status));
        strncpy(engine->diagnostic, scree_status_message(), sizeof engine->diagnostic - 1);
    }
}

// --- functions that not every engine has

static scree_status check_outside_step(const struct scree_engine *engine)
{
    return engine->world->stepping
               ? scree_status_fail(SCREE_ERROR_STATE, "the engine cannot be changed inside a step")
               : SCREE_OK;
}

static scree_status refuse_missing(const struct scree_engine *engine, const char *what)
{
    return scree_status_fail(SCREE_ERROR_UNSUPPORTED, "the engine '%s' has no %s", engine->ops->name, what);
}

scree_status scree_engine_check(const struct scree_engine *engine, const struct scree_engine_ops *ops)
{
    if (engine->ops != ops)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "the function needs an engine '%s'; the engine is '%s'", ops->name,
                                 engine->ops->name);
    return check_outside_step(engine);
}

scree_status scree_engine_set_step(struct scree_engine *engine, double step)
{
    if (!engine->ops->set_step)
        return refuse_missing(engine, "time step that can be set");
    SCREE_TRY(check_outside_step(engine));
    return engine->ops->set_step(engine->self, step);
}

scree_status scree_engine_step(struct scree_engine *engine, double *step)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    return engine->ops->step ? engine->ops->step(engine->self, step)
                             : refuse_missing(engine, "time step that can be asked for");
}

scree_status scree_engine_limit(struct scree_engine *engine, struct scree_limit *limit)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    if (!engine->ops->limit)
        return refuse_missing(engine, "critical time step");
    SCREE_TRY(check_outside_step(engine));
    return engine->ops->limit(engine->self, limit);
}

scree_status scree_engine_limit_at_rest(struct scree_engine *engine, double *stable)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    if (!engine->ops->limit_at_rest)
        return refuse_missing(engine, "critical time step");
    SCREE_TRY(check_outside_step(engine));
    return engine->ops->limit_at_rest(engine->self, stable);
}

scree_status scree_engine_set_damping(struct scree_engine *engine, const struct scree_damping *damping)
{
    if (!engine->ops->set_damping)
        return refuse_missing(engine, "damping");
    SCREE_TRY(check_outside_step(engine));
    return engine->ops->set_damping(engine->self, damping);
}

scree_status scree_engine_profile(const struct scree_engine *engine, struct scree_profile *profile)
{
    *profile = (struct scree_profile){0};
    if (!engine->ops->profile)
        return refuse_missing(engine, "profile");
    engine->ops->profile(engine->self, profile);
    return SCREE_OK;
}
