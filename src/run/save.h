// The record `checkpoint`: the state of a run, its world and its scene, in a file for restarts. The group
// /run of the file (see checkpoint.h) contains the stage and its start, the position of each record, and the
// text of the scene with its included files.
//
// Invariant: the previous checkpoint, of an earlier step, is kept as PATH.previous; at any time at least one
// of the two files is valid.

#ifndef SCREE_RUN_SAVE_H
#define SCREE_RUN_SAVE_H

#include "file/checkpoint.h"

struct scree_digest;
struct scree_host;

// The state of a run in a checkpoint.
struct scree_save {
    double run_start; // s
    uint64_t run_first_step;
    uint64_t stage;     // from 1
    double stage_start; // s
    uint64_t stage_first_step;
    uint64_t *marks; // positions of the records, in the order of the scene
    size_t records;
    char name[256];    // file name of the scene, without its folder
    double until;      // end time that overrides the scene, s; 0 for none
    char record[1100]; // path of this checkpoint in the scene
    char *scene;       // text of the scene
    size_t length;
};

// Checks that the scene could be read back from a checkpoint: with includes and aliases expanded it may be
// too large.
SCREE_NODISCARD scree_status scree_save_check_scene(struct scree_host *host);

// Writes the current state to `name` in the folder of the run, in the thread of the writer. `keep_any`: keep
// an existing file as the previous one even if its step number is not lower, since it can be from another
// run.
SCREE_NODISCARD scree_status scree_save_write(struct scree_host *host, const char *name, bool keep_any);

// Opens a checkpoint; on failure the message names the previous checkpoint if that is valid.
SCREE_NODISCARD scree_status scree_save_open(struct scree_checkpoint *checkpoint, const char *path);

// Reads the state of the run; to be freed also after a failure.
SCREE_NODISCARD scree_status scree_save_read(struct scree_checkpoint *checkpoint, struct scree_save *save);
void scree_save_free(struct scree_save *save);

// --- the checkpoint of a run that was interrupted and has no checkpoint record, or that was ended by an
// alarm
//
// It is written beside the results, to the first free name of SCENE.stopped.chk, SCENE.stopped-2.chk and so
// on. Existing files are not overwritten, with two exceptions: a run replaces the file from which it was
// restarted, which is older than its state, and a run that may overwrite results replaces the first file. No
// state is lost, since the replaced file is kept as PATH.previous, as for a checkpoint record. Two runs that
// end at the same time write to different files.

// The checkpoint from which a run was restarted: its name in the scene, and the digest of its world.
struct scree_stopped_previous {
    const char *record;
    const struct scree_digest *digest;
};

// Writes the checkpoint, waits until it is on disk, and reports it as a result. `previous` is null for a run
// that was not restarted.
SCREE_NODISCARD scree_status scree_stopped_write(struct scree_host *host,
                                                 const struct scree_stopped_previous *previous);

#endif
