// HDF5 files in memory: written data are read back bit for bit, missing data and wrong types are reported,
// and failed allocations are reported and leak nothing. The checksum is compared with published values;
// test_hdf_tools.c compares files with the HDF5 library.

#include "base/memory.h"
#include "file/hdf.h"
#include "file/hdf_format.h"
#include "support/worlds.h"

#include <stdio.h>

enum { ROWS = 100000 };

// Makes a file with every type, lists and tables, compressed and uncompressed, after `userblock` free bytes.
static scree_status make_file(size_t userblock, void **image, size_t *size)
{
    struct scree_hdf hdf;
    static double table[ROWS][3];
    static float list[ROWS];
    static const int64_t integers[3] = {-5, 0, INT64_MAX};
    static const uint64_t ids[2] = {1, UINT64_MAX};
    static const uint32_t words[2] = {7, UINT32_MAX};
    static const uint16_t shorts[2] = {9, UINT16_MAX};
    static const char bytes[4] = {0, 1, 'a', (char)0xff};
    for (size_t r = 0; r < ROWS; ++r) {
        list[r] = (float)r / 3;
        for (size_t c = 0; c < 3; ++c)
            table[r][c] = (double)(3 * r + c) / 7;
    }
    *image = NULL;
    SCREE_TRY(scree_hdf_create(&hdf, userblock));
    scree_status status = scree_hdf_group(&hdf, "/a");
#define NEXT(call) status = status == SCREE_OK ? (call) : status
    NEXT(scree_hdf_group(&hdf, "/a/b"));
    NEXT(scree_hdf_write(&hdf, "/a/table", &(struct scree_hdf_shape){SCREE_F64, ROWS, 3}, table, 1));
    NEXT(scree_hdf_write(&hdf, "/a/b/list", &(struct scree_hdf_shape){SCREE_F32, ROWS, 0}, list, 0));
    NEXT(scree_hdf_write(&hdf, "/a/whole", &(struct scree_hdf_shape){SCREE_I64, 3, 0}, integers, 9));
    NEXT(scree_hdf_write(&hdf, "/a/ids", &(struct scree_hdf_shape){SCREE_U64, 2, 0}, ids, 0));
    NEXT(scree_hdf_write(&hdf, "/a/words", &(struct scree_hdf_shape){SCREE_U32, 1, 2}, words, 0));
    NEXT(scree_hdf_write(&hdf, "/a/halves", &(struct scree_hdf_shape){SCREE_U16, 2, 1}, shorts, 0));
    NEXT(scree_hdf_write(&hdf, "/a/bytes", &(struct scree_hdf_shape){SCREE_CHAR, 4, 0}, bytes, 0));
    NEXT(scree_hdf_write(&hdf, "/a/none", &(struct scree_hdf_shape){SCREE_F64, 0, 3}, NULL, 5));
    NEXT(scree_hdf_set(&hdf, "/a", "version", SCREE_I64, 2, (const int64_t[]){1, 0}));
    NEXT(scree_hdf_set(&hdf, "/a/whole", "scale", SCREE_F64, 1, &(double){0.1}));
    NEXT(scree_hdf_set_text(&hdf, "/a", "kind", "a made-up one"));
#undef NEXT
    if (status == SCREE_OK)
        return scree_hdf_finish(&hdf, image, size);
    scree_hdf_close(&hdf);
    return status;
}

