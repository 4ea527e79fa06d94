// The spelling of material names in files of bodies, and finding a material by its spelling.

#ifndef SCREE_EXCHANGE_FORMAT_NAME_H
#define SCREE_EXCHANGE_FORMAT_NAME_H

#include "exchange/format.h"

#include <scree/material.h>

// Returns a name as written to files: characters that would end the name, and blanks in a `word`, become '_'.
struct scree_format_type scree_format_name_text(const char *name, bool word);

// Fails if a format would write the names of two types identically.
SCREE_NODISCARD scree_status scree_format_name_check(const struct scree_format_table *table,
                                                     const struct scree_format *format);

// Finds a material by its name, or else by its spelling in files. Returns the number of matches.
size_t scree_format_name_find(const struct scree_world *world, const char *spelled, scree_material_id *id);

#endif
