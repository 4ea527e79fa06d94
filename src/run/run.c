// Running a scene, see run.h.
//
// Invariant: records, reports and wall-clock time do not change the results. The engine runs without
// interruption from one scheduled item to the next, because callbacks would slow it down.

#include "run/run.h"

#include "base/clock.h"
#include "base/instant.h"
#include "file/path.h"
#include "measure/column.h"
#include "measure/mean_flow.h"
#include "run/host.h"
#include "run/insert_delete.h"
#include "run/recent_steps.h"
#include "run/records.h"
#include "run/save.h"
#include "run/schedule.h"
#include "run/stage.h"
#include "world/entity.h"
#include "world/world.h"

#include <scree/body.h>
#include <scree/contact.h>
#include <scree/engine.h>
#include <scree/flux_surface.h>
#include <scree/profile.h>
#include <scree/run.h>
#include <scree/world.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// flux surfaces are updated in steps divisible by this
enum { FLUX_EVERY = 64 };

// reports take at most 1/50 of the time
enum { REPORT_SHARE = 50 };

// The state of a run. Except for the reports, all of it follows from the scene, the world, and the start of
// the run and the stage, which a checkpoint stores.
struct run {
    struct scree_host host;
    struct scree_engine *engine;
    const struct scree_save *from; // the checkpoint of a restart; null for a new run
    struct scree_digest restored;  // digest of the world of that checkpoint
    struct scree_schedule schedule;
    struct scree_insert_delete insert_delete;
    struct scree_records records;
    struct scree_stage stage; // the current one
    bool records_begun;       // all records have been started
    bool interrupted;         // the progress callback asked to stop
    struct scree_progress progress;
    uint64_t chunk;            // steps per call of the engine, adapted to the report interval
    double last_report;        // wall-clock time, s
    uint64_t last_report_step; // step number
    double report_cost[2];     // wall-clock time of the last report and of the one before, s
    struct scree_recent_steps recent;
    struct scree_measurement measurement[SCREE_COLUMN_MAX]; // columns of the reports
    double value[SCREE_COLUMN_MAX];
};

static scree_status report(struct run *run, bool over)
{
    struct scree_progress *progress = &run->progress;
    const double now = scree_clock_now(), elapsed = now - run->last_report;
    struct scree_measurement error;
    double left;
    progress->steps = scree_world_steps(run->host.world);
    progress->rate = elapsed > 0 ? (double)(progress->steps - run->last_report_step) / elapsed : 0;
    run->last_report = now;
    run->last_report_step = progress->steps;
    progress->time = scree_world_time(run->host.world);
    scree_recent_steps_add(&run->recent, scree_clock_processor(), progress->steps, progress->time);
    progress->bodies = scree_body_count(run->host.world);
    progress->contacts = scree_contact_count(run->host.world);
    progress->stage = run->host.stage;
    progress->stages = run->stage.count;
    SCREE_TRY(scree_stage_progress(&run->stage, over, scree_recent_steps_length(&run->recent),
                                   &progress->stage_fraction, &progress->fraction, &left));
    const double cost = scree_recent_steps_cost(&run->recent);
    progress->remaining = left <= 0 ? 0 : cost > 0 ? left * cost : (double)INFINITY;
    if (!run->host.def->function)
        return SCREE_OK;
    SCREE_TRY(scree_column_by_name("energy-error", &error));
    SCREE_TRY(scree_column_measure(run->host.world, &error, 1, &progress->error));
    SCREE_TRY(
        scree_column_measure(run->host.world, run->measurement, run->host.def->column_count, run->value));
    progress->values = run->value;
    const scree_status status = run->host.def->function(run->host.def->user, progress);
    run->interrupted = status != SCREE_OK;
    run->report_cost[1] = run->report_cost[0];
    run->report_cost[0] = scree_clock_now() - now;
    run->host.profile.seconds[SCREE_PROFILE_REPORTS] += run->report_cost[0];
    return status;
}

// Fails if a column measures from a start that the world does not keep: reports must not change the world.
static scree_status check_start(const struct run *run, const struct scree_measurement *measurement)
{
    const struct scree_entity *bodies = scree_world_entity(run->host.world, SCREE_ENTITY_BODY);
    const struct scree_column_row *row = &scree_column_rows[measurement->row];
    if (!(row->arguments & SCREE_COLUMN_SINCE) || bodies->columns.data[SCREE_BODY_START].present)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "the column '%s' can only be reported if the scene measures displacements of "
                             "bodies too: add it to the columns of a table",
                             row->name);
}

