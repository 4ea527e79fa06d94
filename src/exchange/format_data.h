// Data files of LAMMPS and LIGGGHTS, see format.h.

#ifndef SCREE_EXCHANGE_FORMAT_DATA_H
#define SCREE_EXCHANGE_FORMAT_DATA_H

#include "exchange/format.h"

bool scree_format_data_detect(const char *text, size_t length);
bool scree_format_data_read(struct scree_format_input *input, struct scree_format_table *table);
void scree_format_data_write(struct scree_format_output *output, const struct scree_format_table *table);

// Without the style after the name of the section, as LIGGGHTS writes it; LIGGGHTS 3.8.0 reads both.
void scree_format_data_write_plain(struct scree_format_output *output,
                                   const struct scree_format_table *table);

#endif
