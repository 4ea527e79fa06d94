// Kinetic theory of uniform shear, see enskog.h.
//
// Navier-Stokes: V. Garzo, J. W. Dufty, Phys. Rev. E 59, 5895 (1999), first Sonine approximation, with the
// contact value of Carnahan and Starling. Steady shear heats as much as collisions cool: eta g^2 = 3/2 n T
// zeta.
//
// Enskog's equation for uniform shear is homogeneous in fluctuations V of velocities, with the partner of a
// collision at a distance of a diameter along s (from the partner), where the mean velocity differs by g s_y:
//     df/dt - g V_y df/dV_x = n chi d^2 int ds int dV2 |w.s| (...),  w = V1 - V2 + g d s_y x, w.s < 0.
// Direct simulation (J. M. Montanero, A. Santos, Phys. Rev. E 54, 438 (1996); for this flow Montanero, Garzo,
// Santos, Brey, J. Fluid Mech. 389, 391 (1999)): in a time h grains change V_x by -g V_y h, and N/2 pairs,
// chosen with directions s at random, collide with the probability 4 pi d^2 n chi h |w.s|. It has no
// approximation but noise, h, and the number of grains.

#include "enskog.h"

#include "algebra.h"

static const double pi = 3.14159265358979323846;

const char *const scree_enskog_names[SCREE_ENSKOG_NUMBERS] = {"temperature", "pressure", "shear stress",
                                                              "normal stresses xx - yy over pressure",
                                                              "normal stresses yy - zz over pressure"};

// Carnahan and Starling.
static double contact_value(double fraction)
{
    return (1 - 0.5 * fraction) / ((1 - fraction) * (1 - fraction) * (1 - fraction));
}

struct scree_enskog_state scree_enskog_from(const struct scree_enskog_sums *sums)
{
    struct scree_enskog_state state = {{0}, {0}};
    struct scree_series all = {{0}, {0}}, first = sums->normal[0], second = sums->normal[1];
    for (int b = 0; b < SCREE_SERIES_BLOCKS; ++b) {
        all.count[b] = first.count[b];
        all.sum[b] = (sums->normal[0].sum[b] + sums->normal[1].sum[b] + sums->normal[2].sum[b]) / 3;
        first.sum[b] -= sums->normal[1].sum[b];
        second.sum[b] -= sums->normal[2].sum[b];
    }
    const double pressure = scree_series_mean(&all);
    const double values[SCREE_ENSKOG_NUMBERS] = {
        scree_series_mean(&sums->temperature), pressure, scree_series_mean(&sums->shear),
        scree_series_mean(&first) / pressure, scree_series_mean(&second) / pressure};
    const double errors[SCREE_ENSKOG_NUMBERS] = {
        scree_series_error(&sums->temperature), scree_series_error(&all), scree_series_error(&sums->shear),
        scree_series_error(&first) / pressure, scree_series_error(&second) / pressure};
    memcpy(state.value, values, sizeof values);
    memcpy(state.error, errors, sizeof errors);
    return state;
}

struct scree_enskog_state scree_enskog_navier_stokes(double fraction, double restitution)
{
    const double e = restitution, chi = contact_value(fraction), density = 6 * fraction / pi;
    const double c = 32 * (1 - e) * (1 - 2 * e * e) / (81 - 17 * e + 30 * e * e * (1 - e));
    const double cooling = 5.0 / 12 * chi * (1 - e * e) * (1 + 3 * c / 32),
                 rate = chi * (1 - 0.25 * (1 - e) * (1 - e)) * (1 - c / 64),
                 bulk = 128 / (5 * pi) * fraction * fraction * chi * (1 + e) * (1 - c / 32),
                 kinetic = (1 - 0.4 * (1 + e) * (1 - 3 * e) * fraction * chi) / (rate - 0.5 * cooling),
                 viscosity = kinetic * (1 + 0.8 * fraction * chi * (1 + e)) + 0.6 * bulk;
    // eta = v sqrt(T) viscosity and zeta = n T^(1/2) / v cooling, with v = 5 / (16 sqrt(pi))
    const double unit = 5 / (16 * sqrt(pi)),
                 temperature = unit * unit * viscosity / (1.5 * density * density * cooling);
    struct scree_enskog_state state = {{temperature,
                                        density * temperature * (1 + 2 * (1 + e) * fraction * chi),
                                        unit * sqrt(temperature) * viscosity},
                                       {0}};
    return state;
}

