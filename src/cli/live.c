// Output of a run on the terminal, see live.h.

#include "live.h"

#include "live_line.h"
#include "quote.h"

#include <scree/scree.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    interrupted = signal;
}

int scree_live_status(const struct scree_live *live, scree_status status)
{
    // SCREE_ERROR_STATE comes from report_progress; any other error means that the checkpoint was not written
    return status == SCREE_OK                            ? SCREE_CLI_OK
           : !live->ended || status != SCREE_ERROR_STATE ? SCREE_CLI_FAILED
           : live->unbegun                               ? SCREE_CLI_NOT_STARTED
                                                         : SCREE_CLI_INTERRUPTED;
}

double scree_live_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// --- the progress line

// Splits the list of --columns and looks up each name among the columns of tables.
static bool read_columns(const struct scree_cli_line *line, const char *list, struct scree_live *live)
{
    const char *known[256];
    size_t count = 0;
    struct scree_scene_column column;
    for (; count < 256 && scree_scene_column_at(count, &column); ++count)
        known[count] = column.name;
    live->names = strdup(list);
    for (char *name = live->names ? strtok(live->names, ",") : NULL; name; name = strtok(NULL, ",")) {
        size_t c = 0;
        while (c < count && strcmp(known[c], name) != 0)
            ++c;
        if (c == count) {
            fprintf(stderr, "scree %s: there is no column '%s'; ", line->command->name, name);
            scree_cli_suggest(name, known, count, "`scree help columns` lists them");
            return false;
        }
        if (live->columns == SCREE_LIVE_COLUMNS) {
            fprintf(stderr, "scree %s: --columns takes at most %d columns\n", line->command->name,
                    (int)SCREE_LIVE_COLUMNS);
            return false;
        }
        (void)scree_scene_column_at(c, &column);
        live->unit[live->columns] = column.unit;
        live->column[live->columns++] = name;
    }
    if (live->columns > 0)
        return true;
    fprintf(stderr, "scree %s: --columns takes names separated by commas, as in --columns time,kinetic\n",
            line->command->name);
    return false;
}

int scree_live_begin(const struct scree_cli_line *line, struct scree_live *live)
{
    *live =
        (struct scree_live){.terminal = scree_live_line_is_terminal(), .quiet = scree_cli_has(line, "quiet")};
    const char *columns = scree_cli_value(line, "columns");
    return !columns || read_columns(line, columns, live) ? SCREE_CLI_OK : SCREE_CLI_USAGE;
}

void scree_live_end(struct scree_live *live)
{
    free(live->names);
    for (size_t r = 0; r < live->results; ++r) {
        free(live->kind[r]);
        free(live->path[r]);
    }
}

static scree_status report_progress(void *user, const struct scree_progress *progress)
{
    struct scree_live *live = (struct scree_live *)user;
    const bool over = progress->stage_share >= 1;
    live->ended = interrupted;
    if (interrupted)
        return scree_status_fail(SCREE_ERROR_STATE, "interrupted at %g s, in step %llu", progress->time,
                                 (unsigned long long)progress->steps);
    // in a file, a line every 10 s and at the end of a stage is enough
    if (live->quiet || (!live->terminal && !over && scree_live_now() - live->last < 10))
        return SCREE_OK;
    live->last = scree_live_now();
    if (live->terminal)
        printf("\r");
    scree_live_line_print(live, progress);
    printf("%s%s", live->terminal ? "\033[K" : "", live->terminal && !over ? "" : "\n");
    if (fflush(stdout) == 0 && !ferror(stdout))
        return SCREE_OK;
    live->ended = true;
    const scree_status status =
        scree_status_fail(SCREE_ERROR_STATE,
                          "cannot write to standard output (%s): the run was stopped at %g s, in step %llu; "
                          "use --quiet to run without output",
                          strerror(errno), progress->time, (unsigned long long)progress->steps);
    // report this once and discard all further output
    live->quiet = true;
    (void)!freopen("/dev/null", "w", stdout);
    return status;
}

static bool is_interrupted(void *user)
{
    struct scree_live *live = (struct scree_live *)user;
    live->ended = interrupted;
    live->unbegun = interrupted;
    return interrupted;
}

static void print_warning(void *user, const char *text)
{
    const struct scree_live *live = (const struct scree_live *)user;
    // clear the progress line first; the next report prints it again
    if (live->terminal && !live->quiet) {
        printf("\r\033[K");
        (void)fflush(stdout);
    }
    fprintf(stderr, "scree: warning: %s\n", text);
}

static void print_alarm(void *user, const struct scree_alarm *alarm)
{
    print_warning(user, alarm->text);
}

