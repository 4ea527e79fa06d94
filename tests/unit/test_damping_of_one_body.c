// Damping acts on each body separately: a body without damping has the same bits whether or not another
// body is damped.

#include "support/worlds.h"

enum { BODIES = 12, STEPS = 50 };

// Runs a world in which one body has this damping.
static void run_steps(const struct scree_test_world *setup, struct scree_damping damping,
                      struct scree_body_state end[BODIES + 1])
{
    struct scree_world *world;
    struct scree_engine *engine;
    assert_ok(scree_test_world_build(setup, &world));
    if (damping.local > 0 || damping.viscous > 0)
        assert_ok(scree_body_set_damping(world, (scree_body_id){BODIES / 2}, damping.local, damping.viscous));
    assert_ok(scree_test_world_engine(setup, world, &engine));
    assert_ok(scree_engine_run(engine, STEPS));
    for (uint64_t id = 1; id <= BODIES; ++id)
        assert_ok(scree_body_get(world, (scree_body_id){id}, &end[id]));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void compare_for_all_schemes(const struct scree_test_world *description, struct scree_damping damping)
{
    struct scree_test_world setup = *description;
    static struct scree_body_state undamped[BODIES + 1], damped[BODIES + 1];
    for (size_t t = 0; (setup.translation = scree_motion_name(SCREE_TRANSLATION, t)); ++t)
        for (size_t r = 0; (setup.rotation = scree_motion_name(SCREE_ROTATION, r)); ++r) {
            setup.spheres_only = strcmp(setup.rotation, "spherical") == 0;
            run_steps(&setup, (struct scree_damping){0}, undamped);
            run_steps(&setup, damping, damped);
            for (int id = 1; id <= BODIES; ++id)
                if (id != BODIES / 2)
                    scree_test_same_motion(&undamped[id], &damped[id]);
            // the body with damping moves differently
            assert_memory_not_equal(undamped[BODIES / 2].velocity, damped[BODIES / 2].velocity,
                                    sizeof undamped->velocity);
        }
}

static void damping_of_one_body_changes_no_bit_of_another(void **state)
{
    (void)state;
    const struct scree_test_world setup = {.bodies = BODIES, .step = 0.013, .loads = true, .oriented = true};
    compare_for_all_schemes(&setup, (struct scree_damping){.viscous = 0.5});
    compare_for_all_schemes(&setup, (struct scree_damping){.local = 0.2});
}

static void damping_changes_no_bit_of_another_body_with_fixed_degrees_of_freedom(void **state)
{
    (void)state;
    const struct scree_test_world setup = {.bodies = BODIES, .step = 0.013, .loads = true, .fixed = true};
    compare_for_all_schemes(&setup, (struct scree_damping){.local = 0.2, .viscous = 0.5});
}

static void damping_changes_no_bit_of_another_body_in_two_dimensions(void **state)
{
    (void)state;
    const struct scree_test_world setup = {.dimension = 2, .bodies = BODIES, .step = 0.013, .loads = true};
    compare_for_all_schemes(&setup, (struct scree_damping){.local = 0.2, .viscous = 0.5});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damping_of_one_body_changes_no_bit_of_another),
        cmocka_unit_test(damping_changes_no_bit_of_another_body_with_fixed_degrees_of_freedom),
        cmocka_unit_test(damping_changes_no_bit_of_another_body_in_two_dimensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
