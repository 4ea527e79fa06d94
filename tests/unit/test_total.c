// Totals (world/total.h) against exact sums (base/sum.h): exact within 212 bits, and therefore independent
// of order.

#include "support/worlds.h"
#include "world/total.h"

enum { TERMS = 60 };

static double exact(const struct scree_total *total)
{
    struct scree_sum sum = {0};
    scree_total_enter(total, &sum);
    return scree_sum_value(&sum);
}

// Numbers with exponents from -60 to 60, of both signs.
static double random_number(uint64_t *seed)
{
    const int exponent = (int)(splitmix_next(seed) % 121) - 60;
    return ldexp(splitmix_signed(seed), exponent);
}

static void a_total_is_exact_in_every_order(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < 2000; ++round) {
        double value[TERMS];
        struct scree_sum sum = {0};
        struct scree_total total = {0};
        for (int k = 0; k < TERMS; ++k) {
            value[k] = random_number(&seed);
            scree_sum_add(&sum, value[k]);
        }
        for (int k = 0; k < TERMS; ++k)
            scree_total_add(&total, value[(k * 7 + round) % TERMS]);
        assert_true(exact(&total) == scree_sum_value(&sum));
        // the leading part, `value`, differs from the exact sum by a rounding
        assert_true(fabs(total.value - exact(&total)) <= 0x1p-52 * fabs(total.value));
        for (int k = 0; k < TERMS; ++k)
            scree_total_add(&total, -value[k]);
        assert_true(total.value == 0 && exact(&total) == 0);
    }
}

static void a_sum_is_added_exactly(void **state)
{
    (void)state;
    uint64_t seed = 6;
    struct scree_total total = {0};
    struct scree_sum sum = {0}, expected = {0};
    for (int k = 0; k < TERMS; ++k) {
        const double value = random_number(&seed);
        scree_sum_add(&sum, value);
        scree_sum_add(&expected, -value);
    }
    scree_total_add(&total, 0.1);
    scree_sum_add(&expected, 0.1);
    scree_total_add_sum(&total, &sum, -1);
    assert_true(exact(&total) == scree_sum_value(&expected));
    scree_total_add_sum(&total, &sum, 0);
    assert_true(exact(&total) == scree_sum_value(&expected));
    scree_total_add_sum(&total, &sum, 1);
    assert_true(exact(&total) == 0.1 && total.value == 0.1);
}

static void a_total_that_is_not_finite_remains_so(void **state)
{
    (void)state;
    struct scree_total total = {0};
    struct scree_sum sum = {0};
    scree_total_add(&total, 0.1);
    scree_total_add(&total, 0x1p-80);
    scree_total_add(&total, INFINITE);
    assert_true(exact(&total) == INFINITE);
    scree_total_add(&total, 1);
    assert_true(total.value == INFINITE);
    scree_sum_add(&sum, -INFINITE);
    scree_total_add_sum(&total, &sum, 1);
    assert_true(isnan(total.value) && isnan(exact(&total)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_total_is_exact_in_every_order),
                                       cmocka_unit_test(a_sum_is_added_exactly),
                                       cmocka_unit_test(a_total_that_is_not_finite_remains_so)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
