// Local and viscous damping against closed forms.
//
// Local damping applies a fraction l of each force component, opposite to the velocity: a body that moves in
// the direction of a constant force accelerates by (1 - l) F / m, one that moves against it decelerates by (1
// + l) F / m. The amplitude of an oscillator changes by the factor sqrt((1 - l) / (1 + l)) in each half
// cycle, which takes pi / (2 w) (1 / sqrt(1 - l) + 1 / sqrt(1 + l)). Viscous damping decreases momenta by
// exp(-c t).

#include "algebra.h"
#include "schemes.h"
#include "verify.h"

#include <math.h>
#include <string.h>

static const double local_damping = 0.2; // the coefficient l

// Velocities under a constant force are exact except for one rounding per step, of numbers below 32.
static scree_status local_translation(struct scree_trial *trial)
{
    enum { STEPS = 100 };
    static const struct {
        const char *label;
        double velocity;
    } directions[] = {{"falling", -1}, {"rising", 20}};
    static const double gravity = -9.81, step = 0.01, time = STEPS * 0.01;
    const char *scheme;
    for (size_t l = 0; (scheme = scree_motion_name(SCREE_TRANSLATION, l)); ++l)
        for (int d = 0; d < 2; ++d) {
            const double acceleration =
                gravity * (directions[d].velocity < 0 ? 1 - local_damping : 1 + local_damping);
            struct scree_body_state state;
            SCREE_TRY(scree_trial_body(
                trial, true,
                &(struct scree_rigid_def){.mass = 2, .velocity = {0, 0, directions[d].velocity}}));
            SCREE_TRY(scree_world_set_gravity(trial->world, (const double[3]){0, 0, gravity}));
            SCREE_TRY(scree_trial_start(
                trial, &(struct scree_soft_def){
                           .step = step, .translation = scheme, .damping = {.local = local_damping}}));
            SCREE_TRY(scree_trial_run(trial, STEPS, &state));
            scree_report_near(trial, directions[d].velocity + acceleration * time, state.velocity[2],
                              STEPS * SCREE_VERIFY_EPSILON * 32, "%s: velocity after %s (m/s)", scheme,
                              directions[d].label);
        }
    return SCREE_OK;
}

// The same for spins under a constant moment about a principal axis.
static scree_status local_rotation(struct scree_trial *trial)
{
    enum { STEPS = 100 };
    static const double moment = 0.4, inertia = 0.2, step = 0.01, time = STEPS * 0.01;
    const char *scheme;
    for (size_t l = 0; (scheme = scree_motion_name(SCREE_ROTATION, l)); ++l)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double acceleration = moment / inertia * (sign > 0 ? 1 - local_damping : 1 + local_damping);
            const struct scree_rigid_def def = {
                .mass = 2, .inertia = {0.15, 0.2, inertia}, .spin = {0, 0, 5 * sign}};
            struct scree_body_state state;
            SCREE_TRY(scree_trial_body(trial, strcmp(scheme, "spherical") == 0, &def));
            SCREE_TRY(scree_trial_constant_load(trial, &(struct scree_load_def){.moment = {0, 0, moment}}));
            SCREE_TRY(scree_trial_start(
                trial, &(struct scree_soft_def){
                           .step = step, .rotation = scheme, .damping = {.local = local_damping}}));
            SCREE_TRY(scree_trial_run(trial, STEPS, &state));
            scree_report_near(trial, 5 * sign + acceleration * time, state.spin[2],
                              STEPS * SCREE_VERIFY_EPSILON * 32, "%s: spin %s the moment (rad/s)", scheme,
                              sign > 0 ? "along" : "against");
        }
    return SCREE_OK;
}

static scree_status apply_spring(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i)
        batch->force[i][0] -= batch->mass[i] * batch->position[i][0];
    return SCREE_OK;
}

struct turning_point {
    double time, amplitude;
};

// Finds the turning points of an oscillator by the change of sign of its velocity.
static scree_status find_turning_points(struct scree_trial *trial, double step, struct turning_point *points,
                                        int count)
{
    struct scree_body_state before, now;
    SCREE_TRY(scree_trial_run(trial, 1, &before));
    for (int found = 0; found < count;) {
        SCREE_TRY(scree_trial_run(trial, 1, &now));
        if (before.velocity[0] * now.velocity[0] <= 0) {
            const double fraction = before.velocity[0] / (before.velocity[0] - now.velocity[0]);
            points[found].time = scree_world_time(trial->world) - (1 - fraction) * step;
            points[found++].amplitude = fmax(fabs(before.position[0]), fabs(now.position[0]));
        }
        before = now;
    }
    return SCREE_OK;
}

