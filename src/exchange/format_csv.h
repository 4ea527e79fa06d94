// Tables separated by commas, semicolons or blanks, see format.h.

#ifndef SCREE_EXCHANGE_FORMAT_CSV_H
#define SCREE_EXCHANGE_FORMAT_CSV_H

#include "exchange/format.h"

bool scree_format_csv_detect(const char *text, size_t length);
bool scree_format_csv_read(struct scree_format_input *input, struct scree_format_table *table);
void scree_format_csv_write(struct scree_format_output *output, const struct scree_format_table *table);

#endif
