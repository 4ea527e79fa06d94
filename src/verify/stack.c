// Two balls stacked and compressed between a floor and a lid, always in contact: a chain of springs, a linear
// system with an exact solution.
//
// Balls of 1 mm diameter, 2e4 and 1e4 kg/m^3, springs of 1e3 N/m, initial centres at 0.45 and 1.35 mm, a lid
// at 1.8 mm, gravity. With y the displacements from equilibrium, M y'' + C y' + K y = 0, where the dashpot
// coefficients in C differ between contacts, because they follow from the restitution and the effective mass.
// The exact motion is the matrix exponential for (y, y'), computed as a power series of 30 terms over
// intervals short enough for round-off accuracy. The order is 2 also with dashpots, since forces use
// predicted on-step velocities.

#include "balls.h"
#include "verify.h"

#include <math.h>
#include <string.h>

enum { RUNS = 5, COARSEST = 40, SAMPLES = 200, TERMS = 30 };

static const double pi = 3.14159265358979323846;
static const double radius = 0.5e-3, stiffness = 1e3, height = 1.8e-3, gravity = 9.81;
static const double densities[2] = {2e4, 1e4}, initial_position[2] = {0.45e-3, 1.35e-3};

struct system {
    double matrix[4][4];   // A in d/dt (y1, y2, v1, v2) = A (y1, y2, v1, v2)
    double equilibrium[2]; // positions
};

static double ball_mass(int ball)
{
    return densities[ball] * scree_balls_volume(radius);
}

static struct system make_system(double restitution)
{
    const double m[2] = {ball_mass(0), ball_mass(1)}, k = stiffness;
    const double damping_ratio = -log(restitution) / sqrt(pi * pi + log(restitution) * log(restitution));
    const double floor = 2 * damping_ratio * sqrt(k * m[0]), lid = 2 * damping_ratio * sqrt(k * m[1]);
    const double middle = 2 * damping_ratio * sqrt(k * m[0] * m[1] / (m[0] + m[1]));
    struct system s = {.matrix = {{0, 0, 1, 0},
                                  {0, 0, 0, 1},
                                  {-2 * k / m[0], k / m[0], -(floor + middle) / m[0], middle / m[0]},
                                  {k / m[1], -2 * k / m[1], middle / m[1], -(lid + middle) / m[1]}}};
    // k (2 x1 - x2) = k (r - 2 r) - m1 g and k (2 x2 - x1) = k (2 r + height - r) - m2 g
    const double a = -radius - m[0] * gravity / k, b = radius + height - m[1] * gravity / k;
    s.equilibrium[0] = (2 * a + b) / 3;
    s.equilibrium[1] = (a + 2 * b) / 3;
    return s;
}

// state = exp(A t) state
static void advance(const struct system *system, double t, double state[4])
{
    double term[4], sum[4];
    memcpy(term, state, sizeof term);
    memcpy(sum, state, sizeof sum);
    for (int n = 1; n <= TERMS; ++n) {
        double next[4];
        for (int i = 0; i < 4; ++i) {
            next[i] = 0;
            for (int j = 0; j < 4; ++j)
                next[i] += system->matrix[i][j] * term[j] * t / n;
        }
        for (int i = 0; i < 4; ++i)
            sum[i] += term[i] = next[i];
    }
    memcpy(state, sum, sizeof sum);
}

static scree_status begin(struct scree_trial *trial, double restitution, double step)
{
    const struct scree_balls_law law = {.name = "linear",
                                        .values = {{"stiffness", stiffness, NULL},
                                                   {"restitution", restitution, NULL},
                                                   {"friction", 0, NULL}}};
    SCREE_TRY(scree_balls_begin(trial, &(struct scree_balls_material){densities[0], 0, 0}, &law, -gravity));
    SCREE_TRY(scree_balls_floor(trial));
    SCREE_TRY(scree_balls_plane(trial, (const double[3]){0, 0, height}, (const double[3]){0, 0, -1}));
    struct scree_sphere_def def = {
        .radius = radius, .position = {0, 0, initial_position[0]}, .material = trial->material};
    SCREE_TRY(scree_body_add_sphere(trial->world, &def, &trial->body));
    SCREE_TRY(scree_material_add(
        trial->world, &(struct scree_material_def){.name = "light", .density = densities[1]}, &def.material));
    def.position[2] = initial_position[1];
    SCREE_TRY(scree_body_add_sphere(trial->world, &def, &trial->body));
    return scree_balls_start(trial, step, 1);
}

// Maximum error over all samples: of positions relative to the initial displacement, of velocities relative
// to that times the rate.
static scree_status measure_error(struct scree_trial *trial, const struct system *system, double interval,
                                  int steps, double *error)
{
    double expected[4] = {initial_position[0] - system->equilibrium[0],
                          initial_position[1] - system->equilibrium[1], 0, 0};
    const double amplitude = hypot(expected[0], expected[1]),
                 speed = amplitude * sqrt(stiffness / ball_mass(1));
    *error = 0;
    for (int s = 0; s < SAMPLES; ++s) {
        SCREE_TRY(scree_engine_run(trial->engine, (uint64_t)steps));
        advance(system, interval, expected);
        struct scree_body_state state[2];
        SCREE_TRY(scree_trial_states(trial, 2, state));
        for (int b = 0; b < 2; ++b) {
            *error = scree_report_larger(
                *error, fabs(state[b].position[2] - system->equilibrium[b] - expected[b]) / amplitude);
            *error = scree_report_larger(*error, fabs(state[b].velocity[2] - expected[2 + b]) / speed);
        }
    }
    return SCREE_OK;
}

// The highest frequency is below sqrt(3 k / m). Phase errors of (w h)^2 / 24 per radian add up over the
// oscillations; with dashpots at most two periods contribute.
static scree_status stack(struct scree_trial *trial)
{
    const double restitution = *(const double *)trial->data;
    const struct system system = make_system(restitution);
    const double rate = sqrt(3 * stiffness / ball_mass(1)), interval = 2 * pi / rate;
    double errors[RUNS];
    for (int r = 0; r < RUNS; ++r) {
        const int steps = COARSEST << r;
        SCREE_TRY(begin(trial, restitution, interval / steps));
        SCREE_TRY(measure_error(trial, &system, interval, steps, &errors[r]));
    }
    const int finest = COARSEST << (RUNS - 1);
    const double phase_step = 2 * pi / finest, total_phase = restitution < 1 ? 4 * pi : 2 * pi * SAMPLES;
    scree_report_near(trial, 2, scree_report_order(errors, RUNS), 0.1, "order");
    scree_report_at_most(trial, phase_step * phase_step / 24 * total_phase, errors[RUNS - 1],
                         "error, %d steps per period", finest);
    return SCREE_OK;
}

static const double elastic = 1, damped = 0.8;

const struct scree_verify_case scree_verify_stack[] = {
    {"springs", "two balls between planes, without damping", stack, &elastic},
    {"dashpots", "two balls between planes, with a restitution of 0.8", stack, &damped},
    {0},
};
