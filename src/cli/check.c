// `scree check`: checks a scene, prints its content, and estimates the cost of its run: the number of steps
// from what is coming (forecast.h), the time of a step from a trial run in a temporary folder. The trial is
// timed by the processor time of its main thread, so that other programs do not change the estimate.

#include "forecast.h"
#include "live.h"
#include "load.h"
#include "shapes.h"

#include <scree/scene.h>
#include <scree/scree.h>

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;

// largest number of bodies that fillings may place with --quick
static const size_t max_quick = 1000000;

// Totals of all bodies.
struct totals {
    size_t bodies;
    double mass, volume; // m^2 in two dimensions
    double min_radius, max_radius;
    double lower[3], upper[3];
};

static void include_body(struct totals *totals, const struct scree_body_state *body, const double lower[3],
                         const double upper[3], int dimension)
{
    ++totals->bodies;
    totals->mass += body->mass;
    for (int k = 0; k < 3; ++k) {
        totals->lower[k] = fmin(totals->lower[k], lower[k]);
        totals->upper[k] = fmax(totals->upper[k], upper[k]);
    }
    // of a clump the radius of the sphere of equal volume
    if (!(body->radius > 0))
        return;
    totals->volume += dimension == 2 ? pi * body->radius * body->radius
                                     : 4.0 / 3 * pi * body->radius * body->radius * body->radius;
    totals->min_radius = fmin(totals->min_radius, body->radius);
    totals->max_radius = fmax(totals->max_radius, body->radius);
}

static struct totals add_up_bodies(const struct scree_world *world)
{
    const double inf = (double)INFINITY;
    struct totals totals = {.min_radius = inf, .lower = {inf, inf, inf}, .upper = {-inf, -inf, -inf}};
    for (uint64_t id = 1; totals.bodies < scree_body_count(world); ++id) {
        struct scree_body_state body;
        double lower[3], upper[3];
        if (scree_body_exists(world, (scree_body_id){id}) &&
            scree_body_get(world, (scree_body_id){id}, &body) == SCREE_OK &&
            scree_body_bounds(world, (scree_body_id){id}, lower, upper) == SCREE_OK)
            include_body(&totals, &body, lower, upper, scree_world_dimension(world));
    }
    return totals;
}

static double box_volume(const double *lower, const double *upper, int dimension)
{
    double volume = 1;
    for (int k = 0; k < dimension; ++k)
        volume *= upper[k] - lower[k];
    return volume;
}

static void print_bodies(const struct scree_world *world)
{
    const struct totals totals = add_up_bodies(world);
    const int dimension = scree_world_dimension(world);
    struct scree_cell_def cell;
    scree_cell_get(world, &cell);
    const bool boxed = box_volume(cell.lower, cell.upper, dimension) > 0;
    const bool skewed = scree_cli_print_cell(world);
    printf("bodies     %zu", totals.bodies);
    if (totals.bodies > 0)
        printf(", total mass %g kg", totals.mass);
    if (totals.min_radius < (double)INFINITY)
        printf(totals.min_radius < totals.max_radius ? ", radii from %g to %g m" : ", radius %g m",
               totals.min_radius, totals.max_radius);
    printf("\n");
    const bool has_box = boxed || skewed;
    const double bounding_volume = box_volume(totals.lower, totals.upper, dimension);
    double solid_fraction = bounding_volume > 0 ? totals.volume / bounding_volume : 0;
    // scree_measure_solid leaves out bodies outside of the world's box
    if (totals.volume > 0 && (has_box ? scree_measure_solid_fraction(world, NULL, &solid_fraction) == SCREE_OK
                                      : bounding_volume > 0))
        printf("filled     %.3g of the %s of the %s\n", solid_fraction, dimension == 2 ? "area" : "volume",
               boxed    ? "world's box"
               : skewed ? "cell"
                        : "bounding box of all bodies");
    printf("walls      %zu\n", scree_wall_count(world));
    if (scree_bond_count(world) > 0)
        printf("bonds      %zu\n", scree_bond_count(world));
}

// Prints one side of the pair that limits the time step.
static void print_side(const struct scree_world *world, const struct scree_limit *limit, int side)
{
    const char *material = scree_material_name(world, limit->material[side]);
    if (limit->body[side].value > 0)
        printf("body %llu (", (unsigned long long)limit->body[side].value);
    else if (side == 1 && limit->wall.value > 0)
        printf("wall %llu (", (unsigned long long)limit->wall.value);
    else
        printf(limit->radius[side] > 0 ? "a body (" : "a wall (");
    printf("%s", material ? material : "no material");
    if (limit->radius[side] > 0)
        printf(", radius %g m", limit->radius[side]);
    printf(")");
}

