// Bodies without contacts, with every scheme: no bit depends on the position of a body in memory, on the
// thread that moves it, on its id, or on restarts. The reference is one run on one thread.

#include "support/worlds.h"

#include <stdio.h>
#include <unistd.h>

enum { BODIES = 1100, STEPS = 20 };

static struct scree_test_world everything(void)
{
    return (struct scree_test_world){.bodies = BODIES,
                                     .damping = {0.1, 0.2},
                                     .own_damping = true,
                                     .loads = true,
                                     .fixed = true,
                                     .oriented = true};
}

// Pair number `index`: all rotation schemes occur once, all translation schemes at least once; null is the
// default. False after the last.
static bool choose_schemes(struct scree_test_world *setup, size_t index)
{
    setup->rotation = scree_motion_name(SCREE_ROTATION, index);
    setup->translation = scree_motion_name(SCREE_TRANSLATION, index % 7);
    setup->spheres_only = setup->rotation && strcmp(setup->rotation, "spherical") == 0;
    return setup->rotation;
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    struct scree_test_world setup = everything();
    for (size_t pair = 0; choose_schemes(&setup, pair); ++pair)
        for (setup.dimension = 2; setup.dimension <= 3; ++setup.dimension) {
            setup.threads = 1;
            const struct scree_digest expected = scree_test_world_run(&setup, STEPS);
            for (setup.threads = 2; setup.threads <= 4; ++setup.threads)
                assert_true(scree_test_digests_equal(expected, scree_test_world_run(&setup, STEPS)));
            setup.threads = 100;
            assert_true(scree_test_digests_equal(expected, scree_test_world_run(&setup, STEPS)));
        }
}

static void shuffle(struct scree_world *world, uint64_t *seed)
{
    static uint64_t keys[BODIES];
    const size_t count = scree_body_count(world);
    for (size_t i = 0; i < count; ++i)
        keys[i] = splitmix_next(seed);
    assert_ok(scree_world_sort(world, keys, count));
}

