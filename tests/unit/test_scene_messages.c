// Messages about common mistakes in scenes: the lines of bodies and walls, the type and the unit
// that a key takes, lengths without a unit, things that Scree does not have, and scenes without records.

#include "support/folder.h"
#include "support/trial.h"

#include <scree/body.h>
#include <scree/soft.h>
#include <scree/world.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {m: {density: 2500, young: 5 MPa, poisson: 0.25}}\n"                                         \
    "contacts: [{between: [any, any], law: hertz, restitution: 1}]\n"                                        \
    "run: {steps: 100}\n"
#define FLOOR "walls:\n  - plane: {point: [0, 0, 0], normal: [0, 0, 1], material: m}\n"

static void a_body_in_a_wall_is_reported_with_both_lines_and_a_correct_position(void **state)
{
    (void)state;
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD,
        "scene.yaml:8:5: body 1, a sphere of radius 0.005 m, overlaps the plane at scene.yaml:6 by 0.004 m, "
        "0.8 of "
        "its radius (limit 0.2): move it by 0.004 m along (0, 0, 1)",
        "%s", HEAD FLOOR "bodies:\n  - sphere: {radius: 5 mm, at: [0, 0, 1 mm], material: m}\n");
    scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, "(limit 0.1): move it by 0.001 m", "%s",
                                    HEAD FLOOR
                                    "alarms: {overlap: {limit: 0.1}}\n"
                                    "bodies:\n  - sphere: {radius: 5 mm, at: [0, 0, 4 mm], material: m}\n");
    // in a vessel that is too narrow no move helps
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD,
        "by 0.002 m, 0.4 of its radius (limit 0.2): move it away, or make it smaller if there is no space",
        "%s",
        HEAD "walls:\n  - cylinder: {from: [0, 0, -1], to: [0, 0, 1], radius: 3 mm, material: m}\n"
             "bodies:\n  - sphere: {radius: 5 mm, at: [0, 0, 0], material: m}\n");
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD, "move it by 0.1 m along (-1, 0, 0), or give the wall `bodies: outside`", "%s",
        HEAD "walls:\n  - sphere: {centre: [0, 0, 0], radius: 25 mm, material: m}\n"
             "bodies:\n  - sphere: {radius: 5 mm, at: [0.12, 0, 0], material: m}\n");
    // two spheres in a row along x, upright: the centre of the lower one is 4 mm below that of the body
    scree_trial_assert_text_refused(SCREE_TRIAL_BUILD,
                                    "body 1, a clump with a pebble of radius 0.005 m, overlaps the plane at "
                                    "scene.yaml:6 by 0.003 m, 0.6 of "
                                    "its radius (limit 0.2): move it by 0.003 m along (0, 0, 1)",
                                    "%s",
                                    HEAD FLOOR
                                    "clumps: {pair: {dimer: {distance: 8 mm, radius: 5 mm}}}\n"
                                    "bodies:\n  - clump: {shape: pair, at: [0, 0, 6 mm], material: m, "
                                    "orientation: {axis: [0, 1, 0], angle: 90 deg}}\n");
    // the radius without a unit is named as the likely cause
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD,
        "the radius has no unit and counts as 5 m, 1e+03 times the largest radius of all other", "%s",
        HEAD FLOOR "bodies:\n  - sphere: {radius: 5, at: [0, 0, 1 cm], material: m}\n"
                   "  - sphere: {radius: 5 mm, at: [1, 0, 1 cm], material: m}\n");
}

// Overlaps within the limit, bodies without contacts with the wall, and a scene whose alarm only warns are
// allowed.
static void other_overlaps_with_walls_are_allowed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD FLOOR "bodies:\n  - sphere: {radius: 5 mm, at: [0, 0, 4.5 mm], material: m}\n",
        HEAD FLOOR "alarms: {overlap: {policy: warn}}\n"
                   "bodies:\n  - sphere: {radius: 5 mm, at: [0, 0, 1 mm], material: m}\n",
        "scree: 1\nmaterials: {m: {density: 2500, young: 5 MPa, poisson: 0.25}, air: {density: 1}}\n"
        "contacts:\n  - {between: [m, air], law: none}\n"
        "  - {between: [any, any], law: hertz, restitution: 1}\nrun: {steps: 100}\n"
        "walls:\n  - plane: {point: [0, 0, 0], normal: [0, 0, 1], material: air}\n"
        "bodies:\n  - sphere: {radius: 5 mm, at: [0, 0, 1 mm], material: m}\n",
    };
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; ++t) {
        struct scree_trial trial = scree_trial_read("scene.yaml", texts[t]);
        (void)!scree_trial_build(&trial);
        scree_trial_assert_ok(&trial);
        scree_trial_free(&trial);
    }
}

