// Clumps in scenes: single bodies, fillings, insertions, files, frames, restarts and messages. References:
// the numbers of the scene, and the geometry of spheres, computed here.

#include "base/memory.h"
#include "file/atomic.h"
#include "file/hdf.h"
#include "file/vtk.h"
#include "support/folder.h"
#include "support/starve.h"
#include "support/trial.h"
#include "world/grain.h"

#include <scree/convert.h>
#include <scree/measure.h>

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
    "materials: {glass: {density: 2500, young: 5 MPa, poisson: 0.2}, wax: {density: 900, young: 5 MPa, "     \
    "poisson: 0.2}}\n"                                                                                       \
    "contacts: [{between: [any, any], law: linear, stiffness: 1 kN/m, restitution: 0.5, friction: 0.4}]\n"

// A shape whose principal axes are not its axes, with given mass properties.
#define SHAPES                                                                                               \
    "clumps:\n"                                                                                              \
    "  pair: {spheres: [{radius: 2 mm, at: [-1 mm, 0, 0]}, {radius: 2 mm, at: [1 mm, 0, 0], material: "      \
    "wax}]}\n"                                                                                               \
    "  bent: {spheres: [{radius: 1 mm, at: [0, 0, 0]}, {radius: 1 mm, at: [1 mm, 1 mm, 0]}, {radius: 0.5 "   \
    "mm, at: [0, 2 mm, 0]}], mass: {given: {mass: 20 mg, centre: [0.1 mm, 0.2 mm, 0], tensor: [3e-11, "      \
    "2e-11, 4e-11, 0, 0, 5e-12]}}}\n"

static double distance(const struct scree_world *world, const double a[3], const double b[3])
{
    const double *period = scree_world_cell(world)->period;
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double d = a[k] - b[k];
        d -= period[k] > 0 ? period[k] * floor(d / period[k] + 0.5) : 0;
        square += d * d;
    }
    return sqrt(square);
}

// Fails the test if pebbles of different bodies overlap by more than rounding.
static void assert_no_overlap(struct scree_world *world)
{
    assert_int_equal(scree_grain_reserve_records(world), SCREE_OK);
    scree_grain_update_records(world, 0, NULL);
    const struct scree_grain *grain = scree_world_grains(world);
    for (size_t a = 0; a < scree_grain_count(world); ++a)
        for (size_t b = 0; b < a; ++b)
            if (grain[a].radius > 0 && grain[b].radius > 0 && grain[a].owner != grain[b].owner &&
                distance(world, grain[a].position, grain[b].position) <
                    (grain[a].radius + grain[b].radius) * (1 - 1e-12))
                fail_msg("grains %zu and %zu overlap", a, b);
}

static const struct scree_grain *pebble_of(struct scree_world *world, uint64_t body, size_t part)
{
    scree_slot slot;
    uint32_t row;
    assert_int_equal(scree_grain_reserve_records(world), SCREE_OK);
    scree_grain_update_records(world, 0, NULL);
    assert_int_equal(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_BODY), body, &slot), SCREE_OK);
    const struct scree_clump *clump = scree_grain_clump(world, slot.index);
    assert_non_null(clump);
    assert_true(
        scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_GRAIN)->pool, clump->first + part - 1, &row));
    return &scree_world_grains(world)[scree_world_bodies(world) + row];
}

static void assert_at(const struct scree_grain *grain, double x, double y, double z, double radius)
{
    // lengths of about 1 mm, and a few roundings of coordinates up to 5 cm
    const double tolerance = 1e-15;
    assert_true(fabs(grain->position[0] - x) < tolerance && fabs(grain->position[1] - y) < tolerance &&
                fabs(grain->position[2] - z) < tolerance && fabs(grain->radius - radius) < tolerance);
}

// --- single bodies

// Whether one of three moments has this value; a few roundings of the eigenvalues.
static bool has_moment(const double inertia[3], double moment)
{
    bool found = false;
    for (int k = 0; k < 3; ++k)
        found = found || fabs(inertia[k] - moment) < 1e-14 * moment;
    return found;
}

