// Dumps of LAMMPS and LIGGGHTS as text, see format.h.

#ifndef SCREE_EXCHANGE_FORMAT_DUMP_H
#define SCREE_EXCHANGE_FORMAT_DUMP_H

#include "exchange/format.h"

bool scree_format_dump_detect(const char *text, size_t length);
bool scree_format_dump_read(struct scree_format_input *input, struct scree_format_table *table);
void scree_format_dump_write(struct scree_format_output *output, const struct scree_format_table *table);

// Without units and time: LIGGGHTS's read_dump expects a fixed order of items and stops at others.
void scree_format_dump_write_plain(struct scree_format_output *output,
                                   const struct scree_format_table *table);

#endif
