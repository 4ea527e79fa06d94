// Polygons in scenes: named shapes, fillings, insertions, frames, files and restarts. References: closed
// forms of areas, the distance of rounded bodies, an uninterrupted run, and the bodies of the scene that
// wrote a file.

#include "convex/pair.h"
#include "math/real.h"
#include "support/folder.h"
#include "support/trial.h"
#include "support/worlds.h"
#include "world/grain.h"
#include "world/polyhedron.h"

#include <scree/compare.h>
#include <scree/convert.h>
#include <scree/measure.h>
#include <scree/polyhedron.h>

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
    "dimension: 2\n"                                                                                         \
    "materials: {stone: {density: 2500}}\n"                                                                  \
    "contacts: [{between: [any, any], law: linear, stiffness: 400 kN/m, restitution: 0.5, friction: 0.4}]\n" \
    "polyhedra:\n"                                                                                           \
    "  brick: {rectangle: [2 cm, 1 cm], rounding: 0.5 mm}\n"                                                 \
    "  nut: {polygon: {sides: 6, radius: 6 mm}, rounding: 0.5 mm}\n"                                         \
    "  rock: {vertices: [[0, 0], [1 cm, 0], [0, 1 cm]], rounding: 0.5 mm}\n"

static void shapes_have_the_area_of_their_closed_form(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_build_text(
        "scree: 1\ndimension: 2\nmaterials: {stone: {density: 2500}}\n"
        // sharp, without contacts
        "polyhedra: {nut: {polygon: {sides: 6, radius: 6 mm}}, rock: {vertices: [[0, 0], [1 cm, 0], [0, 1 "
        "cm]]}}\n"
        "bodies:\n"
        "  - polyhedron: {shape: nut, scale: 2, at: [0, 0], material: stone, thickness: 3 mm}\n"
        "  - polyhedron: {shape: rock, at: [1, 1], material: stone, thickness: 1 mm}\n"
        "  - polyhedron: {rectangle: [3, 2], at: [5, 0], material: stone, thickness: 1 mm,\n"
        "      orientation: {axis: [0, 0, 1], angle: 90 deg}, spin: [0, 0, 3], fixed: [x]}\n"
        "engine: {soft: {step: 1 us}}\n");
    const double areas[3] = {1.5 * sqrt(3) * 0.012 * 0.012, 0.5e-4, 6};
    const double thick[3] = {3e-3, 1e-3, 1e-3};
    for (uint64_t b = 0; b < 3; ++b) {
        const double mass = 2500 * areas[b] * thick[b];
        // sums over some terms of corners with a few round-offs each
        scree_test_near(scree_test_state(world, b + 1).mass, mass, 1e-14 * mass);
    }
    // m (a^2 + b^2) / 12
    const struct scree_body_state body = scree_test_state(world, 3);
    scree_test_near(body.inertia[2], body.mass * 13 / 12, 1e-14 * body.mass * 13 / 12);
    assert_true(body.spin[2] == 3 && (body.fixed & (SCREE_FIX_X | SCREE_FIX_Y)) == SCREE_FIX_X);
    double lower[3], upper[3];
    scree_grain_bounds(world, 2, lower, upper);
    scree_test_near(upper[0] - lower[0], 2, 1e-14);
    scree_test_near(upper[1] - lower[1], 3, 1e-14);
    scree_world_destroy(world);
}

static struct scree_convex_body body_of(const struct scree_world *world, size_t slot)
{
    const struct scree_shape *shape = scree_polyhedron_of(world, slot);
    assert_non_null(shape);
    return (struct scree_convex_body){shape->hull, scree_vec3_load(scree_world_grains(world)[slot].position),
                                      scree_grain_axes(world, slot), shape->rounding};
}