static void shuffling_slots_between_runs_changes_no_bit(void **state)
{
    (void)state;
    struct scree_test_world setup = everything();
    uint64_t seed = 17;
    for (size_t pair = 0; choose_schemes(&setup, pair); ++pair) {
        setup.threads = 1;
        const struct scree_digest expected = scree_test_world_run(&setup, STEPS);
        struct scree_world *world;
        struct scree_engine *engine;
        setup.threads = 3;
        assert_ok(scree_test_world_build(&setup, &world));
        shuffle(world, &seed);
        assert_ok(scree_test_world_engine(&setup, world, &engine));
        for (uint64_t remaining = STEPS; remaining > 0;) {
            const uint64_t part = 1 + splitmix_next(&seed) % remaining;
            assert_ok(scree_engine_run(engine, part));
            shuffle(world, &seed);
            remaining -= part;
        }
        assert_true(scree_test_digests_equal(expected, scree_test_digest(world)));
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

// Replaces the world by one read from a checkpoint, which refuses to run until its load functions are added.
static void restart(const struct scree_test_world *setup, const char *file, struct scree_world **world)
{
    scree_test_restart(world, file);
    if (setup->loads) {
        struct scree_engine *engine;
        assert_ok(scree_test_world_engine(setup, *world, &engine));
        assert_refused(SCREE_ERROR_STATE, "had a load function on body", scree_engine_run(engine, 1));
        scree_engine_destroy(engine);
    }
    assert_ok(scree_test_world_add_loads(setup, *world));
}

static void restarts_from_checkpoints_give_the_same_bits(void **state)
{
    (void)state;
    struct scree_test_world setup = everything();
    char file[64];
    snprintf(file, sizeof file, "motion-%ld.chk", (long)getpid());
    for (size_t pair = 0; choose_schemes(&setup, pair); ++pair)
        for (setup.dimension = 2; setup.dimension <= 3; ++setup.dimension) {
            setup.threads = 1;
            const struct scree_digest expected = scree_test_world_run(&setup, STEPS);
            struct scree_world *world;
            assert_ok(scree_test_world_build(&setup, &world));
            for (uint64_t remaining = STEPS; remaining > 0; ++setup.threads) {
                const uint64_t part = (remaining + 1) / 2;
                struct scree_engine *engine;
                assert_ok(scree_test_world_engine(&setup, world, &engine));
                assert_ok(scree_engine_run(engine, part));
                scree_engine_destroy(engine);
                restart(&setup, file, &world);
                remaining -= part;
            }
            assert_true(scree_test_digests_equal(expected, scree_test_digest(world)));
            scree_world_destroy(world);
        }
    unlink(file);
}

// --- ids

// A load that depends on everything except the id.
static scree_status load_function(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i)
        for (int k = 0; k < 3; ++k) {
            batch->force[i][k] -= (3 + batch->time) * batch->position[i][k] + 0.1 * batch->velocity[i][k];
            batch->moment[i][k] += 0.01 * batch->orientation[i][1 + k] - 0.01 * batch->spin[i][k];
        }
    return SCREE_OK;
}

static scree_body_id add_copy(struct scree_world *world, const struct scree_body_state *from)
{
    scree_body_id id;
    if (from->radius > 0) {
        struct scree_sphere_def def = {
            .radius = from->radius, .material = from->material, .fixed = from->fixed};
        memcpy(def.position, from->position, sizeof def.position);
        memcpy(def.velocity, from->velocity, sizeof def.velocity);
        memcpy(def.spin, from->spin, sizeof def.spin);
        assert_ok(scree_body_add_sphere(world, &def, &id));
        return id;
    }
    struct scree_rigid_def def = {.mass = from->mass, .fixed = from->fixed};
    memcpy(def.inertia, from->inertia, sizeof def.inertia);
    memcpy(def.orientation, from->orientation, sizeof def.orientation);
    memcpy(def.position, from->position, sizeof def.position);
    memcpy(def.velocity, from->velocity, sizeof def.velocity);
    memcpy(def.spin, from->spin, sizeof def.spin);
    assert_ok(scree_body_add_rigid(world, &def, &id));
    return id;
}

static void run_and_read(const struct scree_test_world *setup, struct scree_world *world, size_t count,
                         struct scree_body_state *out)
{
    struct scree_engine *engine;
    scree_load_id load;
    assert_ok(
        scree_load_add(world, &(struct scree_load_def){.function = load_function, .threaded = true}, &load));
    assert_ok(scree_test_world_engine(setup, world, &engine));
    assert_ok(scree_engine_run(engine, STEPS));
    for (uint64_t id = 1; id <= count; ++id)
        assert_ok(scree_body_get(world, (scree_body_id){id}, &out[id]));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void the_order_of_creation_changes_no_bit(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    static struct scree_body_state initial[COUNT + 1], original[COUNT + 1], permuted[COUNT + 1];
    struct scree_test_world setup = {.bodies = COUNT, .damping = {0.1, 0.2}, .fixed = true, .oriented = true};
    for (size_t pair = 0; choose_schemes(&setup, pair); ++pair) {
        struct scree_world *world, *other;
        assert_ok(scree_test_world_build(&setup, &world));
        assert_ok(scree_test_world_build(&(struct scree_test_world){.oriented = true}, &other));
        assert_ok(scree_world_set_gravity(other, (const double[3]){0.3, -9.81, 0.2}));
        for (uint64_t id = 1; id <= COUNT; ++id)
            assert_ok(scree_body_get(world, (scree_body_id){id}, &initial[id]));
        // 7 and 300 have no common factor, so every body is created once
        for (uint64_t n = 0; n < COUNT; ++n)
            assert_int_equal(add_copy(other, &initial[1 + n * 7 % COUNT]).value, n + 1);
        run_and_read(&setup, world, COUNT, original);
        run_and_read(&setup, other, COUNT, permuted);
        for (uint64_t n = 0; n < COUNT; ++n) {
            const struct scree_body_state *a = &original[1 + n * 7 % COUNT], *b = &permuted[n + 1];
            scree_test_same_motion(a, b);
            assert_memory_equal(a->force, b->force, sizeof a->force);
        }
    }
}

static void digests_are_equal_for_equal_runs_only(void **state)
{
    (void)state;
    struct scree_test_world setup = everything();
    const struct scree_digest first = scree_test_world_run(&setup, STEPS);
    assert_true(scree_test_digests_equal(first, scree_test_world_run(&setup, STEPS)));
    assert_false(scree_test_digests_equal(first, scree_test_world_run(&setup, STEPS + 1)));
    setup.step = 1e-3 * (1 + 0x1p-52);
    assert_false(scree_test_digests_equal(first, scree_test_world_run(&setup, STEPS)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(restarts_from_checkpoints_give_the_same_bits),
        cmocka_unit_test(shuffling_slots_between_runs_changes_no_bit),
        cmocka_unit_test(the_order_of_creation_changes_no_bit),
        cmocka_unit_test(digests_are_equal_for_equal_runs_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