// Prints the time step and what limits it.
static void print_step(const struct scree_world *world, double step, const struct scree_limit *limit)
{
    const char *material = scree_material_name(world, limit->material[0]);
    printf("time step  %g s", step);
    // `stable` is that of contacts, which is larger than the step that elastic waves allow
    if (limit->stable < (double)INFINITY && limit->kind != SCREE_LIMIT_WAVE)
        printf("; stable up to %g s", limit->stable);
    printf("\n");
    const bool bonded = limit->kind == SCREE_LIMIT_BOND;
    if (limit->kind == SCREE_LIMIT_CONTACT || limit->kind == SCREE_LIMIT_IMPACT || bonded) {
        printf("           limited by ");
        print_side(world, limit, 0);
        printf(limit->kind == SCREE_LIMIT_CONTACT ? " in contact with "
               : bonded                           ? " bonded to "
                                                  : " if it hits ");
        print_side(world, limit, 1);
        if (limit->kind == SCREE_LIMIT_IMPACT)
            printf(" at %.3g m/s", limit->speed);
        printf("\n");
    } else if (limit->kind == SCREE_LIMIT_WAVE) {
        printf("           limited by elastic waves in the smallest body of %s\n", material ? material : "?");
    } else if (limit->kind == SCREE_LIMIT_DISPLACEMENT) {
        printf("           limited by the displacement per step, relative to the size of the body or the "
               "thickness of a mesh\n");
    }
}

// --- the trial run

enum { RECORDS = 64, PATH = 1024, LETTERS = 6 };

static const double trial_time = 0.5, longest_trial = 10; // s of processor time, and of wall-clock time
// memory per body in a dense bed, with its share of the contact lists
static const double bytes_per_body = 600;

struct forecast {
    double rate;       // steps/s of processor time
    double steps[2];   // fewest and most, of the whole run
    bool exact;        // the number of steps is known, if no stage ends early
    double inserted;   // bodies that will be inserted during the run
    bool too_few;      // too few bodies existed in the trial for an estimate: values are lower bounds
    bool may_stop;     // some stage can end early
    bool finished;     // the trial reached the end of the run
    double seconds[2]; // of the whole run, on an idle processor
    double bytes;      // disk space of the whole run
    double memory;     // peak memory, bytes
    size_t contacts;   // at the end of the trial
};

struct trial_times {
    double start;                // s of wall-clock time
    double first, now;           // s of processor time, at the first report and at the last report
    double cpu_start;            // at the start
    struct scree_progress begin; // the first report
    struct scree_progress last;
    bool ended; // stop_trial ended the trial
};

// The signal that interrupted the trial, or 0.
static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    interrupted = signal;
}

static scree_status stop_trial(void *user, const struct scree_progress *progress)
{
    struct trial_times *times = (struct trial_times *)user;
    times->last = *progress;
    times->now = scree_live_cpu();
    if (!(times->first > 0)) {
        times->first = times->now;
        times->begin = *progress;
    }
    const double elapsed = times->now - times->cpu_start;
    // a rate needs two reports; wait a while for the second
    if (!interrupted && (elapsed < trial_time || times->now == times->first) &&
        scree_live_now() - times->start < longest_trial)
        return SCREE_OK;
    times->ended = true;
    return scree_status_fail(SCREE_ERROR_STATE, "the trial run has ended");
}

static void print_warning(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "scree: warning: %s\n", text);
}

// --- the temporary folder

// A record and the size of its files: all paths that begin with its file name.
struct output {
    struct scree_scene_record record;
    double bytes;
};

static void add_file(const char *path, double bytes, struct output *output, size_t count)
{
    struct output *best = NULL;
    for (size_t r = 0; r < count; ++r) {
        const size_t length = strlen(output[r].record.file);
        if (strncmp(path, output[r].record.file, length) == 0 &&
            (!best || length > strlen(best->record.file)))
            best = &output[r];
    }
    if (best)
        best->bytes += bytes;
}

// Removes a folder and everything below it, and adds up the file sizes of each record.
static void clear_folder(const char *root, const char *below, struct output *output, size_t count)
{
    char path[PATH], name[PATH];
    struct stat facts;
    snprintf(path, sizeof path, "%s/%s", root, below);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (snprintf(name, sizeof name, "%s%s%s", below, below[0] ? "/" : "", entry->d_name) >= PATH ||
            snprintf(path, sizeof path, "%s/%s", root, name) >= PATH || lstat(path, &facts) != 0)
            continue;
        if (S_ISDIR(facts.st_mode)) {
            clear_folder(root, name, output, count);
            continue;
        }
        add_file(name, (double)facts.st_size, output, count);
        unlink(path);
    }
    if (folder)
        closedir(folder);
    snprintf(path, sizeof path, "%s/%s", root, below);
    rmdir(path);
}

