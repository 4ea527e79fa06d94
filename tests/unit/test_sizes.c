// Size distributions against their closed forms, as shares of number and of mass.

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

// The radii for evenly spread arguments; radii increase with them.
static void draw_all(double least, double most)
{
    for (int k = 0; k < DRAWS; ++k) {
        radius[k] = scree_sizes_draw(&sizes, (k + 0.5) / DRAWS);
        assert_true(radius[k] >= least && radius[k] <= most);
        assert_true(k == 0 || radius[k] >= radius[k - 1]);
    }
}

// Kolmogorov distance between the share of r^power in the draws and a closed form.
static double distance(double (*share)(double radius, const double *p), const double *p, double power)
{
    double all = 0, sum = 0, most = 0;
    for (int k = 0; k < DRAWS; ++k)
        all += pow(radius[k], power);
    for (int k = 0; k < DRAWS; ++k) {
        const double expected = share(radius[k], p);
        most = fmax(most, fabs(sum / all - expected));
        sum += pow(radius[k], power);
        most = fmax(most, fabs(sum / all - expected));
    }
    return most;
}

static double uniform(double r, const double *p)
{
    return (r - p[0]) / (p[1] - p[0]);
}

// Truncated at three standard deviations.
static double normal(double r, const double *p)
{
    const double ends = erf(3 / sqrt(2));
    return 0.5 * (erf((r - p[0]) / p[1] / sqrt(2)) + ends) / ends;
}

static double lognormal(double r, const double *p)
{
    const double ends = erf(3 / sqrt(2));
    return 0.5 * (erf(log(r / p[0]) / p[1] / sqrt(2)) + ends) / ends;
}

static double weibull(double r, const double *p)
{
    const double low = exp(-pow(0.05, p[1])), high = exp(-pow(2 / p[0], p[1]));
    return (low - exp(-pow(r / p[0], p[1]))) / (low - high);
}

static const struct {
    enum scree_sizes_kind kind;
    double parameter[2], least, most;
    double (*share)(double, const double *);
} spreads[] = {
    {SCREE_SIZES_UNIFORM, {1, 3}, 1, 3, uniform},
    {SCREE_SIZES_UNIFORM, {1, 10}, 1, 10, uniform},
    {SCREE_SIZES_NORMAL, {2, 0.1}, 1.7, 2.3, normal},
    {SCREE_SIZES_LOGNORMAL, {1, 0.5}, 0.22313016014842982, 4.4816890703380645, lognormal},
    {SCREE_SIZES_WEIBULL, {1, 4}, 0.05, 2, weibull},
};

static void shares_of_number_follow_the_closed_form(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof spreads / sizeof spreads[0]; ++r) {
        scree_sizes_spread(&sizes, spreads[r].kind, spreads[r].parameter, spreads[r].least, spreads[r].most,
                           false, 3);
        draw_all(spreads[r].least, spreads[r].most);
        // half a draw, and a tenth of one of 2,048 intervals
        assert_true(distance(spreads[r].share, spreads[r].parameter, 0) < 0.5 / DRAWS + 0.1 / 2048);
    }
}

static void shares_of_mass_follow_the_closed_form(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof spreads / sizeof spreads[0]; ++r)
        for (int dimension = 2; dimension <= 3; ++dimension) {
            scree_sizes_spread(&sizes, spreads[r].kind, spreads[r].parameter, spreads[r].least,
                               spreads[r].most, true, dimension);
            draw_all(spreads[r].least, spreads[r].most);
            // the heaviest draw is one step of the sum; the mean mass is above that of the smallest
            double all = 0;
            for (int k = 0; k < DRAWS; ++k)
                all += pow(radius[k], dimension);
            const double step = pow(radius[DRAWS - 1], dimension) / all;
            assert_true(distance(spreads[r].share, spreads[r].parameter, dimension) < step + 1.0 / 2048);
        }
}

static const double curve[][2] = {{1e-3, 0}, {2e-3, 0.35}, {4e-3, 0.6}, {5e-3, 0.6}, {8e-3, 1}};
enum { SIEVES = sizeof curve / sizeof curve[0] };

// The share that passes a sieve of twice the radius.
static double sieve_share(double r, const double *p)
{
    (void)p;
    int k = 1;
    while (k < SIEVES - 1 && 2 * r > curve[k][0])
        ++k;
    const double inside = log(2 * r / curve[k - 1][0]) / log(curve[k][0] / curve[k - 1][0]);
    return curve[k - 1][1] + inside * (curve[k][1] - curve[k - 1][1]);
}

static void sieved_mass_follows_the_sieve_curve(void **state)
{
    (void)state;
    scree_sizes_sieve(&sizes, curve, SIEVES, true, 3);
    draw_all(0.5e-3, 4e-3);
    double all = 0;
    for (int k = 0; k < DRAWS; ++k)
        all += pow(radius[k], 3);
    // one draw of the largest, and a twentieth of one of 512 parts of the curve between two sieves
    assert_true(distance(sieve_share, NULL, 3) < 0.5 * pow(4e-3, 3) / all + 0.05 / 512);
    // there is nothing between two sieves if the curve is flat there
    for (int k = 0; k < DRAWS; ++k)
        assert_false(radius[k] > 2.0001e-3 && radius[k] < 2.4999e-3);
    scree_sizes_sieve(&sizes, curve, SIEVES, false, 3);
    draw_all(0.5e-3, 4e-3);
    assert_true(distance(sieve_share, NULL, 0) < 0.5 / DRAWS + 0.05 / 512);
}

static void classes_are_those_radii_and_no_others(void **state)
{
    (void)state;
    static const double row[][2] = {{1, 0.3}, {2, 0}, {3, 0.2}, {5, 0.5}};
    for (int by_mass = 0; by_mass <= 1; ++by_mass) {
        double count[4] = {0}, all = 0;
        scree_sizes_classes(&sizes, row, 4, by_mass, 3);
        draw_all(1, 5);
        for (int k = 0; k < DRAWS; ++k) {
            int c = 0;
            while (c < 3 && radius[k] != row[c][0])
                ++c;
            assert_true(radius[k] == row[c][0]);
            const double mass = by_mass ? pow(radius[k], 3) : 1;
            count[c] += mass;
            all += mass;
        }
        for (int c = 0; c < 4; ++c)
            assert_true(fabs(count[c] / all - row[c][1]) <= 125.0 / all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_number_follow_the_closed_form),
        cmocka_unit_test(shares_of_mass_follow_the_closed_form),
        cmocka_unit_test(sieved_mass_follows_the_sieve_curve),
        cmocka_unit_test(classes_are_those_radii_and_no_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
