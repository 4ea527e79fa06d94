// Rotation against closed forms: the period of a free body (Jacobi), the steady precession of a heavy top,
// and the angle of a body under a constant moment.

#include "algebra.h"
#include "schemes.h"
#include "table.h"
#include "verify.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static scree_status begin(struct scree_trial *trial, const struct scree_table_reference *reference,
                          const struct scree_trial_lever *lever, const char *scheme, double step)
{
    SCREE_TRY(scree_trial_body(trial, false, &reference->body));
    if (lever)
        SCREE_TRY(scree_trial_load(trial, scree_trial_lever, lever));
    return scree_trial_start(trial, &(struct scree_soft_def){.step = step, .rotation = scheme});
}

// Relative difference of the spin in body axes from its initial value after one period.
static scree_status error_after_period(struct scree_trial *trial,
                                       const struct scree_table_reference *reference, const char *scheme,
                                       double period, uint64_t steps, double *error)
{
    struct scree_body_state state;
    SCREE_TRY(begin(trial, reference, NULL, scheme, period / (double)steps));
    SCREE_TRY(scree_trial_run(trial, steps, &state));
    double body_spin[3];
    scree_algebra_unrotate(state.orientation, state.spin, body_spin);
    *error = scree_algebra_distance(body_spin, reference->body_spin, 3) /
             scree_algebra_norm(reference->body_spin, 3);
    return SCREE_OK;
}

// The period in the file was computed from differences, which lose accuracy by a factor of k'^2; here it is
// computed from sums. So both agree up to a few units of round-off divided by k'^2.
static double check_period(struct scree_trial *trial, const struct scree_table_reference *reference)
{
    double complement;
    const double period =
        scree_algebra_jacobi_period(reference->body.inertia, reference->body_spin, &complement);
    const double complement_squared = complement * complement;
    scree_report_near(trial, reference->period, period,
                      8 * SCREE_VERIFY_EPSILON / complement_squared * period,
                      "period (s), expected value from the file");
    return period;
}

static scree_status jacobi_period(struct scree_trial *trial)
{
    enum { STEPS = 4096 };
    struct scree_table_reference reference;
    SCREE_TRY(scree_table_reference((const char *)trial->data, &reference));
    const double period = check_period(trial, &reference);
    // the error of a scheme of order p is at most (W h)^p W T, with the spin W and the period T
    const double total_angle = scree_algebra_norm(reference.body_spin, 3) * period;
    const char *scheme;
    for (size_t l = 0; (scheme = scree_schemes_rotation(l)); ++l) {
        int order;
        SCREE_TRY(scree_schemes_order(scheme, &order));
        double error = (double)NAN;
        SCREE_TRY(error_after_period(trial, &reference, scheme, period, STEPS, &error));
        scree_report_at_most(trial, total_angle * pow(total_angle / STEPS, order), error,
                             "%s: body spin after a period, relative", scheme);
    }
    return SCREE_OK;
}

static scree_status period_only(struct scree_trial *trial)
{
    struct scree_table_reference reference;
    SCREE_TRY(scree_table_reference((const char *)trial->data, &reference));
    check_period(trial, &reference);
    return SCREE_OK;
}

// Measures the rotation of the axis of a top about the vertical, and the largest error of its tilt.
static scree_status measure_axis(struct scree_trial *trial, int samples, uint64_t steps, double *angle_sum,
                                 double *tilt_error)
{
    static const double axis[3] = {0, 0, 1};
    double last_azimuth = -0.5 * pi; // the top is tilted about x, so its axis starts in the direction of -y
    *angle_sum = *tilt_error = 0;
    for (int s = 0; s < samples; ++s) {
        struct scree_body_state state;
        double axis_now[3];
        SCREE_TRY(scree_trial_run(trial, steps, &state));
        scree_algebra_rotate(state.orientation, axis, axis_now);
        const double azimuth = atan2(axis_now[1], axis_now[0]);
        *angle_sum += remainder(azimuth - last_azimuth, 2 * pi);
        last_azimuth = azimuth;
        const double tilt = atan2(sqrt(axis_now[0] * axis_now[0] + axis_now[1] * axis_now[1]), axis_now[2]);
        *tilt_error = fmax(*tilt_error, fabs(tilt - pi / 6));
    }
    return SCREE_OK;
}

