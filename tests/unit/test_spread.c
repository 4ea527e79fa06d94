// Spreads of orientations: moments of many draws against closed forms, and the keys of scenes. Draws have
// fixed seeds. A mean of n draws may differ from its expectation by five standard deviations of the mean.

#include "math/quat.h"
#include "math/real.h"
#include "pack/body.h"
#include "support/trial.h"
#include "world/grain.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { DRAWS = 100000 };

static void assert_mean(double sum, double expected, double variance)
{
    assert_true(fabs(sum / DRAWS - expected) <= 5 * sqrt(variance / DRAWS));
}

// A shape with an oblique axis and an oblique orientation.
static struct scree_pack_shape oblique(double deviation, bool turns)
{
    struct scree_pack_shape shape = {.rotation = SCREE_PACK_SPREAD,
                                     .deviation = deviation,
                                     .turns = turns,
                                     .axis = {2.0 / 7, -3.0 / 7, 6.0 / 7}};
    scree_quat_store(scree_quat_normalise(scree_quat_make(0.3, -0.5, 0.7, 0.2)), shape.given);
    return shape;
}

// Sums over draws of the direction of the axis, and of another vector of the shape, in the frame of the mean
// direction: cosines and their squares.
struct moments {
    double cosine, square, sideways[2], sideways_square[2], turn[2];
};

static struct moments draw(const struct scree_pack_shape *shape, int dimension, uint64_t seed)
{
    const struct scree_random_key key = {seed, 1};
    const struct scree_quat given = scree_quat_load(shape->given);
    const struct scree_vec3 axis = scree_vec3_load(shape->axis), other = scree_vec3_perpendicular(axis),
                            mean = scree_quat_rotate(given, axis), x = scree_vec3_perpendicular(mean),
                            y = scree_vec3_cross(mean, x);
    struct moments sum = {0};
    for (uint64_t n = 0; n < DRAWS; ++n) {
        double orientation[4];
        scree_pack_draw_orientation(shape, dimension, key, n, orientation);
        const struct scree_quat q = scree_quat_load(orientation);
        const struct scree_vec3 a = scree_quat_rotate(q, axis), b = scree_quat_rotate(q, other);
        assert_true(fabs(scree_quat_norm_squared(q) - 1) < 1e-14);
        assert_true(dimension == 3 || (q.x == 0 && q.y == 0));
        const double c = scree_vec3_dot(a, mean), side[2] = {scree_vec3_dot(a, x), scree_vec3_dot(a, y)};
        sum.cosine += c;
        sum.square += c * c;
        for (int k = 0; k < 2; ++k) {
            sum.sideways[k] += side[k];
            sum.sideways_square[k] += side[k] * side[k];
        }
        sum.turn[0] += scree_vec3_dot(b, x);
        sum.turn[1] += scree_vec3_dot(b, y);
    }
    return sum;
}

// The mean cosine of the distribution of von Mises and Fisher is A = coth k - 1/k, the mean of its square
// 1 - 2 A / k. With the density k e^(kc) / (2 sinh k) of c, moments follow by integration by parts:
// m_n = (1 or coth k) - n m_(n-1) / k, with 1 for odd n + 1 ... so that m_4 = 1 - 4 m_3 / k and
// m_3 = coth k - 3 m_2 / k.
static void an_axis_in_space_has_the_distribution_of_von_mises_and_fisher(void **state)
{
    (void)state;
    static const double deviations[] = {0.01, 0.2, 0.7, 1.5, 10, 100};
    for (size_t d = 0; d < sizeof deviations / sizeof deviations[0]; ++d)
        for (int turns = 0; turns < 2; ++turns) {
            const struct scree_pack_shape shape = oblique(deviations[d], turns == 1);
            const double k = 1 / (deviations[d] * deviations[d]);
            // of small k the first terms of the series
            const bool nearly_uniform = k < 0.05;
            const double m1 = nearly_uniform ? k / 3 : 1 / tanh(k) - 1 / k,
                         m2 = nearly_uniform ? 1.0 / 3 : 1 - 2 * m1 / k,
                         m3 = nearly_uniform ? k / 5 : 1 / tanh(k) - 3 * m2 / k,
                         m4 = nearly_uniform ? 1.0 / 5 : 1 - 4 * m3 / k;
            const struct moments sum = draw(&shape, 3, 11 + d);
            // for k = 10^4, 1 - 2 A / k and its like lose 12 digits in the variances of 1e-8 and less
            const double round_off = 1e-15 * k;
            assert_mean(sum.cosine, m1, m2 - m1 * m1 + round_off);
            assert_mean(sum.square, m2, m4 - m2 * m2 + round_off);
            // azimuths are uniform: the two sideways components have the mean square (1 - m2) / 2, and the
            // fourth moment is 3/8 of that of the sine
            for (int s = 0; s < 2; ++s) {
                const double square = 0.5 * (1 - m2), fourth = 0.375 * (1 - 2 * m2 + m4);
                assert_mean(sum.sideways[s], 0, square);
                assert_mean(sum.sideways_square[s], square, fourth - square * square + round_off);
            }
        }
}

