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

#include "algebra.h"
#include "cell.h"
#include "enskog.h"
#include "events.h"
#include "verify.h"

#include <math.h>

enum { SEED = 3, EVERY = 16, PHASES = 64 };

static const double pi = 3.14159265358979323846, fraction = 0.1;

struct gas {
    double restitution;
    size_t side;      // of the cube of grains
    double softness;  // at the temperature of Navier-Stokes theory
    double steps;     // per contact time
    double strain;    // of the measurement; a fifth of it comes before
    double reference; // strain of the direct simulation
};

// --- the engine

static scree_status make_world(struct scree_trial *trial, double stiffness, double restitution)
{
    const struct scree_interaction_value values[] = {
        {"stiffness", stiffness, NULL}, {"friction", 0, NULL}, {"restitution", restitution, NULL}};
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){0}));
    SCREE_TRY(scree_material_add(
        trial->world, &(struct scree_material_def){.name = "grain", .density = 6 / pi}, &trial->material));
    return scree_interaction_add(
        trial->world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3});
}

static scree_status add_grain(struct scree_trial *trial, const double position[3], const double velocity[3])
{
    struct scree_sphere_def grain = {.radius = 0.5, .material = trial->material};
    memcpy(grain.position, position, sizeof grain.position);
    memcpy(grain.velocity, velocity, sizeof grain.velocity);
    return scree_body_add_sphere(trial->world, &grain, &trial->body);
}

static double contact_time(double stiffness)
{
    return pi / sqrt(2 * stiffness);
}

// The root of the mean square of the restitution of impacts that begin at all phases of a step.
static scree_status restitution_of_steps(struct scree_trial *trial, double stiffness, const struct gas *gas,
                                         double *restitution)
{
    const double step = contact_time(stiffness) / gas->steps, speed = 1e-3 / step;
    struct scree_body_state state[2 * PHASES];
    SCREE_TRY(make_world(trial, stiffness, gas->restitution));
    for (int p = 0; p < PHASES; ++p) {
        const double gap = speed * step * (p + 0.5) / PHASES, still[3] = {0, 3.0 * p, 0},
                     other[3] = {1 + gap, 3.0 * p, 0}, rest[3] = {0}, moving[3] = {-speed, 0, 0};
        SCREE_TRY(add_grain(trial, still, rest));
        SCREE_TRY(add_grain(trial, other, moving));
    }
    SCREE_TRY(scree_trial_start(trial, &(struct scree_soft_def){.step = step}));
    SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)(2 * gas->steps)));
    SCREE_TRY(scree_trial_states(trial, 2 * PHASES, state));
    double square = 0;
    for (int p = 0; p < PHASES; ++p) {
        const double away = (state[2 * p + 1].velocity[0] - state[2 * p].velocity[0]) / speed;
        square += away * away / PHASES;
    }
    *restitution = sqrt(square);
    return SCREE_OK;
}

// Grains on a lattice, with random velocities of the given temperature and the sum 0.
static scree_status add_grains(struct scree_trial *trial, size_t side, double spacing, double temperature)
{
    const size_t count = side * side * side;
    double mean[3] = {0}, square = 0;
    for (size_t g = 0; g < count; ++g)
        for (size_t k = 0; k < 3; ++k) {
            const double v = scree_algebra_draw(SEED, g, k);
            mean[k] += v / (double)count;
            square += v * v / (3 * (double)count);
        }
    const double scale = sqrt(temperature / (square - scree_algebra_dot(mean, mean, 3) / 3));
    for (size_t g = 0; g < count; ++g) {
        const size_t site[3] = {g % side, g / side % side, g / side / side};
        double position[3], velocity[3];
        for (size_t k = 0; k < 3; ++k) {
            position[k] = spacing * ((double)site[k] + 0.5);
            velocity[k] = scale * (scree_algebra_draw(SEED, g, k) - mean[k]);
        }
        SCREE_TRY(add_grain(trial, position, velocity));
    }
    return SCREE_OK;
}

static scree_status begin(struct scree_trial *trial, const struct gas *gas, double temperature,
                          double stiffness)
{
    static const double corner[3] = {0}, shear[9] = {0, 1};
    const double spacing = cbrt(pi / 6 / fraction), edge = spacing * (double)gas->side;
    const double vectors[9] = {edge, 0, 0, 0, edge, 0, 0, 0, edge};
    SCREE_TRY(make_world(trial, stiffness, gas->restitution));
    SCREE_TRY(scree_cell_set_vectors(trial->world, corner, vectors));
    SCREE_TRY(scree_cell_set_form(trial->world, SCREE_CELL_NEWTON));
    SCREE_TRY(add_grains(trial, gas->side, spacing, temperature));
    SCREE_TRY(scree_cell_deform(trial->world, shear));
    return scree_trial_start(trial, &(struct scree_soft_def){.step = contact_time(stiffness) / gas->steps});
}

static scree_status sample(struct scree_trial *trial, struct scree_enskog_sums *sums, size_t index,
                           size_t total)
{
    double contacts[9], kinetic[9], trace = 0;
    SCREE_TRY(scree_measure_stress(trial->world, NULL, contacts));
    SCREE_TRY(scree_measure_kinetic_stress(trial->world, NULL, kinetic));
    for (int k = 0; k < 3; ++k) {
        trace -= kinetic[4 * k];
        scree_series_add(&sums->normal[k], index, total, -kinetic[4 * k] - contacts[4 * k]);
    }
    scree_series_add(&sums->temperature, index, total, trace * pi / (18 * fraction));
    scree_series_add(&sums->shear, index, total, contacts[1] + kinetic[1]);
    return SCREE_OK;
}

static scree_status measure(struct scree_trial *trial, const struct gas *gas, double temperature,
                            double stiffness, struct scree_enskog_state *state)
{
    struct scree_enskog_sums sums = {0};
    const double step = contact_time(stiffness) / gas->steps;
    const size_t total = (size_t)(gas->strain / step) / EVERY;
    SCREE_TRY(begin(trial, gas, temperature, stiffness));
    SCREE_TRY(scree_engine_run(trial->engine, total / 5 * EVERY));
    for (size_t s = 0; s < total; ++s) {
        SCREE_TRY(scree_engine_run(trial->engine, EVERY));
        SCREE_TRY(sample(trial, &sums, s, total));
    }
    *state = scree_enskog_from(&sums);
    return SCREE_OK;
}

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
    const double stiffness = pi * guess / (2 * gas->softness * gas->softness),
                 count = pow((double)gas->side, 3);
    SCREE_TRY(restitution_of_steps(trial, stiffness, gas, &result->restitution));
    SCREE_TRY(measure(trial, gas, guess, stiffness, &result->state));
    result->state.value[SCREE_ENSKOG_TEMPERATURE] *= count / (count - 1);
    result->softness = sqrt(pi * result->state.value[SCREE_ENSKOG_TEMPERATURE] / (2 * stiffness));
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
