// Polyhedra in scenes: named shapes, fillings, insertions, blocks, meshes, files, restarts and messages.
// References: closed forms of volumes, the distance of rounded bodies, and the numbers of the scene.

#include "convex/pair.h"
#include "support/folder.h"
#include "support/starve.h"
#include "support/trial.h"
#include "world/grain.h"
#include "world/polyhedron.h"

#include <scree/compare.h>
#include <scree/contact.h>
#include <scree/polyhedron.h>

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
    "materials: {stone: {density: 2500}}\n"                                                                  \
    "contacts: [{between: [any, any], law: linear, stiffness: 10 kN/m, restitution: 0.5, friction: 0.4}]\n"

#define SHAPES                                                                                               \
    "polyhedra:\n"                                                                                           \
    "  die: {cube: {edge: 1 cm}, rounding: 0.5 mm}\n"                                                        \
    "  brick: {box: [1 cm, 2 cm, 3 cm], rounding: 0.5 mm}\n"                                                 \
    "  rock: {vertices: [[0, 0, 0], [1 cm, 0, 0], [0, 1 cm, 0], [0, 0, 1 cm]], rounding: 0.2 mm}\n"

static size_t shapes_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_SHAPE)->count;
}

static struct scree_convex_body body_of(const struct scree_world *world, size_t slot)
{
    const struct scree_shape *shape = scree_polyhedron_of(world, slot);
    assert_non_null(shape);
    return (struct scree_convex_body){shape->hull, scree_vec3_load(scree_world_grains(world)[slot].position),
                                      scree_grain_axes(world, slot), shape->rounding};
}

// The smallest gap of a body to all others.
static double gap_of(const struct scree_world *world, size_t slot)
{
    const struct scree_convex_body body = body_of(world, slot);
    double least = (double)INFINITY;
    for (size_t other = 0; other < scree_world_bodies(world); ++other) {
        if (other == slot)
            continue;
        const struct scree_convex_body with = body_of(world, other);
        const double gap = scree_convex_distance(&body, &with).gap;
        least = gap < least ? gap : least;
    }
    return least;
}

// --- named shapes

static void shapes_have_the_volume_of_their_closed_form(void **state)
{
    (void)state;
    // sharp, since the volume of a rounded body has no short form; edges of 1 cm and a scale of 2
    struct scree_world *world = scree_trial_build_text(
        "scree: 1\nmaterials: {stone: {density: 2500}}\n"
        "polyhedra: {a: {cube: {edge: 1 cm}}, b: {tetrahedron: {edge: 1 cm}}, c: {octahedron: {edge: 1 cm}}, "
        "d: {dodecahedron: {edge: 1 cm}}, e: {icosahedron: {edge: 1 cm}}, f: {prism: {sides: 6, radius: 1 "
        "cm, "
        "height: 3 cm}}, g: {box: [1 cm, 2 cm, 3 cm]}}\n"
        "bodies:\n"
        "  - polyhedron: {shape: a, scale: 2, at: [0, 0, 0], material: stone}\n"
        "  - polyhedron: {shape: b, scale: 2, at: [0, 0, 1], material: stone}\n"
        "  - polyhedron: {shape: c, scale: 2, at: [0, 0, 2], material: stone}\n"
        "  - polyhedron: {shape: d, scale: 2, at: [0, 0, 3], material: stone}\n"
        "  - polyhedron: {shape: e, scale: 2, at: [0, 0, 4], material: stone}\n"
        "  - polyhedron: {shape: f, scale: 2, at: [0, 0, 5], material: stone}\n"
        "  - polyhedron: {shape: g, scale: 2, at: [0, 0, 6], material: stone}\n"
        "engine: {soft: {step: 1 us}}\n");
    const double volume[7] = {1,
                              1 / (6 * sqrt(2)),
                              sqrt(2) / 3,
                              (15 + 7 * sqrt(5)) / 4,
                              5 * (3 + sqrt(5)) / 12,
                              3 * sqrt(3) / 2 * 3,
                              6};
    for (uint64_t b = 0; b < 7; ++b) {
        struct scree_body_state body;
        assert_int_equal(scree_body_get(world, (scree_body_id){b + 1}, &body), SCREE_OK);
        const double mass = 2500 * 8e-6 * volume[b];
        // sums over some tens of terms of corners with a few round-offs each
        assert_true(fabs(body.mass - mass) < 1e-13 * mass);
    }
    scree_world_destroy(world);
}