static void a_row_of_a_file_in_a_wall_is_reported_at_its_line(void **state)
{
    (void)state;
    scree_folder_write(&scree_test_folder, "grains.csv", "x,y,z,radius\n0,0,0.1,0.005\n1,0,0.001,0.005\n");
    scree_folder_write(&scree_test_folder, "scene.yaml",
                       HEAD FLOOR "bodies:\n  - read: {file: grains.csv, material: m}\n");
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    (void)!scree_trial_build(&trial);
    scree_trial_assert_refused(&trial,
                               "grains.csv:3:1: body 2, a sphere of radius 0.005 m, overlaps the plane at "
                               "scene.yaml:6 by 0.004 m, 0.8 of its radius");
    scree_trial_free(&trial);
}

static void an_overlap_alarm_names_groups_lines_and_numbers(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "bodies:\n  - {group: cue, sphere: {radius: 5 mm, at: [0, 0, 0], velocity: [50, 0, 0], "
             "material: m}}\n"
             "  - {group: [balls, all], sphere: {radius: 5 mm, at: [11 mm, 0, 0], material: m}}\n";
    struct scree_trial trial = scree_trial_read(scree_folder_path(&scree_test_folder, "scene.yaml"), text);
    (void)!scree_trial_run(&trial, NULL);
    assert_int_equal(trial.status, SCREE_ERROR_NUMBER);
    const char *message = scree_trial_message(&trial);
    if (!strstr(message,
                "body 1 (group cue, scene.yaml:6) and body 2 (group balls, all, scene.yaml:7) overlap by ") ||
        !strstr(message, "Try a 'young' or 'stiffness' at least 2.7 ") ||
        !strstr(message,
                "times as large, a lower load or speed, or a smaller 'safety' than 0.2 (the step is "))
        fail_msg("%s", message);
    scree_trial_free(&trial);
}

static void bodies_placed_on_each_other_are_named_with_their_lines(void **state)
{
    (void)state;
    static const char text[] = HEAD "bodies:\n  - sphere: {radius: 5 mm, at: [0, 0, 0], material: m}\n"
                                    "  - sphere: {radius: 4 mm, at: [6 mm, 0, 0], material: m}\n";
    struct scree_trial trial = scree_trial_read(scree_folder_path(&scree_test_folder, "scene.yaml"), text);
    (void)!scree_trial_run(&trial, NULL);
    const char *message = scree_trial_message(&trial);
    if (!strstr(message,
                "body 1 (scene.yaml:6) and body 2 (scene.yaml:7) overlap by 0.75 of the smaller radius; the "
                "limit is 0.2: they were created with an overlap of 0.003 m: move them apart"))
        fail_msg("%s", message);
    scree_trial_free(&trial);
}

