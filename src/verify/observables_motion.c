// Histograms of velocities, the mean free path, and self-diffusion.

#include "gas_sample.h"
#include "hard_gas.h"
#include "observables.h"
#include "verify.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// --- velocities

// The share of velocity components below v, and of speeds, at the temperature 1 (Maxwell).
static double below_component(double v)
{
    return 0.5 * (1 + erf(v / sqrt(2)));
}

static double below_speed(double v)
{
    return v > 0 ? erf(v / sqrt(2)) - sqrt(2 / pi) * v * exp(-v * v / 2) : 0;
}

// Chi-square of a histogram; all values beyond its ends are one more class.
static scree_status compare_histogram(struct scree_trial *trial, scree_distribution_id id, uint32_t bins,
                                      double width, double all, double (*below)(double), const char *name)
{
    double square = 0, inside = 0, share = 0;
    for (uint32_t b = 0; b < bins; ++b) {
        double value[SCREE_DISTRIBUTION_COLUMNS];
        SCREE_TRY(scree_distribution_bin(trial->world, id, b, value));
        const double expected = below(value[0] + width / 2) - below(value[0] - width / 2);
        square += pow(value[1] - all * expected, 2) / (all * expected);
        inside += value[1];
        share += expected;
    }
    square += pow(all - inside - all * (1 - share), 2) / (all * (1 - share));
    // as for independent points; the number of values is known
    const double classes = bins, spread = 2 / (9 * classes),
                 deviation = (cbrt(square / classes) - (1 - spread)) / sqrt(spread);
    scree_report_near(trial, 0, deviation, 4.4, "%s: chi-square of %u classes, in standard deviations", name,
                      (unsigned)bins + 1);
    return SCREE_OK;
}

// Six collisions of each body between two samples: two thirds of a velocity are lost with each, so samples
// are correlated by e^-4. The gas has a fixed energy, which changes the distribution by terms of order 1/N:
// with 40 samples of 2744 bodies by 0.2 standard errors.
scree_status scree_observables_velocities(struct scree_trial *trial)
{
    enum { SAMPLES = 40, BINS = 30 };
    struct scree_hard_gas gas = {
        .dimension = 3, .side = 14, .fraction = 0.3, .restitution = 1, .seed = 1, .step = 0.02};
    scree_distribution_id component, speed;
    double a2;
    SCREE_TRY(scree_hard_gas_begin(trial, &gas));
    SCREE_TRY(scree_hard_gas_collide(trial, &gas, 40));
    SCREE_TRY(
        scree_distribution_add(trial->world,
                               &(struct scree_distribution_def){
                                   .kind = SCREE_DISTRIBUTION_VELOCITY_Y, .from = -3, .to = 3, .bins = BINS},
                               &component));
    SCREE_TRY(scree_distribution_add(
        trial->world,
        &(struct scree_distribution_def){.kind = SCREE_DISTRIBUTION_SPEED, .to = 3.6, .bins = BINS}, &speed));
    for (int s = 0; s < SAMPLES; ++s) {
        SCREE_TRY(scree_hard_gas_collide(trial, &gas, 6));
        SCREE_TRY(scree_distribution_sample(trial->world, component));
        SCREE_TRY(scree_distribution_sample(trial->world, speed));
    }
    const double count = (double)scree_hard_gas_count(&gas), all = SAMPLES * count;
    SCREE_TRY(compare_histogram(trial, component, BINS, 6.0 / BINS, all, below_component, "component"));
    SCREE_TRY(compare_histogram(trial, speed, BINS, 3.6 / BINS, all, below_speed, "speed"));
    SCREE_TRY(scree_measure_kurtosis(trial->world, NULL, &a2));
    // the variance of c^4 D/((D + 2) <c^2>^2) at a known mean of c^2: 8/15 per body
    scree_report_near(trial, 0, a2, 4.4 * sqrt(8.0 / 15 / count), "second Sonine coefficient");
    return SCREE_OK;
}

// --- mean free path

// 1/(2^(1/2) pi n chi), exact with the chi of the equation of state: the mean speed over the rate of
// collisions.
scree_status scree_observables_path(struct scree_trial *trial)
{
    for (int f = 1; f <= 4; ++f) {
        struct scree_hard_gas gas = {
            .dimension = 3, .side = 14, .fraction = 0.1 * f, .restitution = 1, .seed = (uint64_t)f};
        const double z = scree_hard_gas_pressure(3, gas.fraction), chi = (z - 1) / (4 * gas.fraction),
                     density = 6 * gas.fraction / pi, expected = 1 / (sqrt(2) * pi * density * chi),
                     rate = scree_hard_gas_rate(3, z, 1);
        const struct scree_flux_surface_window window = {.time = 1000};
        struct scree_measure_collision_means means;
        gas.step = 1 / rate;
        SCREE_TRY(scree_hard_gas_begin(trial, &gas));
        SCREE_TRY(scree_hard_gas_collide(trial, &gas, 40));
        SCREE_TRY(scree_measure_keep_collisions(trial->world, &window));
        SCREE_TRY(scree_hard_gas_collide(trial, &gas, 200));
        SCREE_TRY(scree_measure_collisions(trial->world, &window, &means));
        const double count = (double)scree_hard_gas_count(&gas), volume = count / density;
        // half a million paths, and the error of the series; 1/N as for the pressure
        const double tolerance = 3.5 / sqrt(200 * count) + 5e-4 + 2 / count;
        scree_report_near(trial, expected, means.free_path, tolerance * expected, "%.1f: mean free path",
                          gas.fraction);
        scree_report_near(trial, rate, means.rate, tolerance * rate, "%.1f: rate of collisions",
                          gas.fraction);
        // collisions are correlated: twice the error of independent ones
        scree_report_near(trial, (z - 1) * density, means.virial / (3 * volume),
                          2 * tolerance * (z - 1) * density, "%.1f: pressure of collisions", gas.fraction);
    }
    return SCREE_OK;
}

