// The event engine is the limit of the soft engine for stiff contacts: a layer of inelastic spheres that a
// vibrating floor keeps in motion, with both.
//
// In the soft engine a collision takes the time t = pi (m*/k)^(1/2) at the stiffness k. A body that is in
// contact for a share of the time moves on later by that share, and may meet a third one meanwhile: both
// change means in proportion to t times the rate of collisions. So means of three stiffnesses, with times 4 :
// 2 : 1, are extrapolated to t = 0 by a straight line of weighted least squares. Units: diameter, mass and
// gravity are 1. Standard errors are those of 16 blocks of a run; the motions themselves are not the same,
// since small differences grow with each collision.

#include "algebra.h"
#include "event.h"
#include "series.h"
#include "verify.h"

#include <math.h>

enum { SIDE = 8, LAYERS = 4, COUNT = SIDE * SIDE * LAYERS, SAMPLES = 1600, MEANS = 2, STIFFNESSES = 3 };

static const double spacing = 1.05, amplitude = 0.5, frequency = 6, restitution = 0.9, interval = 0.125;
static const char *const names[MEANS] = {"mean height", "kinetic energy of a sphere"};

struct means {
    double value[MEANS], error[MEANS];
};

static void vibrate(void *user, double time, struct scree_wall_motion *motion)
{
    (void)user;
    motion->velocity[2] = amplitude * frequency * cos(frequency * time);
}

// `stiffness` 0: hard spheres.
static scree_status make_world(struct scree_trial *trial, double stiffness)
{
    const struct scree_interaction_value values[] = {
        {"restitution", restitution, NULL}, {"friction", 0, NULL}, {"stiffness", stiffness, NULL}};
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){.gravity = {0, 0, -1}}));
    SCREE_TRY(
        scree_cell_set(trial->world, &(struct scree_cell_def){.upper = {SIDE * spacing, SIDE * spacing, 0},
                                                              .periodic = {true, true, false}}));
    SCREE_TRY(scree_material_add(trial->world,
                                 &(struct scree_material_def){.name = "ball", .density = 1.909859317102744},
                                 &trial->material));
    SCREE_TRY(scree_interaction_add(trial->world,
                                    &(struct scree_interaction_def){.law = stiffness > 0 ? "linear" : "hard",
                                                                    .values = values,
                                                                    .count = stiffness > 0 ? 3 : 2}));
    SCREE_TRY(scree_wall_add(trial->world,
                             &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                      .material = trial->material,
                                                      .plane = {.normal = {0, 0, 1}}},
                             &trial->wall));
    SCREE_TRY(scree_wall_motion_set_function(trial->world, trial->wall,
                                             &(struct scree_wall_motion_def){.function = vibrate}));
    for (uint64_t b = 0; b < COUNT; ++b) {
        const uint64_t at[3] = {b % SIDE, b / SIDE % SIDE, b / SIDE / SIDE};
        struct scree_sphere_def sphere = {.radius = 0.5, .material = trial->material};
        for (size_t k = 0; k < 3; ++k) {
            sphere.position[k] = spacing * ((double)at[k] + 0.5 + (k == 2 ? 0.5 : 0));
            sphere.velocity[k] = scree_algebra_draw(1, b, k);
        }
        SCREE_TRY(scree_body_add_sphere(trial->world, &sphere, &trial->body));
    }
    return SCREE_OK;
}

static scree_status start(struct scree_trial *trial, double stiffness)
{
    // 40 steps in a contact of two spheres, whose m* is 1/2
    const double step = acos(-1) / sqrt(2 * stiffness) / 40;
    if (stiffness > 0)
        return scree_trial_start(trial, &(struct scree_soft_def){.step = step, .alarms.overlap = 1});
    // the motion of the floor has an error of order 2 in the step
    return scree_event_create(trial->world, &(struct scree_event_def){.step = 0.01}, &trial->engine);
}

static scree_status measure(struct scree_trial *trial, double stiffness, struct means *means)
{
    struct scree_series series[MEANS] = {{{0}, {0}}};
    SCREE_TRY(make_world(trial, stiffness));
    SCREE_TRY(start(trial, stiffness));
    SCREE_TRY(scree_engine_run_until(trial->engine, 40));
    for (size_t s = 0; s < SAMPLES; ++s) {
        struct scree_measure_mean_position place;
        struct scree_energy energy;
        SCREE_TRY(scree_engine_run_until(trial->engine, 40 + interval * (double)(s + 1)));
        SCREE_TRY(scree_measure_position(trial->world, NULL, SCREE_MEASURE_SINCE_RUN, &place));
        SCREE_TRY(scree_energy_get(trial->world, &energy));
        scree_series_add(&series[0], s, SAMPLES, place.position[2]);
        scree_series_add(&series[1], s, SAMPLES, energy.translation / COUNT);
    }
    for (int m = 0; m < MEANS; ++m) {
        means->value[m] = scree_series_mean(&series[m]);
        means->error[m] = scree_series_error(&series[m]);
    }
    return SCREE_OK;
}

scree_status scree_event_limit(struct scree_trial *trial)
{
    struct means hard, soft[STIFFNESSES];
    double time[STIFFNESSES];
    SCREE_TRY(measure(trial, 0, &hard));
    for (int s = 0; s < STIFFNESSES; ++s) {
        const double stiffness = ldexp(1000, 2 * s);
        time[s] = acos(-1) / sqrt(2 * stiffness);
        SCREE_TRY(measure(trial, stiffness, &soft[s]));
    }
    for (int m = 0; m < MEANS; ++m) {
        double value, error, means[STIFFNESSES], errors[STIFFNESSES];
        for (int s = 0; s < STIFFNESSES; ++s)
            scree_report_unchecked(trial, hard.value[m], soft[s].value[m], "%s, contacts of %.3f (+- %.1g)",
                                   names[m], time[s], soft[s].error[m]);
        for (int k = 0; k < STIFFNESSES; ++k) {
            means[k] = soft[k].value[m];
            errors[k] = soft[k].error[m];
        }
        scree_series_extrapolate(time, means, errors, STIFFNESSES, &value, &error);
        const double both = hypot(error, hard.error[m]);
        scree_report_near(trial, hard.value[m], value, 3.5 * both, "%s, extrapolated (+- %.1g)", names[m],
                          both);
        scree_report_at_most(trial, 0.05, both / hard.value[m], "its relative standard error");
    }
    return SCREE_OK;
}
