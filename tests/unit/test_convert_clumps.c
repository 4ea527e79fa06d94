// Pebbles in files of other programs and in frames become clumps: `scree convert` makes a file of bodies and
// files of shapes, and a scene that reads them has a pebble at each row of the original. The dump
// multisphere.dump was written by LIGGGHTS 3.8 with the columns of `dump custom`; it has two templates.

#include "base/memory.h"
#include "support/folder.h"
#include "support/starve.h"
#include "support/trial.h"
#include "world/grain.h"

#include <scree/convert.h>

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
    "materials: {glass: {density: 2500, young: 5 MPa, poisson: 0.2}}\n"                                      \
    "contacts: [{between: [any, any], law: linear, stiffness: 1 kN/m, restitution: 0.5, friction: 0.4}]\n"

struct row {
    double at[3], velocity[3], radius;
};

static const char *path_of(const char *file)
{
    return scree_folder_path(&scree_test_folder, file);
}

static struct scree_convert_report convert(const char *in, const struct scree_convert_def *def)
{
    struct scree_convert_report report;
    char out[200];
    snprintf(out, sizeof out, "%s", path_of("bodies.csv"));
    if (scree_convert_file(in, out, def, &report) != SCREE_OK)
        fail_msg("%s", scree_status_message());
    return report;
}

// The world of a scene that reads bodies.csv with `shapes` shapes.
static struct scree_world *read_bodies(size_t shapes, const char *keys)
{
    char text[2000] = HEAD "clumps:\n";
    for (size_t s = 1; s <= shapes; ++s)
        snprintf(text + strlen(text), sizeof text - strlen(text), "  s%zu: {file: bodies-shape-%zu.txt}\n", s,
                 s);
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s", keys);
    scree_folder_write(&scree_test_folder, "scene.yaml", text);
    struct scree_trial trial = scree_trial_load(path_of("scene.yaml"));
    (void)scree_trial_build(&trial);
    scree_trial_assert_ok(&trial);
    struct scree_world *world = scree_trial_take_world(&trial);
    assert_int_equal(scree_grain_reserve_records(world), SCREE_OK);
    scree_grain_update_records(world, 0, NULL);
    return world;
}

// Fails the test unless each row has one pebble or sphere, and each of these a row; `period` is that of the
// cell, 0 for none.
static void assert_same_pebbles(struct scree_world *world, const struct row *row, size_t rows, double period,
                                double tolerance, double velocity_tolerance)
{
    const struct scree_grain *grain = scree_world_grains(world);
    size_t pebbles = 0;
    for (size_t g = 0; g < scree_grain_count(world); ++g)
        pebbles += grain[g].radius > 0;
    assert_int_equal(pebbles, rows);
    for (size_t r = 0; r < rows; ++r) {
        size_t found = 0;
        for (size_t g = 0; g < scree_grain_count(world); ++g) {
            double square = 0, change = 0;
            for (int k = 0; k < 3; ++k) {
                double d = grain[g].position[k] - row[r].at[k];
                d -= period > 0 ? period * floor(d / period + 0.5) : 0;
                square += d * d;
                change += pow(grain[g].velocity[k] - row[r].velocity[k], 2);
            }
            found += grain[g].radius > 0 && sqrt(square) < tolerance &&
                     fabs(grain[g].radius - row[r].radius) < tolerance && sqrt(change) < velocity_tolerance;
        }
        if (found != 1)
            fail_msg("row %zu has %zu pebbles", r + 1, found);
    }
}

static size_t read_multisphere(struct row *row, size_t capacity)
{
    char *text = scree_folder_read_path(SCREE_TEST_DATA "/formats/multisphere.dump", NULL);
    size_t rows = 0;
    for (char *line = strstr(text, "ITEM: ATOMS"); line && (line = strchr(line, '\n')) && line[1];) {
        double v[18];
        char *at = ++line;
        for (int k = 0; k < 18; ++k)
            v[k] = strtod(at, &at);
        assert_true(rows < capacity);
        row[rows++] = (struct row){{v[2], v[3], v[4]}, {v[8], v[9], v[10]}, v[14]};
    }
    free(text);
    return rows;
}