// The slow root of J1 cos(tilt) W^2 - J3 w3 W + m g l = 0.
static scree_status steady_precession(struct scree_trial *trial)
{
    enum { SAMPLES = 500, STEPS = 64 };
    static const struct scree_trial_lever lever = {.arm = {0, 0, 0.3}, .force = {0, 0, -9.81}};
    static const double duration = 5, step = 5.0 / SAMPLES / STEPS;
    struct scree_table_reference reference;
    SCREE_TRY(scree_table_reference("top_heavy_steady", &reference));
    const double a = reference.body.inertia[0] * sqrt(0.75);
    const double b = reference.body.inertia[2] * reference.body_spin[2];
    const double rate = (b - sqrt(b * b - 4 * a * 0.3 * 9.81)) / (2 * a);
    // the error of the axis is (w h)^2 w T, as in the family `rotation`
    const double spin = reference.body_spin[2];
    const double bound = spin * step * spin * step * spin * duration;
    const char *scheme;
    for (size_t l = 0; (scheme = scree_schemes_rotation(l)); ++l) {
        double angle_sum, tilt_error;
        SCREE_TRY(begin(trial, &reference, &lever, scheme, step));
        SCREE_TRY(measure_axis(trial, SAMPLES, STEPS, &angle_sum, &tilt_error));
        scree_report_near(trial, rate, angle_sum / duration, bound / duration, "%s: rate (rad/s)", scheme);
        scree_report_at_most(trial, bound, tilt_error, "%s: change of tilt (rad)", scheme);
    }
    return SCREE_OK;
}

// The angle is w t + M / (2 I) t^2. Schemes are exact up to round-off: per step a few units in the last place
// of the orientation, and one of the momentum, which accumulates in the angle.
static scree_status constant_moment(struct scree_trial *trial)
{
    enum { STEPS = 1000 };
    static const double duration = 5, moment = 0.4, inertia = 0.2, spin = 1;
    const double angle = spin * duration + 0.5 * moment / inertia * duration * duration;
    const double last_spin = spin + moment / inertia * duration;
    const double roundings = STEPS * (8 + last_spin * duration);
    const double expected[4] = {cos(0.5 * angle), 0, 0, sin(0.5 * angle)};
    const char *scheme;
    for (size_t l = 0; (scheme = scree_schemes_rotation(l)); ++l) {
        // rk4 is not exact here: it rotates by a polynomial instead of an exponential
        if (strcmp(scheme, "rk4") == 0)
            continue;
        struct scree_body_state state;
        SCREE_TRY(scree_trial_body(
            trial, false,
            &(struct scree_rigid_def){.mass = 1, .inertia = {0.15, 0.2, inertia}, .spin = {0, 0, spin}}));
        SCREE_TRY(scree_trial_constant_load(trial, &(struct scree_load_def){.moment = {0, 0, moment}}));
        SCREE_TRY(
            scree_trial_start(trial, &(struct scree_soft_def){.step = duration / STEPS, .rotation = scheme}));
        SCREE_TRY(scree_trial_run(trial, STEPS, &state));
        scree_report_at_most(trial, roundings * SCREE_VERIFY_EPSILON,
                             scree_algebra_angle(state.orientation, expected), "%s: angle (rad)", scheme);
    }
    return SCREE_OK;
}

// --- a spin about a principal axis, with a time-dependent moment and damping

static const struct {
    double inertia, spin, amplitude, rate, phase, damping, duration;
} drive = {0.2, 1, 3, 2.5, 0.4, 0.6, 4};

static scree_status apply_moment(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i)
        batch->moment[i][2] += drive.inertia * drive.amplitude * sin(drive.rate * batch->time + drive.phase);
    return SCREE_OK;
}

