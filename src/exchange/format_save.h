// A file of a format that is written as a whole, under another name, and gets its own when all is there. It
// is opened, written and closed by one thread.

#ifndef SCREE_EXCHANGE_FORMAT_SAVE_H
#define SCREE_EXCHANGE_FORMAT_SAVE_H

#include "exchange/format.h"
#include "file/guard.h"

#include <stdbool.h>

// Path, source, format and units are set by whoever opens it; the paths are borrowed.
struct scree_format_save {
    const char *path;
    const char *source; // a file that is being read and must stay; null for none
    const struct scree_format *format;
    struct scree_format_output output;
    char *part;               // the other name
    struct scree_guard guard; // while it is open
};

// Opens it; what is there already is an error without `force`.
SCREE_NODISCARD scree_status scree_format_save_open(struct scree_format_save *save, bool force);

// Closes it, after a failure too, which is handed in and on; then there is no new file.
SCREE_NODISCARD scree_status scree_format_save_close(struct scree_format_save *save, scree_status status);

#endif
