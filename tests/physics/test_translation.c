// Translation schemes converge with their orders of accuracy to the closed form of a damped oscillator, with
// equal and with varying steps. If forces do not depend on velocities, leapfrog schemes give the trajectory
// of velocity-verlet.

#include "support/order.h"
#include "support/oscillator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct scree_oscillator free_oscillator = {.stiffness = 4, .position = 0.3, .velocity = 1};
static const struct scree_oscillator dashpot_oscillator = {
    .stiffness = 4, .dashpot = 0.6, .position = 0.3, .velocity = 1};
static const struct scree_oscillator viscous_oscillator = {
    .stiffness = 4, .position = 0.3, .velocity = 1, .damping = {.viscous = 0.6}};
static const struct scree_oscillator doubly_damped_oscillator = {
    .stiffness = 4, .dashpot = 0.3, .position = 0.3, .velocity = 1, .damping = {.viscous = 0.3}};
static const struct scree_oscillator *const oscillators[] = {&free_oscillator, &dashpot_oscillator,
                                                             &viscous_oscillator, &doubly_damped_oscillator};
static const char *const second_order[] = {"velocity-verlet", "leapfrog", "central-difference"};
static const char *const first_order[] = {"euler", "euler-semi-implicit"};

enum { OSCILLATORS = 4, FIRST_STEPS = 150, FIRST_STEPS_OF_EULER = 600 };
static const double duration = 5;

struct trial {
    const struct scree_oscillator *oscillator;
    const char *name;
    bool uneven;
};

static double error(void *context, size_t steps)
{
    const struct trial *trial = context;
    const struct scree_oscillator_run run = {
        .name = trial->name, .step = duration / (double)steps, .steps = steps, .uneven = trial->uneven};
    struct scree_oscillator_state got;
    assert_int_equal(scree_oscillator_move(trial->oscillator, &run, &got), SCREE_OK);
    const struct scree_oscillator_state expected = scree_oscillator_exact(trial->oscillator, duration);
    return hypot(got.position - expected.position, got.velocity - expected.velocity);
}

static void check_orders(double expected, const char *const *names, size_t count, size_t steps, bool uneven)
{
    for (size_t n = 0; n < count; ++n)
        for (int s = 0; s < OSCILLATORS; ++s)
            scree_order_check(error, &(struct trial){oscillators[s], names[n], uneven}, steps, expected,
                              names[n]);
}

static void second_order_schemes_are_of_order_2_without_damping_and_with_each_damping(void **state)
{
    (void)state;
    check_orders(2, second_order, 3, FIRST_STEPS, false);
}

static void second_order_schemes_keep_order_2_with_varying_steps(void **state)
{
    (void)state;
    check_orders(2, second_order, 3, FIRST_STEPS, true);
}

static void both_forms_of_euler_are_of_order_1(void **state)
{
    (void)state;
    check_orders(1, first_order, 2, FIRST_STEPS_OF_EULER, false);
    check_orders(1, first_order, 2, FIRST_STEPS_OF_EULER, true);
}

// the schemes add the same terms in another order: each of 1500 steps rounds x and v by at most 2^-52, and a
// difference grows at most like the time, 15 s
static void leapfrog_schemes_equal_velocity_verlet_up_to_round_off(void **state)
{
    (void)state;
    enum { STEPS = 1500 };
    static const struct scree_oscillator stiffening_oscillator = {
        .stiffness = 4, .cubic = 2, .gravity = -1.5, .position = 0.3, .velocity = 1};
    static struct scree_oscillator_state verlet[STEPS], leapfrog_trace[STEPS];
    for (int uneven = 0; uneven < 2; ++uneven)
        for (int n = 0; n < 3; ++n) {
            struct scree_oscillator_run run = {.name = second_order[n],
                                               .step = 0.01,
                                               .steps = STEPS,
                                               .uneven = uneven,
                                               .trace = leapfrog_trace};
            struct scree_oscillator_state end;
            assert_int_equal(scree_oscillator_move(&stiffening_oscillator, &run, &end), SCREE_OK);
            if (n == 0)
                memcpy(verlet, leapfrog_trace, sizeof verlet);
            const double tolerance = STEPS * 15 * 2 * 2.3e-16;
            for (int s = 0; s < STEPS; ++s)
                if (!(fabs(leapfrog_trace[s].position - verlet[s].position) < tolerance &&
                      fabs(leapfrog_trace[s].velocity - verlet[s].velocity) < tolerance))
                    fail_msg("%s differs from velocity-verlet at step %d", run.name, s + 1);
        }
}

// viscous damping acts on the mid-step velocity in velocity-verlet and on the on-step one in leapfrog:
// positions differ by less than 4 h^2 = 1e-2, and by far more than rounding
static void with_viscous_damping_velocity_verlet_and_leapfrog_differ_by_less_than_4_h_squared(void **state)
{
    (void)state;
    const struct scree_oscillator_run verlet = {.name = "velocity-verlet", .step = 0.05, .steps = 100};
    const struct scree_oscillator_run leapfrog = {.name = "leapfrog", .step = 0.05, .steps = 100};
    struct scree_oscillator_state verlet_end, leapfrog_end;
    assert_int_equal(scree_oscillator_move(&viscous_oscillator, &verlet, &verlet_end), SCREE_OK);
    assert_int_equal(scree_oscillator_move(&viscous_oscillator, &leapfrog, &leapfrog_end), SCREE_OK);
    assert_true(fabs(verlet_end.position - leapfrog_end.position) > 1e-7);
    assert_true(fabs(verlet_end.position - leapfrog_end.position) < 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_order_schemes_are_of_order_2_without_damping_and_with_each_damping),
        cmocka_unit_test(second_order_schemes_keep_order_2_with_varying_steps),
        cmocka_unit_test(both_forms_of_euler_are_of_order_1),
        cmocka_unit_test(leapfrog_schemes_equal_velocity_verlet_up_to_round_off),
        cmocka_unit_test(with_viscous_damping_velocity_verlet_and_leapfrog_differ_by_less_than_4_h_squared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
