// Free walls of scenes: mass, centre and inertia of a filled mesh in closed form, given values, loads of
// stages, a restart, servos that turn walls, and mistakes.

#include "support/folder.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A box with the edges 40, 20 and 10 mm and its centre at (1, 2, 3) mm, in an OBJ file in mm; without its top
// if it is open.
static void write_box(const char *name, bool open)
{
    static const int face[12][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},
                                    {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}, {4, 5, 6}, {4, 6, 7}};
    char text[2000];
    size_t length = 0;
    for (int v = 0; v < 8; ++v)
        length += (size_t)snprintf(text + length, sizeof text - length, "v %d %d %d\n",
                                   1 + (v % 4 == 1 || v % 4 == 2 ? 20 : -20), 2 + (v % 4 > 1 ? 10 : -10),
                                   3 + (v > 3 ? 5 : -5));
    for (int f = 0; f < (open ? 10 : 12); ++f)
        length += (size_t)snprintf(text + length, sizeof text - length, "f %d %d %d\n", face[f][0] + 1,
                                   face[f][1] + 1, face[f][2] + 1);
    scree_folder_write(&scree_test_folder, name, text);
}

#define SCENE                                                                                                \
    "scree: 1\nmaterials: {m: {density: 2500, young: 5 MPa, poisson: 0.25}}\n"                               \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.6}]\n"               \
    "engine: {soft: {step: 10 us}}\n"                                                                        \
    "bodies: [{sphere: {radius: 4 mm, at: [9 mm, 1 mm, 12.5 mm], material: m, velocity: [0, 0, -1]}, "       \
    "group: ball}]\n"                                                                                        \
    "walls: [%s]\n%s\n"
#define BOX(name, free) "{mesh: {file: " name ", unit: mm, material: m}, group: box, free: {" free "}}"

static struct scree_trial load(const char *walls, const char *rest)
{
    char text[3000];
    snprintf(text, sizeof text, SCENE, walls, rest);
    scree_folder_write(&scree_test_folder, "scene.yaml", text);
    return scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
}

static struct scree_body_state build(const char *walls)
{
    struct scree_trial trial = load(walls, "run: {steps: 1}");
    struct scree_body_state state;
    scree_body_id body;
    (void)scree_trial_build(&trial);
    scree_trial_assert_ok(&trial);
    assert_ok(scree_wall_body_id(trial.world, (scree_wall_id){1}, &body));
    assert_ok(scree_body_get(trial.world, body, &state));
    scree_trial_free(&trial);
    return state;
}

static void assert_near(double found, double expected)
{
    // coordinates are whole multiples of a millimetre, rounded; integrals have some tens of roundings
    if (!(fabs(found - expected) <= 1e-13 * fabs(expected)))
        fail_msg("%.17g is not %.17g", found, expected);
}

static void a_closed_mesh_is_filled_with_its_material(void **state)
{
    (void)state;
    write_box("box.obj", false);
    const struct scree_body_state body = build(BOX("box.obj", "spin: [0, 0, 3], fixed: [x]"));
    const double mass = 2500 * 0.04 * 0.02 * 0.01, edge[3] = {0.04, 0.02, 0.01};
    assert_near(body.mass, mass);
    // principal moments in ascending order are those about x, y and z
    for (int k = 0; k < 3; ++k) {
        const double a = edge[(k + 1) % 3], b = edge[(k + 2) % 3];
        assert_near(body.position[k], (k + 1) * 1e-3);
        double nearest = 1;
        for (int j = 0; j < 3; ++j)
            nearest = fmin(nearest, fabs(body.inertia[j] / (mass * (a * a + b * b) / 12) - 1));
        assert_true(nearest < 1e-12);
    }
    assert_true(body.fixed == SCREE_FIX_X && fabs(body.spin[2] - 3) < 1e-14);
}

static void given_values_replace_those_of_the_mesh(void **state)
{
    (void)state;
    write_box("box.obj", false);
    write_box("open.obj", true);
    // the mass alone scales the inertia
    const struct scree_body_state heavy = build(BOX("box.obj", "mass: 0.06"));
    assert_near(heavy.mass, 0.06);
    assert_near(heavy.inertia[0] + heavy.inertia[1] + heavy.inertia[2], 0.06 * (16e-4 + 4e-4 + 1e-4) / 6);
    const struct scree_body_state given = build(
        BOX("open.obj", "mass: 0.5, centre: [0, 0, 1], inertia: [1e-4, 2e-4, 2.5e-4], velocity: [1, 2, 3]"));
    assert_true(given.mass == 0.5 && given.position[2] == 1 && given.inertia[2] == 2.5e-4);
    assert_true(given.velocity[0] == 1 && given.velocity[2] == 3);
}

