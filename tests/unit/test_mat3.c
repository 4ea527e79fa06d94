// Matrices against their identities and against extended precision. Sizes |A| are Frobenius norms; every
// tolerance counts the roundings of an entry (a sum of n products: n eps times the sum of magnitudes), added
// over the matrix.
#include "math_inputs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define CASES 100000

static double distance(struct scree_mat3 a, struct scree_mat3 b)
{
    return inputs_size(scree_mat3_sub(a, b));
}

static int same_vectors(struct scree_vec3 a, struct scree_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void apply_is_the_dot_with_every_row(void **state)
{
    (void)state;
    struct inputs in = {1};
    for (int i = 0; i < CASES; ++i) {
        struct scree_mat3 a = inputs_matrix(&in);
        struct scree_vec3 v = inputs_vector(&in);
        struct scree_vec3 got = scree_mat3_apply(a, v);
        double tolerance = 6.0 * EPSILON * inputs_size(a) * scree_vec3_norm(v);
        ASSERT_SMALL((long double)got.x - inputs_wide_dot(scree_mat3_row_x(a), v), tolerance);
        ASSERT_SMALL((long double)got.y - inputs_wide_dot(scree_mat3_row_y(a), v), tolerance);
        ASSERT_SMALL((long double)got.z - inputs_wide_dot(scree_mat3_row_z(a), v), tolerance);
        assert_true(
            same_vectors(scree_mat3_apply_transposed(a, v), scree_mat3_apply(scree_mat3_transpose(a), v)));
    }
}

static void rows_and_columns_are_laid_out_as_named(void **state)
{
    (void)state;
    struct scree_vec3 x = scree_vec3_make(1.0, 2.0, 3.0);
    struct scree_vec3 y = scree_vec3_make(4.0, 5.0, 6.0);
    struct scree_vec3 z = scree_vec3_make(7.0, 8.0, 10.0);
    struct scree_mat3 rows = scree_mat3_from_rows(x, y, z);
    struct scree_mat3 columns = scree_mat3_from_columns(x, y, z);
    const double flat[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0};
    assert_memory_equal(&rows, flat, sizeof flat);
    assert_true(distance(columns, scree_mat3_transpose(rows)) == 0.0);
    assert_true(same_vectors(scree_mat3_apply(columns, scree_vec3_make(0.0, 1.0, 0.0)), y));
    assert_true(scree_mat3_trace(rows) == 16.0);
    assert_true(scree_mat3_determinant(rows) == -3.0);
    assert_true(distance(scree_mat3_sub(rows, scree_mat3_scale(rows, -1.0)), scree_mat3_scale(rows, 2.0)) ==
                0.0);
    struct scree_mat3 symmetric = {1.0, 3.0, 5.0, 3.0, 5.0, 7.0, 5.0, 7.0, 10.0};
    assert_true(distance(scree_mat3_symmetric(rows), symmetric) == 0.0);
}

// the product's entries and the inner vector have errors of 3 eps of their magnitudes, and so do the two
// applications
static void the_product_applies_one_matrix_after_the_other(void **state)
{
    (void)state;
    struct inputs in = {2};
    for (int i = 0; i < CASES; ++i) {
        struct scree_mat3 a = inputs_matrix(&in);
        struct scree_mat3 b = inputs_matrix(&in);
        struct scree_vec3 v = inputs_vector(&in);
        struct scree_vec3 together = scree_mat3_apply(scree_mat3_product(a, b), v);
        struct scree_vec3 apart = scree_mat3_apply(a, scree_mat3_apply(b, v));
        double size = inputs_size(a) * inputs_size(b) * scree_vec3_norm(v);
        ASSERT_SMALL(scree_vec3_norm(scree_vec3_sub(together, apart)), 12.0 * EPSILON * size);
    }
}

// a determinant has an error of 5 eps |A|^3, the product's entries of 3 eps |A||B|, which counts three times
// in its determinant
static void determinant_of_a_product_is_the_product_of_determinants(void **state)
{
    (void)state;
    struct inputs in = {3};
    for (int i = 0; i < CASES; ++i) {
        struct scree_mat3 a = inputs_matrix(&in);
        struct scree_mat3 b = inputs_matrix(&in);
        double apart = scree_mat3_determinant(a) * scree_mat3_determinant(b);
        double size = inputs_size(a) * inputs_size(b);
        ASSERT_SMALL(scree_mat3_determinant(scree_mat3_product(a, b)) - apart,
                     25.0 * EPSILON * size * size * size);
    }
}

// the cofactors have errors of 2 eps |A|^2, multiplied by A (2 sqrt(9) eps |A|^3), the determinant has 5 eps
// |A|^3 on each of three diagonal entries (5 sqrt(3)), and everything is divided by the determinant
static void inverse_undoes_the_matrix(void **state)
{
    (void)state;
    struct inputs in = {4};
    for (int i = 0; i < CASES; ++i) {
        struct scree_mat3 a = scree_mat3_scale(inputs_matrix(&in), inputs_spread(&in, -60, 60));
        double size = inputs_size(a);
        double condition = size * size * size / fabs(scree_mat3_determinant(a));
        struct scree_mat3 inverse = scree_mat3_inverse(a);
        double tolerance = 16.0 * EPSILON * condition;
        if (tolerance < 0.01) {
            ASSERT_SMALL(distance(scree_mat3_product(a, inverse), scree_mat3_identity()), tolerance);
            ASSERT_SMALL(distance(scree_mat3_product(inverse, a), scree_mat3_identity()), tolerance);
        }
    }
}

static void inverse_of_a_singular_matrix_is_not_finite(void **state)
{
    (void)state;
    struct scree_mat3 dyad = {1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 3.0, 6.0, 9.0};
    struct scree_mat3 inverse = scree_mat3_inverse(dyad);
    assert_true(!(inputs_size(inverse) < (double)INFINITY));
}

// two products of 3 eps |A| each, with a rotation that is accurate to about 16 eps
static void rotating_a_tensor_keeps_its_invariants(void **state)
{
    (void)state;
    struct inputs in = {8};
    for (int i = 0; i < CASES; ++i) {
        struct scree_mat3 a = inputs_matrix(&in);
        struct scree_mat3 turned = scree_mat3_rotate(scree_quat_to_matrix(inputs_rotation(&in)), a);
        double size = inputs_size(a);
        ASSERT_SMALL(scree_mat3_trace(turned) - scree_mat3_trace(a), 64.0 * EPSILON * size);
        ASSERT_SMALL(inputs_size(turned) - size, 64.0 * EPSILON * size);
        ASSERT_SMALL(scree_mat3_determinant(turned) - scree_mat3_determinant(a),
                     128.0 * EPSILON * size * size * size);
    }
}

static void a_quarter_turn_carries_the_body_axes_to_the_world(void **state)
{
    (void)state;
    struct scree_mat3 quarter = {0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    struct scree_mat3 turned =
        scree_mat3_rotate(quarter, scree_mat3_diagonal(scree_vec3_make(1.0, 2.0, 3.0)));
    assert_true(distance(turned, scree_mat3_diagonal(scree_vec3_make(2.0, 1.0, 3.0))) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(apply_is_the_dot_with_every_row),
        cmocka_unit_test(rows_and_columns_are_laid_out_as_named),
        cmocka_unit_test(the_product_applies_one_matrix_after_the_other),
        cmocka_unit_test(determinant_of_a_product_is_the_product_of_determinants),
        cmocka_unit_test(inverse_undoes_the_matrix),
        cmocka_unit_test(inverse_of_a_singular_matrix_is_not_finite),
        cmocka_unit_test(rotating_a_tensor_keeps_its_invariants),
        cmocka_unit_test(a_quarter_turn_carries_the_body_axes_to_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
