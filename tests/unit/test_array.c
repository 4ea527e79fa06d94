// Growable arrays: elements stay in order, the number of allocations follows from the growth factor, and an
// array is unchanged when an allocation fails.

#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct pair {
    int first;
    double second;
};

static void pushed_values_stay_in_order(void **state)
{
    (void)state;
    SCREE_ARRAY(uint32_t) array = {0};
    for (uint32_t i = 0; i < 100000; ++i)
        assert_int_equal(scree_array_push(&array, i * i), SCREE_OK);
    assert_int_equal(array.count, 100000);
    assert_true(array.capacity >= array.count);
    for (uint32_t i = 0; i < 100000; ++i)
        assert_int_equal(array.data[i], i * i);
    scree_array_free(&array);
    assert_null(array.data);
    assert_int_equal(array.count + array.capacity, 0);
}

static void structs_can_be_pushed_by_value_and_as_literals(void **state)
{
    (void)state;
    SCREE_ARRAY(struct pair) array = {0};
    const struct pair one = {1, 1.5};
    assert_int_equal(scree_array_push(&array, one), SCREE_OK);
    assert_int_equal(scree_array_push(&array, (struct pair){2, 2.5}), SCREE_OK);
    assert_int_equal(array.data[0].first, 1);
    assert_true(array.data[0].second == 1.5);
    assert_int_equal(array.data[1].first, 2);
    assert_true(array.data[1].second == 2.5);
    scree_array_free(&array);
}

static void an_element_can_be_pushed_into_its_own_array(void **state)
{
    (void)state;
    SCREE_ARRAY(int) array = {0};
    assert_int_equal(scree_array_push(&array, 42), SCREE_OK);
    // enough pushes for several reallocations
    for (int i = 0; i < 1000; ++i)
        assert_int_equal(scree_array_push(&array, array.data[array.count - 1]), SCREE_OK);
    assert_int_equal(array.data[1000], 42);
    scree_array_free(&array);
}

static void a_million_pushes_need_at_most_26_allocations(void **state)
{
    (void)state;
    SCREE_ARRAY(char) array = {0};
    const uint64_t before = scree_memory_count();
    for (int i = 0; i < 1000000; ++i)
        assert_int_equal(scree_array_push(&array, 'x'), SCREE_OK);
    // log(10^6 / 64) / log(3/2) = 23.8, and at most one more for each rounding down of a small size
    assert_in_range(scree_memory_count() - before, 10, 26);
    scree_array_free(&array);
}

static void reserving_existing_capacity_does_nothing(void **state)
{
    (void)state;
    SCREE_ARRAY(double) array = {0};
    assert_int_equal(scree_array_reserve(&array, 1000), SCREE_OK);
    assert_true(array.capacity >= 1000);
    assert_int_equal(array.count, 0);
    double *const data = array.data;
    const uint64_t before = scree_memory_count();
    assert_int_equal(scree_array_reserve(&array, 10), SCREE_OK);
    assert_int_equal(scree_array_reserve(&array, array.capacity), SCREE_OK);
    for (int i = 0; i < 1000; ++i)
        assert_int_equal(scree_array_push(&array, i), SCREE_OK);
    assert_int_equal(scree_memory_count(), before);
    assert_ptr_equal(array.data, data);
    scree_array_free(&array);
}

static void a_capacity_beyond_the_address_space_is_refused(void **state)
{
    (void)state;
    SCREE_ARRAY(double) array = {0};
    assert_int_equal(scree_array_push(&array, 7.0), SCREE_OK);
    const size_t capacity = array.capacity;
    assert_int_equal(scree_array_reserve(&array, SIZE_MAX / 4), SCREE_ERROR_LIMIT);
    assert_int_equal(scree_array_reserve(&array, SIZE_MAX), SCREE_ERROR_LIMIT);
    assert_int_equal(array.capacity, capacity);
    assert_true(array.data[0] == 7.0);
    scree_array_free(&array);
}

static void a_failed_allocation_leaves_the_array_unchanged(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    for (uint64_t nth = 1; nth <= 5; ++nth) {
        SCREE_ARRAY(int) array = {0};
        scree_memory_fail_at(nth);
        int pushed = 0;
        while (scree_array_push(&array, pushed) == SCREE_OK)
            ++pushed;
        assert_int_equal(array.count, pushed);
        assert_int_equal(array.capacity, pushed);
        // without the failure the same push succeeds
        assert_int_equal(scree_array_push(&array, pushed), SCREE_OK);
        for (int i = 0; i <= pushed; ++i)
            assert_int_equal(array.data[i], i);
        scree_array_free(&array);
        assert_int_equal(scree_memory_live(), live);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushed_values_stay_in_order),
        cmocka_unit_test(structs_can_be_pushed_by_value_and_as_literals),
        cmocka_unit_test(an_element_can_be_pushed_into_its_own_array),
        cmocka_unit_test(a_million_pushes_need_at_most_26_allocations),
        cmocka_unit_test(reserving_existing_capacity_does_nothing),
        cmocka_unit_test(a_capacity_beyond_the_address_space_is_refused),
        cmocka_unit_test(a_failed_allocation_leaves_the_array_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
