// The radix sort (base/sort.h) against the comparison sort of the C library, with ties broken by index.

#include "base/memory.h"
#include "base/sort.h"
#include "support/splitmix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KEYS = 100000 };

static uint64_t keys[KEYS];
static uint32_t order[KEYS];

static int by_key_then_index(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    if (keys[a] != keys[b])
        return keys[a] < keys[b] ? -1 : 1;
    return (a > b) - (a < b);
}

static void assert_sorted(size_t count)
{
    static uint32_t expected[KEYS];
    for (size_t i = 0; i < count; ++i) {
        expected[i] = (uint32_t)i;
        order[i] = UINT32_MAX;
    }
    qsort(expected, count, sizeof *expected, by_key_then_index);
    assert_int_equal(scree_sort_order(keys, count, order), SCREE_OK);
    assert_memory_equal(order, expected, count * sizeof *order);
    static uint64_t in_place[KEYS];
    memcpy(in_place, keys, count * sizeof *in_place);
    scree_sort_in_place(in_place, count);
    for (size_t i = 0; i < count; ++i)
        assert_int_equal(in_place[i], keys[expected[i]]);
}

static void random_keys_are_sorted(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (size_t i = 0; i < KEYS; ++i)
        keys[i] = splitmix_next(&random);
    assert_sorted(KEYS);
}

static void equal_keys_keep_their_order(void **state)
{
    (void)state;
    uint64_t random = 2;
    // 300 different values among 10^5 keys, which differ in the lowest and the highest byte
    for (size_t i = 0; i < KEYS; ++i) {
        const uint64_t value = splitmix_next(&random) % 300;
        keys[i] = value << 56 | value >> 1;
    }
    assert_sorted(KEYS);
}

static void keys_that_are_all_equal_keep_their_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < KEYS; ++i)
        keys[i] = UINT64_C(0xFEDCBA9876543210);
    assert_int_equal(scree_sort_order(keys, KEYS, order), SCREE_OK);
    for (size_t i = 0; i < KEYS; ++i)
        assert_int_equal(order[i], i);
}

static void sorted_and_reversed_keys_are_sorted(void **state)
{
    (void)state;
    for (size_t i = 0; i < KEYS; ++i)
        keys[i] = i * UINT64_C(0x123456789AB);
    assert_sorted(KEYS);
    for (size_t i = 0; i < KEYS; ++i)
        keys[i] = ~keys[i];
    assert_sorted(KEYS);
}

static void keys_that_differ_in_one_byte_only_are_sorted(void **state)
{
    (void)state;
    for (int byte = 0; byte < 8; ++byte) {
        uint64_t random = 3;
        for (size_t i = 0; i < 1000; ++i)
            keys[i] = (splitmix_next(&random) & 0xFF) << (8 * byte);
        assert_sorted(1000);
    }
}

static void few_keys_are_sorted(void **state)
{
    (void)state;
    assert_int_equal(scree_sort_order(NULL, 0, NULL), SCREE_OK);
    uint64_t random = 4;
    for (size_t count = 1; count <= 40; ++count) {
        for (size_t i = 0; i < count; ++i)
            keys[i] = splitmix_next(&random) >> (i % 64);
        assert_sorted(count);
    }
    keys[0] = UINT64_MAX;
    keys[1] = 0;
    assert_sorted(2);
}

static void more_keys_than_32_bit_indices_are_refused(void **state)
{
    (void)state;
    assert_int_equal(scree_sort_order(keys, (size_t)UINT32_MAX + 1, order), SCREE_ERROR_LIMIT);
}

static void a_failed_sort_leaks_nothing_and_can_be_repeated(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    for (size_t i = 0; i < 100; ++i)
        keys[i] = (i * 37) % 100;
    scree_memory_fail_at(1);
    assert_int_equal(scree_sort_order(keys, 100, order), SCREE_ERROR_MEMORY);
    assert_int_equal(scree_memory_live(), live);
    assert_sorted(100);
    assert_int_equal(scree_memory_live(), live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_keys_are_sorted),
        cmocka_unit_test(equal_keys_keep_their_order),
        cmocka_unit_test(keys_that_are_all_equal_keep_their_order),
        cmocka_unit_test(sorted_and_reversed_keys_are_sorted),
        cmocka_unit_test(keys_that_differ_in_one_byte_only_are_sorted),
        cmocka_unit_test(few_keys_are_sorted),
        cmocka_unit_test(more_keys_than_32_bit_indices_are_refused),
        cmocka_unit_test(a_failed_sort_leaks_nothing_and_can_be_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
