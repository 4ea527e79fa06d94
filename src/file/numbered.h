// Numbered files in a folder: PREFIX000000ENDING and so on, with six digits, or more if needed.
//
// Invariant: only files of the series, and temporary ones of a killed run (NAME.part), are found and deleted.

#ifndef SCREE_FILE_NUMBERED_H
#define SCREE_FILE_NUMBERED_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { SCREE_NUMBERED_DIGITS = 6 };

// Gets the number of a file from its name; returns false for other files.
bool scree_numbered_read(const char *name, const char *prefix, const char *ending, uint64_t *number);

// Finds out whether there are files from number `first` on; none if the folder does not exist.
SCREE_NODISCARD scree_status scree_numbered_any(const char *folder, const char *prefix, const char *ending,
                                                uint64_t first, bool *found);

// Checks whether the files from number `first` on can be deleted and new ones created; changes nothing.
SCREE_NODISCARD scree_status scree_numbered_check(const char *folder, const char *prefix, const char *ending,
                                                  uint64_t first);

// Deletes the files from number `first` on.
SCREE_NODISCARD scree_status scree_numbered_clear(const char *folder, const char *prefix, const char *ending,
                                                  uint64_t first);

#endif
