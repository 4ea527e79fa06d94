// CSV tables with units in the header, written row by row.
//
// Invariants: numbers read back as the same bits. After a flush the file has only complete rows. Files are
// checked and overwritten as in append.h.

#ifndef SCREE_FILE_CSV_H
#define SCREE_FILE_CSV_H

#include "file/append.h"

struct scree_csv {
    struct scree_append append;
    char *header; // with its newline
};

// Name and unit of a column; the unit of plain numbers is empty.
struct scree_csv_column {
    const char *name, *unit;
};

struct scree_csv_def {
    const char *folder, *name; // of the file
    const struct scree_csv_column *column;
    size_t columns;
    bool force;             // overwrite an existing file
    bool check_only;        // only check, without a lock
    const uint64_t *length; // length in bytes of the table that a restart continues; null for a new table
};

// Checks and opens the file of a table. A table to continue is truncated to `length` by scree_csv_begin; if
// its file is missing, a new table begins. Fails if the file is shorter or has different columns.
SCREE_NODISCARD scree_status scree_csv_check(struct scree_csv *csv, const struct scree_csv_def *def);

// Creates the file and writes the header, or truncates it.
SCREE_NODISCARD scree_status scree_csv_begin(struct scree_csv *csv);

// Flushes the table to disk (fsync) and gets its length in bytes.
SCREE_NODISCARD scree_status scree_csv_length(struct scree_csv *csv, uint64_t *length);

SCREE_NODISCARD scree_status scree_csv_write(struct scree_csv *csv, const double *value, size_t values);

// The same with words instead of some numbers: those of which `word` is not null.
SCREE_NODISCARD scree_status scree_csv_write_words(struct scree_csv *csv, const double *value,
                                                   const char *const *word, size_t values);

SCREE_NODISCARD scree_status scree_csv_flush(struct scree_csv *csv);

// Closes the table, also after a failed scree_csv_check; fails if buffered data could not be written.
SCREE_NODISCARD scree_status scree_csv_close(struct scree_csv *csv);

#endif
