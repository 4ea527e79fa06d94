// Walls of scenes that move in time (build/wall_motion.c): expressions, tables, vibrations and moving
// surfaces, changes in stages, restarts, and mistakes. Reference: closed integrals of the motion.

#include "support/folder.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 2500, young: 5 MPa, poisson: 0.25}}\n"                                     \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"               \
    "engine: {soft: {step: 0.1 ms}}\n"
#define PLANE "plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}"

static const double pi = 3.14159265358979323846;

// The state of the first wall after running a scene of one wall for a second.
static struct scree_wall_state run_wall(const char *keys)
{
    char text[2000];
    struct scree_wall_state state;
    snprintf(text, sizeof text,
             HEAD "walls: [{" PLANE ", group: floor, %s}]\n"
                  "run: {until: 1 s}\n",
             keys);
    struct scree_world *world = scree_trial_run_text(text, &(struct scree_run_def){0});
    assert_ok(scree_wall_get(world, (scree_wall_id){1}, &state));
    scree_world_destroy(world);
    return state;
}

// Integrals of the motion over one second. The midpoint rule is exact for linear functions, and otherwise
// has an error of h^2 / 24 times the second derivative.
static void walls_follow_expressions_and_tables(void **state)
{
    (void)state;
    const struct scree_wall_state sine = run_wall("velocity: [0, 0, 0.1 * sin(2 pi * 0.75 Hz * t)]");
    const double rate = 2 * pi * 0.75;
    assert_true(fabs(sine.position[2] - 0.1 * (1 - cos(rate)) / rate) < 1e-9);
    assert_true(fabs(sine.velocity[2] - 0.1 * sin(rate)) < 1e-12);
    // a product with units, and a table with a jump
    const struct scree_wall_state mixed =
        run_wall("velocity: [\"2 m/s^2 * t\", [[0, 0], [0.5 s, 2 cm/s], [0.5, 0.1], [2, 0.1]], -1 mm/s]");
    assert_true(fabs(mixed.position[0] - 1) < 1e-12 && fabs(mixed.position[1] - 0.055) < 1e-6);
    assert_true(fabs(mixed.position[2] + 1e-3) < 1e-15);
    const struct scree_wall_state rotating = run_wall("spin: [0, \"30 rpm * t / 1 s\", 0]");
    assert_true(fabs(rotating.orientation[2] - sin(0.25 * pi)) < 1e-9);
    const struct scree_wall_state vibrating = run_wall(
        "velocity: [0, 0, 1], vibration: {amplitude: 2 mm, frequency: 10.25 Hz, phase: 30 deg, direction: "
        "[0, 0, 5]}");
    const double phase = pi / 6;
    assert_true(fabs(vibrating.position[2] - 1 - 2e-3 * (sin(20.5 * pi + phase) - sin(phase))) < 1e-8);
    assert_true(fabs(vibrating.velocity[2] - 1 - 2e-3 * 20.5 * pi * cos(20.5 * pi + phase)) < 1e-9);
    const struct scree_wall_state belt =
        run_wall("surface-velocity: [\"t / 1 s\", 0, 0], surface-spin: [0, 0, 1]");
    assert_true(fabs(belt.surface_velocity[0] - 1) < 1e-12 && belt.surface_spin[2] == 1);
    assert_true(belt.position[0] == 0 && belt.velocity[0] == 0);
}

