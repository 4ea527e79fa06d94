// The check of a scene (`scree_scene_check`) refuses what a run would refuse before its first step, with the
// same message: paths of results, time steps below the resolution of the time, and grains too far from the
// origin for the resolution of coordinates.

#include "support/folder.h"
#include "support/trial.h"
#include "world/grain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void write_scene(const char *engine, const char *run, const char *record)
{
    char text[1500];
    snprintf(text, sizeof text,
             "scree: 1\nmaterials: {glass: {density: 2500}}\n"
             "contacts: [{between: [any, any], law: linear, stiffness: 1e5, friction: 0, restitution: 1}]\n"
             "bodies:\n  - {group: all, sphere: {radius: 1 mm, at: [0, 0, 0], material: glass}}\n"
             "  - {sphere: {radius: 1 mm, at: [1, 0, 0], material: glass}}\n"
             "engine: {soft: {%s}}\nrun: %s\nrecord: [%s]\n",
             engine, run, record);
    scree_folder_write(&scree_test_folder, SCREE_TRIAL_SCENE, text);
}

// Checks or runs the scene; returns the status.
static scree_status check_or_run(bool run, char message[2000])
{
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, SCREE_TRIAL_SCENE));
    const struct scree_run_def def = {.threads = 1, .force = true};
    scree_status status = run ? scree_trial_run(&trial, &def) : scree_trial_build(&trial);
    if (status == SCREE_OK && !run)
        status = trial.status = scree_scene_check(trial.scene, trial.world, trial.engine, &def);
    snprintf(message, 2000, "%s", scree_trial_message(&trial));
    scree_trial_free(&trial);
    return status;
}

static void assert_refused_by_both(const char *expected)
{
    char message[2][2000];
    for (int run = 0; run < 2; ++run) {
        assert_int_not_equal(check_or_run(run, message[run]), SCREE_OK);
        if (!strstr(message[run], expected))
            fail_msg("the message is '%s', not '%s'", message[run], expected);
    }
    assert_string_equal(message[0], message[1]);
}

static void paths_that_a_run_refuses_are_refused_by_a_check(void **state)
{
    (void)state;
    static const char *const record[] = {"{table: out/a, every: 1 s, columns: [time]}",
                                         "{track: out/a, every: 1 s, group: all}",
                                         "{dump: out/a, every: 1 s, format: csv}",
                                         "{dump: out/a, every: 1 s, format: xyz}",
                                         "{checkpoint: out/a, every: 1 s}",
                                         "{frames: out/a, every: 1 s}"};
    static const struct {
        const char *setup, *message;
        int records; // bits: the records to which the row applies
    } rows[] = {{"mkfifo out/a", "pipe", 27},
                {"mkdir out/a", "is a folder", 27},
                {"mkfifo out/a-000000", "pipe", 4},
                {"mkfifo out/a.previous", "pipe", 16},
                {"mkfifo out/a-walls.hdf.series", "pipe", 32},
                {"mkfifo out/a-walls", "is not a folder", 32},
                {"ln -s /dev/null out/a", "is a link", 31},
                {"rmdir out; ln -s . out", "is a link", 63},
                {"rmdir out; mkfifo out", "is not a folder", 63}};
    char command[300], message[2000];
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        for (size_t k = 0; k < sizeof record / sizeof record[0]; ++k) {
            if (!(rows[r].records >> k & 1))
                continue;
            write_scene("step: 1 us", "{steps: 1}", record[k]);
            snprintf(command, sizeof command, "cd %s && rm -rf out && mkdir out && %s",
                     scree_test_folder.path, rows[r].setup);
            assert_int_equal(system(command), 0);
            assert_refused_by_both(rows[r].message);
        }
    snprintf(command, sizeof command, "rm -rf %s/out", scree_test_folder.path);
    assert_int_equal(system(command), 0);
    char name[300], long_record[400];
    memset(name, 'a', 250);
    name[250] = 0;
    snprintf(long_record, sizeof long_record, "{checkpoint: out/%s, every: 1 s}", name);
    write_scene("step: 1 us", "{steps: 1}", long_record);
    assert_refused_by_both("a name can have at most");
    // a possible path: the check creates nothing, and existing results do not matter
    for (size_t k = 0; k < sizeof record / sizeof record[0]; ++k) {
        write_scene("step: 1 us", "{steps: 1}", record[k]);
        if (check_or_run(false, message) != SCREE_OK)
            fail_msg("'%s'", message);
        assert_int_equal(scree_folder_has(&scree_test_folder, "out"), k > 0);
        assert_int_equal(check_or_run(true, message), SCREE_OK);
        assert_int_equal(check_or_run(false, message), SCREE_OK);
        snprintf(command, sizeof command, "rm -rf %s/out/*", scree_test_folder.path);
        assert_int_equal(system(command), 0);
    }
}