static void written_data_are_read_back_bit_for_bit(void **state)
{
    (void)state;
    void *image;
    size_t size;
    struct scree_hdf hdf;
    struct scree_hdf_shape shape;
    static double table[ROWS][3];
    static float list[ROWS];
    int64_t integers[3], version[2];
    uint64_t ids[2];
    uint32_t words[2];
    uint16_t shorts[2];
    char bytes[4], kind[20];
    double scale;
    assert_int_equal(make_file(0, &image, &size), SCREE_OK);
    assert_int_equal(scree_hdf_open(&hdf, image, size), SCREE_OK);
    assert_int_equal(scree_hdf_find(&hdf, "/a/table", &shape), SCREE_OK);
    assert_int_equal(shape.type, SCREE_F64);
    assert_int_equal(shape.rows, ROWS);
    assert_int_equal(shape.width, 3);
    assert_int_equal(scree_hdf_read(&hdf, "/a/table", &shape, table), SCREE_OK);
    assert_int_equal(scree_hdf_find(&hdf, "/a/b/list", &shape), SCREE_OK);
    assert_int_equal(shape.width, 0);
    assert_int_equal(scree_hdf_read(&hdf, "/a/b/list", &shape, list), SCREE_OK);
    for (size_t r = 0; r < ROWS; ++r) {
        assert_true(list[r] == (float)r / 3);
        for (size_t c = 0; c < 3; ++c)
            assert_true(table[r][c] == (double)(3 * r + c) / 7);
    }
    assert_int_equal(scree_hdf_read(&hdf, "/a/whole", &(struct scree_hdf_shape){SCREE_I64, 3, 0}, integers),
                     SCREE_OK);
    assert_true(integers[0] == -5 && integers[1] == 0 && integers[2] == INT64_MAX);
    assert_int_equal(scree_hdf_read(&hdf, "/a/ids", &(struct scree_hdf_shape){SCREE_U64, 2, 0}, ids),
                     SCREE_OK);
    assert_true(ids[0] == 1 && ids[1] == UINT64_MAX);
    assert_int_equal(scree_hdf_read(&hdf, "/a/words", &(struct scree_hdf_shape){SCREE_U32, 1, 2}, words),
                     SCREE_OK);
    assert_true(words[0] == 7 && words[1] == UINT32_MAX);
    assert_int_equal(scree_hdf_read(&hdf, "/a/halves", &(struct scree_hdf_shape){SCREE_U16, 2, 1}, shorts),
                     SCREE_OK);
    assert_true(shorts[0] == 9 && shorts[1] == UINT16_MAX);
    assert_int_equal(scree_hdf_read(&hdf, "/a/bytes", &(struct scree_hdf_shape){SCREE_CHAR, 4, 0}, bytes),
                     SCREE_OK);
    assert_memory_equal(bytes, "\0\1a\xff", 4);
    assert_int_equal(scree_hdf_find(&hdf, "/a/none", &shape), SCREE_OK);
    assert_true(shape.rows == 0 && shape.width == 3);
    assert_int_equal(scree_hdf_get(&hdf, "/a", "version", SCREE_I64, 2, version), SCREE_OK);
    assert_true(version[0] == 1 && version[1] == 0);
    assert_int_equal(scree_hdf_get(&hdf, "/a/whole", "scale", SCREE_F64, 1, &scale), SCREE_OK);
    assert_true(scale == 0.1);
    assert_int_equal(scree_hdf_get_text(&hdf, "/a", "kind", kind, sizeof kind), SCREE_OK);
    assert_string_equal(kind, "a made-up one");
    scree_hdf_close(&hdf);
    scree_memory_free(image);
}

static void names_of_a_group_are_in_alphabetical_order(void **state)
{
    (void)state;
    static const char *const expected[] = {"b", "bytes", "halves", "ids", "none", "table", "whole", "words"};
    void *image;
    size_t size, count;
    struct scree_hdf hdf;
    char name[7];
    assert_int_equal(make_file(0, &image, &size), SCREE_OK);
    assert_int_equal(scree_hdf_open(&hdf, image, size), SCREE_OK);
    assert_int_equal(scree_hdf_count(&hdf, "/a", &count), SCREE_OK);
    assert_int_equal(count, 8);
    for (size_t k = 0; k < count; ++k) {
        assert_int_equal(scree_hdf_name(&hdf, "/a", k, name, sizeof name), SCREE_OK);
        assert_string_equal(name, expected[k]);
    }
    // an index past the last name, and a name that is too long for the buffer
    assert_int_equal(scree_hdf_name(&hdf, "/a", count, name, sizeof name), SCREE_ERROR_MISSING);
    assert_int_equal(scree_hdf_name(&hdf, "/a", 2, name, 6), SCREE_ERROR_MISSING);
    assert_int_equal(scree_hdf_count(&hdf, "/a/table", &count), SCREE_ERROR_MISSING);
    scree_hdf_close(&hdf);
    scree_memory_free(image);
}

