// A body advances as soon as its forces are known, also with loads, added forces and damping. The reference
// is a run with callbacks, in which all forces are known before any body advances: the bits are equal.

#include "determinism/touching.h"
#include "support/worlds.h"

#include <stdatomic.h>

enum { STEPS = 60, BODIES = 300 };

static const struct touching worlds[] = {
    {.name = "loads", .bodies = BODIES, .walls = true, .loads = true},
    {.name = "constant loads", .bodies = BODIES, .walls = true, .constant_loads = true},
    {.name = "constant loads, damped and fixed",
     .bodies = BODIES,
     .constant_loads = true,
     .damped = true,
     .fixed = true},
    {.name = "damped", .bodies = BODIES, .walls = true, .damped = true},
    {.name = "some bodies damped", .bodies = BODIES, .own_damping = true},
    {.name = "fixed", .bodies = BODIES, .fixed = true},
    {.name = "fixed and damped", .bodies = BODIES, .fixed = true, .damped = true},
    {.name = "loads, damped and fixed", .bodies = BODIES, .loads = true, .damped = true, .fixed = true},
    {.name = "insertion and deletion", .bodies = BODIES, .insert_delete = true},
    {.name = "insertion and deletion, damped",
     .bodies = BODIES,
     .insert_delete = true,
     .damped = true,
     .fixed = true},
    {.name = "shear", .bodies = BODIES, .deforms = TOUCHING_SHEAR},
    {.name = "mixed deformation", .bodies = BODIES, .deforms = TOUCHING_MIXED},
    {.name = "damped shear", .bodies = BODIES, .deforms = TOUCHING_SHEAR, .damped = true, .resists = true},
    {.name = "sheared layer", .bodies = BODIES, .deforms = TOUCHING_LAYER},
    {.name = "damped layer of clumps",
     .bodies = BODIES,
     .deforms = TOUCHING_LAYER,
     .damped = true,
     .clumps = true},
    {.name = "sheared clumps", .bodies = BODIES, .deforms = TOUCHING_SHEAR, .clumps = true},
    {.name = "mixed deformation of clumps and bonds",
     .bodies = BODIES,
     .deforms = TOUCHING_MIXED,
     .clumps = true,
     .bonds = true},
    {.name = "all options",
     .bodies = BODIES,
     .walls = true,
     .loads = true,
     .damped = true,
     .fixed = true,
     .oriented = true,
     .rigid = true},
};
enum { WORLDS = sizeof worlds / sizeof worlds[0] };

static void runs_with_loads_and_damping_have_the_bits_of_a_run_with_callbacks(void **state)
{
    (void)state;
    static const uint64_t unequal[] = {1, 2, 31, 26, 0};
    const struct touching_variant variants[] = {{.threads = 3},
                                                {.observed = true},
                                                {.observed = true, .threads = 2},
                                                {.run_lengths = unequal},
                                                {.run_lengths = unequal, .new_engines = true},
                                                {.run_lengths = unequal, .shuffled = true},
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
                    fail_msg("world '%s' in %d dimensions: the digest differs in variant %zu", t.name,
                             t.dimension, k);
            }
        }
}

// Data of the load function. The address of a thread-local variable identifies a thread.
struct load_data {
    const struct scree_soft *soft;
    atomic_int calls, early_calls, on_other_threads;
    int failing_call; // its number; 0: none
    const void *calling_thread;
};

static _Thread_local char thread_address;

static scree_status load_function(void *user, const struct scree_load_batch *batch)
{
    struct load_data *data = (struct load_data *)user;
    for (size_t i = 0; i < batch->count; ++i)
        batch->force[i][1] += batch->mass[i] * (1 - batch->velocity[i][1]);
    data->early_calls += data->soft->moved_ahead;
    data->on_other_threads += (const void *)&thread_address != data->calling_thread;
    return ++data->calls == data->failing_call
               ? scree_status_fail(SCREE_ERROR_NUMBER, "this call fails on purpose")
               : SCREE_OK;
}

struct setup {
    struct scree_world *world;
    struct scree_engine *engine;
    struct load_data data;
};

static void begin(struct setup *setup, bool threaded, int threads, int failing_call)
{
    const struct touching t = {
        .name = "with a load function", .law = "linear", .bodies = BODIES, .damped = true};
    scree_load_id load;
    *setup = (struct setup){.data = {.failing_call = failing_call, .calling_thread = &thread_address}};
    assert_ok(touching_build(&t, &setup->world));
    const struct scree_load_def def = {.function = load_function, .user = &setup->data, .threaded = threaded};
    assert_ok(scree_load_add(setup->world, &(struct scree_load_def){.force = {0.1}}, &load));
    assert_ok(scree_load_add(setup->world, &def, &load));
    assert_ok(
        touching_engine(&t, &(struct touching_variant){.threads = threads}, setup->world, &setup->engine));
    setup->data.soft = (const struct scree_soft *)setup->engine->self;
}

static void end(struct setup *setup)
{
    scree_engine_destroy(setup->engine);
    scree_world_destroy(setup->world);
}

