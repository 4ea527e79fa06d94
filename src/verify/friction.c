// Balls that slide, roll and stick on a rigid plane, against closed forms for rigid bodies
// (tests/data/slide_to_roll.csv, incline.csv).
//
// A contact is not rigid: its tangential spring must be stretched by s = mu N / k before sliding starts,
// which shortens the displacement by about s, and the duration of the friction force by s / v at the speed v.
// The lever arm ends at the plane and is shorter than R by the overlap. These errors are proportional to
// 1 / k. Each case runs with four stiffnesses that differ by factors of 4, with adapted steps, and errors
// must be of order 1 in the compliance 1 / k. Dashpots damp the oscillations of the springs.

#include "balls.h"
#include "table.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>

enum { RUNS = 4 };

static const double pi = 3.14159265358979323846, gravity = 9.81, radius = 0.1, mass = 1;

// A ball on a plane inclined by `angle` about y, with the overlap of static equilibrium.
static scree_status begin(struct scree_trial *trial, double angle, double friction, double stiffness,
                          double speed, unsigned fixed, double step)
{
    const double normal[3] = {sin(angle), 0, cos(angle)};
    const double height = radius - mass * gravity * cos(angle) / stiffness;
    // the tangential stiffness is equal to the normal one; critical damping for a ball that is free to rotate
    const double damping = 2 * sqrt(2.0 / 7 * stiffness * mass);
    const struct scree_balls_material material = {mass / scree_balls_volume(radius), 0, 0};
    const struct scree_balls_law law = {.name = "linear",
                                        .values = {{"stiffness", stiffness, NULL},
                                                   {"stiffness-tangential", stiffness, NULL},
                                                   {"friction", friction, NULL},
                                                   {"damping", 2 * sqrt(stiffness * mass), NULL},
                                                   {"damping-tangential", damping, NULL}}};
    SCREE_TRY(scree_balls_begin(trial, &material, &law, -gravity));
    SCREE_TRY(scree_balls_plane(trial, (const double[3]){0, 0, 0}, normal));
    SCREE_TRY(scree_balls_add(
        trial, &(struct scree_sphere_def){.radius = radius,
                                          .position = {height * normal[0], 0, height * normal[2]},
                                          .velocity = {speed * cos(angle), 0, -speed * sin(angle)},
                                          .fixed = fixed}));
    return scree_balls_start(trial, step, 1);
}

// Number of steps in `interval` for a step of 1/40 of the shortest period, that of the tangential spring.
static uint64_t count_steps(double interval, double stiffness)
{
    const double period = 2 * pi / sqrt(3.5 * stiffness / mass);
    return (uint64_t)ceil(interval / (period / 40));
}

// Checks the last of four errors, and their order; the stiffness changes by a factor of 4 between runs.
static void check_errors(struct scree_trial *trial, double order, const double *errors, double limit,
                         const char *label)
{
    scree_report_near(trial, order, 0.5 * scree_report_order(errors, RUNS), 0.1, "%s: order in compliance",
                      label);
    scree_report_at_most(trial, limit, errors[RUNS - 1], "%s: error", label);
}

// --- a ball launched along a horizontal plane: it slides, then rolls

static const double launch_speed = 1, friction_coefficient = 0.3, softest = 4e5;

// Errors of position, velocity and spin. The last two are not evaluated just after the start of rolling,
// where the spring oscillates for a few periods.
static void compare(const struct scree_table *table, size_t row, const struct scree_body_state *state,
                    double errors[3])
{
    static const char *const columns[3] = {"x", "v", "omega"};
    const double computed[3] = {state->position[0], state->velocity[0], state->spin[1] * radius};
    const double rolling_start = 2 * launch_speed / (7 * friction_coefficient * gravity),
                 rate = sqrt(3.5 * softest / mass);
    const double rolling_time = scree_table_number(table, row, "t") - rolling_start;
    for (int k = 0; k < 3; ++k) {
        const double expected = scree_table_number(table, row, columns[k]) * (k == 2 ? radius : 1);
        if (k == 0 || rolling_time < 0 || rolling_time > 20 / rate)
            errors[k] = scree_report_larger(errors[k], fabs(computed[k] - expected));
    }
}

static scree_status roll_once(struct scree_trial *trial, const struct scree_table *table, double stiffness,
                              double errors[3])
{
    const double interval = scree_table_number(table, 1, "t");
    const uint64_t steps = count_steps(interval, stiffness);
    errors[0] = errors[1] = errors[2] = 0;
    SCREE_TRY(begin(trial, 0, friction_coefficient, stiffness, launch_speed, 0, interval / (double)steps));
    for (size_t row = 1; row < table->rows; ++row) {
        struct scree_body_state state;
        SCREE_TRY(scree_trial_run(trial, steps, &state));
        compare(table, row, &state, errors);
    }
    return SCREE_OK;
}

