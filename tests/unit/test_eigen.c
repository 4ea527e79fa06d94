// Eigenvalues and eigenvectors: the defining equations, and matrices with equal, close and badly scaled
// eigenvalues. Reference: the number of eigenvalues below a bound, computed by MPFR from Sylvester's law of
// inertia.
#include "math/eigen.h"
#include "math_inputs.h"

#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define CASES 100000

// all rotations above round-off are in the first 5 sweeps of 3; each adds errors of 2 eps of the size to the
// matrix and the vectors
#define ERROR (48.0 * EPSILON)

static double distance(struct scree_mat3 a, struct scree_mat3 b)
{
    return inputs_size(scree_mat3_sub(a, b));
}

static void assert_solves(struct scree_mat3 a, double tolerance)
{
    struct scree_eigen e = scree_eigen_symmetric(a);
    struct scree_mat3 v = e.vectors;
    struct scree_mat3 left = scree_mat3_product(a, v);
    struct scree_mat3 right = scree_mat3_product(v, scree_mat3_diagonal(e.values));
    ASSERT_SMALL(distance(left, right), tolerance * inputs_size(a));
    ASSERT_SMALL(distance(scree_mat3_product(scree_mat3_transpose(v), v), scree_mat3_identity()), tolerance);
    assert_true(scree_mat3_determinant(v) > 0.5);
    assert_true(e.values.x <= e.values.y && e.values.y <= e.values.z);
}

static struct scree_mat3 rotated_diagonal(struct inputs *in, double x, double y, double z)
{
    struct scree_mat3 r = scree_quat_to_matrix(inputs_rotation(in));
    return scree_mat3_symmetric(scree_mat3_rotate(r, scree_mat3_diagonal(scree_vec3_make(x, y, z))));
}

static void vectors_and_values_solve_the_equation(void **state)
{
    (void)state;
    struct inputs in = {1};
    for (int i = 0; i < CASES; ++i) {
        assert_solves(scree_mat3_symmetric(inputs_matrix(&in)), ERROR);
    }
}

// Weyl: eigenvalues change by no more than the matrix, and rotating it changes the matrix by about 40 eps of
// its size
static void values_of_a_rotated_diagonal_matrix_are_its_elements(void **state)
{
    (void)state;
    struct inputs in = {2};
    for (int i = 0; i < CASES; ++i) {
        double x = inputs_uniform(&in, -3.0, -1.0);
        double y = inputs_uniform(&in, -1.0, 1.0);
        double z = inputs_uniform(&in, 1.0, 3.0);
        struct scree_vec3 values = scree_eigen_symmetric(rotated_diagonal(&in, x, y, z)).values;
        double size = sqrt(x * x + y * y + z * z);
        ASSERT_SMALL(scree_vec3_norm(scree_vec3_sub(values, scree_vec3_make(x, y, z))),
                     (ERROR + 48.0 * EPSILON) * size);
    }
}

static void equal_and_close_values_are_accurate(void **state)
{
    (void)state;
    struct inputs in = {3};
    for (int i = 0; i < CASES; ++i) {
        double gap = i % 3 ? fabs(inputs_spread(&in, -52, -1)) : 0.0;
        assert_solves(rotated_diagonal(&in, 1.0, 1.0 + gap, i % 2 ? -2.0 : 3.0), ERROR);
        assert_solves(rotated_diagonal(&in, 1.0, 1.0 + gap, 1.0 - gap), ERROR);
    }
}

static void a_power_of_two_scales_the_values_exactly(void **state)
{
    (void)state;
    struct inputs in = {4};
    for (int i = 0; i < CASES; ++i) {
        struct scree_mat3 a = scree_mat3_symmetric(inputs_matrix(&in));
        int exponent = i % 2 ? 1019 : -900;
        struct scree_vec3 plain = scree_eigen_symmetric(a).values;
        struct scree_vec3 scaled = scree_eigen_symmetric(scree_mat3_scale(a, ldexp(1.0, exponent))).values;

        // a power of two changes exponents only, unless an element becomes subnormal
        assert_true(scaled.x == ldexp(plain.x, exponent) && scaled.y == ldexp(plain.y, exponent) &&
                    scaled.z == ldexp(plain.z, exponent));
    }
}

// 2000 bits are enough for the signs of the leading minors of (a - value 1): the sign changes along 1,
// d1, d2, d3 count the eigenvalues below the value
static int values_below(struct scree_mat3 a, double value, double factor)
{
    mpfr_t shift;
    mpfr_t m[9];
    mpfr_t minor;
    mpfr_t term;
    mpfr_inits2(2000, shift, minor, term, (mpfr_ptr)NULL);
    mpfr_set_d(shift, value, MPFR_RNDN);
    mpfr_mul_d(shift, shift, factor, MPFR_RNDN);
    const double elements[] = {a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz};
    for (int i = 0; i < 9; ++i) {
        mpfr_init2(m[i], 2000);
        mpfr_set_d(m[i], elements[i], MPFR_RNDN);
        if (i % 4 == 0) {
            mpfr_sub(m[i], m[i], shift, MPFR_RNDN);
        }
    }
    int first = mpfr_sgn(m[0]);

    mpfr_fmms(minor, m[0], m[4], m[1], m[1], MPFR_RNDN);
    int second = mpfr_sgn(minor);
    mpfr_mul(minor, minor, m[8], MPFR_RNDN);
    mpfr_fmms(term, m[0], m[5], m[1], m[2], MPFR_RNDN);
    mpfr_mul(term, term, m[5], MPFR_RNDN);
    mpfr_sub(minor, minor, term, MPFR_RNDN);
    mpfr_fmms(term, m[1], m[5], m[4], m[2], MPFR_RNDN);
    mpfr_mul(term, term, m[2], MPFR_RNDN);
    mpfr_add(minor, minor, term, MPFR_RNDN);
    int third = mpfr_sgn(minor);

    for (int i = 0; i < 9; ++i) {
        mpfr_clear(m[i]);
    }
    mpfr_clears(shift, minor, term, (mpfr_ptr)NULL);
    return (first < 0) + (first * second < 0) + (second * third < 0);
}