// At a turning point the damping force can have the wrong sign for up to one step. This shifts the turning
// point by up to h, and changes the energy by l F times the displacement in that step, at most 2 l (1 + l) (w
// h)^2 of the energy. The amplitude is sampled with an error of (1 + l) / 2 (w h)^2, and the error of the
// integration scheme is smaller. So the ratio of a half cycle is accurate to 2 (w h)^2 and its duration to h.
static scree_status local_oscillator(struct scree_trial *trial)
{
    enum { TURNING_POINTS = 9, HALF_CYCLES = TURNING_POINTS - 1 };
    static const double pi = 3.14159265358979323846;
    const double step = pi / 1000;
    const double ratio = pow((1 - local_damping) / (1 + local_damping), 0.5 * HALF_CYCLES);
    const double half_cycle = 0.5 * pi * (1 / sqrt(1 - local_damping) + 1 / sqrt(1 + local_damping));
    const char *scheme;
    for (size_t l = 0; (scheme = scree_motion_name(SCREE_TRANSLATION, l)); ++l) {
        int order;
        SCREE_TRY(scree_schemes_order(scheme, &order));
        if (order != 2)
            continue;
        struct turning_point points[TURNING_POINTS];
        SCREE_TRY(scree_trial_body(trial, true, &(struct scree_rigid_def){.mass = 2, .velocity = {1, 0, 0}}));
        SCREE_TRY(scree_trial_load(trial, apply_spring, NULL));
        SCREE_TRY(scree_trial_start(trial, &(struct scree_soft_def){.step = step,
                                                                    .translation = scheme,
                                                                    .damping = {.local = local_damping}}));
        SCREE_TRY(find_turning_points(trial, step, points, TURNING_POINTS));
        scree_report_near(trial, ratio, points[HALF_CYCLES].amplitude / points[0].amplitude,
                          HALF_CYCLES * 2 * step * step, "%s: ratio of amplitudes, 8 half cycles", scheme);
        scree_report_near(trial, HALF_CYCLES * half_cycle, points[HALF_CYCLES].time - points[0].time,
                          HALF_CYCLES * step, "%s: time of 8 half cycles (s)", scheme);
    }
    return SCREE_OK;
}

// The momentum of a free asymmetric body keeps its direction while it decays.
static scree_status decay_error(struct scree_trial *trial, const char *scheme, double step, uint64_t steps,
                                double *error)
{
    static const double rate = 0.5;
    static const struct scree_rigid_def def = {.mass = 2, .inertia = {1, 2, 3}, .spin = {0.7, 1.1, -0.6}};
    struct scree_body_state first, last;
    SCREE_TRY(scree_trial_body(trial, strcmp(scheme, "spherical") == 0, &def));
    SCREE_TRY(scree_trial_start(
        trial, &(struct scree_soft_def){.step = step, .rotation = scheme, .damping = {.viscous = rate}}));
    SCREE_TRY(scree_body_get(trial->world, trial->body, &first));
    SCREE_TRY(scree_trial_run(trial, steps, &last));
    const double decay = exp(-rate * (double)steps * step);
    for (int k = 0; k < 3; ++k)
        first.momentum[k] *= decay;
    *error = scree_algebra_distance(first.momentum, last.momentum, 3) / scree_algebra_norm(first.momentum, 3);
    return SCREE_OK;
}

static scree_status viscous_rotation(struct scree_trial *trial)
{
    enum { RUNS = 5, COARSEST = 64 };
    static const double duration = 4;
    const char *scheme;
    for (size_t l = 0; (scheme = scree_motion_name(SCREE_ROTATION, l)); ++l) {
        double errors[RUNS];
        for (int r = 0; r < RUNS; ++r) {
            const uint64_t steps = (uint64_t)COARSEST << r;
            SCREE_TRY(decay_error(trial, scheme, duration / (double)steps, steps, &errors[r]));
        }
        scree_report_near(trial, 2, scree_report_order(errors, RUNS), SCREE_SCHEMES_ORDER_TOLERANCE,
                          "%s: order", scheme);
    }
    return SCREE_OK;
}

const struct scree_verify_case scree_verify_damping[] = {
    {"local_translation", "local damping under gravity: falling by (1 - l) g, rising by (1 + l) g",
     local_translation, NULL},
    {"local_rotation", "local damping of a spin along and against a constant moment", local_rotation, NULL},
    {"local_oscillator", "local damping of an oscillator: amplitude and time of half cycles",
     local_oscillator, NULL},
    {"viscous_rotation", "viscous damping of a free body: its momentum decays exponentially",
     viscous_rotation, NULL},
    {0},
};
