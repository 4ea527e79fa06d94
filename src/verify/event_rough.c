// Cooling of rough spheres, and the exchange of energy between their spins and velocities.
//
// With the rate of collisions w of a body at T_tr, q = 2/5 and h = q (1 + xi)/(2 q + 2), uniform gases with
// normal distributions have (M. Huthmann, A. Zippelius, Phys. Rev. E 56, R6275 (1997); S. Luding, M.
// Huthmann, S. McNamara, A. Zippelius, Phys. Rev. E 58, 3416 (1998))
//     dT_tr/dt  = 4/3 w (-((1 - e^2)/4 + h (1 - h)) T_tr + h^2/q T_rot)
//     dT_rot/dt = 4/3 w (h^2/q T_tr - h/q (1 - h/q) T_rot)
// Real distributions are not normal, and axes of spins are correlated with paths, which changes T_rot/T_tr by
// several per cent where xi is near 0 (N. V. Brilliantov, T. Poeschel, W. T. Kranz, A. Zippelius, Phys. Rev.
// Lett. 98, 128001 (2007)).
//
// Direct simulation of a dilute gas (G. A. Bird) has neither approximation: pairs, chosen with directions at
// random, collide with a probability proportional to their closing speed. It is compared at equal numbers of
// collisions. In the engine pairs meet again at a fraction of 0.05, and the first collisions are those of a
// lattice: energies that a collision takes may differ by 1 %, so T_tr by 1 % of its logarithm, and the ratio
// by the sum of both.

#include "algebra.h"
#include "event.h"
#include "gas_sample.h"
#include "hard_gas.h"
#include "verify.h"

enum { GRAINS = 20000, TIMES = 4, GASES = 6, SIDE = 13 };

static const double fraction = 0.05, inertia = 0.4;

struct law {
    double e, xi, model; // relative error of the rate equations
    double collisions[TIMES];
};

static double share(const struct law *law)
{
    return inertia * (1 + law->xi) / (2 * inertia + 2);
}

// --- rate equations

static void change(const struct law *law, const double temperature[2], double rate[2])
{
    const double h = share(law), q = inertia, e = law->e,
                 w = 4.0 / 3 * scree_hard_gas_rate(3, scree_hard_gas_pressure(3, fraction), temperature[0]);
    rate[0] = w * (-((1 - e * e) / 4 + h * (1 - h)) * temperature[0] + h * h / q * temperature[1]);
    rate[1] = w * (h * h / q * temperature[0] - h / q * (1 - h / q) * temperature[1]);
}

// The method of Runge and Kutta; its error is far below that of the theory.
static void advance(const struct law *law, double temperature[2], double time)
{
    enum { STEPS = 500 };
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const double step = time / STEPS;
    for (int s = 0; s < STEPS; ++s) {
        double at[2], rate[2] = {0}, sum[2] = {0};
        for (int k = 0; k < 4; ++k) {
            for (int c = 0; c < 2; ++c)
                at[c] = temperature[c] + part[k] * step * rate[c];
            change(law, at, rate);
            for (int c = 0; c < 2; ++c)
                sum[c] += weight[k] * rate[c];
        }
        for (int c = 0; c < 2; ++c)
            temperature[c] += step * sum[c];
    }
}

// --- direct simulation

struct dilute {
    struct {
        double velocity[3], spin[3];
    } grain[GRAINS];
    uint64_t seed, draws, collisions;
    double temperature[2];
};

static double draw(struct dilute *gas)
{
    return scree_algebra_draw(gas->seed, gas->draws++, 0);
}

static void take_temperature(struct dilute *gas)
{
    double square = 0, spin = 0;
    for (int g = 0; g < GRAINS; ++g) {
        square += scree_algebra_dot(gas->grain[g].velocity, gas->grain[g].velocity, 3);
        spin += scree_algebra_dot(gas->grain[g].spin, gas->grain[g].spin, 3);
    }
    gas->temperature[0] = square / (3.0 * GRAINS);
    gas->temperature[1] = inertia / 4 * spin / (3.0 * GRAINS);
}

static void make_dilute(struct dilute *gas, uint64_t seed)
{
    gas->seed = seed;
    gas->draws = gas->collisions = 0;
    for (int g = 0; g < GRAINS; ++g)
        for (int k = 0; k < 3; ++k) {
            gas->grain[g].velocity[k] = sqrt(3) * draw(gas);
            gas->grain[g].spin[k] = 0;
        }
    take_temperature(gas);
}

// One attempt; closing speeds are below `fastest`.
static void attempt(struct dilute *gas, const struct law *law, double fastest)
{
    const int a = (int)(0.5 * (1 + draw(gas)) * GRAINS), b = (int)(0.5 * (1 + draw(gas)) * GRAINS);
    double *u = gas->grain[a].velocity, *v = gas->grain[b].velocity, *first = gas->grain[a].spin,
           *second = gas->grain[b].spin, n[3], spins[3], surface[3], moment[3], impulse[3], square;
    do
        for (int k = 0; k < 3; ++k)
            n[k] = draw(gas);
    while ((square = scree_algebra_dot(n, n, 3)) > 1 || square < 1e-6);
    for (int k = 0; k < 3; ++k)
        n[k] /= sqrt(square);
    const double closing = scree_algebra_dot(v, n, 3) - scree_algebra_dot(u, n, 3);
    if (a == b || closing <= 0 || 0.5 * (1 + draw(gas)) * fastest >= closing)
        return;
    for (int k = 0; k < 3; ++k)
        spins[k] = first[k] + second[k];
    scree_algebra_cross(spins, n, surface);
    for (int k = 0; k < 3; ++k) {
        const double tangential = u[k] - v[k] + closing * n[k] - 0.5 * surface[k];
        impulse[k] = 0.5 * (1 + law->e) * closing * n[k] - share(law) * tangential;
        u[k] += impulse[k];
        v[k] -= impulse[k];
    }
    scree_algebra_cross(n, impulse, moment);
    for (int k = 0; k < 3; ++k) {
        first[k] -= 2 / inertia * moment[k];
        second[k] -= 2 / inertia * moment[k];
    }
    ++gas->collisions;
}

