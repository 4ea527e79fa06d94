// One point of a sweep, see sweep.h.

#include "live.h"
#include "load.h"
#include "sweep.h"

#include <scree/scree.h>

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { PATH = 4096 };

// name of the file with the results of a point, in its folder
static const char results[] = "sweep.point";

// --- in the child process, which runs the point

// Writes the first and the last line of a table to the reply.
static void write_table_results(FILE *reply, const char *path)
{
    char *line = NULL, *last = NULL;
    size_t capacity = 0, rows = 0;
    FILE *table = fopen(path, "r");
    for (ssize_t length; table && (length = getline(&line, &capacity, table)) > 0; ++rows) {
        line[strcspn(line, "\r\n")] = 0;
        if (rows == 0) {
            fprintf(reply, "%s\n", line);
            continue;
        }
        free(last);
        last = strdup(line);
    }
    fprintf(reply, "%s%s\n", rows == 0 ? "\n" : "", last ? last : "");
    if (table)
        fclose(table);
    free(line);
    free(last);
}

static void write_results(FILE *reply, const struct scree_live *live, const struct scree_world *world)
{
    struct scree_digest digest;
    const bool known = world && scree_world_digest(world, &digest) == SCREE_OK;
    fprintf(reply, "%.3f %llu ", scree_live_now() - live->start,
            world ? (unsigned long long)scree_world_steps(world) : 0ull);
    if (known)
        fprintf(reply, "%016llx%016llx\n", (unsigned long long)digest.high, (unsigned long long)digest.low);
    else
        fprintf(reply, "-\n");
    for (size_t r = 0; r < live->results; ++r)
        if (strcmp(live->kind[r], "table") == 0)
            write_table_results(reply, live->path[r]);
}

// Makes the kernel kill this process when the sweep ends for any reason; returns false if it has already
// ended.
static bool end_with_sweep(pid_t sweep)
{
#ifdef __linux__
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        return false;
#endif
    return getppid() == sweep;
}

static int run_point(const struct scree_sweep_point *point, const struct scree_sweep_point_def *def,
                     const struct scree_scene_def *scene_def)
{
    struct scree_live live = {.quiet = true, .in_sweep = true};
    struct scree_run_def run = {
        .threads = def->threads, .force = point->may_overwrite, .folder = point->folder};
    struct scree_scene *scene = NULL;
    struct scree_world *world = NULL;
    scree_live_attach(&live, &run);
    // deliver the signals that arrived since the fork
    sigprocmask(SIG_SETMASK, &def->blocked, NULL);
    scree_status status = SCREE_ERROR_ARGUMENT;
    if (scree_load_file(def->path, scene_def, &scene)) {
        status = scree_scene_run(scene, &run, &world);
        if (status != SCREE_OK)
            scree_load_report(scene, ".", status);
    }
    write_results(point->reply, &live, world);
    return scree_live_status(&live, status);
}

// --- in the process of the sweep

// Empties the file of the results of a point that is not finished.
static bool mark_unfinished(const struct scree_sweep_point *point)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", point->folder, results);
    FILE *file = fopen(path, "w");
    return file && fclose(file) == 0;
}

bool scree_sweep_point_discard(const struct scree_sweep_point *point, bool force)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", point->folder, results);
    if (access(force ? point->folder : path, F_OK) != 0 || mark_unfinished(point))
        return true;
    return scree_cli_refuse("run: cannot write '%s': %s", path, strerror(errno));
}

// Stores the results of a point that has succeeded; atomic. If this fails, the next
// call of the sweep runs the point again.
static void store(const struct scree_sweep_point *point)
{
    char path[PATH], part[PATH], text[4096];
    snprintf(path, sizeof path, "%s/%s", point->folder, results);
    snprintf(part, sizeof part, "%s/%s.part", point->folder, results);
    FILE *file = fopen(part, "w");
    rewind(point->reply);
    for (size_t size; file && (size = fread(text, 1, sizeof text, point->reply)) > 0;)
        fwrite(text, 1, size, file);
    const bool good =
        file && !ferror(point->reply) && fflush(file) == 0 && !ferror(file) && fsync(fileno(file)) == 0;
    if (file && fclose(file) == 0 && good && rename(part, path) == 0)
        return;
    fprintf(stderr, "scree run: cannot write '%s': %s\n", path, strerror(errno));
    unlink(part);
}

