// Virtual walls of rough walls: their distribution in two and three dimensions, repeated rebounds, and keys.

#include "law/impulse.h"
#include "law/rough_wall.h"
#include "support/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double degree = SCREE_PI / 180;

// The wall normal of the samples, and the directions along the path and across it.
static const struct scree_vec3 normal = {0, 1, 0}, along = {1, 0, 0}, across = {0, 0, 1};

static struct scree_vec3 path(double alpha)
{
    return scree_vec3_scale(scree_vec3_make(cos(alpha), -sin(alpha), 0), 3);
}

static struct scree_rough_wall rough(double spread, int dimension)
{
    return scree_rough_wall_make(&(struct scree_wall_roughness){spread, 20}, dimension);
}

// Angle of a virtual wall along the path, positive towards the body.
static double tilt(struct scree_vec3 tilted)
{
    return atan2(-scree_vec3_dot(tilted, along), scree_vec3_dot(tilted, normal));
}

// Chi-square of counts in bins of known probabilities; bins that expect fewer than 10 are merged with the
// next. `degrees` is the number of degrees of freedom.
static double chi_square(const double *probability, const double *count, int bins, double samples,
                         int *degrees)
{
    double sum = 0, expected = 0, found = 0;
    *degrees = -1;
    for (int b = 0; b < bins; ++b) {
        expected += probability[b] * samples;
        found += count[b];
        if (expected < 10)
            continue;
        sum += (found - expected) * (found - expected) / expected;
        expected = found = 0;
        ++*degrees;
    }
    // what is left over has less than 10 expected: a sample of Poisson's distribution
    assert_true(fabs(found - expected) < 6 * sqrt(10) + 6);
    return sum;
}

// With k degrees of freedom chi-square exceeds k + 2 sqrt(k x) + 2 x with a probability below exp(-x)
// (Laurent, Massart, Ann. Statist. 28, 1302 (2000), lemma 1): 1e-6 for x = 14.
static double limit_of(int degrees)
{
    return degrees + 2 * sqrt(14.0 * degrees) + 28;
}

enum { SAMPLES = 40000 };

static void virtual_walls_have_the_distribution_of_the_table(void **state)
{
    (void)state;
    struct scree_table *table = scree_table_read("rough_wall_pdf.csv");
    assert_int_equal(table->rows, 12);
    for (size_t row = 0; row < table->rows; ++row) {
        const double alpha = scree_table_number(table, row, "alpha_deg") * degree;
        const struct scree_rough_wall wall = rough(scree_table_number(table, row, "sigma_deg") * degree, 2);
        const double mean = scree_table_number(table, row, "mean_deg"),
                     deviation = scree_table_number(table, row, "std_deg");
        const double below[] = {0,
                                scree_table_number(table, row, "cdf_m5"),
                                scree_table_number(table, row, "cdf_0"),
                                scree_table_number(table, row, "cdf_5"),
                                scree_table_number(table, row, "cdf_10"),
                                1};
        double probability[5], count[5] = {0}, sum = 0, squares = 0;
        for (int b = 0; b < 5; ++b)
            probability[b] = below[b + 1] - below[b];
        for (uint64_t k = 0; k < SAMPLES; ++k) {
            const struct scree_rough_wall_draw draw = {.id = row, .event = k};
            const struct scree_vec3 tilted = scree_rough_wall_normal(&wall, normal, path(alpha), draw);
            const double angle = tilt(tilted) / degree;
            assert_true(tilted.z == 0 && angle > -alpha / degree);
            ++count[angle < -5 ? 0 : angle < 0 ? 1 : angle < 5 ? 2 : angle < 10 ? 3 : 4];
            sum += angle;
            squares += (angle - mean) * (angle - mean);
        }
        int degrees;
        assert_true(chi_square(probability, count, 5, SAMPLES, &degrees) < limit_of(degrees));
        // five standard errors; that of a variance is sqrt(2 / n) of it for normal distributions, and less
        // than twice that for these
        assert_true(fabs(sum / SAMPLES - mean) < 5 * deviation / sqrt(SAMPLES));
        assert_true(fabs(squares / SAMPLES / (deviation * deviation) - 1) < 10 * sqrt(2.0 / SAMPLES));
    }
    scree_table_free(table);
}

