// Checksum header of HDF5 files: a readable line with the kind of the file, the length of the rest and its
// XXH3. A damaged file is refused before anything else in it is read.

#ifndef SCREE_FILE_CHECKSUM_H
#define SCREE_FILE_CHECKSUM_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

// size of the header, which is HDF5's user block; the line is at its start, the rest are newlines
enum { SCREE_CHECKSUM_HEADER = 512 };

struct scree_checksum_kind {
    const char *name;  // as "checkpoint"
    int version;       // of the content, one digit
    const char *older; // for messages: what wrote older versions, and what to do; null if there are none
};

// Writes the header into the first SCREE_CHECKSUM_HEADER bytes of a complete image.
void scree_checksum_write(const struct scree_checksum_kind *kind, void *image, size_t size);

// Returns whether a file begins like those of a kind, in any version.
bool scree_checksum_is(const struct scree_checksum_kind *kind, const void *image, size_t size);

// Fails if a file is of another kind or version, or damaged.
SCREE_NODISCARD scree_status scree_checksum_check(const struct scree_checksum_kind *kind, const char *path,
                                                  const void *image, size_t size);

#endif
