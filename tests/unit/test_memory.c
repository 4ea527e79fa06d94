// Memory blocks (base/memory.h): aligned and zeroed; failures change nothing and report the requested size;
// counters are exact. Expected counts are those of the calls in the test.

#include "base/memory.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static bool is_all(const unsigned char *bytes, size_t count, unsigned char value)
{
    for (size_t i = 0; i < count; ++i)
        if (bytes[i] != value)
            return false;
    return true;
}

static void blocks_are_zero_and_start_on_a_cache_line(void **state)
{
    (void)state;
    // the second round reuses the modified blocks of the first
    for (int round = 0; round < 2; ++round) {
        unsigned char *blocks[200];
        for (size_t i = 0; i < 200; ++i) {
            assert_int_equal(scree_memory_new(i + 1, 3, (void **)&blocks[i]), SCREE_OK);
            assert_int_equal((uintptr_t)blocks[i] % 64, 0);
            assert_true(is_all(blocks[i], 3 * (i + 1), 0));
            memset(blocks[i], 0xFF, 3 * (i + 1));
        }
        for (size_t i = 0; i < 200; ++i)
            scree_memory_free(blocks[i]);
    }
}

static void blocks_from_four_mebibytes_start_on_a_huge_page(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        unsigned char *block;
        const size_t bytes = ((size_t)4 << 20) + (size_t)i * 4097;
        assert_int_equal(scree_memory_new(bytes, 1, (void **)&block), SCREE_OK);
        assert_int_equal((uintptr_t)block % ((size_t)2 << 20), 0);
        assert_true(is_all(block, bytes, 0));
        scree_memory_free(block);
    }
}

