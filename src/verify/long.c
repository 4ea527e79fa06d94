// Long runs: conservation over a million steps.

#include "algebra.h"
#include "schemes.h"
#include "verify.h"

#include <math.h>
#include <string.h>

// --- a free body that rotates near its unstable axis

enum { SAMPLES = 1000, STEPS = 1000 };

static const double unstable_inertia[3] = {1, 2, 3}, unstable_spin[3] = {0.001, 1, 0.001};
static const double unstable_step = 0.01;

// Maximum deviations in a run: of the norm of the orientation from 1, and relative ones of momentum and
// energy; the energy for each half of the run.
struct drift {
    double norm, momentum, energy[2];
};

static scree_status run_and_measure(struct scree_trial *trial, struct drift *drift)
{
    struct scree_body_state first, now;
    struct scree_energy first_energy, energy;
    SCREE_TRY(scree_body_get(trial->world, trial->body, &first));
    SCREE_TRY(scree_energy_get(trial->world, &first_energy));
    *drift = (struct drift){0};
    for (int s = 0; s < SAMPLES; ++s) {
        SCREE_TRY(scree_trial_run(trial, STEPS, &now));
        SCREE_TRY(scree_energy_get(trial->world, &energy));
        const double change = fabs(energy.rotation - first_energy.rotation) / first_energy.rotation;
        const double momentum =
            scree_algebra_distance(now.momentum, first.momentum, 3) / scree_algebra_norm(first.momentum, 3);
        drift->norm = scree_report_larger(drift->norm, fabs(scree_algebra_norm(now.orientation, 4) - 1));
        drift->momentum = scree_report_larger(drift->momentum, momentum);
        drift->energy[2 * s / SAMPLES] = scree_report_larger(drift->energy[2 * s / SAMPLES], change);
    }
    return SCREE_OK;
}

static scree_status measure_drift(struct scree_trial *trial, const char *scheme, struct drift *drift)
{
    struct scree_rigid_def def = {.mass = 1};
    memcpy(def.inertia, unstable_inertia, sizeof def.inertia);
    memcpy(def.spin, unstable_spin, sizeof def.spin);
    SCREE_TRY(scree_trial_body(trial, false, &def));
    SCREE_TRY(scree_trial_start(trial, &(struct scree_soft_def){.step = unstable_step, .rotation = scheme}));
    return run_and_measure(trial, drift);
}

// The pcdm schemes integrate the spin in body axes; all others integrate the momentum.
static bool integrates_momentum(const char *scheme)
{
    return strncmp(scheme, "pcdm", 4) != 0;
}

// Orientations are normalised every step. The splitting conserves a modified energy that differs from the
// true one by terms in h^2: nested Poisson brackets of its parts, fewer than twelve, with coefficients of at
// most 1/12, each below (|L| / J_min)^2 times the energy. So the relative energy error is at most (|L| h /
// J_min)^2. This bound alone would accept a slow drift, so both halves of the run are compared: a bounded
// error has the same maximum in both, up to sampling, and a linear drift is twice as large in the second
// half.
static scree_status unstable_axis(struct scree_trial *trial)
{
    const double momentum = unstable_inertia[1] * unstable_spin[1];
    const double bound = momentum * unstable_step / unstable_inertia[0];
    const char *scheme;
    for (size_t l = 0; (scheme = scree_schemes_rotation(l)); ++l) {
        struct drift drift;
        SCREE_TRY(measure_drift(trial, scheme, &drift));
        scree_report_at_most(trial, 1e-14, drift.norm, "%s: norm of the orientation minus 1", scheme);
        if (integrates_momentum(scheme))
            scree_report_at_most(trial, 1e-12, drift.momentum, "%s: change of momentum, relative", scheme);
        else
            scree_report_unchecked(trial, 0, drift.momentum, "%s: change of momentum, relative", scheme);
        const double energy = fmax(drift.energy[0], drift.energy[1]);
        if (strcmp(scheme, "splitting") != 0) {
            scree_report_unchecked(trial, 0, energy, "%s: change of energy, relative", scheme);
            continue;
        }
        scree_report_at_most(trial, bound * bound, energy, "%s: change of energy, relative", scheme);
        scree_report_near(trial, 1, drift.energy[1] / drift.energy[0], 0.1,
                          "%s: change of energy, second half over first", scheme);
    }
    return SCREE_OK;
}

// --- the T-handle: a steel bar with a shorter stem perpendicular to it at its centre. Spinning about the
// stem, its axis of intermediate inertia, it flips over periodically (Dzhanibekov effect, tennis racket
// theorem).

static const double handle_spin = 15, interval = 8e-4; // about the stem, rad/s; between samples, s

