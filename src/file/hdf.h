// HDF5 files made and read wholly in memory, so that no full disk and no other program's file ever meets the
// HDF5 library half way: what is written to disk is a finished image, and what is read is an image that was
// read whole.
//
// Data are tables of numbers: `rows` of `width` components of one type (width 0 for a plain list, which is
// rank 1). SCREE_CHAR stands for bytes. Paths are absolute, as "/VTKHDF/PointData/radius"; groups on the way
// must be there.
//
// What always holds: HDF5's own error printing is off inside these calls and as it was after them; it
// installs no handler at the exit of the process; one call at a time is inside HDF5, whatever thread it comes
// from. A failure leaves a file that can only be abandoned.

#ifndef SCREE_FILE_HDF_H
#define SCREE_FILE_HDF_H

#include "base/status.h"

#include <scree/field.h>

struct scree_hdf_image;

// An open file; a zeroed one is none.
struct scree_hdf {
    int64_t file;
    struct scree_hdf_image *image;
};

// What lies in a data set.
struct scree_hdf_shape {
    scree_type type;
    size_t rows;
    unsigned width; // 0: rank 1
};

// --- writing

// Begins a file; `userblock` bytes of zeros come before HDF5's (0, or a power of two from 512).
SCREE_NODISCARD scree_status scree_hdf_create(struct scree_hdf *hdf, size_t userblock);

SCREE_NODISCARD scree_status scree_hdf_group(struct scree_hdf *hdf, const char *path);

// Writes a data set; deflated where `deflate` is 1 to 9 and it is worth it, and then bytes are shuffled too.
SCREE_NODISCARD scree_status scree_hdf_write(struct scree_hdf *hdf, const char *path,
                                             const struct scree_hdf_shape *shape, const void *data,
                                             int deflate);

// Attributes of a group or data set: `count` numbers, or a text of fixed length.
SCREE_NODISCARD scree_status scree_hdf_set(struct scree_hdf *hdf, const char *path, const char *name,
                                           scree_type type, size_t count, const void *values);
SCREE_NODISCARD scree_status scree_hdf_set_text(struct scree_hdf *hdf, const char *path, const char *name,
                                                const char *text);

// Ends the file and hands over its image, to be freed by scree_memory_free. After a failure there is neither.
SCREE_NODISCARD scree_status scree_hdf_finish(struct scree_hdf *hdf, void **image, size_t *size);

// --- reading

// Opens an image, which stays the caller's, unchanged, until scree_hdf_close.
SCREE_NODISCARD scree_status scree_hdf_open(struct scree_hdf *hdf, const void *image, size_t size);

// What lies at the path; SCREE_ERROR_MISSING where there is no data set, SCREE_ERROR_UNSUPPORTED where it is
// of another kind than is written here (a link out of the file, data in other files, another filter or type).
SCREE_NODISCARD scree_status scree_hdf_find(struct scree_hdf *hdf, const char *path,
                                            struct scree_hdf_shape *shape);

// Reads a data set of exactly that shape.
SCREE_NODISCARD scree_status scree_hdf_read(struct scree_hdf *hdf, const char *path,
                                            const struct scree_hdf_shape *shape, void *data);

// Whether there is a group or data set.
bool scree_hdf_has(struct scree_hdf *hdf, const char *path);

// Reads an attribute of exactly that type and count; a text of less than `room` bytes.
SCREE_NODISCARD scree_status scree_hdf_get(struct scree_hdf *hdf, const char *path, const char *name,
                                           scree_type type, size_t count, void *values);
SCREE_NODISCARD scree_status scree_hdf_get_text(struct scree_hdf *hdf, const char *path, const char *name,
                                                char *text, size_t room);

// The number of names in a group, and the name of one of them, in alphabetical order, of less than `room`
// bytes.
SCREE_NODISCARD scree_status scree_hdf_count(struct scree_hdf *hdf, const char *path, size_t *count);
SCREE_NODISCARD scree_status scree_hdf_name(struct scree_hdf *hdf, const char *path, size_t index, char *name,
                                            size_t room);

// --- both

// Closes a file that is read, and drops one that is being written; nothing happens where there is none.
void scree_hdf_close(struct scree_hdf *hdf);

#endif