static void multispheres_of_liggghts_become_clumps(void **state)
{
    (void)state;
    static struct row row[100];
    const size_t rows = read_multisphere(row, 100);
    const struct scree_convert_report report = convert(SCREE_TEST_DATA "/formats/multisphere.dump", NULL);
    assert_int_equal(rows, 29);
    assert_true(report.clumps == 12 && report.pebbles == 29 && report.shapes == 2 && report.bodies == 12);
    assert_string_equal(report.not_stored, "image flags, box, periodic axes, step");
    // density: LIGGGHTS integrates over random points, so the masses in the file are off by up to 1 %
    struct scree_world *world =
        read_bodies(2, "bodies: [read: {file: bodies.csv, density: ignore, types: {1: {material: glass}, 2: "
                       "{material: glass}}}]\n");
    assert_int_equal(scree_body_count(world), 12);
    // coordinates up to 0.03 have 6 digits, so errors of 5e-8, see the tolerance in clumps.c; a velocity
    // of 0.5 has 5e-7, and follows a spin of 10 about centres that are off by 1e-6
    assert_same_pebbles(world, row, rows, 0.03, 3e-6, 1e-4);
    scree_world_destroy(world);
}

// Two dimers, one across the periodic face at x = 1, a third one of twice the size, the mirror images of a
// chiral shape, and a sphere. All positions are exact.
static void clumps_are_made_of_exact_pebbles(void **state)
{
    (void)state;
    static const char dump[] =
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n15\nITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\n"
        "ITEM: ATOMS id type x y z radius id_multisphere vx vy vz omegax omegay omegaz\n"
        "1 1 0.5 0.5 0.5 0.01 7 0 0 0 0 0 2\n2 1 0.515625 0.5 0.5 0.01 7 0 0.03125 0 0 0 2\n"
        "4 1 0.0078125 0.25 0.5 0.01 3 0 0 1 0 0 0\n3 1 0.9921875 0.25 0.5 0.01 3 0 0 1 0 0 0\n"
        "5 1 0.25 0.25 0.25 0.02 9 1 0 0 0 0 0\n6 1 0.25 0.25 0.28125 0.02 9 1 0 0 0 0 0\n"
        "7 1 0.75 0.75 0.75 0.01 -1 0 0 0 0 0 0\n"
        "8 1 0.125 0.125 0.125 0.01 10 0 0 0 0 0 0\n9 1 0.14 0.125 0.125 0.01 10 0 0 0 0 0 0\n"
        "10 1 0.125 0.14 0.125 0.008 10 0 0 0 0 0 0\n11 1 0.125 0.125 0.14 0.006 10 0 0 0 0 0 0\n"
        "12 1 0.125 0.625 0.125 0.01 11 0 0 0 0 0 0\n13 1 0.11 0.625 0.125 0.01 11 0 0 0 0 0 0\n"
        "14 1 0.125 0.64 0.125 0.008 11 0 0 0 0 0 0\n15 1 0.125 0.625 0.14 0.006 11 0 0 0 0 0 0\n";
    static const struct row row[] = {{{0.5, 0.5, 0.5}, {0}, 0.01},
                                     {{0.515625, 0.5, 0.5}, {0, 0.03125, 0}, 0.01},
                                     {{0.0078125, 0.25, 0.5}, {0, 0, 1}, 0.01},
                                     {{0.9921875, 0.25, 0.5}, {0, 0, 1}, 0.01},
                                     {{0.25, 0.25, 0.25}, {1, 0, 0}, 0.02},
                                     {{0.25, 0.25, 0.28125}, {1, 0, 0}, 0.02},
                                     {{0.75, 0.75, 0.75}, {0}, 0.01},
                                     {{0.125, 0.125, 0.125}, {0}, 0.01},
                                     {{0.14, 0.125, 0.125}, {0}, 0.01},
                                     {{0.125, 0.14, 0.125}, {0}, 0.008},
                                     {{0.125, 0.125, 0.14}, {0}, 0.006},
                                     {{0.125, 0.625, 0.125}, {0}, 0.01},
                                     {{0.11, 0.625, 0.125}, {0}, 0.01},
                                     {{0.125, 0.64, 0.125}, {0}, 0.008},
                                     {{0.125, 0.625, 0.14}, {0}, 0.006}};
    scree_folder_write(&scree_test_folder, "hand.dump", dump);
    char in[200];
    snprintf(in, sizeof in, "%s", path_of("hand.dump"));
    const struct scree_convert_def def = {.force = true};
    const struct scree_convert_report report = convert(in, &def);
    assert_true(report.clumps == 5 && report.pebbles == 14 && report.shapes == 3 && report.bodies == 6);
    struct scree_world *world = read_bodies(3, "world: {box: [[0, 0, 0], [1, 1, 1]], periodic: [x, y, z]}\n"
                                               "bodies: [read: {file: bodies.csv, material: glass}]\n");
    // the scene finds the centre of mass again, within 1e-11 of the size
    assert_same_pebbles(world, row, 15, 1, 1e-12, 1e-11);
    scree_world_destroy(world);
}