// Without the shadow effect, at 2.5 degrees, the statistic is far beyond its limit: the test can fail.
static void the_test_would_notice_a_missing_shadow_effect(void **state)
{
    (void)state;
    // the first row of the table, and the normal distribution with the spread 3: below -5, 0, 5, 10 degrees
    const double probability[] = {0, 0.13860761718177755, 0.71460960121791814, 0.14479087294489413,
                                  0.00199190865940092},
                 normal_counts[] = {0.04779 * SAMPLES, 0.45221 * SAMPLES, 0.45221 * SAMPLES,
                                    0.04736 * SAMPLES, 0.00043 * SAMPLES};
    int degrees;
    assert_true(chi_square(probability, normal_counts, 5, SAMPLES, &degrees) > 100 * limit_of(degrees));
}

// Bins with borders at -spread, 0 and spread.
static int quarter(double angle, double spread)
{
    return angle < -spread ? 0 : angle < 0 ? 1 : angle < spread ? 2 : 3;
}

// In three dimensions the density of the two angles is that of two normal numbers times the closing speed of
// the virtual wall, as far as that is positive. Sums over a grid of 400 x 400 cells in 16 bins each have
// errors below 1e-3 of a bin, whose counts have standard errors of at least 1e-2.
static void virtual_walls_in_space_have_the_density_of_the_closing_speed(void **state)
{
    (void)state;
    enum { SIDE = 4, BINS = SIDE * SIDE, GRID = 400 };
    const double spread = 8 * degree, width = 5 * spread;
    static const double alphas[] = {3, 20, 70};
    for (int a = 0; a < 3; ++a) {
        const double alpha = alphas[a] * degree;
        const struct scree_vec3 velocity = path(alpha);
        double probability[BINS] = {0}, count[BINS] = {0}, total = 0;
        for (int i = 0; i < GRID; ++i)
            for (int j = 0; j < GRID; ++j) {
                const double x = width * ((2 * i + 1.0) / GRID - 1), y = width * ((2 * j + 1.0) / GRID - 1);
                const struct scree_vec3 tilted = scree_vec3_normalise(scree_vec3_make(-tan(x), 1, -tan(y)));
                const double seen = -scree_vec3_dot(tilted, velocity);
                const double weight = exp(-(x * x + y * y) / (2 * spread * spread)) * (seen > 0 ? seen : 0);
                probability[quarter(x, spread) * SIDE + quarter(y, spread)] += weight;
                total += weight;
            }
        for (int b = 0; b < BINS; ++b)
            probability[b] /= total;
        const struct scree_rough_wall wall = rough(spread, 3);
        for (uint64_t k = 0; k < SAMPLES; ++k) {
            const struct scree_rough_wall_draw draw = {.id = 100 + (uint64_t)a, .event = k};
            const struct scree_vec3 tilted = scree_rough_wall_normal(&wall, normal, velocity, draw);
            assert_true(fabs(scree_vec3_norm(tilted) - 1) < 1e-15 && scree_vec3_dot(tilted, velocity) < 0);
            const double x = tilt(tilted),
                         y = atan2(-scree_vec3_dot(tilted, across), scree_vec3_dot(tilted, normal));
            ++count[quarter(x, spread) * SIDE + quarter(y, spread)];
        }
        int degrees;
        assert_true(chi_square(probability, count, BINS, SAMPLES, &degrees) < limit_of(degrees));
    }
}

