// Files that are there as a whole or not at all: written under another name beside the path, then renamed.
//
// What always holds: at every instant, whatever ends the process, the path holds what it held or all that was
// to be written. PATH.part is what a killed run may leave behind; the next writing takes it away. A failure
// names the path and the reason, and leaves no such file.

#ifndef SCREE_FILE_ATOMIC_H
#define SCREE_FILE_ATOMIC_H

#include "base/status.h"

#include <stdbool.h>

#define SCREE_KEEP_PART ".part"

struct scree_atomic_piece {
    const void *data;
    size_t size;
};

// Writes the pieces one after the other. `durable`: the file also survives a machine that stops right after
// the return. A full disk, and a limit on the size of files, are failures like others: no signal gets
// through.
SCREE_NODISCARD scree_status scree_atomic_write(const char *path, const struct scree_atomic_piece *piece,
                                                size_t count, bool durable);

// The same, durable, and what was at the path is kept as `previous`, unless that is null: one of the two is
// whole at any instant, and a failure leaves both as they were.
SCREE_NODISCARD scree_status scree_atomic_replace(const char *path, const char *previous,
                                                  const struct scree_atomic_piece *piece, size_t count);

// Whether there is nothing in the way of writing to a path so, and to `previous` unless that is null; changes
// nothing.
SCREE_NODISCARD scree_status scree_atomic_check(const char *path, const char *previous);

// Reads a regular file of at most `limit` bytes; `data` is freed by scree_memory_free, and is null where the
// file is empty or the call fails.
SCREE_NODISCARD scree_status scree_atomic_read(const char *path, size_t limit, void **data, size_t *size);

#endif
