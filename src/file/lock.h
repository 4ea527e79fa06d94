// Locks on files and folders that a run writes to, so that no other run truncates them or writes in between.
// The locks are advisory (flock): reading is not affected, and they end with the process, however it ends.

#ifndef SCREE_FILE_LOCK_H
#define SCREE_FILE_LOCK_H

#include "base/status.h"

// Locks an open file until it is closed; fails if another process has the lock.
SCREE_NODISCARD scree_status scree_lock_file(int file, const char *path);

// Locks a folder until its descriptor is closed; the descriptor is -1 after a failure.
SCREE_NODISCARD scree_status scree_lock_folder(const char *path, int *folder);

#endif