static void clumps_of_one_shape_may_differ_in_size(void **state)
{
    (void)state;
    scree_folder_write(
        &scree_test_folder, "hand.dump",
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n4\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n"
        "ITEM: ATOMS id type x y z radius mol mass\n"
        "1 1 0.25 0.5 0.5 0.125 1 2\n2 1 0.375 0.5 0.5 0.0625 1 3\n"
        "3 1 0.5 0.25 0.5 0.25 2 4\n4 1 0.5 0.5 0.5 0.125 2 5\n");
    char in[200];
    snprintf(in, sizeof in, "%s", path_of("hand.dump"));
    // without the option they are spheres
    const struct scree_convert_def spheres = {.force = true}, molecules = {.force = true, .molecules = true};
    assert_true(convert(in, &spheres).clumps == 0);
    const struct scree_convert_report report = convert(in, &molecules);
    assert_true(report.clumps == 2 && report.shapes == 1);
    static const struct row row[] = {{{0.25, 0.5, 0.5}, {0}, 0.125},
                                     {{0.375, 0.5, 0.5}, {0}, 0.0625},
                                     {{0.5, 0.25, 0.5}, {0}, 0.25},
                                     {{0.5, 0.5, 0.5}, {0}, 0.125}};
    struct scree_world *world =
        read_bodies(1, "bodies: [read: {file: bodies.csv, material: glass, density: ignore}]\n");
    assert_same_pebbles(world, row, 4, 0, 1e-14, 1e-14);
    scree_world_destroy(world);
    char *csv = scree_folder_read(&scree_test_folder, "bodies.csv", NULL);
    // the sum of the masses of the spheres
    assert_non_null(strstr(csv, "mass [kg]"));
    assert_non_null(strstr(csv, ",5,1,0,0,0"));
    free(csv);
}

// Three pebbles that rotate about the first one at 2 rad/s: the velocity of the centre of mass c is 2 e_z x
// c.
static void velocities_without_spins_give_that_of_the_centre(void **state)
{
    (void)state;
    scree_folder_write(
        &scree_test_folder, "hand.dump",
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n"
        "ITEM: ATOMS id x y z radius id_multisphere vx vy vz\n"
        "1 0 0 0 0.01 1 0 0 0\n2 0.02 0 0 0.01 1 0 0.04 0\n3 0 0.02 0 0.005 1 -0.04 0 0\n");
    char in[200];
    snprintf(in, sizeof in, "%s", path_of("hand.dump"));
    const struct scree_convert_def def = {.force = true};
    assert_true(convert(in, &def).shapes == 1);
    struct scree_world *world = read_bodies(1, "bodies: [read: {file: bodies.csv, material: glass}]\n");
    struct scree_body_state body;
    assert_int_equal(scree_body_get(world, (scree_body_id){1}, &body), SCREE_OK);
    assert_true(body.position[0] > 5e-3 && body.position[1] > 5e-4);
    assert_true(fabs(body.velocity[0] + 2 * body.position[1]) < 1e-12 &&
                fabs(body.velocity[1] - 2 * body.position[0]) < 1e-12 && body.velocity[2] == 0);
    assert_true(body.spin[0] == 0 && body.spin[1] == 0 && body.spin[2] == 0);
    scree_world_destroy(world);
}