static void missing_data_and_wrong_types_are_reported(void **state)
{
    (void)state;
    void *image;
    size_t size;
    struct scree_hdf hdf;
    struct scree_hdf_shape shape;
    int64_t numbers[4];
    double table[1];
    char text[8];
    assert_int_equal(make_file(0, &image, &size), SCREE_OK);
    assert_int_equal(scree_hdf_open(&hdf, image, size), SCREE_OK);
    assert_true(scree_hdf_has(&hdf, "/a/b"));
    assert_true(scree_hdf_has(&hdf, "/"));
    assert_false(scree_hdf_has(&hdf, "/b"));
    assert_false(scree_hdf_has(&hdf, "a"));
    assert_int_equal(scree_hdf_find(&hdf, "/a/nothing", &shape), SCREE_ERROR_MISSING);
    assert_non_null(strstr(scree_status_message(), "'/a/nothing'"));
    assert_int_equal(scree_hdf_find(&hdf, "/a/nothing/at/all", &shape), SCREE_ERROR_MISSING);
    assert_int_equal(scree_hdf_find(&hdf, "/a/b", &shape), SCREE_ERROR_MISSING);
    // types are not converted, and tables are not read in part
    assert_int_equal(scree_hdf_read(&hdf, "/a/ids", &(struct scree_hdf_shape){SCREE_I64, 2, 0}, numbers),
                     SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_hdf_read(&hdf, "/a/ids", &(struct scree_hdf_shape){SCREE_U64, 1, 0}, numbers),
                     SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_hdf_read(&hdf, "/a/ids", &(struct scree_hdf_shape){SCREE_U64, 2, 1}, numbers),
                     SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_hdf_get(&hdf, "/a", "scale", SCREE_F64, 1, table), SCREE_ERROR_MISSING);
    assert_int_equal(scree_hdf_get(&hdf, "/a", "version", SCREE_I64, 3, numbers), SCREE_ERROR_MISSING);
    assert_int_equal(scree_hdf_get(&hdf, "/a", "version", SCREE_U64, 2, numbers), SCREE_ERROR_MISSING);
    assert_int_equal(scree_hdf_get_text(&hdf, "/a", "version", text, sizeof text), SCREE_ERROR_MISSING);
    assert_int_equal(scree_hdf_get_text(&hdf, "/a", "kind", text, sizeof text), SCREE_ERROR_MISSING);
    scree_hdf_close(&hdf);
    // closing a closed file does nothing
    scree_hdf_close(&hdf);
    scree_memory_free(image);
}

static void a_user_block_comes_first_and_is_all_zero(void **state)
{
    (void)state;
    void *image, *plain;
    size_t size, plain_size;
    struct scree_hdf hdf;
    assert_int_equal(make_file(0, &plain, &plain_size), SCREE_OK);
    assert_int_equal(make_file(1024, &image, &size), SCREE_OK);
    assert_int_equal(size, plain_size + 1024);
    for (size_t b = 0; b < 1024; ++b)
        assert_int_equal(((const char *)image)[b], 0);
    assert_memory_equal((const char *)image + 1024, "\x89HDF\r\n\x1a\n", 8);
    // the caller may write to the user block
    memset(image, 'x', 1024);
    assert_int_equal(scree_hdf_open(&hdf, image, size), SCREE_OK);
    assert_true(scree_hdf_has(&hdf, "/a/b/list"));
    scree_hdf_close(&hdf);
    assert_int_equal(scree_hdf_create(&hdf, 100), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_hdf_create(&hdf, 256), SCREE_ERROR_ARGUMENT);
    scree_memory_free(image);
    scree_memory_free(plain);
}

static void equal_content_gives_equal_bytes(void **state)
{
    (void)state;
    void *image[2];
    size_t size[2];
    assert_int_equal(make_file(512, &image[0], &size[0]), SCREE_OK);
    assert_int_equal(make_file(512, &image[1], &size[1]), SCREE_OK);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(image[0], image[1], size[0]);
    scree_memory_free(image[0]);
    scree_memory_free(image[1]);
}

static void compression_makes_a_file_smaller(void **state)
{
    (void)state;
    static const double zeros[ROWS];
    size_t size[2];
    for (int deflate = 0; deflate < 2; ++deflate) {
        struct scree_hdf hdf;
        void *image;
        assert_int_equal(scree_hdf_create(&hdf, 0), SCREE_OK);
        assert_int_equal(
            scree_hdf_write(&hdf, "/zeros", &(struct scree_hdf_shape){SCREE_F64, ROWS, 0}, zeros, deflate),
            SCREE_OK);
        assert_int_equal(scree_hdf_finish(&hdf, &image, &size[deflate]), SCREE_OK);
        scree_memory_free(image);
    }
    // the data and the headers
    assert_in_range(size[0], sizeof zeros, sizeof zeros + 1024);
    assert_in_range(size[1], 100, sizeof zeros / 50);
}

