// CSV tables from tests/data, embedded in the command. Lines that begin with # are notes; the first other
// line contains the column names.

#ifndef SCREE_VERIFY_TABLE_H
#define SCREE_VERIFY_TABLE_H

#include "report.h"

enum { SCREE_TABLE_ROWS = 512 };

struct scree_table {
    const char *text;
    const char *header;                // the line of column names
    const char *row[SCREE_TABLE_ROWS]; // start of each row
    size_t rows;
};

// Opens the embedded copy of tests/data/<name>.csv.
SCREE_NODISCARD scree_status scree_table_open(struct scree_report *report, const char *name,
                                              struct scree_table *table);

// Returns a number of a row; NaN if there is none.
double scree_table_number(const struct scree_table *table, size_t row, const char *column);

// Returns true if the text of a cell begins with `word`.
bool scree_table_matches(const struct scree_table *table, size_t row, const char *column, const char *word);

// Returns the number after `key` in the note that begins with `note`; NaN if there is none.
double scree_table_note(const struct scree_table *table, const char *note, const char *key);

// Reads `count` numbers after `key` in the notes, separated by one character; returns false if there are
// fewer.
bool scree_table_list(const struct scree_table *table, const char *key, double *numbers, int count);

#endif
