// Rows of numbers, as most formats have them: which columns stand in a row, and reading one.

#ifndef SCREE_EXCHANGE_FORMAT_ROWS_H
#define SCREE_EXCHANGE_FORMAT_ROWS_H

#include "exchange/format.h"

enum { SCREE_FORMAT_ROWS_WIDEST = 256 };

// What stands at a place of a row: one of enum scree_format_column, and what makes SI of it.
struct scree_format_rows_slot {
    int column;
    double factor;
};

// What stands in a row, from its first word on.
struct scree_format_rows {
    struct scree_format_rows_slot slot[SCREE_FORMAT_ROWS_WIDEST];
    size_t count;
    size_t optional; // of these, at the end, may be missing, all at once
    bool more;       // words may follow that mean nothing
    bool marks; // commas and semicolons stand between words too, quotes around them, units behind numbers
    const char *about; // what a row has, in words
    bool met;          // what is optional, in some row
};

// Adds what stands in the next place. What stands in an earlier one already is skipped there.
void scree_format_rows_push(struct scree_format_rows *rows, struct scree_format_rows_slot slot);

// Whether something stands in a row.
bool scree_format_rows_has(const struct scree_format_rows *rows, enum scree_format_column column);

// Complains, with the present line, of what is there in parts and means nothing so: a place without x or y,
// and an orientation without one of its four numbers; false then.
bool scree_format_rows_check(struct scree_lines *lines, const struct scree_format_rows *rows);

// What a name in a header of columns means, as most programs have it; SCREE_FORMAT_SKIPPED for none.
struct scree_format_rows_slot scree_format_rows_named(const char *name, size_t length);

// Puts the factors of units in.
void scree_format_rows_scale(struct scree_format_rows *rows, const struct scree_format_units *units);
double scree_format_rows_factor(const struct scree_format_units *units, int length, int mass, int time);

// The units that a file is in: those asked for, else what it says; null for SI.
static inline const struct scree_format_units *scree_format_rows_units(const struct scree_format_input *input)
{
    return input->units ? input->units : input->said;
}

// Takes what a file says of its units, a word of the present line. Unknown ones, and others than were asked
// for, are complained about; false then.
bool scree_format_rows_say(struct scree_format_input *input, const char *word, size_t length);

// Declares all that is in a row.
void scree_format_rows_declare(struct scree_format_table *table, const struct scree_format_rows *rows);

// Reads the present line into row `row` of a table. What is wrong with it is complained about; false then,
// and after a failure.
bool scree_format_rows_read(struct scree_format_input *input, struct scree_format_table *table,
                            struct scree_format_rows *rows, size_t row);

// Adds a row and reads the present line into it; the row is gone again after a diagnostic.
bool scree_format_rows_add(struct scree_format_input *input, struct scree_format_table *table,
                           struct scree_format_rows *rows);

#endif
