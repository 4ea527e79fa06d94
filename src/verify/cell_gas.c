// A granular gas in uniform shear, in a cell that deforms, against kinetic theory.
//
// Frictionless spheres in the form `newton`, at a solid fraction of 0.1. Units: diameter, mass and shear rate
// are 1. Theory is for hard spheres; the engine has springs, so that references have three corrections:
//
// The diameter is that of Barker and Henderson, d_eff = int 1 - exp(-k u^2 / 2 T) du = d - (pi T / 2
// k)^(1/2), which gives the pressure of hard spheres to first order in the softness (d - d_eff) / d. Other
// lengths of this order, as half of the mean closing speed times the contact time, differ from d - d_eff by
// up to 0.6 of it. Temperature goes with d^-4, stresses with d^-5 to d^-2, so the rest of the error is at
// most 3 times the softness.
//
// The coefficient of restitution is that at the given step, from impacts of pairs at all phases of the step:
// it has an error of order 2 in step over contact time, and cooling goes with 1 - e^2.
//
// The temperature is that without the motion of the centre of mass, N / (N - 1).

#include "cell.h"
#include "enskog.h"
#include "events.h"
#include "shear_gas.h"
#include "verify.h"

#include <math.h>

static const double pi = 3.14159265358979323846, fraction = 0.1;

struct gas {
    double restitution;
    size_t side;      // of the cube of grains
    double softness;  // at the temperature of Navier-Stokes theory
    double steps;     // per contact time
    double strain;    // of the measurement; a fifth of it comes before
    double reference; // strain of the direct simulation
};

// --- comparisons

// A state of hard spheres of the effective diameter in units of the diameter.
static void take_diameter(struct scree_enskog_state *state, double diameter)
{
    const double factor[SCREE_ENSKOG_NUMBERS] = {diameter * diameter, 1 / diameter, 1 / diameter, 1, 1};
    for (int k = 0; k < SCREE_ENSKOG_NUMBERS; ++k) {
        state->value[k] *= factor[k];
        state->error[k] *= factor[k];
    }
}

// `model` is the relative error of a theory; differences of normal stresses have four times that of the
// first.
static void compare(struct scree_trial *trial, const struct scree_enskog_state *expected,
                    const struct scree_enskog_state *state, double softness, double model, const char *name)
{
    for (int k = 0; k < SCREE_ENSKOG_NUMBERS; ++k) {
        const bool ratio = k >= SCREE_ENSKOG_FIRST;
        const double unit = expected->value[ratio ? SCREE_ENSKOG_FIRST : k],
                     noise = hypot(expected->error[k], state->error[k]);
        scree_report_near(trial, expected->value[k], state->value[k],
                          3 * noise + (3 * softness + (ratio ? 4 * model : model)) * unit, "%s: %s (+- %.2g)",
                          name, scree_enskog_names[k], noise);
    }
}

// What the engine gives, and the hard spheres that it counts as.
struct result {
    struct scree_enskog_state state;
    double restitution, softness, diameter, fraction;
};

static scree_status run(struct scree_trial *trial, const struct gas *gas, struct result *result)
{
    const double guess =
        scree_enskog_navier_stokes(fraction, gas->restitution).value[SCREE_ENSKOG_TEMPERATURE];
    const struct scree_shear_gas soft = {.fraction = fraction,
                                         .restitution = gas->restitution,
                                         .side = gas->side,
                                         .stiffness = pi * guess / (2 * gas->softness * gas->softness),
                                         .steps = gas->steps,
                                         .strain = gas->strain};
    SCREE_TRY(scree_shear_gas_restitution(trial, &soft, &result->restitution));
    SCREE_TRY(scree_shear_gas_measure(trial, &soft, &result->state, NULL));
    result->softness = sqrt(pi * result->state.value[SCREE_ENSKOG_TEMPERATURE] / (2 * soft.stiffness));
    result->diameter = 1 - result->softness;
    result->fraction = fraction * pow(result->diameter, 3);
    // of order 2 in the step, and smaller than 1 - e^2 by far
    scree_report_near(trial, gas->restitution, result->restitution,
                      3 * (1 - gas->restitution * gas->restitution) / (gas->steps * gas->steps),
                      "restitution at %g steps per contact", gas->steps);
    return SCREE_OK;
}

static void compare_with_enskog(struct scree_trial *trial, const struct gas *gas, const struct result *result)
{
    struct scree_enskog_state expected =
        scree_enskog_solve(result->fraction, result->restitution, gas->reference);
    take_diameter(&expected, result->diameter);
    compare(trial, &expected, &result->state, result->softness, 0.05, "Enskog");
}

static void compare_with_events(struct scree_trial *trial, const struct gas *gas, const struct result *result)
{
    struct scree_enskog_state expected =
        scree_events_shear(result->fraction, result->restitution, (int)gas->side,
                           result->state.value[SCREE_ENSKOG_TEMPERATURE], gas->strain);
    take_diameter(&expected, result->diameter);
    compare(trial, &expected, &result->state, result->softness, 0, "hard spheres");
}

scree_status scree_cell_gas(struct scree_trial *trial)
{
    static const struct gas gas = {0.9, 8, 0.015, 12, 16, 10};
    struct result result;
    SCREE_TRY(run(trial, &gas, &result));
    compare_with_enskog(trial, &gas, &result);
    return SCREE_OK;
}

scree_status scree_cell_long_gas(struct scree_trial *trial)
{
    static const struct gas slow = {0.99, 8, 0.005, 16, 100, 100}, fast = {0.9, 8, 0.005, 16, 250, 100};
    struct result result;
    SCREE_TRY(run(trial, &slow, &result));
    struct scree_enskog_state fluid = scree_enskog_navier_stokes(result.fraction, result.restitution);
    take_diameter(&fluid, result.diameter);
    // without differences of normal stresses
    for (int k = 0; k < SCREE_ENSKOG_FIRST; ++k)
        scree_report_near(trial, fluid.value[k], result.state.value[k], 0.03 * fluid.value[k],
                          "Navier-Stokes: %s (+- %.2g)", scree_enskog_names[k], result.state.error[k]);
    compare_with_enskog(trial, &slow, &result);
    compare_with_events(trial, &slow, &result);
    SCREE_TRY(run(trial, &fast, &result));
    compare_with_enskog(trial, &fast, &result);
    compare_with_events(trial, &fast, &result);
    return SCREE_OK;
}