static void a_body_lies_as_its_vertices_are_written(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_build_text(
        HEAD SHAPES "bodies: [polyhedron: {shape: rock, scale: 2, at: [5 mm, 5 mm, 5 mm], material: stone, "
                    "orientation: {axis: [0, 0, 1], angle: 90 deg}, velocity: [1, 2, 3], fixed: [x]}]\n");
    struct scree_body_state body;
    double lower[3], upper[3];
    assert_int_equal(scree_body_get(world, (scree_body_id){1}, &body), SCREE_OK);
    assert_true(body.velocity[1] == 2 && body.fixed == SCREE_FIX_X);
    // the faces of the tetrahedron on the planes of coordinates are 2 cm wide, apart from the rounding, and
    // its centre is a quarter of the way from the right angle; (x, y) becomes (-y, x)
    assert_true(scree_polyhedron_bounds(world, 0, lower, upper));
    const double centre = 5e-3, wide = 15e-3;
    // the corners are rounded away, the faces stay; the centre of the rounded body is nearer to the corner
    assert_true(fabs(upper[0] - 5e-3 - centre) < 1e-4 && fabs(lower[1] - 5e-3 + centre) < 1e-4);
    assert_true(lower[0] - 5e-3 > -wide && lower[0] - 5e-3 < -0.7 * wide);
    assert_true(upper[1] - 5e-3 < wide && upper[1] - 5e-3 > 0.7 * wide);
    scree_world_destroy(world);
}

// --- fillings and insertions

#define FILL                                                                                                 \
    "bodies: [fill: {shape: {polyhedron: {shape: brick%s}}, count: 60, material: stone, seed: 3, inside: "   \
    "{box: [[0, 0, 0], [20 cm, 20 cm, 20 cm]]}}]\n"

static struct scree_world *fill(const char *keys)
{
    char text[1200];
    snprintf(text, sizeof text, HEAD SHAPES FILL, keys);
    return scree_trial_build_text(text);
}

static void fillings_with_polyhedra_do_not_overlap(void **state)
{
    (void)state;
    struct scree_world *world = fill(", radius: {uniform: [8 mm, 16 mm]}");
    double turned = 0;
    assert_int_equal(scree_world_bodies(world), 60);
    assert_int_equal(shapes_of(world), 60);
    for (size_t b = 0; b < 60; ++b) {
        double lower[3], upper[3];
        const double radius = scree_grain_equal_radius(world, b);
        assert_true(gap_of(world, b) > 0);
        assert_true(radius > 8e-3 && radius < 16e-3);
        assert_true(scree_polyhedron_bounds(world, b, lower, upper));
        for (int k = 0; k < 3; ++k)
            assert_true(lower[k] >= 0 && upper[k] <= 0.2);
        turned += fabs(scree_world_rotors(world)[b].orientation[1]);
    }
    // the mean of a component of a random unit quaternion is 4 / (3 pi) = 0.42, its deviation 0.26 / sqrt(60)
    assert_true(fabs(turned / 60 - 0.42) < 5 * 0.034);
    scree_world_destroy(world);
}

static void bodies_of_one_size_share_a_shape(void **state)
{
    (void)state;
    struct scree_world *world = fill(", rotate: none");
    assert_int_equal(shapes_of(world), 1);
    // the size that was written: the volume is 6 cm^3 less what the rounding takes away
    const struct scree_shape *shape = scree_polyhedron_of(world, 0);
    assert_true(shape->volume < 6e-6 && shape->volume > 0.98 * 6e-6 && shape->rounding == 0.5e-3);
    scree_world_destroy(world);
    world = fill(", radius: {classes: [[8 mm, 50 %], [10 mm, 50 %]]}");
    assert_int_equal(shapes_of(world), 2);
    scree_world_destroy(world);
}