// The ball hits the box, which a load turns, at first with 1 mN m, then with twice that.
static void a_shaft_turns_by_the_loads_of_stages_and_a_restart_changes_nothing(void **state)
{
    (void)state;
    write_box("box.obj", false);
    static const char rest[] =
        "run: [{steps: 1000}, {steps: 1000, bodies: [{group: shaft, load: {moment: [0, 0, 2e-3]}}]}]\n"
        "record: [{table: out.csv, every: 100 steps, columns: [time, kinetic, work, balance, "
        "{measure: wall-turn-z, of: box}, {measure: moment-z, of: box}]}, "
        "{checkpoint: c.chk, every: 700 steps}]";
    struct scree_trial trial = load(
        BOX("box.obj", "group: shaft, fixed: [x, y, z, spin-x, spin-y], load: {moment: [0, 0, 1e-3]}"), rest);
    struct scree_body_state body;
    (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 1, .force = true});
    scree_trial_assert_ok(&trial);
    assert_ok(scree_body_get(trial.world, (scree_body_id){1}, &body));
    // friction of the impact is all that a central normal impulse leaves for the rotation about z
    const double inertia = 2500 * 0.04 * 0.02 * 0.01 * (16e-4 + 4e-4) / 12;
    const double rate = (1e-3 + 2e-3) * 0.01 / inertia;
    assert_true(body.spin[0] == 0 && body.spin[1] == 0 && body.velocity[2] == 0);
    if (!(fabs(body.spin[2] - rate) < 0.05 * rate))
        fail_msg("spin %g rad/s, not about %g", body.spin[2], rate);
    scree_trial_free(&trial);
    char *uninterrupted = scree_folder_read(&scree_test_folder, "out.csv", NULL);
    remove(scree_folder_path(&scree_test_folder, "box.obj"));
    trial = scree_trial_restart(scree_folder_path(&scree_test_folder, "c.chk.previous"));
    (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 2});
    scree_trial_assert_ok(&trial);
    scree_trial_free(&trial);
    char *restarted = scree_folder_read(&scree_test_folder, "out.csv", NULL);
    assert_string_equal(restarted, uninterrupted);
    free(restarted);
    free(uninterrupted);
}

static void a_servo_of_a_scene_turns_a_wall(void **state)
{
    (void)state;
    struct scree_servo_state servo;
    write_box("box.obj", false);
    struct scree_trial trial =
        load("{mesh: {file: box.obj, unit: mm, material: m}, group: box, pivot: [0, 0, 0], "
             "servo: {moment: 2 mN m, direction: [0, 0, 1], max-spin: 60 rpm}}",
             "run: {steps: 10}");
    (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 1, .force = true});
    scree_trial_assert_ok(&trial);
    assert_ok(scree_servo_get(trial.world, (scree_group_id){1}, &servo));
    assert_true(servo.def.turns && servo.target == 2e-3);
    // nothing resists
    assert_true(fabs(servo.velocity - 2 * 3.14159265358979323846) < 1e-14);
    scree_trial_free(&trial);
}

static void store_warning(void *user, const char *text)
{
    char *warnings = (char *)user;
    snprintf(warnings + strlen(warnings), 2000 - strlen(warnings), "%.400s\n", text);
}

static void a_warning_says_once_that_walls_do_not_touch_each_other(void **state)
{
    (void)state;
    char warnings[2000] = "";
    write_box("box.obj", false);
    struct scree_trial trial =
        load(BOX("box.obj", "") ", {plane: {point: [0, 0, -1], normal: [0, 0, 1], material: m}}",
             "run: {steps: 1}");
    (void)scree_trial_run(&trial, &(struct scree_run_def){
                                      .threads = 1, .force = true, .warn = store_warning, .user = warnings});
    scree_trial_assert_ok(&trial);
    scree_trial_free(&trial);
    char *found = strstr(warnings, "none with other walls");
    assert_non_null(found);
    assert_null(strstr(found + 1, "none with other walls"));
}

static void mistakes_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *wall, *message;
    } rows[] = {
        {BOX("open.obj", ""), "because the mesh is open"},
        {BOX("open.obj", "mass: 1"), "needs 'mass', 'inertia' and 'centre'"},
        {"{rectangle: {corner: [0, 0, 0], edges: [[1, 0, 0], [0, 1, 0]], material: m}, free: {}}",
         "only a closed mesh gives them"},
        {BOX("box.obj", "mass: 0"), "'mass' must be above 0"},
        {BOX("box.obj", "mass: 1, inertia: [1, 1, 3]"), "inertia"},
        {BOX("box.obj", "centre: [0, 0, 0]"), "'centre'"},
        {BOX("box.obj", "fixed: [w]"), "'w'"},
        {"{mesh: {file: box.obj, material: m}, free: {}, spin: [0, 0, 1]}", "'spin'"},
        {"{mesh: {file: box.obj, material: m}, free: {}, group: g, servo: {force: 1, direction: [0, 0, 1]}}",
         "'servo'"},
        {"{mesh: {file: box.obj, material: m}, group: g, servo: {moment: 1, direction: [0, 0, 1], "
         "max-velocity: 1}}",
         "'max-velocity'"},
    };
    write_box("box.obj", false);
    write_box("open.obj", true);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct scree_trial trial = load(rows[r].wall, "run: {steps: 1}");
        (void)scree_trial_build(&trial);
        scree_trial_assert_refused(&trial, rows[r].message);
        scree_trial_free(&trial);
    }
}

static void a_printed_free_wall_can_be_read(void **state)
{
    (void)state;
    char scene[1200];
    snprintf(
        scene, sizeof scene, SCENE,
        "{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: m}, free: {mass: 1, inertia: [1, 1, 1], "
        "centre: [0, 0, 0]}}",
        "run: {for: 1 ms}");
    scree_trial_assert_printed_again(scene, "free:");
}

#define IN_FOLDER(test)                                                                                      \
    cmocka_unit_test_setup_teardown(test, scree_test_folder_make, scree_test_folder_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_closed_mesh_is_filled_with_its_material),
        IN_FOLDER(given_values_replace_those_of_the_mesh),
        IN_FOLDER(a_shaft_turns_by_the_loads_of_stages_and_a_restart_changes_nothing),
        IN_FOLDER(a_servo_of_a_scene_turns_a_wall),
        IN_FOLDER(a_warning_says_once_that_walls_do_not_touch_each_other),
        IN_FOLDER(a_printed_free_wall_can_be_read),
        IN_FOLDER(mistakes_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
