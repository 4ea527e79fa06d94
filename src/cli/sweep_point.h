// One point of a sweep: a run in a process of its own, and the row that it leaves.

#ifndef SCREE_CLI_SWEEP_POINT_H
#define SCREE_CLI_SWEEP_POINT_H

#include "cli.h"

#include <scree/scene.h>

#include <signal.h>
#include <sys/types.h>

enum { SCREE_SWEEP_POINT_TABLES = 32 };

struct scree_sweep_point {
    char *folder;  // of its results
    pid_t process; // 0 before it was begun and when it is over
    FILE *answer;  // what the process writes for the sweep
    bool over;
    int status; // the exit status of its run
    double seconds;
    unsigned long long steps;
    char digest[33];
    size_t tables;
    char *header[SCREE_SWEEP_POINT_TABLES], *last[SCREE_SWEEP_POINT_TABLES]; // of its tables, lines
};

// How all points are run.
struct scree_sweep_point_def {
    const char *path; // of the scene
    int threads;
    bool force;
    sigset_t blocked; // signals, while a run is under way
};

// Begins the run of a point, to be called while the signals that end a sweep are blocked; false after a
// diagnostic. What the run says goes into run.log in its folder.
bool scree_sweep_point_begin(struct scree_sweep_point *point, const struct scree_sweep_point_def *def,
                             const struct scree_scene_def *scene);

// Its process has ended so, as waitpid tells: reads what it left.
void scree_sweep_point_end(struct scree_sweep_point *point, int wait_status);

void scree_sweep_point_free(struct scree_sweep_point *point);

#endif