static void a_restart_with_polyhedra_continues_the_run(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
    static const char scene[] =
        HEAD SHAPES "gravity: [0, 0, -9.81]\nwalls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: "
                    "stone}]\n"
                    "insert: [{shape: {polyhedron: {shape: die, radius: {uniform: [3 mm, 6 mm]}}}, material: "
                    "stone, velocity: [0, 0, -1], rate: {bodies: 1000 1/s}, inside: {box: [[0, 0, 0], [5 cm, "
                    "5 cm, 3 cm]]}}]\n"
                    "run: {until: 20 ms}\nrecord: [{checkpoint: state.chk, every: 10 ms}]\n";
    struct scree_digest whole, continued;
    struct scree_world *world = scree_trial_run_text(scene, &def);
    assert_true(scree_world_bodies(world) > 5);
    assert_int_equal(scree_world_digest(world, &whole), SCREE_OK);
    scree_world_destroy(world);
    struct scree_trial trial = scree_trial_restart(scree_folder_path(&scree_test_folder, "state.chk"));
    assert_int_equal(scree_trial_run(&trial, &def), SCREE_OK);
    world = scree_trial_take_world(&trial);
    assert_int_equal(scree_world_digest(world, &continued), SCREE_OK);
    assert_memory_equal(&whole, &continued, sizeof whole);
    scree_world_destroy(world);
}

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
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path},
                               half = {.threads = 1,
                                       .force = true,
                                       .folder = scree_test_folder.path,
                                       .until = 0.01};
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
    const struct scree_run_def rest = {
        .threads = 1, .force = true, .folder = scree_test_folder.path, .until = 0.02};
    assert_int_equal(scree_trial_run(&trial, &rest), SCREE_OK);
    world = scree_trial_take_world(&trial);
    assert_int_equal(scree_world_digest(world, &continued), SCREE_OK);
    assert_memory_equal(&whole, &continued, sizeof whole);
    scree_world_destroy(world);
}

// --- blocks

static void blocks_fill_their_box_and_touch_without_overlap(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_build_text(
        HEAD
        "bodies: [{blocks: {inside: {box: [[1, 2, 3], [2, 2.5, 3.4]]}, count: 40, rounding: 1 um, material: "
        "stone, seed: 2, velocity: [0, 1, 0], fixed: [z]}, group: wall}]\n");
    double mass = 0;
    assert_int_equal(scree_world_bodies(world), 40);
    for (size_t b = 0; b < 40; ++b) {
        const struct scree_grain *grain = &scree_world_grains(world)[b];
        mass += grain->mass;
        assert_true(grain->velocity[1] == 1 && grain->flags & SCREE_FIX_Z);
        // coordinates up to 4 with some round-offs each
        const double gap = gap_of(world, b);
        assert_true(fabs(gap) < 40 * 4 * 0x1p-53);
    }
    // a rounding r takes at most r^2 per length of an edge from the volume; a block has less than 100 edges,
    // none longer than 1.2 m
    const double whole = 2500 * 0.2;
    assert_true(mass < whole * (1 + 1e-14) && mass > whole - 2500 * 40 * 100 * 1.2 * 1e-12);
    scree_world_destroy(world);
}

static void blocks_stay_at_rest_where_nothing_moves_them(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1};
    struct scree_world *world = scree_trial_run_text(
        HEAD
        "bodies: [blocks: {inside: {box: [[0, 0, 0], [1, 0.5, 0.4]]}, count: 30, rounding: 5 mm, material: "
        "stone, relax: 3}]\nrun: {steps: 20}\n",
        &def);
    // an overlap of 100 round-offs of 1 m would be a force of 1e-10 N on a block of several kilograms
    for (size_t b = 0; b < 30; ++b)
        assert_true(scree_vec3_norm(scree_vec3_load(scree_world_grains(world)[b].velocity)) < 1e-12);
    scree_world_destroy(world);
}

static double deviation_of_masses(const char *relax)
{
    char text[700];
    double sum = 0, square = 0;
    snprintf(text, sizeof text,
             HEAD
             "bodies: [blocks: {inside: {box: [[0, 0, 0], [1, 1, 1]]}, count: 60, rounding: 1 um, material: "
             "stone, gap: 1 mm%s}]\n",
             relax);
    struct scree_world *world = scree_trial_build_text(text);
    for (size_t b = 0; b < 60; ++b) {
        const double mass = scree_world_grains(world)[b].mass;
        sum += mass;
        square += mass * mass;
        // joints of 1 mm
        assert_true(fabs(gap_of(world, b) - 1e-3) < 1e-12);
    }
    scree_world_destroy(world);
    return sqrt(square / 60 - sum * sum / 3600) / (sum / 60);
}

