// Running a scene, see run.h.
//
// What always holds: neither records nor reports nor the clock on the wall change what is computed. Between
// what is due the engine runs on by itself, for callbacks would keep it from going ahead.

#include "run/run.h"

#include "base/clock.h"
#include "base/instant.h"
#include "file/path.h"
#include "measure/column.h"
#include "run/host.h"
#include "run/insert_delete.h"
#include "run/records.h"
#include "run/save.h"
#include "run/schedule.h"
#include "run/stage.h"
#include "run/stopped.h"

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

// in step numbers
enum { LOOK_EVERY = 64 };

// at most one part in so many of the time goes into reports
enum { MOST_TOLD = 50 };

// A run under way. Everything here but the reports follows from the scene, the world, and what a checkpoint
// keeps: when the run began, and the stage.
struct run {
    struct scree_host host;
    struct scree_engine *engine;
    const struct scree_save *from; // that it goes on from, null for a new one
    struct scree_digest first;     // of the world then
    struct scree_schedule schedule;
    struct scree_insert_delete insert_delete;
    struct scree_records records;
    struct scree_stage stage; // the present one
    bool opened;              // all records have begun
    bool ended;               // by whoever is told how far it is
    struct scree_progress progress;
    uint64_t chunk;     // steps at a time, for a tenth of a second
    double seen;        // s on the wall, when it was last told how far it is
    uint64_t seen_step; // at that moment
    double told;        // s that it took to tell
    struct scree_measurement measurement[SCREE_COLUMN_MOST]; // that reports are to tell
    double value[SCREE_COLUMN_MOST];
};

static scree_status report(struct run *run, bool over)
{
    struct scree_progress *progress = &run->progress;
    const double moment = scree_clock_now(), passed = moment - run->seen;
    struct scree_measurement error;
    double left;
    progress->steps = scree_world_steps(run->host.world);
    progress->rate = passed > 0 ? (double)(progress->steps - run->seen_step) / passed : 0;
    run->seen = moment;
    run->seen_step = progress->steps;
    progress->time = scree_world_time(run->host.world);
    progress->bodies = scree_body_count(run->host.world);
    progress->contacts = scree_contact_count(run->host.world);
    progress->stage = run->host.stage;
    progress->stages = run->stage.count;
    SCREE_TRY(scree_stage_share(&run->stage, over, &progress->stage_share, &progress->share, &left));
    progress->left = left <= 0 ? 0 : progress->rate > 0 ? left / progress->rate : (double)INFINITY;
    if (!run->host.def->function)
        return SCREE_OK;
    SCREE_TRY(scree_column_named("energy-error", &error));
    SCREE_TRY(scree_column_measure(run->host.world, &error, 1, &progress->error));
    SCREE_TRY(
        scree_column_measure(run->host.world, run->measurement, run->host.def->column_count, run->value));
    progress->values = run->value;
    const scree_status status = run->host.def->function(run->host.def->user, progress);
    run->ended = status != SCREE_OK;
    run->told = scree_clock_now() - moment;
    run->host.profile.seconds[SCREE_PROFILE_REPORTS] += run->told;
    return status;
}

// What reports are to tell.
static scree_status find_columns(struct run *run)
{
    const struct scree_run_def *def = run->host.def;
    if (def->column_count > SCREE_COLUMN_MOST)
        return scree_status_fail(SCREE_ERROR_LIMIT, "a report has at most %d columns; got %zu",
                                 (int)SCREE_COLUMN_MOST, def->column_count);
    for (size_t c = 0; c < def->column_count; ++c)
        SCREE_TRY(scree_column_named(def->columns[c], &run->measurement[c]));
    // what a world has no region for is told before it runs
    return scree_column_measure(run->host.world, run->measurement, def->column_count, run->value);
}

// A piece that ends where something is due, or after a chunk of steps.
static scree_status advance(struct run *run, double interval)
{
    const uint64_t steps = scree_world_steps(run->host.world);
    double until = (double)INFINITY;
    uint64_t last = steps + run->chunk;
    const double begun = scree_clock_now();
    scree_stage_limit(&run->stage, &until, &last);
    scree_schedule_limit(&run->schedule, &until, &last);
    SCREE_TRY(scree_engine_run_within(run->engine, last - steps, until));
    const double took = scree_clock_now() - begun;
    if (scree_world_steps(run->host.world) - steps >= run->chunk)
        run->chunk = took < 0.5 * interval && run->chunk < (1u << 20) ? 2 * run->chunk
                     : took > interval && run->chunk > 1              ? run->chunk / 2
                                                                      : run->chunk;
    return SCREE_OK;
}

