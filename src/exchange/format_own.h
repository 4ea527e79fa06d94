// Reading bodies from frames and checkpoints of Scree, see format.h.

#ifndef SCREE_EXCHANGE_FORMAT_OWN_H
#define SCREE_EXCHANGE_FORMAT_OWN_H

#include "exchange/format.h"

// The index of a series of frames, see series.h.
bool scree_format_own_is_series(const char *text, size_t length);
bool scree_format_own_read_series(struct scree_format_input *input, struct scree_format_table *table);

// One frame, see vtk.h.
bool scree_format_own_is_frame(const char *text, size_t length);
bool scree_format_own_read_frame(struct scree_format_input *input, struct scree_format_table *table);

bool scree_format_own_is_checkpoint(const char *text, size_t length);
bool scree_format_own_read_checkpoint(struct scree_format_input *input, struct scree_format_table *table);

#endif
