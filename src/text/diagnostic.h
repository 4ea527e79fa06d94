// What is wrong with an input file, all of it at once: each diagnostic with file, line and column, the line
// itself with a caret below it, what was expected and the nearest right spelling.
//
// What always holds: diagnostics are kept in the order in which they stand in the files, whatever the order
// in which they were found; at most SCREE_COMPLAINTS of them, and how many more there are. Complaining cannot
// fail: where there is no memory left for a diagnostic, that is what is complained about.

#ifndef SCREE_TEXT_DIAGNOSTIC_H
#define SCREE_TEXT_DIAGNOSTIC_H

#include "base/array.h"

#include <scree/types.h>

enum { SCREE_COMPLAINTS = 40, SCREE_DIAGNOSTIC_LENGTH = 400 };

// A file that was read, or a piece of it; lines of it are quoted, where the text is not null.
struct scree_source {
    char *name; // as the user knows it
    char *text;
    size_t length;
    uint32_t before; // lines of the file that stand before the text
};

// A piece of one line of a file; lines and columns count from 0, columns in bytes.
struct scree_place {
    uint32_t source, line, column, length;
};

struct scree_diagnostic {
    struct scree_place place;
    char what[SCREE_DIAGNOSTIC_LENGTH];
};

struct scree_diagnostics {
    SCREE_ARRAY(struct scree_source) sources;
    SCREE_ARRAY(struct scree_diagnostic) list;
    size_t all;   // with those that are not listed
    size_t tried; // with those that were the same once more
    bool starved; // one was lost for want of memory
};

void scree_diagnostic_free(struct scree_diagnostics *diagnostics);

// Keeps a copy of a name, and the text, which belongs to the diagnostics from now on, whatever is returned.
SCREE_NODISCARD scree_status scree_diagnostic_source(struct scree_diagnostics *diagnostics, const char *name,
                                                     char *text, size_t length, uint32_t *source);

// Where the next line of a text begins, or its end: lines end as YAML's do, by "\n", "\r\n" or "\r".
const char *scree_diagnostic_next_line(const char *at, const char *end);

void scree_diagnostic_add(struct scree_diagnostics *diagnostics, const struct scree_place *place,
                          const char *format, ...) SCREE_PRINTF(3, 4);

// All of them as a text, in order, each with its line; the caller frees it by scree_memory_free.
SCREE_NODISCARD scree_status scree_diagnostic_text(const struct scree_diagnostics *diagnostics, char **text);

#endif