// Looks up the columns of the reports.
static scree_status find_columns(struct run *run)
{
    const struct scree_run_def *def = run->host.def;
    if (def->column_count > SCREE_COLUMN_MAX)
        return scree_status_fail(SCREE_ERROR_LIMIT, "a report can have at most %d columns; got %zu",
                                 (int)SCREE_COLUMN_MAX, def->column_count);
    for (size_t c = 0; c < def->column_count; ++c) {
        SCREE_TRY(scree_column_by_name(def->columns[c], &run->measurement[c]));
        SCREE_TRY(check_start(run, &run->measurement[c]));
    }
    // measure once, so that a column that needs a region fails before the run
    return scree_column_measure(run->host.world, run->measurement, def->column_count, run->value);
}

// Runs to the next scheduled item or the end of the stage, but at most `chunk` steps. Adapts `chunk` so that
// it takes about `interval`, the time between reports.
static scree_status advance(struct run *run, double interval)
{
    const uint64_t steps = scree_world_steps(run->host.world);
    double until = (double)INFINITY;
    uint64_t last = steps + run->chunk;
    const double start = scree_clock_now();
    scree_stage_limit(&run->stage, &until, &last);
    scree_schedule_limit(&run->schedule, &until, &last);
    SCREE_TRY(scree_engine_run_within(run->engine, last - steps, until));
    const double elapsed = scree_clock_now() - start;
    if (scree_world_steps(run->host.world) - steps >= run->chunk)
        run->chunk = elapsed < 0.5 * interval && run->chunk < (1u << 20) ? 2 * run->chunk
                     : elapsed > interval && run->chunk > 1              ? run->chunk / 2
                                                                         : run->chunk;
    return SCREE_OK;
}

// Returns true if a report is due. Its measurements can cost as much as a hundred steps, so expensive reports
// are less frequent.
static bool is_report_due(const struct run *run, double interval)
{
    // the smaller cost: another program may have interrupted one report
    const double *cost = run->report_cost, least = cost[0] < cost[1] ? cost[0] : cost[1];
    const double wait = interval > REPORT_SHARE * least ? interval : REPORT_SHARE * least;
    return run->host.def->function && scree_clock_now() - run->last_report >= wait;
}

static scree_status run_stage(struct run *run)
{
    const double interval = run->host.def->interval > 0 ? run->host.def->interval : 0.1;
    run->last_report = scree_clock_now();
    run->last_report_step = scree_world_steps(run->host.world);
    bool over;
    SCREE_TRY(scree_schedule_act(&run->schedule, &run->host));
    SCREE_TRY(scree_stage_is_over(&run->stage, &over));
    while (!over) {
        SCREE_TRY(advance(run, interval));
        SCREE_TRY(scree_schedule_act(&run->schedule, &run->host));
        SCREE_TRY(scree_stage_is_over(&run->stage, &over));
        if (over || is_report_due(run, interval))
            SCREE_TRY(report(run, over));
    }
    scree_stage_warn_of_servos(&run->stage);
    return SCREE_OK;
}

static scree_status update_flux_surfaces(void *self, struct scree_host *host)
{
    (void)self;
    return scree_flux_surface_update(host->world);
}

// Flux surfaces and counts of mean flows are updated at fixed step numbers, before bodies are inserted or
// deleted.
static scree_status schedule_flux_surfaces(struct run *run)
{
    static const struct scree_schedule_item item = {
        .order = SCREE_SCHEDULE_MEASURE, .step = FLUX_EVERY, .act = update_flux_surfaces};
    return scree_flux_surface_count(run->host.world) > 0 || scree_mean_flow_is_kept(run->host.world)
               ? scree_schedule_add(&run->schedule, &item, run->host.world, true)
               : SCREE_OK;
}

// Returns true if the run has reached the end time of its definition (--until).
static bool has_reached_until(const struct run *run)
{
    return run->host.def->until > 0 &&
           scree_instant_has_come(scree_world_time(run->host.world), run->host.def->until);
}

