// The longest stable step of an oscillator equals the formula of docs/theory/time-step.md, for each
// translation scheme and each treatment of the dashpot.
//
// The limit is between a step with bounded motion and one with growth. At (1 + e) times the limit, the
// amplitude grows by a factor of at least 1 + e / 2 per step: for e = 1e-3, by more than 1e6 in 30000 steps.

#include "support/oscillator.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { STEPS = 30000 };
static const double resolution = 1e-3;

// the frequency is 1, so the step equals the phase angle
static bool stays_bounded(const struct scree_motion_scheme *scheme, double dashpot, double viscous,
                          double step)
{
    const struct scree_oscillator oscillator = {
        .stiffness = 1, .dashpot = dashpot, .position = 1, .damping = {.viscous = viscous}};
    const struct scree_oscillator_run run = {.scheme = scheme, .step = step, .steps = STEPS};
    struct scree_oscillator_state end;
    return scree_oscillator_move(&oscillator, &run, &end) == SCREE_OK && fabs(end.position) < 1e6;
}

static void check_limit(double expected, const struct scree_motion_scheme *scheme, double dashpot,
                        double viscous)
{
    const bool below = stays_bounded(scheme, dashpot, viscous, expected - resolution),
               above = stays_bounded(scheme, dashpot, viscous, expected + resolution);
    if (!below || above)
        fail_msg("%s with a damping ratio of %g: the limit is %s than %g", scheme->name,
                 0.5 * (dashpot + viscous), above ? "larger" : "smaller", expected);
}

static const struct scree_motion_scheme *const schemes[] = {&scree_velocity_verlet, &scree_leapfrog,
                                                            &scree_leapfrog_central};
static const double ratios[] = {0.05, 0.2, 0.5};
enum { SCHEMES = sizeof schemes / sizeof schemes[0], RATIOS = sizeof ratios / sizeof ratios[0] };

static void undamped_steps_are_stable_up_to_two_over_the_frequency(void **state)
{
    (void)state;
    for (int l = 0; l < SCHEMES; ++l)
        check_limit(2, schemes[l], 0, 0);
    check_limit(2, &scree_euler_semi_implicit, 0, 0);
}

static void dashpots_with_predicted_velocities_reduce_the_limit_by_the_formula(void **state)
{
    (void)state;
    for (int l = 0; l < SCHEMES; ++l)
        for (int r = 0; r < RATIOS; ++r) {
            const double z = ratios[r];
            check_limit(2 * (sqrt(1 + 4 * z * z) - 2 * z), schemes[l], 2 * z, 0);
        }
}

static void dashpots_with_mid_step_velocities_reduce_the_limit_by_the_formula(void **state)
{
    (void)state;
    for (int l = 0; l < SCHEMES; ++l) {
        struct scree_motion_scheme lagged = *schemes[l];
        lagged.predict = scree_oscillator_predict_lagged;
        for (int r = 0; r < RATIOS; ++r) {
            const double z = ratios[r];
            check_limit(2 * (sqrt(1 + z * z) - z), &lagged, 2 * z, 0);
        }
    }
}

static void viscous_damping_of_the_engine_does_not_reduce_the_limit(void **state)
{
    (void)state;
    for (int l = 0; l < SCHEMES; ++l)
        for (int r = 0; r < RATIOS; ++r)
            check_limit(2, schemes[l], 0, 2 * ratios[r]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undamped_steps_are_stable_up_to_two_over_the_frequency),
        cmocka_unit_test(dashpots_with_predicted_velocities_reduce_the_limit_by_the_formula),
        cmocka_unit_test(dashpots_with_mid_step_velocities_reduce_the_limit_by_the_formula),
        cmocka_unit_test(viscous_damping_of_the_engine_does_not_reduce_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
