// The pace of a run, from readings of a clock that are made up.

#include "run/pace.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// A clock and a run that goes on with it.
struct course {
    struct scree_pace pace;
    double processor;
    uint64_t steps;
};

static void go_on(struct course *course, double processor, uint64_t steps)
{
    course->processor += processor;
    course->steps += steps;
    scree_pace_add(&course->pace, course->processor, course->steps, (double)course->steps);
}

static void before_the_first_step_there_is_no_pace(void **state)
{
    (void)state;
    struct scree_pace pace;
    scree_pace_begin(&pace, 7, 100, 3);
    assert_true(scree_pace_cost(&pace) == 0 && scree_pace_step(&pace) == 0);
}

// Equal steps give their cost and length, whatever the distance of the readings: weights cancel but for
// rounding.
static void equal_steps_give_their_cost_and_length(void **state)
{
    (void)state;
    struct scree_pace pace;
    double processor = 7, time = 3;
    uint64_t steps = 100;
    scree_pace_begin(&pace, processor, steps, time);
    for (uint64_t k = 1; k < 200; ++k) {
        const uint64_t more = 1 + k * k % 977;
        steps += more;
        processor += 0.002 * (double)more;
        time += 1e-5 * (double)more;
        scree_pace_add(&pace, processor, steps, time);
        assert_true(fabs(scree_pace_cost(&pace) - 0.002) < 1e-9);
        assert_true(fabs(scree_pace_step(&pace) - 1e-5) < 1e-12);
    }
}

// One slow stretch of 0.1 s among steps of 0.1 s is smoothed: its weight is at most 0.1 / 5 of the memory of
// 5 s, so a stretch with a tenth of the steps changes the cost by at most about 2 %.
static void a_single_slow_stretch_changes_little(void **state)
{
    (void)state;
    struct course course = {0};
    scree_pace_begin(&course.pace, 0, 0, 0);
    for (int k = 0; k < 100; ++k)
        go_on(&course, 0.1, 1000);
    const double before = scree_pace_cost(&course.pace);
    go_on(&course, 0.1, 100);
    assert_true(scree_pace_cost(&course.pace) > before && scree_pace_cost(&course.pace) < 1.025 * before);
}

// After a lasting change the cost approaches the new one: after four memories of 5 s within e^-4.
static void a_lasting_change_is_followed(void **state)
{
    (void)state;
    struct course course = {0};
    scree_pace_begin(&course.pace, 0, 0, 0);
    for (int k = 0; k < 20; ++k)
        go_on(&course, 0.1, 1000);
    for (int k = 0; k < 200; ++k)
        go_on(&course, 0.1, 500);
    assert_true(fabs(scree_pace_cost(&course.pace) - 2e-4) < 2e-4 * 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_the_first_step_there_is_no_pace),
        cmocka_unit_test(equal_steps_give_their_cost_and_length),
        cmocka_unit_test(a_single_slow_stretch_changes_little),
        cmocka_unit_test(a_lasting_change_is_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
