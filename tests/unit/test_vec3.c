// Vectors (math/vec3.h, math/real.h) against algebraic identities and against long double.
#include "math_inputs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define CASES 100000

// errors: each product and each sum rounds once, three roundings of the sum of the magnitudes; the same for
// the reference
static void the_dot_product_is_the_sum_of_products(void **state)
{
    (void)state;
    struct inputs in = {1};
    for (int i = 0; i < CASES; ++i) {
        struct scree_vec3 a = inputs_vector(&in);
        struct scree_vec3 b = scree_vec3_scale(inputs_vector(&in), inputs_spread(&in, -30, 30));
        double size = fabs(a.x * b.x) + fabs(a.y * b.y) + fabs(a.z * b.z);
        ASSERT_SMALL((long double)scree_vec3_dot(a, b) - inputs_wide_dot(a, b), 6.0 * EPSILON * size);
    }
}

static void the_cross_product_is_perpendicular_and_has_the_length_of_the_area(void **state)
{
    (void)state;
    struct inputs in = {2};
    for (int i = 0; i < CASES; ++i) {
        struct scree_vec3 a = inputs_vector(&in);
        struct scree_vec3 b = inputs_vector(&in);
        struct scree_vec3 c = scree_vec3_cross(a, b);
        double square = scree_vec3_norm_squared(a) * scree_vec3_norm_squared(b);

        // each component of c has an error of at most 2 eps |a| |b|; c.a has three of them times |a|, and
        // the rounding of the dot product
        ASSERT_SMALL(scree_vec3_dot(c, a), 10.0 * EPSILON * sqrt(square) * scree_vec3_norm(a));
        ASSERT_SMALL(scree_vec3_dot(c, b), 10.0 * EPSILON * sqrt(square) * scree_vec3_norm(b));

        // Lagrange: |a x b|^2 + (a.b)^2 = |a|^2 |b|^2; about 12 roundings of terms of that size
        double dot = scree_vec3_dot(a, b);
        ASSERT_SMALL(scree_vec3_norm_squared(c) + dot * dot - square, 16.0 * EPSILON * square);
    }
}

static void the_cross_product_of_the_axes_is_right_handed(void **state)
{
    (void)state;
    struct scree_vec3 z = scree_vec3_cross(scree_vec3_make(1.0, 0.0, 0.0), scree_vec3_make(0.0, 1.0, 0.0));
    assert_true(z.x == 0.0 && z.y == 0.0 && z.z == 1.0);
}

