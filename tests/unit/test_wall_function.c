// Functions that move walls (scree/wall.h): setting, ending and releasing them, and checkpoints. References:
// integrals in closed form, and counts of calls.

#include "support/folder.h"
#include "support/worlds.h"

#include <scree/checkpoint.h>

struct function_data {
    int released;
    double speed;
};

static void accelerate(void *user, double time, struct scree_wall_motion *motion)
{
    motion->velocity[2] = ((const struct function_data *)user)->speed * time;
}

static void count_release(void *user)
{
    ++((struct function_data *)user)->released;
}

static scree_wall_id add_floor(struct scree_world *world)
{
    scree_wall_id id;
    const struct scree_wall_def def = {.shape = SCREE_WALL_PLANE,
                                       .material = scree_test_material(world),
                                       .plane = {.normal = {0, 0, 1}},
                                       .velocity = {3, 0, 0}};
    assert_ok(scree_wall_add(world, &def, &id));
    return id;
}

static struct scree_wall_state state_of(const struct scree_world *world, scree_wall_id id)
{
    struct scree_wall_state state;
    assert_ok(scree_wall_get(world, id, &state));
    return state;
}

static void a_function_prescribes_the_motion_until_it_is_replaced_or_removed(void **state)
{
    (void)state;
    struct scree_world *world;
    struct scree_engine *engine;
    struct function_data first = {.speed = 2}, second = {.speed = 4};
    const struct scree_wall_motion_def first_def = {accelerate, &first, count_release},
                                       second_def = {accelerate, &second, count_release};
    const double zero[3] = {0};
    assert_ok(scree_world_create(NULL, &world));
    const scree_wall_id id = add_floor(world);
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 0.01}, &engine));
    assert_refused(SCREE_ERROR_MISSING, "no wall",
                   scree_wall_motion_set_function(world, (scree_wall_id){9}, &first_def));
    assert_ok(scree_wall_motion_set_function(world, id, &first_def));
    assert_refused(SCREE_ERROR_STATE, "moves by a function", scree_wall_set_velocity(world, id, zero));
    assert_refused(SCREE_ERROR_STATE, "moves by a function", scree_wall_set_spin(world, id, zero));
    assert_refused(SCREE_ERROR_STATE, "moves by a function", scree_wall_set_pivot(world, id, zero));
    assert_refused(SCREE_ERROR_STATE, "moves by a function",
                   scree_wall_set_surface_motion(world, id, zero, zero));
    assert_ok(scree_engine_run(engine, 100));
    // the integral of a velocity that is linear in time is exact; components that the function does not set
    // do not change
    assert_true(state_of(world, id).position[2] > 1 - 1e-12 && state_of(world, id).position[2] < 1 + 1e-12);
    assert_true(state_of(world, id).velocity[0] == 3);
    assert_ok(scree_wall_motion_set_function(world, id, &second_def));
    assert_true(first.released == 1 && second.released == 0);
    assert_ok(scree_wall_motion_set_function(world, id, NULL));
    assert_true(second.released == 1);
    // the wall keeps the velocity that it had
    const double speed = state_of(world, id).velocity[2];
    assert_true(speed > 4 - 1e-12 && speed < 4 + 1e-12);
    assert_ok(scree_engine_run(engine, 100));
    assert_true(state_of(world, id).velocity[2] == speed);
    assert_ok(scree_wall_set_velocity(world, id, zero));
    assert_ok(scree_wall_motion_set_function(world, id, &first_def));
    assert_ok(scree_wall_remove(world, id));
    assert_int_equal(first.released, 2);
    const scree_wall_id last = add_floor(world);
    assert_ok(scree_wall_motion_set_function(world, last, &second_def));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    assert_int_equal(second.released, 2);
}

static struct scree_engine *engine_of(struct scree_world *world)
{
    struct scree_engine *engine;
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 0.01, .threads = 1}, &engine));
    return engine;
}

