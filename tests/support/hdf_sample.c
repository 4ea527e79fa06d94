// A sample of all HDF5 data, and damaged copies of it, see hdf_sample.h.

#include "support/hdf_sample.h"

#include "base/memory.h"
#include "file/hdf.h"
#include "file/hdf_format.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

// longest path, and depth of the deepest group that is read
enum { PATH = 512, MAX_DEPTH = 8 };

const char *const scree_hdf_sample_type_names[SCREE_CHAR + 1] = {"f64", "f32", "i64", "u64",
                                                                 "u32", "u16", "char"};

double scree_hdf_sample_value(scree_type type, size_t k)
{
    const double number = (double)(k * k % 101);
    return type == SCREE_F64   ? number / 8 - 3
           : type == SCREE_F32 ? number / 4
           : type == SCREE_I64 ? -number
                               : number;
}

static void store(scree_type type, void *data, size_t k)
{
    const double value = scree_hdf_sample_value(type, k);
    const float narrow = (float)value;
    const int64_t integer = (int64_t)value;
    const size_t size = scree_field_size(type);
    const void *from = type == SCREE_F64   ? (const void *)&value
                       : type == SCREE_F32 ? (const void *)&narrow
                                           : (const void *)&integer;
    memcpy((char *)data + k * size, from, size);
}

static scree_status write_type(struct scree_hdf *hdf, scree_type type, size_t rows, char *data)
{
    char path[PATH];
    const size_t size = scree_field_size(type);
    const struct scree_hdf_shape shape = {type, rows, 0};
    for (size_t k = 0; k < rows; ++k)
        store(type, data, k);
    snprintf(path, sizeof path, "/packed/%s", scree_hdf_sample_type_names[type]);
    SCREE_TRY(scree_hdf_write(hdf, path, &shape, data, 1));
    snprintf(path, sizeof path, "/list/%s", scree_hdf_sample_type_names[type]);
    SCREE_TRY(scree_hdf_write(hdf, path, &shape, data, 0));
    memcpy(data + size, data + (rows - 1) * size, size);
    return scree_hdf_set(hdf, path, "ends", type, 2, data);
}

static scree_status write_all(struct scree_hdf *hdf, size_t rows, char *data)
{
    SCREE_TRY(scree_hdf_set(hdf, "/", "count", SCREE_U32, 1, &(uint32_t){7}));
    SCREE_TRY(scree_hdf_set_text(hdf, "/", "name", "a sample"));
    SCREE_TRY(scree_hdf_group(hdf, "/list"));
    SCREE_TRY(scree_hdf_group(hdf, "/packed"));
    for (scree_type type = SCREE_F64; type <= SCREE_CHAR; ++type)
        SCREE_TRY(write_type(hdf, type, rows, data));
    SCREE_TRY(scree_hdf_group(hdf, "/deep"));
    SCREE_TRY(scree_hdf_group(hdf, "/deep/deeper"));
    for (size_t k = 0; k < 3 * rows; ++k)
        store(SCREE_F64, data, k);
    SCREE_TRY(
        scree_hdf_write(hdf, "/deep/deeper/table", &(struct scree_hdf_shape){SCREE_F64, rows, 3}, data, 9));
    return scree_hdf_write(hdf, "/deep/empty", &(struct scree_hdf_shape){SCREE_F32, 0, 3}, NULL, 1);
}

scree_status scree_hdf_sample_make(size_t rows, void **image, size_t *size)
{
    struct scree_hdf hdf;
    char *data;
    *image = NULL;
    SCREE_TRY(scree_memory_new(3 * rows, sizeof(double), (void **)&data));
    scree_status status = scree_hdf_create(&hdf, SCREE_HDF_SAMPLE_USER_BLOCK);
    if (status == SCREE_OK) {
        status = write_all(&hdf, rows, data);
        if (status == SCREE_OK)
            status = scree_hdf_finish(&hdf, image, size);
        else
            scree_hdf_close(&hdf);
    }
    scree_memory_free(data);
    return status;
}

// Writes the checksum of `size` bytes after them.
static void write_checksum(unsigned char *bytes, size_t size)
{
    (void)scree_hdf_format_put_checksum(bytes + size, bytes);
}

void scree_hdf_sample_update_checksums(void *image, size_t size)
{
    unsigned char *file = (unsigned char *)image + SCREE_HDF_SAMPLE_USER_BLOCK;
    if (size < SCREE_HDF_SAMPLE_USER_BLOCK + SCREE_HDF_SUPERBLOCK)
        return;
    (void)scree_hdf_format_put_number(file + 28, size, 8);
    write_checksum(file, SCREE_HDF_SUPERBLOCK - SCREE_HDF_CHECKSUM);
    const uint64_t end = size - SCREE_HDF_SAMPLE_USER_BLOCK;
    for (uint64_t at = scree_hdf_format_number(file + 36, 8);
         at <= end && end - at >= SCREE_HDF_PREFIX + SCREE_HDF_CHECKSUM;) {
        const uint64_t messages = scree_hdf_format_number(file + at + SCREE_HDF_PREFIX - 4, 4);
        if (messages > end - at - SCREE_HDF_PREFIX - SCREE_HDF_CHECKSUM)
            return;
        write_checksum(file + at, SCREE_HDF_PREFIX + messages);
        at += SCREE_HDF_PREFIX + messages + SCREE_HDF_CHECKSUM;
    }
}

