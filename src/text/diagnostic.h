// All errors of an input file in one report: each diagnostic has file, line and column, the source line with
// a caret below it, what was expected and the closest valid spelling.
//
// Invariants: diagnostics are sorted by their position in the files. At most SCREE_DIAGNOSTIC_LIMIT of them
// are stored; the others are counted. Adding a diagnostic cannot fail: if memory runs out, the diagnostic is
// lost and the report says so.

#ifndef SCREE_TEXT_DIAGNOSTIC_H
#define SCREE_TEXT_DIAGNOSTIC_H

#include "base/array.h"

#include <scree/types.h>

enum { SCREE_DIAGNOSTIC_LIMIT = 40, SCREE_DIAGNOSTIC_LENGTH = 400 };

// A file that was read, or a part of it. Its lines are quoted in the report if the text is not null.
struct scree_source {
    char *name; // shown to the user
    char *text;
    size_t length;
    uint32_t lines_before; // number of lines of the file before the text
};

// A part of one line of a file; lines and columns count from 0, columns in bytes.
struct scree_place {
    uint32_t source, line, column, length;
};

struct scree_diagnostic {
    struct scree_place place;
    char message[SCREE_DIAGNOSTIC_LENGTH];
};

struct scree_diagnostics {
    SCREE_ARRAY(struct scree_source) sources;
    SCREE_ARRAY(struct scree_diagnostic) list;
    size_t all;             // number of different diagnostics, listed or not
    size_t with_duplicates; // the same, with duplicates
    bool out_of_memory;     // at least one diagnostic was lost
};

void scree_diagnostic_free(struct scree_diagnostics *diagnostics);

// Registers a source. Copies the name and takes ownership of the text, also on failure.
SCREE_NODISCARD scree_status scree_diagnostic_source(struct scree_diagnostics *diagnostics, const char *name,
                                                     char *text, size_t length, uint32_t *source);

// Returns the start of the next line, or `end`. Lines end as in YAML: "\n", "\r\n" or "\r".
const char *scree_diagnostic_next_line(const char *at, const char *end);

// Adds a diagnostic (printf format). Always returns false, so that a function that reads a wrong value can
// return the result.
bool scree_diagnostic_add(struct scree_diagnostics *diagnostics, const struct scree_place *place,
                          const char *format, ...) SCREE_PRINTF(3, 4);

// The same with the values in a va_list.
void scree_diagnostic_add_list(struct scree_diagnostics *diagnostics, const struct scree_place *place,
                               const char *format, va_list values);

// Writes a place for other messages, as `hopper.yaml:12`, without folders.
enum { SCREE_DIAGNOSTIC_PLACE = 80 };
const char *scree_diagnostic_place(const struct scree_diagnostics *diagnostics,
                                   const struct scree_place *place, char text[SCREE_DIAGNOSTIC_PLACE]);

// Formats the whole report; the caller frees the text by scree_memory_free.
SCREE_NODISCARD scree_status scree_diagnostic_text(const struct scree_diagnostics *diagnostics, char **text);

#endif
