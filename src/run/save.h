// The record `checkpoint`: the state of a run, its world and its scene, in a file for restarts. The group
// /run of the file (see checkpoint.h) contains the stage and its start, the position of each record, and the
// text of the scene with its included files.
//
// Invariant: the previous checkpoint, of an earlier step, is kept as PATH.previous; at any time at least one
// of the two files is valid.

#ifndef SCREE_RUN_SAVE_H
#define SCREE_RUN_SAVE_H

#include "file/checkpoint.h"

struct scree_host;

// The mark of a record that was not active.
#define SCREE_SAVE_NO_MARK UINT64_MAX

// The state of a run in a checkpoint.
struct scree_save {
    double began; // s
    uint64_t began_step;
    uint64_t stage; // from 1
    double stage_start;
    uint64_t stage_first_step;
    uint64_t *marks; // positions of the records, in the order of the scene
    size_t records;
    char name[256];    // file name of the scene, without its folder
    double until;      // end time that overrides the scene, s; 0 for none
    char record[1100]; // path of this checkpoint in the scene
    char *scene;       // text of the scene
    size_t length;
};

// Checks that the scene, as written to a checkpoint, could be read back: with includes and aliases expanded
// it may be too large.
SCREE_NODISCARD scree_status scree_save_try(struct scree_host *host);

// Writes the current state to `name` in the folder of the run, in the thread of the writer. `any`: keep an
// existing file as the previous one whatever its step number, since it can be from another run.
SCREE_NODISCARD scree_status scree_save_write(struct scree_host *host, const char *name, bool any);

// Opens a checkpoint; on failure the message names the previous checkpoint if that is valid.
SCREE_NODISCARD scree_status scree_save_open(struct scree_checkpoint *checkpoint, const char *path);

// Reads the state of the run; to be freed also after a failure.
SCREE_NODISCARD scree_status scree_save_read(struct scree_checkpoint *checkpoint, struct scree_save *save);
void scree_save_free(struct scree_save *save);

#endif
