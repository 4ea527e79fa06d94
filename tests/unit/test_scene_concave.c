// Clumps of polyhedra and spheres in scenes: single bodies, fillings, insertions, frames, files, restarts and
// messages. References: the numbers of the scene, and sums over boxes, computed here.

#include "base/memory.h"
#include "file/atomic.h"
#include "file/hdf.h"
#include "file/vtk.h"
#include "support/folder.h"
#include "support/trial.h"
#include "support/worlds.h"
#include "world/grain.h"

#include <math.h>
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
    "materials: {stone: {density: 2500}, wax: {density: 900}}\n"                                             \
    "contacts: [{between: [any, any], law: linear, stiffness: 100 kN/m, restitution: 0.5, friction: 0.4}]\n"

// An L of two boxes, the same of two pieces with vertices in common axes, and a box with a sphere.
#define SHAPES                                                                                               \
    "polyhedra:\n"                                                                                           \
    "  bar: {box: [3 cm, 1 cm, 1 cm], rounding: 0.5 mm}\n"                                                   \
    "  leg: {box: [2 cm, 1 cm, 1 cm], rounding: 0.5 mm}\n"                                                   \
    "  low: {vertices: [[0, 0, 0], [3 cm, 0, 0], [0, 1 cm, 0], [3 cm, 1 cm, 0], [0, 0, 1 cm], [3 cm, 0, "    \
    "1 cm], [0, 1 cm, 1 cm], [3 cm, 1 cm, 1 cm]], rounding: 0.5 mm}\n"                                       \
    "  high: {vertices: [[0, 0, 1 cm], [1 cm, 0, 1 cm], [0, 1 cm, 1 cm], [1 cm, 1 cm, 1 cm], [0, 0, 3 cm], " \
    "[1 cm, 0, 3 cm], [0, 1 cm, 3 cm], [1 cm, 1 cm, 3 cm]], rounding: 0.5 mm}\n"                             \
    "clumps:\n"                                                                                              \
    "  ell: {parts: [{polyhedron: bar}, {polyhedron: leg, at: [-1 cm, 0, 1.5 cm], orientation: {axis: [0, "  \
    "1, 0], angle: 90 deg}, material: wax}]}\n"                                                              \
    "  cut: {parts: [{polyhedron: low}, {polyhedron: high}]}\n"                                              \
    "  mace: {parts: [{sphere: 8 mm, at: [18 mm, 0, 0]}, {polyhedron: leg}]}\n"

// Volume of a box with rounded edges: a core, slabs, quarters of cylinders, and a sphere.
static double volume_of(double a, double b, double c)
{
    const double r = 5e-4, x = a - 2 * r, y = b - 2 * r, z = c - 2 * r, pi = acos(-1);
    return x * y * z + 2 * r * (x * y + y * z + z * x) + pi * r * r * (x + y + z) + 4.0 / 3 * pi * r * r * r;
}

static void a_clump_has_its_parts_where_the_scene_says(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_build_text(
        HEAD SHAPES
        "bodies: [clump: {shape: ell, scale: 2, at: [10 cm, 0, 0], material: stone}, clump: {shape: "
        "cut, scale: 2, at: [-10 cm, 0, 0], material: stone, orientation: {axis: [0, 0, 1], angle: "
        "90 deg}}]\n");
    const double bar = volume_of(0.03, 0.01, 0.01), leg = volume_of(0.02, 0.01, 0.01), all = bar + leg,
                 centre[3] = {-0.01 * leg / all, 0, 0.015 * leg / all};
    // rotated boxes and vertices in other axes: a few roundings of lengths of 0.1 m
    const double tolerance = 1e-15;
    double lower[3], upper[3];
    for (uint64_t id = 1; id <= 2; ++id)
        scree_test_near(scree_test_state(world, id).mass, 2500 * 8 * all, 1e-13 * 2500 * 8 * all);
    assert_int_equal(scree_body_bounds(world, (scree_body_id){1}, lower, upper), SCREE_OK);
    const double low[3] = {-0.015, -0.005, -0.005}, high[3] = {0.015, 0.005, 0.025};
    for (int k = 0; k < 3; ++k) {
        scree_test_near(lower[k], (k == 0 ? 0.1 : 0) + 2 * (low[k] - centre[k]), 4 * tolerance);
        scree_test_near(upper[k], (k == 0 ? 0.1 : 0) + 2 * (high[k] - centre[k]), 4 * tolerance);
    }
    // the second one has the same extent about its centre of mass, with x and y turned
    double turned[2][3];
    assert_int_equal(scree_body_bounds(world, (scree_body_id){2}, turned[0], turned[1]), SCREE_OK);
    scree_test_near(turned[0][1], lower[0] - 0.1, 8 * tolerance);
    scree_test_near(turned[1][1], upper[0] - 0.1, 8 * tolerance);
    scree_test_near(turned[1][2], upper[2], 8 * tolerance);
    // moments of inertia, in any order of axes
    for (int k = 0; k < 3; ++k)
        scree_test_near(scree_test_state(world, 2).inertia[k], scree_test_state(world, 1).inertia[k],
                        1e-12 * scree_test_state(world, 1).inertia[k]);
    assert_int_equal(scree_grain_carried(world), 4);
    assert_int_equal(scree_grain_locals(world)[1].material, 2);
    scree_world_destroy(world);
}