static void a_wrong_type_is_reported_with_type_unit_and_example(void **state)
{
    (void)state;
#define SPHERE(keys) "scree: 1\nmaterials: {m: {density: 2500}}\nbodies: [{sphere: {" keys "}}]\n"
    static const char *const rows[][2] = {
        {SPHERE("radius: abc, at: [0, 0, 0], material: m"),
         "scene.yaml:3:28: 'radius' must be a number in m, as in `radius: 5 mm`, not 'abc'"},
        {SPHERE("radius: [5 mm], at: [0, 0, 0], material: m"),
         "scene.yaml:3:28: 'radius' must be a number in m, as in `radius: 5 mm`, not a list"},
        {SPHERE("radius: {mean: 5 mm}, at: [0, 0, 0], material: m"),
         "'radius' must be a number in m, as in `radius: 5 mm`, not a map"},
        {SPHERE("radius: 5 mm, at: 3, material: m"), "'at' must be a list of three numbers"},
        {SPHERE("radius: 5 mm, at: [0, up, 0], material: m"),
         "'at' must be a number in m, as in `at: [0, 0, 1 cm]`, not 'up'"},
        {SPHERE("radius: 5 mm, at: [0, 0, 0], material: {name: m}"),
         "'material' must be a name, as in `material: glass`, not a map"},
        {"scree: 1\ntitle: [a, b]\n", "'title' must be a text, as in `title: Beads in a hopper`, not a list"},
        {"scree: 1\nworld: {outside: [warn]}\n",
         "'outside' must be a word, as in `outside: delete`, not a list"},
        {"scree: 1\ncontacts: [{between: [any, any], law: hertz, restitution: high}]\n",
         "'restitution' must be a number, not 'high'"},
        {"scree: 1\ncontacts: [{between: [any, any], law: hertz, restitution: [1]}]\n",
         "'restitution' must be a number, not a list"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_READ, rows[r][1], "%s", rows[r][0]);
}

static void missing_features_are_named(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"scree: 1\nwalls: [{superquadric: {}}]\n",
         "scene.yaml:2:10: a wall has no key 'superquadric': Scree has no superquadrics yet; instead: "
         "clumps of spheres"},
        {"scree: 1\nheat: {}\n", "a scene has no key 'heat': Scree has no heat conduction yet"},
        {"scree: 1\nbodies: [{superellipsoid: {}}]\n",
         "has no key 'superellipsoid': Scree has no superquadrics yet; instead: clumps of spheres"},
        {"scree: 1\nengine: {contact-dynamics: {}}\n",
         "Scree has no contact dynamics with rigid contacts yet"},
        {"scree: 1\ncontacts: [{between: [any, any], law: capillary}]\n",
         "there is no contact law 'capillary': Scree has no liquid bridges yet"},
    };
    struct scree_scene_absent absent;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_READ, rows[r][1], "%s", rows[r][0]);
    assert_true(scree_scene_absent_find("CFD", &absent) && strcmp(absent.what, "fluid coupling") == 0);
    assert_false(scree_scene_absent_find("me", &absent));
    assert_false(scree_scene_absent_find("", &absent));
    assert_true(scree_scene_absent_at(0, &absent));
    assert_false(scree_scene_absent_at(1000, &absent));
}

static void no_key_is_in_the_list_of_missing_features(void **state)
{
    (void)state;
    struct scree_scene_absent absent;
    struct scree_scene_key key;
    for (size_t k = 0; scree_scene_key_at(k, &key); ++k)
        if (scree_scene_absent_find(key.name, &absent))
            fail_msg("%s", key.name);
}

static void keep(void *user, const char *text)
{
    char *kept = (char *)user;
    const size_t used = strlen(kept);
    snprintf(kept + used, 2000 - used, "%s\n", text);
}

static void check_warnings(const char *text, const char *wanted, const char *unwanted)
{
    char warnings[2000] = "";
    const struct scree_run_def def = {.threads = 1, .warn = keep, .user = warnings};
    struct scree_trial trial = scree_trial_read("scene.yaml", text);
    (void)!scree_trial_run(&trial, &def);
    scree_trial_assert_ok(&trial);
    scree_trial_free(&trial);
    if ((wanted && !strstr(warnings, wanted)) || (unwanted && strstr(warnings, unwanted)))
        fail_msg("%s\nwarns: %s", text, warnings);
}

static void an_implausible_radius_without_a_unit_causes_a_warning(void **state)
{
    (void)state;
#define TWO(first, second)                                                                                   \
    HEAD "bodies:\n  - sphere: {radius: " first ", at: [0, 0, 0], material: m}\n"                            \
         "  - sphere: {radius: " second ", at: [20, 0, 0], material: m}\n"
    check_warnings(
        TWO("5 mm", "5"),
        "scene.yaml:7: the radius has no unit and counts as 5 m, 1e+03 times the largest radius of all "
        "other entries, 0.005 m: write the unit, as in `radius: 5 mm`",
        NULL);
    check_warnings(TWO("5 mm", "\"${r}\"") "variables: {r: 5}\n", "scene.yaml:7: the radius has no unit",
                   NULL);
    check_warnings(HEAD "world: {box: [[-2, -2, -2], [2, 2, 2]]}\n"
                        "bodies:\n  - sphere: {radius: 5, at: [0, 0, 0], material: m}\n",
                   "counts as 5 m, but the widest vessel or box is 4 m wide", NULL);
    static const char *const silent[] = {TWO("5 mm", "0.4"), TWO("5 mm", "5 m"), TWO("0.005", "0.006"),
                                         TWO("5 mm", "\"${r}\"") "variables: {r: 5 m}\n"};
    for (size_t t = 0; t < sizeof silent / sizeof silent[0]; ++t)
        check_warnings(silent[t], NULL, "has no unit");
}