static void time_steps_below_the_resolution_of_the_time_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *engine, *run, *message;
    } rows[] = {
        {"safety: 1e-300", "{for: 1 s}", "'safety' must be at least 1e-09 and at most 1"},
        {"step: 1e-17 s", "{for: 1 s}", "1 s, where numbers have a resolution of 2.2e-16 s"},
        {"step: 1e-17 s", "[{for: 0.5 s}, {until: 1 s}]", "end of stage 2, 1 s"},
        {"step: 1 us", "[{for: 1 s}, {for: 1 s, engine: {soft: {step: 1e-20 s}}}]", "a time step of 1e-20 s"},
        {"safety: 1e-9", "{until: 1e7 s}", "is too short to change the time at the end of stage 1"},
        {"step: 1 us", "{until: 1e12 s}", "is too short to change the time at the end of stage 1"}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        write_scene(rows[r].engine, rows[r].run, "");
        assert_refused_by_both(rows[r].message);
    }
    // the end of a stage with a condition is not known
    char message[2000];
    write_scene("step: 1 us", "{until: 1e12 s, stop: \"kinetic < 1 J\"}", "");
    if (check_or_run(false, message) != SCREE_OK)
        fail_msg("'%s'", message);
}

static void an_engine_refuses_a_step_below_the_resolution_of_the_time(void **state)
{
    (void)state;
    struct scree_trial trial = scree_trial_read(
        "late", "scree: 1\nbodies: [rigid: {mass: 1 kg, inertia: [1, 1, 1], at: [0, 0, 0]}]\n"
                "engine: {soft: {step: 1e6 s}}\nrun: {steps: 1000}\n");
    assert_int_equal(scree_trial_run(&trial, NULL), SCREE_OK);
    struct scree_engine *engine;
    // the time is 1e9 s
    assert_int_equal(scree_soft_create(trial.world, &(struct scree_soft_def){.step = 1e-8}, &engine),
                     SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "is too short to change the time, 1e+09 s"));
    assert_int_equal(scree_soft_create(trial.world, &(struct scree_soft_def){.step = 1e-6}, &engine),
                     SCREE_OK);
    assert_int_equal(scree_engine_set_step(engine, 1e-8), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_soft_set_safety(engine, 1e-300), SCREE_ERROR_ARGUMENT);
    scree_engine_destroy(engine);
    scree_trial_free(&trial);
}

static void grains_too_far_from_the_origin_are_refused(void **state)
{
    (void)state;
    static const char header[] =
        "scree: 1\nmaterials: {glass: {density: 2500}}\nengine: {soft: {step: 1 ms}}\n"
        "run: {steps: 1}\n";
    static const char *const rows[] = {"bodies: [sphere: {radius: 1 mm, at: [0, 1e9, 0], material: glass}]\n",
                                       "bodies: [fill: {shape: {sphere: {radius: 1 mm}}, count: 2, material: "
                                       "glass, inside: {box: [[1e9, 0, 0], "
                                       "[1000000001, 1, 1]]}}]\n",
                                       "insert: [{shape: {sphere: {radius: 1 mm}}, material: glass, inside: "
                                       "{box: [[0, 0, -1e9], [1, 1, 0]]}, "
                                       "rate: {bodies: 1 /s}}]\n"};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, "more than a millionth of the radius", "%s%s",
                                        header, rows[r]);
    // near in units of the radius, or far in a periodic direction
    scree_world_destroy(
        scree_trial_build_text("scree: 1\nmaterials: {glass: {density: 2500}}\n"
                               "world: {box: [[0, 0, 0], [1, 1, 1]], periodic: [x]}\n"
                               "bodies: [sphere: {radius: 1 mm, at: [1e7, 1e6, 0], material: glass}]\n"
                               "engine: {soft: {step: 1 ms}}\n"));
}

static void the_library_refuses_grains_too_far_from_the_origin(void **state)
{
    (void)state;
    struct scree_world *world;
    scree_body_id id;
    scree_material_id material;
    const double far_position[3] = {0, 0, -5e9};
    assert_int_equal(scree_world_create(NULL, &world), SCREE_OK);
    assert_int_equal(
        scree_material_add(world, &(struct scree_material_def){.name = "glass", .density = 2500}, &material),
        SCREE_OK);
    struct scree_sphere_def def = {.radius = 1, .material = material, .position = {4e9, 0, 0}};
    assert_int_equal(scree_body_add_sphere(world, &def, &id), SCREE_OK);
    assert_int_equal(scree_body_set_position(world, id, far_position), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "z = -5e+09 m"));
    def.position[0] = 5e9;
    assert_int_equal(scree_body_add_sphere(world, &def, &id), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_body_count(world), 1);
    // a carried grain
    uint64_t grain;
    const double centre[3] = {0};
    const struct scree_rigid_def rigid = {.mass = 1, .inertia = {1, 1, 1}, .position = {0, 5e9, 0}};
    assert_int_equal(scree_body_add_rigid(world, &rigid, &id), SCREE_OK);
    assert_int_equal(scree_grain_add(world, id, 1, centre, &grain), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_grain_add(world, id, 2, centre, &grain), SCREE_OK);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_that_a_run_refuses_are_refused_by_a_check),
        cmocka_unit_test(time_steps_below_the_resolution_of_the_time_are_refused),
        cmocka_unit_test(an_engine_refuses_a_step_below_the_resolution_of_the_time),
        cmocka_unit_test(grains_too_far_from_the_origin_are_refused),
        cmocka_unit_test(the_library_refuses_grains_too_far_from_the_origin),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
