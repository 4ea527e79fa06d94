// Translation against closed forms, for every scheme of translation.
//
// Along each axis x'' + c x' + w^2 x = A sin(W t + f). Spring and driving force are user loads; the drag c is
// a user load or the viscous damping of the engine. The error of a run is the maximum over 64 samples of the
// position error relative to the amplitude, and of the velocity error relative to amplitude times rate.
// Orders as in rotation.c; the error (w h / 2) w T of explicit Euler bounds D by w^2 T / 2, and the coarsest
// step has D h = 0.26.

#include "algebra.h"
#include "schemes.h"
#include "verify.h"

#include <math.h>
#include <string.h>

enum { RUNS = 5, SAMPLES = 64, COARSEST = 16 };

static const double duration = 10;
static const double mass = 2;
static const double start[3] = {0.3, -0.5, 0.8};
static const double velocity[3] = {-0.4, 0.9, 0.2};

struct problem {
    double rate[3];  // of the springs, rad/s
    double drag;     // by a load, 1/s
    double damping;  // by the engine, 1/s
    double drive[3]; // amplitude of the driving acceleration, m/s^2
    double drive_rate, drive_phase[3];
};

static scree_status apply_forces(void *user, const struct scree_load_batch *batch)
{
    const struct problem *problem = (const struct problem *)user;
    for (size_t i = 0; i < batch->count; ++i)
        for (int k = 0; k < 3; ++k)
            batch->force[i][k] +=
                batch->mass[i] *
                (problem->drive[k] * sin(problem->drive_rate * batch->time + problem->drive_phase[k]) -
                 problem->rate[k] * problem->rate[k] * batch->position[i][k] -
                 problem->drag * batch->velocity[i][k]);
    return SCREE_OK;
}

struct motion {
    double position[3], velocity[3];
};

// x = exp(-c t / 2) (x0 cos w't + (v0 + c x0 / 2) / w' sin w't),  w'^2 = w^2 - c^2 / 4
static void move_on_spring(double w, double c, double t, int k, struct motion *motion)
{
    const double damped = sqrt(w * w - 0.25 * c * c);
    const double envelope = exp(-0.5 * c * t);
    const double a = start[k], b = (velocity[k] + 0.5 * c * start[k]) / damped;
    const double cosine = cos(damped * t), sine = sin(damped * t);
    motion->position[k] = envelope * (a * cosine + b * sine);
    motion->velocity[k] = envelope * damped * (b * cosine - a * sine) - 0.5 * c * motion->position[k];
}

// without a spring: with a driving force and no drag, or with drag and no driving force
static void move_without_spring(const struct problem *problem, double c, double t, int k,
                                struct motion *motion)
{
    if (c > 0) {
        motion->velocity[k] = velocity[k] * exp(-c * t);
        motion->position[k] = start[k] + (velocity[k] - motion->velocity[k]) / c;
        return;
    }
    const double amplitude = problem->drive[k] / problem->drive_rate;
    const double first_phase = problem->drive_phase[k], phase = problem->drive_rate * t + first_phase;
    motion->velocity[k] = velocity[k] + amplitude * (cos(first_phase) - cos(phase));
    motion->position[k] = start[k] + (velocity[k] + amplitude * cos(first_phase)) * t -
                          amplitude / problem->drive_rate * (sin(phase) - sin(first_phase));
}

static struct motion exact(const struct problem *problem, double t)
{
    const double c = problem->drag + problem->damping;
    struct motion motion;
    for (int k = 0; k < 3; ++k)
        if (problem->rate[k] > 0)
            move_on_spring(problem->rate[k], c, t, k, &motion);
        else
            move_without_spring(problem, c, t, k, &motion);
    return motion;
}

// Returns the highest rate in the problem, 1/s.
static double highest_rate(const struct problem *problem)
{
    const double spring = fmax(problem->rate[0], fmax(problem->rate[1], problem->rate[2]));
    return fmax(fmax(spring, problem->drive_rate), problem->drag + problem->damping);
}

static scree_status begin(struct scree_trial *trial, const struct problem *problem, const char *scheme,
                          double step)
{
    struct scree_rigid_def def = {.mass = mass};
    memcpy(def.position, start, sizeof start);
    memcpy(def.velocity, velocity, sizeof velocity);
    SCREE_TRY(scree_trial_body(trial, true, &def));
    SCREE_TRY(scree_trial_load(trial, apply_forces, problem));
    return scree_trial_start(trial, &(struct scree_soft_def){.step = step,
                                                             .translation = scheme,
                                                             .damping = {.viscous = problem->damping}});
}

