// Cost and length of the recent steps of a run, from invented readings of a clock.

#include "run/recent_steps.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// A run with invented readings of its clock.
struct sample_run {
    struct scree_recent_steps recent;
    double processor;
    uint64_t steps;
};

static void advance(struct sample_run *run, double processor, uint64_t steps)
{
    run->processor += processor;
    run->steps += steps;
    scree_recent_steps_add(&run->recent, run->processor, run->steps, (double)run->steps);
}

static void before_the_first_step_there_is_no_pace(void **state)
{
    (void)state;
    struct scree_recent_steps recent;
    scree_recent_steps_begin(&recent, 7, 100, 3);
    assert_true(scree_recent_steps_cost(&recent) == 0 && scree_recent_steps_length(&recent) == 0);
}

// Equal steps give their cost and length at any distance of the readings: weights cancel except for
// rounding.
static void equal_steps_give_their_cost_and_length(void **state)
{
    (void)state;
    struct scree_recent_steps recent;
    double processor = 7, time = 3;
    uint64_t steps = 100;
    scree_recent_steps_begin(&recent, processor, steps, time);
    for (uint64_t k = 1; k < 200; ++k) {
        const uint64_t more = 1 + k * k % 977;
        steps += more;
        processor += 0.002 * (double)more;
        time += 1e-5 * (double)more;
        scree_recent_steps_add(&recent, processor, steps, time);
        assert_true(fabs(scree_recent_steps_cost(&recent) - 0.002) < 1e-9);
        assert_true(fabs(scree_recent_steps_length(&recent) - 1e-5) < 1e-12);
    }
}

// One slow interval of 0.1 s of processor time: its weight in the window of 5 s is at most 0.1 / 5. With a
// tenth of the steps of the other intervals it changes the cost by at most about 2 %.
static void a_single_slow_interval_changes_the_pace_little(void **state)
{
    (void)state;
    struct sample_run run = {0};
    scree_recent_steps_begin(&run.recent, 0, 0, 0);
    for (int k = 0; k < 100; ++k)
        advance(&run, 0.1, 1000);
    const double before = scree_recent_steps_cost(&run.recent);
    advance(&run, 0.1, 100);
    assert_true(scree_recent_steps_cost(&run.recent) > before &&
                scree_recent_steps_cost(&run.recent) < 1.025 * before);
}

// After a lasting change the cost approaches the new one: after four windows of 5 s it differs by e^-4.
static void a_lasting_change_is_followed(void **state)
{
    (void)state;
    struct sample_run run = {0};
    scree_recent_steps_begin(&run.recent, 0, 0, 0);
    for (int k = 0; k < 20; ++k)
        advance(&run, 0.1, 1000);
    for (int k = 0; k < 200; ++k)
        advance(&run, 0.1, 500);
    assert_true(fabs(scree_recent_steps_cost(&run.recent) - 2e-4) < 2e-4 * 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_the_first_step_there_is_no_pace),
        cmocka_unit_test(equal_steps_give_their_cost_and_length),
        cmocka_unit_test(a_single_slow_interval_changes_the_pace_little),
        cmocka_unit_test(a_lasting_change_is_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
