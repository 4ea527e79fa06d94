// Polyhedra in files: meshes and restarts, frames and checkpoints that another scene reads.
// References: an uninterrupted run, and the bodies of the scene that wrote the file.

#include "support/folder.h"
#include "support/trial.h"
#include "world/grain.h"

#include <scree/compare.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {stone: {density: 2500}}\n"                                                                  \
    "contacts: [{between: [any, any], law: linear, stiffness: 10 kN/m, restitution: 0.5, friction: 0.4}]\n"

#define SHAPES                                                                                               \
    "polyhedra:\n"                                                                                           \
    "  die: {cube: {edge: 1 cm}, rounding: 0.5 mm}\n"                                                        \
    "  brick: {box: [1 cm, 2 cm, 3 cm], rounding: 0.5 mm}\n"                                                 \
    "  rock: {vertices: [[0, 0, 0], [1 cm, 0, 0], [0, 1 cm, 0], [0, 0, 1 cm]], rounding: 0.2 mm}\n"

// --- restarts

// A closed box from 0 to `edge` in ASCII STL.
static void write_stl(const char *name, const double edge[3])
{
    // corner k has bit c of k set where coordinate c is that of the far side
    static const int triangle[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                        {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    char text[6000] = "solid box\n";
    size_t length = strlen(text);
    for (size_t t = 0; t < 12; ++t) {
        length += (size_t)snprintf(text + length, sizeof text - length, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3; ++k) {
            const int corner = triangle[t][k];
            length += (size_t)snprintf(text + length, sizeof text - length, "vertex %g %g %g\n",
                                       corner & 1 ? edge[0] : 0, corner & 2 ? edge[1] : 0,
                                       corner & 4 ? edge[2] : 0);
        }
        length += (size_t)snprintf(text + length, sizeof text - length, "endloop\nendfacet\n");
    }
    snprintf(text + length, sizeof text - length, "endsolid box\n");
    scree_folder_write(&scree_test_folder, name, text);
}

static void a_restart_does_not_need_the_file_of_a_mesh(void **state)
{
    (void)state;
    // a restart would end at the time of the first run
    const struct scree_run_def def = {
        .threads = 1, .force = true, .folder = scree_test_folder.path, .until = 0.02};
    struct scree_run_def half = def;
    half.until = 0.01;
    struct scree_digest whole, continued;
    write_stl("grain.stl", (const double[3]){3.3, 4.7, 5.9});
    scree_folder_write(&scree_test_folder, "mesh.yaml",
                       HEAD "variables: {file: grain.stl}\nwalls: [plane: {point: [0, 0, 0], normal: [0, 0, "
                            "1], material: stone}]\n"
                            "polyhedra: {die: {cube: {edge: 1 cm}, rounding: 0.5 mm}, grain: {mesh: {file: "
                            "\"${file}\", unit: mm}, rounding: 0.2 mm}}\n"
                            "insert: [{shape: {polyhedron: {shape: grain}}, material: stone, rate: {bodies: "
                            "1000 1/s}, inside: {box: [[0, 0, 0], [5 cm, 5 cm, 3 cm]]}}]\n"
                            "run: {until: 20 ms}\nrecord: [{checkpoint: state.chk, every: 10 ms}]\n");
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "mesh.yaml"));
    (void)scree_trial_run(&trial, &def);
    scree_trial_assert_ok(&trial);
    struct scree_world *world = scree_trial_take_world(&trial);
    assert_true(scree_world_bodies(world) > 15);
    assert_int_equal(scree_world_digest(world, &whole), SCREE_OK);
    scree_world_destroy(world);
    trial = scree_trial_load(scree_folder_path(&scree_test_folder, "mesh.yaml"));
    assert_int_equal(scree_trial_run(&trial, &half), SCREE_OK);
    world = scree_trial_take_world(&trial);
    assert_true(scree_world_bodies(world) < 12);
    scree_world_destroy(world);
    // another body now
    write_stl("grain.stl", (const double[3]){6, 6, 6});
    trial = scree_trial_restart(scree_folder_path(&scree_test_folder, "state.chk"));
    assert_int_equal(scree_trial_run(&trial, &def), SCREE_OK);
    world = scree_trial_take_world(&trial);
    assert_int_equal(scree_world_digest(world, &continued), SCREE_OK);
    assert_memory_equal(&whole, &continued, sizeof whole);
    scree_world_destroy(world);
}

// --- frames and checkpoints