static void relaxed_blocks_are_more_equal(void **state)
{
    (void)state;
    // the volumes of the cells of random points have a relative deviation of about 0.42
    const double random = deviation_of_masses("");
    assert_true(random > 0.25 && random < 0.6);
    assert_true(deviation_of_masses(", relax: 4") < 0.5 * random);
}

// --- files

static void write_obj(const char *name, double notch)
{
    char text[500];
    // a box of 2 x 1 x 1 whose edges on the top are moved down in the middle by `notch`
    snprintf(text, sizeof text,
             "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\n"
             "v 0 0 1\nv 1 0 %g\nv 2 0 1\nv 0 1 1\nv 1 1 %g\nv 2 1 1\n"
             "f 1 4 5 2\nf 2 5 6 3\nf 7 8 11 10\nf 8 9 12 11\nf 1 2 8 7\nf 2 3 9 8\n"
             "f 4 10 11 5\nf 5 11 12 6\nf 1 7 10 4\nf 3 6 12 9\n",
             1 - notch, 1 - notch);
    scree_folder_write(&scree_test_folder, name, text);
}

static void convex_meshes_are_shapes_and_others_are_refused(void **state)
{
    (void)state;
    write_obj("block.obj", 0);
    write_obj("dent.obj", 0.1);
    scree_folder_write(&scree_test_folder, "open.obj",
                       "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n");
    scree_folder_write(&scree_test_folder, "scene.yaml",
                       HEAD "polyhedra: {block: {mesh: {file: block.obj, unit: cm}, rounding: 1 mm}}\n"
                            "bodies: [polyhedron: {shape: block, at: [0, 0, 0], material: stone}]\n");
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    assert_int_equal(scree_trial_build(&trial), SCREE_OK);
    struct scree_world *world = scree_trial_take_world(&trial);
    double lower[3], upper[3];
    assert_true(scree_polyhedron_bounds(world, 0, lower, upper));
    // the error of coordinates is that of the digits in the file
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(upper[k] - (k == 0 ? 1e-2 : 0.5e-2)) < 1e-6 && fabs(lower[k] + upper[k]) < 1e-6);
    assert_int_equal(scree_polyhedron_of(world, 0)->vertices, 8);
    scree_world_destroy(world);
    static const char *const refused[][2] = {
        {"dent.obj", "is inside of the convex hull"},
        {"open.obj", "the mesh is not closed: of 6 edges, 3 have one facet"},
        {"none.obj", "none.obj"},
    };
    for (size_t r = 0; r < sizeof refused / sizeof refused[0]; ++r) {
        char text[600];
        snprintf(text, sizeof text, HEAD "polyhedra: {block: {mesh: {file: %s, unit: cm}}}\n", refused[r][0]);
        scree_folder_write(&scree_test_folder, "scene.yaml", text);
        trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
        (void)scree_trial_build(&trial);
        scree_trial_assert_refused(&trial, refused[r][1]);
        scree_trial_free(&trial);
    }
}

