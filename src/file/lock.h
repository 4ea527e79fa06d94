// Locks on files and folders that a run writes to, so that no other run truncates or replaces them or writes
// in between. The locks are advisory (flock): reading is not affected, and they end with the process, however
// it ends.
//
// A file that is written in place is locked itself. A file that is replaced as a whole, such as a checkpoint,
// and a set of numbered files are locked by an empty file PATH.lock, which is deleted at the end of the run.
// A killed run leaves that file, but not its lock, so the file blocks no later run.

#ifndef SCREE_FILE_LOCK_H
#define SCREE_FILE_LOCK_H

#include "base/status.h"

#include <stdbool.h>

#define SCREE_LOCK_ENDING ".lock"

// Tries to lock an open file until it is closed. NONE: the file system has no locks, as on some shared disks.
enum scree_lock { SCREE_LOCK_TAKEN, SCREE_LOCK_BUSY, SCREE_LOCK_NONE };
enum scree_lock scree_lock_try(int file);

// Locks an open file until it is closed; fails if another run has the lock, and names its process if that is
// known.
SCREE_NODISCARD scree_status scree_lock_file(int file, const char *path);

// Locks a folder until its descriptor is closed; the descriptor is -1 after a failure.
SCREE_NODISCARD scree_status scree_lock_folder(const char *path, int *folder);

// Fails if another run has locked the file at `path`, or its PATH.lock; changes nothing. Missing files are
// not locked.
SCREE_NODISCARD scree_status scree_lock_check(const char *path);

// The lock of a path whose files are replaced; all zero if it is not locked.
struct scree_lock_path {
    char *name; // PATH.lock
    int file;
};

// Locks a path by its PATH.lock, in a folder that exists; does nothing if it is locked already.
SCREE_NODISCARD scree_status scree_lock_path(struct scree_lock_path *lock, const char *path);

// Deletes PATH.lock and ends the lock, if there is one.
void scree_lock_release(struct scree_lock_path *lock);

// Returns whether a path still names this open file.
bool scree_lock_is_at(int file, const char *path);

#endif
