// Walls that are attached to bodies (world/wall_body.h): they follow every change of their body, edits keep
// the energy ledger balanced, and what is not possible is refused.

#include "support/worlds.h"
#include "world/wall_body.h"

#include <math.h>
#include <string.h>

static const double vertex[4][3] = {{-0.2, -0.1, 0}, {0.2, -0.1, 0}, {0.2, 0.1, 0}, {-0.2, 0.1, 0}};
static const uint32_t facet[2][3] = {{0, 1, 2}, {0, 2, 3}};

struct setup {
    struct scree_world *world;
    scree_wall_id wall;
    scree_body_id body;
};

static struct scree_wall_def plate_def(void)
{
    return (struct scree_wall_def){.shape = SCREE_WALL_MESH,
                                   .material = {1},
                                   .mesh = {.vertex = vertex, .vertices = 4, .facet = facet, .facets = 2}};
}

static struct setup make(void)
{
    struct setup setup;
    const struct scree_wall_def def = plate_def();
    const struct scree_rigid_def body = {
        .mass = 2, .inertia = {0.01, 0.02, 0.03}, .position = {0.1, 0, 0}, .velocity = {1, 2, 3}};
    const struct scree_interaction_value values[] = {
        {"friction", 0.3, NULL}, {"stiffness", 1e4, NULL}, {"restitution", 0.7, NULL}};
    assert_ok(scree_world_create(NULL, &setup.world));
    (void)scree_test_material(setup.world);
    assert_ok(scree_interaction_add(
        setup.world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    assert_ok(scree_wall_add(setup.world, &def, &setup.wall));
    assert_ok(scree_body_add_rigid(setup.world, &body, &setup.body));
    return setup;
}

static void assert_vector(const double *found, double x, double y, double z)
{
    const double expected[3] = {x, y, z};
    for (int k = 0; k < 3; ++k)
        if (!(fabs(found[k] - expected[k]) < 1e-15))
            fail_msg("component %d is %.17g, not %.17g", k, found[k], expected[k]);
}

static struct scree_wall_state state_of(const struct setup *setup)
{
    struct scree_wall_state state;
    assert_ok(scree_wall_get(setup->world, setup->wall, &state));
    return state;
}

static void an_attached_wall_follows_changes_of_its_body(void **state)
{
    (void)state;
    const struct setup setup = make();
    scree_body_id body;
    assert_ok(scree_wall_body_id(setup.world, setup.wall, &body));
    assert_int_equal(body.value, 0);
    assert_ok(scree_wall_body_attach(setup.world, setup.wall, setup.body));
    assert_ok(scree_wall_body_id(setup.world, setup.wall, &body));
    assert_int_equal(body.value, setup.body.value);
    struct scree_wall_state wall = state_of(&setup);
    assert_vector(wall.pivot, 0.1, 0, 0);
    assert_vector(wall.position, 0, 0, 0);
    assert_vector(wall.velocity, 1, 2, 3);
    assert_ok(scree_body_set_position(setup.world, setup.body, (const double[3]){0.1, 0, 1}));
    assert_ok(scree_body_set_velocity(setup.world, setup.body, (const double[3]){0, 0, 5}));
    assert_ok(scree_body_set_spin(setup.world, setup.body, (const double[3]){0, 7, 0}));
    // by a right angle about z
    assert_ok(scree_body_set_orientation(setup.world, setup.body, (const double[4]){1, 0, 0, 1}));
    wall = state_of(&setup);
    assert_vector(wall.position, 0.1, -0.1, 1);
    assert_vector(wall.velocity, 0, 0, 5);
    assert_vector(wall.spin, 0, 7, 0);
    assert_true(fabs(wall.orientation[0] - sqrt(0.5)) < 1e-15 &&
                fabs(wall.orientation[3] - sqrt(0.5)) < 1e-15);
    // a detached wall goes on as it is
    assert_ok(scree_wall_body_detach(setup.world, setup.wall));
    assert_ok(scree_wall_body_detach(setup.world, setup.wall));
    assert_ok(scree_body_set_velocity(setup.world, setup.body, (const double[3]){0}));
    wall = state_of(&setup);
    assert_vector(wall.velocity, 0, 0, 5);
    assert_vector(wall.position, 0.1, -0.1, 1);
    assert_ok(scree_wall_set_velocity(setup.world, setup.wall, (const double[3]){1, 0, 0}));
    assert_ok(scree_world_validate(setup.world));
    scree_world_destroy(setup.world);
}

static void walls_go_with_a_removed_body_and_bodies_stay_without_a_removed_wall(void **state)
{
    (void)state;
    struct setup setup = make();
    const struct scree_wall_def def = plate_def();
    scree_wall_id other, second;
    assert_ok(scree_wall_add(setup.world, &def, &other));
    assert_ok(scree_wall_add(setup.world, &def, &second));
    assert_ok(scree_wall_body_attach(setup.world, setup.wall, setup.body));
    assert_ok(scree_wall_body_attach(setup.world, second, setup.body));
    assert_ok(scree_wall_remove(setup.world, second));
    assert_true(scree_body_exists(setup.world, setup.body) && scree_wall_exists(setup.world, setup.wall));
    assert_ok(scree_body_remove(setup.world, setup.body));
    assert_false(scree_wall_exists(setup.world, setup.wall));
    assert_true(scree_wall_exists(setup.world, other));
    assert_ok(scree_world_validate(setup.world));
    scree_world_destroy(setup.world);
}

// The edits change the energy of contacts with the wall, which the ledger must take out and enter again.
static void edits_of_a_body_with_a_wall_keep_the_energy_ledger_balanced(void **state)
{
    (void)state;
    struct setup setup = make();
    const struct scree_sphere_def ball = {
        .radius = 0.03, .material = {1}, .position = {0.05, 0.02, 0.029}, .velocity = {1, 0, 2}};
    struct scree_engine *engine;
    struct scree_energy energy;
    scree_body_id id;
    assert_ok(scree_wall_body_attach(setup.world, setup.wall, setup.body));
    assert_ok(scree_body_add_sphere(setup.world, &ball, &id));
    assert_ok(scree_soft_create(setup.world, &(struct scree_soft_def){.step = 1e-5, .threads = 1}, &engine));
    for (int k = 0; k < 4; ++k) {
        struct scree_body_state body;
        assert_ok(scree_engine_run(engine, 100));
        assert_ok(scree_body_get(setup.world, setup.body, &body));
        body.position[2] += 2e-4;
        if (k == 0)
            assert_ok(scree_body_set_position(setup.world, setup.body, body.position));
        if (k == 1)
            assert_ok(scree_body_set_velocity(setup.world, setup.body, (const double[3]){1, 2, 2.5}));
        if (k == 2)
            assert_ok(
                scree_body_set_orientation(setup.world, setup.body, (const double[4]){1, 0.001, 0, 0.1}));
    }
    assert_ok(scree_energy_get(setup.world, &energy));
    assert_true(energy.elastic > 1e-4 && energy.work == 0 && energy.energy_input > 1e-4);
    // of order 2: h^2 w^2 = 1e-10 * k / m = 1e-10 * 1e4 / 0.1 = 1e-5 of the energy, with the losses of edits
    // in dashpots, of order h
    if (!(fabs(energy.balance) < 1e-4 * scree_energy_scale(&energy)))
        fail_msg("balance %g J of %g J", energy.balance, scree_energy_scale(&energy));
    scree_engine_destroy(engine);
    scree_world_destroy(setup.world);
}

static void what_attached_walls_cannot_do_is_refused(void **state)
{
    (void)state;
    struct setup setup = make();
    struct scree_world *world = setup.world;
    const struct scree_sphere_def ball = {.radius = 0.03, .material = {1}, .position = {0, 0, 0.03}};
    const struct scree_pebble pebble = {.radius = 0.01};
    const struct scree_clump_def clump_def = {
        .body = {.mass = 1, .inertia = {1, 1, 1}, .position = {0, 0, 1}, .material = {1}},
        .pebble = &pebble,
        .pebbles = 1,
        .equal_radius = 0.01};
    const struct scree_wall_def def = plate_def();
    const double vector[3] = {1, 0, 0};
    scree_body_id sphere, clump;
    scree_wall_id belt;
    scree_group_id group;
    assert_ok(scree_body_add_sphere(world, &ball, &sphere));
    assert_ok(scree_body_add_clump(world, &clump_def, &clump));
    assert_ok(scree_wall_add(world, &def, &belt));
    assert_ok(scree_wall_set_surface_motion(world, belt, vector, vector));
    assert_ok(scree_group_add(world, "g", &group));
    assert_ok(scree_group_put_wall(world, group, setup.wall, true));
    assert_refused(SCREE_ERROR_ARGUMENT, "is a sphere", scree_wall_body_attach(world, setup.wall, sphere));
    assert_refused(SCREE_ERROR_ARGUMENT, "is a clump", scree_wall_body_attach(world, setup.wall, clump));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "moves along itself",
                   scree_wall_body_attach(world, belt, setup.body));
    assert_refused(SCREE_ERROR_MISSING, "", scree_wall_body_attach(world, setup.wall, (scree_body_id){99}));
    assert_refused(SCREE_ERROR_MISSING, "", scree_wall_body_attach(world, (scree_wall_id){99}, setup.body));
    assert_ok(scree_wall_body_attach(world, setup.wall, setup.body));
    assert_refused(SCREE_ERROR_STATE, "already", scree_wall_body_attach(world, setup.wall, setup.body));
    assert_refused(SCREE_ERROR_STATE, "moves with body", scree_wall_set_velocity(world, setup.wall, vector));
    assert_refused(SCREE_ERROR_STATE, "moves with body", scree_wall_set_spin(world, setup.wall, vector));
    assert_refused(SCREE_ERROR_STATE, "moves with body", scree_wall_set_pivot(world, setup.wall, vector));
    assert_refused(SCREE_ERROR_STATE, "moves with body",
                   scree_wall_set_surface_motion(world, setup.wall, vector, vector));
    assert_refused(SCREE_ERROR_STATE, "moves with body",
                   scree_wall_motion_set_function(world, setup.wall, NULL));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "moves with body",
                   scree_servo_set(world, &(struct scree_servo_def){.group = group, .direction = {0, 0, 1}}));
    assert_ok(scree_world_validate(world));
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_attached_wall_follows_changes_of_its_body),
        cmocka_unit_test(walls_go_with_a_removed_body_and_bodies_stay_without_a_removed_wall),
        cmocka_unit_test(edits_of_a_body_with_a_wall_keep_the_energy_ledger_balanced),
        cmocka_unit_test(what_attached_walls_cannot_do_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
