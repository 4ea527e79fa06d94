// A trial of a scene, see forecast.h.

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

static const double enough = 0.5; // s
// what a body takes in a dense bed, lists of contacts included
static const double bytes_of_body = 600;

struct watch {
    double begun, first, now;    // s, of the trial, of its first report and of its last
    struct scree_progress begin; // what the first told
    struct scree_progress last;
    bool ended; // by the watch
};

// The signal that asks for its end.
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
    const double passed = watch->now - watch->begun;
    if (!interrupted && (passed < enough || (watch->now == watch->first && passed < 10)))
        return SCREE_OK;
    watch->ended = true;
    return scree_status_fail(SCREE_ERROR_STATE, "the trial is over");
}

static void caution(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "scree: warning: %s\n", text);
}

// --- its folder

// What a record has left: all that begins with its file's name.
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

// Counts what lies in a folder, and removes it.
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

// How many intervals end in a time, and how many steps it takes. As in a run, a whole number of them is one
// but for rounding.
static double intervals_in(double time, double interval)
{
    return floor(time / interval * (1 + 0x1p-46));
}

static double steps_in(double time, double step)
{
    return ceil(time / step * (1 - 0x1p-46));
}

// Times and steps that all stages take at most, at a time step.
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

// How many bodies there are in the mean over the whole run for each one of the trial, should none leave; 1
// where none come in.
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
    trial->memory += bytes_of_body * (trial->arrivals > now ? trial->arrivals - now : 0);
    return bodies < FEW ? 1 : (bodies + sum / PARTS) / bodies;
}

// What is written of each body; a table or a track of some has its own size.
static bool is_of_bodies(const char *kind)
{
    return strcmp(kind, "table") != 0 && strcmp(kind, "track") != 0;
}

// How often a record is taken in so long and so many steps.
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
    struct watch watch = {.begun = scree_live_now()};
    struct scree_world *world;
    *trial = (struct scree_forecast){0};
    const int length =
        snprintf(root, sizeof root - LETTERS - 1, "%s/scree-trial-", base && base[0] ? base : "/tmp");
    if (length < (int)sizeof root - LETTERS - 1)
        memset(root + length, 'X', LETTERS);
    // the folder is not left behind
    scree_live_take_signals(interrupt, true, NULL);
    if (!mkdtemp(root)) {
        perror("scree check: the trial needs a folder of its own");
        return false;
    }
    while (records < RECORDS && scree_scene_record_at(scene, records, &share[records].record))
        ++records;
    const struct scree_run_def def = {
        .threads = threads, .function = stop_soon, .warn = caution, .user = &watch, .folder = root};
    const scree_status status = scree_scene_run(scene, &def, &world);
    const double passed = scree_live_now() - watch.begun;
    const bool good = status == SCREE_OK || watch.ended;
    if (!good)
        // its folder, which is gone, is no news; nor can what is in the way there be written over
        scree_load_complain(scene, root, SCREE_ERROR_STATE);
    trial->memory = 1024.0 * (double)(scree_forecast_resident() - before);
    clear_folder(root, "", share, records);
    scree_live_take_signals(SIG_DFL, false, NULL);
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
    trial->seconds = trial->whole ? passed : passed + (trial->steps - steps) / trial->rate * larger;
    return true;
}