static void a_clump_has_its_pebbles_where_the_scene_says(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_build_text(
        HEAD SHAPES
        "bodies:\n"
        "  - clump: {shape: bent, scale: 2, at: [1 cm, 2 cm, 3 cm], material: glass, orientation: "
        "{axis: [0, 0, 1], angle: 90 deg}, velocity: [1, 2, 3], spin: [0, 0, 5], fixed: [x]}\n"
        "  - clump: {shape: pair, at: [5 cm, 0, 0], material: glass}\n");
    struct scree_body_state body;
    assert_int_equal(scree_body_get(world, (scree_body_id){1}, &body), SCREE_OK);
    // the mass grows with the cube of the scale, moments of inertia with its fifth power
    static const double moments[3] = {2.5 - 0.70710678118654752, 2.5 + 0.70710678118654752, 4};
    assert_true(fabs(body.mass - 160e-6) < 1e-15 * 160e-6);
    for (int k = 0; k < 3; ++k)
        assert_true(has_moment(body.inertia, 32e-11 * moments[k]));
    assert_true(body.velocity[1] == 2 && body.fixed == SCREE_FIX_X);
    // rotated by 90 degrees about z, (x, y) becomes (-y, x)
    assert_at(pebble_of(world, 1, 1), 10e-3 + 2 * 0.2e-3, 20e-3 - 2 * 0.1e-3, 30e-3, 2e-3);
    assert_at(pebble_of(world, 1, 2), 10e-3 - 2 * 0.8e-3, 20e-3 + 2 * 0.9e-3, 30e-3, 2e-3);
    assert_at(pebble_of(world, 1, 3), 10e-3 - 2 * 1.8e-3, 20e-3 - 2 * 0.1e-3, 30e-3, 1e-3);
    assert_int_equal(pebble_of(world, 1, 1)->material, 1);
    assert_int_equal(pebble_of(world, 2, 1)->material, 1);
    assert_int_equal(pebble_of(world, 2, 2)->material, 2);
    scree_world_destroy(world);
}

// Volume of two spheres of radius r whose centres are d apart: both minus the two caps of height r - d/2.
static double volume_of_pair(double r, double d)
{
    const double pi = acos(-1), h = r - d / 2;
    return 8.0 / 3 * pi * r * r * r - 2.0 / 3 * pi * h * h * (3 * r - h);
}

static void two_disks_are_a_clump_in_two_dimensions(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_build_text(
        "scree: 1\ndimension: 2\nmaterials: {glass: {density: 2500}}\n"
        "clumps: {pair: {disks: [{radius: 2 mm, at: [-2 mm, 0]}, {radius: 2 mm, at: [2 mm, 0]}], mass: "
        "{given: "
        "{mass: 3 g, centre: [0, 0], polar: 4e-8}}}}\n"
        "bodies: [clump: {shape: pair, at: [0, 1 cm], material: glass, thickness: 1 mm, scale: 2}]\n"
        "engine: {soft: {step: 1 us}}\n");
    struct scree_body_state body;
    assert_int_equal(scree_body_get(world, (scree_body_id){1}, &body), SCREE_OK);
    assert_true(fabs(body.mass - 12e-3) < 1e-17 && fabs(body.inertia[2] - 64e-8) < 1e-21);
    assert_at(pebble_of(world, 1, 2), 4e-3, 1e-2, 0, 4e-3);
    scree_world_destroy(world);
}

// --- fillings

static void fillings_with_clumps_do_not_overlap(void **state)
{
    (void)state;
    static const char *const fills[] = {"count: 60, seed: 3", "arrange: cubic", "arrange: hexagonal",
                                        "arrange: grow, porosity: 0.5",
                                        "arrange: grow, porosity: 0.45, seed: 2"};
    for (size_t f = 0; f < sizeof fills / sizeof fills[0]; ++f)
        for (int periodic = 0; periodic < 2; ++periodic) {
            char text[2000];
            snprintf(text, sizeof text,
                     HEAD SHAPES
                     "world: {box: [[0, 0, 0], [2 cm, 2 cm, 2 cm]]%s}\n"
                     "walls: [plane: {point: [0, 0, 1 mm], normal: [0, 0, 1], material: glass}]\n"
                     "bodies:\n"
                     "  - sphere: {radius: 4 mm, at: [1 cm, 1 cm, 1 cm], material: glass}\n"
                     "  - fill: {shape: {clump: {shape: pair, radius: {uniform: [1.2 mm, 1.6 mm]}}}, "
                     "%s, material: glass, inside: {box: [[0, 0, 0], [2 cm, 2 cm, 2 cm]]}}\n",
                     periodic ? ", periodic: [x, y]" : "", fills[f]);
            struct scree_world *world = scree_trial_build_text(text);
            assert_true(scree_body_count(world) > 20);
            assert_no_overlap(world);
            for (size_t g = scree_world_bodies(world); g < scree_grain_count(world); ++g)
                assert_true(scree_world_grains(world)[g].position[2] >
                            1e-3 + scree_world_grains(world)[g].radius * (1 - 1e-9));
            scree_world_destroy(world);
        }
}

