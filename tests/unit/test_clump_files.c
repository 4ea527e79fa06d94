// Files of the shapes of clumps: a checkpoint has what is in them. References: the run without a break, and
// the numbers of the files.

#include "support/folder.h"
#include "support/trial.h"

#include <scree/body.h>
#include <scree/world.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define HEAD                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 2500, young: 5 MPa, poisson: 0.2}, wax: {density: 900, young: 5 MPa, "     \
    "poisson: 0.2}}\n"                                                                                       \
    "contacts: [{between: [any, any], law: linear, stiffness: 1 kN/m, restitution: 0.5, friction: 0.4}]\n"

// A restart continues to the same bits without the files, which have other pebbles by then or are gone.
// Bodies are inserted after it. The values of uniform density are also given in the scene.
static void a_restart_does_not_need_the_files_of_shapes(void **state)
{
    (void)state;
    static const char scene[] = HEAD
        "clumps: {stone: {file: stone.txt, unit: mm}, pfc: {file: pfc.txt, unit: cm, mass: {samples: "
        "1000}}, heavy: {file: pfc.txt, unit: mm, mass: {given: {mass: 1 g, centre: [0, 0, 0], inertia: "
        "[1e-9, 1e-9, 1e-9]}}},\n"
        "  same: {spheres: [{radius: 1 cm, at: [2 cm, 0, 0]}], mass: {uniform: {volume: 8 cm^3, centre: "
        "[0, 0, 0], tensor: [1 cm^2, 2 cm^2, 2 cm^2, 0, 0, 0]}}}}\n"
        "bodies: [clump: {shape: pfc, at: [0, 0, 1], material: glass, spin: [1, 2, 3]}, clump: {shape: "
        "same, at: [1, 0, 1], material: glass, spin: [1, 2, 3]}]\n"
        "insert:\n"
        "  - {shape: {clump: {shape: stone}}, material: glass, rate: {bodies: 1000 1/s}, inside: {box: "
        "[[0, 0, 0], [0.1, 0.1, 0.1]]}}\n"
        "  - {shape: {clump: {shape: pfc}}, material: glass, rate: {bodies: 500 1/s}, inside: {box: [[1, "
        "0, 0], [1.2, 0.2, 0.2]]}}\n"
        "  - {shape: {clump: {shape: heavy}}, material: glass, rate: {bodies: 500 1/s}, inside: {box: "
        "[[2, 0, 0], [2.2, 0.2, 0.2]]}}\n"
        "run: {until: 20 ms}\nrecord: [{checkpoint: state.chk, every: 10 ms}]\n";
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
    struct scree_body_state body[2];
    struct scree_digest whole, continued;
    scree_folder_write(&scree_test_folder, "stone.txt", "-2 0 0 2\n2 0 0.1 2\n");
    scree_folder_write(&scree_test_folder, "pfc.txt",
                       "clump template create pebbles 1 1 (2, 0, 0) volume 8 inertia 8 16 16 0 0 0\n");
    scree_folder_write(&scree_test_folder, "scene.yaml", scene);
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    assert_int_equal(scree_trial_run(&trial, &def), SCREE_OK);
    struct scree_world *world = scree_trial_take_world(&trial);
    assert_true(scree_body_count(world) > 2 + 20);
    for (uint64_t b = 0; b < 2; ++b)
        assert_int_equal(scree_body_get(world, (scree_body_id){b + 1}, &body[b]), SCREE_OK);
    assert_true(body[0].mass == body[1].mass);
    assert_memory_equal(body[0].inertia, body[1].inertia, sizeof body[0].inertia);
    assert_int_equal(scree_world_digest(world, &whole), SCREE_OK);
    scree_world_destroy(world);
    scree_folder_write(&scree_test_folder, "stone.txt", "-2 0 0 1\n");
    assert_int_equal(remove(scree_folder_path(&scree_test_folder, "pfc.txt")), 0);
    trial = scree_trial_restart(scree_folder_path(&scree_test_folder, "state.chk.previous"));
    assert_int_equal(scree_trial_run(&trial, &def), SCREE_OK);
    world = scree_trial_take_world(&trial);
    assert_int_equal(scree_world_digest(world, &continued), SCREE_OK);
    assert_memory_equal(&whole, &continued, sizeof whole);
    scree_world_destroy(world);
}

