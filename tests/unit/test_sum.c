// Exact sums (base/sum.h) against MPFR with sufficient precision, bit for bit, in any order of the terms.

#include "base/sum.h"
#include "support/splitmix.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// every sum here is a multiple of 2^-1074 and below 2^1100
enum { EXACT_BITS = 2300, TERMS = 2000 };

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// any finite double: all signs, exponents and significands
static double any_double(uint64_t *random)
{
    const uint64_t bits = splitmix_next(random);
    return double_of_bits((bits >> 52 & 0x7FF) == 0x7FF ? bits & ~(UINT64_C(1) << 62) : bits);
}

// adds terms one by one, and checks that adding them as an array gives the same bits
static double sum_of(const double *values, size_t count)
{
    struct scree_sum sum = {0}, sum_of_array = {0};
    for (size_t i = 0; i < count; ++i)
        scree_sum_add(&sum, values[i]);
    scree_sum_add_all(&sum_of_array, values, count);
    const double value = scree_sum_value(&sum), array_value = scree_sum_value(&sum_of_array);
    assert_memory_equal(&array_value, &value, sizeof value);
    return value;
}

static double mpfr_sum_of(const double *values, size_t count)
{
    mpfr_t sum;
    mpfr_init2(sum, EXACT_BITS);
    mpfr_set_zero(sum, 1);
    int inexact = 0;
    for (size_t i = 0; i < count; ++i)
        inexact |= mpfr_add_d(sum, sum, values[i], MPFR_RNDN);
    const double value = mpfr_get_d(sum, MPFR_RNDN);
    mpfr_clear(sum);
    assert_int_equal(inexact, 0);
    return value;
}

static void assert_same_bits(double actual, double expected)
{
    assert_int_equal(bits_of(actual), bits_of(expected));
}

#define ASSERT_SUM(expected, ...)                                                                            \
    do {                                                                                                     \
        const double values_[] = {__VA_ARGS__};                                                              \
        const size_t count_ = sizeof values_ / sizeof *values_;                                              \
        assert_same_bits(sum_of(values_, count_), (expected));                                               \
        assert_same_bits(mpfr_sum_of(values_, count_), (expected));                                          \
    } while (0)

static void empty_sums_and_sums_of_zeros_are_plus_zero(void **state)
{
    (void)state;
    const double zeroes[] = {-0.0, 0.0, -0.0};
    assert_same_bits(sum_of(NULL, 0), 0.0);
    assert_same_bits(sum_of(zeroes, 1), 0.0);
    assert_same_bits(sum_of(zeroes, 3), 0.0);
}

static void small_terms_remain_after_cancellation(void **state)
{
    (void)state;
    ASSERT_SUM(1e-300, 1e300, 1e-300, -1e300);
    ASSERT_SUM(-1e-300, -1e-300, 1e300, -1e300);
    ASSERT_SUM(0x1p-1074, DBL_MAX, 0x1p-1074, -DBL_MAX);
    ASSERT_SUM(0.0, 1e300, 3.5, -1e300, -3.5);
    ASSERT_SUM(DBL_MAX, DBL_MAX, DBL_MAX, -DBL_MAX);
}

static void ties_are_rounded_to_even_and_a_tiny_term_breaks_them(void **state)
{
    (void)state;
    ASSERT_SUM(1.0, 1.0, 0x1p-53);
    ASSERT_SUM(1 + 0x1p-52, 1.0, 0x1p-53, 0x1p-1074);
    ASSERT_SUM(1 + 0x1p-51, 1 + 0x1p-52, 0x1p-53);
    ASSERT_SUM(1 + 0x1p-52, 1 + 0x1p-52, 0x1p-53, -0x1p-1074);
    ASSERT_SUM(-1.0, -1.0, -0x1p-53);
    ASSERT_SUM(-1 - 0x1p-52, -1.0, -0x1p-53, -0x1p-1074);
    // the carry of a significand of all ones
    ASSERT_SUM(2.0, 2 - 0x1p-52, 0x1p-53);
}

