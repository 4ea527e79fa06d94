// The block of memory in which HDF5's core driver keeps a file. It is allocated here, so that the image of a
// written file is taken over without a copy, and an image that is read is not copied either.
//
// Invariant: enough memory is reserved before each call that stores something, so HDF5 never runs out of it.

#ifndef SCREE_FILE_HDF_BLOCK_H
#define SCREE_FILE_HDF_BLOCK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// While a file is written `spare` is a larger block, which is used when HDF5 asks for more memory.
struct scree_hdf_image {
    char *block, *spare;
    size_t size, capacity, spare_capacity; // size: as last requested by HDF5
    size_t userblock;
    bool borrowed; // the block belongs to the caller
    bool failed;   // some call failed
};

// Allocates the first block of a file that is written.
SCREE_NODISCARD scree_status scree_hdf_block_begin(struct scree_hdf_image *image);

// Reserves memory for `size` more bytes and HDF5's metadata.
SCREE_NODISCARD scree_status scree_hdf_block_reserve(struct scree_hdf_image *image, size_t size);

// Sets file access properties (an HDF5 id) so that files are kept in the block.
bool scree_hdf_block_use(struct scree_hdf_image *image, int64_t access);

// Frees the struct, and the block unless it is borrowed; `image` may be null.
void scree_hdf_block_free(struct scree_hdf_image *image);

#endif
