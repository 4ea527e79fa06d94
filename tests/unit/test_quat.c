// Rotations as quaternions (math/quat.h) against algebraic identities, MPFR and Rodrigues' formula.
#include "math_inputs.h"

#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define CASES 100000

// a unit quaternion has a length with an error of at most 5 eps (see the normalisation of vectors), which
// counts twice in its matrix; a matrix entry adds 4 roundings of terms below 2: 12 eps per entry, 36 eps
// over nine entries
#define MATRIX_ERROR (36.0 * EPSILON)

static double vector_distance(struct scree_vec3 a, struct scree_vec3 b)
{
    return scree_vec3_norm(scree_vec3_sub(a, b));
}

static double distance(struct scree_quat p, struct scree_quat q)
{
    return sqrt(scree_quat_norm_squared(scree_quat_add_scaled(p, -1.0, q)));
}

// q and -q are the same rotation
static double rotation_distance(struct scree_quat p, struct scree_quat q)
{
    return scree_real_min(distance(p, q), distance(p, scree_quat_scale(q, -1.0)));
}

static struct scree_vec3 random_direction(struct inputs *in)
{
    for (;;) {
        struct scree_vec3 v = inputs_vector(in);
        if (scree_vec3_norm_squared(v) > 0.01) {
            return scree_vec3_normalise(v);
        }
    }
}

// a rotation vector of any direction, with a length from tiny to `max_length`
static struct scree_vec3 random_rotation_vector(struct inputs *in, double max_length)
{
    double length = inputs_bits(in) & 1U ? inputs_uniform(in, 0.0, max_length)
                                         : fabs(inputs_spread(in, -60, -1)) * max_length;
    return scree_vec3_scale(random_direction(in), length);
}

static void the_quaternion_units_multiply_by_hamiltons_rules(void **state)
{
    (void)state;
    struct scree_quat i = scree_quat_make(0.0, 1.0, 0.0, 0.0);
    struct scree_quat j = scree_quat_make(0.0, 0.0, 1.0, 0.0);
    struct scree_quat k = scree_quat_make(0.0, 0.0, 0.0, 1.0);
    struct scree_quat minus_one = scree_quat_make(-1.0, 0.0, 0.0, 0.0);
    assert_true(distance(scree_quat_product(i, j), k) == 0.0);
    assert_true(distance(scree_quat_product(j, k), i) == 0.0);
    assert_true(distance(scree_quat_product(k, i), j) == 0.0);
    assert_true(distance(scree_quat_product(i, i), minus_one) == 0.0);
    assert_true(distance(scree_quat_product(scree_quat_product(i, j), k), minus_one) == 0.0);
}

static void a_quarter_turn_about_z_takes_body_x_to_world_y(void **state)
{
    (void)state;
    struct scree_quat q = scree_quat_exp(scree_vec3_make(0.0, 0.0, SCREE_HALF_PI));
    struct scree_vec3 x = scree_vec3_make(1.0, 0.0, 0.0);
    struct scree_vec3 y = scree_vec3_make(0.0, 1.0, 0.0);
    ASSERT_SMALL(vector_distance(scree_quat_rotate(q, x), y), 4.0 * EPSILON);
    ASSERT_SMALL(vector_distance(scree_quat_rotate_inverse(q, y), x), 4.0 * EPSILON);
    ASSERT_SMALL(vector_distance(scree_mat3_apply(scree_quat_to_matrix(q), x), y), 4.0 * EPSILON);
}

// tolerance: each of the two matrices has MATRIX_ERROR and their product adds 9 eps; the matrix of the
// product of two unit quaternions has at most twice MATRIX_ERROR
static void the_matrix_of_a_product_is_the_product_of_matrices(void **state)
{
    (void)state;
    struct inputs in = {1};
    for (int i = 0; i < CASES; ++i) {
        struct scree_quat p = inputs_rotation(&in);
        struct scree_quat q = inputs_rotation(&in);
        struct scree_mat3 of_product = scree_quat_to_matrix(scree_quat_product(p, q));
        struct scree_mat3 product = scree_mat3_product(scree_quat_to_matrix(p), scree_quat_to_matrix(q));
        ASSERT_SMALL(inputs_size(scree_mat3_sub(of_product, product)), 4.0 * MATRIX_ERROR);
    }
}