// The principal axes of the T-handle are the bar, the stem and the normal to both.
static struct scree_rigid_def make_handle(void)
{
    static const double pi = 3.14159265358979323846, density = 7850, radius = 0.004;
    static const double bar_length = 0.1, stem_length = 0.05;
    struct scree_rigid_def handle = {.spin = {0.15, handle_spin, 0}};
    const double radius_squared = radius * radius, mass_per_length = density * pi * radius_squared;
    const double bar = mass_per_length * bar_length, stem = mass_per_length * stem_length;
    // distance between the centres of bar and stem; the stem starts at the surface of the bar
    const double distance = radius + 0.5 * stem_length;
    handle.mass = bar + stem;
    const double steiner = bar * stem / handle.mass * distance * distance;
    const double bar_transverse = bar * (bar_length * bar_length / 12 + radius_squared / 4);
    const double stem_transverse = stem * (stem_length * stem_length / 12 + radius_squared / 4);
    handle.inertia[0] = 0.5 * bar * radius_squared + stem_transverse + steiner;
    handle.inertia[1] = bar_transverse + 0.5 * stem * radius_squared;
    handle.inertia[2] = bar_transverse + stem_transverse + steiner;
    return handle;
}

// five runs with halved steps, sampled every 0.8 ms
enum { FLIPS = 50, RUNS = 5, FINEST = 1 << (RUNS - 1) };

// Finds the times at which the spin about the stem changes sign, at most until a given time.
static scree_status find_flips(struct scree_trial *trial, int steps, double until, double *times, int *count)
{
    struct scree_body_state state;
    double before = handle_spin, now[3];
    for (*count = 0; *count <= FLIPS && scree_world_time(trial->world) < until; before = now[1]) {
        SCREE_TRY(scree_trial_run(trial, (uint64_t)steps, &state));
        scree_algebra_unrotate(state.orientation, state.spin, now);
        // linear interpolation: the spin has no curvature at its zero
        if (before * now[1] <= 0 && before != 0)
            times[(*count)++] = scree_world_time(trial->world) - interval * now[1] / (now[1] - before);
    }
    return SCREE_OK;
}

static scree_status mean_flip(struct scree_trial *trial, const struct scree_rigid_def *handle,
                              const char *scheme, double expected, int steps, double *mean)
{
    double times[FLIPS + 1];
    int count;
    SCREE_TRY(scree_trial_body(trial, false, handle));
    SCREE_TRY(
        scree_trial_start(trial, &(struct scree_soft_def){.step = interval / steps, .rotation = scheme}));
    SCREE_TRY(find_flips(trial, steps, 1.2 * (FLIPS + 1) * expected, times, &count));
    *mean = count > FLIPS ? (times[FLIPS] - times[0]) / FLIPS : (double)NAN;
    return SCREE_OK;
}

// The mean of the finest run must be within the bound extrapolated from the coarser runs, and within an a
// priori bound. The time of a flip is about ln(16 / k'^2) over the growth rate, so a relative change d of
// k'^2 changes it by the fraction d / ln(16 / k'^2). The energy of the splitting, and so L^2 - 2 E J2, to
// which k'^2 is proportional, has an error of (W h)^2 as above, with W = |L| / J_min.
static scree_status check_splitting(struct scree_trial *trial, const struct scree_rigid_def *handle,
                                    double expected, double complement_squared)
{
    const double rate = handle->inertia[1] * handle_spin / handle->inertia[0];
    const double bound = rate * interval / FINEST * rate * interval / FINEST / complement_squared /
                         log(16 / complement_squared) * expected;
    double mean = 0, errors[RUNS];
    for (int r = 0; r < RUNS; ++r) {
        SCREE_TRY(mean_flip(trial, handle, "splitting", expected, 1 << r, &mean));
        errors[r] = fabs(mean - expected);
    }
    const double predicted = scree_schemes_lowest_bound(errors, RUNS, 2);
    scree_report_near(trial, expected, mean, fmin(predicted, bound), "splitting: mean of 50 flips (s)");
    scree_report_near(trial, 2, scree_report_order(errors, RUNS), SCREE_SCHEMES_ORDER_TOLERANCE,
                      "splitting: order of the mean");
    return SCREE_OK;
}

static scree_status t_handle(struct scree_trial *trial)
{
    const struct scree_rigid_def handle = make_handle();
    // the spin about the stem is zero twice per period, at equal intervals
    double complement;
    const double expected = 0.5 * scree_algebra_jacobi_period(handle.inertia, handle.spin, &complement);
    SCREE_TRY(check_splitting(trial, &handle, expected, complement * complement));
    const char *scheme;
    for (size_t l = 0; (scheme = scree_schemes_rotation(l)); ++l) {
        double mean;
        if (strcmp(scheme, "splitting") == 0)
            continue;
        SCREE_TRY(mean_flip(trial, &handle, scheme, expected, FINEST, &mean));
        scree_report_unchecked(trial, expected, mean, "%s: mean of 50 flips (s)", scheme);
    }
    return SCREE_OK;
}

const struct scree_verify_case scree_verify_long[] = {
    {"unstable_axis", "a free body near its unstable axis over a million steps", unstable_axis, NULL},
    {"t_handle", "the period of fifty flips of a T-handle, against Jacobi's closed form", t_handle, NULL},
    {0},
};
