// Volumes of balls cut by boxes, balls and cylinders, compared with closed forms, sums over parts, and
// numerical integration over slices.

#include "measure/cut.h"
#include "support/worlds.h"

static const double pi = 3.14159265358979323846;

static double cap(double height)
{
    return pi * height * height * (3 - height) / 3;
}

static double draw(uint64_t *seed, double low, double high)
{
    return low + (high - low) * 0.5 * (1 + splitmix_signed(seed));
}

// One plane leaves a cap, three planes through the centre an eighth; for radius 2 the volume is eight times
// as large.
static void a_face_of_a_box_leaves_a_cap_and_a_corner_an_eighth(void **state)
{
    (void)state;
    static const double middle[3] = {0.5, -1, 2};
    for (int k = 0; k < 3; ++k)
        for (int side = 0; side < 2; ++side)
            for (double at = -0.9; at < 1; at += 0.3) {
                double lower[3] = {-9, -9, -9}, upper[3] = {9, 9, 9};
                (side ? upper : lower)[k] = middle[k] + 2 * at;
                const double part = scree_cut_box(3, middle, 2, lower, upper);
                assert_true(fabs(part - 8 * cap(side ? 1 + at : 1 - at)) < 1e-13);
            }
    static const double far[3] = {9, 9, 9};
    assert_true(fabs(scree_cut_box(3, middle, 2, middle, far) - 8 * 4 * pi / 3 / 8) < 1e-13);
    assert_true(fabs(scree_cut_box(2, middle, 2, middle, far) - pi) < 1e-14);
    assert_true(scree_cut_box(3, middle, 2, far, far) == 0);
    // a box around the ball leaves all of it, and a box in the ball leaves the box
    static const double low[3] = {-9, -9, -9};
    assert_true(scree_cut_box(3, middle, 2, low, far) == scree_cut_ball_volume(3, 2));
    static const double inner_lower[3] = {0.2, -1.4, 1.9}, inner_upper[3] = {0.9, -0.7, 2.4};
    assert_true(fabs(scree_cut_box(3, middle, 2, inner_lower, inner_upper) - 0.7 * 0.7 * 0.5) < 1e-13);
}

// The volumes in 27 adjacent boxes add up to the ball; each is a sum of 8 rounded terms.
static void adjacent_boxes_contain_the_whole_ball(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 3000; ++trial) {
        static const double centre[3];
        double cut[3][4];
        for (int k = 0; k < 3; ++k) {
            const double a = draw(&seed, -1.1, 1.1);
            const double b = trial % 5 == 0 ? a + 1e-9 : draw(&seed, -1.1, 1.1);
            const double bounds[4] = {-2, a < b ? a : b, a < b ? b : a, 2};
            memcpy(cut[k], bounds, sizeof bounds);
        }
        for (int dimension = 2; dimension <= 3; ++dimension) {
            double sum = 0;
            for (int c = 0; c < (dimension == 2 ? 9 : 27); ++c) {
                const int at[3] = {c % 3, c / 3 % 3, c / 9};
                double lower[3], upper[3];
                for (int k = 0; k < 3; ++k) {
                    lower[k] = cut[k][at[k]];
                    upper[k] = cut[k][at[k] + 1];
                }
                const double part = scree_cut_box(dimension, centre, 1, lower, upper);
                assert_true(part >= 0);
                sum += part;
            }
            assert_true(fabs(sum - scree_cut_ball_volume(dimension, 1)) < 27 * 8 * 4.4e-16);
        }
    }
}

// The area of the disk x^2 + y^2 < r^2 in a rectangle by the midpoint rule over strips of y.
static double area_by_strips(double r, const double lower[3], const double upper[3])
{
    enum { STRIPS = 400 };
    double sum = 0;
    const double low = fmax(lower[1], -r), high = fmin(upper[1], r);
    for (int k = 0; k < STRIPS && high > low; ++k) {
        const double y = low + (high - low) * (k + 0.5) / STRIPS, half = sqrt(r * r - y * y);
        const double width = fmin(upper[0], half) - fmax(lower[0], -half);
        sum += (width > 0 ? width : 0) * (high - low) / STRIPS;
    }
    return sum;
}