static void rotating_a_vector_is_applying_the_matrix(void **state)
{
    (void)state;
    struct inputs in = {2};
    for (int i = 0; i < CASES; ++i) {
        struct scree_quat q = inputs_rotation(&in);
        struct scree_vec3 v = scree_vec3_scale(inputs_vector(&in), inputs_spread(&in, -100, 100));
        struct scree_vec3 rotated = scree_quat_rotate(q, v);
        struct scree_mat3 matrix = scree_quat_to_matrix(q);
        double tolerance = 2.0 * MATRIX_ERROR * scree_vec3_norm(v);
        ASSERT_SMALL(vector_distance(rotated, scree_mat3_apply(matrix, v)), tolerance);
        ASSERT_SMALL(vector_distance(scree_quat_rotate_inverse(q, v), scree_mat3_apply_transposed(matrix, v)),
                     tolerance);
        ASSERT_SMALL(vector_distance(scree_quat_rotate_inverse(q, rotated), v), tolerance);
        ASSERT_SMALL(scree_vec3_norm(rotated) - scree_vec3_norm(v), tolerance);
    }
}

// covers every branch: near the identity and near half turns about each axis, where w, x, y or z is the
// largest component
static void a_quaternion_is_recovered_from_its_matrix(void **state)
{
    (void)state;
    struct inputs in = {3};
    for (int i = 0; i < CASES; ++i) {
        struct scree_quat q = inputs_rotation(&in);
        if (i % 2) {
            double added[4] = {0.0, 0.0, 0.0, 0.0};
            added[i / 2 % 4] = fabs(inputs_spread(&in, 0, 60));
            q = scree_quat_make(q.w + added[0], q.x + added[1], q.y + added[2], q.z + added[3]);
            q = scree_quat_normalise(q);
        }
        struct scree_quat recovered = scree_quat_from_matrix(scree_quat_to_matrix(q));

        // the result is divided by the largest component, whose square is at least 1/4: the error of the
        // matrix at most doubles
        ASSERT_SMALL(rotation_distance(recovered, q), 2.0 * MATRIX_ERROR);
        ASSERT_SMALL(scree_quat_norm_squared(recovered) - 1.0, 16.0 * EPSILON);
    }
}

