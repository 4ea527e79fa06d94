// HDF5 files with changes but correct checksums: each single bit changed, the file cut at each length, and
// random changes, also while an allocation fails. No byte outside the image is read (checked by the
// sanitizers), no more memory is allocated than the data in the image can need, and all memory is freed.

#include "base/memory.h"
#include "file/hdf.h"
#include "file/hdf_format.h"
#include "support/hdf_sample.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 70, ROUNDS = 10000 };

static uint64_t seed = 1;

static uint64_t pick(uint64_t count)
{
    return splitmix_next(&seed) % count;
}

struct file {
    void *image;
    size_t size;
};

static struct file make_file(void)
{
    struct file file;
    assert_ok(scree_hdf_sample_make(ROWS, &file.image, &file.size));
    assert_true(scree_hdf_sample_read(file.image, file.size));
    return file;
}

// Reads a copy in a block of exactly this size, so that the sanitizers detect any access outside it.
static bool is_readable(const void *image, size_t size)
{
    char *copy = (char *)malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, image, size);
    const size_t blocks_before = scree_memory_live();
    const bool readable = scree_hdf_sample_read(copy, size);
    assert_int_equal(scree_memory_live(), blocks_before);
    if (!readable)
        assert_true(scree_status_message()[0]);
    free(copy);
    return readable;
}

static void a_changed_bit_is_refused_except_in_data_names_and_attributes(void **state)
{
    (void)state;
    const struct file file = make_file();
    unsigned char *copy = (unsigned char *)malloc(file.size);
    assert_non_null(copy);
    memcpy(copy, file.image, file.size);
    const size_t headers = SCREE_HDF_SAMPLE_USER_BLOCK +
                           (size_t)scree_hdf_format_number(copy + SCREE_HDF_SAMPLE_USER_BLOCK + 36, 8);
    size_t accepted = 0;
    for (size_t bit = 8 * SCREE_HDF_SAMPLE_USER_BLOCK; bit < 8 * file.size; ++bit) {
        const size_t byte = bit / 8;
        copy[byte] = (unsigned char)(copy[byte] ^ 1 << bit % 8);
        // data have no checksum in HDF5
        if (byte < SCREE_HDF_SAMPLE_USER_BLOCK + SCREE_HDF_SUPERBLOCK || byte >= headers)
            assert_false(is_readable(copy, file.size));
        scree_hdf_sample_update_checksums(copy, file.size);
        accepted += is_readable(copy, file.size);
        memcpy(copy, file.image, file.size);
    }
    // with corrected checksums, accepted are changes of data that are not compressed (lists of 35 bytes a
    // row, and small ones of 11), of names, and of values of attributes
    assert_in_range(accepted, 8 * ROWS * (35 + 11), 8 * ROWS * (35 + 11) + 8 * 1000);
    free(copy);
    scree_memory_free(file.image);
}

static void a_file_cut_at_any_length_is_refused(void **state)
{
    (void)state;
    const struct file file = make_file();
    char *copy = (char *)malloc(file.size);
    assert_non_null(copy);
    for (size_t size = 0; size < file.size; ++size) {
        memcpy(copy, file.image, size);
        assert_false(is_readable(copy, size));
        scree_hdf_sample_update_checksums(copy, size);
        assert_false(is_readable(copy, size));
    }
    free(copy);
    scree_memory_free(file.image);
}

static void forged_files_are_refused_or_read_without_leaks(void **state)
{
    (void)state;
    const char *rounds_requested = getenv("SCREE_FUZZ_ROUNDS");
    const long rounds = rounds_requested ? atol(rounds_requested) : ROUNDS;
    const struct file file = make_file();
    const size_t capacity = file.size + 256, blocks_before = scree_memory_live();
    unsigned char *copy = (unsigned char *)malloc(capacity);
    assert_non_null(copy);
    long files_read = 0;
    for (long round = 0; round < rounds; ++round) {
        size_t size = file.size;
        memcpy(copy, file.image, size);
        for (uint64_t changes = 1 + pick(4); changes > 0; --changes)
            size = scree_hdf_sample_damage(&seed, copy, size, capacity);
        scree_hdf_sample_update_checksums(copy, size);
        if (pick(4) == 0)
            scree_memory_fail_at(1 + pick(60));
        files_read += is_readable(copy, size);
        scree_memory_fail_at(0);
        assert_int_equal(scree_memory_live(), blocks_before);
    }
    printf("%ld of %ld forged files could be read\n", files_read, rounds);
    free(copy);
    scree_memory_free(file.image);
}

static void more_elements_than_compression_allows_are_refused(void **state)
{
    (void)state;
    enum { ELEMENTS = 4096 };
    struct scree_hdf hdf;
    static const double zeros[ELEMENTS];
    void *image;
    size_t size, found = 0, position[2];
    assert_ok(scree_hdf_create(&hdf, SCREE_HDF_SAMPLE_USER_BLOCK));
    assert_ok(scree_hdf_write(&hdf, "/z", &(struct scree_hdf_shape){SCREE_F64, ELEMENTS, 0}, zeros, 9));
    assert_ok(scree_hdf_finish(&hdf, &image, &size));
    unsigned char *bytes = (unsigned char *)image;
    // the number of elements is in the dataspace and in the layout
    for (size_t offset = SCREE_HDF_SAMPLE_USER_BLOCK; offset + 4 < size; ++offset)
        if (scree_hdf_format_number(bytes + offset, 4) == ELEMENTS) {
            assert_true(found < 2);
            position[found++] = offset;
        }
    assert_int_equal(found, 2);
    for (uint64_t rows = ELEMENTS; rows < 1ull << 32; rows *= 2) {
        for (int k = 0; k < 2; ++k)
            (void)scree_hdf_format_put_number(bytes + position[k], rows, 4);
        scree_hdf_sample_update_checksums(image, size);
        const bool open = scree_hdf_open(&hdf, image, size) == SCREE_OK;
        scree_hdf_close(&hdf);
        // deflate compresses by a factor of at most 1032
        assert_true(!open || rows * sizeof(double) <= size * 1032);
        assert_int_equal(is_readable(image, size), rows == ELEMENTS);
    }
    scree_memory_free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_changed_bit_is_refused_except_in_data_names_and_attributes),
        cmocka_unit_test(a_file_cut_at_any_length_is_refused),
        cmocka_unit_test(forged_files_are_refused_or_read_without_leaks),
        cmocka_unit_test(more_elements_than_compression_allows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
