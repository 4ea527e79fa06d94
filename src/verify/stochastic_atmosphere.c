// A dilute gas of points under gravity above an elastic floor, in the stochastic engine.
//
// In equilibrium it is exactly isothermal: the energy is 5/2 T for each body, 3/2 T of it kinetic, and
// heights are distributed as exp(-m g z/T). Collisions in cells of any width leave this distribution as it
// is, and flights in gravity and rebounds are exact, so there is no error of the step or the cells. The means
// are those of a fixed energy, which differ by terms of 1/N from these. Units: diameter and mass are 1.

#include "algebra.h"
#include "series.h"
#include "stochastic.h"
#include "verify.h"

#include <math.h>

enum { COUNT = 1000, SAMPLES = 320, MEANS = 3 };

static const double pi = 3.14159265358979323846, gravity = 0.02, side = 30, interval = 10;

static scree_status make_world(struct scree_trial *trial)
{
    const struct scree_interaction_value values[] = {{"restitution", 1, NULL}, {"friction", 0, NULL}};
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){.gravity = {0, 0, -gravity}}));
    SCREE_TRY(scree_cell_set(
        trial->world, &(struct scree_cell_def){.upper = {side, side, 0}, .periodic = {true, true, false}}));
    SCREE_TRY(scree_material_add(
        trial->world, &(struct scree_material_def){.name = "grain", .density = 6 / pi}, &trial->material));
    SCREE_TRY(scree_interaction_add(
        trial->world, &(struct scree_interaction_def){.law = "hard", .values = values, .count = 2}));
    SCREE_TRY(scree_wall_add(trial->world,
                             &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                      .material = trial->material,
                                                      .plane = {.normal = {0, 0, 1}}},
                             &trial->wall));
    // far from equilibrium: a uniform layer, with uniform velocities
    for (size_t b = 0; b < COUNT; ++b) {
        struct scree_sphere_def grain = {.radius = 0.5, .material = trial->material};
        for (size_t k = 0; k < 3; ++k) {
            grain.position[k] = 0.5 * side * (1 + scree_algebra_draw(1, b, k)) + (k == 2 ? 0.5 : 0);
            grain.velocity[k] = 1.5 * scree_algebra_draw(2, b, k);
        }
        SCREE_TRY(scree_body_add_sphere(trial->world, &grain, &trial->body));
    }
    return SCREE_OK;
}

// The kinetic energy, the mean height and the mean square height of the centres above the lowest place, over
// those at the temperature that follows from the total energy.
static scree_status sample(struct scree_trial *trial, double mean[MEANS])
{
    double kinetic = 0, height = 0, square = 0;
    for (uint64_t b = 1; b <= COUNT; ++b) {
        struct scree_body_state state;
        SCREE_TRY(scree_body_get(trial->world, (scree_body_id){b}, &state));
        const double z = state.position[2] - 0.5;
        kinetic += 0.5 * scree_algebra_dot(state.velocity, state.velocity, 3) / COUNT;
        height += z / COUNT;
        square += z * z / COUNT;
    }
    const double temperature = (kinetic + gravity * height) / 2.5, scale = temperature / gravity;
    mean[0] = kinetic / (1.5 * temperature);
    mean[1] = height / scale;
    mean[2] = square / (2 * scale * scale);
    return SCREE_OK;
}

scree_status scree_stochastic_atmosphere(struct scree_trial *trial)
{
    static const char *const names[] = {"kinetic energy", "mean height", "mean square height"};
    for (int partner = 0; partner < 2; ++partner) {
        struct scree_series series[MEANS] = {{.sum = {0}}};
        const struct scree_stochastic_def def = {.step = 1,
                                                 .cell = 10,
                                                 .dilute = true,
                                                 .seed = 1,
                                                 .partner = partner == 0 ? SCREE_STOCHASTIC_BODY
                                                                         : SCREE_STOCHASTIC_FICTITIOUS};
        SCREE_TRY(make_world(trial));
        SCREE_TRY(scree_stochastic_create(trial->world, &def, &trial->engine));
        SCREE_TRY(scree_engine_run_until(trial->engine, 100 * interval));
        for (size_t s = 0; s < SAMPLES; ++s) {
            double mean[MEANS];
            SCREE_TRY(scree_engine_run_until(trial->engine, (100 + (double)s) * interval));
            SCREE_TRY(sample(trial, mean));
            for (int m = 0; m < MEANS; ++m)
                scree_series_add(&series[m], s, SAMPLES, mean[m]);
        }
        for (int m = 0; m < MEANS; ++m) {
            const double error = scree_series_error(&series[m]);
            scree_report_near(trial, 1, scree_series_mean(&series[m]), 4 * error + 4.0 / COUNT,
                              "%s, %s (+- %.1g)", names[m],
                              partner == 0 ? "bodies as partners" : "fictitious partners", error);
        }
    }
    return SCREE_OK;
}
