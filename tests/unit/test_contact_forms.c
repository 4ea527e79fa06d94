// Forces and couples of a single contact, as the engine computes them and as they are listed, compared with
// closed forms.

#include "support/worlds.h"

#include <scree/contact.h>
#include <scree/interaction.h>
#include <scree/wall.h>

static bool near(double a, double b, double size)
{
    return fabs(a - b) <= 1e-14 * size;
}

// A ball rolls and twists on a floor: linear springs of stiffness k, restitution 1, so the force is k d, and
// the couples at their limits are 0.1 R k d and 2/3 0.2 sqrt(R d) k d.
static void slipping_couples_are_listed_at_their_limits(void **state)
{
    (void)state;
    static const struct scree_interaction_value values[] = {
        {"friction", 0.5, NULL},         {"stiffness", 1e5, NULL},       {"restitution", 1, NULL},
        {"rolling-friction", 0.1, NULL}, {"rolling-damping", 0.3, NULL}, {"twisting-friction", 0.2, NULL},
        {"twisting-damping", 0.3, NULL}};
    struct scree_engine *engine;
    scree_body_id id;
    scree_material_id material;
    struct scree_contact contact[2];
    size_t count;
    struct scree_world *world = scree_test_floor(
        10, &(struct scree_material_def){.name = "m", .density = 1000},
        &(struct scree_interaction_def){.law = "linear", .values = values, .count = 7}, &material);
    assert_ok(scree_body_add_sphere(world,
                                    &(struct scree_sphere_def){.radius = 0.1,
                                                               .material = material,
                                                               .position = {0, 0, 0.0999},
                                                               .velocity = {1},
                                                               .spin = {0, 10, 20}},
                                    &id));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-5}, &engine));
    assert_ok(scree_engine_run(engine, 50));
    assert_ok(scree_contact_list(world, contact, 2, &count));
    assert_int_equal(count, 1);
    const double d = contact->overlap, force = 1e5 * d, rolling = 0.1 * 0.1 * force;
    const double twisting = 2.0 / 3 * 0.2 * sqrt(0.1 * d) * force;
    // d is a difference of numbers a thousand times as large
    assert_true(d > 5e-5 && near(contact->force[2], force, 1e4 * force));
    assert_true(near(hypot(contact->couple[0], contact->couple[1]), rolling, 1e4 * rolling));
    assert_true(contact->couple[1] < -0.99 * rolling && near(contact->couple[2], -twisting, 1e4 * twisting));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// Two balls with all degrees of freedom fixed that approach at v and slide at u are damped like free ones:
// with m* = m / 2, F = k d + c v and T = c u.
static void a_contact_of_two_fixed_bodies_is_damped_like_one_of_free_bodies(void **state)
{
    (void)state;
    static const struct scree_interaction_value values[] = {
        {"friction", 1e3, NULL}, {"stiffness", 1e5, NULL}, {"damping-mass", 40, NULL}};
    struct scree_world *world;
    struct scree_engine *engine;
    scree_body_id id;
    scree_material_id material;
    struct scree_contact contact[2];
    struct scree_body_state body;
    size_t count;
    assert_ok(scree_world_create(NULL, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1000}, &material));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    for (int side = 0; side < 2; ++side) {
        const struct scree_sphere_def ball = {.radius = 0.1,
                                              .material = material,
                                              .position = {side * 0.199},
                                              .velocity = {side * -0.3, side * 0.2},
                                              .fixed = side ? SCREE_FIX_ALL : SCREE_FIX_POSITION};
        assert_ok(scree_body_add_sphere(world, &ball, &id));
    }
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-5}, &engine));
    assert_ok(scree_engine_run(engine, 0));
    assert_ok(scree_contact_list(world, contact, 2, &count));
    assert_int_equal(count, 1);
    assert_ok(scree_body_get(world, id, &body));
    const double c = 40 * 0.5 * body.mass, force = 1e5 * 0.001 + c * 0.3, tangential = c * 0.2;
    // the overlap is 1/200 of the numbers of which it is the difference
    const double size = 1e3 * force;
    assert_true(near(body.force[0], force, size) && near(body.force[1], -tangential, size));
    assert_true(near(contact->force[0], -force, size) && near(contact->force[1], tangential, size));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slipping_couples_are_listed_at_their_limits),
        cmocka_unit_test(a_contact_of_two_fixed_bodies_is_damped_like_one_of_free_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
