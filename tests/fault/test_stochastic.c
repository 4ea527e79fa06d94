// Each allocation in runs of the stochastic engine fails in turn: when the engine is created, when a step
// begins, when its collisions are drawn, and after an edit. A failed call is repeated.
//
// Reference: a run without failures. If no step was ended early the result must be equal to the last bit. A
// step that cannot draw its collisions ends in its middle, without any of them: then the motion is another
// one, and the energy ledger still closes.

#include "base/memory.h"
#include "support/drawn_gas.h"

enum { STEPS = 6, REMOVED = 4 };

struct result {
    uint64_t failures;
    bool ended_early;
    struct scree_digest digest;
    struct scree_energy energy;
};

static bool has_failed(struct result *result, scree_status status)
{
    if (status == SCREE_OK)
        return false;
    if (status != SCREE_ERROR_MEMORY)
        fail_msg("%s: %s", scree_status_name(status), scree_status_message());
    ++result->failures;
    return true;
}

#define REPEAT(result, call)                                                                                 \
    do {                                                                                                     \
        if (has_failed(result, call))                                                                        \
            assert_ok(call);                                                                                 \
    } while (0)

static void run(struct hard *hard, int steps, struct result *result)
{
    for (int k = 0; k < steps; ++k) {
        const double before = scree_world_time(hard->world);
        struct scree_event_counts counts[2];
        assert_ok(scree_event_get_counts(hard->engine, &counts[0]));
        if (!has_failed(result, scree_engine_run(hard->engine, 1)))
            continue;
        assert_ok(scree_world_validate(hard->world));
        assert_ok(scree_event_get_counts(hard->engine, &counts[1]));
        assert_true(counts[0].pairs == counts[1].pairs);
        if (scree_world_time(hard->world) > before)
            result->ended_early = true;
        else
            --k;
    }
}

// Runs with the allocation of this number failing, or none; returns whether there was such an allocation.
static bool run_with_failure(uint64_t nth, const struct drawn_gas *gas, scree_stochastic_partner partner,
                             struct result *result)
{
    struct scree_stochastic_def def = {.step = 0.5, .cell = 4, .partner = partner, .seed = 2};
    struct hard hard = drawn_gas_make(gas);
    *result = (struct result){0};
    const uint64_t before = scree_memory_count();
    scree_memory_fail_at(nth);
    REPEAT(result, scree_stochastic_create(hard.world, &def, &hard.engine));
    run(&hard, STEPS, result);
    REPEAT(result, scree_body_remove(hard.world, (scree_body_id){REMOVED}));
    run(&hard, STEPS, result);
    // larger cells need more room
    def.cell = 8;
    assert_ok(scree_stochastic_set(hard.engine, &def));
    run(&hard, STEPS, result);
    const bool failed = nth > 0 && scree_memory_count() - before >= nth;
    scree_memory_fail_at(0);
    struct scree_event_counts counts;
    assert_ok(scree_event_get_counts(hard.engine, &counts));
    assert_true(counts.pairs > 50);
    assert_ok(scree_world_digest(hard.world, &result->digest));
    assert_ok(scree_energy_get(hard.world, &result->energy));
    hard_end(&hard);
    assert_int_equal(result->failures, failed ? 1 : 0);
    return failed;
}

static void check(const struct drawn_gas *gas, scree_stochastic_partner partner)
{
    const size_t live = scree_memory_live();
    struct result first, result;
    unsigned early = 0, whole = 0;
    assert_false(run_with_failure(0, gas, partner, &first));
    for (uint64_t nth = 1; run_with_failure(nth, gas, partner, &result); ++nth) {
        early += result.ended_early;
        whole += !result.ended_early;
        if (!result.ended_early)
            assert_memory_equal(&first.digest, &result.digest, sizeof first.digest);
        // velocities change some 40 times and are rounded each time
        hard_within(result.energy.balance, 0, 1e-14 * result.energy.energy_input);
    }
    assert_int_equal(scree_memory_live(), live);
    assert_true(early >= 3 * STEPS && whole > 10);
}

static void failed_allocations_leave_a_state_that_goes_on(void **state)
{
    (void)state;
    struct drawn_gas gas = {.dimension = 3,
                            .side = 4,
                            .spacing = 2,
                            .radius = {0.5, 0.4},
                            .restitution = 0.9,
                            .friction = 0.3,
                            .spinning = true};
    check(&gas, SCREE_STOCHASTIC_BODY);
    gas.walls = true;
    check(&gas, SCREE_STOCHASTIC_FICTITIOUS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_allocations_leave_a_state_that_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
