// The block of memory that HDF5's core driver keeps a file in, made here: so it is had without a copy when
// the file is closed, and an image that is read is not copied either.
//
// What always holds: before HDF5 is asked to store something there is room for it, or the call fails: HDF5
// itself never meets a lack of room.

#ifndef SCREE_FILE_HDF_BLOCK_H
#define SCREE_FILE_HDF_BLOCK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// While a file is written `spare` is a larger block, to move to when HDF5 asks for more.
struct scree_hdf_image {
    char *block, *spare;
    size_t size, room, spare_room; // size: as HDF5 asked for last
    size_t userblock;
    bool borrowed, failed; // the caller's; some call failed
};

// The first block of a file that is written.
SCREE_NODISCARD scree_status scree_hdf_block_begin(struct scree_hdf_image *image);

// Room for `size` bytes more and what HDF5 notes besides, before it needs it.
SCREE_NODISCARD scree_status scree_hdf_block_room(struct scree_hdf_image *image, size_t size);

// Files of these properties of access, an identifier of HDF5's, lie in the block.
bool scree_hdf_block_use(struct scree_hdf_image *image, int64_t access);

// Frees it, and the block unless it is borrowed; null is fine.
void scree_hdf_block_free(struct scree_hdf_image *image);

#endif
