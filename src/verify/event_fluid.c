// Pressure and rate of collisions of hard spheres and disks in equilibrium.
//
// The pressure is that of the virial of collisions, Z = 1 + sum of impulse times distance / (D N T t).
// Without the motion of the centre of mass, T is twice the kinetic energy over D (N - 1); standard errors are
// those of 16 blocks of the run. Besides them, a gas of N bodies without the motion of its centre of mass
// differs from an infinite one by an amount of order 1/N.

#include "event.h"
#include "hard_gas.h"
#include "series.h"
#include "verify.h"

enum { SAMPLES = 320, MELT = 40 };

struct fluid {
    struct scree_series pressure, rate;
};

// Bodies collide `collisions` times on average, after those that melt the lattice.
static scree_status measure(struct scree_trial *trial, struct scree_hard_gas *gas, double expected,
                            double collisions, struct fluid *fluid)
{
    const double rate = scree_hard_gas_rate(gas->dimension, expected, 1),
                 count = (double)scree_hard_gas_count(gas);
    struct scree_hard_gas_state last, next;
    *fluid = (struct fluid){{{0}, {0}}, {{0}, {0}}};
    gas->step = collisions / rate / SAMPLES;
    SCREE_TRY(scree_hard_gas_begin(trial, gas));
    SCREE_TRY(scree_hard_gas_collide(trial, gas, MELT));
    SCREE_TRY(scree_hard_gas_get(trial, gas, &last));
    for (size_t s = 0; s < SAMPLES; ++s) {
        SCREE_TRY(scree_engine_run(trial->engine, 1));
        SCREE_TRY(scree_hard_gas_get(trial, gas, &next));
        const double time = next.time - last.time, energy = gas->dimension * count * next.translation;
        scree_series_add(&fluid->pressure, s, SAMPLES, 1 + (next.virial - last.virial) / (time * energy));
        scree_series_add(&fluid->rate, s, SAMPLES,
                         2 * (double)(next.collisions - last.collisions) / (count * time));
        last = next;
    }
    return SCREE_OK;
}

// `best` is an equation of state whose relative error is 5e-4 at most.
static void report(struct scree_trial *trial, const struct scree_hard_gas *gas, const struct fluid *fluid,
                   double best)
{
    const double count = (double)scree_hard_gas_count(gas), model = 5e-4 + 2 / count;
    const double z = scree_series_mean(&fluid->pressure), error = scree_series_error(&fluid->pressure),
                 rate = scree_series_mean(&fluid->rate), rate_error = scree_series_error(&fluid->rate),
                 expected = scree_hard_gas_rate(gas->dimension, best, 1);
    scree_report_at_most(trial, 1e-3, error / z, "%.2f: standard error of the pressure", gas->fraction);
    scree_report_near(trial, best, z, 3 * error + model * best, "%.2f: pressure", gas->fraction);
    scree_report_near(trial, expected, rate, 3 * rate_error + model * expected, "%.2f: rate of collisions",
                      gas->fraction);
}

// N. F. Carnahan, K. E. Starling, J. Chem. Phys. 51, 635 (1969), which is up to 0.3 % too low, and J. Kolafa
// (1986; T. Boublik, I. Nezbeda, Collect. Czech. Chem. Commun. 51, 2301), which is within 0.1 %.
scree_status scree_event_spheres(struct scree_trial *trial)
{
    for (int k = 2; k <= 9; ++k) {
        const double f = 0.05 * k, carnahan = (1 + f + f * f - f * f * f) / pow(1 - f, 3),
                     kolafa = carnahan + f * f * f * (1 - 2 * f) / (3 * pow(1 - f, 3));
        struct scree_hard_gas gas = {
            .dimension = 3, .side = 16, .fraction = f, .restitution = 1, .seed = (uint64_t)k};
        struct fluid fluid;
        SCREE_TRY(measure(trial, &gas, carnahan, k == 9 ? 1600 : 600, &fluid));
        scree_report_near(trial, carnahan, scree_series_mean(&fluid.pressure),
                          3e-3 * carnahan + 3 * scree_series_error(&fluid.pressure),
                          "%.2f: pressure, Carnahan and Starling", f);
        scree_report_near(trial, kolafa, scree_series_mean(&fluid.pressure),
                          1e-3 * kolafa + 3 * scree_series_error(&fluid.pressure), "%.2f: pressure, Kolafa",
                          f);
        report(trial, &gas, &fluid, scree_hard_gas_pressure(3, f));
    }
    return SCREE_OK;
}

// R. J. Speedy, J. Phys. Condens. Matter 10, 4387 (1998): the face-centred cubic crystal, with the fraction
// relative to close packing.
scree_status scree_event_crystal(struct scree_trial *trial)
{
    struct scree_hard_gas gas = {
        .dimension = 3, .side = 10, .fcc = true, .fraction = 0.55, .restitution = 1, .seed = 1};
    const double y = gas.fraction / 0.74048048969306104,
                 speedy = 3 / (1 - y) - 0.5921 * (y - 0.7072) / (y - 0.601);
    struct fluid fluid;
    SCREE_TRY(measure(trial, &gas, speedy, 600, &fluid));
    scree_report_near(trial, speedy, scree_series_mean(&fluid.pressure), 5e-3 * speedy, "pressure, Speedy");
    scree_report_at_most(trial, 1e-3, scree_series_error(&fluid.pressure) / speedy, "its standard error");
    return SCREE_OK;
}

scree_status scree_event_disks(struct scree_trial *trial)
{
    for (int k = 1; k <= 6; ++k) {
        struct scree_hard_gas gas = {
            .dimension = 2, .side = 64, .fraction = 0.1 * k, .restitution = 1, .seed = (uint64_t)k};
        const double best = scree_hard_gas_pressure(2, gas.fraction);
        struct fluid fluid;
        SCREE_TRY(measure(trial, &gas, best, k == 6 ? 1200 : 600, &fluid));
        scree_report_near(trial, best, scree_series_mean(&fluid.pressure), 3e-3 * best,
                          "%.2f: pressure, virial series", gas.fraction);
        report(trial, &gas, &fluid, best);
    }
    return SCREE_OK;
}
