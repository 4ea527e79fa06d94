// Arithmetic of the compiler, on which equal bits on all machines depend: products are rounded before they
// are added, and sums are evaluated in the written order. Reference: values computed by hand. Each test
// fails under flags such as -ffp-contract=fast or -ffast-math, which the build refuses.

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void a_product_is_rounded_before_it_is_added(void **state)
{
    (void)state;
    // (1 + e)(1 - e) - 1 is -e^2 exactly, and 0 when the product is rounded first
    volatile double e = DBL_EPSILON;
    const double difference = (1 + e) * (1 - e) - 1;
    assert_true(difference == 0);
}

static void sums_are_evaluated_in_the_written_order(void **state)
{
    (void)state;
    volatile double large = 1e16, one = 1;
    assert_true((large + one) - large == 0);
    assert_true((large - large) + one == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_product_is_rounded_before_it_is_added),
        cmocka_unit_test(sums_are_evaluated_in_the_written_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