// Error of the displacement: s at the start, and at most s again when rolling begins. Error of the
// velocities: that of the duration, s / v, and that of the shorter lever arm.
static scree_status roll(struct scree_trial *trial)
{
    static const char *const names[3] = {"position", "velocity", "spin times radius"};
    struct scree_table table;
    SCREE_TRY(scree_table_open("slide_to_roll", &table));
    double errors[3][RUNS], stiffness = softest;
    for (int r = 0; r < RUNS; ++r, stiffness *= 4) {
        double run_errors[3];
        SCREE_TRY(roll_once(trial, &table, stiffness, run_errors));
        for (int k = 0; k < 3; ++k)
            errors[k][r] = run_errors[k];
    }
    const double overlap = mass * gravity / (stiffness / 4), stretch = friction_coefficient * overlap;
    const double speed =
        stretch / launch_speed * friction_coefficient * gravity + overlap / radius * launch_speed;
    for (int k = 0; k < 3; ++k)
        check_errors(trial, 1, errors[k], k == 0 ? 2 * stretch : 2.5 * speed, names[k]);
    return SCREE_OK;
}

// --- balls and blocks on an incline; a block is a ball with fixed rotation

static scree_status slide_once(struct scree_trial *trial, const struct scree_table *table, size_t first,
                               bool block, double stiffness, double *error)
{
    const double angle = scree_table_number(table, first, "theta_deg") * pi / 180;
    const double friction = scree_table_number(table, first, "mu");
    const double interval = scree_table_number(table, first, "t");
    const uint64_t steps = count_steps(interval, stiffness);
    *error = 0;
    SCREE_TRY(
        begin(trial, angle, friction, stiffness, 0, block ? SCREE_FIX_SPIN : 0, interval / (double)steps));
    for (size_t row = first; row < first + 3; ++row) {
        struct scree_body_state state;
        // the rows are at one, two and four times the interval
        SCREE_TRY(scree_trial_run(trial, row == first + 2 ? 2 * steps : steps, &state));
        const double displacement = state.position[0] * cos(angle) - state.position[2] * sin(angle);
        *error = scree_report_larger(
            *error, fabs(displacement - scree_table_number(table, row, block ? "s_block" : "s_sphere")));
        if (!block)
            *error = scree_report_larger(
                *error, radius * fabs(state.spin[1] - scree_table_number(table, row, "omega_sphere")) *
                            scree_table_number(table, row, "t"));
    }
    return SCREE_OK;
}

struct expected_error {
    double order, limit; // order in compliance; maximum error of the displacement at the highest stiffness, m
};

// The displacement of a ball is too short by s, and by 4/7 of overlap over R because of the shorter lever
// arm; the error of its spin times R t is less than overlap over R times twice the displacement. A block
// moves before its spring has built up force, at a speed of at most g sin / w with w^2 = k / m, proportional
// to the square root of the compliance. A sliding block keeps this speed difference; a sticking one slides
// until friction has stopped it, after v^2 / 2a, and comes to rest at s.
static struct expected_error derive_expected_error(const struct scree_table *table, size_t first, bool block)
{
    const double angle = scree_table_number(table, first, "theta_deg") * pi / 180;
    const double stiffness = ldexp(softest, 2 * (RUNS - 1)),
                 duration = scree_table_number(table, first + 2, "t");
    const double stretch = mass * gravity * sin(angle) / stiffness,
                 overlap = mass * gravity * cos(angle) / stiffness;
    if (!block)
        return (struct expected_error){1, stretch + overlap / radius *
                                                        scree_table_number(table, first + 2, "s_sphere")};
    const double initial_speed = gravity * sin(angle) / sqrt(stiffness / mass);
    const double braking = gravity * (scree_table_number(table, first, "mu") * cos(angle) - sin(angle));
    if (braking < 0)
        return (struct expected_error){0.5, initial_speed * duration};
    return (struct expected_error){1, 2 * stretch + 0.5 * initial_speed * initial_speed / braking};
}

static scree_status incline(struct scree_trial *trial)
{
    const bool block = *(const bool *)trial->data;
    struct scree_table table;
    SCREE_TRY(scree_table_open("incline", &table));
    for (size_t first = 0; first + 2 < table.rows; first += 3) {
        double errors[RUNS], stiffness = softest;
        for (int r = 0; r < RUNS; ++r, stiffness *= 4)
            SCREE_TRY(slide_once(trial, &table, first, block, stiffness, &errors[r]));
        char label[64];
        snprintf(label, sizeof label, "%.0f degrees, friction %.4g",
                 scree_table_number(&table, first, "theta_deg"), scree_table_number(&table, first, "mu"));
        const struct expected_error expected = derive_expected_error(&table, first, block);
        check_errors(trial, expected.order, errors, expected.limit, label);
    }
    return SCREE_OK;
}

static const bool free_rotation = false, fixed_rotation = true;

const struct scree_verify_case scree_verify_friction[] = {
    {"roll", "a ball that slides and then rolls on a horizontal plane", roll, NULL},
    {"incline-ball", "balls on inclines, which roll or slide", incline, &free_rotation},
    {"incline-block", "blocks on inclines, which stick or slide", incline, &fixed_rotation},
    {0},
};