// The same in two dimensions.
static void a_restart_does_not_need_the_files_of_flat_shapes(void **state)
{
    (void)state;
    static const char scene[] =
        "scree: 1\ndimension: 2\nmaterials: {glass: {density: 2500}}\n"
        "contacts: [{between: [any, any], law: linear, stiffness: 10 kN/m, restitution: 0.5, friction: "
        "0.4}]\n"
        "clumps: {stone: {file: flat.txt, unit: mm}, pfc: {file: pfc.txt, unit: cm}}\n"
        "insert:\n"
        "  - {shape: {clump: {shape: stone, thickness: 1 cm}}, material: glass, rate: {bodies: 1000 1/s}, "
        "inside: {box: [[0, 0], [0.1, 0.1]]}}\n"
        "  - {shape: {clump: {shape: pfc, thickness: 1 cm}}, material: glass, rate: {bodies: 1000 1/s}, "
        "inside: {box: [[1, 0], [1.4, 0.4]]}}\n"
        "run: {until: 20 ms}\nrecord: [{checkpoint: flat.chk, every: 10 ms}]\n";
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
    struct scree_digest whole, continued;
    scree_folder_write(&scree_test_folder, "flat.txt", "-2 0 2\n2 0.1 2\n");
    scree_folder_write(&scree_test_folder, "pfc.txt",
                       "clump template create pebbles 1 1 (2, 0) volume 8 inertia 16\n");
    scree_folder_write(&scree_test_folder, "scene.yaml", scene);
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    assert_int_equal(scree_trial_run(&trial, &def), SCREE_OK);
    struct scree_world *world = scree_trial_take_world(&trial);
    assert_int_equal(scree_world_digest(world, &whole), SCREE_OK);
    scree_world_destroy(world);
    assert_int_equal(remove(scree_folder_path(&scree_test_folder, "flat.txt")), 0);
    assert_int_equal(remove(scree_folder_path(&scree_test_folder, "pfc.txt")), 0);
    trial = scree_trial_restart(scree_folder_path(&scree_test_folder, "flat.chk.previous"));
    assert_int_equal(scree_trial_run(&trial, &def), SCREE_OK);
    world = scree_trial_take_world(&trial);
    assert_int_equal(scree_world_digest(world, &continued), SCREE_OK);
    assert_memory_equal(&whole, &continued, sizeof whole);
    scree_world_destroy(world);
}

static void values_of_uniform_density_belong_to_a_dimension(void **state)
{
    (void)state;
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD, "in three dimensions a body of uniform density has a 'volume'", "%s",
        HEAD
        "clumps: {a: {spheres: [{radius: 1, at: [0, 0, 0]}], mass: {uniform: {area: 4, centre: [0, 0, 0], "
        "tensor: [1, 1, 1, 0, 0, 0]}}}}\n"
        "bodies: [clump: {shape: a, at: [0, 0, 0], material: glass}]\n");
    scree_trial_assert_text_refused(
        SCREE_TRIAL_BUILD, "'samples'", "%s",
        HEAD "clumps: {a: {spheres: [{radius: 1, at: [0, 0, 0]}], mass: {samples: 1000, uniform: {volume: 4, "
             "centre: [0, 0, 0], tensor: [1, 1, 1, 0, 0, 0]}}}}\n"
             "bodies: [clump: {shape: a, at: [0, 0, 0], material: glass}]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_restart_does_not_need_the_files_of_shapes),
        cmocka_unit_test(a_restart_does_not_need_the_files_of_flat_shapes),
        cmocka_unit_test(values_of_uniform_density_belong_to_a_dimension),
    };
    return cmocka_run_group_tests(tests, scree_test_folder_make, scree_test_folder_remove);
}
