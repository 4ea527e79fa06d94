// The schedule of a run (run/schedule.h): an event at a whole number of steps happens at that step, however
// its time and the step are rounded. Expected steps are counted as whole numbers.

#include "base/instant.h"
#include "run/host.h"
#include "run/schedule.h"

#include <scree/scree.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STEPS = 1000, MAX_INTERVAL = 200 };

struct counter {
    uint64_t interval, events; // interval in steps; number of events
};

static scree_status act_at_step(void *self, struct scree_host *host)
{
    struct counter *counter = (struct counter *)self;
    if (scree_world_steps(host->world) != counter->events * counter->interval)
        fail_msg("event %llu of every %llu steps of %.17g s happens at step %llu",
                 (unsigned long long)counter->events, (unsigned long long)counter->interval,
                 scree_world_time(host->world) / (double)scree_world_steps(host->world),
                 (unsigned long long)scree_world_steps(host->world));
    ++counter->events;
    return SCREE_OK;
}

// `count` 10^-places s: parsed as one number, or the product of a number and a unit, which may differ in the
// last bit.
static double seconds(unsigned count, int places, bool by_unit)
{
    char text[40];
    snprintf(text, sizeof text, "%ue-%d", count, places);
    const double as_text = strtod(text, NULL);
    snprintf(text, sizeof text, "1e-%d", places);
    return by_unit ? count * strtod(text, NULL) : as_text;
}

static void add_events(struct scree_schedule *schedule, struct scree_host *host, struct counter *counter,
                       const unsigned step[2], bool by_unit, bool continued)
{
    for (unsigned k = 1; k <= MAX_INTERVAL; ++k) {
        struct scree_schedule_item item = {
            .order = SCREE_SCHEDULE_RECORD, .act = act_at_step, .self = &counter[k]};
        item.every = seconds(k * step[0], (int)step[1], by_unit);
        assert_int_equal(scree_schedule_add(schedule, &item, host->world, continued), SCREE_OK);
    }
}

// Runs STEPS steps of step[0] 10^-step[1] s with an event for each interval from 1 to MAX_INTERVAL steps,
// and restarts the schedule every `restart_interval` steps.
static void run_all_intervals(const unsigned step[2], bool by_unit, uint64_t restart_interval)
{
    static struct counter counter[MAX_INTERVAL + 1];
    const struct scree_world_def def = {.dimension = 3};
    struct scree_host host = {0};
    struct scree_schedule schedule = {0};
    assert_int_equal(scree_world_create(&def, &host.world), SCREE_OK);
    for (unsigned k = 1; k <= MAX_INTERVAL; ++k)
        counter[k] = (struct counter){.interval = k};
    add_events(&schedule, &host, counter, step, by_unit, false);
    for (uint64_t s = 0; s <= STEPS; ++s) {
        double due = (double)INFINITY;
        uint64_t due_step = UINT64_MAX;
        scree_schedule_limit(&schedule, &due, &due_step);
        // the event of every step is due
        assert_true(scree_instant_has_come(scree_world_time(host.world), due));
        assert_int_equal(scree_schedule_act(&schedule, &host), SCREE_OK);
        if (s > 0 && s % restart_interval == 0) {
            scree_schedule_free(&schedule);
            add_events(&schedule, &host, counter, step, by_unit, true);
        }
        assert_int_equal(scree_world_advance_time(host.world, seconds(step[0], (int)step[1], !by_unit)),
                         SCREE_OK);
    }
    for (unsigned k = 1; k <= MAX_INTERVAL; ++k)
        assert_int_equal(counter[k].events, STEPS / k + 1);
    scree_schedule_free(&schedule);
    scree_world_destroy(host.world);
}

