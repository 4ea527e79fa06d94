// Reads the index of a series of frames, one frame at a time.

#ifndef SCREE_CLI_INDEX_H
#define SCREE_CLI_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { SCREE_INDEX_PATH = 4096 };

struct scree_index {
    FILE *file;
    const char *path;            // borrowed
    char name[SCREE_INDEX_PATH]; // path of the current frame
    char time[64];               // as written in the file
    size_t line;
    char ending[2];     // the last two characters that are not white space
    const char *broken; // error message; null while the index is valid
};

// Returns false, with errno set, if the file cannot be opened.
bool scree_index_open(struct scree_index *index, const char *path);

// Moves to the next frame. Returns false after the last one, or if the index is malformed.
bool scree_index_next(struct scree_index *index);

void scree_index_close(struct scree_index *index);

#endif
