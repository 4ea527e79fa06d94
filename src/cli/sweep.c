// Parameter sweeps: runs a scene once for each combination of values of its variables, each in its own folder
// and process.

#include "sweep.h"

#include "live.h"
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AXES = 8, PATH = 4096 };

struct sweep {
    const struct scree_cli_line *line;
    struct scree_sweep_axis axis[AXES];
    size_t axes, count; // points
    struct scree_sweep_point *point;
    struct scree_scene_variable cli_variables[SCREE_CLI_MAX_OPTIONS]; // of -D
    size_t cli_variable_count;
    char folder[PATH];
    struct scree_sweep_point_def def;
    long jobs;
    bool forwarded; // the signal to stop was sent to the points
    bool resumes;   // an earlier call of the same sweep exists
    char *plan;     // text that identifies the sweep, see make_plan
    size_t plan_length;
    int lock; // file descriptor of the locked folder, or -1
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
    stopped = signal;
}

// The handler does nothing: SIGCHLD only has to wake up sigsuspend.
static void wake(int signal)
{
    (void)signal;
}

// Returns the value of an axis at a point; the last axis varies fastest.
static const char *value_at(const struct sweep *sweep, size_t point, size_t axis)
{
    for (size_t a = sweep->axes; a-- > axis + 1;)
        point /= sweep->axis[a].count;
    return sweep->axis[axis].value[point % sweep->axis[axis].count];
}

// Fills `variable` with the variables of -D, then those of the point.
static struct scree_scene_def scene_of(struct sweep *sweep, size_t point,
                                       struct scree_scene_variable *variable)
{
    memcpy(variable, sweep->cli_variables, sweep->cli_variable_count * sizeof *variable);
    for (size_t a = 0; a < sweep->axes; ++a)
        variable[sweep->cli_variable_count + a] =
            (struct scree_scene_variable){sweep->axis[a].name, value_at(sweep, point, a)};
    return (struct scree_scene_def){.variables = variable, .count = sweep->cli_variable_count + sweep->axes};
}

// --- the table of all points

static void write_cell(FILE *file, const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; ++text)
        fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', file);
}

static size_t count_cells(const char *line)
{
    size_t count = 1;
    for (; *line; ++line)
        count += *line == ',';
    return count;
}

// Returns the point whose tables define the columns: the first that succeeded, or else the first with tables.
static const struct scree_sweep_point *find_reference_point(const struct sweep *sweep)
{
    const struct scree_sweep_point *reference = NULL;
    for (size_t p = 0; p < sweep->count; ++p) {
        const struct scree_sweep_point *point = &sweep->point[p];
        if (point->finished && point->tables > 0 &&
            (!reference || (reference->status != 0 && point->status == 0)))
            reference = point;
    }
    return reference;
}

// Columns of the sweep itself. They contain a space, so they cannot be equal to the name of a variable.
static const char *const sweep_columns[] = {"exit status", "run steps", "run time [s]", "run digest"};

// Returns true if the name of a table column, which ends at a comma, is already a column of the sweep.
static bool is_sweep_column(const struct sweep *sweep, const char *name)
{
    const size_t length = strcspn(name, ",");
    bool found = false;
    for (size_t o = 0; o < sizeof sweep_columns / sizeof sweep_columns[0]; ++o)
        found = found || (strlen(sweep_columns[o]) == length && strncmp(sweep_columns[o], name, length) == 0);
    for (size_t a = 0; a < sweep->axes; ++a) {
        const char *axis = sweep->axis[a].name;
        found = found || (strlen(axis) == length && strncmp(axis, name, length) == 0);
    }
    return found;
}

// Returns true if table columns need the number of their table as prefix to be unique.
static bool need_table_number(const struct sweep *sweep, const struct scree_sweep_point *reference)
{
    bool numbered = reference->tables > 1;
    for (size_t t = 0; t < reference->tables; ++t)
        for (const char *at = reference->header[t]; at; at = strchr(at, ',')) {
            at += *at == ',';
            numbered = numbered || is_sweep_column(sweep, at);
        }
    return numbered;
}

