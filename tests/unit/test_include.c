// Scenes of several files equal one file with the same content, and mistakes are reported in the file that
// contains them.

#include "support/folder.h"
#include "support/starve.h"
#include "support/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct scree_folder folder;

// Names of written files, to be removed at the end.
static char file_names[2000];

static void add_file_name(const char *name)
{
    const size_t length = strlen(file_names);
    assert_true(snprintf(file_names + length, sizeof file_names - length, "%s ", name) <
                (int)(sizeof file_names - length));
}

static void write_file(const char *name, const char *text)
{
    scree_folder_write(&folder, name, text);
    add_file_name(name);
}

static int make_folder(void **state)
{
    (void)state;
    file_names[0] = 0;
    folder = scree_folder_make("scree-include");
    return mkdir(scree_folder_path(&folder, "parts"), 0777);
}

static int remove_folder(void **state)
{
    (void)state;
    add_file_name("parts");
    scree_folder_end(&folder, file_names);
    return 0;
}

static scree_status load(const char *name, struct scree_scene **scene)
{
    return scree_scene_load(scree_folder_path(&folder, name), NULL, scene);
}

// The scene written out; the caller frees it.
static void print(const char *name, char **text)
{
    struct scree_trial trial = scree_trial_load(scree_folder_path(&folder, name));
    scree_trial_assert_ok(&trial);
    assert_int_equal(scree_trial_print(&trial, text), SCREE_OK);
    scree_trial_free(&trial);
}

static void write_files(void)
{
    write_file("whole.yaml",
               "scree: 1\nvariables: {radius: 5 mm, hard: 50 MPa}\n"
               "materials:\n  glass: {density: 2500, young: \"${hard}\"}\n  steel: {density: 7800}\n"
               "contacts:\n  - {between: [glass, steel], law: none}\n"
               "  - {between: [any, any], law: linear, stiffness: 1e4, friction: 0, restitution: 1}\n"
               "world: {box: [[0, 0, 0], [1, 1, 1]], periodic: [x]}\n"
               "bodies:\n  - sphere: {radius: \"${radius}\", at: [0, 0, 0], material: steel}\n"
               "  - sphere: {radius: \"${radius}\", at: [0.1, 0, 0], material: glass}\n");
    write_file("scene.yaml",
               "scree: 1\ninclude: [parts/materials.yaml, parts/bodies.yaml]\nvariables: {radius: 5 mm}\n"
               "contacts: [{between: [glass, steel], law: none}]\n"
               "world: {box: [[0, 0, 0], [1, 1, 1]]}\n"
               "materials: {steel: {density: 7800}}\n"
               "bodies: [sphere: {radius: \"${radius}\", at: [0, 0, 0], material: steel}]\n");
    write_file("parts/materials.yaml",
               "scree: 1\nvariables: {hard: 50 MPa}\nmaterials: {glass: {density: 2500, young: "
               "\"${hard}\"}}\ninclude: parts/contacts.yaml\n");
    write_file("parts/contacts.yaml",
               "contacts: [{between: [any, any], law: linear, stiffness: 1e4, friction: 0, "
               "restitution: 1}]\nworld: {periodic: [x]}\n");
    write_file("parts/bodies.yaml",
               "bodies:\n  - sphere: {radius: \"${radius}\", at: [0.1, 0, 0], material: glass}\n");
}

static void included_files_give_one_scene(void **state)
{
    (void)state;
    write_files();
    char *whole, *parts;
    print("whole.yaml", &whole);
    print("scene.yaml", &parts);
    // materials are in order of appearance
    const char *steel = strstr(parts, "  steel:");
    assert_non_null(steel);
    assert_non_null(strstr(steel, "  glass:"));
    assert_string_equal(strstr(whole, "contacts:"), strstr(parts, "contacts:"));
    free(whole);
    free(parts);
}

