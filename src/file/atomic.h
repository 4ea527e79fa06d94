// Atomic write: a file is written under a temporary name in the same folder, then renamed.
//
// Invariants: at any time the path has either the old or the complete new content, even if two processes
// write it. A killed process may leave PATH.part (part.h), which the next write removes; a failure leaves no
// temporary file. Folders, pipes, sockets and devices are never replaced.

#ifndef SCREE_FILE_ATOMIC_H
#define SCREE_FILE_ATOMIC_H

#include "base/status.h"

#include <stdbool.h>

struct scree_atomic_piece {
    const void *data;
    size_t size;
};

// Writes the pieces one after the other. Unless `previous` is null, the old file is kept under that name: at
// any time at least one of the two is complete, and a failure leaves both unchanged. `durable`: flush the
// file to disk, so that it survives a power failure after the return. A full disk and a file size limit are
// ordinary failures; SIGXFSZ is suppressed.
SCREE_NODISCARD scree_status scree_atomic_write(const char *path, const char *previous,
                                                const struct scree_atomic_piece *piece, size_t count,
                                                bool durable);

// Checks whether a path, and `previous` unless it is null, can be written; changes nothing.
SCREE_NODISCARD scree_status scree_atomic_check(const char *path, const char *previous);

// Reads a regular file of at most `limit` bytes. Free `data`, null if empty, by scree_memory_free.
SCREE_NODISCARD scree_status scree_atomic_read(const char *path, size_t limit, void **data, size_t *size);

#endif
