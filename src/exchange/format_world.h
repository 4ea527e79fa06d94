// The bodies of a world as a table of a format.

#ifndef SCREE_EXCHANGE_FORMAT_WORLD_H
#define SCREE_EXCHANGE_FORMAT_WORLD_H

#include "exchange/format.h"

struct scree_world;

// What is of all bodies, in order of ids, with the names of materials for types; into an empty table. Of a
// world in step.
SCREE_NODISCARD scree_status scree_format_world(const struct scree_world *world,
                                                struct scree_format_table *table);

// The names of materials alone, for types; likewise.
SCREE_NODISCARD scree_status scree_format_world_types(const struct scree_world *world,
                                                      struct scree_format_table *table);

#endif
