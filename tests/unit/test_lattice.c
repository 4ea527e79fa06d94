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
    (void)scree_lattice_reduce(vectors, dimension, 0, change);
    scree_lattice_inverse_change((const int64_t(*)[3])change, inverse);
    assert_unimodular((const int64_t(*)[3])change, (const int64_t(*)[3])inverse);
    const struct scree_mat3 reduced = scree_lattice_change(vectors, (const int64_t(*)[3])change);
    assert_false(scree_lattice_reduce(reduced, dimension, 0, again));
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
    assert_false(scree_lattice_reduce((struct scree_mat3){1, 0.565, 0, 0, 1, 0, 0, 0, 1}, 3, 0, change));
    assert_true(scree_lattice_reduce((struct scree_mat3){1, 0.567, 0, 0, 1, 0, 0, 0, 1}, 3, 0, change));
    assert_int_equal(change[0][1], -1);
}

// Vectors of open axes become shorter, but are never added to others; the inverse gives the numbers of
// periods of a displacement, whatever its part along open axes.
static void vectors_of_open_axes_only_complete_the_cell(void **state)
{
    (void)state;
    static const unsigned open_axes[] = {4, 2, 6, 3};
    struct inputs in = {0};
    for (int c = 0; c < CASES; ++c) {
        const unsigned open = open_axes[c % 4];
        double m[9], at[3];
        int64_t change[3][3];
        scree_lattice_store(inputs_matrix(&in), m);
        for (int k = 0; k < 9; ++k) {
            const bool from_open = open >> k % 3 & 1, to_open = open >> k / 3 & 1;
            // periodic vectors are perpendicular to open axes; those of open axes are strongly tilted
            m[k] = k / 3 == k % 3          ? 2 + m[k]
                   : to_open && !from_open ? 0
                   : from_open && !to_open ? 20 * m[k]
                                           : 0.5 * m[k];
        }
        const struct scree_mat3 vectors = scree_lattice_load(m);
        if (!(scree_mat3_determinant(vectors) > 0.05))
            continue;
        (void)scree_lattice_reduce(vectors, 3, open, change);
        const struct scree_mat3 reduced = scree_lattice_change(vectors, (const int64_t(*)[3])change),
                                inverse = scree_lattice_inverse(reduced, open);
        scree_lattice_store(reduced, m);
        for (int k = 0; k < 9; ++k) {
            const bool from_open = open >> k % 3 & 1, to_open = open >> k / 3 & 1;
            assert_true(!to_open || change[k / 3][k % 3] == (k / 3 == k % 3));
            assert_true(!(to_open && !from_open) || m[k] == 0);
        }
        // numbers of periods, and any displacement along open axes
        const double n[3] = {open & 1 ? 0 : 3, open & 2 ? 0 : -2, open & 4 ? 0 : 5};
        struct scree_vec3 x = scree_mat3_apply(reduced, scree_vec3_load(n));
        scree_vec3_store(x, at);
        for (int k = 0; k < 3; ++k)
            at[k] += open >> k & 1 ? inputs_uniform(&in, -10, 10) : 0;
        scree_vec3_store(scree_mat3_apply(inverse, scree_vec3_load(at)), at);
        for (int k = 0; k < 3; ++k)
            ASSERT_SMALL(at[k] - n[k], 1e-12);
        const double volume = scree_mat3_determinant(scree_lattice_upright(reduced, open));
        ASSERT_SMALL(volume / scree_mat3_determinant(vectors) - 1, 1e-12);
    }
}