static void a_file_that_cannot_be_written_is_not_completed(void **state)
{
    (void)state;
    struct scree_hdf hdf;
    void *image;
    size_t size;
    char name[300];
    assert_int_equal(scree_hdf_create(&hdf, 0), SCREE_OK);
    assert_int_equal(scree_hdf_group(&hdf, "/a/b"), SCREE_ERROR_ARGUMENT);
    assert_string_equal(scree_status_message(),
                        "cannot write the group '/a/b' to a file: there is no such group");
    assert_int_equal(scree_hdf_finish(&hdf, &image, &size), SCREE_ERROR_STATE);
    assert_null(image);
    memset(name, 'n', sizeof name);
    name[0] = '/';
    name[sizeof name - 1] = 0;
    const char *const invalid[] = {"/a", "a", "", "/", "/a/", "/x/y", "/n/y", "/a/\n", name};
    for (size_t k = 0; k < sizeof invalid / sizeof invalid[0]; ++k) {
        assert_int_equal(scree_hdf_create(&hdf, 0), SCREE_OK);
        assert_int_equal(scree_hdf_group(&hdf, "/a"), SCREE_OK);
        assert_int_equal(scree_hdf_write(&hdf, "/n", &(struct scree_hdf_shape){SCREE_CHAR, 1, 0}, "1", 0),
                         SCREE_OK);
        assert_int_equal(scree_hdf_group(&hdf, invalid[k]), SCREE_ERROR_ARGUMENT);
        scree_hdf_close(&hdf);
    }
    assert_int_equal(scree_hdf_create(&hdf, 0), SCREE_OK);
    assert_int_equal(scree_hdf_set_text(&hdf, "/a", "b", "c"), SCREE_ERROR_ARGUMENT);
    static double large[8192];
    assert_int_equal(scree_hdf_set(&hdf, "/", "large", SCREE_F64, 8192, large), SCREE_ERROR_LIMIT);
    assert_int_equal(
        scree_hdf_write(&hdf, "/n", &(struct scree_hdf_shape){SCREE_F64, SIZE_MAX / 8, 2}, large, 0),
        SCREE_ERROR_LIMIT);
    scree_hdf_close(&hdf);
}

static void files_that_are_not_hdf5_are_not_opened(void **state)
{
    (void)state;
    static const char text[4096] = "no HDF5 at all";
    struct scree_hdf hdf;
    void *image;
    size_t size;
    assert_int_equal(scree_hdf_open(&hdf, text, sizeof text), SCREE_ERROR_IO);
    assert_int_equal(scree_hdf_open(&hdf, text, 3), SCREE_ERROR_IO);
    assert_int_equal(make_file(0, &image, &size), SCREE_OK);
    // truncated files
    assert_int_equal(scree_hdf_open(&hdf, image, size / 2), SCREE_ERROR_IO);
    assert_int_equal(scree_hdf_open(&hdf, image, 100), SCREE_ERROR_IO);
    scree_memory_free(image);
}

static void files_open_at_the_same_time_are_independent(void **state)
{
    (void)state;
    struct scree_hdf hdf[2];
    void *image[2];
    size_t size[2];
    uint64_t got;
    for (size_t k = 0; k < 2; ++k)
        assert_int_equal(scree_hdf_create(&hdf[k], 0), SCREE_OK);
    for (uint64_t k = 0; k < 2; ++k)
        assert_int_equal(scree_hdf_write(&hdf[k], "/n", &(struct scree_hdf_shape){SCREE_U64, 1, 0}, &k, 0),
                         SCREE_OK);
    for (size_t k = 0; k < 2; ++k)
        assert_int_equal(scree_hdf_finish(&hdf[k], &image[k], &size[k]), SCREE_OK);
    for (size_t k = 0; k < 2; ++k)
        assert_int_equal(scree_hdf_open(&hdf[k], image[k], size[k]), SCREE_OK);
    for (size_t k = 0; k < 2; ++k) {
        assert_int_equal(scree_hdf_read(&hdf[k], "/n", &(struct scree_hdf_shape){SCREE_U64, 1, 0}, &got),
                         SCREE_OK);
        assert_int_equal(got, k);
    }
    for (size_t k = 0; k < 2; ++k) {
        scree_hdf_close(&hdf[k]);
        scree_memory_free(image[k]);
    }
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    void *image;
    size_t size;
    struct scree_hdf hdf;
    assert_int_equal(make_file(512, &image, &size), SCREE_OK);
    scree_memory_free(image);
    const size_t live = scree_memory_live();
    const uint64_t before = scree_memory_count();
    assert_int_equal(make_file(512, &image, &size), SCREE_OK);
    const uint64_t allocations = scree_memory_count() - before;
    for (uint64_t nth = 1; nth <= allocations; ++nth) {
        void *none;
        scree_memory_fail_at(nth);
        assert_int_equal(make_file(512, &none, &size), SCREE_ERROR_MEMORY);
        assert_null(none);
        assert_int_equal(scree_memory_live(), live + 1);
    }
    scree_memory_fail_at(1);
    assert_int_equal(scree_hdf_open(&hdf, image, size), SCREE_ERROR_MEMORY);
    scree_memory_fail_at(0);
    scree_memory_free(image);
    assert_int_equal(scree_memory_live(), live);
}