// --- the end

static void add_result(void *user, const char *kind, const char *path)
{
    struct scree_live *live = (struct scree_live *)user;
    if (live->results == SCREE_LIVE_RESULTS)
        return;
    live->kind[live->results] = strdup(kind);
    // drop a leading "./", unless the name would then look like an option
    live->path[live->results] = strdup(strncmp(path, "./", 2) == 0 && path[2] != '-' ? path + 2 : path);
    live->results += live->kind[live->results] && live->path[live->results];
}

void scree_live_handle_signals(void (*function)(int), bool once, sigset_t *signals)
{
    static const int all[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction action = {.sa_handler = function, .sa_flags = once ? (int)SA_RESETHAND : 0};
    struct sigaction before;
    if (signals)
        sigemptyset(signals);
    for (size_t s = 0; s < sizeof all / sizeof all[0]; ++s) {
        const bool ignored = sigaction(all[s], NULL, &before) == 0 && before.sa_handler == SIG_IGN;
        if (ignored && all[s] == SIGHUP)
            continue;
        sigaction(all[s], &action, NULL);
        if (signals)
            sigaddset(signals, all[s]);
    }
}

void scree_live_attach(struct scree_live *live, struct scree_run_def *def)
{
    // handle file size limits and closed pipes as write errors, like a full disk
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    scree_live_handle_signals(interrupt, !live->forwarded, NULL);
    def->function = report_progress;
    def->ended = is_interrupted;
    def->alarm = print_alarm;
    def->result = add_result;
    def->warn = print_warning;
    def->user = live;
    def->profile = &live->profile;
    def->columns = live->column;
    def->column_count = live->columns;
    live->start = scree_live_now();
}

static void print_part(const char *name, double seconds, double total)
{
    // parts below 0.05 % are included in the rest
    if (seconds > 0.0005 * total)
        printf("  %-24s%10.3f %6.1f %%\n", name, seconds, 100 * seconds / total);
}

static void print_profile(const struct scree_profile *profile)
{
    double rest = profile->total;
    // a run that did not start has no profile
    if (!(profile->total > 0) || profile->steps == 0)
        return;
    printf("time spent in                    s\n");
    for (size_t part = 0; part < SCREE_PROFILE_PARTS; ++part) {
        const double seconds = profile->seconds[part];
        print_part(scree_profile_name(part), seconds, profile->total);
        rest -= seconds > 0.0005 * profile->total ? seconds : 0;
    }
    print_part("rest", rest, profile->total);
}

static bool ends_with(const char *text, const char *end)
{
    return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

static void print_results(const struct scree_live *live)
{
    size_t series = 0;
    if (live->results > 0)
        printf("results\n");
    for (size_t r = 0; r < live->results; ++r) {
        printf("  %-12s %s\n", live->kind[r], live->path[r]);
        series += ends_with(live->path[r], ".series");
    }
    if (series > 0)
        printf("open them with\n  paraview");
    for (size_t r = 0; r < live->results; ++r)
        if (ends_with(live->path[r], ".series")) {
            printf(" ");
            scree_quote_path(stdout, live->path[r]);
        }
    printf("%s", series > 0 ? "\n" : "");
}

// Prints how to restart a run that was interrupted or ended by a write error: from its last checkpoint, or
// from the previous one if the last could not be written.
static void print_restart(const struct scree_live *live, scree_status status)
{
    struct scree_checkpoint_facts facts;
    size_t r = live->results;
    while (r > 0 && strcmp(live->kind[r - 1], "checkpoint") != 0)
        --r;
    if (r == 0)
        return;
    const char *path = live->path[r - 1];
    if (scree_live_status(live, status) == SCREE_CLI_INTERRUPTED)
        printf("continue with\n  scree restart ");
    else if (scree_checkpoint_info(path, &facts) == SCREE_OK)
        printf("continue from the last complete checkpoint, at %g s, with\n  scree restart ", facts.time);
    else
        return;
    scree_quote_path(stdout, path);
    printf("\n");
}

void scree_live_print_summary(const struct scree_live *live, const struct scree_world *world,
                              scree_status status)
{
    struct scree_digest digest;
    if (live->quiet)
        return;
    if (world && scree_world_digest(world, &digest) == SCREE_OK)
        printf("%llu steps in %.3g s; digest %016llx%016llx\n", (unsigned long long)scree_world_steps(world),
               scree_live_now() - live->start, (unsigned long long)digest.high,
               (unsigned long long)digest.low);
    print_profile(&live->profile);
    print_results(live);
    if (live->ended || status == SCREE_ERROR_IO)
        print_restart(live, status);
}