// With any angle about the axis another direction of the shape has no mean; without, a small deviation leaves
// it where the orientation has it: the mean of the smallest rotation by t is (1 + cos t) / 2 along it.
static void the_angle_about_the_axis_is_uniform_or_kept(void **state)
{
    (void)state;
    struct scree_pack_shape shape = oblique(0.2, true);
    const struct moments turned = draw(&shape, 3, 5);
    // the mean square of a component of a uniformly turned unit vector is at most 1/2
    assert_mean(turned.turn[0], 0, 0.5);
    assert_mean(turned.turn[1], 0, 0.5);
    shape.turns = false;
    const struct moments kept = draw(&shape, 3, 5);
    const struct scree_vec3 axis = scree_vec3_load(shape.axis);
    const struct scree_quat given = scree_quat_load(shape.given);
    const struct scree_vec3 mean = scree_quat_rotate(given, axis), x = scree_vec3_perpendicular(mean),
                            at = scree_quat_rotate(given, scree_vec3_perpendicular(axis));
    const double k = 25, part = 0.5 * (1 + 1 / tanh(k) - 1 / k);
    // a component changes by at most 1 - cos t, with a mean square of about 2 / k^2 = 0.0032
    assert_mean(kept.turn[0], part * scree_vec3_dot(at, x), 0.0032);
    assert_mean(kept.turn[1], part * scree_vec3_dot(at, scree_vec3_cross(mean, x)), 0.0032);
}

static void without_deviation_the_axis_is_exact(void **state)
{
    (void)state;
    const struct scree_pack_shape shape = oblique(0, true);
    const struct moments sum = draw(&shape, 3, 3);
    // rounding: a few ulp for each draw, and 1e5 additions of numbers near 1 to a sum up to 1e5
    assert_true(fabs(sum.cosine / DRAWS - 1) < 1e-10);
    assert_mean(sum.turn[0], 0, 0.5);
}

// A normal angle with the standard deviation s has the means E cos = exp(-s^2/2), E cos^2 = (1 + exp(-2
// s^2))/2 and E sin = 0, and cos^2 has the square mean (3 + 4 exp(-2 s^2) + exp(-8 s^2)) / 8.
static void an_angle_in_the_plane_is_normal(void **state)
{
    (void)state;
    static const double deviations[] = {0, 0.02, 0.5, 2, 100};
    for (size_t d = 0; d < sizeof deviations / sizeof deviations[0]; ++d) {
        struct scree_pack_shape shape = {
            .rotation = SCREE_PACK_SPREAD, .deviation = deviations[d], .axis = {1, 0, 0}};
        scree_quat_store(scree_quat_make(0.6, 0, 0, 0.8), shape.given);
        const double s2 = deviations[d] * deviations[d], m1 = exp(-s2 / 2), m2 = 0.5 * (1 + exp(-2 * s2)),
                     m4 = (3 + 4 * exp(-2 * s2) + exp(-8 * s2)) / 8;
        const struct moments sum = draw(&shape, 2, 21 + d);
        // sums of 1e5 numbers near 1 have errors of up to 1e-11 of them: as a variance 1e-17
        assert_mean(sum.cosine, m1, m2 - m1 * m1 + 1e-17);
        assert_mean(sum.square, m2, m4 - m2 * m2 + 1e-17);
        // the sum of both sideways components is at most sqrt(2) of the sine
        assert_mean(sum.sideways[0] + sum.sideways[1], 0, 2 * (1 - m2) + 1e-17);
    }
}

#define HEAD                                                                                                 \
    "scree: 1\nengine: {soft: {step: 1 us}}\nmaterials: {glass: {density: 2500}}\n"                          \
    "clumps: {pair: {spheres: [{radius: 2 mm, at: [0, 0, -1 mm]}, {radius: 2 mm, at: [0, 0, 1 mm]}]}}\n"
#define FLAT                                                                                                 \
    "scree: 1\ndimension: 2\nengine: {soft: {step: 1 us}}\nmaterials: {glass: {density: 2500}}\n"            \
    "clumps: {pair: {disks: [{radius: 2 mm, at: [-1 mm, 0]}, {radius: 2 mm, at: [1 mm, 0]}]}}\n"

