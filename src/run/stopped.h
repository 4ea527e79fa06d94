// The state of a run that was ended on the way and whose scene has no record that saves, or that an alarm has
// ended, in a file of its own beside the results: SCENE.stopped.chk, SCENE.stopped-2.chk and so on, the first
// of them that is free.
//
// What always holds: no state is lost. What is there stays, except that a run replaces the file that it went
// on from, for its own state is of later, and one that may write over results the first of them; the one
// before is kept then as a record keeps it. Of two runs that end at the same time each has another file.

#ifndef SCREE_RUN_STOPPED_H
#define SCREE_RUN_STOPPED_H

#include "base/status.h"

struct scree_digest;
struct scree_host;

// The checkpoint that a run goes on from: what its scene calls it, and the digest of its world.
struct scree_stopped_former {
    const char *record;
    const struct scree_digest *digest;
};

// Writes it and tells of it as a result; when this returns it is on the disk, or a failure says why not.
// `former` is null for a new run.
SCREE_NODISCARD scree_status scree_stopped_write(struct scree_host *host,
                                                 const struct scree_stopped_former *previous);

#endif