static void componentwise_operations_act_on_each_component(void **state)
{
    (void)state;
    struct scree_vec3 a = scree_vec3_make(1.0, -4.0, 6.0);
    struct scree_vec3 b = scree_vec3_make(2.0, 8.0, -3.0);
    const struct {
        struct scree_vec3 result, expected;
    } cases[] = {
        {scree_vec3_add(a, b), {3.0, 4.0, 3.0}},
        {scree_vec3_sub(a, b), {-1.0, -12.0, 9.0}},
        {scree_vec3_negate(a), {-1.0, 4.0, -6.0}},
        {scree_vec3_scale(a, 0.5), {0.5, -2.0, 3.0}},
        {scree_vec3_add_scaled(a, 2.0, b), {5.0, 12.0, 0.0}},
        {scree_vec3_multiply(a, b), {2.0, -32.0, -18.0}},
        {scree_vec3_divide(a, b), {0.5, -0.5, -2.0}},
        {scree_vec3_zero(), {0.0, 0.0, 0.0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_true(cases[i].result.x == cases[i].expected.x);
        assert_true(cases[i].result.y == cases[i].expected.y);
        assert_true(cases[i].result.z == cases[i].expected.z);
    }
}

// errors: the sum of squares has 3 eps, the root half of that and one more, the reciprocal and the product
// one each
static void normalised_vectors_have_unit_length(void **state)
{
    (void)state;
    struct inputs in = {3};
    for (int i = 0; i < CASES; ++i) {
        struct scree_vec3 a = scree_vec3_scale(inputs_vector(&in), inputs_spread(&in, -400, 400));
        struct scree_vec3 n = scree_vec3_normalise(a);
        ASSERT_SMALL(sqrtl(inputs_wide_dot(n, n)) - 1.0L, 5.0 * EPSILON);
        assert_true(scree_vec3_dot(n, a) > 0.0);
        ASSERT_SMALL(scree_vec3_norm(scree_vec3_cross(n, a)), 8.0 * EPSILON * scree_vec3_norm(a));
    }
}

static void the_zero_vector_stays_zero_when_normalised(void **state)
{
    (void)state;
    struct scree_vec3 n = scree_vec3_normalise(scree_vec3_zero());
    assert_true(n.x == 0.0 && n.y == 0.0 && n.z == 0.0);
}

// the length of n has an error of 5 eps, and each component of the result a few eps more
static void the_perpendicular_vector_completes_a_right_handed_frame(void **state)
{
    (void)state;
    struct inputs in = {4};
    const struct scree_vec3 special[] = {{0.0, 0.0, 1.0},  {0.0, 0.0, -1.0}, {1.0, 0.0, 0.0},
                                         {1.0, 0.0, -0.0}, {0.0, -1.0, 0.0}, {0x1p-40, 0.0, -1.0}};
    for (size_t i = 0; i < CASES; ++i) {
        struct scree_vec3 n =
            i < sizeof special / sizeof special[0] ? special[i] : scree_vec3_normalise(inputs_vector(&in));
        struct scree_vec3 a = scree_vec3_perpendicular(n);
        struct scree_vec3 b = scree_vec3_cross(n, a);
        struct scree_vec3 error = scree_vec3_sub(scree_vec3_cross(a, b), n);
        ASSERT_SMALL(scree_vec3_dot(a, n), 16.0 * EPSILON);
        ASSERT_SMALL(scree_vec3_norm_squared(a) - 1.0, 16.0 * EPSILON);
        ASSERT_SMALL(scree_vec3_norm(error), 32.0 * EPSILON);
    }
}

static void min_and_max_of_nan_and_a_number_are_the_number(void **state)
{
    (void)state;
    assert_true(scree_real_min(1.0, 2.0) == 1.0 && scree_real_min(2.0, 1.0) == 1.0);
    assert_true(scree_real_max(1.0, 2.0) == 2.0 && scree_real_max(2.0, 1.0) == 2.0);
    assert_true(scree_real_min((double)NAN, 1.0) == 1.0 && scree_real_max((double)NAN, 1.0) == 1.0);
}

static void rounding_to_whole_numbers_is_to_nearest_even(void **state)
{
    (void)state;
    const double cases[][2] = {{0.5, 0.0},  {1.5, 2.0},   {-0.5, 0.0},      {-2.5, -2.0},
                               {2.51, 3.0}, {-7.9, -8.0}, {0x1p50, 0x1p50}, {0x1p50 + 0.75, 0x1p50 + 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_true(scree_real_round(cases[i][0]) == cases[i][1]);
    }
}

static void arrays_hold_the_components_x_y_z(void **state)
{
    (void)state;
    const double record[] = {1.0, 2.0, 3.0};
    double copy[3] = {0.0};
    struct scree_vec3 v = scree_vec3_load(record);
    assert_true(v.x == 1.0 && v.y == 2.0 && v.z == 3.0);
    scree_vec3_store(v, copy);
    assert_memory_equal(copy, record, sizeof copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dot_product_is_the_sum_of_products),
        cmocka_unit_test(the_cross_product_is_perpendicular_and_has_the_length_of_the_area),
        cmocka_unit_test(the_cross_product_of_the_axes_is_right_handed),
        cmocka_unit_test(componentwise_operations_act_on_each_component),
        cmocka_unit_test(normalised_vectors_have_unit_length),
        cmocka_unit_test(the_zero_vector_stays_zero_when_normalised),
        cmocka_unit_test(the_perpendicular_vector_completes_a_right_handed_frame),
        cmocka_unit_test(min_and_max_of_nan_and_a_number_are_the_number),
        cmocka_unit_test(rounding_to_whole_numbers_is_to_nearest_even),
        cmocka_unit_test(arrays_hold_the_components_x_y_z),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