#define PACK                                                                                                 \
    HEAD "clumps: {pair: {dimer: {distance: 2 mm, radius: 2 mm}}, stone: {spheres: [{radius: 2 mm, at: [0, " \
         "0, 0]}, {radius: 1 mm, at: [2 mm, 0, 0]}, {radius: 1 mm, at: [0, 1 mm, 2 mm]}]}}\n"                \
         "bodies:\n"                                                                                         \
         "  - fill: {shape: {clump: {shape: pair, radius: {uniform: [1 mm, 2 mm]}}}, count: 10, material: "  \
         "glass, inside: {box: [[0, 0, 0], [5 cm, 5 cm, 5 cm]]}}\n"                                          \
         "  - fill: {shape: {clump: {shape: stone}}, count: 10, material: glass, velocity: [0, 0, -1], "     \
         "inside: {box: [[0, 0, 5 cm], [5 cm, 5 cm, 10 cm]]}}\n"                                             \
         "  - sphere: {radius: 1 mm, at: [0, 0, 20 cm], material: glass}\n"                                  \
         "engine: {soft: {step: 1 us}}\nrun: {steps: 1}\n"

// Frames of both precisions give the clumps back.
static void frames_of_pebbles_become_clumps(void **state)
{
    (void)state;
    static const char *const precisions[] = {"single", "double"};
    for (int f = 0; f < 2; ++f) {
        const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
        char text[2000], in[200];
        snprintf(text, sizeof text,
                 PACK "record: [{frames: f, of: [bodies, pebbles], every: 1 steps, precision: %s}]\n",
                 precisions[f]);
        struct scree_world *world = scree_trial_run_text(text, &def);
        assert_int_equal(scree_grain_reserve_records(world), SCREE_OK);
        scree_grain_update_records(world, 0, NULL);
        struct row row[100];
        size_t rows = 0;
        for (size_t g = 0; g < scree_grain_count(world); ++g) {
            const struct scree_grain *grain = &scree_world_grains(world)[g];
            if (!(grain->radius > 0))
                continue;
            row[rows] = (struct row){.radius = grain->radius};
            memcpy(row[rows].at, grain->position, sizeof row->at);
            memcpy(row[rows++].velocity, grain->velocity, sizeof row->velocity);
        }
        assert_int_equal(rows, 51);
        snprintf(in, sizeof in, "%s", path_of("f-pebbles.hdf.series"));
        const struct scree_convert_def again = {.force = true};
        const struct scree_convert_report report = convert(in, &again);
        assert_true(report.clumps == 20 && report.shapes == 2 && report.bodies == 21);
        struct scree_world *copy = read_bodies(2, "bodies: [read: {file: bodies.csv, material: glass}]\n");
        // single precision: 6e-8 of coordinates up to 0.1 and 0.2 m, of both clumps, twice with the rotation;
        // else 1e-11 of the size, by which the centre of mass can differ when it is computed again
        const double tolerance = f == 0 ? 1e-7 : 1e-13;
        assert_same_pebbles(copy, row, rows, 0, tolerance, f == 0 ? 1e-6 : 1e-13);
        scree_world_destroy(copy);
        scree_world_destroy(world);
    }
}