static void values_agree_with_the_counts_of_sylvesters_law(void **state)
{
    (void)state;
    struct inputs in = {5};
    for (int i = 0; i < CASES / 5; ++i) {
        struct scree_mat3 a = scree_mat3_symmetric(inputs_matrix(&in));
        struct scree_eigen e = scree_eigen_symmetric(a);
        const double values[] = {e.values.x, e.values.y, e.values.z};
        for (int k = 0; k < 3; ++k) {
            double margin = ERROR * inputs_size(a);
            assert_true(values_below(a, values[k] - margin, 1.0) <= k);
            assert_true(values_below(a, values[k] + margin, 1.0) >= k + 1);
        }
    }
}

// positive definite D B D with D = 2^-i and B well conditioned: Jacobi finds even the smallest eigenvalue to
// a few eps of itself times the condition of B (Demmel and Veselic, SIAM J. Matrix Anal. Appl. 13, 1204,
// 1992), here below 4
static void badly_scaled_values_are_accurate_relative_to_their_size(void **state)
{
    (void)state;
    struct inputs in = {6};
    for (int i = 0; i < CASES / 5; ++i) {
        double x = ldexp(1.0, -(int)(inputs_bits(&in) % 200));
        double y = ldexp(1.0, -(int)(inputs_bits(&in) % 200));
        double z = ldexp(1.0, -(int)(inputs_bits(&in) % 200));
        double xy = inputs_uniform(&in, -0.25, 0.25) * x * y;
        double xz = inputs_uniform(&in, -0.25, 0.25) * x * z;
        double yz = inputs_uniform(&in, -0.25, 0.25) * y * z;
        struct scree_mat3 a = {x * x, xy, xz, xy, y * y, yz, xz, yz, z * z};
        struct scree_eigen e = scree_eigen_symmetric(a);
        const double values[] = {e.values.x, e.values.y, e.values.z};
        for (int k = 0; k < 3; ++k) {
            assert_true(values[k] > 0.0);
            assert_true(values_below(a, values[k], 1.0 - 4.0 * ERROR) <= k);
            assert_true(values_below(a, values[k], 1.0 + 4.0 * ERROR) >= k + 1);
        }
    }
}

static void values_of_a_diagonal_matrix_are_its_sorted_elements(void **state)
{
    (void)state;
    struct scree_eigen e = scree_eigen_symmetric(scree_mat3_diagonal(scree_vec3_make(3.0, -1.0, 1e-300)));
    assert_true(e.values.x == -1.0 && e.values.y == 1e-300 && e.values.z == 3.0);
    assert_true(fabs(e.vectors.yx) == 1.0 && fabs(e.vectors.zy) == 1.0 && fabs(e.vectors.xz) == 1.0);
    assert_true(scree_mat3_determinant(e.vectors) == 1.0);
}

static void the_zero_matrix_and_the_identity_keep_the_axes(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        struct scree_eigen e = scree_eigen_symmetric(scree_mat3_scale(scree_mat3_identity(), i));
        assert_true(e.values.x == i && e.values.y == i && e.values.z == i);
        assert_true(distance(e.vectors, scree_mat3_identity()) == 0.0);
    }
}

static void only_the_upper_triangle_is_read(void **state)
{
    (void)state;
    struct scree_mat3 a = {2.0, 1.0, 0.5, 1.0, 3.0, -1.0, 0.5, -1.0, 4.0};
    struct scree_mat3 upper = {2.0, 1.0, 0.5, 7.0, 3.0, -1.0, 8.0, 9.0, 4.0};
    struct scree_eigen from_all = scree_eigen_symmetric(a);
    struct scree_eigen from_upper = scree_eigen_symmetric(upper);
    assert_memory_equal(&from_all, &from_upper, sizeof from_all);
}

static void a_nan_terminates_and_propagates(void **state)
{
    (void)state;
    for (int i = 0; i < 6; ++i) {
        double m[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
        m[i] = (double)NAN;
        struct scree_mat3 a = {m[0], m[1], m[2], m[1], m[3], m[4], m[2], m[4], m[5]};
        struct scree_vec3 values = scree_eigen_symmetric(a).values;
        double sum = values.x + values.y + values.z;
        assert_true(sum != sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_and_values_solve_the_equation),
        cmocka_unit_test(values_of_a_rotated_diagonal_matrix_are_its_elements),
        cmocka_unit_test(equal_and_close_values_are_accurate),
        cmocka_unit_test(a_power_of_two_scales_the_values_exactly),
        cmocka_unit_test(values_agree_with_the_counts_of_sylvesters_law),
        cmocka_unit_test(badly_scaled_values_are_accurate_relative_to_their_size),
        cmocka_unit_test(values_of_a_diagonal_matrix_are_its_sorted_elements),
        cmocka_unit_test(the_zero_matrix_and_the_identity_keep_the_axes),
        cmocka_unit_test(only_the_upper_triangle_is_read),
        cmocka_unit_test(a_nan_terminates_and_propagates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
