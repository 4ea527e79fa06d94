// A granular gas of hard spheres in uniform shear, in a cell that deforms, in the event engine.
//
// References: the steady solution of Enskog's equation, by direct simulation, and another program that goes
// from collision to collision, with images that slide along a face. Units: diameter, mass and shear rate are
// 1. Enskog's equation neglects that pairs meet again: at a solid fraction of 0.1 and a restitution of 0.9
// some per cent of the temperature. The temperature is that without the motion of the centre of mass.

#include "algebra.h"
#include "enskog.h"
#include "event.h"
#include "events.h"
#include "verify.h"

#include <math.h>

enum { SEED = 3, SIDE = 8 };

static const double pi = 3.14159265358979323846, fraction = 0.1, restitution = 0.9, step = 0.01;

static scree_status make_world(struct scree_trial *trial, double edge)
{
    static const double corner[3] = {0};
    const double vectors[9] = {edge, 0, 0, 0, edge, 0, 0, 0, edge};
    const struct scree_interaction_value values[] = {{"restitution", restitution, NULL},
                                                     {"friction", 0, NULL}};
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){0}));
    SCREE_TRY(scree_material_add(
        trial->world, &(struct scree_material_def){.name = "grain", .density = 6 / pi}, &trial->material));
    SCREE_TRY(scree_interaction_add(
        trial->world, &(struct scree_interaction_def){.law = "hard", .values = values, .count = 2}));
    SCREE_TRY(scree_cell_set_vectors(trial->world, corner, vectors));
    return scree_cell_set_form(trial->world, SCREE_CELL_NEWTON);
}

// Grains on a lattice, with random velocities of the given temperature and the sum 0.
static scree_status add_grains(struct scree_trial *trial, double spacing, double temperature)
{
    const size_t count = SIDE * SIDE * SIDE;
    double mean[3] = {0}, square = 0;
    for (size_t g = 0; g < count; ++g)
        for (size_t k = 0; k < 3; ++k) {
            const double v = scree_algebra_draw(SEED, g, k);
            mean[k] += v / (double)count;
            square += v * v / (3 * (double)count);
        }
    const double scale = sqrt(temperature / (square - scree_algebra_dot(mean, mean, 3) / 3));
    for (size_t g = 0; g < count; ++g) {
        const size_t site[3] = {g % SIDE, g / SIDE % SIDE, g / SIDE / SIDE};
        struct scree_sphere_def grain = {.radius = 0.5, .material = trial->material};
        for (size_t k = 0; k < 3; ++k) {
            grain.position[k] = spacing * ((double)site[k] + 0.5);
            grain.velocity[k] = scale * (scree_algebra_draw(SEED, g, k) - mean[k]);
        }
        SCREE_TRY(scree_body_add_sphere(trial->world, &grain, &trial->body));
    }
    return SCREE_OK;
}

// Adds the stress of the fluctuations now, and of the collisions in the last step.
static scree_status sample(struct scree_trial *trial, double volume, double last[9],
                           struct scree_enskog_sums *sums, size_t index, size_t total)
{
    const double count = SIDE * SIDE * SIDE;
    double kinetic[9], trace = 0;
    struct scree_event_counts counts;
    SCREE_TRY(scree_measure_kinetic_stress(trial->world, NULL, kinetic));
    SCREE_TRY(scree_event_get_counts(trial->engine, &counts));
    for (int k = 0; k < 9; ++k) {
        const double collisions = (counts.impulses[k] - last[k]) / (volume * step);
        last[k] = counts.impulses[k];
        trace -= k % 4 == 0 ? kinetic[k] : 0;
        if (k % 4 == 0)
            scree_series_add(&sums->normal[k / 4], index, total, collisions - kinetic[k]);
        if (k == 1)
            scree_series_add(&sums->shear, index, total, kinetic[k] - collisions);
    }
    scree_series_add(&sums->temperature, index, total, trace * volume / (3 * (count - 1)));
    return SCREE_OK;
}

static scree_status measure(struct scree_trial *trial, double strain, struct scree_enskog_state *state)
{
    static const double shear[9] = {0, 1};
    const double spacing = cbrt(pi / 6 / fraction), edge = spacing * SIDE;
    const double guess = scree_enskog_navier_stokes(fraction, restitution).value[SCREE_ENSKOG_TEMPERATURE];
    const size_t total = (size_t)(strain / step);
    struct scree_enskog_sums sums = {0};
    struct scree_event_counts counts;
    SCREE_TRY(make_world(trial, edge));
    SCREE_TRY(add_grains(trial, spacing, guess));
    SCREE_TRY(scree_cell_deform(trial->world, shear));
    SCREE_TRY(scree_event_create(trial->world, &(struct scree_event_def){.step = step}, &trial->engine));
    SCREE_TRY(scree_engine_run(trial->engine, total / 5));
    SCREE_TRY(scree_event_get_counts(trial->engine, &counts));
    for (size_t s = 0; s < total; ++s) {
        SCREE_TRY(scree_engine_run(trial->engine, 1));
        SCREE_TRY(sample(trial, edge * edge * edge, counts.impulses, &sums, s, total));
    }
    *state = scree_enskog_from(&sums);
    return SCREE_OK;
}

// The energy relaxes over a strain of about 7, twice 3 n T / 2 over the shear stress. Blocks are as long as
// this or half of it, so errors are up to 1.7 times those that blocks tell. `model` is the relative error of
// a theory; differences of normal stresses have four times that of the first.
static void compare(struct scree_trial *trial, const struct scree_enskog_state *expected,
                    const struct scree_enskog_state *state, double model, const char *name)
{
    for (int k = 0; k < SCREE_ENSKOG_NUMBERS; ++k) {
        const bool ratio = k >= SCREE_ENSKOG_FIRST;
        const double unit = expected->value[ratio ? SCREE_ENSKOG_FIRST : k],
                     noise = hypot(expected->error[k], state->error[k]);
        scree_report_near(trial, expected->value[k], state->value[k],
                          5 * noise + (ratio ? 4 * model : model) * unit, "%s: %s (+- %.2g)", name,
                          scree_enskog_names[k], noise);
    }
}

scree_status scree_event_shear(struct scree_trial *trial)
{
    struct scree_enskog_state state, expected = scree_enskog_solve(fraction, restitution, 40);
    SCREE_TRY(measure(trial, 160, &state));
    compare(trial, &expected, &state, 0.05, "Enskog");
    expected = scree_events_shear(fraction, restitution, SIDE, state.value[SCREE_ENSKOG_TEMPERATURE], 80);
    compare(trial, &expected, &state, 0, "images that slide");
    return SCREE_OK;
}