static void fillings_do_not_overlap_and_turn_in_the_plane(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_build_text(
        HEAD
        "bodies: [fill: {shape: {polyhedron: {shape: brick, radius: {uniform: [4 mm, 8 mm]}, thickness: 1 "
        "mm}}, count: 60, material: stone, seed: 3, inside: {box: [[0, 0], [20 cm, 20 cm]]}}]\n");
    double turned = 0;
    assert_int_equal(scree_world_bodies(world), 60);
    for (size_t a = 0; a < 60; ++a) {
        const struct scree_convex_body body = body_of(world, a);
        const struct scree_body_state at = scree_test_state(world, a + 1);
        assert_true(at.radius >= 4e-3 * (1 - 1e-12) && at.radius <= 8e-3 * (1 + 1e-12));
        assert_true(at.orientation[1] == 0 && at.orientation[2] == 0);
        turned += fabs(at.orientation[3]);
        for (size_t b = 0; b < a; ++b) {
            const struct scree_convex_body other = body_of(world, b);
            assert_true(scree_convex_distance(&body, &other).gap > 0);
        }
    }
    // the mean of |sin(angle / 2)| is 2 / pi
    assert_true(turned > 0.4 * 60);
    assert_int_equal(scree_world_validate(world), SCREE_OK);
    scree_world_destroy(world);
}

// --- blocks

#define BLOCKS(domain, keys)                                                                                 \
    HEAD "bodies: [{blocks: {" domain ", thickness: 2 cm, material: stone" keys "}, group: wall}]\n"

// The smallest gap of a body to all others.
static double gap_of(const struct scree_world *world, size_t slot)
{
    const struct scree_convex_body body = body_of(world, slot);
    double least = (double)INFINITY;
    for (size_t other = 0; other < scree_world_bodies(world); ++other) {
        const struct scree_convex_body with = body_of(world, other);
        if (other != slot)
            least = fmin(least, scree_convex_distance(&body, &with).gap);
    }
    return least;
}

// A rounding r takes r^2 (cot(a / 2) - (pi - a) / 2) from a corner of the angle a, below 100 r^2 for a >
// 0.02, and a block has some corners. Coordinates are below 4 m with some round-offs each.
static void blocks_fill_their_domain_and_touch_without_overlap(void **state)
{
    (void)state;
    static const char *const scene[2] = {BLOCKS("inside: {box: [[1, 2], [2, 2.5]]}, count: 40",
                                                ", rounding: 0.1 um, seed: 2, velocity: [0, 1, "
                                                "0], fixed: [x]"),
                                         BLOCKS("vertices: [[1, 2], [2, 2], [2, 3], [1.5, 3.5]], count: 40",
                                                ", rounding: 0.1 um, seed: 2, "
                                                "velocity: [0, 1, 0], fixed: [x]")};
    // the second is half of (2 - 4) + (6 - 4) + (7 - 4.5) + (3 - 3.5), the sum over its sides
    const double areas[2] = {0.5, 1};
    for (int n = 0; n < 2; ++n) {
        struct scree_world *world = scree_trial_build_text(scene[n]);
        double mass = 0;
        assert_int_equal(scree_world_bodies(world), 40);
        for (uint64_t b = 0; b < 40; ++b) {
            const struct scree_body_state body = scree_test_state(world, b + 1);
            mass += body.mass;
            assert_true(body.velocity[1] == 1 && body.fixed & SCREE_FIX_X);
            assert_true(fabs(gap_of(world, b)) < 40 * 4 * 0x1p-53);
        }
        const double whole = 2500 * 0.02 * areas[n];
        if (!(mass < whole * (1 + 1e-14) && mass > whole - 2500 * 0.02 * 40 * 10 * 100 * 1e-14))
            fail_msg("mass %.17g, not %.17g", mass, whole);
        assert_int_equal(scree_world_validate(world), SCREE_OK);
        scree_world_destroy(world);
    }
}

// Without weight nothing moves: an overlap of 100 round-offs of 1 m would be a force of 1e-8 N.
static void blocks_stay_at_rest_where_nothing_moves_them(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1};
    struct scree_world *world =
        scree_trial_run_text(BLOCKS("inside: {box: [[0, 0], [1, 0.5]]}, count: 30",
                                    ", rounding: 5 mm, relax: 3") "run: {steps: 20}\n",
                             &def);
    for (uint64_t b = 1; b <= 30; ++b)
        assert_true(scree_vec3_norm(scree_vec3_load(scree_test_state(world, b).velocity)) < 1e-12);
    scree_world_destroy(world);
}

