// What a run says while it is under way and when it is over: one live line on a terminal, else a line now and
// then; where the time went; where the results are.

#ifndef SCREE_CLI_LIVE_H
#define SCREE_CLI_LIVE_H

#include "cli.h"

#include <scree/profile.h>
#include <scree/scene.h>

#include <signal.h>

enum { SCREE_LIVE_COLUMNS = 16, SCREE_LIVE_RESULTS = 256 };

struct scree_live {
    bool terminal, quiet; // whether a line can be written over, and whether nothing is to be said
    bool ended;           // the run, by an interrupt or for want of a reader
    bool unbegun;         // it ended before its first step
    bool passed_on; // interrupts come from the terminal and once more from the sweep; none ends the program
    double begun, last; // s on the wall
    size_t columns;     // that were asked for; none: the usual line
    const char *column[SCREE_LIVE_COLUMNS], *unit[SCREE_LIVE_COLUMNS];
    char *names; // what these are cut out of
    struct scree_profile profile;
    size_t results;
    char *kind[SCREE_LIVE_RESULTS], *path[SCREE_LIVE_RESULTS];
};

// Reads --quiet and --columns; an exit status, after a diagnostic. To be ended in any case.
int scree_live_begin(const struct scree_cli_line *line, struct scree_live *live);
void scree_live_end(struct scree_live *live);

// Has `function` called for what asks a run to end: Ctrl-C, SIGTERM, and SIGHUP unless nohup keeps it away.
// With `once` the second one ends the program as it is. `signals`, which may be null, gets them.
void scree_live_take_signals(void (*function)(int), bool once, sigset_t *signals);

// Puts it into a definition. From here on Ctrl-C interrupts the run; a second one ends the program.
void scree_live_attach(struct scree_live *live, struct scree_run_def *def);

// The exit status of a run that ended so: it was interrupted only if it can go on from where it was, or
// has not begun.
int scree_live_status(const struct scree_live *live, scree_status status);

// Tells of a run that ended so: steps and digest of its world, where the time went, and the results.
void scree_live_sum_up(const struct scree_live *live, const struct scree_world *world, scree_status status);

// Seconds of a clock that only goes forward.
double scree_live_now(void);

#endif
