// Series of files in time: NAME.hdf.series, an index that ParaView opens, beside the folder NAME with a file
// for each frame, 000000.hdf, 000001.hdf, ...
//
// What always holds: the index names files that are there, whatever ends the process: a frame is put there
// first and then the index, each as a whole. What a killed run left behind beyond the index is nobody's and
// is taken away by the next one that goes on. Results of another run stay unless they may be written over.

#ifndef SCREE_FILE_SERIES_H
#define SCREE_FILE_SERIES_H

#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

struct scree_series {
    char *path;             // of the index
    char *folder;           // of the frames
    const char *name;       // of that folder, within its own
    SCREE_ARRAY(char) text; // lines of the index: one frame each
    uint64_t frames;        // the number of the next
};

// Begins a series; what is there already is an error, or with `force` taken away.
SCREE_NODISCARD scree_status scree_series_open(struct scree_series *series, const char *folder,
                                               const char *name, bool force);

// Goes on after the frames before number `frames`, and takes away what comes after them. Where there is no
// such series one begins, with that number.
SCREE_NODISCARD scree_status scree_series_cut(struct scree_series *series, const char *folder,
                                              const char *name, uint64_t frames);

// Adds a frame: its file, then the index.
SCREE_NODISCARD scree_status scree_series_add(struct scree_series *series, double time, const void *image,
                                              size_t size);

void scree_series_free(struct scree_series *series);

#endif
