// Free rotation in flights against integrations of the equations of motion in tests/data, whose energies
// drift by up to 5e-13, and against what all free rotations keep.

#include "event/rotation.h"
#include "support/table.h"
#include "support/worlds.h"

static struct scree_quat quat_of(const struct scree_table *table, size_t row)
{
    return scree_quat_make(scree_table_number(table, row, "q0"), scree_table_number(table, row, "q1"),
                           scree_table_number(table, row, "q2"), scree_table_number(table, row, "q3"));
}

static struct scree_vec3 vector_of(const struct scree_table *table, size_t row, const char *x, const char *y,
                                   const char *z)
{
    return scree_vec3_make(scree_table_number(table, row, x), scree_table_number(table, row, y),
                           scree_table_number(table, row, z));
}

// The sine of half of the angle between two orientations.
static double apart(struct scree_quat a, struct scree_quat b)
{
    return scree_vec3_norm(scree_quat_vector(scree_quat_product(a, scree_quat_conjugate(b))));
}

// Largest difference over all rows, in an order in which a series must also go back.
static double error_of(const char *name, const double *inertia, enum scree_event_rotation_kind kind)
{
    struct scree_table *table = scree_table_read(name);
    struct scree_event_series series;
    struct scree_event_rotation rotation = scree_event_rotation_make(inertia);
    assert_int_equal(rotation.kind, kind);
    rotation.series = &series;
    scree_event_rotation_begin(&rotation, 0, quat_of(table, 0), scree_vec3_zero(),
                               vector_of(table, 0, "Lx", "Ly", "Lz"));
    double largest = 0;
    for (size_t n = 0; n < table->rows; ++n) {
        const size_t row = n * 7 % table->rows;
        const struct scree_event_turned turned =
            scree_event_rotation_at(&rotation, scree_table_number(table, row, "t"));
        const double angle = apart(turned.orientation, quat_of(table, row));
        const double spin =
            scree_vec3_norm(scree_vec3_sub(turned.spin, vector_of(table, row, "wx", "wy", "wz"))) /
            rotation.fastest;
        largest = fmax(largest, fmax(angle, spin));
        if (n % 20 == 0)
            scree_event_rotation_keep(&rotation, scree_table_number(table, row, "t"));
    }
    scree_table_free(table);
    return largest;
}

// Near the unstable axis differences grow by up to the inverse of the tilt, 1e3.
static void rotations_are_those_of_references(void **state)
{
    (void)state;
    const double uneven[3] = {1, 2, 3}, symmetric[3] = {1, 1, 0.5};
    assert_true(error_of("top_free_asym_generic.csv", uneven, SCREE_EVENT_ASYMMETRIC) < 1e-11);
    assert_true(error_of("top_free_asym_max.csv", uneven, SCREE_EVENT_ASYMMETRIC) < 1e-11);
    assert_true(error_of("top_free_asym_min.csv", uneven, SCREE_EVENT_ASYMMETRIC) < 1e-11);
    assert_true(error_of("top_free_asym_unstable.csv", uneven, SCREE_EVENT_ASYMMETRIC) < 1e-9);
    assert_true(error_of("top_free_symmetric_J1eqJ2.csv", symmetric, SCREE_EVENT_SYMMETRIC) < 1e-11);
}

// The spin in the body comes back after a period, 4 K(k) / p with p^2 = (I3 - I2) (L^2 - 2 E I1) / (I1 I2
// I3) and k^2 = (I2 - I1) (2 E I3 - L^2) / ((I3 - I2) (L^2 - 2 E I1)) for L^2 > 2 E I2, where K follows
// from a mean of arithmetic and geometric means. After 100 periods, at a speed of 1.4 rad/s, the error is
// that of 8000 steps, each with some roundings of 1e-16.
static void asymmetric_bodies_have_their_period(void **state)
{
    (void)state;
    const double inertia[3] = {1, 2, 3};
    const struct scree_vec3 spin = {0.7, 1.1, -0.9};
    struct scree_event_series series;
    struct scree_event_rotation rotation = scree_event_rotation_make(inertia);
    rotation.series = &series;
    const struct scree_vec3 momentum = {0.7, 2.2, -2.7};
    scree_event_rotation_begin(&rotation, 0, scree_quat_make(1, 0, 0, 0), scree_vec3_zero(), momentum);
    const double energy = scree_vec3_dot(spin, momentum), square = scree_vec3_norm_squared(momentum);
    assert_true(square > 2 * energy);
    double a = 1, b = sqrt(1 - (3 * energy - square) / (square - energy));
    while (fabs(a - b) > 1e-16) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    const double period = 4 * (SCREE_HALF_PI / a) / sqrt((square - energy) / 6);
    for (int n = 1; n <= 100; n += 33) {
        const struct scree_event_turned turned = scree_event_rotation_at(&rotation, n * period);
        const struct scree_vec3 inside = scree_quat_rotate_inverse(turned.orientation, turned.spin);
        assert_true(scree_vec3_norm(scree_vec3_sub(inside, spin)) < 1e-14 * n * period);
        const struct scree_vec3 kept =
            scree_quat_rotate(turned.orientation, scree_vec3_multiply(inside, scree_vec3_load(inertia)));
        assert_true(scree_vec3_norm(scree_vec3_sub(kept, momentum)) < 1e-14);
    }
}