// --- the whole run

// Adds up the time of all stages for a given time step, and their steps if `steps` is not null. As in a run,
// a quotient that is an integer up to rounding counts as that integer, here and in `count_writes`.
static double measure_stages(struct scree_scene *scene, double step, struct forecast *trial, double *steps)
{
    struct scree_scene_stage stage;
    double time = 0;
    for (size_t s = 0; scree_scene_stage_at(scene, s, &stage); ++s) {
        const double left = stage.until > 0 ? (stage.until > time ? stage.until - time : 0) : stage.time;
        trial->may_stop = trial->may_stop || stage.may_stop;
        if (steps)
            *steps += stage.steps > 0 ? (double)stage.steps : ceil(left / step * (1 - 0x1p-46));
        time += stage.steps > 0 ? (double)stage.steps * step : left;
    }
    return time;
}

// Returns the mean number of bodies over the run, until `end`, relative to their number in the trial; 1
// without insertion. Bodies that the run will delete are counted. Also adds the memory of inserted bodies.
static double mean_growth(struct scree_scene *scene, struct scree_world *world, double end,
                          struct forecast *trial)
{
    enum { PARTS = 64, FEW = 50 };
    const double bodies = (double)scree_body_count(world);
    double now, then, sum = 0;
    if (scree_scene_arrivals(scene, world, scree_world_time(world), &now) != SCREE_OK ||
        scree_scene_arrivals(scene, world, end, &trial->inserted) != SCREE_OK)
        return 1;
    for (int k = 0; k < PARTS; ++k)
        if (scree_scene_arrivals(scene, world, end * (k + 0.5) / PARTS, &then) == SCREE_OK)
            sum += then > now ? then - now : 0;
    trial->too_few = bodies < FEW && trial->inserted > now + bodies;
    trial->memory += bytes_per_body * (trial->inserted > now ? trial->inserted - now : 0);
    return bodies < FEW ? 1 : (bodies + sum / PARTS) / bodies;
}

// Returns the number of times a record is written in a run of this time and number of steps.
static double count_writes(const struct scree_scene_record *record, double time, double steps)
{
    // events are written as they occur
    if (record->every == 0 && record->steps == 0)
        return 1;
    const double intervals = record->every > 0 ? time / record->every : steps / (double)record->steps;
    return 1 + floor(intervals * (1 + 0x1p-46));
}

// Peak resident memory of the program so far, kB.
static long peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

// Estimates the processor time of the run from that of a step of the trial. A step costs as much as its
// bodies and contacts.
static void estimate_seconds(const struct scree_cli_forecast *expected, const struct scree_world *world,
                             double elapsed, double growth, struct forecast *trial)
{
    const double taken = (double)scree_world_steps(world);
    const double work = scree_cli_forecast_work((double)scree_body_count(world), (double)trial->contacts);
    for (int k = 0; k < 2; ++k) {
        const double heavier =
            expected->steps[k] > 0 ? expected->work[k] / expected->steps[k] / work : growth;
        const double left = trial->steps[k] > taken ? trial->steps[k] - taken : 0;
        trial->seconds[k] = trial->finished ? elapsed : elapsed + left / trial->rate * heavier;
    }
    if (trial->seconds[1] < trial->seconds[0])
        trial->seconds[1] = trial->seconds[0];
}

// Estimates the run from the trial, which has reached the state `world` in `elapsed` s.
static void estimate_run(struct scree_scene *scene, struct scree_world *world,
                         const struct scree_cli_forecast *expected, const struct output *output,
                         size_t records, double elapsed, struct forecast *trial)
{
    const double steps = (double)scree_world_steps(world), time = scree_world_time(world);
    const bool known = expected->steps[1] > 0;
    double end = time, guess = 0;
    trial->contacts = scree_contact_count(world);
    if (!trial->finished && steps > 0)
        end = measure_stages(scene, time / steps, trial, &guess);
    trial->exact = trial->finished || (known && expected->exact);
    for (int k = 0; k < 2; ++k)
        trial->steps[k] = trial->finished ? steps : known ? expected->steps[k] : guess;
    const double growth = mean_growth(scene, world, end, trial);
    for (size_t r = 0; r < records; ++r) {
        const struct scree_scene_record *record = &output[r].record;
        // tables and tracks do not grow with the number of bodies
        const bool fixed = strcmp(record->kind, "table") == 0 || strcmp(record->kind, "track") == 0;
        trial->bytes += output[r].bytes * (fixed ? 1 : growth) *
                        count_writes(record, end, sqrt(trial->steps[0] * trial->steps[1])) /
                        count_writes(record, time, steps);
    }
    estimate_seconds(expected, world, elapsed, growth, trial);
}

