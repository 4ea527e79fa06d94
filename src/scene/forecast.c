// Forecast of the number of steps of a run, see forecast.h.
//
// For each stage the critical step is computed for four expected states of the bodies: fast, with the high
// estimates of speed, and slow, with the low ones, each before and after the bodies form a bed. The fast
// states give the most steps, the slow states the fewest. No number is fitted to a scene; the assumptions
// are in estimates.c.

#include "scene/forecast.h"

#include "build/build.h"
#include "engine/engine.h"
#include "engine/soft.h"
#include "event/event.h"
#include "math/real.h"
#include "measure/tally.h"
#include "run/stage.h"
#include "scene/estimates.h"
#include "world/grain.h"
#include "world/polyhedron.h"

#include <scree/scene.h>
#include <scree/soft.h>

#include <math.h>

// contacts per body outside a bed, in collisions
static const double contacts_outside_bed = 0.1;

// One expected state: what limits the step, the step and the closing speed.
struct state {
    struct scree_critical_step_limit limit;
    double step, speed; // s, m/s
};

static scree_status foresee(struct scree_soft *soft, const struct scree_critical_step_expected *expected,
                            struct state *state)
{
    SCREE_TRY(scree_step_control_foresee(soft, expected, &state->limit, &state->step));
    state->speed = soft->control.critical.speed;
    return SCREE_OK;
}

// The expected states of a stage.
struct states {
    struct state fast, fast_in_bed, slow, slow_in_bed;
};

static scree_status foresee_all(struct scree_soft *soft, const struct scree_estimates *estimates,
                                struct states *states)
{
    struct scree_critical_step_expected fast = {.speed = estimates->closing.high,
                                                .body_speed = estimates->fastest,
                                                .any_partner = true,
                                                .with_bonds = true};
    struct scree_critical_step_expected slow = {.speed = estimates->closing.low};
    SCREE_TRY(foresee(soft, &fast, &states->fast));
    SCREE_TRY(foresee(soft, &slow, &states->slow));
    fast.coordination = estimates->coordination.high;
    fast.stress = estimates->stress.high;
    slow.coordination = estimates->coordination.low;
    slow.stress = estimates->stress.low;
    slow.at_rest = scree_polyhedron_any(soft->world);
    SCREE_TRY(foresee(soft, &fast, &states->fast_in_bed));
    return foresee(soft, &slow, &states->slow_in_bed);
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
                  : found->in_bonds                                       ? SCREE_LIMIT_BOND
                  : found->in_bed                                         ? SCREE_LIMIT_CONTACT
                                                                          : SCREE_LIMIT_IMPACT;
    limit->material[0].value = found->rayleigh_material;
    if (limit->kind != SCREE_LIMIT_CONTACT && limit->kind != SCREE_LIMIT_IMPACT &&
        limit->kind != SCREE_LIMIT_BOND)
        return;
    for (size_t slot = 0; slot < scree_world_bodies(world); ++slot)
        if (scree_world_ids(world)[slot] == found->body) {
            limit->material[0].value = scree_world_grains(world)[slot].material;
            limit->radius[0] = scree_grain_equal_radius(world, slot);
        }
}

// The part of a stage before the time `until`, s.
static double part_before(double start, double duration, double until)
{
    const double part = until - start;
    return part < 0 ? 0 : part < duration ? part : duration;
}

static void count_steps(const struct scree_estimates *estimates, const struct states *states, double time,
                        double duration, struct scree_scene_forecast *forecast)
{
    const bool has_bed = estimates->coordination.high > 0;
    const double slow_outside_bed = has_bed ? part_before(time, duration, estimates->last_in_bed) : duration;
    const double fast_outside_bed = has_bed ? part_before(time, duration, estimates->first_in_bed) : duration;
    const double low =
        slow_outside_bed / states->slow.step + (duration - slow_outside_bed) / states->slow_in_bed.step;
    const double high =
        fast_outside_bed / states->fast.step + (duration - fast_outside_bed) / states->fast_in_bed.step;
    forecast->steps[0] = ceil(low * (1 - 0x1p-46));
    forecast->steps[1] = ceil(high * (1 - 0x1p-46));
    forecast->step[0] = fast_outside_bed < duration ? states->fast_in_bed.step : states->fast.step;
    forecast->step[1] = slow_outside_bed > 0 ? states->slow.step : states->slow_in_bed.step;
    const double total = duration > 0 ? duration : 1;
    const double present = estimates->bodies > 0 ? estimates->mean / estimates->bodies : 1;
    forecast->contacts[0] = estimates->contacts.low * present * (1 - slow_outside_bed / total);
    forecast->contacts[1] = estimates->contacts.high * present * (1 - fast_outside_bed / total) +
                            contacts_outside_bed * estimates->mean;
    forecast->bodies = estimates->mean;
}