// Of a point at rest in the body.
static struct scree_vec3 acceleration_of(const struct scree_event_turned *turned, struct scree_vec3 arm)
{
    return scree_vec3_add(scree_vec3_cross(turned->change, arm),
                          scree_vec3_cross(turned->spin, scree_vec3_cross(turned->spin, arm)));
}

// For random bodies: the bounds of spin, acceleration and its change hold at random times, rate of change of
// the orientation and spin fit each other, and the bits do not depend on what was asked before.
static void bounds_hold_and_questions_change_nothing(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int body = 0; body < 300; ++body) {
        double mass[3], inertia[3];
        for (int k = 0; k < 3; ++k)
            mass[k] = exp(2 * splitmix_signed(&seed));
        for (int k = 0; k < 3; ++k)
            inertia[k] = mass[(k + 1) % 3] + mass[(k + 2) % 3];
        if (body % 3 == 0)
            inertia[body % 2] = inertia[2];
        struct scree_event_series series[2];
        struct scree_event_rotation rotation = scree_event_rotation_make(inertia), other;
        struct scree_vec3 momentum = {splitmix_signed(&seed), splitmix_signed(&seed), splitmix_signed(&seed)};
        const struct scree_quat start = scree_quat_normalise(scree_quat_make(
            splitmix_signed(&seed), splitmix_signed(&seed), splitmix_signed(&seed), splitmix_signed(&seed)));
        rotation.series = &series[0];
        scree_event_rotation_begin(&rotation, 3, start, scree_vec3_zero(), momentum);
        other = rotation;
        series[1] = series[0];
        other.series = &series[1];
        // at the start nothing is rounded
        const struct scree_event_turned first = scree_event_rotation_at(&rotation, 3);
        assert_memory_equal(&start, &first.orientation, sizeof start);
        for (int n = 0; n < 50; ++n) {
            const double time = 3 + (1 + 20 * fabs(splitmix_signed(&seed))) / rotation.fastest;
            const struct scree_event_turned now = scree_event_rotation_at(&rotation, time);
            if (n % 7 == 3)
                scree_event_rotation_keep(&rotation, time);
            if (n == 49) {
                const struct scree_event_turned same = scree_event_rotation_at(&other, time);
                assert_memory_equal(&now, &same, sizeof now);
            }
            assert_true(scree_vec3_norm(now.spin) <= rotation.fastest);
            const double h = 1e-4 / rotation.fastest;
            const struct scree_event_turned later = scree_event_rotation_at(&rotation, time + h),
                                            before = scree_event_rotation_at(&rotation, time - h);
            const struct scree_vec3 arm = scree_vec3_make(0.6, -0.8, 0);
            const struct scree_vec3 a = scree_quat_rotate(before.orientation, arm),
                                    b = scree_quat_rotate(now.orientation, arm),
                                    c = scree_quat_rotate(later.orientation, arm);
            // differences of second order in 1e-4, with rounding errors of 1e-16 / 1e-4 and 1e-16 / 1e-8
            const struct scree_vec3 velocity = scree_vec3_scale(scree_vec3_sub(c, a), 0.5 / h);
            const struct scree_vec3 expected = scree_vec3_cross(now.spin, b);
            assert_true(scree_vec3_norm(scree_vec3_sub(velocity, expected)) < 1e-7 * rotation.fastest);
            const struct scree_vec3 second =
                scree_vec3_scale(scree_vec3_add_scaled(scree_vec3_add(a, c), -2, b), 1 / (h * h));
            assert_true(scree_vec3_norm(second) <= rotation.bend * (1 + 1e-6));
            // the change of the spin, and that of the acceleration from it
            const struct scree_vec3 faster =
                scree_vec3_scale(scree_vec3_sub(later.spin, before.spin), 0.5 / h);
            assert_true(scree_vec3_norm(scree_vec3_sub(faster, now.change)) < 1e-7 * rotation.bend);
            const struct scree_vec3 third = scree_vec3_scale(
                scree_vec3_sub(acceleration_of(&later, c), acceleration_of(&before, a)), 0.5 / h);
            assert_true(scree_vec3_norm(third) <= rotation.jerk * (1 + 1e-6));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_are_those_of_references),
        cmocka_unit_test(asymmetric_bodies_have_their_period),
        cmocka_unit_test(bounds_hold_and_questions_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