static double deviation_of_masses(const char *scene)
{
    struct scree_world *world = scree_trial_build_text(scene);
    double sum = 0, square = 0;
    for (uint64_t b = 0; b < 60; ++b) {
        const double mass = scree_test_state(world, b + 1).mass;
        sum += mass;
        square += mass * mass;
        // joints of 1 mm
        assert_true(fabs(gap_of(world, b) - 1e-3) < 1e-12);
    }
    scree_world_destroy(world);
    return sqrt(square / 60 - sum * sum / 3600) / (sum / 60);
}

// The areas of the cells of random points have a relative deviation of about 0.53.
static void relaxed_blocks_are_more_equal(void **state)
{
    (void)state;
    const double random = deviation_of_masses(
        BLOCKS("inside: {box: [[0, 0], [1, 1]]}, count: 60", ", rounding: 1 um, gap: 1 mm, seed: 3"));
    assert_true(random > 0.35 && random < 0.75);
    assert_true(deviation_of_masses(BLOCKS("inside: {box: [[0, 0], [1, 1]]}, count: 60",
                                           ", rounding: 1 um, gap: 1 mm, seed: 3, relax: 4")) < 0.5 * random);
}

// A dry wall of blocks on the ground, whose weight it bears at rest. Five blocks of m = 1 kg above each
// other, with two contacts of 400 kN/m each, swing with a period of 20 ms at most, and dashpots of a
// restitution of 0.5 take at least a third of the amplitude in each. After 15 periods 0.2 % of the first
// overlap is left.
static void a_wall_of_blocks_stands_on_the_ground(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1};
    struct scree_world *world = scree_trial_run_text(
        BLOCKS(
            "vertices: [[0, 0], [1, 0], [0.8, 0.6], [0.2, 0.6]], count: 25",
            ", rounding: 4 mm, relax: 5") "gravity: [0, -9.81]\n"
                                          "walls: [plane: {point: [0, 0], normal: [0, 1], material: stone}]\n"
                                          "run: {until: 0.3 s}\n",
        &def);
    double weight = 0;
    for (uint64_t b = 1; b <= 25; ++b) {
        const struct scree_body_state body = scree_test_state(world, b);
        weight += 9.81 * body.mass;
        assert_true(scree_vec3_norm(scree_vec3_load(body.velocity)) < 1e-3);
    }
    double force[3], moment[3];
    assert_int_equal(scree_wall_load(world, (scree_wall_id){1}, force, moment), SCREE_OK);
    if (!(fabs(force[1] + weight) < 1e-3 * weight))
        fail_msg("force %g, weight %g", -force[1], weight);
    scree_world_destroy(world);
}

// --- restarts

