// Trial run of a scene, see forecast.h.

#include "forecast.h"

#include "live.h"
#include "load.h"

#include <scree/scree.h>

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECORDS = 64, PATH = 1024, LETTERS = 6 };

static const double trial_time = 0.5; // s
// memory per body in a dense bed, with its share of the contact lists
static const double bytes_per_body = 600;

struct watch {
    double start, first, now;    // s, times of the start, of the first report and of the last report
    struct scree_progress begin; // the first report
    struct scree_progress last;
    bool ended; // stop_soon ended the trial
};

// The signal that interrupted the trial, or 0.
static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    interrupted = signal;
}

static scree_status stop_soon(void *user, const struct scree_progress *progress)
{
    struct watch *watch = (struct watch *)user;
    watch->last = *progress;
    watch->now = scree_live_now();
    if (!(watch->first > 0)) {
        watch->first = watch->now;
        watch->begin = *progress;
    }
    const double elapsed = watch->now - watch->start;
    // a rate needs two reports; wait up to 10 s for the second
    if (!interrupted && (elapsed < trial_time || (watch->now == watch->first && elapsed < 10)))
        return SCREE_OK;
    watch->ended = true;
    return scree_status_fail(SCREE_ERROR_STATE, "the trial run has ended");
}

static void print_warning(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "scree: warning: %s\n", text);
}

// --- the temporary folder

// Size of the files of a record: all paths that begin with its file name.
struct share {
    struct scree_scene_record record;
    double bytes;
};

static void add_file(const char *path, double bytes, struct share *share, size_t count)
{
    struct share *best = NULL;
    for (size_t r = 0; r < count; ++r) {
        const size_t length = strlen(share[r].record.file);
        if (strncmp(path, share[r].record.file, length) == 0 && (!best || length > strlen(best->record.file)))
            best = &share[r];
    }
    if (best)
        best->bytes += bytes;
}

// Removes a folder and everything below it, and adds up the file sizes of each record.
static void clear_folder(const char *root, const char *below, struct share *share, size_t count)
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
            clear_folder(root, name, share, count);
            continue;
        }
        add_file(name, (double)facts.st_size, share, count);
        unlink(path);
    }
    if (folder)
        closedir(folder);
    snprintf(path, sizeof path, "%s/%s", root, below);
    rmdir(path);
}

// --- the whole run

// Number of intervals that fit in a time, and number of steps that it takes. As in a run, a quotient that is
// an integer up to rounding counts as that integer.
static double intervals_in(double time, double interval)
{
    return floor(time / interval * (1 + 0x1p-46));
}

static double steps_in(double time, double step)
{
    return ceil(time / step * (1 - 0x1p-46));
}

// Adds up the maximum time and number of steps of all stages for a given time step.
static void measure_stages(struct scree_scene *scene, double step, struct scree_forecast *trial, double *time)
{
    struct scree_scene_stage stage;
    *time = 0;
    trial->counted = true;
    for (size_t s = 0; scree_scene_stage_at(scene, s, &stage); ++s) {
        const double left = stage.until > 0 ? (stage.until > *time ? stage.until - *time : 0) : stage.time;
        trial->may_stop = trial->may_stop || stage.may_stop;
        trial->counted = trial->counted && stage.steps > 0;
        trial->steps += stage.steps > 0 ? (double)stage.steps : steps_in(left, step);
        *time += stage.steps > 0 ? (double)stage.steps * step : left;
    }
}