// Whether it is time for a report: what it tells is measured, which may take as long as a hundred steps.
static bool wants_report(const struct run *run, double interval)
{
    const double longest = interval > MOST_TOLD * run->told ? interval : MOST_TOLD * run->told;
    return run->host.def->function && scree_clock_now() - run->seen >= longest;
}

static scree_status run_stage(struct run *run)
{
    const double interval = run->host.def->interval > 0 ? run->host.def->interval : 0.1;
    run->seen = scree_clock_now();
    run->seen_step = scree_world_steps(run->host.world);
    bool over;
    SCREE_TRY(scree_schedule_act(&run->schedule, &run->host));
    SCREE_TRY(scree_stage_is_over(&run->stage, &over));
    while (!over) {
        SCREE_TRY(advance(run, interval));
        SCREE_TRY(scree_schedule_act(&run->schedule, &run->host));
        SCREE_TRY(scree_stage_is_over(&run->stage, &over));
        if (over || wants_report(run, interval))
            SCREE_TRY(report(run, over));
    }
    return SCREE_OK;
}

// Surfaces look at step numbers that nothing else has a say in, before anything comes or goes.
static scree_status look(void *self, struct scree_host *host)
{
    (void)self;
    return scree_flux_surface_update(host->world);
}

static scree_status watch_flux_surfaces(struct run *run)
{
    static const struct scree_schedule_item item = {
        .order = SCREE_SCHEDULE_LOOK, .step = LOOK_EVERY, .act = look};
    return scree_flux_surface_count(run->host.world) > 0
               ? scree_schedule_add(&run->schedule, &item, run->host.world, true)
               : SCREE_OK;
}

// Whether no stage is to begin any more: the time has come that the run was to go on until.
static bool is_done(const struct run *run)
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

// Without a record that saves, a checkpoint is written only if the run is ended on the way.
static scree_status try_save(struct run *run)
{
    const scree_status status = scree_save_try(&run->host);
    if (status != SCREE_ERROR_LIMIT || scree_records_can_save(&run->records))
        return status;
    scree_host_warn(&run->host, scree_status_message());
    return SCREE_OK;
}

// All that may be refused, before anything changes on disk.
static scree_status prepare(struct run *run, const struct scree_save *from, size_t first)
{
    // one that came to where it was to end may be gone on with, and ends at once
    if (is_done(run) && !(from && from->until == run->host.def->until))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the run is at %g s already: it can go on until later, not until %g s",
                                 scree_world_time(run->host.world), run->host.def->until);
    if (run->host.def->folder)
        SCREE_TRY(scree_path_look_folder(run->host.def->folder));
    SCREE_TRY(find_columns(run));
    SCREE_TRY(scree_insert_delete_open(&run->insert_delete, &run->host, &run->schedule, from != NULL));
    SCREE_TRY(scree_records_look(&run->records, &run->host, &run->schedule, from ? from->marks : NULL,
                                 from ? from->records : 0));
    SCREE_TRY(from ? SCREE_OK : try_save(run));
    SCREE_TRY(watch_flux_surfaces(run));
    // forces of the first instant; what is let in later is seen to by the step that follows
    if (!from && scree_body_count(run->host.world) > 0)
        SCREE_TRY(scree_engine_run(run->engine, 0));
    return enter_stage(run, from, first);
}

static scree_status open_records(struct run *run)
{
    if (run->host.def->folder)
        SCREE_TRY(scree_path_make_folder(run->host.def->folder));
    SCREE_TRY(scree_records_begin(&run->records));
    run->opened = true;
    return SCREE_OK;
}

// A run that was over when it was to go on.
static void tell_over(const struct run *run)
{
    char text[200];
    const bool bounded = is_done(run);
    snprintf(text, sizeof text, "the run was over already, at %g s%s%s", scree_world_time(run->host.world),
             bounded ? ", where --until had it end" : "",
             bounded               ? ": a later --until lets it go on"
             : run->stage.may_stop ? ""
                                   : ": --until lets its last stage go on");
    scree_host_warn(&run->host, text);
}