static scree_status enter_stage(struct run *run, const struct scree_save *from, size_t number)
{
    return from && number == from->stage
               ? scree_stage_resume(&run->stage, number, from->stage_start, from->stage_first_step)
               : scree_stage_begin(&run->stage, number);
}

// Checks that a checkpoint of the scene could be read back. Without a checkpoint record a checkpoint is only
// written if the run is interrupted, so a failure is only a warning.
static scree_status check_saved_scene(struct run *run)
{
    const scree_status status = scree_save_check_scene(&run->host);
    if (status != SCREE_ERROR_LIMIT || scree_records_can_save(&run->records))
        return status;
    scree_host_warn(&run->host, scree_status_message());
    return SCREE_OK;
}

// Checks the records and the scene that a checkpoint would store.
static scree_status check_records(struct run *run, const struct scree_save *from)
{
    if (run->host.def->folder)
        SCREE_TRY(scree_path_check_folder(run->host.def->folder));
    SCREE_TRY(scree_records_check(&run->records, &run->host, &run->schedule, from ? from->marks : NULL,
                                  from ? from->records : 0));
    return from ? SCREE_OK : check_saved_scene(run);
}

// Does all checks before anything is changed on disk.
static scree_status prepare(struct run *run, const struct scree_save *from, size_t first)
{
    // a checkpoint of a run with the same end time is accepted; the restarted run then ends immediately
    if (has_reached_until(run) && !(from && from->until == run->host.def->until))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the run is already at %g s: it can only continue to a later time, not to %g s",
            scree_world_time(run->host.world), run->host.def->until);
    SCREE_TRY(find_columns(run));
    SCREE_TRY(scree_insert_delete_open(&run->insert_delete, &run->host, &run->schedule, from != NULL));
    SCREE_TRY(check_records(run, from));
    SCREE_TRY(schedule_flux_surfaces(run));
    // compute the initial forces; inserted bodies get theirs in the following step
    if (!from && scree_body_count(run->host.world) > 0)
        SCREE_TRY(scree_engine_run(run->engine, 0));
    if (!from)
        SCREE_TRY(scree_stage_check_steps(&run->host, run->engine));
    return enter_stage(run, from, first);
}

// Warns that a restarted run had already finished.
static void warn_finished(const struct run *run)
{
    char text[200];
    const bool at_until = has_reached_until(run);
    snprintf(text, sizeof text, "the run had already finished, at %g s%s%s",
             scree_world_time(run->host.world), at_until ? ", the end time of --until" : "",
             at_until              ? ": give a later --until to continue"
             : run->stage.may_stop ? ""
                                   : ": give --until to continue its last stage");
    scree_host_warn(&run->host, text);
}

static scree_status run_all(struct run *run, const struct scree_save *from)
{
    const size_t stages = scree_reading_stages(run->host.reading), first = from ? (size_t)from->stage : 1;
    const uint64_t steps = scree_world_steps(run->host.world);
    SCREE_TRY(prepare(run, from, first));
    if (run->host.def->folder)
        SCREE_TRY(scree_path_make_folder(run->host.def->folder));
    SCREE_TRY(scree_records_begin(&run->records));
    run->records_begun = true;
    scree_recent_steps_begin(&run->recent, scree_clock_processor(), steps, scree_world_time(run->host.world));
    for (size_t s = first; s <= stages && !has_reached_until(run); ++s) {
        if (s > first)
            SCREE_TRY(enter_stage(run, from, s));
        SCREE_TRY(run_stage(run));
    }
    if (from && scree_world_steps(run->host.world) == steps)
        warn_finished(run);
    return scree_records_save(&run->records, &run->host);
}

// Waits until all files are written, or one has failed.
static scree_status wait_for_writer(struct run *run)
{
    const double start = scree_clock_now();
    const scree_status status = scree_writer_wait(run->host.writer);
    run->host.profile.seconds[SCREE_PROFILE_RECORDS] += scree_clock_now() - start;
    return status;
}

// Writes a checkpoint of a run that was interrupted, to restart from, or ended by an alarm, to be inspected.
static scree_status save_unfinished(struct run *run, scree_status status)
{
    const struct scree_stopped_previous previous = {run->from ? run->from->record : NULL, &run->restored};
    if (!run->records_begun || run->host.stage == 0 || (!run->interrupted && status != SCREE_ERROR_NUMBER))
        return SCREE_OK;
    return run->interrupted && scree_records_can_save(&run->records)
               ? scree_records_save(&run->records, &run->host)
               : scree_stopped_write(&run->host, run->from ? &previous : NULL);
}

