// A ball that falls on a rigid floor and bounces under gravity, compared with an independent integration with
// event detection (tests/data/bounce_*.csv).
//
// The error of a run is the maximum over all samples in free flight of the position error, relative to the
// drop height, and of the velocity error, relative to the speed of the first impact. Steps are counted from
// the drop, so that a contact can begin anywhere inside a step.
//
// A relative error of the speed after an impact shifts the next impact by 2 v / g times that error, and the
// position by 2 v^2 / (g drop) = 3.6 times that error. When a contact begins or ends inside a step, the
// trapezoidal rule has a relative speed error of at most (w h)^2 / 8 without damping, where w = pi /
// duration. For a dashpot proportional to the fourth root of the overlap the error is at most 1.13 z
// (h / duration)^(5/4), with the damping ratio z, see impact.c.

#include "balls.h"
#include "table.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// consecutive runs differ in step size by a factor of 2^(1/4)
enum { RUNS = 17, SPEEDS = 6 };

static const double radius = 0.05, density = 1000, drop = 0.5, gravity = -9.81;
static const double interval = 5e-3; // time between two rows, s

struct bounce {
    const char *file;
    bool hertz;
    double stiffness, restitution;
    double order; // minimum order of accuracy
    int coarsest; // steps between two samples in the coarsest run
};

static scree_status begin(struct scree_trial *trial, const struct bounce *bounce, double step)
{
    const struct scree_balls_law law = {
        .name = bounce->hertz ? "hertz-mindlin" : "linear",
        .values = {{"stiffness", bounce->stiffness / (bounce->hertz ? sqrt(radius) : 1), NULL},
                   {"restitution", bounce->restitution, NULL},
                   {"friction", 0, NULL}}};
    SCREE_TRY(scree_balls_begin(trial, &(struct scree_balls_material){density, 1, 0}, &law, gravity));
    SCREE_TRY(scree_balls_floor(trial));
    SCREE_TRY(scree_balls_add(trial, &(struct scree_sphere_def){.radius = radius, .position = {0, 0, drop}}));
    return scree_balls_start(trial, step, 1);
}

// The speed of a ball in flight when it left, or will hit, the floor.
static double speed_at_floor(const struct scree_body_state *state)
{
    return sqrt(state->velocity[2] * state->velocity[2] - 2 * gravity * (state->position[2] - radius));
}

struct outcome {
    double error;
    double speed[SPEEDS]; // at the floor, before and after each contact
    size_t speeds;
};

static scree_status run_and_compare(struct scree_trial *trial, const struct scree_table *table,
                                    uint64_t steps, struct outcome *outcome)
{
    struct scree_body_state state;
    bool falling = false;
    *outcome = (struct outcome){0};
    for (size_t row = 1; row < table->rows; ++row) {
        SCREE_TRY(scree_trial_run(trial, steps, &state));
        // compare only in flight: inside a contact a small time shift gives a very large error
        const bool in_flight = state.position[2] > radius && scree_table_number(table, row, "z") > radius;
        if (!in_flight)
            continue;
        const double position_error = fabs(state.position[2] - scree_table_number(table, row, "z")) / drop;
        const double velocity_error = fabs(state.velocity[2] - scree_table_number(table, row, "v")) /
                                      fabs(scree_table_note(table, "# contact 1:", "v_in="));
        outcome->error =
            scree_report_larger(outcome->error, scree_report_larger(position_error, velocity_error));
        const bool falls = state.velocity[2] < 0;
        if (falls != falling && outcome->speeds < SPEEDS)
            outcome->speed[outcome->speeds++] = speed_at_floor(&state);
        falling = falls;
    }
    return SCREE_OK;
}

// Order of accuracy: slope of log2(error) over log2(steps) by least squares. Single errors scatter, since
// contacts begin at arbitrary positions inside a step.
static double slope(const double *errors, const int *steps)
{
    double mean_x = 0, mean_y = 0, covariance = 0, variance = 0;
    for (int r = 0; r < RUNS; ++r) {
        mean_x += log2(steps[r]) / RUNS;
        mean_y += log2(errors[r]) / RUNS;
    }
    for (int r = 0; r < RUNS; ++r) {
        covariance += (log2(steps[r]) - mean_x) * (log2(errors[r]) - mean_y);
        variance += (log2(steps[r]) - mean_x) * (log2(steps[r]) - mean_x);
    }
    return -covariance / variance;
}

// Error bound: the errors at both ends of three contacts.
static double bound(const struct scree_table *table, double step)
{
    const double duration = scree_table_note(table, "# contact 1:", "t_end=") -
                            scree_table_note(table, "# contact 1:", "t_start=");
    const double rate = 3.14159265358979323846 / duration,
                 damping = scree_table_note(table, "# Ball", "zeta=");
    const double end_error = 0.125 * rate * rate * step * step + 1.13 * damping * pow(step / duration, 1.25);
    return 3.6 * 2 * 3 * end_error;
}

static scree_status bounce(struct scree_trial *trial)
{
    const struct bounce *bounce = (const struct bounce *)trial->data;
    struct scree_table table;
    SCREE_TRY(scree_table_open(bounce->file, &table));
    struct outcome outcome = {0};
    double errors[RUNS];
    int steps[RUNS];
    for (int r = 0; r < RUNS; ++r) {
        steps[r] = (int)(bounce->coarsest * exp2(0.25 * r) + 0.5);
        SCREE_TRY(begin(trial, bounce, interval / steps[r]));
        SCREE_TRY(run_and_compare(trial, &table, (uint64_t)steps[r], &outcome));
        errors[r] = outcome.error;
    }
    const double limit = bound(&table, interval / steps[RUNS - 1]);
    // an elastic Hertz contact is smoother at its ends, so its order can be higher
    const double order = slope(errors, steps);
    scree_report_at_most(trial, 0.3, order > bounce->order ? 0 : bounce->order - order,
                         "trajectory: order %.2f, deviation below %.3g", order, bounce->order);
    scree_report_at_most(trial, limit, errors[RUNS - 1], "trajectory: error at h = %.3g s",
                         interval / steps[RUNS - 1]);
    for (size_t c = 0; c + 1 < outcome.speeds; c += 2) {
        char note[32];
        snprintf(note, sizeof note, "# contact %zu:", c / 2 + 1);
        scree_report_near(trial, scree_table_note(&table, note, "e_eff="),
                          outcome.speed[c + 1] / outcome.speed[c], limit,
                          "restitution with gravity of impact %zu", c / 2 + 1);
    }
    return SCREE_OK;
}

static const struct bounce linear_elastic = {"bounce_linear_elastic", false, 2e4, 1, 2, 200};
static const struct bounce hertz_elastic = {"bounce_hertz_elastic", true, 1e7, 1, 2, 200};
static const struct bounce hertz_damped = {"bounce_hertz", true, 1e7, 0.8, 1, 400};

const struct scree_verify_case scree_verify_bounce[] = {
    {"linear-elastic", "two bounces on a linear spring", bounce, &linear_elastic},
    {"hertz-elastic", "two bounces with the Hertz law", bounce, &hertz_elastic},
    {"hertz-damped", "three bounces with the Hertz law and restitution", bounce, &hertz_damped},
    {0},
};