static void the_porosity_of_a_filling_counts_shared_volume_once(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_build_text(
        HEAD SHAPES
        "world: {box: [[0, 0, 0], [2 cm, 2 cm, 2 cm]], periodic: [x, y, z]}\n"
        "bodies: [fill: {shape: {clump: {shape: pair}}, arrange: grow, porosity: 0.5, material: glass, "
        "inside: {box: [[0, 0, 0], [2 cm, 2 cm, 2 cm]]}}]\n");
    const double volume = volume_of_pair(2e-3, 2e-3), all = 8e-6;
    // the number is rounded to whole bodies; the volume of a pair may have an error of 1 %
    const double expected = 0.5 * all / volume, number = (double)scree_body_count(world);
    assert_true(fabs(number - expected) < 0.5 + 0.01 * expected);
    double fraction, mass = 0;
    assert_int_equal(scree_measure_solid_fraction(world, NULL, &fraction), SCREE_OK);
    assert_true(fabs(fraction - number * volume / all) < 0.01 * fraction);
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        mass += scree_world_grains(world)[i].mass;
    assert_true(fabs(mass - 2500 * number * volume) < 0.01 * mass);
    scree_world_destroy(world);
}

static void sizes_and_orientations_have_the_given_distribution(void **state)
{
    (void)state;
    static const char *const rotations[] = {"none", "about-z", "all"};
    for (int r = 0; r < 3; ++r) {
        char text[2000];
        snprintf(text, sizeof text,
                 HEAD SHAPES
                 "bodies: [fill: {shape: {clump: {shape: pair, radius: {uniform: [1 mm, 2 mm]}, rotate: "
                 "%s, orientation: {axis: [0, 0, 1], angle: 90 deg}}}, count: 1000, material: glass, "
                 "inside: {box: [[0, 0, 0], [10 cm, 10 cm, 10 cm]]}}]\n",
                 rotations[r]);
        struct scree_world *world = scree_trial_build_text(text);
        double axis[3] = {0}, size = 0;
        for (uint64_t id = 1; id <= 1000; ++id) {
            const struct scree_grain *one = pebble_of(world, id, 1), *two = pebble_of(world, id, 2);
            const double length = distance(world, one->position, two->position);
            size += length / 1000;
            for (int k = 0; k < 3; ++k)
                axis[k] += (two->position[k] - one->position[k]) * (two->position[k] - one->position[k]) /
                           (length * length) / 1000;
        }
        // mean squares of the direction of the axis; cos^2 has the standard deviation sqrt(4/45) on a sphere,
        // sqrt(1/8) on a circle: five of them over sqrt(1000) are below 0.06
        const double expected[3][3] = {{0, 1, 0}, {0.5, 0.5, 0}, {1.0 / 3, 1.0 / 3, 1.0 / 3}};
        for (int k = 0; k < 3; ++k)
            assert_true(fabs(axis[k] - expected[r][k]) < (r == 0 ? 1e-12 : 0.06));
        // the mean equal radius is 1.5 mm with the standard deviation 1/sqrt(12) mm; centres are 2 mm apart
        // for the equal radius of the shape
        const double equal = cbrt(volume_of_pair(2e-3, 2e-3) * 3 / 4 / acos(-1));
        assert_true(fabs(size - 1.5e-3 * 2e-3 / equal) <
                    5 * 0.289e-3 / sqrt(1000) * 2e-3 / equal + 1e-2 * size);
        scree_world_destroy(world);
    }
}

// --- insertion, removal and restart

