// Published treatments of velocities that have order 1 instead of 2: starts that use an on-step velocity as a
// mid-step one, and dashpots that get the mid-step velocity. The amplitude of explicit Euler grows in every
// step. References: closed forms of an oscillator. Errata 10, 73, 74, 75.

#include "support/order.h"
#include "support/oscillator.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const struct scree_oscillator free_oscillator = {.stiffness = 4, .position = 0.3, .velocity = 1};
static const struct scree_oscillator damped_oscillator = {
    .stiffness = 4, .dashpot = 0.6, .position = 0.3, .velocity = 1};

enum { FIRST_STEPS = 100 };
static const double duration = 5;

struct trial {
    const struct scree_oscillator *oscillator;
    const char *name;
    const struct scree_motion_scheme *scheme;
};

static double error(void *context, size_t steps)
{
    const struct trial *trial = context;
    const struct scree_oscillator_run run = {
        .name = trial->name, .scheme = trial->scheme, .step = duration / (double)steps, .steps = steps};
    struct scree_oscillator_state got;
    assert_int_equal(scree_oscillator_move(trial->oscillator, &run, &got), SCREE_OK);
    const struct scree_oscillator_state expected = scree_oscillator_exact(trial->oscillator, duration);
    return hypot(got.position - expected.position, got.velocity - expected.velocity);
}

static void check_order(const char *name, const struct scree_oscillator *oscillator, double expected)
{
    scree_order_check(error, &(struct trial){oscillator, name, NULL}, FIRST_STEPS, expected, name);
}

// In the first step, the given on-step velocity is used as the mid-step velocity half a step earlier.
static void advance_without_start(const struct scree_motion_scheme *scheme,
                                  const struct scree_motion_batch *batch)
{
    struct scree_motion_step step = *batch->step;
    struct scree_motion_batch batch_without_start = *batch;
    batch_without_start.step = &step;
    for (size_t i = 0; i < batch->count; ++i) {
        step.last = scree_motion_is_on_step(batch, i) ? step.h : step.last;
        batch->grain[i].flags &= ~(uint32_t)SCREE_FLAG_MOVE_ON_STEP;
    }
    scheme->advance(&batch_without_start);
}

static void advance_leapfrog(const struct scree_motion_batch *batch)
{
    advance_without_start(&scree_leapfrog, batch);
}

static void advance_central_difference(const struct scree_motion_batch *batch)
{
    advance_without_start(&scree_leapfrog_central, batch);
}

// errata 73
static void starts_with_the_on_step_velocity_as_mid_step_velocity_are_of_order_1(void **state)
{
    (void)state;
    struct scree_motion_scheme leapfrog = scree_leapfrog, central = scree_leapfrog_central;
    leapfrog.advance = advance_leapfrog;
    central.advance = advance_central_difference;
    scree_order_check(error, &(struct trial){&free_oscillator, NULL, &leapfrog}, FIRST_STEPS, 1,
                      "leapfrog of Woo");
    scree_order_check(error, &(struct trial){&free_oscillator, NULL, &central}, FIRST_STEPS, 1,
                      "start of Bagi");
}

static void the_same_schemes_started_with_half_a_kick_are_of_order_2(void **state)
{
    (void)state;
    check_order("leapfrog", &free_oscillator, 2);
    check_order("central-difference", &free_oscillator, 2);
}

// errata 10 and 74
static void dashpots_with_mid_step_velocities_are_of_order_1(void **state)
{
    (void)state;
    static const struct scree_motion_scheme *const schemes[] = {&scree_velocity_verlet, &scree_leapfrog,
                                                                &scree_leapfrog_central};
    for (size_t l = 0; l < sizeof schemes / sizeof schemes[0]; ++l) {
        struct scree_motion_scheme lagged = *schemes[l];
        lagged.predict = scree_oscillator_predict_lagged;
        scree_order_check(error, &(struct trial){&damped_oscillator, NULL, &lagged}, FIRST_STEPS, 1,
                          "lagged dashpot");
        check_order(schemes[l]->name, &damped_oscillator, 2);
    }
}

// errata 75: with z = x + i v / w a step is z' = (1 - i w h) z, so |z| grows by sqrt(1 + (w h)^2) in every
// step; 1e-12 is four times the error of 1000 roundings of 2^-52
static void the_amplitude_of_explicit_euler_grows_by_the_closed_form(void **state)
{
    (void)state;
    enum { STEPS = 1000 };
    static const double angles[] = {0.3, 0.03, 0.003};
    for (size_t a = 0; a < sizeof angles / sizeof angles[0]; ++a) {
        const struct scree_oscillator_run run = {.name = "euler", .step = 0.5 * angles[a], .steps = STEPS};
        struct scree_oscillator_state got;
        assert_int_equal(scree_oscillator_move(&free_oscillator, &run, &got), SCREE_OK);
        const double growth = hypot(got.position, 0.5 * got.velocity) / hypot(0.3, 0.5);
        const double expected = pow(1 + angles[a] * angles[a], 0.5 * STEPS);
        assert_true(fabs(growth / expected - 1) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_with_the_on_step_velocity_as_mid_step_velocity_are_of_order_1),
        cmocka_unit_test(the_same_schemes_started_with_half_a_kick_are_of_order_2),
        cmocka_unit_test(dashpots_with_mid_step_velocities_are_of_order_1),
        cmocka_unit_test(the_amplitude_of_explicit_euler_grows_by_the_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