static void polyhedra_of_a_file_have_shape_place_and_size(void **state)
{
    (void)state;
    scree_folder_write(&scree_test_folder, "dice.csv",
                       "x [mm],y [mm],z [mm],radius [mm],shape,qw,qx,qy,qz\n"
                       "0,0,0,20,brick,1,0,0,1\n100,0,0,3,0,1,0,0,0\n200,0,0,6,die,1,0,0,0\n");
    scree_folder_write(&scree_test_folder, "plain.csv", "x,y,z\n0,0,0.5\n");
    scree_folder_write(&scree_test_folder, "scene.yaml",
                       HEAD SHAPES
                       "bodies: [read: {file: dice.csv, material: stone}, read: {file: plain.csv, "
                       "material: stone, shape: die}]\n");
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    assert_int_equal(scree_trial_build(&trial), SCREE_OK);
    struct scree_world *world = scree_trial_take_world(&trial);
    double lower[3], upper[3], size = 0.02 / scree_grain_equal_radius(world, 0);
    assert_int_equal(scree_world_bodies(world), 4);
    assert_true(fabs(size - 1) < 1e-14 && !scree_polyhedron_of(world, 1));
    // the brick of edges 1 to 2 is rotated by 90 degrees about z
    assert_true(scree_polyhedron_bounds(world, 0, lower, upper));
    assert_true(fabs((upper[0] - lower[0]) / (upper[1] - lower[1]) - 2) < 1e-13);
    // the volume is that of the sphere
    struct scree_body_state body;
    assert_int_equal(scree_body_get(world, (scree_body_id){3}, &body), SCREE_OK);
    const double mass = 2500 * 4.0 / 3 * acos(-1) * 216e-9;
    assert_true(fabs(body.mass - mass) < 1e-13 * mass && body.position[0] == 0.2);
    // without a radius in the file the shape has its own size
    assert_true(scree_polyhedron_bounds(world, 3, lower, upper));
    assert_true(fabs(upper[0] - 5e-3) < 1e-15 && upper[2] - 0.505 < 1e-15);
    scree_world_destroy(world);
}

// --- measurements

static void the_largest_overlap_is_a_fraction_of_the_length_of_its_alarm(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1};
    // a die of 1 cm with a rounding of 0.5 mm overlaps others by 0.05 mm: another die, a sphere of 2 mm, a
    // plane
    static const char *const other[3] = {
        "{polyhedron: {shape: die, at: [9.95 mm, 1 mm, 2 mm], material: stone}}]\n",
        "{sphere: {radius: 2 mm, at: [6.95 mm, 1 mm, 2 mm], material: stone}}]\n",
        "]\nwalls: [plane: {point: [-4.95 mm, 0, 0], normal: [1, 0, 0], material: stone}]\n"};
    const double length[3] = {1e-3, 2.5e-3, sqrt(3) * 4.5e-3 + 0.5e-3};
    for (int k = 0; k < 3; ++k) {
        char text[900];
        double fraction;
        snprintf(text, sizeof text,
                 HEAD SHAPES "bodies: [{polyhedron: {shape: die, at: [0, 0, 0], material: stone}}, %s"
                             "engine: {soft: {step: 1 ns}}\nrun: {steps: 1}\n",
                 other[k]);
        struct scree_world *world = scree_trial_run_text(text, &def);
        assert_int_equal(scree_measure_max_overlap(world, &fraction), SCREE_OK);
        // round-offs of coordinates of 1 cm, and the motion: h^2 times the force of 0.5 N over 84 mg
        assert_true(fabs(fraction * length[k] - 5e-5) < 1e-2 * 10 * 0x1p-53 + 6e-15);
        scree_world_destroy(world);
    }
}

// --- files

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
        const bool shaped = scree_polyhedron_bounds(before, id - 1, lower[0], upper[0]);
        assert_true(shaped == (id < 3));
        assert_true(scree_polyhedron_bounds(world, id - 1, lower[1], upper[1]) == shaped);
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

// --- mistakes