// Given values count instead of those of the parts, which then may overlap.
static void parts_with_a_given_mass_may_overlap(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_build_text(
        HEAD SHAPES
        "  cross: {parts: [{polyhedron: bar}, {polyhedron: bar, orientation: {axis: [0, 0, 1], angle: "
        "90 deg}}], mass: {given: {mass: 10 g, centre: [0, 0, 0], inertia: [1e-6, 1e-6, 1.5e-6]}}}\n"
        "bodies: [clump: {shape: cross, at: [0, 0, 0], material: stone}]\n");
    scree_test_near(scree_test_state(world, 1).mass, 0.01, 1e-15);
    scree_test_near(scree_test_state(world, 1).inertia[2], 1.5e-6, 1e-18);
    // the size is that of both parts
    scree_test_near(4.0 / 3 * acos(-1) * pow(scree_test_state(world, 1).radius, 3),
                    2 * volume_of(0.03, 0.01, 0.01), 1e-17);
    scree_world_destroy(world);
}

// --- fillings, insertions and restarts

#define FEED                                                                                                 \
    HEAD SHAPES                                                                                              \
        "gravity: [0, 0, -10]\n"                                                                             \
        "bodies:\n"                                                                                          \
        "  - fill: {shape: {clump: {shape: ell, radius: {uniform: [8 mm, 12 mm]}}}, count: 12, material: "   \
        "stone, inside: {box: [[0, 0, 0], [20 cm, 20 cm, 20 cm]]}}\n"                                        \
        "  - clump: {shape: cut, at: [10 cm, 10 cm, 22 cm], material: stone, velocity: [0, 0, -1]}\n"        \
        "insert: [{shape: {clump: {shape: mace}}, material: stone, rate: {bodies: 1000 1/s}, count: 4, "     \
        "velocity: [0, 0, -2], inside: {box: [[0, 0, 25 cm], [20 cm, 20 cm, 35 cm]]}}]\n"                    \
        "walls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: stone}]\n"                           \
        "engine: {soft: {step: 10 us}}\n"

static void fillings_do_not_overlap_and_restarts_continue(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
    static const char scene[] =
        FEED "run: [{until: 20 ms}, {until: 30 ms}]\nrecord: [{checkpoint: state.chk, every: 1100 steps}]\n";
    struct scree_digest whole, continued;
    // the alarm of overlaps would end the run
    struct scree_world *world = scree_trial_run_text(scene, &def);
    assert_int_equal(scree_body_count(world), 17);
    // each size has its own two shapes; pieces and maces have one size
    assert_int_equal(scree_world_entity(world, SCREE_ENTITY_SHAPE)->count, 2 * 12 + 2 + 1);
    assert_int_equal(scree_world_digest(world, &whole), SCREE_OK);
    scree_world_destroy(world);
    struct scree_trial trial = scree_trial_restart(scree_folder_path(&scree_test_folder, "state.chk"));
    assert_int_equal(scree_trial_run(&trial, &def), SCREE_OK);
    world = scree_trial_take_world(&trial);
    assert_int_equal(scree_world_digest(world, &continued), SCREE_OK);
    assert_memory_equal(&whole, &continued, sizeof whole);
    scree_world_destroy(world);
}

