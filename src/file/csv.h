// Tables in CSV, with units in the header, that grow row by row.
//
// What always holds: a number is written with as many digits as give back its bits. Rows are in the file as a
// whole once they are flushed. What is there already is not written over unless that is asked for.

#ifndef SCREE_FILE_CSV_H
#define SCREE_FILE_CSV_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct scree_csv {
    FILE *file;
    char *path;
};

// A column's name and unit; the unit is empty for plain numbers.
struct scree_csv_column {
    const char *name, *unit;
};

// Opens a table and writes its header.
SCREE_NODISCARD scree_status scree_csv_open(struct scree_csv *csv, const char *path, bool force,
                                            const struct scree_csv_column *column, size_t columns);

// Opens a table that was `length` bytes long once, and cuts it back to that. A file that is gone begins anew,
// one that is shorter is a failure.
SCREE_NODISCARD scree_status scree_csv_continue(struct scree_csv *csv, const char *path, uint64_t length,
                                                const struct scree_csv_column *column, size_t columns);

// Its length in bytes; so much is safe from a loss of power afterwards.
SCREE_NODISCARD scree_status scree_csv_length(struct scree_csv *csv, uint64_t *length);

// Adds a row.
SCREE_NODISCARD scree_status scree_csv_write(struct scree_csv *csv, const double *value, size_t values);

// Hands what was written to the file.
SCREE_NODISCARD scree_status scree_csv_flush(struct scree_csv *csv);

// Closes it; what could not be written is a failure.
SCREE_NODISCARD scree_status scree_csv_close(struct scree_csv *csv);

#endif
