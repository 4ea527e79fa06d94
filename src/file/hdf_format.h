// The part of the HDF5 file format (specification, version 3.0) that Scree writes and reads, and nothing
// else.
//
// A file is, after the user block:
//
//     superblock of version 2                                      II.A
//     data of the data sets, each from a multiple of 8 bytes on
//     object headers of version 2, in one block each, without gap  IV.A.1.b
//
// The headers are in breadth-first order from the root group on, the members of a group in the order of the
// bytes of their names, and nothing is between them: so each address in them can be checked. Their messages
// are, in this order, each of the version that is given:
//
//     group     Link Info 0, Group Info 0, attributes, Link 1 ...             IV.A.2.c, k, g
//     data set  Dataspace 2, Datatype 1, Fill Value 3,                        IV.A.2.b, d, f
//               Data Layout 3 (contiguous), or 4 (one chunk) with             IV.A.2.i
//               Filter Pipeline 2 (shuffle unless of bytes, and deflate),     IV.A.2.l
//               attributes
//     attributes, unless there are none: Attribute Info 0, Attribute 3 ...    IV.A.2.v, m
//
// Addresses and lengths have 8 bytes and count from the superblock on; numbers are little-endian. Superblock
// and headers end in a checksum, lookup3. There are no times, so equal content gives equal bytes.

#ifndef SCREE_FILE_HDF_FORMAT_H
#define SCREE_FILE_HDF_FORMAT_H

#include "file/hdf_shape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "data are stored as they are in memory");

#define SCREE_HDF_NOWHERE UINT64_MAX // the undefined address

enum {
    SCREE_HDF_SUPERBLOCK = 48,       // bytes of the superblock, with its checksum
    SCREE_HDF_SIGNATURE = 8,         // bytes of its signature
    SCREE_HDF_VERSION = 2,           // of the superblock, after the signature
    SCREE_HDF_ALIGNMENT = 8,         // of data
    SCREE_HDF_PREFIX = 10,           // bytes of an object header before its messages
    SCREE_HDF_CHECKSUM = 4,          // bytes of a checksum
    SCREE_HDF_MESSAGE = 4,           // bytes of a message before its data
    SCREE_HDF_MOST_MESSAGE = 0xffff, // bytes of its data
    SCREE_HDF_LINK_START = 7,        // bytes of a link message before the name
    SCREE_HDF_LINK = 7 + 8,          // bytes of a link message without the name
    SCREE_HDF_LONGEST_NAME = 0xff,   // of a group or data set
    SCREE_HDF_GROUP = 28,            // bytes of the first two messages of a group
    SCREE_HDF_ATTRIBUTES = 22,       // bytes of the message before the attributes
    SCREE_HDF_DATA = 160             // bytes of the messages of a data set, at most, without attributes
};

// types of messages
enum {
    SCREE_HDF_DATASPACE = 0x01,
    SCREE_HDF_LINK_INFO = 0x02,
    SCREE_HDF_DATATYPE = 0x03,
    SCREE_HDF_FILL_VALUE = 0x05,
    SCREE_HDF_LINK_TO = 0x06,
    SCREE_HDF_LAYOUT = 0x08,
    SCREE_HDF_GROUP_INFO = 0x0a,
    SCREE_HDF_FILTERS = 0x0b,
    SCREE_HDF_ATTRIBUTE = 0x0c,
    SCREE_HDF_ATTRIBUTE_INFO = 0x15
};

extern const unsigned char scree_hdf_format_signature[SCREE_HDF_SIGNATURE];

// The first two messages of each group.
extern const unsigned char scree_hdf_format_group_start[SCREE_HDF_GROUP];

// The message before the attributes.
extern const unsigned char scree_hdf_format_attributes_start[SCREE_HDF_ATTRIBUTES];

// Datatype of the numbers of each scree_type, and the start of that of a text, whose length follows in 4
// bytes.
struct scree_hdf_datatype {
    unsigned char size, bytes[20];
};
extern const struct scree_hdf_datatype scree_hdf_format_datatypes[SCREE_CHAR + 1];
enum { SCREE_HDF_TEXT = 8 }; // bytes of the datatype of a text
extern const unsigned char scree_hdf_format_text[SCREE_HDF_TEXT - 4];

// How a data set is stored.
struct scree_hdf_place {
    struct scree_hdf_shape shape;
    uint64_t address; // nowhere if it is empty
    uint64_t packed;  // bytes of its compressed data; 0: not compressed
    unsigned level;   // of compression
};

// Returns the bytes of the data of a shape; false if there are too many to count.
bool scree_hdf_format_bytes(const struct scree_hdf_shape *shape, size_t *bytes);

// Returns whether a group or data set may have a name: no slash, no control character, neither empty nor too
// long.
bool scree_hdf_format_is_name(const unsigned char *name, size_t length);

// Bob Jenkins' lookup3 of bytes, with the initial value 0.
uint32_t scree_hdf_format_checksum(const unsigned char *bytes, size_t size);

// --- bytes: each function writes from `to` on, and returns the end of what it has written