static void fill(unsigned char *data, size_t size, unsigned variety)
{
    uint64_t seed = size;
    for (size_t b = 0; b < size; ++b)
        data[b] = (unsigned char)(splitmix_next(&seed) % variety);
}

static void every_type_size_and_compression_is_read_back(void **state)
{
    (void)state;
    // around the smallest size that is compressed, and the size from which data are compressed in pieces
    static const size_t rows[] = {0, 1, 63, 64, 65, 127, 128, 170, 171, 511, 512, 32767, 32768, 32769};
    static unsigned char data[32769 * 24], read[32769 * 24];
    for (scree_type type = SCREE_F64; type <= SCREE_CHAR; ++type)
        for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
            for (unsigned k = 0; k < 6; ++k) {
                static const int levels[] = {0, 1, 2};
                static const unsigned widths[] = {0, 1, 3}, variety[] = {16, 256};
                const struct scree_hdf_shape shape = {type, rows[r], widths[k % 3]};
                struct scree_hdf_shape found;
                struct scree_hdf hdf;
                void *image;
                size_t size, bytes;
                assert_true(scree_hdf_format_bytes(&shape, &bytes));
                fill(data, bytes, variety[k % 2]);
                memset(read, 0, bytes);
                assert_int_equal(scree_hdf_create(&hdf, 0), SCREE_OK);
                assert_int_equal(scree_hdf_write(&hdf, "/d", &shape, data, levels[(k + r) % 3]), SCREE_OK);
                assert_int_equal(scree_hdf_finish(&hdf, &image, &size), SCREE_OK);
                // data that compression does not shrink are stored uncompressed
                assert_true(size < bytes + 400);
                assert_int_equal(scree_hdf_open(&hdf, image, size), SCREE_OK);
                assert_int_equal(scree_hdf_find(&hdf, "/d", &found), SCREE_OK);
                assert_true(found.type == type && found.rows == shape.rows && found.width == shape.width);
                assert_int_equal(scree_hdf_read(&hdf, "/d", &found, read), SCREE_OK);
                assert_memory_equal(read, data, bytes);
                scree_hdf_close(&hdf);
                scree_memory_free(image);
            }
}

static void attributes_of_every_type_are_read_back(void **state)
{
    (void)state;
    struct scree_hdf hdf;
    void *image;
    size_t size;
    unsigned char data[24], read[24];
    char name[2] = "a", text[40];
    fill(data, sizeof data, 256);
    assert_int_equal(scree_hdf_create(&hdf, 0), SCREE_OK);
    assert_int_equal(scree_hdf_group(&hdf, "/g"), SCREE_OK);
    for (scree_type type = SCREE_F64; type <= SCREE_CHAR; ++type, ++name[0])
        assert_int_equal(scree_hdf_set(&hdf, "/g", name, type, 3, data), SCREE_OK);
    assert_int_equal(scree_hdf_set_text(&hdf, "/", "empty", ""), SCREE_OK);
    assert_int_equal(scree_hdf_set_text(&hdf, "/", "long", "a text of thirty-three characters"), SCREE_OK);
    assert_int_equal(scree_hdf_finish(&hdf, &image, &size), SCREE_OK);
    assert_int_equal(scree_hdf_open(&hdf, image, size), SCREE_OK);
    name[0] = 'a';
    for (scree_type type = SCREE_F64; type <= SCREE_CHAR; ++type, ++name[0]) {
        assert_int_equal(scree_hdf_get(&hdf, "/g", name, type, 3, read), SCREE_OK);
        assert_memory_equal(read, data, 3 * scree_field_size(type));
    }
    assert_int_equal(scree_hdf_get_text(&hdf, "/", "empty", text, sizeof text), SCREE_OK);
    assert_string_equal(text, "");
    assert_int_equal(scree_hdf_get_text(&hdf, "/", "long", text, 34), SCREE_OK);
    assert_string_equal(text, "a text of thirty-three characters");
    assert_int_equal(scree_hdf_get_text(&hdf, "/", "long", text, 33), SCREE_ERROR_MISSING);
    scree_hdf_close(&hdf);
    scree_memory_free(image);
}

