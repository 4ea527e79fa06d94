// The stages of a run, see stage.h.

#include "run/stage.h"

#include "base/instant.h"
#include "build/build.h"
#include "measure/column.h"
#include "run/host.h"
#include "run/insert_delete.h"
#include "world/cell_servo.h"
#include "world/lattice.h"
#include "world/servo.h"

#include <scree/body.h>
#include <scree/engine.h>
#include <scree/group.h>
#include <scree/measure.h>
#include <scree/run.h>
#include <scree/world.h>

#include <math.h>
#include <stdio.h>

// stop conditions are evaluated in steps divisible by this
enum { STOP_EVERY = 64 };

// Removes and adds bonds, in the state after all other changes.
static scree_status change_bonds(const struct scree_host *host, const struct scree_node *map)
{
    const struct scree_node *removals = scree_reading_node(map, SCREE_KEY_stage_remove_bonds);
    for (size_t k = 0; removals && k < removals->count; ++k)
        SCREE_TRY(scree_build_remove_bonds(host->reading, host->world, removals->item[k]));
    const struct scree_build_bonds_warning warning = {host->def->warn, host->def->user};
    return scree_build_bonds(host->reading, host->world, scree_reading_node(map, SCREE_KEY_stage_bonds),
                             &warning);
}

// Applies the changes of a stage. Errors become diagnostics with their place in the scene, and end the run.
static scree_status change(const struct scree_stage *stage, const struct scree_node *map)
{
    struct scree_host *host = stage->host;
    const struct scree_change change = {host->reading, host->world, stage->engine,
                                        stage->insert_delete->stage_row, host->stage};
    SCREE_TRY(scree_change(&change, map));
    SCREE_TRY(scree_build_change_deform(host->reading, host->world, map));
    if (scree_reading_has(map, SCREE_KEY_stage_remove))
        SCREE_TRY(scree_insert_delete_apply_stage(stage->insert_delete, host,
                                                  scree_reading_node(map, SCREE_KEY_stage_remove)));
    if (host->reading->diagnostics.all == 0)
        SCREE_TRY(change_bonds(host, map));
    return host->reading->diagnostics.all == 0 ? SCREE_OK : SCREE_ERROR_ARGUMENT;
}

// Applies the end time of the run definition: the last stage ends at that time, and no stage ends
// later.
static void apply_until(struct scree_stage *stage)
{
    const double until = stage->host->def->until;
    if (until > 0 && stage->host->stage == stage->count) {
        stage->end = until;
        stage->last_step = UINT64_MAX;
    } else if (until > 0 && until < stage->end) {
        stage->end = until;
    }
}

bool scree_stage_read(struct scree_reading *reading, const struct scree_node *map,
                      struct scree_scene_stage *end_of_stage)
{
    *end_of_stage = (struct scree_scene_stage){.may_stop = scree_reading_has(map, SCREE_KEY_stage_stop)};
    if (scree_reading_has(map, SCREE_KEY_stage_steps))
        return scree_reading_whole(reading, map, SCREE_KEY_stage_steps, &end_of_stage->steps);
    if (scree_reading_has(map, SCREE_KEY_stage_time))
        return scree_reading_number(reading, map, SCREE_KEY_stage_time, &end_of_stage->time);
    return scree_reading_number(reading, map, SCREE_KEY_stage_until, &end_of_stage->until);
}

// Adds up the time and the steps of the following stages.
static scree_status read_rest(struct scree_stage *stage)
{
    struct scree_reading *reading = stage->host->reading;
    for (size_t s = stage->host->stage + 1; s <= stage->count; ++s) {
        struct scree_scene_stage end_of_stage;
        if (!scree_stage_read(reading, scree_reading_stage(reading, s), &end_of_stage))
            return SCREE_ERROR_ARGUMENT;
        if (end_of_stage.until > 0) {
            stage->rest_until = end_of_stage.until;
            stage->rest_time = stage->rest_steps = 0;
        }
        stage->rest_time += end_of_stage.time;
        stage->rest_steps += (double)end_of_stage.steps;
    }
    return SCREE_OK;
}

