// Two results side by side: what each kind of file is compared by.

#ifndef SCREE_CLI_DIFF_H
#define SCREE_CLI_DIFF_H

#include "cli.h"

// Kinds of files that results lie in, told by how they begin.
enum scree_diff_kind {
    SCREE_DIFF_NONE, // cannot be read
    SCREE_DIFF_CHECKPOINT,
    SCREE_DIFF_SERIES,
    SCREE_DIFF_FRAME,
    SCREE_DIFF_TEXT // a table, or whatever else people read
};

enum scree_diff_kind scree_diff_kind(const char *path);

// Whether a text is a scene.
bool scree_diff_is_scene(const char *path);

// Each compares two files of a kind, tells the first difference or that there is none, and returns the exit
// status: 0 equal, 1 not, 2 where one of them cannot be read, after a diagnostic.
int scree_diff_tables(const char *const path[2], double tolerance);
int scree_diff_checkpoints(const char *const path[2]);
int scree_diff_series(const char *const path[2]);
int scree_diff_frames(const char *const path[2]);

#endif