// Writes the column names. With several tables, or if a name is already taken, table columns are prefixed
// with the number of their table.
static void write_header(FILE *file, const struct sweep *sweep, const struct scree_sweep_point *reference)
{
    const bool numbered = reference && need_table_number(sweep, reference);
    for (size_t a = 0; a < sweep->axes; ++a) {
        write_cell(file, sweep->axis[a].name);
        fputc(',', file);
    }
    for (size_t o = 0; o < sizeof sweep_columns / sizeof sweep_columns[0]; ++o)
        fprintf(file, "%s%s", o > 0 ? "," : "", sweep_columns[o]);
    for (size_t t = 0; reference && t < reference->tables; ++t)
        for (const char *at = reference->header[t]; at; at = strchr(at, ',')) {
            at += *at == ',';
            fputc(',', file);
            if (numbered)
                fprintf(file, "%zu:", t + 1);
            fprintf(file, "%.*s", (int)strcspn(at, ","), at);
        }
    fputc('\n', file);
}

static void write_row(FILE *file, const struct sweep *sweep, size_t p,
                      const struct scree_sweep_point *reference)
{
    const struct scree_sweep_point *point = &sweep->point[p];
    for (size_t a = 0; a < sweep->axes; ++a) {
        write_cell(file, value_at(sweep, p, a));
        fputc(',', file);
    }
    fprintf(file, "%d,%llu,%.3f,%s", point->status, point->steps, point->seconds,
            point->digest[0] == '-' ? "" : point->digest);
    for (size_t t = 0; reference && t < reference->tables; ++t) {
        const bool has = t < point->tables && point->last[t] && point->last[t][0] &&
                         count_cells(point->last[t]) == count_cells(reference->header[t]);
        fprintf(file, ",%s", has ? point->last[t] : "");
        for (size_t c = 1; !has && c < count_cells(reference->header[t]); ++c)
            fputc(',', file);
    }
    fputc('\n', file);
}

// Writes the table of the finished points; atomic, through a temporary file.
static bool write_table(const struct sweep *sweep)
{
    char path[PATH + 32], part[PATH + 32];
    snprintf(path, sizeof path, "%s/sweep.csv", sweep->folder);
    snprintf(part, sizeof part, "%s/sweep.csv.part", sweep->folder);
    FILE *file = fopen(part, "w");
    const struct scree_sweep_point *reference = find_reference_point(sweep);
    if (file)
        write_header(file, sweep, reference);
    for (size_t p = 0; file && p < sweep->count; ++p)
        if (sweep->point[p].finished)
            write_row(file, sweep, p, reference);
    const bool written = file && fflush(file) == 0 && !ferror(file) && fsync(fileno(file)) == 0;
    if (file && fclose(file) == 0 && written && rename(part, path) == 0)
        return true;
    fprintf(stderr, "scree run: cannot write '%s': %s\n", path, strerror(errno));
    unlink(part);
    return false;
}

// --- the points

static void print_point(const struct sweep *sweep, size_t p, size_t finished)
{
    const struct scree_sweep_point *point = &sweep->point[p];
    if (scree_cli_has(sweep->line, "quiet"))
        return;
    printf("%zu of %zu:", finished, sweep->count);
    for (size_t a = 0; a < sweep->axes; ++a)
        printf(" %s=%s", sweep->axis[a].name, value_at(sweep, p, a));
    if (point->status == 0)
        printf("  %llu steps in %.3g s\n", point->steps, point->seconds);
    else
        printf("  failed with exit status %d, see %s/run.log\n", point->status, point->folder);
    fflush(stdout);
}

// Sends the signal to stop to all running points, once; the terminal may have sent it to them already.
static void forward_signal(struct sweep *sweep)
{
    if (!stopped || sweep->forwarded)
        return;
    sweep->forwarded = true;
    for (size_t p = 0; p < sweep->count; ++p)
        if (sweep->point[p].process > 0)
            kill(sweep->point[p].process, SIGTERM);
}

