// How long forces act: added forces, loads, and edits between them. Reference: closed forms of an
// oscillator, of motion under a constant force, and of free rotation.

#include "support/worlds.h"

#include <math.h>
#include <string.h>

// a spring of 1 N/m to the origin, as a callback that adds forces
static scree_status add_spring_force(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)user;
    struct scree_body_state body;
    assert_ok(scree_body_get(world, (scree_body_id){1}, &body));
    return scree_body_add_force(world, (scree_body_id){1}, (const double[3]){-body.position[0]}, NULL);
}

// sets a velocity to its present value: an edit that changes nothing
static scree_status set_same_velocity(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)user;
    struct scree_body_state body;
    assert_ok(scree_body_get(world, (scree_body_id){1}, &body));
    return scree_body_set_velocity(world, (scree_body_id){1}, body.velocity);
}

static struct scree_world *make_world_with_body(void)
{
    struct scree_world *world;
    scree_body_id id;
    assert_ok(scree_world_create(NULL, &world));
    assert_ok(scree_body_add_rigid(
        world, &(struct scree_rigid_def){.mass = 1, .inertia = {1, 1, 1}, .position = {1, 0, 0}}, &id));
    return world;
}

// the state after 300 steps, with set_same_velocity at a point of each step (99: none) and between runs
static struct scree_body_state run_edited_at(int point, int runs)
{
    struct scree_world *world = make_world_with_body();
    struct scree_engine *engine;
    struct scree_body_state body;
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 0.01}, &engine));
    assert_ok(scree_engine_set_callback(engine, 45, add_spring_force, NULL, NULL));
    if (point < 99)
        assert_ok(scree_engine_set_callback(engine, point, set_same_velocity, NULL, NULL));
    for (int p = 0; p < runs; ++p) {
        assert_ok(scree_engine_run(engine, 300 / (uint64_t)runs));
        if (runs > 1)
            assert_ok(set_same_velocity(engine, world, NULL));
    }
    assert_ok(scree_body_get(world, (scree_body_id){1}, &body));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return body;
}

static void an_edit_keeps_the_added_forces(void **state)
{
    (void)state;
    const struct scree_body_state unedited = run_edited_at(99, 1);
    // cos(3); the error of velocity Verlet is sin(3) 3 h^2 / 24 = 2e-6
    assert_true(fabs(unedited.position[0] - -0.98999) < 1e-4);
    const int points[] = {0, 70};
    for (int p = 0; p < 2; ++p)
        assert_memory_equal(run_edited_at(points[p], 1).position, unedited.position,
                            sizeof unedited.position);
    assert_memory_equal(run_edited_at(99, 10).position, unedited.position, sizeof unedited.position);
}

static void a_force_added_between_steps_acts_for_one_whole_step(void **state)
{
    (void)state;
    // after the force is added: no change, an edit, or gravity changed and restored
    for (int change = 0; change < 3; ++change)
        for (int first = 0; first < 2; ++first) {
            struct scree_world *world = make_world_with_body();
            struct scree_engine *engine;
            struct scree_body_state body;
            assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 0.125}, &engine));
            if (!first)
                assert_ok(scree_engine_run(engine, 1));
            assert_ok(scree_body_add_force(world, (scree_body_id){1}, (const double[3]){8}, NULL));
            if (change == 1)
                assert_ok(set_same_velocity(engine, world, NULL));
            if (change == 2) {
                assert_ok(scree_world_set_gravity(world, (const double[3]){0, 0, 1}));
                assert_ok(scree_world_set_gravity(world, (const double[3]){0, 0, 0}));
            }
            assert_ok(scree_engine_run(engine, 3));
            assert_ok(scree_body_get(world, (scree_body_id){1}, &body));
            assert_true(body.velocity[0] == 1);
            scree_engine_destroy(engine);
            scree_world_destroy(world);
        }
}

static double velocity_within_step;