static void mistakes_are_reported_in_their_file(void **state)
{
    (void)state;
    static const struct {
        const char *scene, *part, *message;
    } rows[] = {
        {"include: parts/a.yaml\n", "materials:\n  glass: {densty: 1}\n",
         "parts/a.yaml:2:11: a material has no key 'densty': did you mean 'density'?\n"
         "      glass: {densty: 1}\n              ^~~~~~\n"},
        {"include: parts/a.yaml\n", "materials: [\n", "parts/a.yaml:1:12: this is not YAML"},
        {"include: parts/a.yaml\n", "gravty: 1\n", "parts/a.yaml:1:1: a scene has no key 'gravty'"},
        {"include: parts/a.yaml\n", "- 1\n", "parts/a.yaml:1:1: an included file must be a map of keys"},
        {"dimension: 2\ninclude: parts/a.yaml\n", "dimension: 2\n",
         "scene.yaml:2:1: 'dimension' is also given in "},
        {"dimension: 2\ninclude: parts/a.yaml\n", "dimension: 2\n",
         "parts/a.yaml:1:1: 'dimension' is also given in "},
        {"materials: {a: {density: 1}}\ninclude: parts/a.yaml\n", "materials: {a: {density: 2}}\n",
         "parts/a.yaml:1:17: 'density' is also given in "},
        {"run: {steps: 1}\ninclude: parts/a.yaml\n", "run: [{steps: 1}]\n", "'run' is also given in "},
        {"include: parts/a.yaml\n", "scree: 2\n", "parts/a.yaml:1:1: 'scree' is also given in "},
        {"include: parts/b.yaml\n", "", "scene.yaml:2:10: cannot open '"},
        {"include: parts\n", "", "parts': it is not a regular file"},
        {"include: /etc/passwd\n", "", "is an absolute path"},
        {"include: ../a.yaml\n", "", "leads out of the folder"},
        {"include: \"parts/${a}.yaml\"\n", "", "cannot have variables"},
        {"include: {a: 1}\n", "", "'include' must be a path or a list of paths"},
        {"include: [parts/a.yaml, [1]]\n", "",
         "scene.yaml:2:25: 'include' must be a path or a list of paths"},
        {"include: scene.yaml\n", "",
         "scene.yaml:2:10: this file is included already, and the files include each other in a ring: "
         "scene.yaml -> "
         "scene.yaml. Remove"},
        {"include: [parts/a.yaml, parts/./a.yaml]\n", "",
         "scene.yaml:2:25: this file is included already in "},
        {"include: parts/a.yaml\n", "record: [{table: parts/./a.yaml, every: 1}]\n",
         "parts/a.yaml:1:18: 'parts/./a.yaml' is included in the scene: give the record another name"},
        {"include: parts/a.yaml\n", "include: scene.yaml\n",
         "parts/a.yaml:1:10: this file is included already, and the files include each other in a ring: "
         "scene.yaml -> a.yaml -> scene.yaml. Remove one of these includes"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char text[400];
        struct scree_scene *scene;
        snprintf(text, sizeof text, "scree: 1\n%s", rows[r].scene);
        file_names[0] = 0;
        write_file("scene.yaml", text);
        write_file("parts/a.yaml", rows[r].part);
        const scree_status status = load("scene.yaml", &scene);
        if (status != SCREE_ERROR_ARGUMENT || !strstr(scree_scene_diagnostics(scene), rows[r].message))
            fail_msg("'%s': %s", rows[r].scene, scree_status_message());
        scree_scene_free(scene);
    }
}

static void symbolic_links_are_not_followed(void **state)
{
    (void)state;
    struct scree_scene *scene;
    write_file("scene.yaml", "scree: 1\ninclude: parts/link.yaml\n");
    assert_int_equal(symlink("/etc/passwd", scree_folder_path(&folder, "parts/link.yaml")), 0);
    add_file_name("parts/link.yaml");
    assert_int_equal(load("scene.yaml", &scene), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_scene_diagnostics(scene), "link.yaml' is a link"));
    assert_null(strstr(scree_scene_diagnostics(scene), "root:"));
    scree_scene_free(scene);
}

static void depth_and_number_of_files_are_limited(void **state)
{
    (void)state;
    char name[32], text[2000] = "scree: 1\ninclude: [";
    struct scree_scene *scene;
    for (int k = 0; k < 12; ++k) {
        snprintf(name, sizeof name, "parts/%d.yaml", k);
        snprintf(text, sizeof text, "include: parts/%d.yaml\n", k + 1);
        write_file(name, text);
    }
    write_file("scene.yaml", "scree: 1\ninclude: parts/0.yaml\n");
    assert_int_equal(load("scene.yaml", &scene), SCREE_ERROR_ARGUMENT);
    assert_non_null(
        strstr(scree_scene_diagnostics(scene), "parts/7.yaml:1:10: includes are nested too deeply"));
    scree_scene_free(scene);
    size_t used = (size_t)snprintf(text, sizeof text, "scree: 1\ninclude: [parts/x0.yaml");
    for (int k = 0; k < 40; ++k) {
        snprintf(name, sizeof name, "parts/x%d.yaml", k);
        write_file(name, "");
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s", k > 0 ? ", " : "", k > 0 ? name : "");
    }
    snprintf(text + used, sizeof text - used, "]\n");
    write_file("many.yaml", text);
    assert_int_equal(load("many.yaml", &scene), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_scene_diagnostics(scene), "a scene can include at most 32 files"));
    scree_scene_free(scene);
}

static scree_status try_to_load(void *user)
{
    (void)user;
    struct scree_scene *scene;
    const scree_status status = load("scene.yaml", &scene);
    scree_scene_free(scene);
    return status;
}

static void a_failed_allocation_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    write_files();
    assert_true(scree_starve(try_to_load, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(included_files_give_one_scene, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(mistakes_are_reported_in_their_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(symbolic_links_are_not_followed, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(depth_and_number_of_files_are_limited, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_failed_allocation_is_reported_and_leaks_nothing, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
