// Files that grow during a run: tables and dumps.
//
// Invariants: scree_append_check changes nothing on disk and reports every error that can be foreseen; only
// scree_append_begin creates, empties or truncates the file. The file is locked (lock.h) from
// scree_append_check on, unless `check_only` is set. An existing file is overwritten only on request.

#ifndef SCREE_FILE_APPEND_H
#define SCREE_FILE_APPEND_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct scree_append {
    const char *kind; // for messages, as "table"; borrowed
    char *path;
    FILE *file;      // null before the file exists
    uint64_t size;   // in bytes, when it was opened
    uint64_t length; // in bytes, to which scree_append_begin truncates the file, at most `size`
};

enum scree_append_mode {
    SCREE_APPEND_NEW,       // fail if the file exists
    SCREE_APPEND_OVERWRITE, // overwrite an existing file
    SCREE_APPEND_CONTINUE   // continue an existing file after `length` bytes; the caller sets `length`
};

// Checks the file `name` in a folder, and opens it if it exists. `check_only`: takes no lock, and
// scree_append_begin must not be called. Close it also after a failure.
SCREE_NODISCARD scree_status scree_append_check(struct scree_append *append, const char *kind,
                                                const char *folder, const char *name,
                                                enum scree_append_mode mode, bool check_only);

// Creates the file with its folders, or truncates it.
SCREE_NODISCARD scree_status scree_append_begin(struct scree_append *append);

// Returns the error "cannot ACTION the KIND 'PATH'", with the reason in errno.
SCREE_NODISCARD scree_status scree_append_fail(const struct scree_append *append, const char *action);

SCREE_NODISCARD scree_status scree_append_flush(struct scree_append *append);

// Closes the file; fails if buffered data could not be written.
SCREE_NODISCARD scree_status scree_append_close(struct scree_append *append);

#endif