static void mistakes_with_polyhedra_are_explained(void **state)
{
    (void)state;
#define SINGLE(keys) HEAD SHAPES "bodies: [polyhedron: {" keys ", at: [0, 0, 0], material: stone}]\n"
#define BLOCKS(keys) HEAD "bodies: [blocks: {" keys ", material: stone}]\n"
#define BOX "inside: {box: [[0, 0, 0], [1, 1, 1]]}"
    static const char *const rows[][2] = {
        {SINGLE("shape: dice"), "there is no shape 'dice': did you mean 'die'?"},
        {SINGLE("shape: die, rounding: 1 mm"), "'rounding' and 'shape' exclude each other"},
        {SINGLE("box: [1, 1, 1], scale: 2"), "scale"},
        {SINGLE("shape: die, box: [1, 1, 1]"), "needs exactly one of box, vertices, shape"},
        {HEAD SHAPES "bodies: [clump: {shape: die, at: [0, 0, 0], material: stone}]\n",
         "the shape 'die' has no pebbles (`clumps`), only faces (`polyhedra`)"},
        {HEAD "polyhedra: {7: {cube: {edge: 1}}}\n", "must not be a number: '7'"},
        {HEAD "polyhedra: {-1: {cube: {edge: 1}}}\n", "must not be a number: '-1'"},
        {HEAD "polyhedra: {a: {cube: {edge: 1}, vertex-error: 1 um}}\n", "'vertex-error'"},
        {HEAD "polyhedra: {\"\": {cube: {edge: 1}}}\n", "the name of a shape must not be empty"},
        {HEAD "polyhedra: {sphere: {cube: {edge: 1}}}\n", "the name of a shape must not be 'sphere'"},
        {HEAD "clumps: {disk: {spheres: [{radius: 1, at: [0, 0, 0]}]}}\n",
         "the name of a clump must not be 'disk'"},
        {HEAD SHAPES "bodies:\n  - polyhedron: {shape: die, at: [0, 0, 0], material: stone}\n"
                     "  - polyhedron: {shape: die, at: [2 cm, 0, 0], material: stone}\n"
                     "bonds: [{contact: {normal-stiffness: 1e5, shear-stiffness: 5e4, tensile-strength: 10 "
                     "N}, gap: 1 cm}]\n",
         "could bond (polyhedra have no bonds)"},
        {HEAD "polyhedra: {a: {cube: {edge: 1}}}\nclumps: {a: {spheres: [{radius: 1, at: [0, 0, 0]}]}}\n",
         "a clump is named 'a' too"},
        {HEAD "polyhedra: {a: {cube: {edge: 1}, rounding: 0.5}}\n",
         "rounding radius 0.5 m is too large: no part of the body is so deep; it can be at most 0.4995 m"},
        // the centre of the inscribed sphere of these three edges is at (3 - sqrt(3)) / 6 = 0.2113
        {HEAD "polyhedra: {a: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], rounding: 1}}\n",
         "it can be at most 0.2111 m"},
        {HEAD "polyhedra: {a: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 0]]}}\n",
         "the vertices 3 and 5 of a shape are equal"},
        {HEAD "polyhedra: {a: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]}}\n",
         "1 of the 5 vertices of a shape are not on its convex hull"},
        {HEAD "polyhedra: {a: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}}\n",
         "at least 4 vertices; got 3"},
        {HEAD "polyhedra: {a: {cube: {edge: 1}, box: [1, 1, 1]}}\n", "needs exactly one of box"},
        {HEAD "polyhedra: {a: {prism: {sides: 65, radius: 1, height: 1}}}\n", "64"},
        {"scree: 1\ndimension: 2\npolyhedra: {a: {cube: {edge: 1}}}\n", "polyhedra need three dimensions"},
        {"scree: 1\ndimension: 2\nmaterials: {stone: {density: 1}}\nbodies: [blocks: {inside: {box: [[0, 0], "
         "[1, "
         "1]]}, count: 2, rounding: 1 mm, material: stone}]\n",
         "three dimensions"},
        {BLOCKS("inside: {sphere: {centre: [0, 0, 0], radius: 1}}, count: 2, rounding: 1 mm"),
         "blocks are cut from a `box`"},
        {BLOCKS(BOX ", count: 50, rounding: 10 cm"), "of 50, at ("},
        {BLOCKS(BOX ", count: 50"), "needs 'rounding'"},
        {BLOCKS(BOX ", count: 50, rounding: 1 mm, gap: 50 cm"),
         "the gap of 0.5 m leaves nothing of the blocks "},
        {BLOCKS(BOX ", count: 1, rounding: 1 mm, gap: 1 mm"), "a single block has no joints"},
        {BLOCKS("inside: {box: [[1e12, 0, 0], [1000000000001, 1, 1]]}, count: 9, rounding: 1 mm"),
         "of the radius: place it nearer to the origin"},
        {HEAD SHAPES
         "bodies: [fill: {shape: {polyhedron: {shape: die}}, count: 200, material: stone, inside: "
         "{box: [[0, 0, 0], [5 cm, 5 cm, 5 cm]]}}]\n",
         "solid fraction"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_RUN, rows[r][1], "%s%s", rows[r][0], "run: {steps: 1}\n");
}

// A scene with a prism that stands on a plane, given by its vertices.
static const char *write_prism(int sides)
{
    static char text[16384];
    size_t used =
        (size_t)snprintf(text, sizeof text, "%s",
                         HEAD "walls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: "
                              "stone}]\nengine: {soft: {step: 1 us}}\n"
                              "bodies: [polyhedron: {shape: a, at: [0, 0, 0.49999], material: stone}]\n"
                              "run: {steps: 2}\npolyhedra: {a: {rounding: 0.1, vertices: [");
    for (int v = 0; v < 2 * sides; ++v) {
        const double angle = 2 * SCREE_PI * (v / 2) / sides;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s[%.15f, %.15f, %d]", v > 0 ? ", " : "",
                                 cos(angle), sin(angle), v % 2);
    }
    (void)snprintf(text + used, sizeof text - used, "]}}\n");
    return text;
}