static void a_scene_without_records_causes_a_warning(void **state)
{
    (void)state;
    check_warnings(
        HEAD "bodies:\n  - sphere: {radius: 5 mm, at: [0, 0, 0], material: m}\n",
        "this scene has no 'record', so nothing of the run will be kept: add one, as in `record: [", NULL);
    char warnings[2000] = "";
    scree_folder_write(&scree_test_folder, "scene.yaml",
                       HEAD "bodies:\n  - sphere: {radius: 5 mm, at: [0, 0, 0], material: m}\n"
                            "record: [{table: t.csv, every: 10 steps}]\n");
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    const struct scree_run_def def = {.threads = 1, .warn = keep, .user = warnings};
    (void)!scree_trial_run(&trial, &def);
    scree_trial_assert_ok(&trial);
    scree_trial_free(&trial);
    assert_string_equal(warnings, "");
}

static void variables_may_have_the_names_of_units(void **state)
{
    (void)state;
    static const char text[] = "scree: 1\nvariables: {h: 3, L: 2 m, rpm: 7, mm: 1}\n"
                               "gravity: [\"${h}\", \"${2 * h + rpm}\", \"${L / (1 s)^2}\"]\n"
                               "materials: {m: {density: 2500}}\n"
                               "bodies: [{sphere: {radius: 5 mm, at: [0, 0, 0], material: m}}]\n"
                               "engine: {soft: {step: 1 us}}\n";
    struct scree_world *world = scree_trial_build_text(text);
    struct scree_body_state body;
    double gravity[3];
    scree_world_gravity(world, gravity);
    assert_true(gravity[0] == 3 && gravity[1] == 13 && gravity[2] == 2);
    // a unit outside of expressions keeps its meaning
    assert_int_equal(scree_body_get(world, (scree_body_id){1}, &body), SCREE_OK);
    assert_true(body.radius == 0.005);
    scree_world_destroy(world);
    scree_trial_assert_text_refused(
        SCREE_TRIAL_READ,
        "scene.yaml:3:13: 'h' after a number is a unit, but also a variable here: write '* h' for", "%s",
        "scree: 1\nvariables: {h: 3}\ntitle: \"${5 h}\"\n");
}

static void the_default_safety_factor_is_the_same_in_scenes_and_in_the_engine(void **state)
{
    (void)state;
    struct scree_scene_key key;
    size_t found = 0;
    for (size_t k = 0; scree_scene_key_at(k, &key); ++k)
        if (strcmp(key.name, "safety") == 0) {
            assert_true(strtod(key.default_value, NULL) == SCREE_SOFT_SAFETY);
            ++found;
        }
    assert_int_equal(found, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_in_a_wall_is_reported_with_both_lines_and_a_correct_position),
        cmocka_unit_test(other_overlaps_with_walls_are_allowed),
        cmocka_unit_test(a_row_of_a_file_in_a_wall_is_reported_at_its_line),
        cmocka_unit_test(an_overlap_alarm_names_groups_lines_and_numbers),
        cmocka_unit_test(bodies_placed_on_each_other_are_named_with_their_lines),
        cmocka_unit_test(a_wrong_type_is_reported_with_type_unit_and_example),
        cmocka_unit_test(missing_features_are_named),
        cmocka_unit_test(no_key_is_in_the_list_of_missing_features),
        cmocka_unit_test(an_implausible_radius_without_a_unit_causes_a_warning),
        cmocka_unit_test(a_scene_without_records_causes_a_warning),
        cmocka_unit_test(variables_may_have_the_names_of_units),
        cmocka_unit_test(the_default_safety_factor_is_the_same_in_scenes_and_in_the_engine),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