// The mean of the vector from the first to the second pebble, as a unit vector.
static void mean_direction(const char *head, const char *keys, const char *box, int bodies, double mean[3])
{
    char text[2000];
    snprintf(text, sizeof text,
             "%sbodies: [fill: {shape: {clump: {shape: pair, %s}}, count: %d, material: glass, inside: {box: "
             "%s}}]\n",
             head, keys, bodies, box);
    struct scree_world *world = scree_trial_build_text(text);
    assert_int_equal(scree_grain_reserve_records(world), SCREE_OK);
    scree_grain_update_records(world, 0, NULL);
    const struct scree_grain *grain = scree_world_grains(world);
    const size_t first = scree_grain_count(world) - 2 * (size_t)bodies;
    for (int k = 0; k < 3; ++k)
        mean[k] = 0;
    for (size_t b = 0; b < (size_t)bodies; ++b)
        for (int k = 0; k < 3; ++k)
            mean[k] +=
                (grain[first + 2 * b + 1].position[k] - grain[first + 2 * b].position[k]) / (2e-3 * bodies);
    scree_world_destroy(world);
}

static void scenes_spread_an_axis_along_a_direction(void **state)
{
    (void)state;
    static const char box[] = "[[0, 0, 0], [20 cm, 20 cm, 20 cm]]", flat_box[] = "[[0, 0], [1 m, 1 m]]";
    double mean[3];
    // k = 4: the mean cosine, with the standard deviation 0.24 of a cosine over sqrt(2000)
    mean_direction(HEAD, "spread: {axis: [0, 0, 2], along: [3, 0, 4], deviation: 0.5}", box, 2000, mean);
    const double length = 1 / tanh(4) - 0.25;
    assert_true(fabs(0.6 * mean[0] + 0.8 * mean[2] - length) < 5 * 0.24 / sqrt(2000));
    assert_true(fabs(mean[1]) < 5 * 0.5 / sqrt(2000));
    // without deviation: along the direction, even opposite to the axis, or where the orientation has it
    mean_direction(HEAD, "spread: {axis: [0, 0, 1], along: [0, 0, -5], deviation: 0}", box, 10, mean);
    assert_true(fabs(mean[2] + 1) < 1e-10);
    mean_direction(HEAD,
                   "orientation: {axis: [0, 1, 0], angle: 90 deg}, spread: {axis: [0, 0, 1], deviation: 0}",
                   box, 10, mean);
    assert_true(fabs(mean[0] - 1) < 1e-10);
    // two dimensions: the standard deviations of cosine and sine are below 0.35 and 0.5
    mean_direction(FLAT, "thickness: 1 mm, spread: {along: [0, 1], deviation: 30 deg}", flat_box, 2000, mean);
    assert_true(fabs(mean[1] - exp(-acos(-1) * acos(-1) / 72)) < 5 * 0.35 / sqrt(2000));
    assert_true(fabs(mean[0]) < 5 * 0.5 / sqrt(2000) && mean[2] == 0);
    mean_direction(FLAT, "thickness: 1 mm, spread: {along: [-1, 0], deviation: 0}", flat_box, 10, mean);
    assert_true(fabs(mean[0] + 1) < 1e-10);
}

static void mistakes_in_spreads_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *head, *keys, *message;
    } rows[] = {
        {HEAD, "rotate: all, spread: {deviation: 1 deg}", "rotate"},
        {HEAD, "spread: {axis: [0, 0, 1]}", "deviation"},
        {HEAD, "spread: {deviation: -1 deg}", "deviation"},
        {HEAD, "spread: {deviation: 1e4}", "deviation"},
        {HEAD, "spread: {deviation: 1 mm}", "deviation"},
        {HEAD, "spread: {deviation: 1 deg, axis: [0, 0, 0]}", "'axis' must have a finite length above 0"},
        {HEAD, "spread: {deviation: 1 deg, along: [0, 0, 0]}", "'along' must have a finite length above 0"},
        {FLAT, "thickness: 1 mm, spread: {deviation: 1 deg, along: [0, 1, 1]}",
         "in two dimensions 'along' is a direction in the plane"},
        {FLAT, "thickness: 1 mm, spread: {deviation: 1 deg, about-axis: none}",
         "in two dimensions there is no rotation about the axis"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, rows[r].message,
                                        "%sbodies: [fill: {shape: {clump: {shape: pair, %s}}, count: 2, "
                                        "material: glass, inside: {box: %s}}]\n",
                                        rows[r].head, rows[r].keys,
                                        rows[r].head[9 + 0] == 'd' ? "[[0, 0], [1, 1]]"
                                                                   : "[[0, 0, 0], [1, 1, 1]]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_axis_in_space_has_the_distribution_of_von_mises_and_fisher),
        cmocka_unit_test(the_angle_about_the_axis_is_uniform_or_kept),
        cmocka_unit_test(without_deviation_the_axis_is_exact),
        cmocka_unit_test(an_angle_in_the_plane_is_normal),
        cmocka_unit_test(scenes_spread_an_axis_along_a_direction),
        cmocka_unit_test(mistakes_in_spreads_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
