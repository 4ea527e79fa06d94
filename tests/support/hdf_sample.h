// An HDF5 file that contains every kind of data that Scree can store in such files; random damage of its
// bytes, with checksums that are correct again; and a reader of all its content.

#ifndef SCREE_TESTS_SUPPORT_HDF_SAMPLE_H
#define SCREE_TESTS_SUPPORT_HDF_SAMPLE_H

#include <scree/field.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// size of the user block, the free bytes before the HDF5 content
enum { SCREE_HDF_SAMPLE_USER_BLOCK = 512 };

// Number `k` of every data set of a type; the type represents it exactly.
double scree_hdf_sample_value(scree_type type, size_t k);

// Makes the file in memory, with data sets of `rows` rows. Free `image` by scree_memory_free.
//
//     /                attributes "count" (one number) and "name" (a text)
//     /list/TYPE       numbers of the types f64, f32, i64, u64, u32, u16, char; the attribute "ends" has
//                      the first and the last of them
//     /packed/TYPE     the same numbers, compressed, without attributes
//     /deep/deeper/table   rows of three f64, compressed
//     /deep/empty      no rows of three f32
SCREE_NODISCARD scree_status scree_hdf_sample_make(size_t rows, void **image, size_t *size);

// the names of the types in paths
extern const char *const scree_hdf_sample_type_names[SCREE_CHAR + 1];

// Writes the correct length and checksums into a damaged file. Stops at the first header whose length is
// invalid.
void scree_hdf_sample_update_checksums(void *image, size_t size);

// Damages a file with this user block at a random position, mostly in its headers. Returns its new size,
// at most `capacity`.
size_t scree_hdf_sample_damage(uint64_t *seed, void *file, size_t size, size_t capacity);

// Opens a file and reads all data sets and some attributes. Returns false if any call failed.
bool scree_hdf_sample_read(const void *image, size_t size);

#endif
