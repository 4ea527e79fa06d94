// Output of a run on the terminal, see live.h.

#include "live.h"

#include <scree/scene.h>
#include <scree/scree.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    interrupted = signal;
}

int scree_live_status(const struct scree_live *live, scree_status status)
{
    // an interrupted run fails with SCREE_ERROR_STATE; another error means that its checkpoint was not
    // written
    return status == SCREE_OK                            ? SCREE_CLI_OK
           : !live->ended || status != SCREE_ERROR_STATE ? SCREE_CLI_FAILED
           : live->not_started                           ? SCREE_CLI_NOT_STARTED
                                                         : SCREE_CLI_INTERRUPTED;
}

static double read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double scree_live_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double scree_live_cpu(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

// --- the progress line
//
// Invariant: on a terminal the line leaves the last column free, so that it can be rewritten in place. Parts
// that do not fit are printed in a shorter form, then left out, the least important first.

enum { PARTS = SCREE_LIVE_COLUMNS + 8, TEXT_SIZE = 128 };

enum form { LONG, SHORT, LEFT_OUT };

struct part {
    char text[2][TEXT_SIZE]; // the long form and the short one
    size_t rank;             // 0 for the most important part, which is never left out
    enum form form;
};

struct parts {
    size_t count;
    struct part part[PARTS];
};

// Returns true if standard output is a terminal that can rewrite a line.
static bool is_terminal(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDOUT_FILENO) && kind && kind[0] && strcmp(kind, "dumb") != 0;
}

// Returns the maximum number of characters of a line.
static size_t width(void)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    long count = columns ? strtol(columns, NULL, 10) : 0;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        count = size.ws_col;
    return count > 1 && count < 100000 ? (size_t)count - 1 : count == 1 ? 1 : 79;
}

static size_t length_of(const struct part *part)
{
    return part->form == LEFT_OUT ? 0 : strlen(part->text[part->form]);
}

// Returns the least important part that can still be changed to a form; null if there is none.
static struct part *find(struct parts *parts, enum form form)
{
    struct part *found = NULL;
    for (size_t p = 0; p < parts->count; ++p) {
        struct part *part = &parts->part[p];
        const bool possible = form == SHORT ? part->form == LONG : part->form != LEFT_OUT && part->rank > 0;
        if (possible && (!found || part->rank > found->rank))
            found = part;
    }
    return found;
}

// Shortens parts, then leaves parts out, until the line has at most `max_length` characters.
static void fit(struct parts *parts, size_t max_length)
{
    for (;;) {
        size_t length = 0;
        for (size_t p = 0; p < parts->count; ++p)
            length += length_of(&parts->part[p]);
        struct part *part = length > max_length ? find(parts, SHORT) : NULL;
        if (part) {
            part->form = SHORT;
            continue;
        }
        part = length > max_length ? find(parts, LEFT_OUT) : NULL;
        if (!part)
            return;
        part->form = LEFT_OUT;
    }
}

static struct part *add(struct parts *parts, size_t rank)
{
    struct part *part = &parts->part[parts->count++];
    part->rank = rank;
    return part;
}

// the estimated remaining time
static void add_remaining(struct parts *parts, size_t rank, double seconds)
{
    char time[32] = "--:--";
    struct part *part = add(parts, rank);
    if (seconds < 3600)
        snprintf(time, sizeof time, "%02d:%02d", (int)seconds / 60, (int)seconds % 60);
    else if (seconds < 360000)
        snprintf(time, sizeof time, "%02d:%02d:%02d", (int)seconds / 3600, (int)seconds / 60 % 60,
                 (int)seconds % 60);
    snprintf(part->text[LONG], TEXT_SIZE, "  %8s", time);
    snprintf(part->text[SHORT], TEXT_SIZE, "  %s", time);
}

static void add_stage(struct parts *parts, size_t rank, const struct scree_progress *progress)
{
    if (progress->stages < 2)
        return;
    struct part *part = add(parts, rank);
    snprintf(part->text[LONG], TEXT_SIZE, "  stage %zu of %zu", progress->stage, progress->stages);
    snprintf(part->text[SHORT], TEXT_SIZE, "  stage %zu/%zu", progress->stage, progress->stages);
}

static void add_share(struct parts *parts, size_t rank, double share)
{
    struct part *part = add(parts, rank);
    snprintf(part->text[LONG], TEXT_SIZE, " %5.1f %%", 100 * share);
    snprintf(part->text[SHORT], TEXT_SIZE, " %.1f %%", 100 * share);
}