static void after_a_checkpoint_is_read_the_function_must_be_set_again(void **state)
{
    (void)state;
    struct scree_world *world, *restored;
    struct function_data function_data = {.speed = 2};
    const struct scree_wall_motion_def def = {accelerate, &function_data, NULL};
    const char *path = scree_folder_path(&scree_test_folder, "state.chk");
    assert_ok(scree_world_create(NULL, &world));
    const scree_wall_id id = add_floor(world);
    assert_ok(scree_wall_motion_set_function(world, id, &def));
    struct scree_engine *engine = engine_of(world);
    assert_ok(scree_engine_run(engine, 37));
    assert_ok(scree_checkpoint_write(world, path));
    assert_ok(scree_engine_run(engine, 50));
    assert_ok(scree_world_create(NULL, &restored));
    assert_ok(scree_checkpoint_read(restored, path));
    struct scree_engine *restored_engine = engine_of(restored);
    assert_refused(SCREE_ERROR_STATE, "set it again", scree_engine_run(restored_engine, 50));
    assert_ok(scree_wall_motion_set_function(restored, id, &def));
    assert_ok(scree_engine_run(restored_engine, 50));
    assert_true(scree_test_digests_equal(scree_test_digest(world), scree_test_digest(restored)));
    scree_engine_destroy(restored_engine);
    scree_engine_destroy(engine);
    scree_world_destroy(restored);
    scree_world_destroy(world);
}

// Refusals name the number; the velocity is that of the definition, with a cosine in double precision.
static void a_vibration_is_a_function_of_time_with_given_numbers(void **state)
{
    (void)state;
    struct scree_world *world;
    struct scree_wall_state wall;
    assert_ok(scree_world_create(NULL, &world));
    const scree_wall_id id = add_floor(world);
    const struct scree_wall_vibration good = {
        .velocity = {0.5, 0, 1}, .direction = {0, 3, 4}, .amplitude = 0.02, .frequency = 7, .phase = 0.3};
    struct scree_wall_vibration bad = good;
    bad.amplitude = 0;
    assert_refused(SCREE_ERROR_ARGUMENT, "above 0", scree_wall_set_vibration(world, id, &bad));
    bad = good;
    bad.frequency = (double)NAN;
    assert_refused(SCREE_ERROR_ARGUMENT, "above 0", scree_wall_set_vibration(world, id, &bad));
    bad = good;
    memset(bad.direction, 0, sizeof bad.direction);
    assert_refused(SCREE_ERROR_ARGUMENT, "length above 0", scree_wall_set_vibration(world, id, &bad));
    bad = good;
    bad.phase = (double)INFINITY;
    assert_refused(SCREE_ERROR_ARGUMENT, "phase", scree_wall_set_vibration(world, id, &bad));
    bad = good;
    bad.velocity[2] = (double)NAN;
    assert_refused(SCREE_ERROR_ARGUMENT, "velocity", scree_wall_set_vibration(world, id, &bad));
    assert_refused(SCREE_ERROR_MISSING, "wall", scree_wall_set_vibration(world, (scree_wall_id){9}, &good));
    assert_ok(scree_wall_set_vibration(world, id, &good));
    struct scree_engine *engine = engine_of(world);
    assert_ok(scree_engine_run(engine, 3));
    assert_ok(scree_wall_get(world, id, &wall));
    const double rate = 2 * acos(-1) * 7, speed = 0.02 * rate * cos(rate * 0.03 + 0.3);
    const double expected[3] = {0.5, 0.6 * speed, 1 + 0.8 * speed};
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(wall.velocity[k] - expected[k]) < 1e-14);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vibration_is_a_function_of_time_with_given_numbers),
        cmocka_unit_test(a_function_prescribes_the_motion_until_it_is_replaced_or_removed),
        cmocka_unit_test_setup_teardown(after_a_checkpoint_is_read_the_function_must_be_set_again,
                                        scree_test_folder_make, scree_test_folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