static uint64_t random_below(uint64_t *seed, uint64_t count)
{
    return splitmix_next(seed) % count;
}

// Numbers that are probably invalid: limits of the integer types, small numbers, and numbers near the size
// of the file.
static uint64_t extreme_number(uint64_t *seed, size_t size)
{
    static const uint64_t limits[] = {0,
                                      1,
                                      2,
                                      3,
                                      255,
                                      256,
                                      0x7fff,
                                      0xffff,
                                      0x10000,
                                      0x7fffffff,
                                      1u << 31,
                                      0xffffffff,
                                      1ull << 32,
                                      1ull << 61,
                                      1ull << 63,
                                      UINT64_MAX,
                                      UINT64_MAX - 7,
                                      INT64_MAX};
    const uint64_t kinds = sizeof limits / sizeof limits[0], kind = random_below(seed, kinds + 3);
    return kind < kinds        ? limits[kind]
           : kind == kinds     ? random_below(seed, 2 * size)
           : kind == kinds + 1 ? size - random_below(seed, 64)
                               : random_below(seed, 64);
}

size_t scree_hdf_sample_damage(uint64_t *seed, void *file, size_t size, size_t capacity)
{
    unsigned char *image = (unsigned char *)file;
    const size_t headers =
        SCREE_HDF_SAMPLE_USER_BLOCK +
        (size_t)(scree_hdf_format_number(image + SCREE_HDF_SAMPLE_USER_BLOCK + 36, 8) % size);
    const size_t first =
        random_below(seed, 8) > 0 && headers < size - 64 ? headers : SCREE_HDF_SAMPLE_USER_BLOCK;
    const size_t at = first + random_below(seed, size - first - 32),
                 other = first + random_below(seed, size - first - 32);
    const size_t length = 1 + random_below(seed, 32);
    const uint64_t number = extreme_number(seed, size);
    switch (random_below(seed, 8)) {
    case 0:
        memmove(image + at, image + other, length);
        return size;
    case 1:
        memset(image + at, random_below(seed, 2) ? 0xff : 0, length);
        return size;
    case 2:
        // insert or delete bytes
        if (random_below(seed, 2) && size + length <= capacity) {
            memmove(image + at + length, image + at, size - at);
            return size + length;
        }
        memmove(image + at, image + at + length, size - at - length);
        return size - length;
    case 3:
        image[at] = (unsigned char)(image[at] + (random_below(seed, 2) ? 1 : -1));
        return size;
    case 4:
        image[at] = (unsigned char)(image[at] ^ (1 << random_below(seed, 8)));
        return size;
    default:
        memcpy(image + at, &number, 1ull << random_below(seed, 4));
        return size;
    }
}

static scree_status read_data(struct scree_hdf *hdf, const char *path)
{
    struct scree_hdf_shape shape;
    void *data;
    SCREE_TRY(scree_hdf_find(hdf, path, &shape));
    SCREE_TRY(scree_memory_new(shape.rows, scree_field_size(shape.type) * (shape.width > 0 ? shape.width : 1),
                               &data));
    const scree_status status = scree_hdf_read(hdf, path, &shape, data);
    scree_memory_free(data);
    return status;
}

// Returns how many of the attributes that write_all() may write exist.
static unsigned read_attributes(struct scree_hdf *hdf, const char *path)
{
    char text[16];
    double numbers[2];
    unsigned found = 0;
    for (scree_type type = SCREE_F64; type <= SCREE_CHAR; ++type)
        found += scree_hdf_get(hdf, path, "ends", type, 2, numbers) == SCREE_OK;
    found += scree_hdf_get(hdf, path, "count", SCREE_U32, 1, numbers) == SCREE_OK;
    return found + (scree_hdf_get_text(hdf, path, "name", text, sizeof text) == SCREE_OK);
}

static scree_status read_group(struct scree_hdf *hdf, const char *path, int depth)
{
    size_t count;
    (void)read_attributes(hdf, path);
    SCREE_TRY(scree_hdf_count(hdf, path, &count));
    for (size_t k = 0; k < count && depth < MAX_DEPTH; ++k) {
        char name[256], member[PATH];
        struct scree_hdf_shape shape;
        SCREE_TRY(scree_hdf_name(hdf, path, k, name, sizeof name));
        snprintf(member, sizeof member, "%.200s/%s", path[1] ? path : "", name);
        (void)read_attributes(hdf, member);
        if (scree_hdf_find(hdf, member, &shape) == SCREE_OK)
            SCREE_TRY(read_data(hdf, member));
        else if (scree_hdf_has(hdf, member))
            SCREE_TRY(read_group(hdf, member, depth + 1));
    }
    return SCREE_OK;
}

bool scree_hdf_sample_read(const void *image, size_t size)
{
    struct scree_hdf hdf;
    if (scree_hdf_open(&hdf, image, size) != SCREE_OK)
        return false;
    const scree_status status = read_group(&hdf, "/", 0);
    scree_hdf_close(&hdf);
    return status == SCREE_OK;
}
