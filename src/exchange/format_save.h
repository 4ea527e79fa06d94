// Atomic write of a file of a format, by one thread: the file is renamed when it is complete.

#ifndef SCREE_EXCHANGE_FORMAT_SAVE_H
#define SCREE_EXCHANGE_FORMAT_SAVE_H

#include "exchange/format.h"
#include "file/guard.h"

#include <stdbool.h>

// The caller sets path, source, format and units before opening; the paths are borrowed.
struct scree_format_save {
    const char *path;
    const char *source; // a file that is being read and must not be overwritten; null for none
    const struct scree_format *format;
    struct scree_format_output output;
    char *part;               // the temporary name
    struct scree_guard guard; // active while it is open
};

// Opens the file; fails if it exists, unless `force`.
SCREE_NODISCARD scree_status scree_format_save_open(struct scree_format_save *save, bool force);

// Closes the file. After a failure pass its status: then the file is deleted and the status is returned.
SCREE_NODISCARD scree_status scree_format_save_close(struct scree_format_save *save, scree_status status);

#endif
