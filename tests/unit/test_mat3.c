// 3 x 3 matrices (math/mat3.h) against algebraic identities and against long double. |A| is the Frobenius
// norm. A tolerance adds the rounding errors of all entries; a sum of n products has an error of at most n
// eps times the sum of the magnitudes.
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

static void applying_a_matrix_is_the_scalar_product_with_each_row(void **state)
{
    (void)state;
    struct inputs in = {1};
    for (int i = 0; i < CASES; ++i) {
        struct scree_mat3 a = inputs_matrix(&in);
        struct scree_vec3 v = inputs_vector(&in);
        struct scree_vec3 result = scree_mat3_apply(a, v);
        double tolerance = 6.0 * EPSILON * inputs_size(a) * scree_vec3_norm(v);
        ASSERT_SMALL((long double)result.x - inputs_wide_dot(scree_mat3_row_x(a), v), tolerance);
        ASSERT_SMALL((long double)result.y - inputs_wide_dot(scree_mat3_row_y(a), v), tolerance);
        ASSERT_SMALL((long double)result.z - inputs_wide_dot(scree_mat3_row_z(a), v), tolerance);
        assert_true(
            same_vectors(scree_mat3_apply_transposed(a, v), scree_mat3_apply(scree_mat3_transpose(a), v)));
    }
}

static void matrices_are_stored_by_rows_and_simple_operations_are_exact(void **state)
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

// errors of 3 eps each: the entries of A B, the components of B v, and both applications to a vector
static void a_product_applies_its_right_matrix_first(void **state)
{
    (void)state;
    struct inputs in = {2};
    for (int i = 0; i < CASES; ++i) {
        struct scree_mat3 a = inputs_matrix(&in);
        struct scree_mat3 b = inputs_matrix(&in);
        struct scree_vec3 v = inputs_vector(&in);
        struct scree_vec3 with_product = scree_mat3_apply(scree_mat3_product(a, b), v);
        struct scree_vec3 one_by_one = scree_mat3_apply(a, scree_mat3_apply(b, v));
        double size = inputs_size(a) * inputs_size(b) * scree_vec3_norm(v);
        ASSERT_SMALL(scree_vec3_norm(scree_vec3_sub(with_product, one_by_one)), 12.0 * EPSILON * size);
    }
}

// a determinant has an error of 5 eps |A|^3; the entries of A B have errors of 3 eps |A| |B|, which count
// three times in its determinant
static void determinant_of_a_product_is_the_product_of_determinants(void **state)
{
    (void)state;
    struct inputs in = {3};
    for (int i = 0; i < CASES; ++i) {
        struct scree_mat3 a = inputs_matrix(&in);
        struct scree_mat3 b = inputs_matrix(&in);
        double expected = scree_mat3_determinant(a) * scree_mat3_determinant(b);
        double size = inputs_size(a) * inputs_size(b);
        ASSERT_SMALL(scree_mat3_determinant(scree_mat3_product(a, b)) - expected,
                     25.0 * EPSILON * size * size * size);
    }
}

// Errors of A times its inverse, both divided by the determinant. An error of 2 eps |A|^2 of the cofactors
// gives 2 eps |A|^3 in each of nine entries, 2 sqrt(9) eps |A|^3 in the norm. The error of 5 eps |A|^3 of
// the determinant enters the three diagonal entries, 5 sqrt(3) eps |A|^3 in the norm.
static void a_matrix_times_its_inverse_is_the_identity(void **state)
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

// a rotation is two products with errors of 3 eps |A| each, and its matrix has an error of about 16 eps
static void rotating_a_tensor_keeps_its_invariants(void **state)
{
    (void)state;
    struct inputs in = {8};
    for (int i = 0; i < CASES; ++i) {
        struct scree_mat3 a = inputs_matrix(&in);
        struct scree_mat3 rotated = scree_mat3_rotate(scree_quat_to_matrix(inputs_rotation(&in)), a);
        double size = inputs_size(a);
        ASSERT_SMALL(scree_mat3_trace(rotated) - scree_mat3_trace(a), 64.0 * EPSILON * size);
        ASSERT_SMALL(inputs_size(rotated) - size, 64.0 * EPSILON * size);
        ASSERT_SMALL(scree_mat3_determinant(rotated) - scree_mat3_determinant(a),
                     128.0 * EPSILON * size * size * size);
    }
}

static void a_quarter_turn_about_z_exchanges_the_x_and_y_entries(void **state)
{
    (void)state;
    struct scree_mat3 quarter = {0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    struct scree_mat3 rotated =
        scree_mat3_rotate(quarter, scree_mat3_diagonal(scree_vec3_make(1.0, 2.0, 3.0)));
    assert_true(distance(rotated, scree_mat3_diagonal(scree_vec3_make(2.0, 1.0, 3.0))) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(applying_a_matrix_is_the_scalar_product_with_each_row),
        cmocka_unit_test(matrices_are_stored_by_rows_and_simple_operations_are_exact),
        cmocka_unit_test(a_product_applies_its_right_matrix_first),
        cmocka_unit_test(determinant_of_a_product_is_the_product_of_determinants),
        cmocka_unit_test(a_matrix_times_its_inverse_is_the_identity),
        cmocka_unit_test(inverse_of_a_singular_matrix_is_not_finite),
        cmocka_unit_test(rotating_a_tensor_keeps_its_invariants),
        cmocka_unit_test(a_quarter_turn_about_z_exchanges_the_x_and_y_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
