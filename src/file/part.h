// The temporary file of an atomic write: PATH.part, or PATH.part2 and so on while another process writes
// there.
//
// Invariants: the file is locked (lock.h) until it is closed, so that two writers never have the same one. It
// is to be renamed or deleted before it is closed. What a killed process has left as PATH.part is removed.

#ifndef SCREE_FILE_PART_H
#define SCREE_FILE_PART_H

#include "base/status.h"

#include <stdbool.h>

#define SCREE_PART ".part"

// Creates the file and gets its name, to be freed by scree_memory_free; null after a failure.
SCREE_NODISCARD scree_status scree_part_open(const char *path, char **name, int *file);

// Returns whether all data could be written, as far as closing the file would tell; the file stays open.
bool scree_part_is_written(int file);

#endif
