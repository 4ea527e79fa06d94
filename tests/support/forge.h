// HDF5 files for tests: one with everything that such files can contain, changed copies of it whose checksums
// are right again, and a reader of everything in a file.

#ifndef SCREE_TESTS_SUPPORT_FORGE_H
#define SCREE_TESTS_SUPPORT_FORGE_H

#include <scree/field.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// bytes of the user block of the file
enum { SCREE_FORGE_USERBLOCK = 512 };

// Component `k` of each data set; exact in each type.
double scree_forge_value(scree_type type, size_t k);

// Makes a file with data sets of `rows` rows; free it by scree_memory_free.
//
//     /                attributes "count" (one number) and "name" (a text)
//     /list/TYPE       lists of the types f64, f32, i64, u64, u32, u16, char; each has an attribute "ends"
//     with
//                      its first and last number
//     /packed/TYPE     the same, compressed; without attributes
//     /deep/deeper/table   rows of three f64, compressed
//     /deep/empty      no rows of three f32
SCREE_NODISCARD scree_status scree_forge_file(size_t rows, void **image, size_t *size);

extern const char *const scree_forge_names[SCREE_CHAR + 1];

// Makes the length and the checksums in a changed file right, as far as it still has headers.
void scree_forge_seal(void *image, size_t size);

// Changes a file with a user block of that size at a random place, mostly in its headers; returns its size,
// at most `capacity`.
size_t scree_forge_change(uint64_t *seed, void *file, size_t size, size_t capacity);

// Opens a file and reads all data sets and some attributes. Returns whether there was no error.
bool scree_forge_read(const void *image, size_t size);

#endif
