// The bodies of a world as a table of a format.

#ifndef SCREE_EXCHANGE_FORMAT_WORLD_H
#define SCREE_EXCHANGE_FORMAT_WORLD_H

#include "exchange/format.h"

struct scree_world;

// Fills an empty table with all bodies of a world, in order of ids, with the names of materials as types. The
// world must be on-step.
SCREE_NODISCARD scree_status scree_format_world(const struct scree_world *world,
                                                struct scree_format_table *table);

// Fills only the types, with the names of materials.
SCREE_NODISCARD scree_status scree_format_world_types(const struct scree_world *world,
                                                      struct scree_format_table *table);

#endif