static void add_default_parts(struct parts *parts, const struct scree_progress *progress)
{
    struct part *part = add(parts, 0);
    snprintf(part->text[LONG], TEXT_SIZE, "%10.4g s", progress->time);
    snprintf(part->text[SHORT], TEXT_SIZE, "%.4g s", progress->time);
    add_share(parts, 1, progress->fraction);
    part = add(parts, 3);
    snprintf(part->text[LONG], TEXT_SIZE, "  %9.3g steps/s", progress->rate);
    snprintf(part->text[SHORT], TEXT_SIZE, "  %.3g steps/s", progress->rate);
    part = add(parts, 6);
    snprintf(part->text[LONG], TEXT_SIZE, "  %zu contacts", progress->contacts);
    snprintf(part->text[SHORT], TEXT_SIZE, "  %zu contacts", progress->contacts);
    part = add(parts, 4);
    snprintf(part->text[LONG], TEXT_SIZE, "  energy error %8.1e", progress->error);
    snprintf(part->text[SHORT], TEXT_SIZE, "  error %.1e", progress->error);
    add_stage(parts, 5, progress);
    add_remaining(parts, 2, progress->remaining);
}

// The line of --columns; the chosen columns have the highest priority.
static void add_chosen_parts(struct parts *parts, const struct scree_live *live,
                             const struct scree_progress *progress)
{
    for (size_t c = 0; c < live->columns; ++c) {
        struct part *part = add(parts, c);
        for (enum form form = LONG; form <= SHORT; ++form)
            snprintf(part->text[form], TEXT_SIZE, "%s %.4g%s%s  ", live->column[c], progress->values[c],
                     live->unit[c][0] ? " " : "", live->unit[c]);
    }
    add_share(parts, live->columns, progress->fraction);
    add_stage(parts, live->columns + 2, progress);
    add_remaining(parts, live->columns + 1, progress->remaining);
}

// Prints the line without a newline.
static void print_line(const struct scree_live *live, const struct scree_progress *progress)
{
    struct parts parts = {0};
    size_t space = live->terminal ? width() : (size_t)TEXT_SIZE * PARTS;
    if (live->columns > 0)
        add_chosen_parts(&parts, live, progress);
    else
        add_default_parts(&parts, progress);
    fit(&parts, space);
    for (size_t p = 0; p < parts.count; ++p) {
        const size_t length = length_of(&parts.part[p]), printed = length < space ? length : space;
        if (parts.part[p].form != LEFT_OUT)
            printf("%.*s", (int)printed, parts.part[p].text[parts.part[p].form]);
        space -= printed;
    }
}

// --- the callbacks of a run

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
        if (live->columns == SCREE_LIVE_COLUMNS)
            return scree_cli_refuse("%s: --columns takes at most %d columns", line->command->name,
                                    (int)SCREE_LIVE_COLUMNS);
        (void)scree_scene_column_at(c, &column);
        live->unit[live->columns] = column.unit;
        live->column[live->columns++] = name;
    }
    if (live->columns > 0)
        return true;
    return scree_cli_refuse("%s: --columns takes names separated by commas, as in --columns time,kinetic",
                            line->command->name);
}

int scree_live_begin(const struct scree_cli_line *line, struct scree_live *live)
{
    *live = (struct scree_live){.terminal = is_terminal(), .quiet = scree_cli_has(line, "quiet")};
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
    const bool stage_ended = progress->stage_fraction >= 1;
    live->ended = interrupted;
    if (interrupted)
        return scree_status_fail(SCREE_ERROR_STATE, "interrupted at %g s, in step %llu", progress->time,
                                 (unsigned long long)progress->steps);
    // in a file, a line every 10 s and at the end of a stage is enough
    if (live->quiet || (!live->terminal && !stage_ended && scree_live_now() - live->last < 10))
        return SCREE_OK;
    live->last = scree_live_now();
    if (live->terminal)
        printf("\r");
    print_line(live, progress);
    printf("%s%s", live->terminal ? "\033[K" : "", live->terminal && !stage_ended ? "" : "\n");
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
    live->not_started = interrupted;
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
    scree_live_handle_signals(interrupt, !live->in_sweep, NULL);
    def->function = report_progress;
    def->cancelled = is_interrupted;
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
    for (size_t r = 0; r < live->results; ++r)
        printf("  %-12s %s\n", live->kind[r], live->path[r]);
    for (size_t r = 0; r < live->results; ++r)
        if (ends_with(live->path[r], ".series"))
            scree_cli_quote_path(stdout, series++ > 0 ? " " : "open them with\n  paraview ", live->path[r],
                                 "");
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
        printf("continue with\n");
    else if (scree_checkpoint_info(path, &facts) == SCREE_OK)
        printf("continue from the last complete checkpoint, at %g s, with\n", facts.time);
    else
        return;
    scree_cli_quote_path(stdout, "  scree restart ", path, "\n");
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