static scree_status measure_error(struct scree_trial *trial, const struct problem *problem, int steps,
                                  double *error)
{
    const double amplitude = scree_algebra_norm(start, 3), rate = highest_rate(problem);
    *error = 0;
    for (int s = 1; s <= SAMPLES; ++s) {
        struct scree_body_state state;
        SCREE_TRY(scree_trial_run(trial, (uint64_t)steps, &state));
        const struct motion expected = exact(problem, s * duration / SAMPLES);
        const double position = scree_algebra_distance(state.position, expected.position, 3) / amplitude;
        const double speed =
            scree_algebra_distance(state.velocity, expected.velocity, 3) / (amplitude * rate);
        *error = scree_report_larger(*error, scree_report_larger(position, speed));
    }
    return SCREE_OK;
}

static scree_status run_problem(struct scree_trial *trial)
{
    const struct problem *problem = (const struct problem *)trial->data;
    const double rate = highest_rate(problem);
    const char *scheme;
    for (size_t l = 0; (scheme = scree_motion_name(SCREE_TRANSLATION, l)); ++l) {
        int order;
        SCREE_TRY(scree_schemes_order(scheme, &order));
        double errors[RUNS], step = 0;
        for (int r = 0, steps = COARSEST; r < RUNS; ++r, steps *= 2) {
            step = duration / SAMPLES / steps;
            SCREE_TRY(begin(trial, problem, scheme, step));
            SCREE_TRY(measure_error(trial, problem, steps, &errors[r]));
        }
        scree_report_near(trial, order, scree_report_order(errors, RUNS), SCREE_SCHEMES_ORDER_TOLERANCE,
                          "%s: order", scheme);
        // the sum of local errors of at most (w h)^(p+1), and the bound extrapolated from the coarser runs
        const double bound = pow(rate * step, order) * rate * duration;
        const double predicted = scree_schemes_lowest_bound(errors, RUNS, order);
        scree_report_at_most(trial, fmin(predicted, bound), errors[RUNS - 1], "%s: error at h = %.3g s",
                             scheme, step);
    }
    return SCREE_OK;
}

// Under gravity alone positions and velocities are exact, up to the initial offset of a scheme and one
// rounding per step of the velocity, which accumulates in the position, and of the position.
static scree_status free_fall(struct scree_trial *trial)
{
    enum { STEPS = 1000 };
    static const double gravity[3] = {1.5, -0.7, -9.81}, step = 0.01, time = STEPS * 0.01;
    const char *scheme;
    for (size_t l = 0; (scheme = scree_motion_name(SCREE_TRANSLATION, l)); ++l) {
        static const struct problem nothing = {.rate = {0}};
        const int lead = scree_schemes_lead(scheme);
        struct scree_body_state state;
        SCREE_TRY(begin(trial, &nothing, scheme, step));
        SCREE_TRY(scree_world_set_gravity(trial->world, gravity));
        SCREE_TRY(scree_trial_run(trial, STEPS, &state));
        struct motion expected;
        for (int k = 0; k < 3; ++k) {
            expected.velocity[k] = velocity[k] + gravity[k] * time;
            expected.position[k] = start[k] + (velocity[k] + 0.5 * gravity[k] * (time + lead * step)) * time;
        }
        const double speed = scree_algebra_norm(expected.velocity, 3);
        const double rounding = STEPS * SCREE_VERIFY_EPSILON;
        scree_report_at_most(trial, rounding * 2 * speed * time,
                             scree_algebra_distance(state.position, expected.position, 3), "%s: position (m)",
                             scheme);
        scree_report_at_most(trial, rounding * speed,
                             scree_algebra_distance(state.velocity, expected.velocity, 3),
                             "%s: velocity (m/s)", scheme);
    }
    return SCREE_OK;
}

const struct scree_verify_case scree_verify_translation[] = {
    {"oscillator", "a mass on springs, a load that depends on position", run_problem,
     &(const struct problem){.rate = {1, 1.7, 2.3}}},
    {"dragged_oscillator", "a mass on springs with a drag, a load that depends on velocity", run_problem,
     &(const struct problem){.rate = {1, 1.7, 2.3}, .drag = 0.4}},
    {"damped_oscillator", "a mass on springs with the viscous damping of the engine", run_problem,
     &(const struct problem){.rate = {1, 1.7, 2.3}, .damping = 0.4}},
    {"driven", "a load that depends on time", run_problem,
     &(const struct problem){.drive = {1, -0.6, 0.8}, .drive_rate = 2.1, .drive_phase = {0.3, 1.2, -0.9}}},
    {"decay", "viscous damping alone: the speed decays exponentially", run_problem,
     &(const struct problem){.damping = 0.8}},
    {"free_fall", "free flight under gravity, exact except for the initial offset of a scheme", free_fall,
     NULL},
    {0},
};