static void subnormal_numbers_are_exact(void **state)
{
    (void)state;
    ASSERT_SUM(0x1p-1073, 0x1p-1074, 0x1p-1074);
    ASSERT_SUM(DBL_MIN, DBL_MIN - 0x1p-1074, 0x1p-1074);
    ASSERT_SUM(-0x1p-1074, DBL_MIN - 0x1p-1074, -DBL_MIN);
    // above twice the smallest normal number, sums are rounded
    ASSERT_SUM(2 * DBL_MIN, 2 * DBL_MIN - 0x1p-1074, 0x1p-1074);
    ASSERT_SUM(2 * DBL_MIN, 2 * DBL_MIN, 0x1p-1074);
    ASSERT_SUM(2 * DBL_MIN + 0x1p-1072, 2 * DBL_MIN + 0x1p-1073, 0x1p-1074);
}

static void a_sum_beyond_the_range_is_infinite_and_one_below_it_is_not(void **state)
{
    (void)state;
    ASSERT_SUM((double)INFINITY, DBL_MAX, DBL_MAX);
    ASSERT_SUM((double)-INFINITY, -DBL_MAX, -DBL_MAX, -DBL_MAX);
    // adding half a unit in the last place rounds to infinity
    ASSERT_SUM((double)INFINITY, DBL_MAX, 0x1p970);
    ASSERT_SUM(DBL_MAX, DBL_MAX, 0x1p970, -0x1p-1074);
}

static void infinities_and_nan_persist_after_any_further_terms(void **state)
{
    (void)state;
    const double infinity = (double)INFINITY, nan_value = (double)NAN;
    const double plus[] = {1, infinity, -DBL_MAX}, minus[] = {-infinity, 2, -infinity};
    const double both[] = {infinity, 1, -infinity}, with_nan[] = {1, -nan_value, infinity};
    assert_same_bits(sum_of(plus, 3), infinity);
    assert_same_bits(sum_of(minus, 3), -infinity);
    const double undefined = sum_of(both, 3);
    assert_true(isnan(undefined));
    // one bit pattern of NaN for all inputs
    assert_same_bits(sum_of(with_nan, 3), undefined);
}

static void random_sums_agree_with_mpfr(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int round = 0; round < 500; ++round) {
        double values[40];
        const size_t count = 1 + splitmix_next(&random) % 40;
        for (size_t i = 0; i < count; ++i)
            values[i] = any_double(&random);
        assert_same_bits(sum_of(values, count), mpfr_sum_of(values, count));
    }
}

static void sums_whose_leading_parts_cancel_agree_with_mpfr(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int round = 0; round < 2000; ++round) {
        double values[21];
        // pairs of opposite numbers, one of them changed by a rounding, and a last number
        for (size_t i = 0; i < 10; ++i) {
            values[2 * i] = any_double(&random) / 1024;
            values[2 * i + 1] = -values[2 * i];
        }
        values[20] = any_double(&random) / 1024;
        values[splitmix_next(&random) % 20] *= 1 - 0x1p-53 * (double)(splitmix_next(&random) % 3);
        assert_same_bits(sum_of(values, 21), mpfr_sum_of(values, 21));
    }
}

static void sums_near_ties_agree_with_mpfr(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 20000; ++round) {
        // a number, half a unit in its last place, and a far smaller number or zero
        const int exponent = (int)(splitmix_next(&random) % 1900) - 900;
        const double number =
            ldexp((double)(splitmix_next(&random) >> 11 | UINT64_C(1) << 52), exponent - 52);
        const double half = ldexp(1, exponent - 53);
        const double tiny = ldexp((double)(splitmix_next(&random) % 3) - 1,
                                  exponent - 54 - (int)(splitmix_next(&random) % 110));
        const double values[] = {tiny, number, (splitmix_next(&random) & 1) != 0 ? half : -half};
        assert_same_bits(sum_of(values, 3), mpfr_sum_of(values, 3));
    }
}

static void the_order_of_terms_changes_no_bit(void **state)
{
    (void)state;
    static double values[TERMS];
    uint64_t random = 4;
    for (size_t i = 0; i < TERMS; ++i)
        values[i] = any_double(&random);
    const double expected = mpfr_sum_of(values, TERMS);
    for (int round = 0; round < 50; ++round) {
        for (size_t i = TERMS - 1; i > 0; --i) {
            const size_t k = splitmix_next(&random) % (i + 1);
            const double swap = values[i];
            values[i] = values[k];
            values[k] = swap;
        }
        assert_same_bits(sum_of(values, TERMS), expected);
    }
}

