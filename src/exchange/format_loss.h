// What is left out where a table is written in a format that cannot hold all of it, and the numbers that
// stand for names there.

#ifndef SCREE_EXCHANGE_FORMAT_LOSS_H
#define SCREE_EXCHANGE_FORMAT_LOSS_H

#include "exchange/format.h"

// All zero before the first table.
struct scree_format_loss {
    unsigned columns, facts; // bits, as those of formats
    bool weighed;            // a mass stands there as the density of a sphere
};

// Adds what is left out of a table. `had` is what it has besides what was made of that for the format, and
// `units` whether it is written in others than SI.
void scree_format_loss_add(struct scree_format_loss *loss, const struct scree_format_table *table,
                           unsigned had, const struct scree_format *format, bool units);

// Tells all that is left out, between commas; nothing where all is held. What there is no room for is cut.
void scree_format_loss_tell(const struct scree_format_loss *loss, char *text, size_t room);

// Tells which number stands for each name of a type, as "1 glass, 2 steel"; nothing where the format has the
// names, where they are numbers, and where there are none. What there is no room for becomes "...".
void scree_format_loss_number(const struct scree_format_table *table, const struct scree_format *format,
                              char *text, size_t room);

#endif