// Writes the path of the temporary folder as a pattern for mkdtemp, which is invalid if the path is too long.
static void name_folder(char root[PATH])
{
    const char *base = getenv("TMPDIR");
    const int length = snprintf(root, PATH - LETTERS - 1, "%s/scree-trial-", base && base[0] ? base : "/tmp");
    memset(root + strlen(root), 0, LETTERS + 1);
    if (length < PATH - LETTERS - 1)
        memset(root + length, 'X', LETTERS);
}

// Runs a scene for about half a second of processor time; prints an error and returns false if it cannot run.
// `before` is the peak memory before the world was built.
static bool make_forecast(struct scree_scene *scene, const struct scree_cli_forecast *expected, int threads,
                          long before, struct forecast *trial)
{
    char root[PATH];
    struct output output[RECORDS] = {0};
    size_t records = 0;
    struct trial_times times = {.start = scree_live_now(), .cpu_start = scree_live_cpu()};
    struct scree_world *world;
    name_folder(root);
    // catch signals, so that the folder is removed
    scree_live_handle_signals(interrupt, true, NULL);
    if (!mkdtemp(root)) {
        fprintf(stderr, "scree check: cannot create the temporary folder '%s' of the trial run: %s\n", root,
                strerror(errno));
        return false;
    }
    while (records < RECORDS && scree_scene_record_at(scene, records, &output[records].record))
        ++records;
    const struct scree_run_def def = {
        .threads = threads, .function = stop_trial, .warn = print_warning, .user = &times, .folder = root};
    const scree_status status = scree_scene_run(scene, &def, &world);
    const double elapsed = scree_live_cpu() - times.cpu_start;
    const bool good = status == SCREE_OK || times.ended;
    if (!good)
        // print paths as in the scene, without the temporary folder; suggesting --force makes no sense here
        scree_load_report(scene, root, SCREE_ERROR_STATE);
    *trial = (struct forecast){.finished = !times.ended, .memory = 1024.0 * (double)(peak_memory() - before)};
    trial->rate = times.now > times.first
                      ? (double)(times.last.steps - times.begin.steps) / (times.now - times.first)
                      : (double)times.last.steps / elapsed;
    clear_folder(root, "", output, records);
    scree_live_handle_signals(SIG_DFL, false, NULL);
    if (interrupted)
        raise(interrupted);
    if (good)
        estimate_run(scene, world, expected, output, records, elapsed, trial);
    scree_world_destroy(world);
    return good;
}

// --- the report

static void print_bytes(double bytes)
{
    static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    size_t u = 0;
    for (; u < 5 && bytes >= 1000; ++u)
        bytes /= 1000;
    printf("%.3g %s", bytes, unit[u]);
}

static void print_seconds(double seconds)
{
    if (seconds < 120)
        printf("%.2g s", seconds);
    else if (seconds < 7200)
        printf("%.0f min", seconds / 60);
    else if (seconds < 172800)
        printf("%.1f h", seconds / 3600);
    else
        printf("%.1f days", seconds / 86400);
}

static void print_run(const struct forecast *trial)
{
    const bool ends_early = trial->may_stop && !trial->finished;
    printf("run        %s", !trial->exact ? "" : ends_early ? "at most " : "");
    scree_cli_forecast_print_range(trial->steps);
    printf(" steps at %.3g steps/s in %s trial run: ", trial->rate, trial->finished ? "a complete" : "the");
    if (trial->too_few) {
        printf("more than ");
        print_seconds(trial->seconds[0]);
    } else {
        print_seconds(trial->seconds[0]);
        if (trial->seconds[1] > 1.05 * trial->seconds[0]) {
            printf(" to ");
            print_seconds(trial->seconds[1]);
        }
    }
    printf("%s%s\n", trial->finished ? "" : " on an idle machine",
           ends_early ? "; less if a stop condition ends a stage early" : "");
}