static void stages_change_the_motion_of_walls(void **state)
{
    (void)state;
    static const char text[] = HEAD
        "walls:\n"
        "  - {" PLANE ", group: [floor, all], velocity: [0.1, 0, \"0.2 * t / 1 s\"], spin: [0, 0, 1]}\n"
        "  - {" PLANE ", group: all, velocity: [1, 0, 0]}\n"
        "run:\n"
        "  - {for: 1 s}\n"
        "  - {for: 1 s, walls: [{group: floor, velocity: [0, 0.3, 0]}]}\n"
        "  - {for: 1 s, walls: [{group: all, vibration: {amplitude: 1 mm, frequency: 10.25, direction: [1, "
        "0, 0]}}]}\n"
        "  - {for: 1 s, walls: [{group: floor, surface-velocity: [0.5, 0, 0], vibration: {amplitude: 0, "
        "frequency: 1, direction: [1, 0, 0]}}]}\n";
    struct scree_wall_state floor, other;
    struct scree_world *world = scree_trial_run_text(text, &(struct scree_run_def){0});
    assert_ok(scree_wall_get(world, (scree_wall_id){1}, &floor));
    assert_ok(scree_wall_get(world, (scree_wall_id){2}, &other));
    scree_world_destroy(world);
    // the third stage lasts from 2 s to 3 s
    const double vibration = 1e-3 * (sin(2 * pi * 10.25 * 3) - sin(2 * pi * 10.25 * 2));
    assert_true(fabs(floor.position[0] - 0.1 - vibration) < 1e-8);
    assert_true(fabs(floor.position[1] - 0.9) < 1e-12 && fabs(floor.position[2] - 0.1) < 1e-12);
    assert_true(floor.velocity[0] == 0 && floor.velocity[1] == 0.3 && floor.spin[2] == 1);
    assert_true(floor.surface_velocity[0] == 0.5);
    const double other_vibration = 1e-3 * (sin(2 * pi * 10.25 * 4) - sin(2 * pi * 10.25 * 2));
    assert_true(fabs(other.position[0] - 4 - other_vibration) < 1e-8);
}

// --- restarts

static const char moving_scene[] =
    HEAD "gravity: [0, 0, -9.81]\n"
         "bodies: [{sphere: {radius: 5 mm, at: [0, 0, 5 mm], material: glass}}]\n"
         "walls:\n"
         "  - {" PLANE ", group: floor, velocity: [0.1 * sin(2 pi * 30 Hz * t), 0, 0], spin: [0, 0, "
         "0.2 * t / 1 s], surface-velocity: [0, {table: belt.csv}, 0], vibration: {amplitude: 0.1 mm, "
         "frequency: 50 Hz, direction: [0, 0, 1]}}\n"
         "run:\n"
         "  - {for: 50 ms}\n"
         "  - {for: 50 ms, walls: [{group: floor, velocity: [0, {table: [[0, 0], [0.1, 0.1]]}, 0]}]}\n"
         "record: [{checkpoint: state.chk, every: 1 s}]\n";

static struct scree_digest run_moving_scene(const char *file, double until)
{
    struct scree_digest digest;
    const char *path = scree_folder_path(&scree_test_folder, file);
    const bool restarted = strcmp(file, "state.chk") == 0;
    struct scree_trial trial = restarted ? scree_trial_restart(path) : scree_trial_load(path);
    const struct scree_run_def def = {.until = until, .force = true};
    if (scree_trial_run(&trial, &def) != SCREE_OK)
        fail_msg("%s", scree_trial_message(&trial));
    assert_ok(scree_world_digest(trial.world, &digest));
    scree_trial_free(&trial);
    return digest;
}

static void a_restart_continues_the_motion_exactly(void **state)
{
    (void)state;
    scree_folder_write(&scree_test_folder, "moved.yaml", moving_scene);
    scree_folder_write(&scree_test_folder, "belt.csv", "time,speed\n# a belt\n0, 0\n0.03, 0.2\n0.2,-0.4\n");
    const struct scree_digest expected = run_moving_scene("moved.yaml", 0);
    static const double ends[] = {0.02, 0.07};
    for (size_t e = 0; e < 2; ++e) {
        const struct scree_digest interrupted = run_moving_scene("moved.yaml", ends[e]);
        assert_true(interrupted.low != expected.low);
        const struct scree_digest restarted = run_moving_scene("state.chk", 0.1);
        assert_true(restarted.low == expected.low && restarted.high == expected.high);
    }
}

// --- output and mistakes

static void a_printed_scene_keeps_expressions_and_is_printed_the_same_again(void **state)
{
    (void)state;
    scree_trial_assert_printed_again(
        "variables: {speed: 2 cm/s}\n" HEAD "walls: [{" PLANE
        ", velocity: [\"${speed}\", \"${speed} * sin(3 Hz * t)\", 0], "
        "spin: [0, 30 rpm, 0], surface-velocity: {table: [[0, 0, 0, 0], [1, 0, 2, 0]]}}]\n"
        "run: {until: 1 s}\n",
        "sin(3 Hz * t)");
}

