// How the names of materials are spelled in files of bodies, and which of them is meant by what stands there.

#ifndef SCREE_EXCHANGE_FORMAT_NAME_H
#define SCREE_EXCHANGE_FORMAT_NAME_H

#include "exchange/format.h"

#include <scree/material.h>

// A name as files have it: what would end it there becomes '_', and where it is one word blanks as well.
struct scree_format_type scree_format_name_text(const char *name, bool word);

// Refuses names of types that a format would write alike.
SCREE_NODISCARD scree_status scree_format_name_check(const struct scree_format_table *table,
                                                     const struct scree_format *format);

// The material of a world that is called so, or else the one that is spelled so. How many there are: without
// an exact one, several may be.
size_t scree_format_name_find(const struct scree_world *world, const char *spelled, scree_material_id *id);

#endif