// --- frames and files

#define WRITE                                                                                                \
    "engine: {soft: {step: 1 us}}\nrun: {steps: 1}\nrecord: [{frames: out, every: 1 steps, precision: "      \
    "double, fields: "                                                                                       \
    "[polyhedron.body, polyhedron.part]}, {checkpoint: state.chk, every: 1 steps}]\n"
#define BODIES                                                                                               \
    SHAPES "bodies:\n"                                                                                       \
           "  - clump: {shape: ell, scale: 2, at: [10 cm, 0, 0], material: stone, orientation: {axis: [1, "  \
           "2, 3], angle: 50 deg}}\n"                                                                        \
           "  - polyhedron: {shape: bar, at: [0, 0, 0], material: stone}\n"                                  \
           "  - clump: {shape: mace, at: [-10 cm, 0, 0], material: stone}\n"

static void frames_show_all_parts(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
    struct scree_world *world = scree_trial_run_text(HEAD BODIES WRITE, &def);
    // a rounded box: 6 faces of 2 triangles, 12 edges of 2, and 8 corners of 1
    enum { BOX = 12 + 24 + 8, CORNERS = 24, PARTS = 4 };
    static const int64_t body_of[PARTS] = {1, 1, 2, 3}, part_of[PARTS] = {1, 2, 0, 2};
    const struct scree_hdf_shape shape = {SCREE_I64, BOX * PARTS, 0};
    int64_t body[BOX * PARTS], part[BOX * PARTS];
    const struct scree_hdf_shape points = {SCREE_F64, CORNERS * PARTS, 3};
    double point[CORNERS * PARTS][3];
    struct scree_hdf hdf;
    void *image;
    size_t size;
    assert_int_equal(scree_atomic_read(scree_folder_path(&scree_test_folder, "out-polyhedra/000001.hdf"),
                                       1 << 26, &image, &size),
                     SCREE_OK);
    assert_int_equal(scree_vtk_open(&hdf, "out", image, size), SCREE_OK);
    assert_int_equal(scree_hdf_read(&hdf, "/VTKHDF/CellData/body", &shape, body), SCREE_OK);
    assert_int_equal(scree_hdf_read(&hdf, "/VTKHDF/CellData/part", &shape, part), SCREE_OK);
    for (size_t c = 0; c < BOX * PARTS; ++c)
        assert_true(body[c] == body_of[c / BOX] && part[c] == part_of[c / BOX]);
    assert_int_equal(scree_hdf_read(&hdf, "/VTKHDF/Points", &points, point), SCREE_OK);
    // the faces of the box of the last body are where they are in the world: it has not turned
    double lower[3] = {1, 1, 1}, upper[3] = {-1, -1, -1};
    for (size_t c = CORNERS * (PARTS - 1); c < CORNERS * PARTS; ++c)
        for (int k = 0; k < 3; ++k) {
            lower[k] = point[c][k] < lower[k] ? point[c][k] : lower[k];
            upper[k] = point[c][k] > upper[k] ? point[c][k] : upper[k];
        }
    const double leg = volume_of(0.02, 0.01, 0.01), ball = 4.0 / 3 * acos(-1) * 512e-9,
                 centre[3] = {-0.1 - 0.018 * ball / (ball + leg), 0, 0}, edge[3] = {0.02, 0.01, 0.01};
    for (int k = 0; k < 3; ++k) {
        scree_test_near(upper[k] - lower[k], edge[k], 1e-16);
        scree_test_near(0.5 * (upper[k] + lower[k]), centre[k], 1e-15);
    }
    scree_hdf_close(&hdf);
    scree_memory_free(image);
    scree_world_destroy(world);
}

