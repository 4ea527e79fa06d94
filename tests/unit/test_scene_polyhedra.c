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
    scree_grain_bounds(world, 0, lower, upper);
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
        scree_grain_bounds(world, b, lower, upper);
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
                    "stone, velocity: [0, 0, -1], rate: {bodies: 500 1/s}, inside: {box: [[0, 0, 0], [5 cm, "
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
    scree_grain_bounds(world, 0, lower, upper);
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
    scree_grain_bounds(world, 0, lower, upper);
    assert_true(fabs((upper[0] - lower[0]) / (upper[1] - lower[1]) - 2) < 1e-13);
    // the volume is that of the sphere
    struct scree_body_state body;
    assert_int_equal(scree_body_get(world, (scree_body_id){3}, &body), SCREE_OK);
    const double mass = 2500 * 4.0 / 3 * acos(-1) * 216e-9;
    assert_true(fabs(body.mass - mass) < 1e-13 * mass && body.position[0] == 0.2);
    // without a radius in the file the shape has its own size
    scree_grain_bounds(world, 3, lower, upper);
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
        cmocka_unit_test(blocks_fill_their_box_and_touch_without_overlap),
        cmocka_unit_test(blocks_stay_at_rest_where_nothing_moves_them),
        cmocka_unit_test(relaxed_blocks_are_more_equal),
        cmocka_unit_test(convex_meshes_are_shapes_and_others_are_refused),
        cmocka_unit_test(polyhedra_of_a_file_have_shape_place_and_size),
        cmocka_unit_test(the_largest_overlap_is_a_fraction_of_the_length_of_its_alarm),
        cmocka_unit_test(each_failed_allocation_with_polyhedra_is_reported),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