// A square lattice turned by atan(2) / 2 against the axes of planar extension: it repeats after the
// logarithmic strain ln((3 + sqrt 5) / 2), and products of the coordinates of its vectors along the axes are
// multiples of 1 / sqrt 5, so that the square of no vector ever falls below 2 / sqrt 5 (Kraynik, Reinelt,
// Int. J. Multiphase Flow 18, 1045, 1992).
static void a_lattice_in_planar_extension_repeats_and_never_becomes_narrow(void **state)
{
    (void)state;
    enum { PERIODS = 8, STEPS = 50 };
    const double angle = 0.5 * atan(2), least = 2 / sqrt(5);
    const struct scree_mat3 start = {cos(angle), -sin(angle), 0, sin(angle), cos(angle), 0, 0, 0, 1},
                            inverse = scree_mat3_inverse(start);
    // Cayley's map has the factor (1 + e/2) / (1 - e/2) along x
    const double e = 2 * tanh(0.5 * log(0.5 * (3 + sqrt(5))) / STEPS);
    const struct scree_mat3 extension = {e, 0, 0, 0, -e, 0, 0, 0, 0};
    struct scree_mat3 vectors = start;
    double shortest = 1, longest = 1;
    int changes = 0;
    for (int step = 1; step <= PERIODS * STEPS; ++step) {
        int64_t change[3][3];
        vectors =
            scree_mat3_add_scaled(vectors, 1, scree_mat3_product(scree_lattice_rate(extension, 1), vectors));
        if (scree_lattice_reduce(vectors, 2, 0, change)) {
            vectors = scree_lattice_change(vectors, (const int64_t(*)[3])change);
            ++changes;
        }
        const struct scree_mat3 columns = scree_mat3_transpose(vectors);
        for (int k = 0; k < 2; ++k) {
            const double square =
                scree_vec3_norm_squared(k == 0 ? scree_mat3_row_x(columns) : scree_mat3_row_y(columns));
            shortest = square < shortest ? square : shortest;
            longest = square > longest ? square : longest;
        }
        // round-off grows by (3 + sqrt 5)^2 / 4 = 6.9 per period, relative to the lattice
        if (step % STEPS == 0) {
            const struct scree_mat3 ratio = scree_mat3_product(inverse, vectors);
            const double tolerance = 1e-14 * pow(6.9, step / STEPS);
            assert_true(fabs(ratio.xx - round(ratio.xx)) < tolerance);
            assert_true(fabs(ratio.xy - round(ratio.xy)) < tolerance);
            assert_true(fabs(ratio.yx - round(ratio.yx)) < tolerance);
            assert_true(fabs(ratio.yy - round(ratio.yy)) < tolerance);
        }
    }
    assert_true(changes >= PERIODS);
    assert_true(shortest >= least * (1 - 1e-7) && shortest < least * 1.001);
    // the area is 1, so a vector has at most the height 1 / shortest over the other one, and 0.57 of it along
    // it
    assert_true(longest < 2);
}

static void distances_change_by_no_more_than_the_stretching(void **state)
{
    (void)state;
    struct inputs in = {0};
    for (int c = 0; c < CASES; ++c) {
        struct scree_mat3 d = inputs_matrix(&in);
        d = scree_mat3_scale(d, 0.1 / scree_lattice_norm(d));
        const struct scree_vec3 x = inputs_vector(&in);
        const double before = scree_vec3_norm(x),
                     after =
                         scree_vec3_norm(scree_vec3_add(x, scree_mat3_apply(scree_lattice_rate(d, 1), x)));
        assert_true(after >= before * (1 - scree_lattice_stretching(d)) - 1e-15);
    }
    // of a simple shear half of its rate, of a rotation none
    assert_true(fabs(scree_lattice_stretching((struct scree_mat3){0, 3, 0, 0, 0, 0, 0, 0, 0}) - 1.5) < 1e-10);
    assert_true(scree_lattice_stretching((struct scree_mat3){0, 3, 1, -3, 0, 2, -1, -2, 0}) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_map_of_a_step_has_order_two),
        cmocka_unit_test(isochoric_shear_keeps_the_volume_and_its_powers_are_exact),
        cmocka_unit_test(the_logarithmic_strain_of_a_rotated_stretch_is_that_of_the_stretch),
        cmocka_unit_test(long_cells_become_compact_cells_of_the_same_lattice),
        cmocka_unit_test(long_cells_in_the_plane_become_compact),
        cmocka_unit_test(vectors_of_open_axes_only_complete_the_cell),
        cmocka_unit_test(a_lattice_in_planar_extension_repeats_and_never_becomes_narrow),
        cmocka_unit_test(distances_change_by_no_more_than_the_stretching),
        cmocka_unit_test(a_cell_that_is_sheared_takes_shorter_vectors_between_half_and_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
