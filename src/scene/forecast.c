// Forecast of the number of steps of a run, see forecast.h.
//
// For each stage the critical step is computed for the bodies of the scene in three expected states: lively,
// in a dense bed; loose and calm; and at rest in a thin bed. The lively state gives the most steps. The
// fewest steps follow from the loose state, until all bodies have come to the bed, and then from the thin
// bed. No number is fitted to a scene; the assumptions are in surroundings.c.

#include "scene/forecast.h"

#include "engine/engine.h"
#include "engine/soft.h"
#include "math/real.h"
#include "measure/tally.h"
#include "run/stage.h"
#include "scene/surroundings.h"
#include "world/grain.h"

#include <scree/scene.h>
#include <scree/soft.h>

#include <math.h>

// contacts per body among loose bodies that collide
static const double collisions = 0.1;

// Steps of a stage in one expected state.
struct state {
    struct scree_critical_step_limit limit;
    double step, speed; // s, m/s
};

static scree_status foresee(struct scree_soft *soft, const struct scree_critical_step_outlook *outlook,
                            struct state *state)
{
    SCREE_TRY(scree_step_control_foresee(soft, outlook, &state->limit, &state->step));
    state->speed = soft->control.critical.speed;
    return SCREE_OK;
}

// The expected states in a stage.
struct states {
    struct state bed, lively, loose, thin; // dense bed, the same without a bed, calm, and calm in a thin bed
};

static scree_status foresee_all(struct scree_soft *soft, const struct scree_surroundings *around,
                                struct states *states)
{
    struct scree_critical_step_outlook lively = {
        .speed = around->closing.high, .body_speed = around->fastest, .any_partner = true};
    struct scree_critical_step_outlook calm = {.speed = around->closing.low};
    SCREE_TRY(foresee(soft, &lively, &states->lively));
    SCREE_TRY(foresee(soft, &calm, &states->loose));
    lively.coordination = around->coordination.high;
    lively.stress = around->stress.high;
    calm.coordination = around->coordination.low;
    calm.stress = around->stress.low;
    SCREE_TRY(foresee(soft, &lively, &states->bed));
    return foresee(soft, &calm, &states->thin);
}

static void describe(const struct scree_soft *soft, const struct state *state,
                     struct scree_scene_forecast *forecast)
{
    const struct scree_world *world = soft->world;
    const struct scree_critical_step_limit *found = &state->limit;
    struct scree_limit *limit = &forecast->limit;
    *limit = (struct scree_limit){.stable = found->stable, .step = state->step, .speed = state->speed};
    if (!(found->recommended < (double)INFINITY))
        return;
    limit->kind = found->displacement < soft->safety * found->recommended ? SCREE_LIMIT_DISPLACEMENT
                  : found->rayleigh_material > 0                          ? SCREE_LIMIT_WAVE
                  : found->in_bed                                         ? SCREE_LIMIT_CONTACT
                                                                          : SCREE_LIMIT_IMPACT;
    limit->material[0].value = found->rayleigh_material;
    if (limit->kind != SCREE_LIMIT_CONTACT && limit->kind != SCREE_LIMIT_IMPACT)
        return;
    for (size_t slot = 0; slot < scree_world_bodies(world); ++slot)
        if (scree_world_ids(world)[slot] == found->body) {
            limit->material[0].value = scree_world_grains(world)[slot].material;
            limit->radius[0] = scree_world_grains(world)[slot].radius;
        }
}

// Time left in [from, from + duration) until `until`.
static double overlap(double from, double duration, double until)
{
    const double left = until - from;
    return left < 0 ? 0 : left < duration ? left : duration;
}

static void count_steps(const struct scree_surroundings *around, const struct states *states, double time,
                        double duration, struct scree_scene_forecast *forecast)
{
    const bool has_bed = around->coordination.high > 0;
    const double loose = has_bed ? overlap(time, duration, around->loose) : duration;
    const double early = has_bed ? overlap(time, duration, around->earliest) : duration;
    const double low = loose / states->loose.step + (duration - loose) / states->thin.step;
    const double high = early / states->lively.step + (duration - early) / states->bed.step;
    forecast->steps[0] = ceil(low * (1 - 0x1p-46));
    forecast->steps[1] = ceil(high * (1 - 0x1p-46));
    forecast->step[0] = early < duration ? states->bed.step : states->lively.step;
    forecast->step[1] = loose > 0 ? states->loose.step : states->thin.step;
    const double total = duration > 0 ? duration : 1;
    const double there = around->bodies > 0 ? around->mean / around->bodies : 1;
    forecast->contacts[0] = around->contacts.low * there * (1 - loose / total);
    forecast->contacts[1] = around->contacts.high * there * (1 - early / total) + collisions * around->mean;
    forecast->bodies = around->mean;
}

// The times from the start of the run to the start of a stage in the states with the fewest and the most
// steps: they differ after a stage with a given number of steps.
static scree_status forecast_stage(struct scree_reading *reading, struct scree_soft *soft,
                                   const struct scree_scene_stage *stage, double time[2],
                                   struct scree_scene_forecast *forecast)
{
    struct scree_surroundings around;
    struct states states;
    const double left = stage->until > 0 ? stage->until - time[0] : stage->time;
    // a rough step is enough to find speeds
    const double duration = stage->steps > 0 ? (double)stage->steps * soft->step : left > 0 ? left : 0;
    SCREE_TRY(scree_surroundings_find(reading, soft, time[0], duration, &around));
    SCREE_TRY(foresee_all(soft, &around, &states));
    forecast->may_stop = stage->may_stop;
    forecast->is_given = !soft->control.automatic;
    if (!(states.bed.step > 0 && states.loose.step > 0))
        return SCREE_OK;
    count_steps(&around, &states, time[0], duration, forecast);
    describe(soft, forecast->step[0] < states.lively.step ? &states.bed : &states.lively, forecast);
    for (int k = 0; k < 2; ++k) {
        const double own = stage->until > 0 ? scree_real_max(stage->until - time[k], 0) : stage->time;
        if (stage->steps > 0)
            forecast->steps[k] = (double)stage->steps;
        else if (duration > 0)
            forecast->steps[k] = ceil(forecast->steps[k] * (own / duration));
        time[k] += stage->steps > 0 ? (double)stage->steps * forecast->step[1 - k] : own;
    }
    return SCREE_OK;
}

scree_status scree_forecast(struct scree_reading *reading, struct scree_world *world,
                            struct scree_engine *engine, struct scree_scene_forecast *forecast, size_t stages)
{
    struct scree_soft *soft = (struct scree_soft *)engine->self;
    double time[2] = {0};
    // counter of the bodies that stages delete
    struct scree_change change = {.reading = reading, .world = world, .engine = engine};
    SCREE_TRY(scree_tally_add(world, SCREE_TALLY_OUT, change.row));
    SCREE_TRY(scree_surroundings_add_inserts(reading, world));
    for (size_t s = 1; s <= stages && s <= scree_reading_stages(reading); ++s) {
        const struct scree_node *map = scree_reading_stage(reading, s);
        struct scree_scene_stage stage;
        forecast[s - 1] = (struct scree_scene_forecast){0};
        if (!scree_stage_read(reading, map, &stage))
            return SCREE_ERROR_ARGUMENT;
        change.stage = s;
        SCREE_TRY(scree_change(&change, map));
        if (reading->diagnostics.all > 0)
            return SCREE_ERROR_ARGUMENT;
        SCREE_TRY(forecast_stage(reading, soft, &stage, time, &forecast[s - 1]));
    }
    return SCREE_OK;
}
