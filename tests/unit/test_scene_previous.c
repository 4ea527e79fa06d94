// Bodies read from the checkpoint of another run (build/read.c): positions, radii, and materials by name,
// moving or at rest. Reference: the bodies that the test has stored.

#include "support/folder.h"
#include "support/starve.h"
#include "support/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MATERIALS                                                                                            \
    "scree: 1\n"                                                                                             \
    "materials: {steel: {density: 7800}, glass: {density: 2500}}\n"                                          \
    "engine: {soft: {step: 1 ms}}\nrun: {steps: 1}\n"

static struct scree_folder folder;

static int make_folder(void **state)
{
    (void)state;
    folder = scree_folder_make("scene-former");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    scree_folder_end(&folder, "pack.chk scene.yaml");
    return 0;
}

// A world with three spheres, the second of which was removed.
static void write_checkpoint(bool rigid)
{
    const struct scree_material_def glass = {.name = "glass", .density = 2500},
                                    steel = {.name = "steel", .density = 7800};
    struct scree_world *world;
    scree_material_id material[2];
    scree_body_id id[3];
    assert_int_equal(scree_world_create(NULL, &world), SCREE_OK);
    assert_int_equal(scree_material_add(world, &glass, &material[0]), SCREE_OK);
    assert_int_equal(scree_material_add(world, &steel, &material[1]), SCREE_OK);
    for (int k = 0; k < 3; ++k) {
        const struct scree_sphere_def def = {.radius = 0.1 * (k + 1),
                                             .material = material[k == 2],
                                             .position = {k, 1.0 / 3, -k},
                                             .velocity = {0.5, k, 0},
                                             .spin = {0, 0, 7}};
        assert_int_equal(scree_body_add_sphere(world, &def, &id[k]), SCREE_OK);
    }
    assert_int_equal(scree_body_remove(world, id[1]), SCREE_OK);
    if (rigid) {
        const struct scree_rigid_def def = {.mass = 1, .inertia = {1, 1, 1}, .position = {0, 9, 0}};
        assert_int_equal(scree_body_add_rigid(world, &def, &id[1]), SCREE_OK);
    }
    assert_int_equal(scree_checkpoint_write(world, scree_folder_path(&folder, "pack.chk")), SCREE_OK);
    scree_world_destroy(world);
}

// Builds a scene in the folder of the checkpoint.
static struct scree_trial build(const char *text)
{
    scree_folder_write(&folder, "scene.yaml", text);
    struct scree_trial trial = scree_trial_load(scree_folder_path(&folder, "scene.yaml"));
    (void)scree_trial_build(&trial);
    return trial;
}

static void assert_refused_with(const char *text, const char *message)
{
    struct scree_trial trial = build(text);
    scree_trial_assert_refused(&trial, message);
    scree_trial_free(&trial);
}

static void bodies_are_restored_from_a_checkpoint(void **state)
{
    (void)state;
    static const char *const scenes[] = {
        MATERIALS "bodies: [read: {file: pack.chk}]\n",
        // half the size is an eighth of the mass
        MATERIALS "bodies: [read: {file: pack.chk, velocity: drop, scale: 0.5, density: ignore}]\n",
        MATERIALS "bodies: [read: {file: pack.chk, types: {steel: {material: glass}}, density: ignore}]\n"};
    write_checkpoint(false);
    for (int s = 0; s < 3; ++s) {
        struct scree_trial trial = build(scenes[s]);
        scree_trial_assert_ok(&trial);
        const struct scree_world *world = trial.world;
        assert_int_equal(scree_body_count(world), 2);
        const double scale = s == 1 ? 0.5 : 1;
        for (uint64_t id = 1; id <= 2; ++id) {
            struct scree_body_state body;
            const int k = id == 1 ? 0 : 2;
            assert_int_equal(scree_body_get(world, (scree_body_id){id}, &body), SCREE_OK);
            assert_true(body.radius == scale * (0.1 * (k + 1)) && body.position[0] == scale * k &&
                        body.position[1] == scale * (1.0 / 3));
            assert_true(body.velocity[0] == (s == 1 ? 0 : 0.5) && body.velocity[1] == (s == 1 ? 0 : k));
            assert_true(body.spin[2] == (s == 1 ? 0 : 7));
            assert_string_equal(scree_material_name(world, body.material),
                                k == 2 && s != 2 ? "steel" : "glass");
        }
        scree_trial_free(&trial);
    }
}

static void unusable_checkpoints_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        bool rigid;
    } rows[] = {
        {MATERIALS "bodies: [read: {file: pack.chk, format: xyz}]\n",
         "the number of bodies was expected here", false},
        {MATERIALS "bodies: [read: {file: pack.chk, units: cgs}]\n", "which is always in SI units", false},
        {MATERIALS "bodies: [read: {file: pack.chk, step: 4}]\n",
         "'pack.chk' is of the format checkpoint, which has only one snapshot", false},
        {MATERIALS "bodies: [read: {file: pack.chk, types: {steel: {material: glass}}}]\n",
         "the density is 7800 kg/m^3 here, but 2500 kg/m^3 for the material", false},
        {"scree: 1\nmaterials: {glass: {density: 2500}}\nengine: {soft: {step: 1 ms}}\nrun: {steps: 1}\n"
         "bodies: [read: {file: pack.chk}]\n",
         "'pack.chk' has bodies of the type 'steel' without a material", false},
        {MATERIALS "bodies: [read: {file: pack.chk}]\n", "only `scree restart` can restore it", true},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        write_checkpoint(rows[r].rigid);
        assert_refused_with(rows[r].text, rows[r].message);
    }
    // a checkpoint with one changed byte
    write_checkpoint(false);
    FILE *file = fopen(scree_folder_path(&folder, "pack.chk"), "r+");
    assert_true(file && fseek(file, 2000, SEEK_SET) == 0 && fputc('x', file) != EOF && fclose(file) == 0);
    assert_refused_with(rows[5].text, "is damaged");
}

static scree_status try_to_build(void *user)
{
    (void)user;
    struct scree_trial trial = build(MATERIALS "bodies: [read: {file: pack.chk}]\n");
    scree_trial_free(&trial);
    return trial.status;
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    write_checkpoint(false);
    assert_true(scree_starve(try_to_build, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_restored_from_a_checkpoint),
        cmocka_unit_test(unusable_checkpoints_are_reported),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
