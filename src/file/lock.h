// Files and folders that a run keeps to itself while it writes there, so that no other run cuts them or
// writes between. It is told to whoever asks (flock), hinders nobody who only reads, and ends with the
// process, however that ends.

#ifndef SCREE_FILE_LOCK_H
#define SCREE_FILE_LOCK_H

#include "base/status.h"

// Holds an open file, until it is closed; refused where another has it.
SCREE_NODISCARD scree_status scree_lock_file(int file, const char *path);

// Holds a folder, until its descriptor, which is -1 after a failure, is closed.
SCREE_NODISCARD scree_status scree_lock_folder(const char *path, int *folder);

#endif
