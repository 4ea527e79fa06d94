// Bodies advance as soon as their forces are known, with loads, added forces and damping: the bits are the
// same as with callbacks between the points, where no body advances early.

#include "determinism/touching.h"
#include "support/worlds.h"

#include <stdatomic.h>

enum { STEPS = 60, MANY = 300 };

static const struct touching worlds[] = {
    {.name = "loads", .bodies = MANY, .walls = true, .loads = true},
    {.name = "constant loads", .bodies = MANY, .walls = true, .steady = true},
    {.name = "constant loads, damped and fixed",
     .bodies = MANY,
     .steady = true,
     .damped = true,
     .fixed = true},
    {.name = "damped", .bodies = MANY, .walls = true, .damped = true},
    {.name = "some bodies damped", .bodies = MANY, .own_damping = true},
    {.name = "fixed", .bodies = MANY, .fixed = true},
    {.name = "fixed and damped", .bodies = MANY, .fixed = true, .damped = true},
    {.name = "loads, damped and fixed", .bodies = MANY, .loads = true, .damped = true, .fixed = true},
    {.name = "insertion and deletion", .bodies = MANY, .insert_delete = true},
    {.name = "insertion and deletion, damped",
     .bodies = MANY,
     .insert_delete = true,
     .damped = true,
     .fixed = true},
    {.name = "all options",
     .bodies = MANY,
     .walls = true,
     .loads = true,
     .damped = true,
     .fixed = true,
     .oriented = true,
     .rigid = true},
};
enum { WORLDS = sizeof worlds / sizeof worlds[0] };

static void other_forces_than_contacts_give_the_bits_of_an_observed_run(void **state)
{
    (void)state;
    static const uint64_t odd[] = {1, 2, 31, 26, 0};
    const struct touching_variant variants[] = {{.threads = 3},
                                                {.observed = true},
                                                {.observed = true, .threads = 2},
                                                {.cut = odd},
                                                {.cut = odd, .new_engines = true},
                                                {.cut = odd, .shuffled = true},
                                                {.energies = true}};
    for (size_t w = 0; w < WORLDS; ++w)
        for (int flat = 0; flat < 2; ++flat) {
            struct touching t = worlds[w];
            struct scree_digest expected, digest;
            t.dimension = flat ? 2 : 3;
            t.law = flat ? "linear" : "hertz-mindlin";
            assert_ok(touching_run(&t, &(struct touching_variant){0}, STEPS, &expected));
            for (size_t k = 0; k < sizeof variants / sizeof variants[0]; ++k) {
                assert_ok(touching_run(&t, &variants[k], STEPS, &digest));
                if (!scree_test_digests_equal(expected, digest))
                    fail_msg("world '%s' in %d dimensions differs in variant %zu", t.name, t.dimension, k);
            }
        }
}

// Settings and counters of the load function. The address of a thread-local variable identifies a thread.
struct record {
    const struct scree_soft *soft;
    atomic_int calls, early, on_other_threads;
    int fails; // the number of the call that fails
    const void *caller;
};

static _Thread_local char thread_address;

static scree_status load_function(void *user, const struct scree_load_batch *batch)
{
    struct record *record = (struct record *)user;
    for (size_t i = 0; i < batch->count; ++i)
        batch->force[i][1] += batch->mass[i] * (1 - batch->velocity[i][1]);
    record->early += record->soft->moved_ahead;
    record->on_other_threads += (const void *)&thread_address != record->caller;
    return ++record->calls == record->fails ? scree_status_fail(SCREE_ERROR_NUMBER, "no more wind")
                                            : SCREE_OK;
}

struct stage {
    struct scree_world *world;
    struct scree_engine *engine;
    struct record record;
};

static void begin(struct stage *stage, bool threaded, int threads, int fails)
{
    const struct touching t = {
        .name = "with a load function", .law = "linear", .bodies = MANY, .damped = true};
    scree_load_id load;
    *stage = (struct stage){.record = {.fails = fails, .caller = &thread_address}};
    assert_ok(touching_build(&t, &stage->world));
    const struct scree_load_def def = {
        .function = load_function, .user = &stage->record, .threaded = threaded};
    assert_ok(scree_load_add(stage->world, &(struct scree_load_def){.force = {0.1}}, &load));
    assert_ok(scree_load_add(stage->world, &def, &load));
    assert_ok(
        touching_engine(&t, &(struct touching_variant){.threads = threads}, stage->world, &stage->engine));
    stage->record.soft = (const struct scree_soft *)stage->engine->self;
}

static void end(struct stage *stage)
{
    scree_engine_destroy(stage->engine);
    scree_world_destroy(stage->world);
}

static struct scree_digest digest_of(struct stage *stage)
{
    struct scree_digest digest;
    assert_ok(scree_world_digest(stage->world, &digest));
    return digest;
}