// a random number of a kind: 0 and 1 of equal size, 1 at the end of a binade, 2 and 3 of any size in a
// range, 4 zero, 5 subnormal, 6 huge, otherwise any
static double random_of_kind(int kind, uint64_t *random)
{
    const double significand = (double)(splitmix_next(random) >> 11 | UINT64_C(1) << 52) * 0x1p-52;
    const double sign = (splitmix_next(random) & 1) != 0 ? -1 : 1;
    switch (kind) {
    case 0:
        return significand;
    case 1:
        return 2 - 0x1p-52 * (double)(splitmix_next(random) % 2);
    case 2:
        return sign * ldexp(significand, (int)(splitmix_next(random) % 60) - 20);
    case 3:
        return sign * ldexp(significand, (int)(splitmix_next(random) % 400) - 300);
    case 4:
        return sign * 0.0;
    case 5:
        return sign * ldexp(significand, -1060 - (int)(splitmix_next(random) % 20));
    case 6:
        return sign * ldexp(significand, 900 + (int)(splitmix_next(random) % 120));
    default:
        return any_double(random);
    }
}

static void sums_of_arrays_agree_with_mpfr(void **state)
{
    (void)state;
    static double values[TERMS];
    uint64_t random = 6;
    for (int round = 0; round < 400; ++round) {
        // one kind, with some numbers of another
        const int kind = (int)(splitmix_next(&random) % 8), other = (int)(splitmix_next(&random) % 8);
        const size_t count = 1 + splitmix_next(&random) % TERMS, every = 1 + splitmix_next(&random) % 100;
        const int shift = (int)(splitmix_next(&random) % 3) * 300 - 300;
        for (size_t i = 0; i < count; ++i)
            values[i] = random_of_kind(i % every == 0 ? other : kind, &random);
        for (size_t i = 0; i < count && kind < 3 && other < 3; ++i)
            values[i] = ldexp(values[i], shift);
        // opposite numbers that almost cancel
        for (size_t i = 1; i < count && round % 3 == 0; i += 2)
            values[i] = -values[i - 1] * (1 + 0x1p-52 * (double)(splitmix_next(&random) % 2));
        assert_same_bits(sum_of(values, count), mpfr_sum_of(values, count));
    }
}

static void infinities_and_nan_persist_in_arrays(void **state)
{
    (void)state;
    double values[100];
    for (size_t i = 0; i < 100; ++i)
        values[i] = (double)i;
    values[77] = (double)INFINITY;
    assert_same_bits(sum_of(values, 100), (double)INFINITY);
    values[3] = (double)-INFINITY;
    assert_true(isnan(sum_of(values, 100)));
    values[77] = (double)NAN;
    assert_true(isnan(sum_of(values, 100)));
    values[77] = -DBL_MAX;
    assert_same_bits(sum_of(values, 100), (double)-INFINITY);
}

// the bounds that allow further additions
static void assert_limbs_are_bounded(const struct scree_sum *sum)
{
    assert_in_range(sum->pending, 1, INT64_C(1) << 30);
    for (int k = 0; k < SCREE_SUM_LIMBS; ++k) {
        assert_true(sum->limbs[k] <= sum->pending * (INT64_C(1) << 32));
        assert_true(sum->limbs[k] >= -sum->pending * (INT64_C(1) << 32));
    }
}

static void computing_the_value_does_not_change_the_sum(void **state)
{
    (void)state;
    struct scree_sum sum = {0};
    scree_sum_add(&sum, -1e10);
    scree_sum_add(&sum, 0x1p-40);
    const struct scree_sum before = sum;
    assert_same_bits(scree_sum_value(&sum), scree_sum_value(&sum));
    assert_memory_equal(&sum, &before, sizeof sum);
}

// the exact value of the limbs, added one by one
static double value_of_limbs(const struct scree_sum *sum, double addend)
{
    mpfr_t total, limb;
    mpfr_init2(total, EXACT_BITS);
    mpfr_init2(limb, EXACT_BITS);
    mpfr_set_d(total, addend, MPFR_RNDN);
    for (int k = 0; k < SCREE_SUM_LIMBS; ++k) {
        mpfr_set_sj_2exp(limb, sum->limbs[k], 32 * k - 1074, MPFR_RNDN);
        mpfr_add(total, total, limb, MPFR_RNDN);
    }
    const double value = mpfr_get_d(total, MPFR_RNDN);
    mpfr_clears(total, limb, (mpfr_ptr)0);
    return value;
}

