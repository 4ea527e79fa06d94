// Files that grow at their end, as those of tables and dumps.
//
// What always holds: a look changes nothing on disk, and refuses whatever can be known to fail; only then is
// the file made, emptied or cut back. From the look on it is held (lock.h). What is there already is not
// written over unless that is asked for.

#ifndef SCREE_FILE_APPEND_H
#define SCREE_FILE_APPEND_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct scree_append {
    const char *what; // as "table"; stays the caller's
    char *path;
    FILE *file;      // null before a look and where there is none yet
    uint64_t size;   // in bytes, as it was found
    uint64_t length; // that it is cut back to as it begins, at most `size`
};

enum scree_append_way {
    SCREE_APPEND_NEW,  // nothing may be there
    SCREE_APPEND_OVER, // what is there is written over
    SCREE_APPEND_ON    // what is there is gone on with, from `length` on, which the caller sets
};

// Looks at the file that a scene names in a folder; to be closed also after a failure.
SCREE_NODISCARD scree_status scree_append_look(struct scree_append *append, const char *what,
                                               const char *folder, const char *name,
                                               enum scree_append_way way);

// Makes it, with its folders, or cuts it back.
SCREE_NODISCARD scree_status scree_append_begin(struct scree_append *append);

// The failure to do something, for the reason in errno.
SCREE_NODISCARD scree_status scree_append_fail(const struct scree_append *append, const char *what);

// Hands what was written to the file.
SCREE_NODISCARD scree_status scree_append_flush(struct scree_append *append);

// Closes it; what could not be written is a failure.
SCREE_NODISCARD scree_status scree_append_close(struct scree_append *append);

#endif
