// HDF5 files written and read completely in memory by our own code for the small part of the format
// that Scree uses (hdf_format.h): any program with the HDF5 library reads these files, but other HDF5 files
// cannot be read here.
//
// Data sets are tables of numbers: `rows` of `width` components of one type (width 0: a list, of rank 1).
// SCREE_CHAR stands for bytes. Paths are absolute, as "/VTKHDF/PointData/radius"; parent groups must exist.
//
// Invariants: equal calls make equal bytes. After a failure in writing a file can only be closed. No byte of
// an image is believed: addresses, sizes and counts are checked before use, so a forged image can at worst be
// refused. There is no global state, so files are independent of each other.

#ifndef SCREE_FILE_HDF_H
#define SCREE_FILE_HDF_H

#include "file/hdf_shape.h"

struct scree_hdf_reader;
struct scree_hdf_writer;

// An open file, which is either written or read; all zero if none.
struct scree_hdf {
    struct scree_hdf_writer *writer;
    struct scree_hdf_reader *reader;
};

// --- writing

// Creates a file with `userblock` zero bytes before the rest (0, or a power of two from 512).
SCREE_NODISCARD scree_status scree_hdf_create(struct scree_hdf *hdf, size_t userblock);

SCREE_NODISCARD scree_status scree_hdf_group(struct scree_hdf *hdf, const char *path);

// Writes a data set. With `deflate` from 1 to 9 it is shuffled and compressed, unless it is small, or larger
// than 4 GiB, or does not shrink.
SCREE_NODISCARD scree_status scree_hdf_write(struct scree_hdf *hdf, const char *path,
                                             const struct scree_hdf_shape *shape, const void *data,
                                             int deflate);

// Write an attribute of a group or data set: `count` numbers, or a text of fixed length.
SCREE_NODISCARD scree_status scree_hdf_set(struct scree_hdf *hdf, const char *path, const char *name,
                                           scree_type type, size_t count, const void *values);
SCREE_NODISCARD scree_status scree_hdf_set_text(struct scree_hdf *hdf, const char *path, const char *name,
                                                const char *text);

// Closes the file, also on failure, and returns its image, to be freed by scree_memory_free.
SCREE_NODISCARD scree_status scree_hdf_finish(struct scree_hdf *hdf, void **image, size_t *size);

// --- reading

// Opens an image, which is borrowed and must not change until scree_hdf_close. SCREE_ERROR_UNSUPPORTED if the
// file is whole, but not as Scree writes files; SCREE_ERROR_IO if it is damaged or no HDF5 file.
SCREE_NODISCARD scree_status scree_hdf_open(struct scree_hdf *hdf, const void *image, size_t size);

// Gets type and size of a data set. SCREE_ERROR_MISSING if there is none.
SCREE_NODISCARD scree_status scree_hdf_find(struct scree_hdf *hdf, const char *path,
                                            struct scree_hdf_shape *shape);

// Reads a data set of exactly that shape.
SCREE_NODISCARD scree_status scree_hdf_read(struct scree_hdf *hdf, const char *path,
                                            const struct scree_hdf_shape *shape, void *data);

// Returns whether there is a group or data set.
bool scree_hdf_has(struct scree_hdf *hdf, const char *path);

// Read an attribute of exactly this type and count, or a text of less than `capacity` bytes.
SCREE_NODISCARD scree_status scree_hdf_get(struct scree_hdf *hdf, const char *path, const char *name,
                                           scree_type type, size_t count, void *values);
SCREE_NODISCARD scree_status scree_hdf_get_text(struct scree_hdf *hdf, const char *path, const char *name,
                                                char *text, size_t capacity);

// Get the number of members of a group, and the name, below `capacity` bytes, of one, in alphabetical order.
SCREE_NODISCARD scree_status scree_hdf_count(struct scree_hdf *hdf, const char *path, size_t *count);
SCREE_NODISCARD scree_status scree_hdf_name(struct scree_hdf *hdf, const char *path, size_t index, char *name,
                                            size_t capacity);

// --- closing

// Closes a file that is read, or discards one that is being written; does nothing if none is open.
void scree_hdf_close(struct scree_hdf *hdf);

#endif
