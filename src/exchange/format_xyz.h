// XYZ, plain and extended, see format.h.

#ifndef SCREE_EXCHANGE_FORMAT_XYZ_H
#define SCREE_EXCHANGE_FORMAT_XYZ_H

#include "exchange/format.h"

bool scree_format_xyz_detect(const char *text, size_t length);
bool scree_format_xyz_read(struct scree_format_input *input, struct scree_format_table *table);
void scree_format_xyz_write(struct scree_format_output *output, const struct scree_format_table *table);

#endif