static void events_at_whole_numbers_of_steps_happen_at_their_step(void **state)
{
    (void)state;
    // steps from 1 us to 1 ms
    static const unsigned steps[][2] = {{1, 6},   {2, 6},  {3, 6},  {5, 6},  {7, 6}, {9, 6},
                                        {1, 5},   {12, 6}, {25, 7}, {3, 5},  {7, 5}, {1, 4},
                                        {11, 5},  {2, 4},  {3, 4},  {45, 5}, {6, 4}, {777, 6},
                                        {125, 6}, {13, 7}, {9, 4},  {33, 6}, {1, 3}};
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; ++s)
        for (int by_unit = 0; by_unit < 2; ++by_unit) {
            run_all_intervals(steps[s], by_unit, UINT64_MAX);
            run_all_intervals(steps[s], by_unit, 1 + s * 13);
        }
}

static void an_event_between_two_steps_happens_at_the_later_one(void **state)
{
    (void)state;
    // 1e-4 of a step is more than rounding, even after 1e9 steps
    const double step = 1e-6;
    for (double n = 1; n <= 1e9; n *= 10) {
        assert_true(scree_instant_has_come(n * step, n * step));
        assert_false(scree_instant_has_come(n * step, (n + 1e-4) * step));
        assert_true(scree_instant_has_come((n + 1) * step, (n + 1e-4) * step));
    }
    assert_false(scree_instant_has_come(0, 0x1p-1074));
    assert_true(scree_instant_has_come(0, 0) && scree_instant_has_come(0, -1));
    assert_false(scree_instant_has_come(1e300, (double)INFINITY));
    assert_true(scree_instant_has_come((double)INFINITY, 1e300));
}

static scree_status count(void *self, struct scree_host *host)
{
    (void)host;
    ++*(int *)self;
    return SCREE_OK;
}

// A next event in the past would never be reached.
static void the_next_event_is_always_in_the_future(void **state)
{
    (void)state;
    static const double intervals[] = {1e-300, 1e-30, 1e-16, 1e-12, 1e-3};
    const struct scree_world_def def = {.dimension = 3};
    for (size_t k = 0; k < sizeof intervals / sizeof intervals[0]; ++k) {
        struct scree_host host = {0};
        struct scree_schedule schedule = {0};
        int calls = 0;
        const struct scree_schedule_item item = {.every = intervals[k], .act = count, .self = &calls};
        assert_int_equal(scree_world_create(&def, &host.world), SCREE_OK);
        assert_int_equal(scree_schedule_add(&schedule, &item, host.world, false), SCREE_OK);
        for (int s = 0; s < 100; ++s) {
            double due = (double)INFINITY;
            uint64_t step = UINT64_MAX;
            assert_int_equal(scree_schedule_act(&schedule, &host), SCREE_OK);
            scree_schedule_limit(&schedule, &due, &step);
            assert_false(scree_instant_has_come(scree_world_time(host.world), due));
            assert_int_equal(scree_world_advance_time(host.world, 3e-3), SCREE_OK);
        }
        // several events between two steps count as one
        assert_int_equal(calls, 100);
        scree_schedule_free(&schedule);
        scree_world_destroy(host.world);
    }
}

// The last instant counts, although 3 * 0.1 is more than 0.3.
static void an_interval_includes_its_last_instant(void **state)
{
    (void)state;
    const struct scree_world_def def = {.dimension = 3};
    struct scree_host host = {0};
    struct scree_schedule schedule = {0};
    int calls = 0;
    const struct scree_schedule_item item = {.every = 0.1, .last = 0.3, .act = count, .self = &calls};
    assert_int_equal(scree_world_create(&def, &host.world), SCREE_OK);
    assert_int_equal(scree_schedule_add(&schedule, &item, host.world, false), SCREE_OK);
    for (int s = 0; s < 100; ++s) {
        assert_int_equal(scree_schedule_act(&schedule, &host), SCREE_OK);
        assert_int_equal(scree_world_advance_time(host.world, 0.01), SCREE_OK);
    }
    assert_int_equal(calls, 4);
    scree_schedule_free(&schedule);
    scree_world_destroy(host.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_at_whole_numbers_of_steps_happen_at_their_step),
        cmocka_unit_test(an_event_between_two_steps_happens_at_the_later_one),
        cmocka_unit_test(the_next_event_is_always_in_the_future),
        cmocka_unit_test(an_interval_includes_its_last_instant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
