// Series of files in time: NAME.hdf.series, an index that ParaView opens, beside the folder NAME with a file
// for each frame, 000000.hdf, 000001.hdf, ...
//
// What always holds: the index names files that are there, whatever ends the process: a frame is put there
// first and then the index, each as a whole. What a killed run left behind beyond the index is nobody's and
// is taken away by the next one that goes on. The folder of the frames is held (lock.h). Results of another
// run stay unless they may be written over. A look changes nothing on disk, and refuses whatever can be known
// to fail.

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
    uint64_t first;         // from which on none stays as it begins
    bool held;              // the folder of the frames is
    int holding;            // then its descriptor
};

// Looks at where a series is to begin; what is there already is an error, or with `force` taken away later.
// To be freed also after a failure.
SCREE_NODISCARD scree_status scree_series_check(struct scree_series *series, const char *folder,
                                                const char *name, bool force);

// Looks at a series that goes on after the frames before number `frames`; what comes after them is taken away
// later. Where there is no such series one begins, with that number.
SCREE_NODISCARD scree_status scree_series_look_on(struct scree_series *series, const char *folder,
                                                  const char *name, bool force, uint64_t frames);

// Makes the index, or cuts it back, and takes away what is not in it.
SCREE_NODISCARD scree_status scree_series_begin(struct scree_series *series);

// Adds a frame: its file, then the index.
SCREE_NODISCARD scree_status scree_series_add(struct scree_series *series, double time, const void *image,
                                              size_t size);

void scree_series_free(struct scree_series *series);

#endif