#define FEED                                                                                                 \
    HEAD SHAPES "gravity: [0, 0, -9.81]\n"                                                                   \
                "world: {box: [[0, 0, 0], [4 cm, 4 cm, 8 cm]], outside: delete}\n"                           \
                "walls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}]\n"                   \
                "insert:\n"                                                                                  \
                "  - {shape: {clump: {shape: bent, radius: {uniform: [1.5 mm, 2 mm]}}}, material: glass, "   \
                "rate: {bodies: 4000}, "                                                                     \
                "group: fed, inside: {box: [[5 mm, 5 mm, 2 cm], [35 mm, 35 mm, 4 cm]]}, seed: 4}\n"          \
                "engine: {soft: {step: 5 us}}\n"

static void inserted_clumps_do_not_overlap(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1, .folder = scree_test_folder.path};
    struct scree_world *world = scree_trial_run_text(FEED "run: {until: 10 ms}\n", &def);
    // 40 are due; the last one may come a step later
    assert_in_range(scree_body_count(world), 38, 41);
    // contacts have begun: they may overlap by what gravity and 5 cm/s do in 10 ms, much below a millimetre
    const struct scree_grain *grain = scree_world_grains(world);
    double orientation = 0;
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        assert_true(grain[i].mass > 0);
        orientation += fabs(scree_world_rotors(world)[i].orientation[1]);
    }
    assert_true(orientation > 1);
    for (size_t a = scree_world_bodies(world); a < scree_grain_count(world); ++a)
        for (size_t b = scree_world_bodies(world); b < a; ++b)
            assert_true(grain[a].owner == grain[b].owner ||
                        distance(world, grain[a].position, grain[b].position) >
                            0.9 * (grain[a].radius + grain[b].radius));
    scree_world_destroy(world);
}

static void a_restart_with_clumps_continues_the_run(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
    static const char scene[] = FEED
        "run: [{until: 5 ms}, {until: 10 ms, remove: [{group: fed, inside: {box: [[0, 0, 0], [2 cm, 4 cm, 8 "
        "cm]]}}]}]\nrecord: [{checkpoint: state.chk, every: 700 steps}, {frames: f, every: 5 ms}]\n";
    struct scree_digest whole, continued;
    struct scree_world *world = scree_trial_run_text(scene, &def);
    assert_true(scree_body_count(world) > 5 && scree_body_count(world) < 40);
    assert_int_equal(scree_world_digest(world, &whole), SCREE_OK);
    scree_world_destroy(world);
    struct scree_trial trial = scree_trial_restart(scree_folder_path(&scree_test_folder, "state.chk"));
    assert_int_equal(scree_trial_run(&trial, &def), SCREE_OK);
    world = scree_trial_take_world(&trial);
    assert_int_equal(scree_world_digest(world, &continued), SCREE_OK);
    assert_memory_equal(&whole, &continued, sizeof whole);
    scree_world_destroy(world);
}

// --- files

static void bodies_of_a_file_have_shapes(void **state)
{
    (void)state;
    scree_folder_write(
        &scree_test_folder, "stones.csv",
        "x [mm],y [mm],z [mm],radius [mm],shape,qw,qx,qy,qz\n"
        "0,0,0,2,pair,1,0,0,1\n10,0,0,2,0,1,0,0,0\n20,0,0,2,2,1,0,0,0\n30,0,0,2,sphere,0,0,0,0\n");
    scree_folder_write(&scree_test_folder, "plain.csv", "x,y,z\n0,0,0.01\n");
    scree_folder_write(&scree_test_folder, "scene.yaml",
                       HEAD SHAPES
                       "bodies: [read: {file: stones.csv, material: glass}, read: {file: plain.csv, "
                       "material: wax, shape: pair}]\n");
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    assert_int_equal(scree_trial_build(&trial), SCREE_OK);
    struct scree_world *world = scree_trial_take_world(&trial);
    assert_int_equal(scree_body_count(world), 5);
    struct scree_body_state body;
    assert_int_equal(scree_body_get(world, (scree_body_id){2}, &body), SCREE_OK);
    assert_true(body.radius == 2e-3);
    assert_int_equal(scree_body_get(world, (scree_body_id){4}, &body), SCREE_OK);
    assert_true(body.radius == 2e-3);
    // the first one is rotated by 90 degrees about z
    const struct scree_grain *one = pebble_of(world, 1, 1), *two = pebble_of(world, 1, 2);
    assert_true(fabs(two->position[0] - one->position[0]) < 1e-15 && two->position[1] > one->position[1]);
    assert_int_equal(pebble_of(world, 3, 3)->part, 3);
    // without a radius in the file the shape has its own size
    assert_true(fabs(pebble_of(world, 5, 1)->radius - 2e-3) < 1e-17);
    scree_world_destroy(world);
}