static scree_status read_end(struct scree_stage *stage, const struct scree_node *map)
{
    const struct scree_host *host = stage->host;
    struct scree_scene_stage end_of_stage;
    if (!scree_stage_read(host->reading, map, &end_of_stage))
        return SCREE_ERROR_ARGUMENT;
    const bool has_steps = scree_reading_has(map, SCREE_KEY_stage_steps);
    const bool has_time = scree_reading_has(map, SCREE_KEY_stage_time);
    stage->end = has_steps  ? (double)INFINITY
                 : has_time ? host->stage_start + end_of_stage.time
                            : end_of_stage.until;
    stage->last_step = has_steps ? host->stage_first_step + end_of_stage.steps : UINT64_MAX;
    stage->may_stop = end_of_stage.may_stop;
    if (stage->may_stop) {
        if (!scree_measurement_comparison(host->reading, scree_reading_node(map, SCREE_KEY_stage_stop),
                                          &scree_key_rows[SCREE_KEY_stage_stop], &stage->stop))
            return SCREE_ERROR_ARGUMENT;
        SCREE_TRY(scree_columns_comparison(host->reading, host->world, &stage->stop, &stage->stop_columns));
        if (host->reading->diagnostics.all > 0)
            return SCREE_ERROR_ARGUMENT;
    }
    apply_until(stage);
    return read_rest(stage);
}

scree_status scree_stage_check_steps(struct scree_host *host, struct scree_engine *engine)
{
    struct scree_reading *reading = host->reading;
    const size_t before = reading->diagnostics.all, stages = scree_reading_stages(reading);
    double time = scree_world_time(host->world), critical = 0;
    struct scree_build_engine_step step;
    scree_build_engine_step(reading, scree_reading_node(reading->root, SCREE_KEY_scene_engine), &step);
    // without bodies an automatic step is not known yet
    if (step.fixed == 0 && scree_body_count(host->world) > 0) {
        const scree_status status = scree_engine_step(engine, &critical);
        if (status == SCREE_ERROR_MEMORY)
            return status;
        // without contacts nothing limits the step yet: the first stage may add some
        critical = status == SCREE_OK ? critical / step.factor : 0;
    }
    for (size_t s = 1; s <= stages; ++s) {
        const struct scree_node *map = scree_reading_stage(reading, s);
        struct scree_scene_stage end_of_stage;
        if (!scree_stage_read(reading, map, &end_of_stage))
            return SCREE_ERROR_ARGUMENT;
        if (scree_reading_has(map, SCREE_KEY_stage_engine))
            scree_build_engine_step(reading, scree_reading_node(map, SCREE_KEY_stage_engine), &step);
        const double length = step.fixed > 0 ? step.fixed : step.factor * critical;
        time = end_of_stage.until > 0 ? end_of_stage.until
                                      : time + end_of_stage.time + (double)end_of_stage.steps * length;
        time = s == stages && host->def->until > 0 ? host->def->until : time;
        if (length > 0 && !end_of_stage.may_stop && length < time * 0x1p-52)
            scree_reading_report(
                reading, step.node ? step.node : map,
                "a time step of %g s is too short to change the time at the end of stage %zu, %g s, where "
                "numbers have a resolution of %.2g s: use a longer step, or an earlier end",
                length, s, time, time * 0x1p-52);
    }
    return reading->diagnostics.all == before ? SCREE_OK : SCREE_ERROR_ARGUMENT;
}

static void start(struct scree_stage *stage, size_t number, double time, uint64_t step)
{
    stage->host->stage = number;
    stage->host->stage_start = time;
    stage->host->stage_first_step = step;
    *stage = (struct scree_stage){.host = stage->host,
                                  .engine = stage->engine,
                                  .insert_delete = stage->insert_delete,
                                  .count = scree_reading_stages(stage->host->reading)};
}

scree_status scree_stage_begin(struct scree_stage *stage, size_t number)
{
    const struct scree_host *host = stage->host;
    const struct scree_node *map = scree_reading_stage(host->reading, number);
    start(stage, number, scree_world_time(host->world), scree_world_steps(host->world));
    SCREE_TRY(change(stage, map));
    scree_measure_begin_stage(host->world);
    return read_end(stage, map);
}

scree_status scree_stage_resume(struct scree_stage *stage, size_t number, double time, uint64_t first_step)
{
    start(stage, number, time, first_step);
    return read_end(stage, scree_reading_stage(stage->host->reading, number));
}

void scree_stage_limit(const struct scree_stage *stage, double *time, uint64_t *step)
{
    const uint64_t steps = scree_world_steps(stage->host->world),
                   next_check = steps + STOP_EVERY - steps % STOP_EVERY;
    *time = stage->end < *time ? stage->end : *time;
    *step = stage->last_step < *step ? stage->last_step : *step;
    if (stage->may_stop)
        *step = next_check < *step ? next_check : *step;
}