// --- direct simulation

enum { GRAINS = 16384, SEED = 11 };

struct gas {
    double (*velocity)[3];
    uint64_t draws;
    double restitution, rate; // 4 pi d^2 n chi h
    double impulse[4];        // sums of s_x J_x, s_y J_y, s_z J_z, s_x J_y over collisions
};

static double draw(struct gas *gas)
{
    return scree_algebra_draw(SEED, gas->draws++, 0);
}

static void direction(struct gas *gas, double s[3])
{
    const double z = draw(gas), angle = pi * draw(gas), across = sqrt(1 - z * z);
    s[0] = across * cos(angle);
    s[1] = across * sin(angle);
    s[2] = z;
}

static void begin(struct gas *gas, double temperature)
{
    for (int g = 0; g < GRAINS; ++g)
        // uniform in a cube, whose components have the variance 1/3; collisions make the distribution
        for (int k = 0; k < 3; ++k)
            gas->velocity[g][k] = sqrt(3 * temperature) * draw(gas);
}

static void collide(struct gas *gas, double *a, double *b)
{
    double s[3];
    direction(gas, s);
    const double closing = -(scree_algebra_dot(a, s, 3) - scree_algebra_dot(b, s, 3) + s[0] * s[1]);
    if (closing <= 0 || 0.5 * (1 + draw(gas)) >= gas->rate * closing)
        return;
    const double impulse = 0.5 * (1 + gas->restitution) * closing;
    for (int k = 0; k < 3; ++k) {
        a[k] += impulse * s[k];
        b[k] -= impulse * s[k];
        gas->impulse[k] += impulse * s[k] * s[k];
    }
    gas->impulse[3] += impulse * s[0] * s[1];
}

static void advance(struct gas *gas, double step)
{
    for (int g = 0; g < GRAINS; ++g)
        gas->velocity[g][0] -= step * gas->velocity[g][1];
    for (int p = 0; p < GRAINS / 2; ++p) {
        const int a = (int)(0.5 * (1 + draw(gas)) * GRAINS), b = (int)(0.5 * (1 + draw(gas)) * GRAINS);
        if (a != b)
            collide(gas, gas->velocity[a], gas->velocity[b]);
    }
}

static void sample(struct gas *gas, struct scree_enskog_sums *sums, size_t index, size_t total,
                   double density, double step)
{
    double mean[3] = {0}, square[4] = {0};
    for (int g = 0; g < GRAINS; ++g) {
        const double *v = gas->velocity[g];
        for (int k = 0; k < 3; ++k) {
            mean[k] += v[k] / GRAINS;
            square[k] += v[k] * v[k] / GRAINS;
        }
        square[3] += v[0] * v[1] / GRAINS;
    }
    for (int k = 0; k < 3; ++k) {
        const double kinetic = square[k] - mean[k] * mean[k];
        scree_series_add(&sums->normal[k], index, total,
                         density * (kinetic + gas->impulse[k] / (GRAINS * step)));
        square[k] = kinetic;
    }
    scree_series_add(&sums->temperature, index, total, (square[0] + square[1] + square[2]) / 3);
    scree_series_add(&sums->shear, index, total,
                     -density * (square[3] - mean[0] * mean[1] + gas->impulse[3] / (GRAINS * step)));
}

struct scree_enskog_state scree_enskog_solve(double fraction, double restitution, double strain)
{
    static double velocity[GRAINS][3];
    const double density = 6 * fraction / pi, chi = contact_value(fraction),
                 temperature =
                     scree_enskog_navier_stokes(fraction, restitution).value[SCREE_ENSKOG_TEMPERATURE];
    struct gas gas = {.velocity = velocity, .restitution = restitution};
    // closing speeds are below 8 standard deviations
    const double step = 1 / (4 * pi * density * chi * 8 * sqrt(2 * temperature));
    const size_t steps = (size_t)(strain / step), before = steps / 5;
    struct scree_enskog_sums sums = {0};
    gas.rate = 4 * pi * density * chi * step;
    begin(&gas, temperature);
    for (size_t s = 0; s < steps; ++s) {
        memset(gas.impulse, 0, sizeof gas.impulse);
        advance(&gas, step);
        if (s >= before)
            sample(&gas, &sums, s - before, steps - before, density, step);
    }
    return scree_enskog_from(&sums);
}
