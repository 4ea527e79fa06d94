// The bodies of a world as a table of a format.

#ifndef SCREE_EXCHANGE_FORMAT_WORLD_H
#define SCREE_EXCHANGE_FORMAT_WORLD_H

#include "exchange/format.h"

struct scree_world;

// Fills an empty table with all bodies of a world, on-step, by ids; the names of materials become types.
SCREE_NODISCARD scree_status scree_format_world(const struct scree_world *world,
                                                struct scree_format_table *table);

// Fills only the types, with the names of materials.
SCREE_NODISCARD scree_status scree_format_world_types(const struct scree_world *world,
                                                      struct scree_format_table *table);

#endif