// Number of resident pages of the process, 0 if the system does not report it.
static size_t resident_pages(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    size_t all, resident = 0;
    if (file && fscanf(file, "%zu %zu", &all, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return resident;
}

// Blocks of this size must not stay in the heap after they are freed: repeated searches would add up.
static void large_blocks_use_memory_from_the_first_write_until_they_are_freed(void **state)
{
    (void)state;
    enum { BLOCKS = 8, MEBIBYTE = 1 << 20, BYTES = 8 * MEBIBYTE };
    const size_t pages = (size_t)BLOCKS * BYTES / (size_t)sysconf(_SC_PAGESIZE);
    if (resident_pages() == 0)
        skip();
    for (int round = 0; round < 2; ++round) {
        // the system updates the count in batches of some dozens of pages per processor
        const size_t before = resident_pages(), slack = pages / 8;
        unsigned char *blocks[BLOCKS];
        for (int i = 0; i < BLOCKS; ++i)
            assert_int_equal(scree_memory_new(BYTES, 1, (void **)&blocks[i]), SCREE_OK);
        assert_true(resident_pages() < before + slack);
        for (int i = 0; i < BLOCKS; ++i) {
            assert_true(is_all(blocks[i], BYTES, 0));
            memset(blocks[i], 0xFF, BYTES);
        }
        assert_true(resident_pages() + slack > before + pages);
        for (int i = 0; i < BLOCKS; ++i)
            scree_memory_free(blocks[i]);
        assert_true(resident_pages() < before + slack);
    }
}

static void a_block_of_zero_bytes_is_null_and_not_counted(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    const uint64_t count = scree_memory_count();
    int *block = (int *)&block;
    assert_int_equal(scree_memory_new(0, sizeof *block, (void **)&block), SCREE_OK);
    assert_null(block);
    scree_memory_free(block);
    assert_int_equal(scree_memory_live(), live);
    assert_int_equal(scree_memory_count(), count);
}

static void a_size_that_overflows_is_refused_with_both_numbers(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    void *block = &block;
    assert_int_equal(scree_memory_new(SIZE_MAX / 2, 3, &block), SCREE_ERROR_LIMIT);
    assert_null(block);
    assert_non_null(strstr(scree_status_message(), "9223372036854775807"));
    assert_non_null(strstr(scree_status_message(), " 3 bytes"));
    // more bytes than PTRDIFF_MAX
    assert_int_equal(scree_memory_new((size_t)1 << 60, 8, &block), SCREE_ERROR_LIMIT);
    assert_null(block);
    assert_int_equal(scree_memory_live(), live);
}

static void a_failure_reports_the_number_of_requested_bytes(void **state)
{
    (void)state;
    void *block = &block;
    scree_memory_fail_at(1);
    assert_int_equal(scree_memory_new(250, 24, &block), SCREE_ERROR_MEMORY);
    assert_null(block);
    assert_non_null(strstr(scree_status_message(), "6000 bytes"));
}

static void only_the_requested_allocation_fails(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    for (int nth = 0; nth <= 5; ++nth) {
        scree_memory_fail_at((uint64_t)nth);
        const uint64_t count = scree_memory_count();
        void *blocks[5];
        for (int i = 0; i < 5; ++i) {
            const scree_status expected = i + 1 == nth ? SCREE_ERROR_MEMORY : SCREE_OK;
            assert_int_equal(scree_memory_new(1, 8, &blocks[i]), expected);
        }
        assert_int_equal(scree_memory_count(), count + 5);
        assert_int_equal(scree_memory_live(), live + 5 - (nth > 0));
        for (int i = 0; i < 5; ++i)
            scree_memory_free(blocks[i]);
    }
    assert_int_equal(scree_memory_live(), live);
}

static void a_cancelled_failure_does_not_happen(void **state)
{
    (void)state;
    void *block;
    scree_memory_fail_at(1);
    scree_memory_fail_at(0);
    assert_int_equal(scree_memory_new(1, 8, &block), SCREE_OK);
    scree_memory_free(block);
}

static void resizing_keeps_common_elements_and_zeroes_new_ones(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    int *block = NULL;
    assert_int_equal(scree_memory_resize((void **)&block, 0, 100, sizeof *block), SCREE_OK);
    for (int i = 0; i < 100; ++i)
        block[i] = i + 1;
    assert_int_equal(scree_memory_resize((void **)&block, 100, 1000, sizeof *block), SCREE_OK);
    for (int i = 0; i < 1000; ++i)
        assert_int_equal(block[i], i < 100 ? i + 1 : 0);
    assert_int_equal(scree_memory_resize((void **)&block, 1000, 10, sizeof *block), SCREE_OK);
    for (int i = 0; i < 10; ++i)
        assert_int_equal(block[i], i + 1);
    assert_int_equal(scree_memory_live(), live + 1);
    assert_int_equal(scree_memory_resize((void **)&block, 10, 0, sizeof *block), SCREE_OK);
    assert_null(block);
    assert_int_equal(scree_memory_live(), live);
}

static void growing_allocates_only_beyond_the_capacity(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    int *block = NULL;
    size_t capacity = 0;
    assert_int_equal(scree_memory_grow((void **)&block, &capacity, 10, sizeof *block), SCREE_OK);
    assert_int_equal(capacity, 10);
    block[9] = 7;
    int *const before = block;
    // no allocation within the capacity, and a failed one loses nothing
    for (size_t requested = 0; requested <= 10; ++requested)
        assert_int_equal(scree_memory_grow((void **)&block, &capacity, requested, sizeof *block), SCREE_OK);
    scree_memory_fail_at(1);
    assert_int_equal(scree_memory_grow((void **)&block, &capacity, 20, sizeof *block), SCREE_ERROR_MEMORY);
    assert_true(block == before && capacity == 10 && block[9] == 7);
    assert_int_equal(scree_memory_grow((void **)&block, &capacity, 20, sizeof *block), SCREE_OK);
    assert_true(capacity == 20 && block[9] == 7 && block[19] == 0);
    scree_memory_free(block);
    assert_int_equal(scree_memory_live(), live);
}

static void a_failed_resize_leaves_the_block_as_it_was(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    int *block;
    assert_int_equal(scree_memory_new(4, sizeof *block, (void **)&block), SCREE_OK);
    for (int i = 0; i < 4; ++i)
        block[i] = 10 + i;
    int *const before = block;
    scree_memory_fail_at(1);
    assert_int_equal(scree_memory_resize((void **)&block, 4, 8, sizeof *block), SCREE_ERROR_MEMORY);
    assert_int_equal(scree_memory_resize((void **)&block, 4, SIZE_MAX / 2, sizeof *block), SCREE_ERROR_LIMIT);
    assert_ptr_equal(block, before);
    for (int i = 0; i < 4; ++i)
        assert_int_equal(block[i], 10 + i);
    scree_memory_free(block);
    assert_int_equal(scree_memory_live(), live);
}

enum { THREADS = 4, BLOCKS_PER_THREAD = 2000 };

static void *allocate_many(void *out)
{
    size_t *failures = out;
    for (int i = 0; i < BLOCKS_PER_THREAD; ++i) {
        void *block;
        if (scree_memory_new(1, 16, &block) != SCREE_OK)
            ++*failures;
        scree_memory_free(block);
    }
    return NULL;
}

static void with_many_threads_exactly_one_allocation_fails(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    const uint64_t count = scree_memory_count();
    scree_memory_fail_at(THREADS * BLOCKS_PER_THREAD / 2);
    pthread_t threads[THREADS];
    size_t failures[THREADS] = {0};
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, allocate_many, &failures[i]), 0);
    size_t failure_sum = 0;
    for (int i = 0; i < THREADS; ++i) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        failure_sum += failures[i];
    }
    assert_int_equal(failure_sum, 1);
    assert_int_equal(scree_memory_count(), count + THREADS * BLOCKS_PER_THREAD);
    assert_int_equal(scree_memory_live(), live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_zero_and_start_on_a_cache_line),
        cmocka_unit_test(blocks_from_four_mebibytes_start_on_a_huge_page),
        cmocka_unit_test(large_blocks_use_memory_from_the_first_write_until_they_are_freed),
        cmocka_unit_test(a_block_of_zero_bytes_is_null_and_not_counted),
        cmocka_unit_test(a_size_that_overflows_is_refused_with_both_numbers),
        cmocka_unit_test(a_failure_reports_the_number_of_requested_bytes),
        cmocka_unit_test(only_the_requested_allocation_fails),
        cmocka_unit_test(a_cancelled_failure_does_not_happen),
        cmocka_unit_test(resizing_keeps_common_elements_and_zeroes_new_ones),
        cmocka_unit_test(growing_allocates_only_beyond_the_capacity),
        cmocka_unit_test(a_failed_resize_leaves_the_block_as_it_was),
        cmocka_unit_test(with_many_threads_exactly_one_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
