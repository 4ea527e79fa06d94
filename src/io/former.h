// Bodies of another run: the round bodies of the world that a checkpoint keeps, as a table like those of
// files of other programs.

#ifndef SCREE_IO_FORMER_H
#define SCREE_IO_FORMER_H

#include "io/format.h"

// Whether the file at a path begins like a checkpoint.
bool scree_former_is(const char *path);

// Reads it into an empty table: ids, places, radii, masses, velocities, spins, and materials as types.
SCREE_NODISCARD scree_status scree_former_read(const char *path, struct scree_format_table *table);

#endif
