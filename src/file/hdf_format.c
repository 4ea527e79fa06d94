// Constants and the checksum of HDF5 files, see hdf_format.h.

#include "file/hdf_format.h"

const unsigned char scree_hdf_format_signature[SCREE_HDF_SIGNATURE] = {0x89, 'H',  'D',  'F',
                                                                       '\r', '\n', 0x1a, '\n'};

// IV.A.2.d: version and class, class bits, size in bytes; then for an integer the bits before it and its
// number of bits, for a real number also place and size of exponent and mantissa, and the exponent's bias
const struct scree_hdf_datatype scree_hdf_format_datatypes[] = {
    [SCREE_F64] = {20, {0x11, 0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0}},
    [SCREE_F32] = {20, {0x11, 0x20, 31, 0, 4, 0, 0, 0, 0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0}},
    [SCREE_I64] = {12, {0x10, 0x08, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0}},
    [SCREE_U64] = {12, {0x10, 0x00, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0}},
    [SCREE_U32] = {12, {0x10, 0x00, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0}},
    [SCREE_U16] = {12, {0x10, 0x00, 0, 0, 2, 0, 0, 0, 0, 0, 16, 0}},
    [SCREE_CHAR] = {12, {0x10, 0x00, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0}},
};

// padded with zeros, ASCII
const unsigned char scree_hdf_format_text[SCREE_HDF_TEXT - 4] = {0x13, 0x01, 0, 0};

// the eight bytes of an address or a number that is not set
#define UNDEFINED_ADDRESS 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff

const unsigned char scree_hdf_format_group_start[SCREE_HDF_GROUP] = {
    // version and flags 0; neither a heap of links nor an index of their names
    SCREE_HDF_LINK_INFO,  18, 0, 0, 0, 0, UNDEFINED_ADDRESS, UNDEFINED_ADDRESS,
    SCREE_HDF_GROUP_INFO, 2,  0, 1, 0, 0};

const unsigned char scree_hdf_format_attributes_start[SCREE_HDF_ATTRIBUTES] = {
    // the same for attributes; optional, but without it h5repack and h5diff do not find them
    SCREE_HDF_ATTRIBUTE_INFO, 18, 0, 0, 0, 0, UNDEFINED_ADDRESS, UNDEFINED_ADDRESS};

bool scree_hdf_format_bytes(const struct scree_hdf_shape *shape, size_t *bytes)
{
    size_t row;
    return !__builtin_mul_overflow(scree_field_size(shape->type), shape->width > 0 ? shape->width : 1,
                                   &row) &&
           !__builtin_mul_overflow(shape->rows, row, bytes) && *bytes <= PTRDIFF_MAX;
}

bool scree_hdf_format_is_name(const unsigned char *name, size_t length)
{
    size_t good = 0;
    while (good < length && name[good] >= ' ' && name[good] != '/' && name[good] != 0x7f)
        ++good;
    return good == length && length > 0 && length <= SCREE_HDF_LONGEST_NAME;
}

// --- parts of a file

// class of a layout
enum { CONTIGUOUS = 1, CHUNKED = 2 };

// a layout of one filtered chunk: flag, and kind of the index
enum { ONE_FILTERED = 2, ONE_CHUNK = 1 };

// fill value: the default one, written if it was set, in space that is taken late or chunk by chunk
enum { TAKEN_LATE = 0x0a, TAKEN_BY_CHUNK = 0x0b };

enum { DEFLATE = 1, SHUFFLE = 2 };

unsigned char *scree_hdf_format_put_message(unsigned char *to, int type, size_t size, int flags)
{
    to = scree_hdf_format_put_number(to, (uint64_t)type, 1);
    to = scree_hdf_format_put_number(to, size, 2);
    return scree_hdf_format_put_number(to, (uint64_t)flags, 1);
}

unsigned char *scree_hdf_format_put_checksum(unsigned char *to, const unsigned char *from)
{
    return scree_hdf_format_put_number(to, scree_hdf_format_checksum(from, (size_t)(to - from)),
                                       SCREE_HDF_CHECKSUM);
}

unsigned char *scree_hdf_format_put_space(unsigned char *to, int rank, uint64_t rows, uint64_t width)
{
    // version, rank, no greatest sizes, one number or many
    to = scree_hdf_format_put(to, (const unsigned char[]){2, (unsigned char)rank, 0, rank > 0}, 4);
    if (rank > 0)
        to = scree_hdf_format_put_number(to, rows, 8);
    return rank > 1 ? scree_hdf_format_put_number(to, width, 8) : to;
}

unsigned char *scree_hdf_format_put_superblock(unsigned char *to, uint64_t userblock, uint64_t end,
                                               uint64_t root)
{
    const unsigned char *from = to;
    to = scree_hdf_format_put(to, scree_hdf_format_signature, SCREE_HDF_SIGNATURE);
    // version, bytes of addresses and lengths, no flags
    to = scree_hdf_format_put(to, (const unsigned char[]){SCREE_HDF_VERSION, 8, 8, 0}, 4);
    to = scree_hdf_format_put_number(to, userblock, 8);
    // no extension
    to = scree_hdf_format_put_number(to, SCREE_HDF_NOWHERE, 8);
    // the only address that counts from the user block on
    to = scree_hdf_format_put_number(to, userblock + end, 8);
    to = scree_hdf_format_put_number(to, root, 8);
    return scree_hdf_format_put_checksum(to, from);
}

