// The index of a series of frames, frame by frame.

#ifndef SCREE_CLI_INDEX_H
#define SCREE_CLI_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { SCREE_INDEX_PATH = 4096 };

struct scree_index {
    FILE *file;
    const char *path;            // borrowed
    char name[SCREE_INDEX_PATH]; // the path of the present frame
    char time[64];               // as it is written
    size_t line;
    char ending[2];     // the last letters but blanks
    const char *broken; // what is wrong with it; null for nothing
};

// False, with the reason in errno, where there is none.
bool scree_index_open(struct scree_index *index, const char *path);

// Goes to the next frame. False past the last one, and where the index is broken.
bool scree_index_next(struct scree_index *index);

void scree_index_close(struct scree_index *index);

#endif