static scree_status run_all(struct run *run, const struct scree_save *from)
{
    const size_t stages = scree_reading_stages(run->host.reading), first = from ? (size_t)from->stage : 1;
    const uint64_t steps = scree_world_steps(run->host.world);
    SCREE_TRY(prepare(run, from, first));
    SCREE_TRY(open_records(run));
    for (size_t s = first; s <= stages && !is_done(run); ++s) {
        if (s > first)
            SCREE_TRY(enter_stage(run, from, s));
        SCREE_TRY(run_stage(run));
    }
    if (from && scree_world_steps(run->host.world) == steps)
        tell_over(run);
    return scree_records_save(&run->records, &run->host);
}

// Until all that was to be written is there, or one was not.
static scree_status wait_for_writer(struct run *run)
{
    const double begun = scree_clock_now();
    const scree_status status = scree_writer_wait(run->host.writer);
    run->host.profile.seconds[SCREE_PROFILE_RECORDS] += scree_clock_now() - begun;
    return status;
}

static scree_status write_stopped(struct run *run)
{
    const struct scree_stopped_former previous = {run->from ? run->from->record : NULL, &run->first};
    return scree_stopped_write(&run->host, run->from ? &previous : NULL);
}

// A run that was ended on the way can go on from where it is; one that an alarm has ended can be looked at.
static scree_status save_unfinished(struct run *run, scree_status status)
{
    if (!run->opened || run->host.stage == 0 || (!run->ended && status != SCREE_ERROR_NUMBER))
        return SCREE_OK;
    return run->ended && scree_records_can_save(&run->records) ? scree_records_save(&run->records, &run->host)
                                                               : write_stopped(run);
}

// What becomes of a run that failed. A failure on the way is told, and not what follows from it, except that
// the state was not kept: whoever ended the run counts on it.
static scree_status fail_run(struct run *run, scree_status status)
{
    char message[1024];
    snprintf(message, sizeof message, "%s", scree_status_message());
    scree_status saved = save_unfinished(run, status);
    saved = saved == SCREE_OK && run->ended ? wait_for_writer(run) : saved;
    if (saved == SCREE_OK)
        return scree_status_fail(status, "%s", message);
    char reason[400];
    snprintf(reason, sizeof reason, "%s", scree_status_message());
    return scree_status_fail(run->ended ? saved : status, "%.560s; its checkpoint could not be written: %s",
                             message, reason);
}

// The engine's parts and those of the run.
static void tell_profile(struct run *run, double total)
{
    struct scree_profile *profile = run->host.def->profile;
    if (!profile || scree_soft_profile(run->engine, profile) != SCREE_OK)
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
                               .began = from ? from->began : scree_world_time(world),
                               .began_step = from ? from->began_step : scree_world_steps(world)},
                      .engine = engine,
                      .from = from,
                      .stage = {.host = &run.host, .engine = engine, .insert_delete = &run.insert_delete},
                      .chunk = 16};
    char message[1024];
    const double begun = scree_clock_now();
    SCREE_TRY(from ? scree_world_digest(world, &run.first) : SCREE_OK);
    SCREE_TRY(scree_writer_begin(&run.host.writer));
    scree_status status = run_all(&run, from);
    status = status == SCREE_OK ? wait_for_writer(&run) : fail_run(&run, status);
    snprintf(message, sizeof message, "%s", status == SCREE_OK ? "" : scree_status_message());
    // records tell of what is there
    (void)wait_for_writer(&run);
    if (def->result && run.opened)
        scree_records_tell(&run.records, def->result, def->user);
    const double closing = scree_clock_now();
    scree_status closed = scree_records_close(&run.records);
    const double waited = scree_writer_measure(run.host.writer).waited;
    const scree_status written = scree_writer_end(run.host.writer);
    closed = closed == SCREE_OK ? written : closed;
    run.host.profile.seconds[SCREE_PROFILE_RECORDS] += scree_clock_now() - closing - waited;
    run.host.profile.seconds[SCREE_PROFILE_WAITING] = waited;
    tell_profile(&run, scree_clock_now() - begun);
    scree_schedule_free(&run.schedule);
    scree_insert_delete_close(&run.insert_delete);
    return status == SCREE_OK ? closed : scree_status_fail(status, "%s", message);
}