static void a_restart_continues_the_run(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
    static const char scene[] = HEAD
        "gravity: [0, -9.81]\nwalls: [plane: {point: [0, 0], normal: [0, 1], material: stone}]\n"
        "insert: [{shape: {polyhedron: {shape: brick, radius: {uniform: [3 mm, 6 mm]}, thickness: 1 mm}}, "
        "material: stone, velocity: [0, -1], rate: {bodies: 400 1/s}, inside: {box: [[0, 0], [30 cm, 3 "
        "cm]]}}]\n"
        "run: {until: 20 ms}\nrecord: [{checkpoint: state.chk, every: 10 ms}, {frames: out, every: 10 ms}]\n";
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

// A scene with these bodies.
static struct scree_world *build_bodies(const char *bodies)
{
    char text[1400];
    snprintf(text, sizeof text, HEAD "bodies: [%s]\n", bodies);
    scree_folder_write(&scree_test_folder, "scene.yaml", text);
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    assert_int_equal(scree_trial_build(&trial), SCREE_OK);
    return scree_trial_take_world(&trial);
}

static void assert_read(const char *file, const struct scree_body_state *before, double tolerance)
{
    char text[200];
    snprintf(text, sizeof text, "read: {file: %s, material: stone, thickness: 1 mm}", file);
    struct scree_world *world = build_bodies(text);
    const struct scree_body_state after = scree_test_state(world, 1);
    scree_test_near(after.mass, before->mass, tolerance * before->mass);
    scree_test_near(after.inertia[2], before->inertia[2], tolerance * before->inertia[2]);
    scree_test_near(after.orientation[3], sin(SCREE_PI / 12), tolerance);
    assert_non_null(scree_polyhedron_of(world, 0));
    scree_world_destroy(world);
}

// Converts a file of bodies to CSV, whose numbers read back as the same bits.
static const char *convert_to_csv(const char *file)
{
    struct scree_convert_report report;
    char in[600];
    snprintf(in, sizeof in, "%s", scree_folder_path(&scree_test_folder, file));
    assert_int_equal(scree_convert_file(in, scree_folder_path(&scree_test_folder, "bodies.csv"),
                                        &(struct scree_convert_def){.force = true}, &report),
                     SCREE_OK);
    return "bodies.csv";
}

static void frames_and_checkpoints_keep_shape_and_angle(void **state)
{
    (void)state;
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
    struct scree_world *world = scree_trial_run_text(
        HEAD "bodies: [polyhedron: {shape: brick, scale: 2, at: [1, 2], material: stone, thickness: 1 mm, "
             "orientation: {axis: [0, 0, 1], angle: 30 deg}}]\nengine: {soft: {step: 1 us}}\n"
             "run: {steps: 1}\nrecord: [{checkpoint: state.chk, every: 1 s}, {frames: out, every: 1 s}]\n",
        &def);
    const struct scree_body_state before = scree_test_state(world, 1);
    scree_world_destroy(world);
    // as in unit.polyhedra_files; the moment of inertia has the fourth power of the radius
    assert_read("out-bodies/000000.hdf", &before, 4 * 10 * 0x1p-24);
    assert_read("state.chk", &before, 4 * 100 * 0x1p-53);
    assert_read(convert_to_csv("out-bodies/000000.hdf"), &before, 4 * 10 * 0x1p-24);
    assert_read(convert_to_csv("state.chk"), &before, 4 * 100 * 0x1p-53);
}

// The rotation of the vertices about the centre of mass, for angles in all quadrants, and a radius of twice
// that of the shape: all lengths are twice as large.
static void polygons_of_csv_files_are_turned_and_scaled(void **state)
{
    (void)state;
    static const char *const shapes[] = {"brick", "nut", "rock"};
    for (int n = 0; n < 12; ++n) {
        char text[900];
        double plain[8][3], turned[8][3];
        const char *shape = shapes[n % 3];
        const double angle = 0.3 + n * SCREE_PI / 6, scale = n % 2 ? 2 : 1;
        snprintf(text, sizeof text, "polyhedron: {shape: %s, at: [0, 0], material: stone, thickness: 1 mm}",
                 shape);
        struct scree_world *world = build_bodies(text);
        const double radius = scale * scree_test_state(world, 1).radius;
        const size_t count = scree_polyhedron_vertices(world, (scree_body_id){1}, plain, 8);
        scree_world_destroy(world);
        // without a radius the body has the size of the shape
        if (scale > 1)
            snprintf(text, sizeof text, "x,y,shape,qw,qx,qy,qz,radius [mm]\n3,4,%s,%.17g,0,0,%.17g,%.17g\n",
                     shape, cos(angle / 2), sin(angle / 2), 1e3 * radius);
        else
            snprintf(text, sizeof text, "x,y,shape,qw,qx,qy,qz\n3,4,%s,%.17g,0,0,%.17g\n", shape,
                     cos(angle / 2), sin(angle / 2));
        scree_folder_write(&scree_test_folder, "bodies.csv", text);
        world = build_bodies("read: {file: bodies.csv, material: stone, thickness: 1 mm}");
        assert_int_equal(scree_polyhedron_vertices(world, (scree_body_id){1}, turned, 8), count);
        scree_world_destroy(world);
        // round-offs of coordinates of 4 m, and of a factor of the radius in mm
        for (size_t v = 0; v < count; ++v) {
            const double x = scale * plain[v][0], y = scale * plain[v][1];
            scree_test_near(turned[v][0], 3 + cos(angle) * x - sin(angle) * y, 16 * 0x1p-53);
            scree_test_near(turned[v][1], 4 + sin(angle) * x + cos(angle) * y, 16 * 0x1p-53);
        }
    }
}

static void each_failed_allocation_is_reported(void **state)
{
    (void)state;
    (void)scree_trial_starve(
        SCREE_TRIAL_BUILD,
        HEAD
        "bodies:\n"
        "  - polyhedron: {rectangle: [1 cm, 1 cm], rounding: 1 mm, at: [0, 0], material: stone, thickness: 1 "
        "mm}\n"
        "  - polyhedron: {vertices: [[0, 0], [1, 0], [0, 1]], rounding: 1 mm, at: [3, 0], material: stone, "
        "thickness: 1 mm}\n"
        "  - fill: {shape: {polyhedron: {shape: nut, radius: {uniform: [4 mm, 8 mm]}, thickness: 1 mm}}, "
        "count: 2, material: stone, inside: {box: [[10 cm, 0], [20 cm, 10 cm]]}}\n"
        "  - blocks: {vertices: [[5, 0], [6, 0], [5, 1]], count: 2, relax: 1, gap: 1 mm, rounding: 1 mm, "
        "material: stone, thickness: 1 mm}\n",
        NULL);
}

// A circle as container and one as obstacle: no corner is outside of the first, and no point in the second.
static void fillings_keep_clear_of_circles(void **state)
{
    (void)state;
    struct scree_world *world = scree_trial_build_text(
        HEAD "bodies: [fill: {shape: {polyhedron: {shape: brick, radius: 4 mm, thickness: 1 mm}}, count: 50, "
             "material: stone, inside: {box: [[-9 cm, -9 cm], [9 cm, 9 cm]]}}]\n"
             "walls:\n"
             "  - cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 8 cm, material: stone}\n"
             "  - cylinder: {from: [1 cm, 0, 0], to: [1 cm, 0, 1], radius: 3 cm, material: stone}\n");
    size_t within[3] = {0};
    for (size_t b = 0; b < 50; ++b) {
        const struct scree_convex_body body = body_of(world, b);
        const double out = scree_vec3_norm(body.position),
                     from = scree_vec3_norm(scree_vec3_sub(body.position, scree_vec3_make(0.01, 0, 0)));
        ++within[from < 0.03 ? 0 : out < 0.08 ? 1 : 2];
        struct scree_convex_contact contact;
        if (from > 0.03)
            assert_false(scree_convex_sphere_contact(&body, scree_vec3_make(0.01, 0, 0), 0.03, &contact));
        if (out > 0.08)
            assert_false(scree_convex_sphere_contact(&body, scree_vec3_zero(), 0.08, &contact));
        for (uint32_t v = 0; v < body.shape->vertices && out < 0.08; ++v)
            assert_true(scree_vec3_norm(scree_vec3_add(
                            body.position, scree_mat3_apply(body.rotation, body.shape->vertex[v]))) <
                        0.08 - body.rounding);
    }
    assert_true(within[0] > 0 && within[1] > 10 && within[2] > 0);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_have_the_area_of_their_closed_form),
        cmocka_unit_test(fillings_do_not_overlap_and_turn_in_the_plane),
        cmocka_unit_test(fillings_keep_clear_of_circles),
        cmocka_unit_test(blocks_fill_their_domain_and_touch_without_overlap),
        cmocka_unit_test(blocks_stay_at_rest_where_nothing_moves_them),
        cmocka_unit_test(relaxed_blocks_are_more_equal),
        cmocka_unit_test(a_wall_of_blocks_stands_on_the_ground),
        cmocka_unit_test(a_restart_continues_the_run),
        cmocka_unit_test(frames_and_checkpoints_keep_shape_and_angle),
        cmocka_unit_test(polygons_of_csv_files_are_turned_and_scaled),
        cmocka_unit_test(each_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
