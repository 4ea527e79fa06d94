// Running a scene, see scree/scene.h: its stages one after the other, and what is kept on the way.
//
// What always holds: neither records nor reports nor the clock on the wall change what is computed. A record
// is taken at the first step that is not before its time. Between records the engine runs on by itself, for
// callbacks would keep it from going ahead.

#include "io/run.h"

#include "base/memory.h"
#include "io/build.h"
#include "io/column.h"
#include "io/csv.h"
#include "io/path.h"

#include <scree/scree.h>

#include <math.h>
#include <string.h>
#include <time.h>

// what may stop a stage is looked at in steps divisible by this
enum { STOP_EVERY = 64 };

// One record, and when it is due.
struct record {
    struct scree_csv csv;
    double every, first; // s; number n is due at first + n every
    double due;          // the next one
};

struct run {
    struct scree_reading *reading;
    const struct scree_run_def *def;
    struct scree_world *world;
    struct scree_engine *engine;
    SCREE_ARRAY(struct record) records;
    struct scree_progress progress;
    double start, end; // of the stage, s
    bool may_stop;     // earlier, by a comparison
    struct scree_comparison stop;
    uint64_t first_step, last_step; // and in steps, where it counts them; else the last is UINT64_MAX
    uint64_t chunk;                 // steps at a time, for a tenth of a second
    double seen;                    // s on the wall
    uint64_t seen_step;             // at that moment
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// --- records

static scree_status read_columns(struct scree_reading *reading, const struct scree_node *map,
                                 size_t column[SCREE_CSV_COLUMNS], size_t *count)
{
    static const char *const usual[] = {"time", "kinetic", "energy-error", "bodies", "contacts"};
    *count = scree_reading_count(map, SCREE_KEY_record_columns);
    if (*count == 0) {
        *count = sizeof usual / sizeof usual[0];
        for (size_t c = 0; c < *count; ++c)
            column[c] = scree_column_find(usual[c]);
    }
    for (size_t c = 0; c < scree_reading_count(map, SCREE_KEY_record_columns); ++c) {
        const char *text;
        if (!scree_reading_name(reading, map, SCREE_KEY_record_columns, c, &text, &column[c]))
            return SCREE_ERROR_ARGUMENT;
    }
    return SCREE_OK;
}

static scree_status open_record(struct run *run, const struct scree_node *map)
{
    struct scree_reading *reading = run->reading;
    size_t column[SCREE_CSV_COLUMNS], count;
    const char *name;
    char *path = NULL;
    struct record *record;
    SCREE_TRY(scree_array_push(&run->records, ((struct record){.first = scree_world_time(run->world),
                                                               .due = scree_world_time(run->world)})));
    record = &run->records.data[run->records.count - 1];
    if (!scree_reading_text(reading, map, SCREE_KEY_record_table, &name) ||
        !scree_reading_number(reading, map, SCREE_KEY_record_every, &record->every))
        return SCREE_ERROR_ARGUMENT;
    SCREE_TRY(read_columns(reading, map, column, &count));
    scree_status status = scree_path_make(reading->folder, name, &path);
    if (status == SCREE_OK)
        status = scree_csv_open(&record->csv, path, run->def->force, column, count);
    scree_memory_free(path);
    return status;
}

static scree_status open_records(struct run *run)
{
    const struct scree_node *list = scree_reading_node(run->reading->root, SCREE_KEY_scene_record);
    for (size_t k = 0; list && k < list->count; ++k)
        SCREE_TRY(open_record(run, list->item[k]));
    return SCREE_OK;
}

// Takes those that are due.
static scree_status take_records(struct run *run)
{
    const double time = scree_world_time(run->world);
    for (size_t r = 0; r < run->records.count; ++r) {
        struct record *record = &run->records.data[r];
        if (record->due > time)
            continue;
        SCREE_TRY(scree_csv_write(&record->csv, run->world));
        // those that fell between two steps are this one
        record->due = record->first + (floor((time - record->first) / record->every) + 1) * record->every;
        if (!(record->due > time))
            record->due = nextafter(time, (double)INFINITY);
    }
    return SCREE_OK;
}

static scree_status close_records(struct run *run)
{
    scree_status status = SCREE_OK;
    for (size_t r = 0; r < run->records.count; ++r) {
        const scree_status closed = scree_csv_close(&run->records.data[r].csv);
        status = status == SCREE_OK ? closed : status;
    }
    scree_array_free(&run->records);
    return status;
}

// --- reports

static scree_status report(struct run *run, bool over)
{
    struct scree_progress *progress = &run->progress;
    const double moment = now(), passed = moment - run->seen;
    const uint64_t steps = scree_world_steps(run->world);
    progress->rate = passed > 0 ? (double)(steps - run->seen_step) / passed : 0;
    run->seen = moment;
    run->seen_step = steps;
    progress->time = scree_world_time(run->world);
    progress->steps = steps;
    progress->bodies = scree_body_count(run->world);
    progress->contacts = scree_contact_count(run->world);
    const bool counts = run->last_step != UINT64_MAX;
    const double all = counts ? (double)(run->last_step - run->first_step) : run->end - run->start;
    const double left = counts ? (double)(run->last_step - steps) : run->end - progress->time;
    double step = 1;
    if (!counts)
        SCREE_TRY(scree_soft_step(run->engine, &step));
    progress->share = all > 0 && left > 0 && !over ? 1 - left / all : 1;
    progress->left = !(left > 0) || over  ? 0
                     : progress->rate > 0 ? left / step / progress->rate
                                          : (double)INFINITY;
    const size_t error = scree_column_find("energy-error");
    SCREE_TRY(scree_column_measure(run->world, &error, 1, &progress->error));
    return run->def->function ? run->def->function(run->def->user, progress) : SCREE_OK;
}

// --- stages

static bool is_through(const struct run *run)
{
    return run->last_step != UINT64_MAX ? scree_world_steps(run->world) >= run->last_step
                                        : scree_world_time(run->world) >= run->end;
}

// Whether the stage has come to its end, or what stops it is so; that is looked at every so many steps of the
// world, which no report shifts.
static scree_status is_over(const struct run *run, bool *over)
{
    double value;
    *over = is_through(run);
    const uint64_t steps = scree_world_steps(run->world);
    // not before the first step: what begins at rest would be over
    if (*over || !run->may_stop || steps % STOP_EVERY != 0 || steps == run->first_step)
        return SCREE_OK;
    SCREE_TRY(scree_column_measure(run->world, &run->stop.column, 1, &value));
    *over = run->stop.below ? value < run->stop.limit : value > run->stop.limit;
    return SCREE_OK;
}

// A piece that ends at the next instant of interest or after a chunk of steps.
static scree_status advance(struct run *run)
{
    const bool counts = run->last_step != UINT64_MAX;
    const uint64_t steps = scree_world_steps(run->world);
    uint64_t left = counts ? run->last_step - steps : UINT64_MAX;
    if (run->may_stop && STOP_EVERY - steps % STOP_EVERY < left)
        left = STOP_EVERY - steps % STOP_EVERY;
    double until = counts ? (double)INFINITY : run->end;
    for (size_t r = 0; r < run->records.count; ++r)
        until = run->records.data[r].due < until ? run->records.data[r].due : until;
    return scree_engine_run_within(run->engine, run->chunk < left ? run->chunk : left, until);
}

static scree_status run_stage(struct run *run)
{
    const double interval = run->def->interval > 0 ? run->def->interval : 0.1;
    run->seen = now();
    run->seen_step = scree_world_steps(run->world);
    bool over;
    SCREE_TRY(take_records(run));
    SCREE_TRY(is_over(run, &over));
    while (!over) {
        const double begun = now();
        const uint64_t before = scree_world_steps(run->world);
        SCREE_TRY(advance(run));
        SCREE_TRY(take_records(run));
        const double took = now() - begun;
        const uint64_t steps = scree_world_steps(run->world) - before;
        if (steps >= run->chunk)
            run->chunk = took < 0.5 * interval && run->chunk < (1u << 20) ? 2 * run->chunk
                         : took > interval && run->chunk > 1              ? run->chunk / 2
                                                                          : run->chunk;
        SCREE_TRY(is_over(run, &over));
        if (now() - run->seen >= interval || over)
            SCREE_TRY(report(run, over));
    }
    return SCREE_OK;
}

// What is other from this stage on. Mistakes are told at their place, and end the run.
static scree_status change(struct run *run, const struct scree_node *map)
{
    struct scree_reading *reading = run->reading;
    double gravity[3];
    struct scree_damping damping = {0};
    if (scree_reading_has(map, SCREE_KEY_stage_gravity) &&
        scree_reading_vector(reading, map, SCREE_KEY_stage_gravity, gravity))
        SCREE_TRY(scree_build_note(reading, map, scree_world_set_gravity(run->world, gravity)));
    if (scree_reading_has(map, SCREE_KEY_stage_damping)) {
        scree_build_damping(reading, scree_reading_node(map, SCREE_KEY_stage_damping), &damping);
        SCREE_TRY(scree_build_note(reading, map, scree_soft_set_damping(run->engine, &damping)));
    }
    if (scree_reading_has(map, SCREE_KEY_stage_contacts)) {
        SCREE_TRY(scree_interaction_clear(run->world));
        SCREE_TRY(
            scree_build_contacts(reading, run->world, scree_reading_node(map, SCREE_KEY_stage_contacts)));
    }
    return reading->complaints.all == 0 ? SCREE_OK : SCREE_ERROR_ARGUMENT;
}

static scree_status begin_stage(struct run *run, const struct scree_node *map)
{
    uint64_t steps;
    double time;
    run->start = run->end = scree_world_time(run->world);
    run->first_step = scree_world_steps(run->world);
    run->last_step = UINT64_MAX;
    ++run->progress.stage;
    SCREE_TRY(change(run, map));
    run->may_stop = scree_reading_has(map, SCREE_KEY_stage_stop);
    if (run->may_stop && !scree_reading_comparison(run->reading, map, SCREE_KEY_stage_stop, &run->stop))
        return SCREE_ERROR_ARGUMENT;
    if (scree_reading_has(map, SCREE_KEY_stage_steps)) {
        if (!scree_reading_whole(run->reading, map, SCREE_KEY_stage_steps, &steps))
            return SCREE_ERROR_ARGUMENT;
        run->last_step = run->first_step + steps;
    } else if (scree_reading_has(map, SCREE_KEY_stage_time)) {
        if (!scree_reading_number(run->reading, map, SCREE_KEY_stage_time, &time))
            return SCREE_ERROR_ARGUMENT;
        run->end += time;
    } else if (!scree_reading_number(run->reading, map, SCREE_KEY_stage_until, &run->end)) {
        return SCREE_ERROR_ARGUMENT;
    }
    return run_stage(run);
}

static scree_status run_all(struct run *run)
{
    const struct scree_node *stages = scree_reading_node(run->reading->root, SCREE_KEY_scene_run);
    const bool list = stages && stages->kind == SCREE_NODE_LIST;
    run->progress.stages = !stages ? 0 : list ? stages->count : 1;
    run->chunk = 16;
    SCREE_TRY(open_records(run));
    // forces of the first instant
    SCREE_TRY(scree_engine_run(run->engine, 0));
    for (size_t s = 0; s < run->progress.stages; ++s)
        SCREE_TRY(begin_stage(run, list ? stages->item[s] : stages));
    return SCREE_OK;
}

scree_status scree_run(struct scree_reading *reading, struct scree_world *world, struct scree_engine *engine,
                       const struct scree_run_def *def)
{
    struct run run = {.reading = reading, .def = def, .world = world, .engine = engine};
    const scree_status status = run_all(&run);
    // a failure on the way is told, and not what follows from it
    char message[1024];
    strncpy(message, scree_status_message(), sizeof message - 1);
    message[sizeof message - 1] = 0;
    const scree_status closed = close_records(&run);
    if (status != SCREE_OK)
        return scree_status_fail(status, "%s", message);
    return closed;
}