// A file written from a checkpoint, read by a scene with the same shapes, gives the same pebbles.
static void a_converted_checkpoint_is_read_again_with_its_clumps(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
    struct scree_world *world = scree_trial_run_text(
        FEED "run: {until: 2 ms}\nrecord: [{checkpoint: state.chk, every: 2 ms}, {frames: f, every: 2 ms, "
             "precision: double}]\n",
        &def);
    char out[200];
    snprintf(out, sizeof out, "%s", scree_folder_path(&scree_test_folder, "state.csv"));
    const struct scree_convert_def convert = {.force = true};
    assert_int_equal(
        scree_convert_file(scree_folder_path(&scree_test_folder, "state.chk"), out, &convert, NULL),
        SCREE_OK);
    static const char *const files[] = {"state.chk", "state.csv", "f-bodies.hdf.series"};
    for (size_t f = 0; f < sizeof files / sizeof files[0]; ++f) {
        char text[2000];
        snprintf(text, sizeof text, HEAD SHAPES "bodies: [read: {file: %s, %s}]\n", files[f],
                 f == 2 ? "types: {1: {material: glass}}" : "material: glass");
        scree_folder_write(&scree_test_folder, "scene.yaml", text);
        struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
        assert_int_equal(scree_trial_build(&trial), SCREE_OK);
        struct scree_world *again = scree_trial_take_world(&trial);
        assert_int_equal(scree_body_count(again), scree_body_count(world));
        for (uint64_t id = 1; id <= scree_body_count(again); ++id)
            for (size_t part = 1; part <= 3; ++part) {
                const struct scree_grain *a = pebble_of(world, id, part), *b = pebble_of(again, id, part);
                assert_at(a, b->position[0], b->position[1], b->position[2], b->radius);
            }
        scree_world_destroy(again);
    }
    scree_world_destroy(world);
}

// Reads an array of a frame, which must have this type and number of rows.
static void *read_array(struct scree_hdf *hdf, const char *name, scree_type type, size_t rows, unsigned width)
{
    const struct scree_hdf_shape shape = {type, rows, width};
    char path[64];
    void *data = calloc(rows, 8 * (width > 0 ? width : 1));
    snprintf(path, sizeof path, "/VTKHDF/%s", name);
    if (!data || scree_hdf_read(hdf, path, &shape, data) != SCREE_OK)
        fail_msg("%s: %s", name, scree_status_message());
    return data;
}

static void frames_of_pebbles_have_their_bodies(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 2, .force = true, .folder = scree_test_folder.path};
    struct scree_world *world = scree_trial_run_text(
        FEED "bodies: [sphere: {radius: 1 mm, at: [3 cm, 3 cm, 7 cm], material: wax}]\n"
             "run: {until: 3 ms}\nrecord: [{frames: g, every: 3 ms, precision: double}]\n",
        &def);
    struct scree_hdf hdf;
    void *image;
    size_t size;
    assert_int_equal(scree_atomic_read(scree_folder_path(&scree_test_folder, "g-pebbles/000001.hdf"), 1 << 26,
                                       &image, &size),
                     SCREE_OK);
    assert_int_equal(scree_vtk_open(&hdf, "g", image, size), SCREE_OK);
    // a sphere, and three pebbles of each clump
    const size_t rows = 1 + 3 * (scree_body_count(world) - 1);
    assert_true(rows > 10);
    double *point = read_array(&hdf, "Points", SCREE_F64, rows, 3),
           *radius = read_array(&hdf, "PointData/radius", SCREE_F64, rows, 0),
           *velocity = read_array(&hdf, "PointData/velocity", SCREE_F64, rows, 3);
    int64_t *body = read_array(&hdf, "PointData/body", SCREE_I64, rows, 0),
            *part = read_array(&hdf, "PointData/part", SCREE_I64, rows, 0),
            *shape = read_array(&hdf, "PointData/shape", SCREE_I64, rows, 0);
    assert_true(body[0] == 1 && part[0] == 0 && shape[0] == 0 && radius[0] == 1e-3);
    for (size_t p = 1; p < rows; ++p) {
        assert_true(body[p] == (int64_t)((p - 1) / 3) + 2 && part[p] == (int64_t)((p - 1) % 3) + 1);
        assert_true(shape[p] == 2);
        const struct scree_grain *grain = pebble_of(world, (uint64_t)body[p], (size_t)part[p]);
        assert_true(memcmp(point + 3 * p, grain->position, sizeof grain->position) == 0 &&
                    radius[p] == grain->radius && velocity[3 * p + 2] == grain->velocity[2]);
    }
    free(point);
    free(radius);
    free(velocity);
    free(body);
    free(part);
    free(shape);
    scree_hdf_close(&hdf);
    scree_memory_free(image);
    scree_world_destroy(world);
}

