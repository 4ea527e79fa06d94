// Time series of files: an index NAME.hdf.series, which ParaView opens, and a folder NAME with one file per
// frame, 000000.hdf, 000001.hdf, ...
//
// Before scree_series_check or scree_series_check_restart the caller sets `check_only`; all other members are
// set by these functions.
//
// Invariants: the index names only existing files, even if the process is killed: first the frame is written,
// then the index, both atomically. Files beyond the index, left by a killed run, are deleted when a run
// continues the series. The folder of the frames is locked (lock.h). Results of another run are overwritten
// only on request. scree_series_check and scree_series_check_restart change nothing on disk and report every
// error that can be foreseen.

#ifndef SCREE_FILE_SERIES_H
#define SCREE_FILE_SERIES_H

#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

struct scree_series {
    char *path;             // of the index
    char *folder;           // of the frames
    const char *name;       // of the folder, without its path
    SCREE_ARRAY(char) text; // lines of the index, one per frame
    uint64_t frames;        // number of the next frame
    uint64_t first;         // scree_series_begin deletes the frames from this number on
    bool must_be_new;       // fail if files of another run exist
    bool check_only;        // only check: take no locks
    bool locked;            // the folder of the frames is locked
    int lock;               // its descriptor, if locked
};

// Prepares a new series. Existing files are an error, or with `force` are deleted by scree_series_begin. Free
// it also after a failure.
SCREE_NODISCARD scree_status scree_series_check(struct scree_series *series, const char *folder,
                                                const char *name, bool force);

// Prepares to continue a series with frame number `frames`; scree_series_begin deletes existing frames from
// that number on. If there is no series, a new one begins with that number.
SCREE_NODISCARD scree_status scree_series_check_restart(struct scree_series *series, const char *folder,
                                                        const char *name, bool force, uint64_t frames);

// Creates the folder of the frames and locks it; fails if another run has written there since the check.
SCREE_NODISCARD scree_status scree_series_lock(struct scree_series *series);

// Locks the series and writes the index, new or truncated, and deletes the frames that are not in it.
SCREE_NODISCARD scree_status scree_series_begin(struct scree_series *series);

// Adds a frame: writes its file, then the index.
SCREE_NODISCARD scree_status scree_series_add(struct scree_series *series, double time, const void *image,
                                              size_t size);

void scree_series_free(struct scree_series *series);

#endif
