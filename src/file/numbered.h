// Files of a series in a folder, PREFIX000000ENDING and on: six digits, more where there are more files.
//
// What always holds: what is found is a name that such a series has, or what a killed run left of one
// (NAME.part); other files stay.

#ifndef SCREE_FILE_NUMBERED_H
#define SCREE_FILE_NUMBERED_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { SCREE_NUMBERED_DIGITS = 6 };

// The number of a file by its name; false for other files.
bool scree_numbered_find(const char *name, const char *prefix, const char *ending, uint64_t *number);

// Whether there are any from number `first` on; where there is no folder there are none.
SCREE_NODISCARD scree_status scree_numbered_look(const char *folder, const char *prefix, const char *ending,
                                                 uint64_t first, bool *found);

// Whether they can be taken away and others be made: a failure where they cannot. Changes nothing.
SCREE_NODISCARD scree_status scree_numbered_check(const char *folder, const char *prefix, const char *ending,
                                                  uint64_t first);

// Takes them away.
SCREE_NODISCARD scree_status scree_numbered_clear(const char *folder, const char *prefix, const char *ending,
                                                  uint64_t first);

#endif