// Until each grain has had so many collisions. Relative velocities are below 10 standard deviations.
static void collide(struct dilute *gas, const struct law *law, double collisions)
{
    const uint64_t last = (uint64_t)(0.5 * collisions * GRAINS);
    while (gas->collisions < last) {
        const double fastest = 10 * sqrt(2 * gas->temperature[0]);
        for (int k = 0; k < GRAINS && gas->collisions < last; ++k)
            attempt(gas, law, fastest);
        take_temperature(gas);
    }
}

// --- comparison

struct samples {
    struct scree_gas_sample ratio, translation, theory_ratio, theory_translation, dilute_ratio,
        dilute_translation;
};

// A gas that starts without spins, and both references for it at the same times and numbers of collisions.
static scree_status run(struct scree_trial *trial, const struct law *law, uint64_t seed,
                        struct samples samples[TIMES])
{
    static struct dilute dilute;
    const struct scree_hard_gas gas = {.dimension = 3,
                                       .side = SIDE,
                                       .fraction = fraction,
                                       .restitution = law->e,
                                       .rough = true,
                                       .tangential = law->xi,
                                       .seed = seed,
                                       .step = 0.2};
    struct scree_hard_gas_state state;
    double theory[2] = {0};
    SCREE_TRY(scree_hard_gas_begin(trial, &gas));
    make_dilute(&dilute, seed);
    for (int k = 0; k < TIMES; ++k) {
        const double time = scree_world_time(trial->world);
        SCREE_TRY(scree_hard_gas_collide(trial, &gas, law->collisions[k]));
        SCREE_TRY(scree_hard_gas_get(trial, &gas, &state));
        collide(&dilute, law, 2 * (double)state.collisions / (double)scree_hard_gas_count(&gas));
        // the lattice and the uniform distribution of velocities are forgotten by the first time
        if (k == 0) {
            theory[0] = state.translation;
            theory[1] = state.rotation;
        } else
            advance(law, theory, state.time - time);
        scree_gas_sample_add(&samples[k].ratio, state.rotation / state.translation);
        scree_gas_sample_add(&samples[k].translation, state.translation);
        scree_gas_sample_add(&samples[k].theory_ratio, theory[1] / theory[0]);
        scree_gas_sample_add(&samples[k].theory_translation, theory[0]);
        scree_gas_sample_add(&samples[k].dilute_ratio, dilute.temperature[1] / dilute.temperature[0]);
        scree_gas_sample_add(&samples[k].dilute_translation, dilute.temperature[0]);
    }
    return SCREE_OK;
}

static void compare(struct scree_trial *trial, const struct law *law, double collisions, const char *name,
                    double model, const struct scree_gas_sample *expected,
                    const struct scree_gas_sample *computed)
{
    const double reference = scree_gas_sample_mean(expected),
                 noise = hypot(scree_gas_sample_error(expected), scree_gas_sample_error(computed));
    scree_report_near(trial, reference, scree_gas_sample_mean(computed), 3 * noise + model * reference,
                      "e %g, xi %g, %g collisions: %s (+- %.1g)", law->e, law->xi, collisions, name, noise);
}

scree_status scree_event_rough(struct scree_trial *trial)
{
    static const struct law laws[] = {{1, 1, 0.01, {1, 1, 2, 16}},
                                      {0.95, 0.8, 0.03, {2, 3, 5, 10}},
                                      {0.9, 0, 0.1, {2, 3, 5, 10}},
                                      {0.95, -0.8, 0.03, {2, 8, 10, 20}}};
    for (size_t l = 0; l < sizeof laws / sizeof laws[0]; ++l) {
        const struct law *law = &laws[l];
        struct samples samples[TIMES] = {{.ratio = {0}}};
        double sum = 0;
        for (uint64_t seed = 1; seed <= GASES; ++seed)
            SCREE_TRY(run(trial, law, seed, samples));
        for (int k = 0; k < TIMES; ++k) {
            const struct samples *at = &samples[k];
            sum += law->collisions[k];
            compare(trial, law, sum, "T_rot/T_tr, dilute gas", 0.02, &at->dilute_ratio, &at->ratio);
            compare(trial, law, sum, "T_tr, dilute gas",
                    -0.01 * log(scree_gas_sample_mean(&at->dilute_translation)), &at->dilute_translation,
                    &at->translation);
            if (k == 0)
                continue;
            compare(trial, law, sum, "T_rot/T_tr, theory", law->model, &at->theory_ratio, &at->ratio);
            compare(trial, law, sum, "T_tr, theory", law->model, &at->theory_translation, &at->translation);
        }
    }
    return SCREE_OK;
}