static void print_trial(const struct forecast *trial, size_t bodies)
{
    if (trial->inserted > 0)
        printf("inserted   about %.3g bodies, if there is space for all\n", trial->inserted);
    printf("contacts   %zu at the end of the trial run\n", trial->contacts);
    printf("memory     ");
    print_bytes(trial->memory);
    if (bodies > 1000) {
        printf(", or ");
        print_bytes(trial->memory / (double)bodies);
        printf(" per body");
    }
    printf("\ndisk       %s", trial->finished ? "" : trial->too_few ? "more than " : "about ");
    print_bytes(trial->bytes);
    printf("\n");
    print_run(trial);
}

static int print_scene(struct scree_scene *scene)
{
    if (scree_scene_print(scene, scree_cli_write, stdout) == SCREE_OK)
        return SCREE_CLI_OK;
    scree_load_report(scene, ".", SCREE_ERROR_STATE);
    return SCREE_CLI_FAILED;
}

// Prints the initial state. Runs one step, to report errors that would end the run immediately.
static scree_status print_world(struct scree_scene *scene, struct scree_world *world,
                                struct scree_engine *engine)
{
    struct scree_limit limit;
    double step;
    print_bodies(world);
    // without bodies nothing limits the step; inserted bodies will
    if (scree_body_count(world) == 0) {
        if (scree_engine_step(engine, &step) == SCREE_OK)
            printf("time step  %g s\n", step);
        return SCREE_OK;
    }
    scree_status status = scree_engine_limit(engine, &limit);
    // an engine without a critical time step
    if (status == SCREE_ERROR_UNSUPPORTED) {
        limit = (struct scree_limit){.stable = (double)INFINITY};
        status = SCREE_OK;
    }
    if (status == SCREE_OK)
        status = scree_engine_run(engine, 1);
    if (status == SCREE_OK)
        status = scree_engine_step(engine, &step);
    if (status == SCREE_OK)
        print_step(world, step, &limit);
    if (status == SCREE_OK && scree_scene_makes_bonds_later(scene))
        printf("           without the bonds that later stages make, which may need a shorter one\n");
    return status;
}

static int check_scene(const struct scree_cli_line *line, struct scree_scene *scene, int threads)
{
    struct scree_world *world;
    struct scree_engine *engine;
    struct forecast trial;
    struct scree_scene_stage stage;
    const bool print = scree_cli_has(line, "print"), quick = scree_cli_has(line, "quick");
    const bool no_stages = !print && !quick && !scree_scene_stage_at(scene, 0, &stage);
    const long before = peak_memory();
    const scree_status built = scree_scene_build(scene, threads, &world, &engine);
    if (built != SCREE_OK) {
        // adds the diagnostic of the missing stages to the others
        if (no_stages && built == SCREE_ERROR_ARGUMENT)
            (void)!scree_scene_run(scene, NULL, NULL);
        scree_load_report(scene, ".", built);
        return SCREE_CLI_FAILED;
    }
    const size_t bodies = scree_body_count(world);
    // existing results are no mistake: the run may be allowed to overwrite them
    const struct scree_run_def def = {.threads = threads,
                                      .force = true,
                                      .folder = scree_cli_value(line, "to"),
                                      // without --quick the trial run gives the same warnings
                                      .warn = quick ? print_warning : NULL};
    scree_status status = print ? SCREE_OK : scree_scene_check(scene, world, engine, &def);
    if (status != SCREE_OK)
        scree_load_report(scene, ".", status);
    const bool may_run = status == SCREE_OK;
    if (may_run && !print)
        status = print_world(scene, world, engine);
    if (may_run && !print && status == SCREE_OK)
        scree_cli_print_shapes(scene, scree_world_dimension(world));
    const size_t contacts = scree_contact_count(world);
    struct scree_cli_forecast expected = {0};
    if (may_run && !print && status == SCREE_OK && !scree_cli_forecast_make(scene, world, engine, &expected))
        status = SCREE_ERROR_STATE;
    if (may_run && status != SCREE_OK)
        fprintf(stderr, "scree: %s\n", scree_status_message());
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    if (status != SCREE_OK)
        return SCREE_CLI_FAILED;
    if (print)
        return print_scene(scene);
    if (quick) {
        printf("contacts   %zu after one step\n", contacts);
        return SCREE_CLI_OK;
    }
    fflush(stdout);
    if (!make_forecast(scene, &expected, threads, before, &trial))
        return SCREE_CLI_FAILED;
    print_trial(&trial, bodies);
    return SCREE_CLI_OK;
}

int scree_cli_check(const struct scree_cli_line *line)
{
    struct scree_scene *scene;
    int threads, status = scree_load_scene(line, false, scree_cli_has(line, "quick") ? max_quick : 0, &scene,
                                           &threads);
    if (status == SCREE_CLI_OK)
        status = check_scene(line, scene, threads);
    scree_scene_free(scene);
    return status;
}
