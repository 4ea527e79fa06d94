// Files that grow during a run: tables and dumps.
//
// Invariants: scree_append_check changes nothing on disk and reports every error that can be foreseen; only
// scree_append_begin creates, empties or truncates the file. The file is locked (lock.h) from
// scree_append_check on, unless that only looks. An existing file is overwritten only on request.

#ifndef SCREE_FILE_APPEND_H
#define SCREE_FILE_APPEND_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct scree_append {
    const char *what; // for messages, as "table"; borrowed
    char *path;
    FILE *file;      // null as long as there is no file
    uint64_t size;   // in bytes, when it was opened
    uint64_t length; // in bytes, to which scree_append_begin truncates it, at most `size`
};

enum scree_append_mode {
    SCREE_APPEND_NEW,       // fail if the file exists
    SCREE_APPEND_OVERWRITE, // overwrite an existing file
    SCREE_APPEND_CONTINUE   // continue an existing file after `length` bytes; the caller sets `length`
};

// Checks, and if it exists opens, the file `name` in a folder. `looks`: without a lock, and
// scree_append_begin is not called. Close it also after a failure.
SCREE_NODISCARD scree_status scree_append_check(struct scree_append *append, const char *what,
                                                const char *folder, const char *name,
                                                enum scree_append_mode mode, bool looks);

// Creates the file with its folders, or truncates it.
SCREE_NODISCARD scree_status scree_append_begin(struct scree_append *append);

// Returns the failure "cannot WHAT the file", with the reason in errno.
SCREE_NODISCARD scree_status scree_append_fail(const struct scree_append *append, const char *what);

SCREE_NODISCARD scree_status scree_append_flush(struct scree_append *append);

// Closes the file; fails if buffered data could not be written.
SCREE_NODISCARD scree_status scree_append_close(struct scree_append *append);

#endif
