// Pending half-kicks: within a step, velocity plus pending half-kick, and spin plus pending half-twist, give
// the motion that loads get; between steps nothing is pending.
//
// Half-kicks are floats, rounded once, by at most 2^-24. Their sums with velocities are in double, with at
// most some hundred operations on numbers of the size of the spins, amplified by the ratio of moments of
// inertia, at most 3: 2^-53 each, so the tolerance 2^-44 (1 + size) is far above all of these.

#include "support/worlds.h"
#include "world/world.h"

enum { BODIES = 22 };

// The last motion that a load got, by id, and the largest pending half-kick.
struct recorded {
    double velocity[BODIES + 1][3], spin[BODIES + 1][3];
    double max_kick, max_twist;
    unsigned calls;
};

static scree_status record_motion(void *user, const struct scree_load_batch *batch)
{
    struct recorded *recorded = (struct recorded *)user;
    for (size_t i = 0; i < batch->count; ++i) {
        memcpy(recorded->velocity[batch->id[i].value], batch->velocity[i], sizeof batch->velocity[i]);
        memcpy(recorded->spin[batch->id[i].value], batch->spin[i], sizeof batch->spin[i]);
    }
    return SCREE_OK;
}

static void assert_adds_up(const double part[3], const float pending[3], const double expected[3],
                           double *largest)
{
    double size = 1;
    for (int k = 0; k < 3; ++k)
        size += fabs(part[k]);
    for (int k = 0; k < 3; ++k) {
        const double pending_kick = (double)pending[k];
        assert_true(fabs(part[k] + pending_kick - expected[k]) <=
                    0x1p-24 * fabs(pending_kick) + 0x1p-44 * size);
        *largest = fmax(*largest, fabs(pending_kick));
    }
}

static scree_status compare(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    struct recorded *recorded = (struct recorded *)user;
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        const uint64_t id = scree_world_ids(world)[i];
        assert_adds_up(grain->velocity, grain->half_kick, recorded->velocity[id], &recorded->max_kick);
        assert_adds_up(grain->spin, grain->half_twist, recorded->spin[id], &recorded->max_twist);
    }
    ++recorded->calls;
    return SCREE_OK;
}

static void assert_nothing_pending(const struct scree_world *world)
{
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        for (int k = 0; k < 3; ++k) {
            assert_true(scree_world_grains(world)[i].half_kick[k] == 0);
            assert_true(scree_world_grains(world)[i].half_twist[k] == 0);
        }
}

static scree_status check_nothing_pending(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)user;
    assert_nothing_pending(world);
    return SCREE_OK;
}

// Another scheme runs before, so that pending half-kicks which it leaves would be found.
static void compare_with_loads(const struct scree_test_world *setup, const char *before, bool at_begin)
{
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_test_world first = *setup;
    static struct recorded recorded;
    scree_load_id load;
    recorded = (struct recorded){.calls = 0};
    first.translation = NULL;
    first.rotation = before;
    assert_ok(scree_test_world_build(setup, &world));
    assert_ok(scree_test_world_engine(&first, world, &engine));
    assert_ok(scree_engine_run(engine, 2));
    scree_engine_destroy(engine);
    assert_nothing_pending(world);
    assert_ok(
        scree_load_add(world, &(struct scree_load_def){.function = record_motion, .user = &recorded}, &load));
    assert_ok(scree_test_world_engine(setup, world, &engine));
    assert_ok(scree_engine_set_callback(engine, 47, compare, &recorded, NULL));
    if (at_begin)
        assert_ok(scree_engine_set_callback(engine, 0, check_nothing_pending, NULL, NULL));
    for (int run = 0; run < 2; ++run) {
        assert_ok(scree_engine_run(engine, 3));
        assert_nothing_pending(world);
    }
    assert_true(recorded.calls >= 6);
    // a scheme with mid-step velocities has a pending half-kick
    assert_int_equal(recorded.max_kick > 0, strncmp(setup->translation, "euler", 5) != 0);
    assert_true(recorded.max_twist > 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void compare_for_all_schemes(const struct scree_test_world *description)
{
    struct scree_test_world setup = *description;
    for (size_t t = 0; (setup.translation = scree_motion_name(SCREE_TRANSLATION, t)); ++t)
        for (size_t r = 0; (setup.rotation = scree_motion_name(SCREE_ROTATION, r)); ++r) {
            setup.spheres_only = strcmp(setup.rotation, "spherical") == 0;
            compare_with_loads(&setup, setup.spheres_only ? "spherical" : "splitting", r % 2 == 0);
        }
}

static void velocities_and_pending_half_kicks_add_up_to_what_loads_get(void **state)
{
    (void)state;
    compare_for_all_schemes(&(struct scree_test_world){.bodies = BODIES, .loads = true, .oriented = true});
}

static void pending_half_kicks_add_up_for_damped_and_fixed_bodies(void **state)
{
    (void)state;
    compare_for_all_schemes(&(struct scree_test_world){
        .bodies = BODIES, .damping = {0.1, 0.3}, .own_damping = true, .loads = true, .fixed = true});
}

static void pending_half_kicks_add_up_in_two_dimensions(void **state)
{
    (void)state;
    compare_for_all_schemes(
        &(struct scree_test_world){.dimension = 2, .bodies = BODIES, .damping = {0, 0.3}, .loads = true});
}

static void no_scheme_leaves_pending_half_kicks_to_another(void **state)
{
    (void)state;
    const char *before;
    struct scree_test_world setup = {
        .translation = "velocity-verlet", .bodies = BODIES, .damping = {0, 0.3}, .loads = true};
    for (size_t b = 0; (before = scree_motion_name(SCREE_ROTATION, b)); ++b)
        for (size_t r = 0; (setup.rotation = scree_motion_name(SCREE_ROTATION, r)); ++r) {
            setup.spheres_only = strcmp(setup.rotation, "spherical") == 0 || strcmp(before, "spherical") == 0;
            compare_with_loads(&setup, before, false);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_and_pending_half_kicks_add_up_to_what_loads_get),
        cmocka_unit_test(pending_half_kicks_add_up_for_damped_and_fixed_bodies),
        cmocka_unit_test(pending_half_kicks_add_up_in_two_dimensions),
        cmocka_unit_test(no_scheme_leaves_pending_half_kicks_to_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
