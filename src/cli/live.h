// Output of a run: a progress line, rewritten in place on a terminal and printed every 10 s otherwise; and a
// summary at the end: time spent in each part, and result files.

#ifndef SCREE_CLI_LIVE_H
#define SCREE_CLI_LIVE_H

#include "cli.h"

#include <scree/profile.h>
#include <scree/scene.h>

#include <signal.h>

enum { SCREE_LIVE_COLUMNS = 16, SCREE_LIVE_RESULTS = 256 };

struct scree_live {
    bool terminal, quiet; // the line can be rewritten in place; print nothing
    bool ended;           // the run was ended by a signal or a closed output
    bool not_started;     // it ended before its first step
    bool in_sweep; // a run of a sweep: a second signal must not kill it, since the terminal and the sweep
                   // both send a signal
    double start, last; // wall-clock time of the start and of the last line, s
    size_t columns;     // number of columns of --columns; 0: the default line
    const char *column[SCREE_LIVE_COLUMNS], *unit[SCREE_LIVE_COLUMNS];
    char *names; // storage of the column names
    struct scree_profile profile;
    size_t results;
    char *kind[SCREE_LIVE_RESULTS], *path[SCREE_LIVE_RESULTS];
};

// Reads --quiet and --columns; returns an exit status, after printing an error. Call scree_live_end in any
// case.
int scree_live_begin(const struct scree_cli_line *line, struct scree_live *live);
void scree_live_end(struct scree_live *live);

// Installs `function` as handler of SIGINT (Ctrl-C), SIGTERM, and SIGHUP unless it is ignored (nohup). With
// `once` a second signal kills the program. `signals`, which may be null, receives the set of these signals.
void scree_live_handle_signals(void (*function)(int), bool once, sigset_t *signals);

// Registers the callbacks in a run definition. From then on Ctrl-C interrupts the run; a second one kills the
// program.
void scree_live_attach(struct scree_live *live, struct scree_run_def *def);

// Returns the exit status of a run that ended with `status`: interrupted only if the run can be restarted
// from where it stopped, or did not start.
int scree_live_status(const struct scree_live *live, scree_status status);

// Prints the summary of a run that ended with `status`: steps and digest, time spent in each part, and
// results.
void scree_live_print_summary(const struct scree_live *live, const struct scree_world *world,
                              scree_status status);

// Seconds of a monotonic clock, and of the processor time of the calling thread.
double scree_live_now(void);
double scree_live_cpu(void);

#endif