// w' + c w = A sin(W t + f) has w = B exp(-c t) + A (c sin(W t + f) - W cos(W t + f)) / (c^2 + W^2).
static void driven_solution(double t, double *spin, double *orientation)
{
    const double c = drive.damping, rate = drive.rate, forced = drive.amplitude / (c * c + rate * rate);
    const double first_phase = drive.phase, phase = rate * t + drive.phase;
    const double transient = drive.spin - forced * (c * sin(first_phase) - rate * cos(first_phase));
    *spin = transient * exp(-c * t) + forced * (c * sin(phase) - rate * cos(phase));
    const double angle =
        transient * (1 - exp(-c * t)) / c +
        forced * (c / rate * (cos(first_phase) - cos(phase)) - sin(phase) + sin(first_phase));
    memcpy(orientation, (const double[4]){cos(0.5 * angle), 0, 0, sin(0.5 * angle)}, 4 * sizeof *orientation);
}

static scree_status begin_driven(struct scree_trial *trial, const char *scheme, unsigned fixed, double step)
{
    const struct scree_rigid_def def = {
        .mass = 2, .inertia = {0.15, 0.2, drive.inertia}, .spin = {0, 0, drive.spin}, .fixed = fixed};
    SCREE_TRY(scree_trial_body(trial, strcmp(scheme, "spherical") == 0, &def));
    SCREE_TRY(scree_trial_load(trial, apply_moment, NULL));
    return scree_trial_start(
        trial,
        &(struct scree_soft_def){.step = step, .rotation = scheme, .damping = {.viscous = drive.damping}});
}

static scree_status measure_driven_error(struct scree_trial *trial, int samples, uint64_t steps,
                                         double *error)
{
    *error = 0;
    for (int s = 1; s <= samples; ++s) {
        struct scree_body_state state;
        double spin, orientation[4];
        SCREE_TRY(scree_trial_run(trial, steps, &state));
        driven_solution(s * drive.duration / samples, &spin, orientation);
        *error = scree_report_larger(*error, scree_algebra_angle(state.orientation, orientation));
        *error = scree_report_larger(*error, fabs(state.spin[2] - spin));
    }
    return SCREE_OK;
}

static scree_status driven_order(struct scree_trial *trial, const char *scheme, unsigned fixed)
{
    enum { RUNS = 5, SAMPLES = 32, COARSEST = 4 };
    double errors[RUNS];
    for (int r = 0; r < RUNS; ++r) {
        const int steps = COARSEST << r;
        SCREE_TRY(begin_driven(trial, scheme, fixed, drive.duration / SAMPLES / steps));
        SCREE_TRY(measure_driven_error(trial, SAMPLES, (uint64_t)steps, &errors[r]));
    }
    scree_report_near(trial, 2, scree_report_order(errors, RUNS), SCREE_SCHEMES_ORDER_TOLERANCE,
                      "%s: order%s", scheme, fixed ? ", other spins fixed" : "");
    return SCREE_OK;
}

static scree_status driven_spin(struct scree_trial *trial)
{
    const char *scheme;
    for (size_t l = 0; (scheme = scree_motion_name(SCREE_ROTATION, l)); ++l)
        SCREE_TRY(driven_order(trial, scheme, 0));
    return driven_order(trial, "splitting", SCREE_FIX_SPIN_X | SCREE_FIX_SPIN_Y);
}

const struct scree_verify_case scree_verify_closed[] = {
    {"jacobi_generic", "the period of a free body in general motion", jacobi_period, "top_free_asym_generic"},
    {"jacobi_min", "the period of a free body near its axis of least inertia", jacobi_period,
     "top_free_asym_min"},
    {"jacobi_max", "the period of a free body near its axis of greatest inertia", jacobi_period,
     "top_free_asym_max"},
    {"jacobi_unstable", "the period near the unstable axis, where the modulus is close to one", period_only,
     "top_free_asym_unstable"},
    {"steady_precession", "the rate and the tilt of a heavy top in steady precession", steady_precession,
     NULL},
    {"constant_moment", "the angle of a body under a constant moment about a principal axis", constant_moment,
     NULL},
    {"driven_spin", "a spin about a principal axis, with a time-dependent moment and damping", driven_spin,
     NULL},
    {0},
};