scree_status scree_stage_is_over(const struct scree_stage *stage, bool *over)
{
    const uint64_t steps = scree_world_steps(stage->host->world);
    double value;
    *over =
        steps >= stage->last_step || scree_instant_has_come(scree_world_time(stage->host->world), stage->end);
    // not before the first step: a stage that starts at rest would end immediately
    if (*over || !stage->may_stop || steps % STOP_EVERY != 0 || steps == stage->host->stage_first_step)
        return SCREE_OK;
    SCREE_TRY(scree_columns_measure(&stage->stop_columns, stage->host->world, &value));
    // a value equal to the limit up to rounding does not exceed it
    const double limit = stage->stop.limit;
    *over = stage->stop.below ? value < limit && !scree_instant_has_come(value, limit)
                              : value > limit && !scree_instant_has_come(limit, value);
    return SCREE_OK;
}

// Warns if the cell still deforms at the largest rate of its servo.
static void warn_of_cell(const struct scree_stage *stage)
{
    static const char *const names[9] = {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};
    const struct scree_cell_servo *servo = scree_world_cell_servo(stage->host->world);
    const struct scree_lattice *lattice = scree_world_lattice(stage->host->world);
    for (int k = 0; servo && k < 9; ++k) {
        char text[400];
        if (!(servo->controlled >> k & 1) || !(servo->largest > 0) ||
            fabs(lattice->gradient[k]) < (1 - 1e-9) * servo->largest)
            continue;
        snprintf(text, sizeof text,
                 "stage %zu ends while the cell deforms at its largest rate, %g 1/s: its stress %s is %g Pa, "
                 "not %g "
                 "Pa (compression positive). Let the stage last longer, or raise 'largest-rate'",
                 stage->host->stage, servo->largest, names[k], servo->measured[k], servo->stress[k]);
        scree_host_warn(stage->host, text);
        return;
    }
}

void scree_stage_warn_of_servos(const struct scree_stage *stage)
{
    const struct scree_world *world = stage->host->world;
    warn_of_cell(stage);
    for (size_t s = 0; s < scree_servo_rows(world); ++s) {
        const struct scree_servo *servo = scree_servo_row(world, s);
        // in terms of the stress as written in the scene, where compression is negative
        const bool stress = servo->stress != 0 && servo->force != 0;
        const double scale = stress ? -servo->stress / servo->force : 1;
        const char *unit = stress         ? scree_key_unit(SCREE_KEY_servo_stress, world->dimension)
                           : servo->turns ? "N m"
                                          : "N";
        char text[400];
        if (!(servo->largest > 0) || fabs(servo->velocity) < servo->largest)
            continue;
        snprintf(text, sizeof text,
                 "stage %zu ends while the servo of '%.60s' moves at its largest speed, %g %s: its %s is %g "
                 "%s, not %g %s. Let the stage last longer, or raise '%s'",
                 stage->host->stage, scree_group_name(world, (scree_group_id){servo->group}), servo->largest,
                 servo->turns ? "rad/s" : "m/s",
                 stress         ? "stress"
                 : servo->turns ? "moment"
                                : "force",
                 scale * servo->measured, unit, scale * servo->force, unit,
                 servo->turns ? "max-spin" : "max-velocity");
        scree_host_warn(stage->host, text);
    }
}

// Estimates the end time of the run if the current stage ends at `end`.
static double final_time(const struct scree_stage *stage, double end, double step)
{
    if (stage->host->def->until > 0)
        return stage->host->def->until;
    return (stage->rest_until > end ? stage->rest_until : end) + stage->rest_time + stage->rest_steps * step;
}

scree_status scree_stage_progress(const struct scree_stage *stage, bool over, double step, double *share,
                                  double *run_share, double *steps)
{
    const struct scree_host *host = stage->host;
    const bool has_steps = stage->last_step != UINT64_MAX, last = host->stage == stage->count;
    const double time = scree_world_time(host->world), now = (double)scree_world_steps(host->world);
    const double length =
        has_steps ? (double)(stage->last_step - host->stage_first_step) : stage->end - host->stage_start;
    const double left = over ? 0 : has_steps ? (double)stage->last_step - now : stage->end - time;
    *share = length > 0 && left > 0 ? 1 - left / length : 1;
    *run_share = *share;
    *steps = left > 0 ? left : 0;
    if (has_steps && stage->count == 1)
        return SCREE_OK;
    if (!(step > 0))
        SCREE_TRY(scree_engine_step(stage->engine, &step));
    const double rest = final_time(stage, time + (has_steps ? *steps * step : *steps), step) - time;
    const double done = time - host->run_start;
    *run_share = (over && last) || !(rest > 0) ? 1 : done / (done + rest);
    *steps = *run_share < 1 ? rest / step : 0;
    return SCREE_OK;
}
