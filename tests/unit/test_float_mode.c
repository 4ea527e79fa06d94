// The floating-point mode of the caller, including flush-to-zero, does not affect a run and is restored
// after it. On machines without such a control register, only the rounding mode is tested.

#include "support/worlds.h"

#include <fenv.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

static const struct scree_test_world setup = {.bodies = 6, .loads = true, .damping = {0.1, 0.2}};

#if defined(__SSE2__)
// flush to zero, denormals are zero, all traps masked; the same with rounding up; neither, with rounding down
static const unsigned modes[] = {0x9FC0, 0xDFC0, 0x3F80};

static void set_mode(unsigned mode)
{
    _mm_setcsr(mode);
}

// without the exception flags, which any arithmetic can set
static unsigned mode_now(void)
{
    return _mm_getcsr() & ~0x3Fu;
}

#else
static const unsigned modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

static void set_mode(unsigned mode)
{
    fesetround((int)mode);
}

static unsigned mode_now(void)
{
    return (unsigned)fegetround();
}
#endif

static void the_callers_floating_point_mode_is_restored_after_a_run_and_has_no_effect_on_it(void **state)
{
    (void)state;
    const struct scree_digest expected = scree_test_world_run(&setup, 5);
    const unsigned initial_mode = mode_now();
    for (size_t m = 0; m < sizeof modes / sizeof modes[0]; ++m) {
        struct scree_world *world;
        struct scree_engine *engine;
        assert_ok(scree_test_world_build(&setup, &world));
        assert_ok(scree_test_world_engine(&setup, world, &engine));
        set_mode(modes[m]);
        const scree_status status = scree_engine_run(engine, 5);
        const unsigned after = mode_now();
        set_mode(initial_mode);
        assert_ok(status);
        assert_int_equal(after, modes[m]);
        assert_true(scree_test_digests_equal(scree_test_digest(world), expected));
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

static scree_status fail_the_run(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)world, (void)user;
    return SCREE_ERROR_STATE;
}

static void the_mode_is_restored_after_a_failed_run(void **state)
{
    (void)state;
    struct scree_world *world;
    struct scree_engine *engine;
    const unsigned initial_mode = mode_now();
    assert_ok(scree_test_world_build(&setup, &world));
    assert_ok(scree_test_world_engine(&setup, world, &engine));
    assert_ok(scree_engine_set_callback(engine, 20, fail_the_run, NULL, NULL));
    set_mode(modes[0]);
    const scree_status status = scree_engine_run(engine, 5);
    const unsigned after = mode_now();
    set_mode(initial_mode);
    assert_int_equal(status, SCREE_ERROR_STATE);
    assert_int_equal(after, modes[0]);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_callers_floating_point_mode_is_restored_after_a_run_and_has_no_effect_on_it),
        cmocka_unit_test(the_mode_is_restored_after_a_failed_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
