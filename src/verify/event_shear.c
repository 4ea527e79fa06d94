// A granular gas of hard spheres in uniform shear, in a cell that deforms, in the event engine.
//
// References: Enskog's equation, by direct simulation and by its second moments with a normal distribution;
// and another program that goes from collision to collision, with images that slide along a face.
//
// Enskog's equation takes velocities before a collision as independent. In a sheared gas long waves of the
// velocity are not: a vortex across the flow carries spheres into streaks of the velocity along it, so that
// waves carry momentum too. Their part of the viscosity, in linear hydrodynamics (M. H. Ernst, E. H. Hauge,
// J. M. J. van Leeuwen, Phys. Rev. A 4, 2055 (1971)), is derived in docs/theory/hard-spheres.md:
//     x = 7/15 T / (2 v^2 N) sum of 1 / k^2 over the waves k of the cell, k < 1 / path,
// with the kinematic viscosity v. It is an estimate, because waves as short as the mean free path are no
// hydrodynamics. So the viscosity at a given temperature is larger than that of Enskog by 0 to x; then the
// temperature and the pressure are by 0 to x, too, and the shear stress by 0 to 3 x / 2, since heating equals
// cooling, T^(3/2). The centre of these ranges is expected, and half of them is tolerated; and 2 / N for the
// missing partner of each sphere.
//
// The energy relaxes over a strain of about 7, twice 3 n T / 2 over the shear stress.

#include "algebra.h"
#include "event.h"
#include "events.h"
#include "shear_gas.h"
#include "verify.h"

#include <stdio.h>

static const double pi = 3.14159265358979323846;

// The part x of waves in the viscosity of n^3 spheres, in the state of Enskog's equation.
static double waves(const struct scree_shear_gas *gas, const struct scree_enskog_state *state)
{
    const double f = gas->fraction, density = 6 * f / pi, chi = (1 - 0.5 * f) / ((1 - f) * (1 - f) * (1 - f)),
                 path = 1 / (sqrt(2.0) * pi * density * chi), side = (double)gas->side,
                 unit = 2 * pi / (side * cbrt(pi / 6 / f)),
                 viscosity = state->value[SCREE_ENSKOG_SHEAR] / density;
    const int most = (int)(1 / (path * unit));
    double sum = 0;
    for (int a = -most; a <= most; ++a)
        for (int b = -most; b <= most; ++b)
            for (int c = -most; c <= most; ++c) {
                const double square = unit * unit * (a * a + b * b + c * c);
                sum += square > 0 && square * path * path < 1 ? 1 / square : 0;
            }
    return 7.0 / 15 * state->value[SCREE_ENSKOG_TEMPERATURE] / (2 * viscosity * viscosity * pow(side, 3)) *
           sum;
}

// `expected` with a part x of waves, half of which is uncertain; and two more relative errors, that of the
// normal stresses relative to the first difference of them. Standard errors are those of blocks: with the
// shortest here, of a strain of 19, they are up to 1.2 times as large.
static void compare(struct scree_trial *trial, const struct scree_enskog_state *expected,
                    const struct scree_enskog_state *state, double x, double model, double stresses,
                    const char *name)
{
    static const double power[SCREE_ENSKOG_NUMBERS] = {1, 1, 1.5, 1, 1};
    for (int k = 0; k < SCREE_ENSKOG_NUMBERS; ++k) {
        const bool ratio = k >= SCREE_ENSKOG_FIRST;
        const double unit = expected->value[ratio ? SCREE_ENSKOG_FIRST : k], half = 0.5 * power[k] * x * unit,
                     noise = hypot(expected->error[k], state->error[k]);
        scree_report_near(trial, expected->value[k] + (ratio ? 0 : half), state->value[k],
                          4 * noise + half + (ratio ? stresses : model) * unit, "%s: %s (+- %.2g)", name,
                          scree_enskog_names[k], noise);
    }
}

// The closed form of the dilute limit in Grad's approximation, linear in the deviator of the stress (A.
// Santos, V. Garzo, J. W. Dufty, Phys. Rev. E 69, 061303 (2004)): with the collision rate r of an elastic
// gas, its viscosity n T / r, p_yy = p_zz = b / (b + z) p, z = 5/12 (1 - e^2), b = (1 + e)/2 (1 - (1 - e)/3),
// in units of r the cooling rate and that of the deviator, and 1 / r^2 = 3/2 z (b + z)^2 / b.
static void check_dilute_limit(struct scree_trial *trial)
{
    const double e = 0.9, fraction = 1e-5, density = 6 * fraction / pi, z = 5.0 / 12 * (1 - e * e),
                 b = 0.5 * (1 + e) * (1 - (1 - e) / 3), rate = sqrt(b / (1.5 * z)) / (b + z),
                 root = rate * 5 / (16 * sqrt(pi) * density), pressure = density * root * root,
                 difference = 3 * z / (b + z);
    const struct scree_enskog_state grad = {{root * root, pressure, 1.5 * z * rate * pressure, difference, 0},
                                            {0}};
    const struct scree_enskog_state gauss = scree_enskog_gauss(fraction, e, (double)INFINITY);
    // terms of second order in the deviator
    compare(trial, &grad, &gauss, 0, 0.5 * difference * difference, 0.5 * difference,
            "dilute: Grad's approximation");
}