// `time` has the start of the stage, s from the start of the run, in the states with the fewest and the most
// steps: they differ after a stage with a given number of steps.
static scree_status forecast_stage(struct scree_reading *reading, struct scree_soft *soft,
                                   const struct scree_scene_stage *stage, double time[2],
                                   struct scree_scene_forecast *forecast)
{
    struct scree_estimates estimates;
    struct states states;
    const double remaining = stage->until > 0 ? stage->until - time[0] : stage->time;
    // the present step is accurate enough to estimate speeds
    const double duration = stage->steps > 0 ? (double)stage->steps * soft->step
                            : remaining > 0  ? remaining
                                             : 0;
    SCREE_TRY(scree_estimates_find(reading, soft->world, soft->mover.damping.viscous, time[0], duration,
                                   &estimates));
    SCREE_TRY(foresee_all(soft, &estimates, &states));
    forecast->may_stop = stage->may_stop;
    forecast->is_given = !soft->control.automatic;
    if (!(states.fast_in_bed.step > 0 && states.slow.step > 0))
        return SCREE_OK;
    count_steps(&estimates, &states, time[0], duration, forecast);
    describe(soft, forecast->step[0] < states.fast.step ? &states.fast_in_bed : &states.fast, forecast);
    for (int k = 0; k < 2; ++k) {
        const double stage_time = stage->until > 0 ? scree_real_max(stage->until - time[k], 0) : stage->time;
        if (stage->steps > 0)
            forecast->steps[k] = (double)stage->steps;
        else if (duration > 0)
            forecast->steps[k] = ceil(forecast->steps[k] * (stage_time / duration));
        time[k] += stage->steps > 0 ? (double)stage->steps * forecast->step[1 - k] : stage_time;
    }
    return SCREE_OK;
}

// The same for event and stochastic engines. Its automatic step follows from the speed of the bodies; without
// gravity and moving walls they only become slower.
static scree_status forecast_intervals(struct scree_reading *reading, struct scree_engine *engine,
                                       bool is_given, const struct scree_scene_stage *stage, double time[2],
                                       struct scree_scene_forecast *forecast)
{
    const struct scree_event *event = (const struct scree_event *)engine->self;
    struct scree_estimates estimates;
    double step;
    forecast->may_stop = stage->may_stop;
    forecast->is_given = is_given;
    // without bodies an automatic step is not known
    if (scree_engine_step(engine, &step) != SCREE_OK)
        return SCREE_OK;
    const double remaining = stage->until > 0 ? stage->until - time[0] : stage->time;
    const double duration = stage->steps > 0 ? (double)stage->steps * step : scree_real_max(remaining, 0);
    SCREE_TRY(scree_estimates_find(reading, engine->world, 0, time[0], duration, &estimates));
    forecast->step[0] = forecast->step[1] = step;
    if (!is_given) {
        const double fast = scree_event_step_at(event, estimates.fastest * estimates.fastest);
        const double slow = scree_event_step_at(event, estimates.closing.low * estimates.closing.low);
        forecast->step[0] = fast > 0 && fast < step ? fast : step;
        forecast->step[1] = slow > step ? slow : step;
    }
    forecast->bodies = estimates.mean;
    forecast->contacts[0] = forecast->contacts[1] = contacts_outside_bed * estimates.mean;
    for (int k = 0; k < 2; ++k) {
        const double stage_time = stage->until > 0 ? scree_real_max(stage->until - time[k], 0) : stage->time;
        forecast->steps[k] = stage->steps > 0 ? (double)stage->steps
                                              : ceil(stage_time / forecast->step[1 - k] * (1 - 0x1p-46));
        time[k] += stage->steps > 0 ? (double)stage->steps * forecast->step[1 - k] : stage_time;
    }
    return SCREE_OK;
}

scree_status scree_forecast(struct scree_reading *reading, struct scree_world *world,
                            struct scree_engine *engine, struct scree_scene_forecast *forecast, size_t stages)
{
    const struct scree_node *settings = scree_reading_node(reading->root, SCREE_KEY_scene_engine);
    struct scree_build_engine_step given;
    double time[2] = {0};
    // counter of the bodies that stages delete
    struct scree_change change = {.reading = reading, .world = world, .engine = engine};
    SCREE_TRY(scree_tally_add(world, SCREE_TALLY_OUT, change.row));
    SCREE_TRY(scree_estimates_add_inserts(reading, world));
    for (size_t s = 1; s <= stages && s <= scree_reading_stages(reading); ++s) {
        const struct scree_node *map = scree_reading_stage(reading, s);
        struct scree_scene_stage stage;
        forecast[s - 1] = (struct scree_scene_forecast){0};
        if (!scree_stage_read(reading, map, &stage))
            return SCREE_ERROR_ARGUMENT;
        change.stage = s;
        SCREE_TRY(scree_change(&change, map));
        SCREE_TRY(scree_build_change_deform(reading, world, map));
        const struct scree_node *bonds = scree_reading_node(map, SCREE_KEY_stage_bonds),
                                *removals = scree_reading_node(map, SCREE_KEY_stage_remove_bonds);
        uint64_t made = 0;
        for (size_t k = 0; removals && k < removals->count && reading->diagnostics.all == 0; ++k)
            SCREE_TRY(scree_build_remove_bonds(reading, world, removals->item[k]));
        if (reading->diagnostics.all == 0)
            SCREE_TRY(scree_build_foresee_bonds(reading, world, bonds, &made));
        if (reading->diagnostics.all > 0)
            return SCREE_ERROR_ARGUMENT;
        forecast[s - 1].makes_bonds = bonds != NULL;
        forecast[s - 1].bonds = made;
        settings = scree_reading_has(map, SCREE_KEY_stage_engine)
                       ? scree_reading_node(map, SCREE_KEY_stage_engine)
                       : settings;
        scree_build_engine_step(reading, settings, &given);
        if (engine->ops == &scree_soft_engine)
            SCREE_TRY(
                forecast_stage(reading, (struct scree_soft *)engine->self, &stage, time, &forecast[s - 1]));
        else
            SCREE_TRY(forecast_intervals(reading, engine, given.fixed > 0, &stage, time, &forecast[s - 1]));
    }
    return SCREE_OK;
}