static void assert_read_refused(const char *file, const char *message)
{
    char text[1000];
    snprintf(text, sizeof text,
             HEAD "bodies: [read: {file: %s, types: {1: {material: glass}}, material: glass}]\n", file);
    scree_folder_write(&scree_test_folder, "scene.yaml", text);
    struct scree_trial trial = scree_trial_load(path_of("scene.yaml"));
    (void)scree_trial_build(&trial);
    scree_trial_assert_refused(&trial, message);
    scree_trial_free(&trial);
}

static void assert_convert_fails(const char *file, const char *message)
{
    const struct scree_convert_def def = {.force = true};
    char in[200], out[200];
    snprintf(in, sizeof in, "%s", path_of(file));
    snprintf(out, sizeof out, "%s", path_of("bodies.csv"));
    assert_true(scree_convert_file(in, out, &def, NULL) != SCREE_OK);
    if (!strstr(scree_status_message(), message))
        fail_msg("'%s' is not in '%s'", message, scree_status_message());
}

static void pebbles_that_cannot_be_clumps_are_explained(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
    struct scree_world *world =
        scree_trial_run_text(PACK "record: [{frames: f, of: [bodies, pebbles], every: 1 steps}]\n", &def);
    scree_world_destroy(world);
    assert_read_refused("f-pebbles.hdf.series", "is a frame of pebbles: read the frame of bodies, which has");
    char *dump = scree_folder_read_path(SCREE_TEST_DATA "/formats/multisphere.dump", NULL);
    scree_folder_write(&scree_test_folder, "multi.dump", dump);
    free(dump);
    assert_read_refused("multi.dump",
                        "are pebbles of multispheres: make clumps by `scree convert multi.dump");
#define DUMP(columns, rows)                                                                                  \
    "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n"                \
    "ITEM: ATOMS id x y z id_multisphere " columns "\n" rows
    static const char *const rows[][2] = {
        {DUMP("", "1 0 0 0 1\n2 1 0 0 1\n"), "have no radius, which clumps need"},
        {DUMP("radius", "1 0 0 0 1 0.1\n2 1 0 0 1 0\n"), "a pebble of body 1 has no radius above 0"},
        {DUMP("radius type", "1 0 0 0 1 0.1 1\n2 1 0 0 1 0.1 2\n"), "the pebbles of body 1 differ in type"},
        {DUMP("radius", "1 0 0 0 1.5 0.1\n2 1 0 0 1 0.1\n"), "must be a whole number below 2^63, not '1.5'"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        scree_folder_write(&scree_test_folder, "bad.dump", rows[r][0]);
        assert_convert_fails("bad.dump", rows[r][1]);
    }
    // an old file of a shape is overwritten by force only
    char in[200], out[200];
    snprintf(in, sizeof in, "%s", path_of("multi.dump"));
    snprintf(out, sizeof out, "%s", path_of("new.csv"));
    scree_folder_write(&scree_test_folder, "new-shape-2.txt", "");
    assert_int_equal(scree_convert_file(in, out, NULL, NULL), SCREE_ERROR_EXISTS);
    assert_false(scree_folder_has(&scree_test_folder, "new.csv"));
}

static scree_status convert_again(void *user)
{
    (void)user;
    const struct scree_convert_def def = {.force = true};
    char out[200];
    snprintf(out, sizeof out, "%s", path_of("starved.csv"));
    return scree_convert_file(SCREE_TEST_DATA "/formats/multisphere.dump", out, &def, NULL);
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    assert_true(scree_starve(convert_again, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multispheres_of_liggghts_become_clumps),
        cmocka_unit_test(clumps_are_made_of_exact_pebbles),
        cmocka_unit_test(clumps_of_one_shape_may_differ_in_size),
        cmocka_unit_test(velocities_without_spins_give_that_of_the_centre),
        cmocka_unit_test(frames_of_pebbles_become_clumps),
        cmocka_unit_test(pebbles_that_cannot_be_clumps_are_explained),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