// Ends a run that failed. Returns the first failure, not its consequences; adds to its message if the
// checkpoint of the run could not be written, since the user relies on it.
static scree_status handle_failure(struct run *run, scree_status status)
{
    char message[1024];
    snprintf(message, sizeof message, "%s", scree_status_message());
    scree_status saved = save_unfinished(run, status);
    saved = saved == SCREE_OK && run->interrupted ? wait_for_writer(run) : saved;
    if (saved == SCREE_OK)
        return scree_status_fail(status, "%s", message);
    char reason[400];
    snprintf(reason, sizeof reason, "%s", scree_status_message());
    return scree_status_fail(run->interrupted ? saved : status,
                             "%.560s; its checkpoint could not be written: %s", message, reason);
}

// Fills the profile: the parts of the engine and those of the run.
static void fill_profile(struct run *run, double total)
{
    struct scree_profile *profile = run->host.def->profile;
    if (!profile || scree_engine_profile(run->engine, profile) != SCREE_OK)
        return;
    for (size_t part = 0; part < SCREE_PROFILE_PARTS; ++part)
        profile->seconds[part] += run->host.profile.seconds[part];
    profile->total = total;
}

scree_status scree_run(struct scree_reading *reading, struct scree_world *world, struct scree_engine *engine,
                       const struct scree_run_def *def, const struct scree_save *from)
{
    struct run run = {.host = {.reading = reading,
                               .world = world,
                               .def = def,
                               .folder = def->folder ? def->folder : reading->folder,
                               .records = &run.records,
                               .run_start = from ? from->run_start : scree_world_time(world),
                               .run_first_step = from ? from->run_first_step : scree_world_steps(world)},
                      .engine = engine,
                      .from = from,
                      .stage = {.host = &run.host, .engine = engine, .insert_delete = &run.insert_delete},
                      .chunk = 16};
    char message[1024];
    const double start = scree_clock_now();
    SCREE_TRY(from ? scree_world_digest(world, &run.restored) : SCREE_OK);
    SCREE_TRY(scree_writer_begin(&run.host.writer));
    scree_status status = run_all(&run, from);
    status = status == SCREE_OK ? wait_for_writer(&run) : handle_failure(&run, status);
    snprintf(message, sizeof message, "%s", status == SCREE_OK ? "" : scree_status_message());
    // records list only files that exist
    (void)wait_for_writer(&run);
    if (def->result && run.records_begun)
        scree_records_list_files(&run.records, def->result, def->user);
    const double closing = scree_clock_now();
    scree_status closed = scree_records_close(&run.records);
    const double waited = scree_writer_times(run.host.writer).waited;
    const scree_status written = scree_writer_end(run.host.writer);
    closed = closed == SCREE_OK ? written : closed;
    run.host.profile.seconds[SCREE_PROFILE_RECORDS] += scree_clock_now() - closing - waited;
    run.host.profile.seconds[SCREE_PROFILE_WAITING] = waited;
    fill_profile(&run, scree_clock_now() - start);
    scree_schedule_free(&run.schedule);
    scree_insert_delete_close(&run.insert_delete);
    return status == SCREE_OK ? closed : scree_status_fail(status, "%s", message);
}

scree_status scree_run_check(struct scree_reading *reading, struct scree_world *world,
                             struct scree_engine *engine, const struct scree_run_def *def,
                             const struct scree_save *from)
{
    struct run run = {.host = {.reading = reading,
                               .world = world,
                               .def = def,
                               .folder = def->folder ? def->folder : reading->folder,
                               .check_only = true,
                               .records = &run.records}};
    char message[1024];
    scree_status status = check_records(&run, from);
    if (status == SCREE_OK && !from)
        status = scree_stage_check_steps(&run.host, engine);
    snprintf(message, sizeof message, "%s", status == SCREE_OK ? "" : scree_status_message());
    const scree_status closed = scree_records_close(&run.records);
    scree_schedule_free(&run.schedule);
    return status == SCREE_OK ? closed : scree_status_fail(status, "%s", message);
}