// --- diffusion

enum { LAGS = 40, STARTS = 60 };

struct diffusion {
    struct scree_gas_sample slope;
    double correlation[LAGS], square[LAGS], lag;
};

static scree_status diffuse(struct scree_trial *trial, struct scree_hard_gas *gas, struct diffusion *out)
{
    scree_distribution_id each, all;
    double first[SCREE_DISTRIBUTION_COLUMNS], last[SCREE_DISTRIBUTION_COLUMNS];
    *out = (struct diffusion){.lag = gas->step};
    SCREE_TRY(scree_hard_gas_begin(trial, gas));
    SCREE_TRY(scree_hard_gas_collide(trial, gas, 40));
    struct scree_distribution_def def = {.kind = SCREE_DISTRIBUTION_DISPLACEMENT, .bins = LAGS};
    SCREE_TRY(scree_distribution_add(trial->world, &def, &each));
    def.number = 1;
    SCREE_TRY(scree_distribution_add(trial->world, &def, &all));
    for (int s = 0; s <= STARTS * LAGS; ++s) {
        SCREE_TRY(scree_distribution_sample(trial->world, each));
        SCREE_TRY(scree_distribution_sample(trial->world, all));
        if (s > 0 && s % LAGS == 0) {
            SCREE_TRY(scree_distribution_bin(trial->world, each, LAGS / 2 - 1, first));
            SCREE_TRY(scree_distribution_bin(trial->world, each, LAGS - 1, last));
            scree_gas_sample_add(&out->slope, (last[2] - first[2]) / (6 * (last[0] - first[0])));
            SCREE_TRY(scree_distribution_reset(trial->world, each));
        }
        SCREE_TRY(scree_engine_run(trial->engine, 1));
    }
    for (uint32_t k = 0; k < LAGS; ++k) {
        SCREE_TRY(scree_distribution_bin(trial->world, all, k, first));
        out->square[k] = first[2];
        out->correlation[k] = first[6];
    }
    return SCREE_OK;
}

// The displacement that follows from the velocity correlation C: the integral of 2 (t - s) C(s) over s from 0
// to t, by Simpson's rule.
static double integrated(const struct diffusion *d)
{
    const double h = d->lag, end = LAGS * h;
    double sum = 3 * 2 * end;
    for (int k = 1; k <= LAGS; ++k)
        sum += (k == LAGS ? 1 : k % 2 == 1 ? 4 : 2) * 2 * (end - k * h) * d->correlation[k - 1];
    return sum * h / 3;
}

// Reference: R. J. Speedy, Mol. Phys. 62, 509 (1987), who fitted D n = 3/8 (T/pi)^(1/2) (1 - n/1.09)(1 + n^2
// (0.4 - 0.83 n^2)) to simulations of several authors, up to the density n = 1.08. D of a periodic cube of
// edge L is smaller than that of an infinite system, by about 2.84 T/(6 pi eta L) with the viscosity eta
// (I.-C. Yeh, G. Hummer, J. Phys. Chem. B 108, 15873 (2004)): at n = 0.47 with 512 spheres by a fifth, and
// with twice as many by 4 % less. This is the tolerance. Enskog's D is 3/8 (T/pi)^(1/2)/(n chi).
//
// Samples are a mean time between collisions apart, in which the correlation falls to a half: Simpson's rule
// has a relative error of (2/3)^4/180. Noise: 40 correlations, each a mean over 512 bodies and 60 starts with
// a standard error of 0.01, give 0.7 % of the displacement; the tolerance is four times as large.
scree_status scree_observables_diffusion(struct scree_trial *trial)
{
    static const double density[] = {0.2, 0.4714, 0.7071};
    for (int k = 0; k < 3; ++k) {
        const double n = density[k], z = scree_hard_gas_pressure(3, n * pi / 6),
                     enskog = 3 / (8 * sqrt(pi) * n) * (2 * pi * n / 3) / (z - 1),
                     speedy = 3 / (8 * sqrt(pi) * n) * (1 - n / 1.09) * (1 + n * n * (0.4 - 0.83 * n * n));
        struct scree_hard_gas gas = {
            .dimension = 3, .side = 8, .fraction = n * pi / 6, .restitution = 1, .seed = (uint64_t)k + 1};
        struct diffusion d;
        gas.step = 1 / scree_hard_gas_rate(3, z, 1);
        SCREE_TRY(diffuse(trial, &gas, &d));
        const double mean = scree_gas_sample_mean(&d.slope), error = scree_gas_sample_error(&d.slope);
        scree_report_near(trial, speedy / enskog, mean / enskog, (3.5 * error + 0.04 * speedy) / enskog,
                          "%.2f: D over that of Enskog (+- %.1g)", n, error / enskog);
        scree_report_near(trial, integrated(&d), d.square[LAGS - 1], 0.028 * d.square[LAGS - 1],
                          "%.2f: displacement from the velocity correlation", n);
    }
    return SCREE_OK;
}