static void half_turns_are_recovered_from_their_matrices(void **state)
{
    (void)state;
    const struct scree_quat half_turns[] = {
        {1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    for (size_t i = 0; i < sizeof half_turns / sizeof half_turns[0]; ++i) {
        struct scree_quat recovered = scree_quat_from_matrix(scree_quat_to_matrix(half_turns[i]));
        assert_true(rotation_distance(recovered, half_turns[i]) == 0.0);
    }
}

// Errors of exp(t) = cos(|t|/2) + sin(|t|/2) t/|t| against 200 bits, of its scalar and its vector part.
static void exp_errors(struct scree_vec3 t, struct scree_quat result, double *scalar, double *vector)
{
    const double components[] = {t.x, t.y, t.z};
    const double result_components[] = {result.x, result.y, result.z};
    mpfr_t angle;
    mpfr_t sine;
    mpfr_t cosine;
    mpfr_t term;
    mpfr_inits2(200, angle, sine, cosine, term, (mpfr_ptr)NULL);
    mpfr_set_zero(angle, 1);
    for (int i = 0; i < 3; ++i) {
        mpfr_set_d(term, components[i], MPFR_RNDN);
        mpfr_sqr(term, term, MPFR_RNDN);
        mpfr_add(angle, angle, term, MPFR_RNDN);
    }
    mpfr_sqrt(angle, angle, MPFR_RNDN);
    mpfr_div_ui(term, angle, 2, MPFR_RNDN);
    mpfr_sin_cos(sine, cosine, term, MPFR_RNDN);
    mpfr_div(sine, sine, angle, MPFR_RNDN);
    mpfr_sub_d(cosine, cosine, result.w, MPFR_RNDN);
    *scalar = fabs(mpfr_get_d(cosine, MPFR_RNDN));
    struct scree_vec3 errors[1];
    double *error = &errors[0].x;
    for (int i = 0; i < 3; ++i) {
        mpfr_mul_d(term, sine, components[i], MPFR_RNDN);
        mpfr_sub_d(term, term, result_components[i], MPFR_RNDN);
        error[i] = mpfr_get_d(term, MPFR_RNDN);
    }
    *vector = scree_vec3_norm(errors[0]);
    mpfr_clears(angle, sine, cosine, term, (mpfr_ptr)NULL);
}

// the half angle has an error of 2.5 eps (sum of squares and root), which changes cosine and sine by that
// times |t|/2; both functions have errors of 2 eps. Below pi/2 no root is needed, and the error of the
// vector part is relative to its length
static void exp_agrees_with_mpfr(void **state)
{
    (void)state;
    struct inputs in = {4};
    for (int i = 0; i < CASES; ++i) {
        const double max_length[] = {SCREE_HALF_PI, SCREE_PI, 100.0, SCREE_HALF_PI * (1.0 + 0x1p-50)};
        struct scree_vec3 t = random_rotation_vector(&in, max_length[i % 4]);
        double length = scree_vec3_norm(t);
        double scalar;
        double vector;
        exp_errors(t, scree_quat_exp(t), &scalar, &vector);
        ASSERT_SMALL(scalar, (2.0 + 1.5 * length) * EPSILON);
        ASSERT_SMALL(vector, (length < 1.57 ? 2.0 * length : 4.0 + 1.5 * length) * EPSILON);
    }
}

static void the_vector_part_of_exp_of_a_tiny_vector_is_half_of_it(void **state)
{
    (void)state;
    struct scree_quat identity = scree_quat_exp(scree_vec3_zero());
    assert_true(distance(identity, scree_quat_make(1.0, 0.0, 0.0, 0.0)) == 0.0);
    struct scree_quat tiny = scree_quat_exp(scree_vec3_make(1e-300, -0x1p-1073, 0.0));
    assert_true(tiny.w == 1.0 && tiny.x == 0.5e-300 && tiny.y == -0x1p-1074 && tiny.z == 0.0);
}

static void exp_has_unit_length(void **state)
{
    (void)state;
    struct inputs in = {5};
    for (int i = 0; i < CASES; ++i) {
        // both parts have errors of about 2 eps of the whole
        double square =
            scree_quat_norm_squared(scree_quat_exp(random_rotation_vector(&in, i % 2 ? 1e6 : SCREE_PI)));
        ASSERT_SMALL(square - 1.0, 8.0 * EPSILON);
    }
}

// v cos a + n x v sin a + n (n.v) (1 - cos a) in long double
static void exp_rotates_vectors_by_rodrigues_formula(void **state)
{
    (void)state;
    struct inputs in = {8};
    for (int i = 0; i < CASES; ++i) {
        struct scree_vec3 n = random_direction(&in);
        struct scree_vec3 v = inputs_vector(&in);
        double angle = inputs_uniform(&in, -4.0, 4.0);
        long double cosine = cosl((long double)angle);
        long double sine = sinl((long double)angle);
        long double along = inputs_wide_dot(n, v) * (1.0L - cosine);
        struct scree_vec3 nv = scree_vec3_cross(n, v);
        struct scree_vec3 expected = scree_vec3_make(
            (double)((long double)v.x * cosine + (long double)nv.x * sine + (long double)n.x * along),
            (double)((long double)v.y * cosine + (long double)nv.y * sine + (long double)n.y * along),
            (double)((long double)v.z * cosine + (long double)nv.z * sine + (long double)n.z * along));
        struct scree_vec3 result = scree_quat_rotate(scree_quat_exp(scree_vec3_scale(n, angle)), v);

        // the error of the length of n is 5 eps, times the angle; that of the length of q is 4 eps, doubled
        // by the rotation
        ASSERT_SMALL(vector_distance(result, expected), 64.0 * EPSILON);
    }
}

static void a_body_rotation_on_the_right_equals_its_world_rotation_on_the_left(void **state)
{
    (void)state;
    struct inputs in = {9};
    for (int i = 0; i < CASES; ++i) {
        struct scree_quat q = inputs_rotation(&in);
        struct scree_vec3 body = random_rotation_vector(&in, SCREE_PI);
        struct scree_quat right = scree_quat_product(q, scree_quat_exp(body));
        struct scree_quat left = scree_quat_product(scree_quat_exp(scree_quat_rotate(q, body)), q);
        ASSERT_SMALL(distance(left, right), 2.0 * MATRIX_ERROR);
    }
}

// q(t) = exp(t w) has the derivative (0, w) / 2 at t = 0, so a rotated vector v has w x v
static void exp_rotates_at_the_rate_of_the_angular_velocity(void **state)
{
    (void)state;
    struct inputs in = {10};
    for (int i = 0; i < CASES; ++i) {
        struct scree_vec3 w = inputs_vector(&in);
        struct scree_vec3 v = inputs_vector(&in);
        double h = 0x1p-20;
        struct scree_vec3 after = scree_quat_rotate(scree_quat_exp(scree_vec3_scale(w, h)), v);
        struct scree_vec3 before = scree_quat_rotate(scree_quat_exp(scree_vec3_scale(w, -h)), v);
        struct scree_vec3 rate = scree_vec3_scale(scree_vec3_sub(after, before), 0.5 / h);

        // central differences: h^2 |w|^3 |v| / 6 from the third derivative, with |w|, |v| < 1.8, and 16 eps /
        // h from round-off
        ASSERT_SMALL(vector_distance(rate, scree_vec3_cross(w, v)), 2.0 * h * h + 16.0 * EPSILON / h);
    }
}

static void arrays_hold_the_components_w_x_y_z(void **state)
{
    (void)state;
    const double record[] = {1.0, 2.0, 3.0, 4.0};
    double copy[4] = {0.0};
    struct scree_quat q = scree_quat_load(record);
    assert_true(q.w == 1.0 && q.x == 2.0 && q.y == 3.0 && q.z == 4.0);
    scree_quat_store(q, copy);
    assert_memory_equal(copy, record, sizeof copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_quaternion_units_multiply_by_hamiltons_rules),
        cmocka_unit_test(a_quarter_turn_about_z_takes_body_x_to_world_y),
        cmocka_unit_test(the_matrix_of_a_product_is_the_product_of_matrices),
        cmocka_unit_test(rotating_a_vector_is_applying_the_matrix),
        cmocka_unit_test(a_quaternion_is_recovered_from_its_matrix),
        cmocka_unit_test(half_turns_are_recovered_from_their_matrices),
        cmocka_unit_test(exp_agrees_with_mpfr),
        cmocka_unit_test(the_vector_part_of_exp_of_a_tiny_vector_is_half_of_it),
        cmocka_unit_test(exp_has_unit_length),
        cmocka_unit_test(exp_rotates_vectors_by_rodrigues_formula),
        cmocka_unit_test(a_body_rotation_on_the_right_equals_its_world_rotation_on_the_left),
        cmocka_unit_test(exp_rotates_at_the_rate_of_the_angular_velocity),
        cmocka_unit_test(arrays_hold_the_components_w_x_y_z),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