static void a_group_can_have_2000_members(void **state)
{
    (void)state;
    enum { MEMBERS = 2000 };
    struct scree_hdf hdf;
    void *image;
    size_t size, count;
    char path[16], name[16];
    uint64_t number;
    assert_int_equal(scree_hdf_create(&hdf, 0), SCREE_OK);
    assert_int_equal(scree_hdf_group(&hdf, "/g"), SCREE_OK);
    for (uint64_t k = 0; k < MEMBERS; ++k) {
        number = k * 1237 % MEMBERS;
        snprintf(path, sizeof path, "/g/%04u", (unsigned)number);
        assert_int_equal(scree_hdf_write(&hdf, path, &(struct scree_hdf_shape){SCREE_U64, 1, 0}, &number, 1),
                         SCREE_OK);
    }
    assert_int_equal(scree_hdf_finish(&hdf, &image, &size), SCREE_OK);
    assert_int_equal(scree_hdf_open(&hdf, image, size), SCREE_OK);
    assert_int_equal(scree_hdf_count(&hdf, "/g", &count), SCREE_OK);
    assert_int_equal(count, MEMBERS);
    for (size_t k = 0; k < MEMBERS; ++k) {
        snprintf(path, sizeof path, "/g/%04u", (unsigned)k);
        assert_int_equal(scree_hdf_name(&hdf, "/g", k, name, sizeof name), SCREE_OK);
        assert_string_equal(name, path + 3);
        assert_int_equal(scree_hdf_read(&hdf, path, &(struct scree_hdf_shape){SCREE_U64, 1, 0}, &number),
                         SCREE_OK);
        assert_int_equal(number, k);
    }
    scree_hdf_close(&hdf);
    scree_memory_free(image);
}

// The values that Bob Jenkins gives in lookup3.c for the initial value 0.
static void the_checksum_has_its_published_values(void **state)
{
    (void)state;
    static const char text[] = "Four score and seven years ago";
    assert_int_equal(scree_hdf_format_checksum((const unsigned char *)text, 0), 0xdeadbeef);
    assert_int_equal(scree_hdf_format_checksum((const unsigned char *)text, 30), 0x17770551);
}

static void every_failed_allocation_in_reading_is_reported(void **state)
{
    (void)state;
    void *image;
    size_t size;
    static double table[ROWS][3];
    assert_int_equal(make_file(512, &image, &size), SCREE_OK);
    const size_t live = scree_memory_live();
    scree_status status = SCREE_ERROR_MEMORY;
    uint64_t nth = 0;
    while (status != SCREE_OK) {
        struct scree_hdf hdf;
        scree_memory_fail_at(++nth);
        status = scree_hdf_open(&hdf, image, size);
        if (status == SCREE_OK)
            status = scree_hdf_read(&hdf, "/a/table", &(struct scree_hdf_shape){SCREE_F64, ROWS, 3}, table);
        scree_hdf_close(&hdf);
        assert_true(status == SCREE_OK || status == SCREE_ERROR_MEMORY);
        assert_int_equal(scree_memory_live(), live);
    }
    scree_memory_fail_at(0);
    // allocations for the file, its headers, a piece of data, and zlib
    assert_true(nth > 4);
    scree_memory_free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_data_are_read_back_bit_for_bit),
        cmocka_unit_test(names_of_a_group_are_in_alphabetical_order),
        cmocka_unit_test(missing_data_and_wrong_types_are_reported),
        cmocka_unit_test(a_user_block_comes_first_and_is_all_zero),
        cmocka_unit_test(equal_content_gives_equal_bytes),
        cmocka_unit_test(compression_makes_a_file_smaller),
        cmocka_unit_test(a_file_that_cannot_be_written_is_not_completed),
        cmocka_unit_test(files_that_are_not_hdf5_are_not_opened),
        cmocka_unit_test(files_open_at_the_same_time_are_independent),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
        cmocka_unit_test(every_type_size_and_compression_is_read_back),
        cmocka_unit_test(attributes_of_every_type_are_read_back),
        cmocka_unit_test(a_group_can_have_2000_members),
        cmocka_unit_test(the_checksum_has_its_published_values),
        cmocka_unit_test(every_failed_allocation_in_reading_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
