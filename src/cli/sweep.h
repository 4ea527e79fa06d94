// Parts of a parameter sweep: its axes, which are variables and their values; and its points, each a run in
// its own process and a row in the table of the sweep.

#ifndef SCREE_CLI_SWEEP_H
#define SCREE_CLI_SWEEP_H

#include "cli.h"

#include <scree/scene.h>

#include <signal.h>
#include <sys/types.h>

enum { SCREE_SWEEP_AXIS_MAX = 10000 }; // maximum number of values of an axis, and of points of a grid

struct scree_sweep_axis {
    char *name;
    char **value;
    size_t count;
};

// Reads an axis, "friction=0.1,0.3" or "friction=0.1:0.5:0.1", a range from the first to the second number in
// steps of the third. Numbers can have units; those of a range must have the same dimension. Prints an error
// and returns false if the text is malformed. Call scree_sweep_axis_free in any case.
bool scree_sweep_axis_read(const char *command, const char *text, struct scree_sweep_axis *axis);

// Returns the character that replaces `letter` in the name of a folder.
char scree_sweep_axis_folder_char(char letter);

// Returns true if two values are the same number or give the same folder name; `duplicate` and `previous`
// receive their indices.
bool scree_sweep_axis_find_duplicate(const struct scree_sweep_axis *axis, size_t *duplicate,
                                     size_t *previous);

void scree_sweep_axis_free(struct scree_sweep_axis *axis);

// --- points

enum { SCREE_SWEEP_POINT_TABLES = 32 };

struct scree_sweep_point {
    char *folder;       // of its results
    bool may_overwrite; // the folder was made by this sweep: unfinished results may be overwritten
    pid_t process;      // 0 unless running
    FILE *reply;        // temporary file by which the process returns its results to the sweep
    bool finished;
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

// Reads the results of a point that an earlier call of the same sweep has finished, and sets `finished`. The
// results are in the file sweep.point in its folder, which is empty while a point is not finished.
void scree_sweep_point_load(struct scree_sweep_point *point);

// Discards the results of a point of another sweep; with `force` this sweep may then overwrite all files in
// an existing folder. Prints an error and returns false if that fails.
bool scree_sweep_point_discard(const struct scree_sweep_point *point, bool force);

// Starts the run of a point; call it while the signals that end a sweep are blocked. Prints an error and
// returns false if it cannot be started. The process ends when the sweep ends, even if the sweep is killed.
// The output of the run goes to run.log in its folder.
bool scree_sweep_point_begin(struct scree_sweep_point *point, const struct scree_sweep_point_def *def,
                             const struct scree_scene_def *scene);

// Reads the results of a point whose process has ended with this status of waitpid, and stores them if it has
// succeeded.
void scree_sweep_point_end(struct scree_sweep_point *point, int wait_status);

void scree_sweep_point_free(struct scree_sweep_point *point);

#endif
