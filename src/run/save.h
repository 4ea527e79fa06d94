// The record `checkpoint`: where a run is, together with its world and its scene, in a file from which it
// goes on. In the group /run of the file (see checkpoint.h): which stage, when it began, how far every record
// had come, and the scene as it was written, with what it includes.
//
// What always holds: of each file the one before it is kept as PATH.previous, which is of an earlier step;
// one of the two is whole at any instant.

#ifndef SCREE_RUN_SAVE_H
#define SCREE_RUN_SAVE_H

#include "file/checkpoint.h"

struct scree_host;

// The mark of a record that did not run then.
#define SCREE_SAVE_NO_MARK UINT64_MAX

// Where a run was.
struct scree_save {
    double began; // s
    uint64_t began_step;
    uint64_t stage; // from 1
    double stage_start;
    uint64_t stage_first_step;
    uint64_t *marks; // of the records of the scene, in its order
    size_t records;
    char name[256];    // of the scene's file, without its folder
    double until;      // where the last stage was to end in place of what the scene says, s; or 0
    char record[1100]; // what this file is called in the scene
    char *scene;       // its text
    size_t length;
};

// Whether the scene of a run, as a checkpoint would have it, can be read back: with its includes and aliases
// it may have become too large. A failure tells why not.
SCREE_NODISCARD scree_status scree_save_try(struct scree_host *host);

// Has the run's writer write its state, as it is now, to `name` in its folder, beside its records. `any`: the
// one before may be of any step, for it may be of another run.
SCREE_NODISCARD scree_status scree_save_write(struct scree_host *host, const char *name, bool any);

// Opens a file; a failure also tells whether the one before it is whole.
SCREE_NODISCARD scree_status scree_save_open(struct scree_checkpoint *checkpoint, const char *path);

// Reads it back; to be freed also after a failure.
SCREE_NODISCARD scree_status scree_save_read(struct scree_checkpoint *checkpoint, struct scree_save *save);
void scree_save_free(struct scree_save *save);

#endif
