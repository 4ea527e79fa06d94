// Size distributions (pack/sizes.h) against their closed forms, as fractions of number and of mass.

#include "pack/sizes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { DRAWS = 100000 };

static struct scree_sizes sizes;
static double radius[DRAWS];

// Draws radii for evenly spaced arguments; radii increase with them.
static void draw_all(double min, double max)
{
    for (int k = 0; k < DRAWS; ++k) {
        radius[k] = scree_sizes_draw(&sizes, (k + 0.5) / DRAWS);
        assert_true(radius[k] >= min && radius[k] <= max);
        assert_true(k == 0 || radius[k] >= radius[k - 1]);
    }
}

// Kolmogorov distance between the fraction of the sum of r^power in the draws and a closed form.
static double distance(double (*fraction)(double radius, const double *parameter), const double *parameter,
                       double power)
{
    double total = 0, sum = 0, max_difference = 0;
    for (int k = 0; k < DRAWS; ++k)
        total += pow(radius[k], power);
    for (int k = 0; k < DRAWS; ++k) {
        const double expected = fraction(radius[k], parameter);
        max_difference = fmax(max_difference, fabs(sum / total - expected));
        sum += pow(radius[k], power);
        max_difference = fmax(max_difference, fabs(sum / total - expected));
    }
    return max_difference;
}

static double uniform(double r, const double *p)
{
    return (r - p[0]) / (p[1] - p[0]);
}

// Truncated at three standard deviations.
static double normal(double r, const double *p)
{
    const double inside = erf(3 / sqrt(2));
    return 0.5 * (erf((r - p[0]) / p[1] / sqrt(2)) + inside) / inside;
}

static double lognormal(double r, const double *p)
{
    const double inside = erf(3 / sqrt(2));
    return 0.5 * (erf(log(r / p[0]) / p[1] / sqrt(2)) + inside) / inside;
}

static double weibull(double r, const double *p)
{
    const double low = exp(-pow(0.05, p[1])), high = exp(-pow(2 / p[0], p[1]));
    return (low - exp(-pow(r / p[0], p[1]))) / (low - high);
}

static const struct {
    enum scree_sizes_kind kind;
    double parameter[2], min, max;
    double (*fraction)(double, const double *);
} distributions[] = {
    {SCREE_SIZES_UNIFORM, {1, 3}, 1, 3, uniform},
    {SCREE_SIZES_UNIFORM, {1, 10}, 1, 10, uniform},
    {SCREE_SIZES_NORMAL, {2, 0.1}, 1.7, 2.3, normal},
    {SCREE_SIZES_LOGNORMAL, {1, 0.5}, 0.22313016014842982, 4.4816890703380645, lognormal},
    {SCREE_SIZES_WEIBULL, {1, 4}, 0.05, 2, weibull},
};

static void fractions_of_number_follow_the_closed_form(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof distributions / sizeof distributions[0]; ++r) {
        scree_sizes_spread(&sizes, distributions[r].kind, distributions[r].parameter, distributions[r].min,
                           distributions[r].max, false, 3);
        draw_all(distributions[r].min, distributions[r].max);
        // tolerance: half a draw, and a tenth of one of the 2048 intervals of the table
        assert_true(distance(distributions[r].fraction, distributions[r].parameter, 0) <
                    0.5 / DRAWS + 0.1 / 2048);
    }
}

static void fractions_of_mass_follow_the_closed_form(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof distributions / sizeof distributions[0]; ++r)
        for (int dimension = 2; dimension <= 3; ++dimension) {
            scree_sizes_spread(&sizes, distributions[r].kind, distributions[r].parameter,
                               distributions[r].min, distributions[r].max, true, dimension);
            draw_all(distributions[r].min, distributions[r].max);
            // tolerance: the mass of the largest draw, and one of the 2048 intervals of the table
            double total = 0;
            for (int k = 0; k < DRAWS; ++k)
                total += pow(radius[k], dimension);
            const double step = pow(radius[DRAWS - 1], dimension) / total;
            assert_true(distance(distributions[r].fraction, distributions[r].parameter, dimension) <
                        step + 1.0 / 2048);
        }
}

static const double curve[][2] = {{1e-3, 0}, {2e-3, 0.35}, {4e-3, 0.6}, {5e-3, 0.6}, {8e-3, 1}};
enum { SIEVES = sizeof curve / sizeof curve[0] };

// The fraction that passes a sieve of twice the radius.
static double sieve_fraction(double r, const double *p)
{
    (void)p;
    int k = 1;
    while (k < SIEVES - 1 && 2 * r > curve[k][0])
        ++k;
    const double inside = log(2 * r / curve[k - 1][0]) / log(curve[k][0] / curve[k - 1][0]);
    return curve[k - 1][1] + inside * (curve[k][1] - curve[k - 1][1]);
}

static void fractions_passing_follow_the_sieve_curve(void **state)
{
    (void)state;
    scree_sizes_sieve(&sizes, curve, SIEVES, true, 3);
    draw_all(0.5e-3, 4e-3);
    double total = 0;
    for (int k = 0; k < DRAWS; ++k)
        total += pow(radius[k], 3);
    // tolerance: half the mass of the largest draw, and a twentieth of one of 512 parts between two sieves
    assert_true(distance(sieve_fraction, NULL, 3) < 0.5 * pow(4e-3, 3) / total + 0.05 / 512);
    // no radius lies between two sieves if the curve is flat there
    for (int k = 0; k < DRAWS; ++k)
        assert_false(radius[k] > 2.0001e-3 && radius[k] < 2.4999e-3);
    scree_sizes_sieve(&sizes, curve, SIEVES, false, 3);
    draw_all(0.5e-3, 4e-3);
    assert_true(distance(sieve_fraction, NULL, 0) < 0.5 / DRAWS + 0.05 / 512);
}

static void classes_have_their_radii_and_fractions(void **state)
{
    (void)state;
    static const double row[][2] = {{1, 0.3}, {2, 0}, {3, 0.2}, {5, 0.5}};
    for (int by_mass = 0; by_mass <= 1; ++by_mass) {
        double count[4] = {0}, total = 0;
        scree_sizes_classes(&sizes, row, 4, by_mass, 3);
        draw_all(1, 5);
        for (int k = 0; k < DRAWS; ++k) {
            int c = 0;
            while (c < 3 && radius[k] != row[c][0])
                ++c;
            assert_true(radius[k] == row[c][0]);
            const double mass = by_mass ? pow(radius[k], 3) : 1;
            count[c] += mass;
            total += mass;
        }
        for (int c = 0; c < 4; ++c)
            assert_true(fabs(count[c] / total - row[c][1]) <= 125.0 / total);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fractions_of_number_follow_the_closed_form),
        cmocka_unit_test(fractions_of_mass_follow_the_closed_form),
        cmocka_unit_test(fractions_passing_follow_the_sieve_curve),
        cmocka_unit_test(classes_have_their_radii_and_fractions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
