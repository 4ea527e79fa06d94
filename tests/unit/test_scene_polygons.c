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

static void assert_read(const char *file, const struct scree_body_state *before, double tolerance)
{
    char text[900];
    snprintf(text, sizeof text, HEAD "bodies: [read: {file: %s, material: stone, thickness: 1 mm}]\n", file);
    scree_folder_write(&scree_test_folder, "scene.yaml", text);
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    assert_int_equal(scree_trial_build(&trial), SCREE_OK);
    struct scree_world *world = scree_trial_take_world(&trial);
    const struct scree_body_state after = scree_test_state(world, 1);
    scree_test_near(after.mass, before->mass, tolerance * before->mass);
    scree_test_near(after.inertia[2], before->inertia[2], tolerance * before->inertia[2]);
    scree_test_near(after.orientation[3], sin(SCREE_PI / 12), tolerance);
    assert_non_null(scree_polyhedron_of(world, 0));
    scree_world_destroy(world);
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
        "count: 2, material: stone, inside: {box: [[10 cm, 0], [20 cm, 10 cm]]}}\n",
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
        cmocka_unit_test(a_restart_continues_the_run),
        cmocka_unit_test(frames_and_checkpoints_keep_shape_and_angle),
        cmocka_unit_test(each_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
