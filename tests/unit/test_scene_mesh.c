// Meshes as walls of scenes: a cube from a file against a solid box, mistakes, and a restart without the
// file.

#include "support/folder.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A cube of 20 mm with two duplicate facets, one of them turned over, in an ASCII STL file in mm.
static void write_cube(const char *name)
{
    static const int face[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                    {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    static char text[20000];
    size_t length = (size_t)snprintf(text, sizeof text, "solid cube\n");
    for (int f = 0; f < 14; ++f) {
        length += (size_t)snprintf(text + length, sizeof text - length, "facet normal 0 0 0\nouter loop\n");
        for (int c = 0; c < 3; ++c) {
            const int v = face[f % 12][f == 13 ? 2 - c : c];
            length +=
                (size_t)snprintf(text + length, sizeof text - length, "vertex %d %d %d\n",
                                 v % 4 == 1 || v % 4 == 2 ? 10 : -10, v % 4 > 1 ? 10 : -10, v > 3 ? 0 : -20);
        }
        length += (size_t)snprintf(text + length, sizeof text - length, "endloop\nendfacet\n");
    }
    snprintf(text + length, sizeof text - length, "endsolid cube\n");
    scree_folder_write(&scree_test_folder, name, text);
}

#define OF(name) "{measure: " name ", of: ball}, "
#define COLUMNS                                                                                              \
    OF("position-x")                                                                                         \
    OF("position-y") OF("position-z") OF("velocity-x") OF("velocity-y") OF("velocity-z") "kinetic"
#define SCENE                                                                                                \
    "scree: 1\ngravity: [0, 0, -9.81]\nmaterials: {m: {density: 2500, young: 5 MPa, poisson: 0.25}}\n"       \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.6}]\n"               \
    "engine: {soft: {step: 10 us}}\n"                                                                        \
    "bodies: [{sphere: {radius: 4 mm, at: [9 mm, 1 mm, 5 mm], material: m, velocity: [0.1, 0.2, 0]}, "       \
    "group: ball}]\n"                                                                                        \
    "walls: [{%s, spin: [0, 0, 2], pivot: [0, 0, 0]}]\nrun: {steps: 3000}\n"                                 \
    "record: [{table: %s, every: 500 steps, columns: [time, " COLUMNS "]}, "                                 \
    "{checkpoint: %s, every: 1000 steps}]\n"
#define MESH(name, rest) "mesh: {file: " name ", material: m" rest "}"
#define SCALED ", unit: mm, scale: 2, orientation: {angle: 90 deg}, move: [1 mm, 0, 0]"
// the cube scaled by 2, turned by 90 degrees about z, and moved
#define BOX "box: {lower: [-19 mm, -20 mm, -40 mm], upper: [21 mm, 20 mm, 0], bodies: outside, material: m}"

static void store_warning(void *user, const char *text)
{
    if (strstr(text, "mesh"))
        snprintf((char *)user, 1000, "%.900s", text);
}

// Runs the scene and returns its table.
static char *run(const char *wall, char warning[1000])
{
    char text[4000];
    snprintf(text, sizeof text, SCENE, wall, "out.csv", "c.chk");
    scree_folder_write(&scree_test_folder, "scene.yaml", text);
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    (void)scree_trial_run(
        &trial, &(struct scree_run_def){.threads = 1, .force = true, .warn = store_warning, .user = warning});
    scree_trial_assert_ok(&trial);
    scree_trial_free(&trial);
    return scree_folder_read(&scree_test_folder, "out.csv", NULL);
}

// The ball rolls over an edge of the cube and falls. Coordinates differ by the round-off of the rotation of
// the file, 1e-18 m, which an impact on an edge amplifies by at most v t / R, here 10.
static void a_cube_from_a_file_is_a_solid_box(void **state)
{
    (void)state;
    char warning[1000] = "";
    write_cube("cube.stl");
    char *mesh = run(MESH("cube.stl", SCALED), warning), *box = run(BOX, warning);
    char *a = strchr(mesh, '\n'), *b = strchr(box, '\n');
    int numbers = 0;
    double largest = 0;
    while (a && b && a[1] && b[1]) {
        const double x = strtod(a + 1, &a), y = strtod(b + 1, &b);
        largest = fabs(x - y) > largest ? fabs(x - y) : largest;
        ++numbers;
    }
    assert_true(numbers == 7 * 8 && largest < 1e-12);
    assert_non_null(strstr(warning, "of 14 facets, 0 without area and 2 duplicates were removed"));
    free(mesh);
    free(box);
}

static void a_restart_does_not_need_the_file(void **state)
{
    (void)state;
    char warning[1000] = "";
    write_cube("cube.stl");
    char *uninterrupted = run(MESH("cube.stl", SCALED), warning);
    remove(scree_folder_path(&scree_test_folder, "cube.stl"));
    struct scree_trial trial = scree_trial_restart(scree_folder_path(&scree_test_folder, "c.chk.previous"));
    (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 2});
    scree_trial_assert_ok(&trial);
    scree_trial_free(&trial);
    char *restarted = scree_folder_read(&scree_test_folder, "out.csv", NULL);
    assert_string_equal(restarted, uninterrupted);
    free(restarted);
    free(uninterrupted);
}

static void mistakes_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *wall, *message;
    } rows[] = {
        {MESH("none.stl", ""), "none.stl': No such file"},
        {MESH("cube.stl", ", unit: kg"), "'kg' is not a unit of length"},
        {MESH("cube.stl", ", scale: 0"), "'scale' must be above 0"},
        {MESH("cube.stl", ", smooth: 90 deg"), "'smooth' must be at least 0 and at most 1 rad"},
        {MESH("scene.yaml", ""), "scene.yaml"},
        {"mesh: {file: cube.stl, material: n}", "'n'"},
    };
    write_cube("cube.stl");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char text[4000];
        snprintf(text, sizeof text, SCENE, rows[r].wall, "out.csv", "c.chk");
        scree_folder_write(&scree_test_folder, "scene.yaml", text);
        struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
        (void)scree_trial_build(&trial);
        scree_trial_assert_refused(&trial, rows[r].message);
        scree_trial_free(&trial);
    }
}

static void a_mesh_needs_three_dimensions(void **state)
{
    (void)state;
    struct scree_world *world;
    scree_material_id material;
    scree_wall_id wall;
    const double vertex[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const uint32_t facet[2][3] = {{0, 1, 2}, {0, 1, 3}};
    struct scree_wall_def def = {.shape = SCREE_WALL_MESH,
                                 .mesh = {.vertex = vertex, .vertices = 3, .facet = facet, .facets = 1}};
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = 2}, &world));
    assert_ok(scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1}, &material));
    def.material = material;
    assert_refused(SCREE_ERROR_ARGUMENT, "three dimensions", scree_wall_add(world, &def, &wall));
    scree_world_destroy(world);
    assert_ok(scree_world_create(NULL, &world));
    assert_ok(scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1}, &material));
    def.mesh.facets = 2;
    assert_refused(SCREE_ERROR_ARGUMENT, "facet 1 of a mesh has the vertex 3",
                   scree_wall_add(world, &def, &wall));
    assert_int_equal(scree_wall_count(world), 0);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_cube_from_a_file_is_a_solid_box, scree_test_folder_make,
                                        scree_test_folder_remove),
        cmocka_unit_test_setup_teardown(a_restart_does_not_need_the_file, scree_test_folder_make,
                                        scree_test_folder_remove),
        cmocka_unit_test_setup_teardown(mistakes_are_reported, scree_test_folder_make,
                                        scree_test_folder_remove),
        cmocka_unit_test(a_mesh_needs_three_dimensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