static struct scree_digest digest_of(struct setup *setup)
{
    struct scree_digest digest;
    assert_ok(scree_world_digest(setup->world, &digest));
    return digest;
}

static void threaded_load_functions_allow_bodies_to_advance_early(void **state)
{
    (void)state;
    struct setup threaded, unthreaded;
    begin(&threaded, true, 3, 0);
    begin(&unthreaded, false, 3, 0);
    assert_ok(scree_engine_run(threaded.engine, STEPS));
    assert_ok(scree_engine_run(unthreaded.engine, STEPS));
    assert_true(threaded.data.early_calls > 0);
    assert_int_equal(unthreaded.data.early_calls, 0);
    assert_int_equal(unthreaded.data.on_other_threads, 0);
    assert_true(scree_test_digests_equal(digest_of(&threaded), digest_of(&unthreaded)));
    end(&threaded);
    end(&unthreaded);
}

// The failing function is the last load and has added its force, so the step can be completed.
static void a_failing_load_leaves_all_bodies_at_the_same_step(void **state)
{
    (void)state;
    for (int failing_call = 8; failing_call < 16; ++failing_call) {
        struct setup failed, complete;
        begin(&failed, true, 1 + failing_call % 2, failing_call);
        begin(&complete, true, 1, 0);
        assert_refused(SCREE_ERROR_NUMBER, "the function of load 2 failed",
                       scree_engine_run(failed.engine, STEPS));
        assert_ok(scree_world_validate(failed.world));
        const uint64_t steps = scree_world_steps(failed.world);
        assert_true(steps > 0 && steps < STEPS);
        assert_ok(scree_engine_run(complete.engine, steps));
        assert_true(scree_world_time(failed.world) == scree_world_time(complete.world));
        for (uint64_t b = 1; b <= BODIES; ++b) {
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
    static const uint64_t run_lengths[2][3] = {{40, 0}, {1, 39, 0}};
    struct scree_digest digest[2];
    for (int variant = 0; variant < 2; ++variant) {
        struct setup setup;
        begin(&setup, true, 2, 0);
        assert_ok(scree_body_add_force(setup.world, (scree_body_id){7}, (const double[3]){3, 1}, NULL));
        for (const uint64_t *steps = run_lengths[variant]; *steps; ++steps)
            assert_ok(scree_engine_run(setup.engine, *steps));
        digest[variant] = digest_of(&setup);
        end(&setup);
    }
    assert_true(scree_test_digests_equal(digest[0], digest[1]));
}

// Edits 1, 3 or 40 bodies; a world lists at most SCREE_WORLD_FEW_EDITS = 16 edited bodies one by one.
static scree_status edit_velocities(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    const uint64_t step = scree_world_steps(world), bodies = *(const uint64_t *)user;
    for (uint64_t b = 0; b < bodies && step % 3 != 0; ++b) {
        double v[3];
        const scree_body_id id = {1 + (uint64_t)(touching_draw(step, b) * BODIES)};
        touching_vector(step, 100 + b, 1, v);
        SCREE_TRY(b % 2 ? scree_body_set_velocity(world, id, v) : scree_body_set_spin(world, id, v));
    }
    return SCREE_OK;
}

// A callback at the start of a step needs the on-step velocities of all bodies; with a callback after the
// forces, no body advances early.
static void edits_by_callbacks_have_the_same_result_with_and_without_early_advance(void **state)
{
    (void)state;
    static const int points[] = {SCREE_POINT_INSERT_DELETE, 35, SCREE_POINT_RECORD};
    static const uint64_t numbers[] = {1, 3, 40};
    for (size_t p = 0; p < 3; ++p)
        for (size_t n = 0; n < 3; ++n) {
            struct scree_digest digest[3];
            for (int variant = 0; variant < 3; ++variant) {
                struct setup setup;
                begin(&setup, true, 1 + variant, 0);
                assert_ok(scree_engine_set_callback(setup.engine, points[p], edit_velocities,
                                                    (void *)(uintptr_t)&numbers[n], NULL));
                if (variant > 0)
                    assert_ok(scree_engine_set_callback(setup.engine, variant == 1 ? 5 : SCREE_POINT_GATHER,
                                                        touching_observe, NULL, NULL));
                assert_ok(scree_engine_run(setup.engine, STEPS));
                digest[variant] = digest_of(&setup);
                end(&setup);
            }
            if (!scree_test_digests_equal(digest[0], digest[1]) ||
                !scree_test_digests_equal(digest[0], digest[2]))
                fail_msg("%llu edits at point %d: the digests of the variants differ",
                         (unsigned long long)numbers[n], points[p]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_with_loads_and_damping_have_the_bits_of_a_run_with_callbacks),
        cmocka_unit_test(threaded_load_functions_allow_bodies_to_advance_early),
        cmocka_unit_test(a_failing_load_leaves_all_bodies_at_the_same_step),
        cmocka_unit_test(an_added_force_acts_once_when_bodies_advance_early),
        cmocka_unit_test(edits_by_callbacks_have_the_same_result_with_and_without_early_advance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
