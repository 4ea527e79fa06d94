// Checkpoint of a run that was interrupted and has no checkpoint record, or that was ended by an alarm. It is
// written beside the results, to SCENE.stopped.chk, SCENE.stopped-2.chk and so on, the first free name.
//
// Invariant: no state is lost. Existing files are not overwritten, with two exceptions: a run replaces the
// file from which it was restarted, which is older than its state; and a run that may overwrite results
// replaces the first file. In both cases the replaced file is kept as PATH.previous, as for a checkpoint
// record. Two runs that end at the same time write to different files.

#ifndef SCREE_RUN_STOPPED_H
#define SCREE_RUN_STOPPED_H

#include "base/status.h"

struct scree_digest;
struct scree_host;

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