static unsigned char *put_contiguous(unsigned char *to, const struct scree_hdf_place *place)
{
    size_t bytes = 0;
    (void)scree_hdf_format_bytes(&place->shape, &bytes);
    to = scree_hdf_format_put_message(to, SCREE_HDF_LAYOUT, 18, 0);
    to = scree_hdf_format_put(to, (const unsigned char[]){3, CONTIGUOUS}, 2);
    to = scree_hdf_format_put_number(to, place->address, 8);
    return scree_hdf_format_put_number(to, bytes, 8);
}

// One chunk, as large as the data set, and the sizes of its elements; no filter was left out.
static unsigned char *put_chunk(unsigned char *to, const struct scree_hdf_place *place, int rank)
{
    to = scree_hdf_format_put_message(to, SCREE_HDF_LAYOUT, 26 + 4 * ((size_t)rank + 1), 0);
    to = scree_hdf_format_put(
        to, (const unsigned char[]){4, CHUNKED, ONE_FILTERED, (unsigned char)(rank + 1), 4}, 5);
    to = scree_hdf_format_put_number(to, place->shape.rows, 4);
    if (rank > 1)
        to = scree_hdf_format_put_number(to, place->shape.width, 4);
    to = scree_hdf_format_put_number(to, scree_field_size(place->shape.type), 4);
    to = scree_hdf_format_put_number(to, ONE_CHUNK, 1);
    to = scree_hdf_format_put_number(to, place->packed, 8);
    to = scree_hdf_format_put_number(to, 0, 4);
    return scree_hdf_format_put_number(to, place->address, 8);
}

// An optional filter with one setting.
static unsigned char *put_filter(unsigned char *to, int filter, uint64_t setting)
{
    to = scree_hdf_format_put(to, (const unsigned char[]){(unsigned char)filter, 0, 1, 0, 1, 0}, 6);
    return scree_hdf_format_put_number(to, setting, 4);
}

static unsigned char *put_filters(unsigned char *to, const struct scree_hdf_place *place)
{
    const size_t size = scree_field_size(place->shape.type);
    const unsigned char filters = size > 1 ? 2 : 1;
    to = scree_hdf_format_put_message(to, SCREE_HDF_FILTERS, 2 + 10 * (size_t)filters, 1);
    to = scree_hdf_format_put(to, (const unsigned char[]){2, filters}, 2);
    if (size > 1)
        to = put_filter(to, SHUFFLE, size);
    return put_filter(to, DEFLATE, place->level);
}

unsigned char *scree_hdf_format_put_place(unsigned char *to, const struct scree_hdf_place *place)
{
    const struct scree_hdf_datatype *type = &scree_hdf_format_datatypes[place->shape.type];
    const int rank = place->shape.width == 0 ? 1 : 2;
    to = scree_hdf_format_put_message(to, SCREE_HDF_DATASPACE, 4 + 8 * (size_t)rank, 0);
    to = scree_hdf_format_put_space(to, rank, place->shape.rows, place->shape.width);
    to = scree_hdf_format_put_message(to, SCREE_HDF_DATATYPE, type->size, 1);
    to = scree_hdf_format_put(to, type->bytes, type->size);
    to = scree_hdf_format_put_message(to, SCREE_HDF_FILL_VALUE, 2, 1);
    to = scree_hdf_format_put(to, (const unsigned char[]){3, place->packed > 0 ? TAKEN_BY_CHUNK : TAKEN_LATE},
                              2);
    return place->packed > 0 ? put_filters(put_chunk(to, place, rank), place) : put_contiguous(to, place);
}

// --- lookup3: three words, to which the data are added 12 bytes at a time

static uint32_t turn(uint32_t word, unsigned bits)
{
    return word << bits | word >> (32 - bits);
}

static void mix(uint32_t word[3])
{
    static const unsigned char bits[6] = {4, 6, 8, 16, 19, 4};
    for (unsigned k = 0; k < 6; ++k) {
        uint32_t *self = &word[k % 3], *before = &word[(k + 2) % 3];
        *self = (*self - *before) ^ turn(*before, bits[k]);
        *before += word[(k + 1) % 3];
    }
}

static void mix_last(uint32_t word[3])
{
    static const unsigned char bits[7] = {14, 11, 25, 16, 4, 14, 24};
    for (unsigned k = 0; k < 7; ++k) {
        uint32_t *self = &word[(k + 2) % 3];
        const uint32_t before = word[(k + 1) % 3];
        *self = (*self ^ before) - turn(before, bits[k]);
    }
}

// Adds up to 12 bytes.
static void add(uint32_t word[3], const unsigned char *bytes, size_t size)
{
    for (size_t b = 0; b < size; ++b)
        word[b / 4] += (uint32_t)bytes[b] << 8 * (b % 4);
}

uint32_t scree_hdf_format_checksum(const unsigned char *bytes, size_t size)
{
    const uint32_t start = 0xdeadbeef + (uint32_t)size;
    uint32_t word[3] = {start, start, start};
    if (size == 0)
        return start;
    for (; size > 12; bytes += 12, size -= 12) {
        add(word, bytes, 12);
        mix(word);
    }
    add(word, bytes, size);
    mix_last(word);
    return word[2];
}
