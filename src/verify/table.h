// Tables of comma separated values, compiled into the command from tests/data. Lines that begin with # are
// notes, the first other one names the columns.

#ifndef SCREE_VERIFY_TABLE_H
#define SCREE_VERIFY_TABLE_H

#include "report.h"

enum { SCREE_TABLE_ROWS = 512 };

struct scree_table {
    const char *text;
    const char *heads;                 // the line of names
    const char *row[SCREE_TABLE_ROWS]; // where each begins
    size_t rows;
};

// Opens the file tests/data/<name>.csv as it was when the command was built.
SCREE_NODISCARD scree_status scree_table_open(struct scree_report *report, const char *name,
                                              struct scree_table *table);

// A number of a row; not a number where there is none.
double scree_table_number(const struct scree_table *table, size_t row, const char *column);

// Whether the word in that cell begins so.
bool scree_table_says(const struct scree_table *table, size_t row, const char *column, const char *word);

// The number behind `key` in the note that begins with `note`; not a number where there is none.
double scree_table_noted(const struct scree_table *table, const char *note, const char *key);

// `count` numbers that follow `key` in the notes, with a letter between each two; false where they do not.
bool scree_table_list(const struct scree_table *table, const char *key, double *numbers, int count);

#endif