// Kinks and ends of the strips leave errors of order 3/2 in their width.
static void the_part_in_a_box_is_the_sum_over_slices(void **state)
{
    (void)state;
    enum { SLICES = 400 };
    uint64_t seed = 4;
    for (int trial = 0; trial < 60; ++trial) {
        static const double centre[3];
        double lower[3], upper[3], sum = 0;
        for (int k = 0; k < 3; ++k) {
            lower[k] = draw(&seed, -1.2, 1);
            upper[k] = lower[k] + draw(&seed, 0.1, 1.5);
        }
        assert_true(fabs(scree_cut_box(2, centre, 1, lower, upper) - area_by_strips(1, lower, upper)) < 1e-3);
        const double low = fmax(lower[2], -1), high = fmin(upper[2], 1);
        for (int k = 0; k < SLICES && high > low; ++k) {
            const double z = low + (high - low) * (k + 0.5) / SLICES;
            sum += area_by_strips(sqrt(1 - z * z), lower, upper) * (high - low) / SLICES;
        }
        assert_true(fabs(scree_cut_box(3, centre, 1, lower, upper) - sum) < 1e-3);
    }
}

// The lens of two balls consists of two caps, that of two disks of two segments.
static void the_part_in_another_ball_is_a_lens(void **state)
{
    (void)state;
    for (double other = 0.3; other < 2; other += 0.4)
        for (double distance = 0.05; distance < 3.2; distance += 0.1) {
            double ball = 0, disk = 0;
            const double plane = (distance * distance + 1 - other * other) / (2 * distance);
            if (distance <= fabs(1 - other)) {
                ball = 4 * pi / 3 * fmin(1, other * other * other);
                disk = pi * fmin(1, other * other);
            } else if (distance < 1 + other) {
                const double angle = acos(plane), other_angle = acos((distance - plane) / other);
                ball = cap(1 - plane) + other * other * other * cap(1 - (distance - plane) / other);
                disk = angle - sin(2 * angle) / 2 + other * other * (other_angle - sin(2 * other_angle) / 2);
            }
            assert_true(fabs(scree_cut_ball(3, 1, other, distance) - ball) < 1e-13);
            assert_true(fabs(scree_cut_ball(2, 1, other, distance) - disk) < 1e-13);
        }
}

// A cylinder through the centre takes from the ball all but a ring, whose volume depends on its height
// only. A wide cylinder cuts like a plane: its surface deviates from a plane by at most 1/(2 radius). The
// sum of two parts of a cylinder does not depend on where it is divided.
static void the_part_in_a_cylinder_agrees_with_closed_forms_and_is_additive(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (double other = 0.1; other < 1; other += 0.1) {
        const double ring = 4 * pi / 3 * pow(1 - other * other, 1.5);
        assert_true(fabs(scree_cut_cylinder(1, other, 4, 2, 0) - (4 * pi / 3 - ring)) < 1e-8);
    }
    for (double at = -0.8; at < 1; at += 0.2) {
        assert_true(fabs(scree_cut_cylinder(1, 1e6, 4, 2, 1e6 + at) - cap(1 - at)) < pi / 2e6 + 1e-8);
        assert_true(fabs(scree_cut_cylinder(1, 5, 9, at, 1) - cap(1 + at)) < 1e-8);
    }
    for (int trial = 0; trial < 2000; ++trial) {
        const double other = draw(&seed, 0.05, 3), at = draw(&seed, -1, 1);
        const double distance = trial % 5 ? draw(&seed, 0, other + 1) : fabs(other - 1) + 1e-7;
        const double whole = scree_cut_cylinder(1, other, 5, 2.5, distance);
        const double lower = scree_cut_cylinder(1, other, 2.5 + at, 2.5, distance);
        const double upper = scree_cut_cylinder(1, other, 2.5 - at, -at, distance);
        assert_true(fabs(whole - lower - upper) < 1e-8 * 4 * pi / 3);
    }
    assert_true(scree_cut_cylinder(1, 2, 4, 2, 0.5) == scree_cut_ball_volume(3, 1));
    assert_true(scree_cut_cylinder(1, 2, 4, -1, 0.5) == 0 && scree_cut_cylinder(1, 2, 4, 2, 3) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_of_a_box_leaves_a_cap_and_a_corner_an_eighth),
        cmocka_unit_test(adjacent_boxes_contain_the_whole_ball),
        cmocka_unit_test(the_part_in_a_box_is_the_sum_over_slices),
        cmocka_unit_test(the_part_in_another_ball_is_a_lens),
        cmocka_unit_test(the_part_in_a_cylinder_agrees_with_closed_forms_and_is_additive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
