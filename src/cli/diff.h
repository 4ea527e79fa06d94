// Comparison of two results, one function for each kind of file.

#ifndef SCREE_CLI_DIFF_H
#define SCREE_CLI_DIFF_H

#include "cli.h"

// Kinds of result files, detected from their first bytes.
enum scree_diff_kind {
    SCREE_DIFF_NONE, // cannot be read
    SCREE_DIFF_CHECKPOINT,
    SCREE_DIFF_SERIES,
    SCREE_DIFF_FRAME,
    SCREE_DIFF_TEXT // a table, or another text file
};

enum scree_diff_kind scree_diff_kind(const char *path);

// The index of a series of frames, read one frame at a time.
enum { SCREE_DIFF_PATH = 4096 };

struct scree_diff_index {
    FILE *file;
    const char *path;           // borrowed
    char name[SCREE_DIFF_PATH]; // path of the current frame
    char time[64];              // as written in the file
    size_t line;                // number of the current line
    char ending[2];             // the last two characters that are not white space
    const char *error;          // error message; null while the index is valid
};

// Returns false, with errno set, if the file cannot be opened.
bool scree_diff_open(struct scree_diff_index *index, const char *path);

// Moves to the next frame. Returns false after the last one, or if the index is malformed.
bool scree_diff_next(struct scree_diff_index *index);

void scree_diff_close(struct scree_diff_index *index);

// Returns true if a text file is a scene.
bool scree_diff_is_scene(const char *path);

// Compare two files of the same kind, and print the first difference or "equal". Return the exit status: 0 if
// equal, 1 if different, 2 after printing an error if a file cannot be read.
int scree_diff_tables(const char *const path[2], double tolerance);
int scree_diff_checkpoints(const char *const path[2]);

#endif