// A contact at each corner: there is room for 64.
static void a_shape_with_too_many_corners_on_a_face_is_refused(void **state)
{
    (void)state;
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, write_prism(65));
    (void)scree_trial_build(&trial);
    scree_trial_assert_refused(&trial, "a face of a polyhedron has 65 corners");
    scree_trial_free(&trial);
    struct scree_world *world = scree_trial_run_text(write_prism(64), &(struct scree_run_def){.threads = 1});
    assert_int_equal(scree_contact_count(world), 64);
    scree_world_destroy(world);
}

// A block that is too far from the origin is not helped by a smaller rounding.
static void advice_fits_the_mistake(void **state)
{
    (void)state;
    struct scree_trial trial = scree_trial_read(
        SCREE_TRIAL_SCENE,
        HEAD "bodies: [blocks: {inside: {box: [[1e12, 0, 0], [1000000000001, 1, 1]]}, count: 9, rounding: 1 "
             "mm, material: stone}]\n");
    (void)scree_trial_build(&trial);
    scree_trial_assert_refused(&trial, "place it nearer to the origin");
    assert_null(strstr(scree_trial_message(&trial), "rounding`"));
    scree_trial_free(&trial);
    // some of the random points are nearer than 10 cm, none of the relaxed ones
#define JOINTS "inside: {box: [[0, 0, 0], [1, 1, 1]]}, count: 50, rounding: 1 um, gap: 10 cm, material: stone"
    scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, "or a few rounds of `relax`, allow a larger gap",
                                    HEAD "bodies: [blocks: {" JOINTS "}]\n");
    trial = scree_trial_read(SCREE_TRIAL_SCENE, HEAD "bodies: [blocks: {" JOINTS ", relax: 5}]\n");
    assert_int_equal(scree_trial_build(&trial), SCREE_OK);
    scree_world_destroy(scree_trial_take_world(&trial));
}

