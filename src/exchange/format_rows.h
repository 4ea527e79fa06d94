// Rows of numbers, as in most formats: the columns of a row, and reading rows.

#ifndef SCREE_EXCHANGE_FORMAT_ROWS_H
#define SCREE_EXCHANGE_FORMAT_ROWS_H

#include "exchange/format.h"

enum { SCREE_FORMAT_ROWS_MAX = 256 };

// A column of a row: a value of enum scree_format_column, and the factor that converts to SI.
struct scree_format_rows_slot {
    int column;
    double factor;
};

struct scree_format_rows {
    struct scree_format_rows_slot slot[SCREE_FORMAT_ROWS_MAX];
    size_t count;
    size_t optional;     // number of columns at the end that a row may omit, all together
    bool ignore_rest;    // further words are ignored
    bool separators;     // commas, semicolons, quotes and units after numbers are allowed
    const char *about;   // description of a row for messages; may be null
    bool optional_found; // some row had the optional columns
};

// Adds a column. A column that is already in the row is skipped.
void scree_format_rows_push(struct scree_format_rows *rows, struct scree_format_rows_slot slot);

// Adds columns by their names, separated by blanks; an unknown name is a column that is skipped.
void scree_format_rows_push_names(struct scree_format_rows *rows, const char *names);

bool scree_format_rows_has(const struct scree_format_rows *rows, int column);

// Reports an incomplete position or orientation at the current line, and returns false then.
bool scree_format_rows_check(struct scree_lines *lines, const struct scree_format_rows *rows);

// Returns the column that has this name in most programs; SCREE_FORMAT_SKIPPED if unknown.
struct scree_format_rows_slot scree_format_rows_named(const char *name, size_t length);

// Multiplies the factors of all columns by those of the units.
void scree_format_rows_scale(struct scree_format_rows *rows, const struct scree_format_units *units);

// Returns the unit of a column in SI; 1 if its values are not real numbers.
double scree_format_rows_unit(const struct scree_format_units *units, int column);

// Returns the product of the powers of the units of length, mass and time, in SI.
double scree_format_rows_factor(const struct scree_format_units *units, int length, int mass, int time);

// Returns the units of a file: those given by the user, else those stated in the file; null for SI.
static inline const struct scree_format_units *scree_format_rows_units(const struct scree_format_input *input)
{
    return input->units ? input->units : input->file_units;
}

// Sets the units stated in a word of the current line. Reports units that are unknown or that differ from
// those given by the user.
bool scree_format_rows_set_units(struct scree_format_input *input, const char *word, size_t length);

void scree_format_rows_declare(struct scree_format_table *table, const struct scree_format_rows *rows);

// Reads the current line into row `row` of a table. Reports errors and returns false then.
bool scree_format_rows_read(struct scree_format_input *input, struct scree_format_table *table,
                            struct scree_format_rows *rows, size_t row);

// Adds a row and reads the current line into it. Removes the row again on errors.
void scree_format_rows_add(struct scree_format_input *input, struct scree_format_table *table,
                           struct scree_format_rows *rows);

// Declares the columns and reads, or skips, all rows of a snapshot. Reports a snapshot that ends too early,
// at the end of the file or at a line that begins with `next` (null: none), and returns false then.
bool scree_format_rows_read_all(struct scree_format_input *input, struct scree_format_table *table,
                                struct scree_format_rows *rows, uint64_t count, const char *next);

#endif