static void mistakes_in_motion_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *message;
    } cases[] = {
        {"velocity: [0, 0, \"2 m * t\"]", "'velocity' must be in m/s, but '2 m * t' is in m s"},
        {"velocity: [0, 0, \"sin(t)\"]", "'sin' takes an angle, not s"},
        {"velocity: [0, 0, \"0.1 * sin(3 Hz * x)\"]", "'x' is unknown here"},
        {"velocity: [0, 0, \"2 * t\"]", "'velocity' must be in m/s, but '2 * t' is in s"},
        {"spin: [0, 0, \"1 Hz / (t * 1 Hz)\"]", "not a finite number"},
        {"velocity: [0, 0, [[0, 0], [1, 2, 3]]]", "a row of this table must be a list of a time and a value"},
        {"velocity: [0, 0, [[1, 0], [0.5, 2]]]", "the times of a table must not decrease"},
        {"velocity: [0, 0, {table: nowhere.csv}]", "nowhere.csv"},
        {"velocity: [0, 0, {tables: nowhere.csv}]", "must have the key 'table' only"},
        {"velocity: {table: [[0, 1]]}", "a list of a time and three values"},
        {"velocity: [0, 1]", "a list of three numbers or expressions of the time t"},
        {"vibration: {amplitude: 1 mm, frequency: 0, direction: [0, 0, 1]}", "'frequency' must be above 0"},
        {"vibration: {amplitude: 1 mm, direction: [0, 0, 1]}", "frequency"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, cases[c].message,
                                        HEAD "walls: [{" PLANE ", %s}]\nrun: {until: 1 s}\n", cases[c].keys);
    scree_folder_write(&scree_test_folder, "bad.csv", "t,v\n0,1\n1,two\n");
    scree_folder_write(&scree_test_folder, "bad.yaml",
                       HEAD "walls: [{" PLANE ", velocity: [0, 0, {table: bad.csv}]}]\nrun: {until: 1 s}\n");
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "bad.yaml"));
    scree_trial_assert_refused(&trial, "a number in SI units was expected here");
    scree_trial_free(&trial);
}

// When an expression is not a finite number, the run ends with its time.
static void a_motion_that_is_not_finite_ends_the_run(void **state)
{
    (void)state;
    struct scree_trial trial = scree_trial_read(
        SCREE_TRIAL_SCENE,
        HEAD "walls: [{" PLANE ", velocity: [0, 0, \"sqrt(0.5 - t * 1 Hz)\"]}]\nrun: {until: 1 s}\n");
    assert_int_equal(scree_trial_run(&trial, &(struct scree_run_def){0}), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_trial_message(&trial), "the function that moves wall 1 is wrong at 0.500"));
    scree_trial_free(&trial);
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    assert_true(scree_trial_starve(SCREE_TRIAL_RUN,
                                   HEAD "walls: [{" PLANE ", group: floor, velocity: [0, [[0, 0], [1, 1]], "
                                        "\"sin(3 Hz * t)\"]}]\n"
                                        "run: [{steps: 2}, {steps: 2, walls: [{group: floor, spin: [0, 0, "
                                        "\"t * 1 rad/s^2\"]}]}]\n",
                                   &(struct scree_run_def){0}) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_follow_expressions_and_tables),
        cmocka_unit_test(stages_change_the_motion_of_walls),
        cmocka_unit_test_setup_teardown(a_restart_continues_the_motion_exactly, scree_test_folder_make,
                                        scree_test_folder_remove),
        cmocka_unit_test(a_printed_scene_keeps_expressions_and_is_printed_the_same_again),
        cmocka_unit_test_setup_teardown(mistakes_in_motion_are_reported, scree_test_folder_make,
                                        scree_test_folder_remove),
        cmocka_unit_test(a_motion_that_is_not_finite_ends_the_run),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