static inline unsigned char *scree_hdf_format_put(unsigned char *to, const void *bytes, size_t size)
{
    if (size > 0)
        memcpy(to, bytes, size);
    return to + size;
}

static inline unsigned char *scree_hdf_format_put_number(unsigned char *to, uint64_t number, size_t size)
{
    return scree_hdf_format_put(to, &number, size);
}

static inline uint64_t scree_hdf_format_number(const unsigned char *from, size_t size)
{
    uint64_t number = 0;
    memcpy(&number, from, size);
    return number;
}

// The header of a message. With flag 1 the message never changes.
unsigned char *scree_hdf_format_put_message(unsigned char *to, int type, size_t size, int flags);

// The checksum of the bytes in [from, to).
unsigned char *scree_hdf_format_put_checksum(unsigned char *to, const unsigned char *from);

// A dataspace of rank 0, 1 or 2.
unsigned char *scree_hdf_format_put_space(unsigned char *to, int rank, uint64_t rows, uint64_t width);

unsigned char *scree_hdf_format_put_superblock(unsigned char *to, uint64_t userblock, uint64_t end,
                                               uint64_t root);

// The messages of a data set without its attributes.
unsigned char *scree_hdf_format_put_place(unsigned char *to, const struct scree_hdf_place *place);

// --- compression: the filters shuffle (byte b of each element after byte b - 1 of all elements) and deflate

// Deflate makes at most 1032 bytes of one, and the size of a chunk has 4 bytes.
#define SCREE_HDF_MOST_CHUNK UINT32_MAX
enum { SCREE_HDF_MOST_RATIO = 1032 };

// A file that is being written.
struct scree_hdf_image {
    unsigned char *data;
    size_t size, capacity;
};

// Makes room for `more` bytes after those that there are.
SCREE_NODISCARD scree_status scree_hdf_write_reserve(struct scree_hdf_image *image, size_t more);

// Appends elements of `size` bytes, `bytes` in all, compressed with level 1 to 9. Appends nothing and sets
// `stored` to 0 if they do not become smaller.
SCREE_NODISCARD scree_status scree_hdf_deflate(struct scree_hdf_image *image, const void *data, size_t bytes,
                                               size_t size, int level, size_t *stored);

// The reverse; fails if `packed` is not exactly `bytes` bytes of data.
SCREE_NODISCARD scree_status scree_hdf_deflate_undo(const unsigned char *packed, size_t stored, void *data,
                                                    size_t bytes, size_t size);

// --- files: the functions behind those of hdf.h. After a failure a file is to be freed.

struct scree_hdf_reader;
struct scree_hdf_writer;

SCREE_NODISCARD scree_status scree_hdf_write_begin(struct scree_hdf_writer **made, size_t userblock);
SCREE_NODISCARD scree_status scree_hdf_write_group(struct scree_hdf_writer *writer, const char *path);
SCREE_NODISCARD scree_status scree_hdf_write_data(struct scree_hdf_writer *writer, const char *path,
                                                  const struct scree_hdf_shape *shape, const void *data,
                                                  int deflate);
SCREE_NODISCARD scree_status scree_hdf_write_numbers(struct scree_hdf_writer *writer, const char *path,
                                                     const char *name, scree_type type, size_t count,
                                                     const void *values);
SCREE_NODISCARD scree_status scree_hdf_write_text(struct scree_hdf_writer *writer, const char *path,
                                                  const char *name, const char *text);
SCREE_NODISCARD scree_status scree_hdf_write_finish(struct scree_hdf_writer *writer, void **image,
                                                    size_t *size);
void scree_hdf_write_free(struct scree_hdf_writer *writer);

SCREE_NODISCARD scree_status scree_hdf_read_open(struct scree_hdf_reader **made, const void *image,
                                                 size_t size);
SCREE_NODISCARD scree_status scree_hdf_read_find(const struct scree_hdf_reader *reader, const char *path,
                                                 struct scree_hdf_shape *shape);
SCREE_NODISCARD scree_status scree_hdf_read_data(const struct scree_hdf_reader *reader, const char *path,
                                                 const struct scree_hdf_shape *shape, void *data);
bool scree_hdf_read_has(const struct scree_hdf_reader *reader, const char *path);
SCREE_NODISCARD scree_status scree_hdf_read_numbers(const struct scree_hdf_reader *reader, const char *path,
                                                    const char *name, scree_type type, size_t count,
                                                    void *values);
SCREE_NODISCARD scree_status scree_hdf_read_text(const struct scree_hdf_reader *reader, const char *path,
                                                 const char *name, char *text, size_t capacity);
SCREE_NODISCARD scree_status scree_hdf_read_count(const struct scree_hdf_reader *reader, const char *path,
                                                  size_t *count);
SCREE_NODISCARD scree_status scree_hdf_read_name(const struct scree_hdf_reader *reader, const char *path,
                                                 size_t index, char *name, size_t capacity);
void scree_hdf_read_free(struct scree_hdf_reader *reader);

#endif
