// Reports the data that a format cannot store, and the numbers that it has in place of the names of types.

#ifndef SCREE_EXCHANGE_FORMAT_LOSS_H
#define SCREE_EXCHANGE_FORMAT_LOSS_H

#include "exchange/format.h"

// All zero before the first table.
struct scree_format_loss {
    unsigned columns, facts; // bits, as those of formats
    bool mass_as_density;    // the mass is stored as the density of a sphere
};

// Adds the data of a table that the format leaves out. `had` are the columns of the input, without those
// computed for the format; `units` tells whether it is written in units other than SI.
void scree_format_loss_add(struct scree_format_loss *loss, const struct scree_format_table *table,
                           unsigned had, const struct scree_format *format, bool units);

// Lists the data left out, separated by commas; empty if none. A text longer than `capacity` is cut.
void scree_format_loss_text(const struct scree_format_loss *loss, char *text, size_t capacity);

// Lists the number of each type, as "1 glass, 2 steel"; empty if the format stores names, if all names are
// numbers, or if there are no types. A text longer than `capacity` ends in "...".
void scree_format_loss_number(const struct scree_format_table *table, const struct scree_format *format,
                              char *text, size_t capacity);

#endif
