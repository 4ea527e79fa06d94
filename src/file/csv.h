// Tables in CSV, with units in the header, that grow row by row.
//
// What always holds: a number is written with as many digits as give back its bits. Rows are in the file as a
// whole once they are flushed. To look changes nothing on disk, and what is there already is not written over
// unless that is asked for (append.h).

#ifndef SCREE_FILE_CSV_H
#define SCREE_FILE_CSV_H

#include "file/append.h"

struct scree_csv {
    struct scree_append to;
    char *header; // with the end of its line
};

// A column's name and unit; the unit is empty for plain numbers.
struct scree_csv_column {
    const char *name, *unit;
};

struct scree_csv_def {
    const char *folder, *name; // of the file
    const struct scree_csv_column *column;
    size_t columns;
    bool force;             // what is there may be written over
    const uint64_t *length; // in bytes, of one that is gone on with; null for a new one
};

// Looks at where a table is to be. One that is gone on with is cut back to its length later; where its file
// is gone it begins anew, and one that is shorter, or has other columns, is a failure.
SCREE_NODISCARD scree_status scree_csv_look(struct scree_csv *csv, const struct scree_csv_def *def);

// Makes it and writes its header, or cuts it back.
SCREE_NODISCARD scree_status scree_csv_begin(struct scree_csv *csv);

// Its length in bytes; so much is safe from a loss of power afterwards.
SCREE_NODISCARD scree_status scree_csv_length(struct scree_csv *csv, uint64_t *length);

// Adds a row.
SCREE_NODISCARD scree_status scree_csv_write(struct scree_csv *csv, const double *value, size_t values);

// Hands what was written to the file.
SCREE_NODISCARD scree_status scree_csv_flush(struct scree_csv *csv);

// Closes it, also after a failed look; what could not be written is a failure.
SCREE_NODISCARD scree_status scree_csv_close(struct scree_csv *csv);

#endif