// Waits for one point to finish; returns false if none is running. Signals are delivered only in sigsuspend.
static bool wait_for_one(struct sweep *sweep, size_t *finished)
{
    int wait_status;
    pid_t process;
    while ((process = waitpid(-1, &wait_status, WNOHANG)) == 0) {
        sigsuspend(&sweep->def.blocked);
        forward_signal(sweep);
    }
    for (size_t p = 0; process > 0 && p < sweep->count; ++p)
        if (sweep->point[p].process == process) {
            scree_sweep_point_end(&sweep->point[p], wait_status);
            print_point(sweep, p, ++*finished);
        }
    return process > 0;
}

static void block_signals(struct sweep *sweep)
{
    const struct sigaction child = {.sa_handler = wake};
    sigset_t signals;
    // install the handlers before blocking: a signal in between is not lost
    scree_live_handle_signals(stop, true, &signals);
    sigaddset(&signals, SIGCHLD);
    sigprocmask(SIG_BLOCK, &signals, &sweep->def.blocked);
    sigaction(SIGCHLD, &child, NULL);
}

static int run_points(struct sweep *sweep)
{
    struct scree_scene_variable variable[SCREE_CLI_MAX_OPTIONS + AXES];
    size_t next = 0, finished = 0;
    bool good = true;
    while (finished < sweep->count && good) {
        if (next < sweep->count && sweep->point[next].finished) {
            ++next;
            ++finished;
            continue;
        }
        const bool may_start = next < sweep->count && (long)(next - finished) < sweep->jobs && !stopped;
        if (may_start) {
            const struct scree_scene_def def = scene_of(sweep, next, variable);
            good = scree_sweep_point_begin(&sweep->point[next++], &sweep->def, &def);
            continue;
        }
        const size_t before = finished;
        if (next == finished || !wait_for_one(sweep, &finished))
            break;
        good = finished == before || write_table(sweep);
    }
    while (wait_for_one(sweep, &finished))
        ;
    good = write_table(sweep) && good;
    size_t failed = 0;
    for (size_t p = 0; p < sweep->count; ++p)
        failed += !sweep->point[p].finished || sweep->point[p].status != 0;
    if (!scree_cli_has(sweep->line, "quiet"))
        printf("%zu of %zu points succeeded; the table of all points is %s/sweep.csv\n",
               sweep->count - failed, sweep->count, sweep->folder);
    return stopped ? SCREE_CLI_INTERRUPTED : failed > 0 || !good ? SCREE_CLI_FAILED : SCREE_CLI_OK;
}

// --- options

// Sets the folder of the sweep: the one of --to, or SCENE-sweep.
static bool name_folder(struct sweep *sweep)
{
    const char *to = scree_cli_value(sweep->line, "to"), *scene = sweep->line->words[0];
    const char *slash = strrchr(scene, '/'), *dot = strrchr(scene, '.');
    const size_t length = dot && dot > (slash ? slash : scene) ? (size_t)(dot - scene) : strlen(scene);
    const int used = to ? snprintf(sweep->folder, PATH, "%s", to)
                        : snprintf(sweep->folder, PATH, "%.*s-sweep", (int)length, scene);
    return used > 0 && used < PATH / 2;
}