static void threaded_load_functions_allow_bodies_to_advance_early(void **state)
{
    (void)state;
    struct stage one, other;
    begin(&one, true, 3, 0);
    begin(&other, false, 3, 0);
    assert_ok(scree_engine_run(one.engine, STEPS));
    assert_ok(scree_engine_run(other.engine, STEPS));
    assert_true(one.record.early > 0);
    assert_int_equal(other.record.early, 0);
    assert_int_equal(other.record.on_other_threads, 0);
    assert_true(scree_test_digests_equal(digest_of(&one), digest_of(&other)));
    end(&one);
    end(&other);
}

// The step is completed for all blocks with the forces so far: the last load adds its force before it fails.
static void a_failing_load_leaves_all_bodies_at_the_same_step(void **state)
{
    (void)state;
    for (int fails = 8; fails < 16; ++fails) {
        struct stage failed, complete;
        begin(&failed, true, 1 + fails % 2, fails);
        begin(&complete, true, 1, 0);
        assert_refused(SCREE_ERROR_NUMBER, "the function of load 2 failed",
                       scree_engine_run(failed.engine, STEPS));
        assert_ok(scree_world_validate(failed.world));
        const uint64_t steps = scree_world_steps(failed.world);
        assert_true(steps > 0 && steps < STEPS);
        assert_ok(scree_engine_run(complete.engine, steps));
        assert_true(scree_world_time(failed.world) == scree_world_time(complete.world));
        for (uint64_t b = 1; b <= MANY; ++b) {
            struct scree_body_state a, c;
            assert_ok(scree_body_get(failed.world, (scree_body_id){b}, &a));
            assert_ok(scree_body_get(complete.world, (scree_body_id){b}, &c));
            assert_memory_equal(a.position, c.position, sizeof a.position);
        }
        assert_ok(scree_engine_run(failed.engine, 1));
        end(&failed);
        end(&complete);
    }
}

static void an_added_force_acts_once_when_bodies_advance_early(void **state)
{
    (void)state;
    static const uint64_t cuts[2][3] = {{40, 0}, {1, 39, 0}};
    struct scree_digest digest[2];
    for (int variant = 0; variant < 2; ++variant) {
        struct stage stage;
        begin(&stage, true, 2, 0);
        assert_ok(scree_body_add_force(stage.world, (scree_body_id){7}, (const double[3]){3, 1}, NULL));
        for (const uint64_t *steps = cuts[variant]; *steps; ++steps)
            assert_ok(scree_engine_run(stage.engine, *steps));
        digest[variant] = digest_of(&stage);
        end(&stage);
    }
    assert_true(scree_test_digests_equal(digest[0], digest[1]));
}

// Edits one body, a few, or more than the world lists individually.
static scree_status edit_velocities(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    const uint64_t step = scree_world_steps(world), bodies = *(const uint64_t *)user;
    for (uint64_t b = 0; b < bodies && step % 3 != 0; ++b) {
        double v[3];
        const scree_body_id id = {1 + (uint64_t)(touching_draw(step, b) * MANY)};
        touching_vector(step, 100 + b, 1, v);
        SCREE_TRY(b % 2 ? scree_body_set_velocity(world, id, v) : scree_body_set_spin(world, id, v));
    }
    return SCREE_OK;
}

// A callback at the start of a step needs all bodies on-step; one after the forces prevents bodies from
// advancing early.
static void an_edit_affects_only_the_edited_bodies(void **state)
{
    (void)state;
    static const int points[] = {SCREE_POINT_INSERT_DELETE, 35, SCREE_POINT_RECORD};
    static const uint64_t numbers[] = {1, 3, 40};
    for (size_t p = 0; p < 3; ++p)
        for (size_t n = 0; n < 3; ++n) {
            struct scree_digest digest[3];
            for (int variant = 0; variant < 3; ++variant) {
                struct stage stage;
                begin(&stage, true, 1 + variant, 0);
                assert_ok(scree_engine_set_callback(stage.engine, points[p], edit_velocities,
                                                    (void *)(uintptr_t)&numbers[n], NULL));
                if (variant > 0)
                    assert_ok(scree_engine_set_callback(stage.engine, variant == 1 ? 5 : SCREE_POINT_GATHER,
                                                        touching_observe, NULL, NULL));
                assert_ok(scree_engine_run(stage.engine, STEPS));
                digest[variant] = digest_of(&stage);
                end(&stage);
            }
            if (!scree_test_digests_equal(digest[0], digest[1]) ||
                !scree_test_digests_equal(digest[0], digest[2]))
                fail_msg("%llu edits at point %d differ", (unsigned long long)numbers[n], points[p]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_forces_than_contacts_give_the_bits_of_an_observed_run),
        cmocka_unit_test(threaded_load_functions_allow_bodies_to_advance_early),
        cmocka_unit_test(a_failing_load_leaves_all_bodies_at_the_same_step),
        cmocka_unit_test(an_added_force_acts_once_when_bodies_advance_early),
        cmocka_unit_test(an_edit_affects_only_the_edited_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