// The same with shapes from files, and mistakes in them.
static void shapes_are_read_from_files(void **state)
{
    (void)state;
    scree_folder_write(&scree_test_folder, "stone.txt", "-2 0 0 2\n2 0 0 2\n");
    scree_folder_write(&scree_test_folder, "pfc.txt",
                       "clump template create pebbles 1 1 (2, 0, 0) volume 8 inertia 8 16 16 0 0 0\n");
    scree_folder_write(&scree_test_folder, "bad.txt", "0 0 0 1\n0 0 1\n");
    scree_folder_write(&scree_test_folder, "scene.yaml",
                       HEAD
                       "clumps: {stone: {file: stone.txt, unit: mm}, pfc: {file: pfc.txt, unit: cm}}\n"
                       "bodies: [clump: {shape: stone, at: [0, 0, 0], material: glass}, clump: {shape: pfc, "
                       "at: [0, 0, 1], material: glass}]\n");
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    assert_int_equal(scree_trial_build(&trial), SCREE_OK);
    struct scree_world *world = scree_trial_take_world(&trial);
    struct scree_body_state body;
    assert_true(fabs(pebble_of(world, 1, 2)->radius - 2e-3) < 1e-17);
    // volume 8 cm^3, moments of inertia over the volume 1, 2 and 2 cm^2
    assert_int_equal(scree_body_get(world, (scree_body_id){2}, &body), SCREE_OK);
    assert_true(fabs(body.mass - 20e-3) < 1e-16 && has_moment(body.inertia, 20e-3 * 1e-4) &&
                has_moment(body.inertia, 20e-3 * 2e-4));
    assert_at(pebble_of(world, 2, 1), 2e-2, 0, 1, 1e-2);
    scree_world_destroy(world);
    scree_folder_write(&scree_test_folder, "scene.yaml",
                       HEAD "clumps: {stone: {file: bad.txt}}\n"
                            "bodies: [clump: {shape: stone, at: [0, 0, 0], material: glass}]\n");
    trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    (void)scree_trial_build(&trial);
    scree_trial_assert_refused(&trial, "bad.txt:2:1: a pebble has 4 numbers");
    scree_trial_free(&trial);
}

// --- mistakes

