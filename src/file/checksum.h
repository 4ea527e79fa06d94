// A checksum before an image of HDF5: a line for people that says what the file is, how long the rest is, and
// its XXH3. What is other than it was written, if only in one bit, is refused before HDF5, which is not safe
// against damaged files, sees it.

#ifndef SCREE_FILE_CHECKSUM_H
#define SCREE_FILE_CHECKSUM_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

// room before HDF5's part, a user block to HDF5; of that, which is all of printing characters, the checksum
// takes the beginning
enum { SCREE_CHECKSUM_HEADER = 512 };

// A kind of files: its name, as "checkpoint", the version of what is in them, of one digit, and, where there
// are older ones, why they are not read and what can be done with them.
struct scree_checksum_kind {
    const char *name;
    int version;
    const char *older;
};

// Seals a finished image, whose first SCREE_CHECKSUM_HEADER bytes are free.
void scree_checksum_put(const struct scree_checksum_kind *kind, void *image, size_t size);

// Whether a file begins as those of a kind do, whatever its version.
bool scree_checksum_is(const struct scree_checksum_kind *kind, const void *image, size_t size);

// Refuses what is of another kind or version, or damaged.
SCREE_NODISCARD scree_status scree_checksum_check(const struct scree_checksum_kind *kind, const char *path,
                                                  const void *image, size_t size);

#endif