static void what_polyhedra_must_not_touch_is_reported_at_its_entry(void **state)
{
    (void)state;
#define RECTANGLE                                                                                            \
    "walls: [rectangle: {corner: [-1, -1, 0], edges: [[2, 0, 0], [0, 2, 0]], material: stone}]\n"
#define TUBE "walls: [cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 50 cm, material: stone}]\n"
#define PLANE "walls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: stone}]\n"
#define LATE(shape, keys)                                                                                    \
    "polyhedra: {cut: {cube: {edge: 2 cm}}, dull: {cube: {edge: 2 cm}, rounding: 1 mm}}\n"                   \
    "bodies: [sphere: {radius: 1 cm, at: [0, 0, 5 cm], material: stone}]\n"                                  \
    "insert: [{shape: {polyhedron: {shape: " shape "}}, material: stone, rate: {bodies: 50 1/s}, from: 10 "  \
    "ms, inside: {box: [[0, 0, 10 cm], [5 cm, 5 cm, 20 "                                                     \
    "cm]]}" keys "}]\n"
#define PAIR "{between: [any, any], "
#define REST "restitution: 0.5, friction: 0.4}"
#define GLASS "scree: 1\nmaterials: {stone: {density: 2500, young: 1 GPa, poisson: 0.3}}\ncontacts: [" PAIR
    // the scenes run for 1 us, so that nothing is inserted; the second line of LATE is that of the insertion
    static const char *const rows[][3] = {
        {HEAD RECTANGLE LATE("dull", ""), "wall 1 is a rectangle with which polyhedra could touch", ":7:"},
        {HEAD LATE("cut", ""), "polyhedra of the material 'stone' have no rounding", ":6:"},
        {HEAD TUBE LATE("cut", ", count: 1"),
         "of the material 'stone' has no rounding, but could touch wall 1", ":7:"},
        {GLASS "law: hertz-mindlin, " REST "]\n" LATE("cut", ", count: 1"),
         "a polyhedron that can touch a sphere has none", ":6:"},
        {GLASS "law: linear, stiffness: 1 kN/m, " REST
               "]\n" LATE("cut", ", count: 1") "run: [{until: 1 us}, {until: 2 us, contacts: [" PAIR
                                               "law: hertz-mindlin, " REST "]}]\n",
         "a polyhedron that can touch a sphere has none", ":7:"},
        {HEAD RECTANGLE SHAPES "bodies:\n  - sphere: {radius: 1 cm, at: [0, 0, 5 cm], material: stone}\n"
                               "  - polyhedron: {shape: die, at: [0, 0, 1], material: stone}\n",
         "wall 1 is a rectangle with which polyhedra could touch", ":11:"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        for (int part = 1; part < 3; ++part)
            scree_trial_assert_text_refused(SCREE_TRIAL_BUILD, rows[r][part], "%s%s", rows[r][0],
                                            strstr(rows[r][0], "run:") ? "" : "run: {until: 1 us}\n");
    // one body without a rounding touches spheres and walls that are thick
    static const char *const good[] = {HEAD PLANE LATE("cut", ", count: 1"), HEAD TUBE LATE("dull", "")};
    for (size_t g = 0; g < sizeof good / sizeof good[0]; ++g)
        scree_world_destroy(scree_trial_build_text(good[g]));
}

static void each_failed_allocation_with_polyhedra_is_reported(void **state)
{
    (void)state;
    static const char scene[] = HEAD SHAPES
        "bodies:\n"
        "  - polyhedron: {shape: rock, at: [0, 0, 5 cm], material: stone}\n"
        "  - fill: {shape: {polyhedron: {shape: die}}, count: 2, material: stone, inside: {box: [[0, 0, 0], "
        "[4 "
        "cm, 4 cm, 4 cm]]}}\n"
        "  - blocks: {inside: {box: [[1, 0, 0], [2, 1, 1]]}, count: 2, relax: 1, rounding: 1 mm, material: "
        "stone}\n";
    (void)scree_trial_starve(SCREE_TRIAL_BUILD, scene, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_have_the_volume_of_their_closed_form),
        cmocka_unit_test(a_body_lies_as_its_vertices_are_written),
        cmocka_unit_test(fillings_with_polyhedra_do_not_overlap),
        cmocka_unit_test(bodies_of_one_size_share_a_shape),
        cmocka_unit_test(a_restart_with_polyhedra_continues_the_run),
        cmocka_unit_test(a_restart_does_not_need_the_file_of_a_mesh),
        cmocka_unit_test(blocks_fill_their_box_and_touch_without_overlap),
        cmocka_unit_test(blocks_stay_at_rest_where_nothing_moves_them),
        cmocka_unit_test(relaxed_blocks_are_more_equal),
        cmocka_unit_test(convex_meshes_are_shapes_and_others_are_refused),
        cmocka_unit_test(polyhedra_of_a_file_have_shape_place_and_size),
        cmocka_unit_test(the_largest_overlap_is_a_fraction_of_the_length_of_its_alarm),
        cmocka_unit_test(frames_and_checkpoints_keep_the_shapes_of_polyhedra),
        cmocka_unit_test(polyhedra_without_a_name_are_not_read),
        cmocka_unit_test(mistakes_with_polyhedra_are_explained),
        cmocka_unit_test(a_shape_with_too_many_corners_on_a_face_is_refused),
        cmocka_unit_test(advice_fits_the_mistake),
        cmocka_unit_test(what_polyhedra_must_not_touch_is_reported_at_its_entry),
        cmocka_unit_test(each_failed_allocation_with_polyhedra_is_reported),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