static void mistakes_with_clumps_are_explained(void **state)
{
    (void)state;
#define SINGLE(keys) HEAD SHAPES "bodies: [clump: {" keys ", at: [0, 0, 0], material: glass}]\n"
#define FLAT "scree: 1\ndimension: 2\nmaterials: {glass: {density: 2500}}\n"
    static const char *const rows[][2] = {
        {SINGLE("shape: pear"), "there is no shape 'pear': did you mean 'pair'?"},
        {HEAD "bodies: [clump: {shape: pair, at: [0, 0, 0], material: glass}]\n",
         "there is no shape 'pair'; the scene defines none"},
        {SINGLE("shape: pair, scale: 0"), "scale"},
        {SINGLE("shape: pair, thickness: 1 mm"), "in three dimensions a clump has no 'thickness'"},
        {FLAT "clumps: {pair: {disks: [{radius: 1, at: [0, 0]}]}}\n"
              "bodies: [clump: {shape: pair, at: [0, 0], material: glass}]\n",
         "in two dimensions a clump needs a 'thickness'"},
        {FLAT "clumps: {pair: {spheres: [{radius: 1, at: [0, 0]}]}}\n"
              "bodies: [clump: {shape: pair, at: [0, 0], material: glass, thickness: 1}]\n",
         "in two dimensions a clump is made of 'disks'"},
        {FLAT "clumps: {pair: {disks: [{radius: 1, at: [0, 0, 1]}]}}\n"
              "bodies: [clump: {shape: pair, at: [0, 0], material: glass, thickness: 1}]\n",
         "scene.yaml:4"},
        {HEAD
         "clumps: {pair: {spheres: []}}\nbodies: [clump: {shape: pair, at: [0, 0, 0], material: glass}]\n",
         "a clump has from 1 to 10000 pebbles; this one has 0"},
        {HEAD "clumps: {pair: {spheres: [{radius: 1, at: [0, 0, 0], material: wx}]}}\n",
         "there is no material 'wx'"},
        {HEAD
         "clumps: {pair: {spheres: [{radius: 1, at: [0, 0, 0]}], mass: {given: {mass: 1, centre: [0, 0, 0], "
         "inertia: [1, 1, 3]}}}}\nbodies: [clump: {shape: pair, at: [0, 0, 0], material: glass}]\n",
         "are not possible"},
        {HEAD "clumps: {pair: {file: none.txt, unit: kg}}\n"
              "bodies: [clump: {shape: pair, at: [0, 0, 0], material: glass}]\n",
         "'kg' is not a unit of length, such as mm"},
        {HEAD "clumps: {pair: {file: none.txt}}\n"
              "bodies: [clump: {shape: pair, at: [0, 0, 0], material: glass}]\n",
         "none.txt"},
        {"scree: 1\nmaterials: {glass: {young: 1 MPa}}\nclumps: {pair: {spheres: [{radius: 1, at: [0, 0, "
         "0]}]}}\n"
         "bodies: [clump: {shape: pair, at: [0, 0, 0], material: glass}]\n",
         "density"},
        {HEAD SHAPES
         "bodies: [fill: {shape: {clump: {shape: pair, radius: 4 mm}}, count: 2, material: glass, inside: "
         "{box: [[0, 0, 0], [1 cm, 1 cm, 1 cm]]}}]\n",
         " of 2 could be placed without overlap"},
        {HEAD SHAPES "insert: [{shape: {clump: {shape: pair, radius: 1 cm}}, rate: {bodies: 2}, material: "
                     "glass, inside: {box: "
                     "[[0, 0, 0], [2 cm, 2 cm, 2 cm]]}}]\n",
         "does not fit into an insertion region"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_RUN, rows[r][1], "%s%s", rows[r][0], "run: {steps: 1}\n");
}

static void each_failed_allocation_with_clumps_is_reported(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
    static const char scene[] = HEAD SHAPES
        "bodies:\n"
        "  - clump: {shape: bent, at: [0, 0, 5 cm], material: glass}\n"
        "  - fill: {shape: {clump: {shape: pair}}, count: 3, material: glass, inside: {box: [[0, 0, 0], "
        "[2 cm, 2 cm, 2 cm]]}}\n"
        "  - fill: {shape: {clump: {shape: pair}}, count: 2, arrange: grow, material: glass, inside: "
        "{box: [[3 cm, 0, 0], [5 cm, 2 cm, 2 cm]]}}\n"
        "engine: {soft: {step: 1 us}}\nrun: {steps: 1}\nrecord: [{frames: f, every: 1 steps}]\n";
    (void)scree_trial_starve(SCREE_TRIAL_RUN, scene, &def);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clump_has_its_pebbles_where_the_scene_says),
        cmocka_unit_test(two_disks_are_a_clump_in_two_dimensions),
        cmocka_unit_test(fillings_with_clumps_do_not_overlap),
        cmocka_unit_test(the_porosity_of_a_filling_counts_shared_volume_once),
        cmocka_unit_test(sizes_and_orientations_have_the_given_distribution),
        cmocka_unit_test(inserted_clumps_do_not_overlap),
        cmocka_unit_test(a_restart_with_clumps_continues_the_run),
        cmocka_unit_test(bodies_of_a_file_have_shapes),
        cmocka_unit_test(a_converted_checkpoint_is_read_again_with_its_clumps),
        cmocka_unit_test(frames_of_pebbles_have_their_bodies),
        cmocka_unit_test(shapes_are_read_from_files),
        cmocka_unit_test(mistakes_with_clumps_are_explained),
        cmocka_unit_test(each_failed_allocation_with_clumps_is_reported),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
