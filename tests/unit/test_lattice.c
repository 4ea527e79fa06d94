// Cell vectors: Cayley's map against the matrix exponential by its series, and reduced lattices against all
// short vectors. Any change of vectors keeps the lattice.
#include "math_inputs.h"
#include "world/lattice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { CASES = 2000 };

static struct scree_mat3 exponential(struct scree_mat3 a)
{
    struct scree_mat3 term = scree_mat3_identity(), sum = term;
    for (int k = 1; k < 40; ++k) {
        term = scree_mat3_scale(scree_mat3_product(term, a), 1.0 / k);
        sum = scree_mat3_add_scaled(sum, 1, term);
    }
    return sum;
}

// The error of the deformation at time 1 after a number of equal steps.
static double error_of(struct scree_mat3 d, int steps)
{
    struct scree_mat3 f = scree_mat3_identity();
    for (int k = 0; k < steps; ++k)
        f = scree_mat3_add_scaled(f, 1.0 / steps, scree_mat3_product(scree_lattice_rate(d, 1.0 / steps), f));
    return inputs_size(scree_mat3_sub(f, exponential(d)));
}

static void the_map_of_a_step_has_order_two(void **state)
{
    (void)state;
    struct inputs in = {0};
    for (int c = 0; c < 20; ++c) {
        const struct scree_mat3 d = inputs_matrix(&in);
        // the error is C h^2 + O(h^4): the next term changes the ratio by less than 0.01 at these steps
        ASSERT_SMALL(error_of(d, 100) / error_of(d, 200) - 4, 0.01);
    }
}

static void isochoric_shear_keeps_the_volume_and_its_powers_are_exact(void **state)
{
    (void)state;
    const struct scree_mat3 d = {0, 0.8, 0, 0, 0, 0, 0, 0, 0};
    struct scree_mat3 f = scree_mat3_identity();
    for (int k = 0; k < 1000; ++k)
        f = scree_mat3_add_scaled(f, 0.01, scree_mat3_product(scree_lattice_rate(d, 0.01), f));
    // the square of the gradient is 0, so the map is 1 + h D; a sum of 1000 terms
    const struct scree_mat3 expected = {1, 8, 0, 0, 1, 0, 0, 0, 1};
    ASSERT_SMALL(inputs_size(scree_mat3_sub(f, expected)), 1000 * 8 * 0x1p-52);
}

static void the_logarithmic_strain_of_a_rotated_stretch_is_that_of_the_stretch(void **state)
{
    (void)state;
    struct inputs in = {0};
    for (int c = 0; c < CASES; ++c) {
        const struct scree_mat3 r = scree_quat_to_matrix(inputs_rotation(&in)),
                                q = scree_quat_to_matrix(inputs_rotation(&in));
        const struct scree_mat3 strain =
            scree_mat3_rotate(r, scree_mat3_diagonal(scree_vec3_make(0.3, -0.2, 0.1)));
        // V = exp(strain), F = V Q
        const struct scree_mat3 f = scree_mat3_product(exponential(strain), q);
        ASSERT_SMALL(inputs_size(scree_mat3_sub(scree_lattice_hencky(f), strain)), 1e-14);
    }
}

static double square_of(struct scree_mat3 vectors, int i, int j, int k)
{
    return scree_vec3_norm_squared(scree_mat3_apply(vectors, scree_vec3_make(i, j, k)));
}

static void assert_unimodular(const int64_t change[3][3], const int64_t inverse[3][3])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            int64_t sum = 0;
            for (int k = 0; k < 3; ++k)
                sum += change[i][k] * inverse[k][j];
            assert_int_equal(sum, i == j);
        }
}

// A reduced cell is compact: in each case the product of its lengths is at most 3 times its volume. (For
// vectors reduced in the sense of Minkowski it is at most sqrt(2); those here are longer by at most
// sqrt(1/0.9) per comparison.) No shortest vector of the lattice is shorter than the shortest of the cell by
// more than the margin.
static void check_reduced(struct scree_mat3 vectors, int dimension)
{
    int64_t change[3][3], inverse[3][3], again[3][3];
    (void)scree_lattice_reduce(vectors, dimension, change);
    scree_lattice_inverse_change((const int64_t(*)[3])change, inverse);
    assert_unimodular((const int64_t(*)[3])change, (const int64_t(*)[3])inverse);
    const struct scree_mat3 reduced = scree_lattice_change(vectors, (const int64_t(*)[3])change);
    assert_false(scree_lattice_reduce(reduced, dimension, again));
    const double a = square_of(reduced, 1, 0, 0), b = square_of(reduced, 0, 1, 0),
                 c = square_of(reduced, 0, 0, 1), volume = scree_mat3_determinant(reduced);
    ASSERT_SMALL(volume / scree_mat3_determinant(vectors) - 1, 1e-9);
    assert_true(a * b * c <= 9 * volume * volume);
    double least = a < b ? a : b;
    least = dimension == 3 && c < least ? c : least;
    const int n = 3, m = dimension == 3 ? n : 0;
    for (int i = -n; i <= n; ++i)
        for (int j = -n; j <= n; ++j)
            for (int k = -m; k <= m; ++k)
                assert_true((i == 0 && j == 0 && k == 0) || square_of(reduced, i, j, k) >= 0.8 * least);
}

static void long_cells_become_compact_cells_of_the_same_lattice(void **state)
{
    (void)state;
    struct inputs in = {0};
    for (int c = 0; c < CASES; ++c) {
        struct scree_mat3 vectors = inputs_matrix(&in);
        if (fabs(scree_mat3_determinant(vectors)) < 0.05)
            continue;
        if (scree_mat3_determinant(vectors) < 0)
            vectors = scree_mat3_scale(vectors, -1);
        // make it long by integers
        const int64_t p = (int64_t)inputs_uniform(&in, -10, 10), q = (int64_t)inputs_uniform(&in, -10, 10);
        const int64_t along[3][3] = {{1, p, q}, {0, 1, p}, {0, 0, 1}};
        check_reduced(scree_lattice_change(vectors, along), 3);
    }
}

static void long_cells_in_the_plane_become_compact(void **state)
{
    (void)state;
    struct inputs in = {0};
    for (int c = 0; c < CASES; ++c) {
        const double shear = inputs_uniform(&in, -100, 100), height = inputs_uniform(&in, 0.3, 1.3);
        check_reduced((struct scree_mat3){1, shear, 0, 0, height, 0, 0, 0, 1}, 2);
    }
}

static void a_cell_that_is_sheared_takes_shorter_vectors_between_half_and_one(void **state)
{
    (void)state;
    int64_t change[3][3];
    // |(s - 1, 1)|^2 <= 0.9 |(s, 1)|^2 from s = 10 - sqrt(89) = 0.566 on
    assert_false(scree_lattice_reduce((struct scree_mat3){1, 0.565, 0, 0, 1, 0, 0, 0, 1}, 3, change));
    assert_true(scree_lattice_reduce((struct scree_mat3){1, 0.567, 0, 0, 1, 0, 0, 0, 1}, 3, change));
    assert_int_equal(change[0][1], -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_map_of_a_step_has_order_two),
        cmocka_unit_test(isochoric_shear_keeps_the_volume_and_its_powers_are_exact),
        cmocka_unit_test(the_logarithmic_strain_of_a_rotated_stretch_is_that_of_the_stretch),
        cmocka_unit_test(long_cells_become_compact_cells_of_the_same_lattice),
        cmocka_unit_test(long_cells_in_the_plane_become_compact),
        cmocka_unit_test(a_cell_that_is_sheared_takes_shorter_vectors_between_half_and_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
