// The temporary file of an atomic write: PATH.part, or PATH.part2 and so on while another process writes
// there.
//
// Invariants: the file is locked (lock.h) until it is closed, so that two writers never have the same one. It
// must be renamed or deleted before it is closed. A PATH.part left by a killed process is removed.

#ifndef SCREE_FILE_PART_H
#define SCREE_FILE_PART_H

#include "base/status.h"

#include <stdbool.h>

#define SCREE_PART ".part"

// Creates the file and gets its name, to be freed by scree_memory_free; null after a failure.
SCREE_NODISCARD scree_status scree_part_open(const char *path, char **name, int *file);

// Returns whether all data were written. Detects the errors that closing the file reports, but leaves it
// open.
bool scree_part_is_written(int file);

#endif