static void carries_delayed_to_the_limit_are_not_lost(void **state)
{
    (void)state;
    // limbs as large as 2^30 additions can make them, of one sign and mixed, and then some more additions
    for (int pattern = 0; pattern < 3; ++pattern) {
        struct scree_sum sum = {.pending = INT64_C(1) << 30};
        for (int k = 0; k < 60; ++k)
            sum.limbs[k] = (pattern == 0 || (pattern == 2 && k % 3 != 0) ? 1 : -1) * (INT64_C(1) << 62);
        const double expected = value_of_limbs(&sum, 1e200), without_addend = value_of_limbs(&sum, 0);
        assert_same_bits(scree_sum_value(&sum), without_addend);
        for (int i = 0; i < 10; ++i)
            scree_sum_add(&sum, 1e199);
        scree_sum_add(&sum, -1e199);
        scree_sum_add(&sum, 1e200);
        for (int i = 0; i < 9; ++i)
            scree_sum_add(&sum, -1e199);
        assert_true(sum.pending < 100);
        assert_limbs_are_bounded(&sum);
        assert_same_bits(scree_sum_value(&sum), expected);
    }
}

static void after_carrying_a_sum_has_limbs_of_32_bits_and_the_same_value(void **state)
{
    (void)state;
    uint64_t random = 5;
    struct scree_sum sum = {0};
    for (int i = 0; i < 1000; ++i)
        scree_sum_add(&sum, any_double(&random));
    const double before = scree_sum_value(&sum);
    scree_sum_carry(&sum);
    assert_int_equal(sum.pending, 1);
    for (int k = 0; k < SCREE_SUM_LIMBS - 1; ++k)
        assert_true(sum.limbs[k] >= 0 && sum.limbs[k] <= INT64_C(0xFFFFFFFF));
    assert_same_bits(scree_sum_value(&sum), before);
}

// Parts with carries, infinities and no terms at all.
static void merging_sums_is_adding_all_their_terms(void **state)
{
    (void)state;
    uint64_t random = 5;
    struct scree_sum all = {0}, parts[4] = {{{0}, {0}, 0, 0}}, merged = {0};
    for (int t = 0; t < TERMS; ++t) {
        const double term = any_double(&random);
        scree_sum_add(&all, term);
        scree_sum_add(&parts[t % 3], term);
        if (t == TERMS / 2)
            scree_sum_carry(&parts[1]);
    }
    for (int p = 0; p < 4; ++p)
        scree_sum_merge(&merged, &parts[p]);
    assert_same_bits(scree_sum_value(&merged), scree_sum_value(&all));
    assert_same_bits(scree_sum_value(&parts[3]), 0);
    scree_sum_add(&parts[3], (double)INFINITY);
    scree_sum_merge(&merged, &parts[3]);
    assert_true(scree_sum_value(&merged) == (double)INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_sums_and_sums_of_zeros_are_plus_zero),
        cmocka_unit_test(small_terms_remain_after_cancellation),
        cmocka_unit_test(ties_are_rounded_to_even_and_a_tiny_term_breaks_them),
        cmocka_unit_test(subnormal_numbers_are_exact),
        cmocka_unit_test(a_sum_beyond_the_range_is_infinite_and_one_below_it_is_not),
        cmocka_unit_test(infinities_and_nan_persist_after_any_further_terms),
        cmocka_unit_test(random_sums_agree_with_mpfr),
        cmocka_unit_test(sums_whose_leading_parts_cancel_agree_with_mpfr),
        cmocka_unit_test(sums_near_ties_agree_with_mpfr),
        cmocka_unit_test(the_order_of_terms_changes_no_bit),
        cmocka_unit_test(sums_of_arrays_agree_with_mpfr),
        cmocka_unit_test(infinities_and_nan_persist_in_arrays),
        cmocka_unit_test(computing_the_value_does_not_change_the_sum),
        cmocka_unit_test(merging_sums_is_adding_all_their_terms),
        cmocka_unit_test(carries_delayed_to_the_limit_are_not_lost),
        cmocka_unit_test(after_carrying_a_sum_has_limbs_of_32_bits_and_the_same_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