static scree_status change_gravity(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)user;
    if (scree_world_steps(world) != 5)
        return SCREE_OK;
    struct scree_body_state body;
    assert_ok(scree_world_set_gravity(world, (const double[3]){0, 0, -20}));
    assert_ok(scree_body_get_on_step(world, (scree_body_id){1}, &body));
    velocity_within_step = body.velocity[2];
    return SCREE_OK;
}

static void gravity_changed_within_a_step_keeps_velocity_and_energy_consistent(void **state)
{
    (void)state;
    struct scree_world *world = make_world_with_body();
    struct scree_engine *engine;
    struct scree_body_state body;
    struct scree_energy energy;
    assert_ok(scree_world_set_gravity(world, (const double[3]){0, 0, -10}));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 0.005}, &engine));
    assert_ok(scree_engine_set_callback(engine, 70, change_gravity, NULL, NULL));
    assert_ok(scree_engine_run(engine, 5));
    assert_ok(scree_body_get(world, (scree_body_id){1}, &body));
    assert_true(body.velocity[2] == velocity_within_step);
    assert_ok(scree_energy_get(world, &energy));
    // the scheme is exact for a parabola; about twenty roundings of energies below 1 J
    assert_true(fabs(energy.balance) < 1e-14);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static scree_status fail_with_message(void *user, const struct scree_load_batch *batch)
{
    (void)user, (void)batch;
    return scree_status_fail(SCREE_ERROR_NUMBER, "the wind is known until %d s only", 3);
}

static void the_message_of_a_failing_load_is_kept(void **state)
{
    (void)state;
    struct scree_world *world = make_world_with_body();
    struct scree_engine *engine;
    scree_load_id load;
    assert_ok(scree_load_add(world, &(struct scree_load_def){.function = fail_with_message}, &load));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 0.01}, &engine));
    assert_refused(SCREE_ERROR_NUMBER, "the wind is known until 3 s only", scree_engine_run(engine, 1));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void bodies_rotate_in_two_dimensions(void **state)
{
    (void)state;
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_body_state body;
    scree_body_id id;
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = 2}, &world));
    assert_ok(scree_body_add_rigid(
        world,
        &(struct scree_rigid_def){.mass = 1, .polar = 2, .spin = {0, 0, 0.5}, .orientation = {1, 0, 0, 1}},
        &id));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 0.0625}, &engine));
    assert_ok(scree_engine_run(engine, 16));
    assert_ok(scree_body_get(world, id, &body));
    // a quarter turn and half a radian, as half angles in the quaternion; 16 products with a few roundings
    // each
    const double half = 0.25 * 3.14159265358979323846 + 0.25;
    assert_true(fabs(body.orientation[0] - cos(half)) < 1e-14);
    assert_true(fabs(body.orientation[3] - sin(half)) < 1e-14);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void a_commit_names_the_body_that_an_edit_made_invalid(void **state)
{
    (void)state;
    struct scree_world *world = make_world_with_body();
    struct scree_engine *engine;
    struct scree_view view;
    void *data;
    assert_ok(scree_field_edit(world, "body.mass", &view, &data));
    *(double *)data = -1;
    assert_refused(SCREE_ERROR_NUMBER, "body 1", scree_field_commit(world));
    *(double *)data = 2;
    assert_ok(scree_field_commit(world));
    // fields of the engine cannot be written
    assert_refused(SCREE_ERROR_ARGUMENT, "owned by the engine",
                   scree_field_edit(world, "body.force", &view, &data));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 0.01}, &engine));
    assert_ok(scree_field_edit(world, "body.mass", &view, &data));
    *(double *)data = -1;
    assert_refused(SCREE_ERROR_NUMBER, "body 1", scree_engine_run(engine, 1));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edit_keeps_the_added_forces),
        cmocka_unit_test(a_force_added_between_steps_acts_for_one_whole_step),
        cmocka_unit_test(gravity_changed_within_a_step_keeps_velocity_and_energy_consistent),
        cmocka_unit_test(the_message_of_a_failing_load_is_kept),
        cmocka_unit_test(bodies_rotate_in_two_dimensions),
        cmocka_unit_test(a_commit_names_the_body_that_an_edit_made_invalid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