// Locks the folder: two sweeps in one folder would overwrite each other's points. Running points inherit the
// lock, and end with the sweep even if it is killed. On a file system without locks the folder is not locked.
static bool lock_folder(struct sweep *sweep)
{
    sweep->lock = open(sweep->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (sweep->lock < 0)
        return scree_cli_refuse("run: cannot open the folder '%s': %s", sweep->folder, strerror(errno));
    if (flock(sweep->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return true;
    return scree_cli_refuse(
        "run: '%s' is being written by another sweep: wait for its end, or choose another folder with --to",
        sweep->folder);
}

// Names the folder of a point after its values.
static bool name_point(struct sweep *sweep, size_t p)
{
    char path[PATH];
    int used = snprintf(path, sizeof path, "%s/", sweep->folder);
    for (size_t a = 0; a < sweep->axes && used < PATH; ++a)
        used += snprintf(path + used, sizeof path - (size_t)used, "%s%s=%s", a > 0 ? "," : "",
                         sweep->axis[a].name, value_at(sweep, p, a));
    if (used >= PATH)
        return false;
    for (char *at = path + strlen(sweep->folder) + 1; *at; ++at)
        *at = scree_sweep_axis_folder_char(*at);
    sweep->point[p].folder = strdup(path);
    return sweep->point[p].folder != NULL;
}

// Checks that no variable is set twice and that all points have different values and folders.
static bool are_distinct(const struct sweep *sweep)
{
    for (size_t a = 0; a < sweep->axes; ++a) {
        const struct scree_sweep_axis *axis = &sweep->axis[a];
        for (size_t b = 0; b < a; ++b)
            if (strcmp(sweep->axis[b].name, axis->name) == 0)
                return scree_cli_refuse(
                    "run: '%s' is swept twice: give all its values in one --sweep, as in --sweep %s=1,2",
                    axis->name, axis->name);
        for (size_t g = 0; g < sweep->cli_variable_count; ++g)
            if (strcmp(sweep->cli_variables[g].name, axis->name) == 0)
                return scree_cli_refuse("run: '%s' is set by both --sweep and -D: remove one of them",
                                        axis->name);
        size_t duplicate, previous;
        if (scree_sweep_axis_find_duplicate(axis, &duplicate, &previous))
            return scree_cli_refuse("run: the value '%s' of '%s' is the same as '%s' before it, or has the "
                                    "same folder name: remove one of them",
                                    axis->value[duplicate], axis->name, axis->value[previous]);
    }
    return true;
}

static bool read_axes(struct sweep *sweep)
{
    const struct scree_cli_line *line = sweep->line;
    sweep->count = 1;
    for (size_t g = 0; g < line->options; ++g) {
        if (strcmp(line->option[g]->name, "sweep") != 0)
            continue;
        if (sweep->axes == AXES)
            return scree_cli_refuse("run: at most %d variables can be swept", (int)AXES);
        if (!scree_sweep_axis_read(line->command->name, line->value[g], &sweep->axis[sweep->axes++]))
            return false;
        sweep->count *= sweep->axis[sweep->axes - 1].count;
        if (sweep->count > SCREE_SWEEP_AXIS_MAX)
            return scree_cli_refuse("run: a sweep can have at most %d points", (int)SCREE_SWEEP_AXIS_MAX);
    }
    return true;
}

static int read_options(struct sweep *sweep)
{
    const struct scree_cli_line *line = sweep->line;
    long threads;
    if (!scree_cli_check_count(line, 1, 1, "which scene? Name one file, as in `scree run scene.yaml`") ||
        !scree_load_variables(line, sweep->cli_variables, &sweep->cli_variable_count) || !read_axes(sweep) ||
        !are_distinct(sweep) || !scree_cli_integer(line, "jobs", 1, 1024, 1, &sweep->jobs))
        return SCREE_CLI_USAGE;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const long share = processors > sweep->jobs ? processors / sweep->jobs : 1;
    if (!scree_cli_integer(line, "threads", 1, 4096, share, &threads))
        return SCREE_CLI_USAGE;
    if (scree_cli_has(line, "columns") || !name_folder(sweep)) {
        fprintf(stderr, scree_cli_has(line, "columns")
                            ? "scree run: --columns cannot be used with --sweep, which has no progress line\n"
                            : "scree run: the path of the folder is too long\n");
        return SCREE_CLI_USAGE;
    }
    sweep->def = (struct scree_sweep_point_def){
        .path = line->words[0], .threads = (int)threads, .force = scree_cli_has(line, "force")};
    return SCREE_CLI_OK;
}

// --- the plan: a text that identifies the sweep, to recognise an earlier call of the same sweep
//
// Lines of text: the values of each variable, those of -D, and a hash of the scenes of all points as printed,
// so that comments and the order of keys do not matter.

static const char plan_head[] = "scree sweep 1\n", plan_scene[] = "scenes ";

// Adds a text to a hash (FNV-1a, 64 bits).
static void add_to_hash(void *user, const char *text)
{
    uint64_t *hash = (uint64_t *)user;
    for (; *text; ++text)
        *hash = (*hash ^ (unsigned char)*text) * 0x100000001B3u;
}

// Makes the text of the plan; returns false if out of memory.
static bool make_plan(struct sweep *sweep, uint64_t hash)
{
    FILE *file = open_memstream(&sweep->plan, &sweep->plan_length);
    if (file)
        fputs(plan_head, file);
    for (size_t a = 0; file && a < sweep->axes; ++a) {
        fprintf(file, "--sweep %s=", sweep->axis[a].name);
        for (size_t v = 0; v < sweep->axis[a].count; ++v)
            fprintf(file, "%s%s", v > 0 ? "," : "", sweep->axis[a].value[v]);
        fputc('\n', file);
    }
    for (size_t g = 0; file && g < sweep->cli_variable_count; ++g)
        fprintf(file, "-D %s=%s\n", sweep->cli_variables[g].name, sweep->cli_variables[g].value);
    if (file)
        fprintf(file, "%s%016llx\n", plan_scene, (unsigned long long)hash);
    return file && fclose(file) == 0;
}

// Writes the plan; atomic, through a temporary file.
static bool write_plan(const struct sweep *sweep)
{
    char path[PATH + 32], part[PATH + 32];
    snprintf(path, sizeof path, "%s/sweep.plan", sweep->folder);
    snprintf(part, sizeof part, "%s/sweep.plan.part", sweep->folder);
    FILE *file = fopen(part, "w");
    const bool written = file && fwrite(sweep->plan, 1, sweep->plan_length, file) == sweep->plan_length &&
                         fflush(file) == 0 && fsync(fileno(file)) == 0;
    if (file && fclose(file) == 0 && written && rename(part, path) == 0)
        return true;
    scree_cli_refuse("run: cannot write '%s': %s", path, strerror(errno));
    unlink(part);
    return false;
}

// Reads the plan of an earlier sweep; null if there is none.
static char *read_plan(const struct sweep *sweep)
{
    char path[PATH + 32], *plan = NULL;
    size_t capacity = 0;
    snprintf(path, sizeof path, "%s/sweep.plan", sweep->folder);
    FILE *file = fopen(path, "r");
    // the plan has no zero byte, so this reads all of it
    if (file && getdelim(&plan, &capacity, 0, file) < 0) {
        free(plan);
        plan = NULL;
    }
    if (file)
        fclose(file);
    return plan;
}

// Refuses to mix results of different sweeps in a folder; returns false after printing what differs.
static bool compare_plans(const struct sweep *sweep, const char *earlier)
{
    const size_t head = strlen(plan_head);
    const char *earlier_scenes = strstr(earlier, plan_scene), *scenes = strstr(sweep->plan, plan_scene);
    if (strcmp(earlier, sweep->plan) == 0)
        return true;
    const bool same_variables = earlier_scenes && earlier_scenes - earlier == scenes - sweep->plan &&
                                strncmp(earlier, sweep->plan, (size_t)(scenes - sweep->plan)) == 0;
    if (same_variables)
        return scree_cli_refuse("run: '%s' has points of this sweep, but the scene has changed since: choose "
                                "another folder with --to, or start again with --force",
                                sweep->folder);
    const int length = earlier_scenes && strncmp(earlier, plan_head, head) == 0
                           ? (int)(earlier_scenes - earlier - (ptrdiff_t)head)
                           : 0;
    return scree_cli_refuse("run: '%s' has points of a different sweep: choose another folder with "
                            "--to, or start again with --force; that sweep was made with\n%.*s",
                            sweep->folder, length, earlier + (length > 0 ? head : 0));
}

// Finds out which points an earlier call of the same sweep has finished. Call it while the folder is locked,
// since another sweep may have written there before.
static bool find_finished(struct sweep *sweep)
{
    char path[PATH + 32];
    char *earlier = sweep->def.force ? NULL : read_plan(sweep);
    snprintf(path, sizeof path, "%s/sweep.csv", sweep->folder);
    if (!sweep->def.force && !earlier && access(path, F_OK) == 0)
        return scree_cli_refuse("run: '%s' exists: choose another folder with --to, or use --force", path);
    const bool good = !earlier || compare_plans(sweep, earlier);
    sweep->resumes = earlier && good;
    free(earlier);
    return good;
}

// Loads the results of finished points, or discards those of another sweep.
static bool load_finished(struct sweep *sweep)
{
    size_t finished = 0;
    for (size_t p = 0; !sweep->resumes && p < sweep->count; ++p)
        if (!scree_sweep_point_discard(&sweep->point[p], sweep->def.force))
            return false;
    for (size_t p = 0; sweep->resumes && p < sweep->count; ++p) {
        scree_sweep_point_load(&sweep->point[p]);
        finished += sweep->point[p].finished;
    }
    if (sweep->resumes && !scree_cli_has(sweep->line, "quiet"))
        printf("continues the sweep in %s: %zu of %zu points are finished\n", sweep->folder, finished,
               sweep->count);
    return sweep->resumes || write_plan(sweep);
}

// Checks the scene at all points before anything is written; prints the errors of the first invalid point.
// Makes the plan.
static bool check_all(struct sweep *sweep)
{
    struct scree_scene_variable variable[SCREE_CLI_MAX_OPTIONS + AXES];
    bool good = true;
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t p = 0; good && p < sweep->count; ++p) {
        const struct scree_scene_def def = scene_of(sweep, p, variable);
        struct scree_scene *scene = NULL;
        good = scree_load_file(sweep->def.path, &def, &scene);
        if (good && scree_scene_print(scene, add_to_hash, &hash) != SCREE_OK)
            good = scree_cli_refuse("%s", scree_status_message());
        add_to_hash(&hash, "\n");
        scree_scene_free(scene);
        if (good)
            continue;
        fprintf(stderr, "scree run: nothing was run, because of these errors at the point");
        for (size_t a = 0; a < sweep->axes; ++a)
            fprintf(stderr, " %s=%s", sweep->axis[a].name, value_at(sweep, p, a));
        fprintf(stderr, "\n");
    }
    return good && (make_plan(sweep, hash) || scree_cli_refuse("run: out of memory"));
}

static int prepare(struct sweep *sweep)
{
    if (!check_all(sweep))
        return SCREE_CLI_FAILED;
    const int error = scree_cli_make_folders(sweep->folder);
    if (error != 0)
        return scree_cli_fail(SCREE_CLI_FAILED, "run: cannot create the folder '%s': %s", sweep->folder,
                              strerror(error));
    if (!lock_folder(sweep))
        return SCREE_CLI_FAILED;
    if (!find_finished(sweep))
        return SCREE_CLI_FAILED;
    sweep->point = calloc(sweep->count, sizeof *sweep->point);
    for (size_t p = 0; p < sweep->count; ++p)
        if (!sweep->point || !name_point(sweep, p))
            return scree_cli_fail(SCREE_CLI_FAILED,
                                  "run: the folder name of a point is too long, or out of memory");
    return load_finished(sweep) ? SCREE_CLI_OK : SCREE_CLI_FAILED;
}

int scree_sweep_run(const struct scree_cli_line *line)
{
    struct sweep sweep = {.line = line, .lock = -1};
    int status = read_options(&sweep);
    if (status == SCREE_CLI_OK)
        status = prepare(&sweep);
    if (status == SCREE_CLI_OK) {
        block_signals(&sweep);
        status = run_points(&sweep);
    }
    for (size_t p = 0; sweep.point && p < sweep.count; ++p)
        scree_sweep_point_free(&sweep.point[p]);
    free(sweep.point);
    free(sweep.plan);
    if (sweep.lock >= 0)
        close(sweep.lock);
    for (size_t a = 0; a < sweep.axes; ++a)
        scree_sweep_axis_free(&sweep.axis[a]);
    return status;
}