// Redirects the output of the run to run.log; appends to the log of an earlier run unless `force` is set.
static bool redirect(const char *folder, bool force)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/run.log", folder);
    return freopen(path, force ? "w" : "a", stderr) && dup2(fileno(stderr), STDOUT_FILENO) >= 0;
}

// Whether a folder has no files: a sweep that was killed may have made it without marking it.
static bool is_empty(const char *folder)
{
    DIR *entries = opendir(folder);
    bool empty = entries != NULL;
    for (const struct dirent *entry = NULL; empty && (entry = readdir(entries));)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (entries)
        closedir(entries);
    return empty;
}

bool scree_sweep_point_begin(struct scree_sweep_point *point, const struct scree_sweep_point_def *def,
                             const struct scree_scene_def *scene)
{
    const bool made = mkdir(point->folder, 0777) == 0, exists = made || errno == EEXIST;
    point->may_overwrite =
        point->may_overwrite || (exists && (made || def->force || is_empty(point->folder)));
    if (!exists || !(point->reply = tmpfile()) || (point->may_overwrite && !mark_unfinished(point)))
        return scree_cli_refuse("run: cannot start the run in '%s': %s", point->folder, strerror(errno));
    fflush(NULL);
    const pid_t sweep = getpid();
    point->process = fork();
    if (point->process < 0)
        perror("scree run: cannot start a point of the sweep");
    if (point->process != 0)
        return point->process > 0;
    if (!end_with_sweep(sweep))
        _exit(SCREE_CLI_FAILED);
    const int status = redirect(point->folder, def->force) ? run_point(point, def, scene) : SCREE_CLI_FAILED;
    const bool written = fflush(point->reply) == 0 && fflush(stderr) == 0;
    // _exit: do not flush or close the streams of the sweep
    _exit(written ? status : SCREE_CLI_FAILED);
}

static char *read_line(FILE *file)
{
    char *line = NULL;
    size_t capacity = 0;
    if (getline(&line, &capacity, file) <= 0) {
        free(line);
        return NULL;
    }
    line[strcspn(line, "\n")] = 0;
    return line;
}

// Reads what write_results has written; returns false if it is not complete.
static bool read_results(struct scree_sweep_point *point, FILE *reply)
{
    if (fscanf(reply, "%lf %llu %32s\n", &point->seconds, &point->steps, point->digest) != 3) {
        point->digest[0] = 0;
        return false;
    }
    for (char *line; point->tables < SCREE_SWEEP_POINT_TABLES && (line = read_line(reply)); ++point->tables) {
        point->header[point->tables] = line;
        point->last[point->tables] = read_line(reply);
    }
    return true;
}

void scree_sweep_point_load(struct scree_sweep_point *point)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", point->folder, results);
    FILE *file = fopen(path, "r");
    point->may_overwrite = file != NULL;
    point->finished = file && read_results(point, file);
    if (file)
        fclose(file);
}

void scree_sweep_point_end(struct scree_sweep_point *point, int wait_status)
{
    char path[PATH];
    struct stat facts;
    point->finished = true;
    point->process = 0;
    point->status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
    rewind(point->reply);
    (void)read_results(point, point->reply);
    if (point->status == 0)
        store(point);
    fclose(point->reply);
    point->reply = NULL;
    snprintf(path, sizeof path, "%s/run.log", point->folder);
    if (stat(path, &facts) == 0 && facts.st_size == 0)
        unlink(path);
}

void scree_sweep_point_free(struct scree_sweep_point *point)
{
    if (point->reply)
        fclose(point->reply);
    for (size_t t = 0; t < point->tables; ++t) {
        free(point->header[t]);
        free(point->last[t]);
    }
    free(point->folder);
}