// Returns the mean number of bodies over the whole run, relative to that of the trial, assuming that none is
// deleted; 1 without insertion. Also adds the memory of inserted bodies.
static double growth(struct scree_scene *scene, struct scree_world *world, double whole,
                     struct scree_forecast *trial)
{
    enum { PARTS = 64, FEW = 50 };
    const double bodies = (double)scree_body_count(world);
    double now, then, sum = 0;
    if (scree_scene_arrivals(scene, world, scree_world_time(world), &now) != SCREE_OK ||
        scree_scene_arrivals(scene, world, whole, &trial->arrivals) != SCREE_OK)
        return 1;
    for (int k = 0; k < PARTS; ++k)
        if (scree_scene_arrivals(scene, world, whole * (k + 0.5) / PARTS, &then) == SCREE_OK)
            sum += then > now ? then - now : 0;
    trial->grows = bodies < FEW && trial->arrivals > now + bodies;
    trial->memory += bytes_per_body * (trial->arrivals > now ? trial->arrivals - now : 0);
    return bodies < FEW ? 1 : (bodies + sum / PARTS) / bodies;
}

// Returns true if the size of a record grows with the number of bodies. Tables and tracks do not.
static bool is_of_bodies(const char *kind)
{
    return strcmp(kind, "table") != 0 && strcmp(kind, "track") != 0;
}

// Returns how many times a record is written in this time and number of steps.
static double times(const struct scree_scene_record *record, double time, double steps)
{
    return 1 + intervals_in(record->every > 0 ? time : steps,
                            record->every > 0 ? record->every : (double)record->steps);
}

long scree_forecast_resident(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

bool scree_forecast_make(struct scree_scene *scene, int threads, long before, struct scree_forecast *trial)
{
    const char *base = getenv("TMPDIR");
    char root[PATH] = {0};
    struct share share[RECORDS] = {0};
    size_t records = 0;
    struct watch watch = {.start = scree_live_now()};
    struct scree_world *world;
    *trial = (struct scree_forecast){0};
    const int length =
        snprintf(root, sizeof root - LETTERS - 1, "%s/scree-trial-", base && base[0] ? base : "/tmp");
    if (length < (int)sizeof root - LETTERS - 1)
        memset(root + length, 'X', LETTERS);
    // catch signals, so that the folder is removed
    scree_live_handle_signals(interrupt, true, NULL);
    if (!mkdtemp(root)) {
        perror("scree check: cannot create the temporary folder of the trial run");
        return false;
    }
    while (records < RECORDS && scree_scene_record_at(scene, records, &share[records].record))
        ++records;
    const struct scree_run_def def = {
        .threads = threads, .function = stop_soon, .warn = print_warning, .user = &watch, .folder = root};
    const scree_status status = scree_scene_run(scene, &def, &world);
    const double elapsed = scree_live_now() - watch.start;
    const bool good = status == SCREE_OK || watch.ended;
    if (!good)
        // print paths as in the scene, without the temporary folder; suggesting --force makes no sense here
        scree_load_report(scene, root, SCREE_ERROR_STATE);
    trial->memory = 1024.0 * (double)(scree_forecast_resident() - before);
    clear_folder(root, "", share, records);
    scree_live_handle_signals(SIG_DFL, false, NULL);
    if (interrupted)
        raise(interrupted);
    const double steps = world ? (double)scree_world_steps(world) : 0;
    const double time = world ? scree_world_time(world) : 0;
    trial->contacts = world ? scree_contact_count(world) : 0;
    double whole = time, larger = 1;
    trial->whole = !watch.ended;
    trial->rate = watch.now > watch.first
                      ? (double)(watch.last.steps - watch.begin.steps) / (watch.now - watch.first)
                      : watch.last.rate;
    if (trial->whole)
        trial->steps = steps;
    else if (steps > 0)
        measure_stages(scene, time / steps, trial, &whole);
    if (good && world)
        larger = growth(scene, world, whole, trial);
    scree_world_destroy(world);
    if (!good)
        return false;
    for (size_t r = 0; r < records; ++r)
        trial->bytes += share[r].bytes * (is_of_bodies(share[r].record.kind) ? larger : 1) *
                        times(&share[r].record, whole, trial->steps) / times(&share[r].record, time, steps);
    trial->seconds = trial->whole ? elapsed : elapsed + (trial->steps - steps) / trial->rate * larger;
    return true;
}