#define SHAPED                                                                                               \
    SHAPES "bodies:\n"                                                                                       \
           "  - polyhedron: {shape: brick, at: [0, 0, 0], material: stone, orientation: {axis: [0, 0, 1], "  \
           "angle: 90 deg}}\n"                                                                               \
           "  - polyhedron: {shape: rock, scale: 2, at: [10 cm, 0, 0], material: stone}\n"                   \
           "  - sphere: {radius: 3 mm, at: [20 cm, 0, 0], material: stone}\n"
#define WRITE "run: {steps: 1}\nrecord: [{checkpoint: state.chk, every: 1 s}, {frames: out, every: 1 s}]\n"

// Reads a file of the bodies above.
static void assert_shaped(const char *file, const char *keys, double tolerance)
{
    char text[900];
    snprintf(text, sizeof text, HEAD SHAPES "%sbodies: [read: {file: %s, material: stone}]\n", keys, file);
    scree_folder_write(&scree_test_folder, "scene.yaml", text);
    struct scree_world *before = scree_trial_build_text(HEAD SHAPED);
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    assert_int_equal(scree_trial_build(&trial), SCREE_OK);
    struct scree_world *world = scree_trial_take_world(&trial);
    assert_int_equal(scree_world_bodies(world), 3);
    for (uint64_t id = 1; id <= 3; ++id) {
        struct scree_body_state was, is;
        double lower[2][3], upper[2][3];
        assert_int_equal(scree_body_get(before, (scree_body_id){id}, &was), SCREE_OK);
        assert_int_equal(scree_body_get(world, (scree_body_id){id}, &is), SCREE_OK);
        assert_true(fabs(is.mass - was.mass) < 3 * tolerance * was.mass);
        const bool shaped = scree_polyhedron_of(before, id - 1);
        assert_true(shaped == (id < 3));
        assert_true((scree_polyhedron_of(world, id - 1) != NULL) == shaped);
        scree_grain_bounds(before, id - 1, lower[0], upper[0]);
        scree_grain_bounds(world, id - 1, lower[1], upper[1]);
        // coordinates below 15 cm
        for (int k = 0; k < 3 && shaped; ++k)
            assert_true(fabs(lower[1][k] - lower[0][k]) < 0.15 * tolerance &&
                        fabs(upper[1][k] - upper[0][k]) < 0.15 * tolerance);
    }
    scree_world_destroy(world);
    scree_world_destroy(before);
}

static void frames_and_checkpoints_keep_the_shapes_of_polyhedra(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
    scree_world_destroy(scree_trial_run_text(HEAD SHAPED WRITE, &def));
    // position, radius and orientation are rounded to float in frames: a few times 2^-24; and to a few
    // round-offs in checkpoints, since scale and orientation are computed from others
    assert_shaped("out-bodies/000000.hdf", "", 10 * 0x1p-24);
    assert_shaped("state.chk", "", 100 * 0x1p-53);
    // clumps have other numbers
    assert_shaped("out-bodies/000000.hdf", "clumps: {pair: {dimer: {distance: 8 mm, radius: 8 mm}}}\n",
                  10 * 0x1p-24);
}

static void polyhedra_without_a_name_are_not_read(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
    static const char *const files[] = {"out-bodies/000000.hdf", "state.chk"};
    scree_world_destroy(scree_trial_run_text(
        HEAD "bodies: [{polyhedron: {box: [1 cm, 1 cm, 2 cm], rounding: 1 mm, at: [0, 0, 0], material: "
             "stone}}, {polyhedron: {box: [1 cm, 3 cm, 2 cm], rounding: 1 mm, at: [1, 0, 0], material: "
             "stone}}]\n" WRITE,
        &def));
    for (size_t f = 0; f < 2; ++f) {
        char text[900];
        snprintf(text, sizeof text,
                 HEAD "polyhedra: {polyhedron: {cube: {edge: 1 cm}}}\nbodies: [read: {file: %s, material: "
                      "stone, density: ignore}]\n",
                 files[f]);
        scree_folder_write(&scree_test_folder, "scene.yaml", text);
        struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
        (void)scree_trial_build(&trial);
        scree_trial_assert_refused(&trial, "has polyhedra whose shapes have no name in 'polyhedra'");
        scree_trial_free(&trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_restart_does_not_need_the_file_of_a_mesh),
        cmocka_unit_test(frames_and_checkpoints_keep_the_shapes_of_polyhedra),
        cmocka_unit_test(polyhedra_without_a_name_are_not_read),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