// Reads a file of the bodies above: their parts are where they were, to the precision of the file.
static void assert_read(const char *file, double tolerance)
{
    char text[2400];
    snprintf(text, sizeof text, HEAD SHAPES "bodies: [read: {file: %s, material: stone}]\n", file);
    scree_folder_write(&scree_test_folder, "scene.yaml", text);
    struct scree_world *before = scree_trial_build_text(HEAD BODIES);
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    assert_int_equal(scree_trial_build(&trial), SCREE_OK);
    struct scree_world *world = scree_trial_take_world(&trial);
    assert_int_equal(scree_world_bodies(world), 3);
    assert_int_equal(scree_grain_carried(world), scree_grain_carried(before));
    for (uint64_t id = 1; id <= 3; ++id) {
        double was[2][3], is[2][3];
        assert_int_equal(scree_body_bounds(before, (scree_body_id){id}, was[0], was[1]), SCREE_OK);
        assert_int_equal(scree_body_bounds(world, (scree_body_id){id}, is[0], is[1]), SCREE_OK);
        scree_test_near(scree_test_state(world, id).mass, scree_test_state(before, id).mass,
                        3 * tolerance * scree_test_state(before, id).mass);
        // coordinates below 15 cm
        for (int k = 0; k < 3; ++k) {
            scree_test_near(is[0][k], was[0][k], 0.15 * tolerance);
            scree_test_near(is[1][k], was[1][k], 0.15 * tolerance);
        }
    }
    scree_world_destroy(world);
    scree_world_destroy(before);
}

static void frames_and_checkpoints_keep_the_shapes(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
    scree_world_destroy(scree_trial_run_text(HEAD BODIES WRITE, &def));
    // a few round-offs, since scale and orientation are computed from others
    assert_read("out-bodies/000000.hdf", 100 * 0x1p-53);
    assert_read("state.chk", 100 * 0x1p-53);
}

// --- mistakes and memory

static void mistakes_with_parts_are_explained(void **state)
{
    (void)state;
#define CLUMP(parts) HEAD SHAPES "  bad: {parts: [" parts "]}\n"
    static const char *const rows[][2] = {
        {CLUMP("{polyhedron: bar}, {polyhedron: leg, at: [-1 cm, 0, 1.4 cm], orientation: {axis: [0, 1, 0], "
               "angle: 90 deg}}"),
         "scene.yaml:13:16: parts 1 and 2 overlap by 0.001 m, and what both contain would count twice"},
        {CLUMP("{polyhedron: bar}, {sphere: 6 mm, at: [0, 0, 1 cm]}"), "parts 1 and 2 overlap by 0.001 m"},
        {CLUMP("{polyhedron: bat}"), "there is no shape 'bat': did you mean 'bar'?"},
        {CLUMP("{polyhedron: bar, sphere: 1 mm}"), "needs exactly one of polyhedron, sphere"},
        {CLUMP("{at: [0, 0, 0]}"), "needs exactly one of polyhedron, sphere"},
        {CLUMP("{sphere: 1 mm, orientation: {axis: [0, 0, 1], angle: 1}}"), "orientation"},
        {CLUMP(""), "a clump has from 1 to 10000 pebbles; this one has 0"},
        {HEAD SHAPES "  bad: {parts: [{polyhedron: bar}], mass: {samples: 1000}}\n",
         "the mass of a clump of 'parts' is exact or 'given', not sampled"},
        {"scree: 1\ndimension: 2\nclumps: {bad: {parts: [{sphere: 1}]}}\n",
         "in two dimensions a clump is made of 'disks'"},
        {HEAD SHAPES
         "bodies: [clump: {shape: ell, at: [0, 0, 0], material: stone}, clump: {shape: mace, at: [10 cm, "
         "0, 0], material: stone}]\nbonds: [{pairs: [[1, 2]], parallel: {young: 1 GPa, "
         "stiffness-ratio: 2.5, radius: 1 mm}}]\n",
         "bodies 1 and 2 have no spheres of these materials to bond (polyhedra have no bonds)"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_RUN, rows[r][1], "%s%s", rows[r][0], "run: {steps: 1}\n");
}

static void each_failed_allocation_is_reported(void **state)
{
    (void)state;
    static const char scene[] =
        HEAD SHAPES "bodies: [clump: {shape: ell, at: [0, 0, 5 cm], material: stone}]\n"
                    "run: {steps: 1}\n";
    (void)scree_trial_starve(SCREE_TRIAL_BUILD, scene, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clump_has_its_parts_where_the_scene_says),
        cmocka_unit_test(parts_with_a_given_mass_may_overlap),
        cmocka_unit_test(fillings_do_not_overlap_and_restarts_continue),
        cmocka_unit_test(frames_show_all_parts),
        cmocka_unit_test(frames_and_checkpoints_keep_the_shapes),
        cmocka_unit_test(mistakes_with_parts_are_explained),
        cmocka_unit_test(each_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
