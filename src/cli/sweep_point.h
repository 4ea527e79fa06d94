// One point of a sweep: a run in its own process, and its row in the table of the sweep.

#ifndef SCREE_CLI_SWEEP_POINT_H
#define SCREE_CLI_SWEEP_POINT_H

#include "cli.h"

#include <scree/scene.h>

#include <signal.h>
#include <sys/types.h>

enum { SCREE_SWEEP_POINT_TABLES = 32 };

struct scree_sweep_point {
    char *folder;  // of its results
    pid_t process; // 0 unless running
    FILE *answer;  // temporary file by which the process returns its results to the sweep
    bool over;
    int status; // exit status of the run
    double seconds;
    unsigned long long steps;
    char digest[33];
    size_t tables;
    char *header[SCREE_SWEEP_POINT_TABLES],
        *last[SCREE_SWEEP_POINT_TABLES]; // first and last line of its tables
};

// Options common to all points.
struct scree_sweep_point_def {
    const char *path; // of the scene
    int threads;
    bool force;
    sigset_t blocked; // signal mask of a run
};

// Starts the run of a point; call it while the signals that end a sweep are blocked. Prints an error and
// returns false if it cannot be started. The output of the run goes to run.log in its folder.
bool scree_sweep_point_begin(struct scree_sweep_point *point, const struct scree_sweep_point_def *def,
                             const struct scree_scene_def *scene);

// Reads the results of a point whose process has ended with this status of waitpid.
void scree_sweep_point_end(struct scree_sweep_point *point, int wait_status);

void scree_sweep_point_free(struct scree_sweep_point *point);

#endif