// Second moments with a normal distribution against the direct simulation: in the elastic limit the viscosity
// is the first Sonine approximation, 1.6 % too small; other terms are of second order in the deviator.
static void check_moments(struct scree_trial *trial, const struct scree_shear_gas *gas,
                          const struct scree_enskog_state *enskog)
{
    const struct scree_enskog_state gauss =
        scree_enskog_gauss(gas->fraction, gas->restitution, (double)INFINITY);
    const double a = gauss.value[SCREE_ENSKOG_FIRST];
    compare(trial, enskog, &gauss, 0, 0.016 + 0.5 * a * a, 0.016 + 0.5 * a, "moments of Enskog's equation");
}

// Waves add to the difference of normal stresses about as much as to the shear stress, twice as much of it.
static scree_status check_theory(struct scree_trial *trial, const struct scree_shear_gas *gas)
{
    struct scree_enskog_state state;
    const struct scree_enskog_state enskog = scree_enskog_solve(gas->fraction, gas->restitution, 40);
    const double x = waves(gas, &enskog), few = 2 / pow((double)gas->side, 3);
    char name[80];
    SCREE_TRY(scree_shear_gas_measure(trial, gas, &state, NULL));
    check_moments(trial, gas, &enskog);
    snprintf(name, sizeof name, "f = %g, e = %g, Enskog and waves of %.1f %%", gas->fraction,
             gas->restitution, 50 * x);
    compare(trial, &enskog, &state, x, few, few + 2 * x, name);
    return SCREE_OK;
}

scree_status scree_event_shear(struct scree_trial *trial)
{
    static const double states[4][2] = {{0.05, 0.95}, {0.05, 0.9}, {0.1, 0.95}, {0.1, 0.9}};
    struct scree_shear_gas gas = {.side = 6, .strain = 300};
    struct scree_enskog_state state, expected;
    check_dilute_limit(trial);
    for (int s = 0; s < 4; ++s) {
        gas.fraction = states[s][0];
        gas.restitution = states[s][1];
        SCREE_TRY(check_theory(trial, &gas));
    }
    gas.side = 5;
    SCREE_TRY(scree_shear_gas_measure(trial, &gas, &state, NULL));
    expected = scree_events_shear(gas.fraction, gas.restitution, (int)gas.side,
                                  state.value[SCREE_ENSKOG_TEMPERATURE], gas.strain);
    compare(trial, &expected, &state, 0, 0, 0, "images that slide");
    return SCREE_OK;
}

// With more spheres there are longer waves. The longest one along z, k = 2 pi / L: a wave of u_y has the
// amplitude N <u_y^2> = T of equilibrium and makes one of u_x by the gradient of the velocity, both fade with
// v k^2; so that N <u_x u_y> = -T a and N <u_x^2> = T (1 + 2 a^2), a = 1 / (2 v k^2). These are printed.
scree_status scree_event_long_shear(struct scree_trial *trial)
{
    static const size_t sides[5] = {5, 6, 8, 12, 16};
    const struct scree_enskog_state enskog = scree_enskog_solve(0.1, 0.9, 200);
    for (int s = 0; s < 5; ++s) {
        const double count = pow((double)sides[s], 3);
        const struct scree_shear_gas gas = {
            .fraction = 0.1, .restitution = 0.9, .side = sides[s], .strain = 80 + 300000 / count};
        struct scree_enskog_state state;
        struct scree_shear_waves longest;
        char name[80];
        SCREE_TRY(scree_shear_gas_measure(trial, &gas, &state, &longest));
        const double x = waves(&gas, &enskog), unit = 2 * pi / cbrt(count * pi / 6 / gas.fraction),
                     a = 3 * gas.fraction / (pi * state.value[SCREE_ENSKOG_SHEAR] * unit * unit);
        snprintf(name, sizeof name, "%.0f spheres, Enskog and waves of %.1f %%", count, 50 * x);
        compare(trial, &enskog, &state, x, 2 / count, 2 / count + 2 * x, name);
        scree_report_unchecked(trial, 1 + 2 * a * a, longest.along, "%.0f spheres: longest wave of u_x",
                               count);
        scree_report_unchecked(trial, -a, longest.product, "%.0f spheres: longest wave of u_x u_y", count);
    }
    return SCREE_OK;
}