// Elastic rebounds from a rough wall, with further virtual walls until the body leaves it: the speed stays,
// and flat paths become steeper, because virtual walls towards the body are seen more.
static void a_body_leaves_a_rough_wall_after_some_rebounds(void **state)
{
    (void)state;
    const struct scree_law_coefficients elastic = {1, -1, 0}, lossy = {0.7, 0.2, 0.3};
    const double alpha = 4 * degree;
    double steepness = 0;
    int repeated = 0;
    for (uint64_t k = 0; k < 20000; ++k) {
        const bool smooth = k % 2 == 0;
        const struct scree_rough_wall wall = rough(6 * degree, 3);
        struct scree_impulse_side side[2] = {{2, 2.5 * 2 / 0.1, 0.1, path(alpha), {0, 0, smooth ? 0 : 9}},
                                             {.radius = 0}};
        double energy = 9 + (smooth ? 0 : 0.4 * 0.01 * 81);
        uint64_t rebound = 0;
        for (; scree_vec3_dot(side[0].velocity, normal) < 0; ++rebound) {
            assert_true(rebound < SCREE_ROUGH_WALL_REBOUNDS);
            const struct scree_vec3 tilted = scree_rough_wall_normal(
                &wall, normal, side[0].velocity,
                (struct scree_rough_wall_draw){.id = 1, .event = k, .rebound = rebound});
            const struct scree_impulse impulse =
                scree_impulse_between(tilted, side, smooth ? elastic : lossy);
            assert_true(impulse.normal > 0);
            scree_impulse_apply(tilted, impulse.vector, side);
            // twice the energy per mass
            const double after = scree_vec3_norm_squared(side[0].velocity) +
                                 0.4 * 0.01 * scree_vec3_norm_squared(side[0].spin);
            assert_true(after <= energy + 1e-14 * 10);
            assert_true(!smooth || fabs(after - 9) < 1e-13);
            energy = after;
        }
        repeated += rebound > 1;
        steepness += smooth ? asin(scree_vec3_dot(side[0].velocity, normal) / 3) / 10000 : 0;
    }
    // the mean virtual wall is inclined by 5.5 degrees, so that the mean angle of rebound is 15 degrees;
    // virtual walls below -2 degrees, 2.4 % of all, do not let the body leave
    assert_true(repeated > 400 && steepness > 14 * degree && steepness < 17 * degree);
}

static void virtual_walls_depend_on_their_key_alone(void **state)
{
    (void)state;
    const struct scree_rough_wall wall = rough(5 * degree, 3);
    const struct scree_rough_wall_draw draw = {.id = 3, .event = 1, .rebound = 2};
    const struct scree_vec3 tilted = scree_rough_wall_normal(&wall, normal, path(0.3), draw);
    for (int k = 0; k < 4; ++k) {
        struct scree_rough_wall_draw other = draw;
        struct scree_rough_wall same = wall;
        other.id += k == 1;
        other.event += k == 2;
        other.rebound += k == 3;
        // the speed has no influence, only the direction
        const struct scree_vec3 again =
            scree_rough_wall_normal(&same, normal, scree_vec3_scale(path(0.3), 2), other);
        assert_int_equal(memcmp(&again, &tilted, sizeof tilted) == 0, k == 0);
    }
}

static void a_smooth_wall_has_one_normal(void **state)
{
    (void)state;
    const struct scree_rough_wall wall = rough(0, 3);
    const struct scree_vec3 tilted =
        scree_rough_wall_normal(&wall, normal, path(0.1), (struct scree_rough_wall_draw){0});
    assert_memory_equal(&tilted, &normal, sizeof tilted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(virtual_walls_have_the_distribution_of_the_table),
        cmocka_unit_test(the_test_would_notice_a_missing_shadow_effect),
        cmocka_unit_test(virtual_walls_in_space_have_the_density_of_the_closing_speed),
        cmocka_unit_test(a_body_leaves_a_rough_wall_after_some_rebounds),
        cmocka_unit_test(virtual_walls_depend_on_their_key_alone),
        cmocka_unit_test(a_smooth_wall_has_one_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
