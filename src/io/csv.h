// Tables over time: columns of what is measured, a row at each instant that is kept, in CSV with units in the
// header.
//
// What always holds: a number is written with as many digits as give back its bits. A row is in the file as a
// whole when the next one begins. What is there already is not written over unless that is asked for.

#ifndef SCREE_IO_CSV_H
#define SCREE_IO_CSV_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct scree_world;

enum { SCREE_CSV_COLUMNS = 64 };

struct scree_csv {
    FILE *file;
    char *path;
    size_t column[SCREE_CSV_COLUMNS], columns;
};

// Opens a table whose columns are given by number, and writes its header.
SCREE_NODISCARD scree_status scree_csv_open(struct scree_csv *csv, const char *path, bool force,
                                            const size_t *column, size_t columns);

// Opens a table that was `length` bytes long once, and cuts it back to that. A file that is gone begins anew,
// one that is shorter is a failure.
SCREE_NODISCARD scree_status scree_csv_continue(struct scree_csv *csv, const char *path, uint64_t length,
                                                const size_t *column, size_t columns);

// Its length in bytes; so much is safe from a loss of power afterwards.
SCREE_NODISCARD scree_status scree_csv_length(struct scree_csv *csv, uint64_t *length);

// Adds a row of the world as it is, in step.
SCREE_NODISCARD scree_status scree_csv_write(struct scree_csv *csv, struct scree_world *world);

// Closes it; what could not be written is a failure.
SCREE_NODISCARD scree_status scree_csv_close(struct scree_csv *csv);

#endif
