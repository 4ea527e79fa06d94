// Tables of numbers and words of tests/data, as comma-separated values: lines that begin with # are comments,
// and the first other line has the column names.

#ifndef SCREE_SUPPORT_TABLE_H
#define SCREE_SUPPORT_TABLE_H

#include <stddef.h>

enum { SCREE_TABLE_COLUMNS = 48, SCREE_TABLE_ROWS = 512 };

struct scree_table {
    char *text; // the file; commas and line ends are replaced by zeros
    const char *name[SCREE_TABLE_COLUMNS];
    const char *cell[SCREE_TABLE_ROWS][SCREE_TABLE_COLUMNS];
    size_t columns, rows;
};

// Reads tests/data/<name>. Each function fails the test if there is no such file, column or number.
struct scree_table *scree_table_read(const char *name);
void scree_table_free(struct scree_table *table);

// Reads a table of numbers that a run has written: its header, and the first `columns` numbers of at most
// `capacity` rows, one row after the other. Returns the number of rows.
size_t scree_table_read_numbers(const char *path, char *header, size_t size, double *numbers, size_t columns,
                                size_t capacity);

const char *scree_table_word(const struct scree_table *table, size_t row, const char *column);
double scree_table_number(const struct scree_table *table, size_t row, const char *column);

#endif
