// Bodies of scenes from files of other programs (build/read.c): materials by type, order by id, and mistakes
// with their position. Reference: the numbers in the files.

#include "base/memory.h"
#include "support/folder.h"
#include "support/starve.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <stdio.h>
#include <unistd.h>

static struct scree_folder folder;

static int make_folder(void **state)
{
    (void)state;
    folder = scree_folder_make("scene-read");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    scree_folder_end(&folder, "pack");
    return 0;
}

#define HEAD                                                                                                 \
    "scree: 1\nmaterials: {glass: {density: 2500, young: 1 GPa, poisson: 0.2}, steel: {density: 7800, "      \
    "young: 1 GPa, poisson: 0.2}}\n"

// Builds a scene that reads the file; `read_keys` are keys of `read`, `scene_keys` are lines of the scene.
static struct scree_trial build(const char *read_keys, const char *scene_keys)
{
    char text[1000];
    snprintf(text, sizeof text, HEAD "%sbodies: [read: {file: pack, %s}]\nengine: {soft: {step: 1 us}}\n",
             scene_keys, read_keys);
    struct scree_trial trial = scree_trial_read(scree_folder_path(&folder, "scene.yaml"), text);
    (void)scree_trial_build(&trial);
    return trial;
}

static struct scree_world *build_world(const char *read_keys, const char *scene_keys)
{
    struct scree_trial trial = build(read_keys, scene_keys);
    return scree_trial_take_world(&trial);
}

static void assert_refused_with(const char *read_keys, const char *scene_keys, const char *word)
{
    struct scree_trial trial = build(read_keys, scene_keys);
    scree_trial_assert_refused(&trial, word);
    assert_null(trial.world);
    scree_trial_free(&trial);
}

static uint64_t material_of(const struct scree_world *world, const char *name)
{
    scree_material_id id;
    assert_ok(scree_material_find(world, name, &id));
    return id.value;
}

static const char packing[] = "pack\n\n3 atoms\n2 atom types\n\nAtoms # sphere\n\n"
                              "9 1 0.2 2500 3 0 0\n2 2 0.4 7800 1 0 0\n5 1 0.2 2501 2 0 0\n\n"
                              "Velocities\n\n2 1 0 0 0 0 4\n5 2 0 0 0 0 5\n9 3 0 0 0 0 6\n";

static void bodies_of_a_file_are_in_order_of_ids_with_materials_by_type(void **state)
{
    (void)state;
    scree_folder_write(&folder, "pack", packing);
    struct scree_world *world = build_world("types: {1: {material: glass}, 2: {material: steel}}", "");
    assert_int_equal(scree_body_count(world), 3);
    for (uint64_t id = 1; id <= 3; ++id) {
        const struct scree_body_state body = scree_test_state(world, id);
        assert_true(body.position[0] == (double)id && body.velocity[0] == (double)id);
        assert_true(body.spin[2] == (double)id + 3 && body.radius == (id == 1 ? 0.2 : 0.1));
        assert_int_equal(body.material.value, material_of(world, id == 1 ? "steel" : "glass"));
    }
    scree_world_destroy(world);
    world = build_world("types: {2: {material: steel}}, material: glass, velocity: drop, scale: 0.5", "");
    assert_true(scree_test_state(world, 3).position[0] == 1.5 && scree_test_state(world, 3).radius == 0.05);
    assert_true(scree_test_state(world, 3).velocity[0] == 0 && scree_test_state(world, 1).spin[2] == 0);
    assert_int_equal(scree_test_state(world, 1).material.value, material_of(world, "steel"));
    scree_world_destroy(world);
}

static void types_can_be_names_of_materials(void **state)
{
    (void)state;
    scree_folder_write(&folder, "pack",
                       "2\nProperties=species:S:1:pos:R:3:radius:R:1\nsteel 0 0 0 1\nglass 3 0 0 1\n"
                       "1\nProperties=species:S:1:pos:R:3:radius:R:1\nglass 0 0 0 2\n");
    struct scree_world *world = build_world("snapshot: 1", "");
    assert_int_equal(scree_body_count(world), 2);
    assert_int_equal(scree_test_state(world, 1).material.value, material_of(world, "steel"));
    scree_world_destroy(world);
    // by default the last snapshot is read
    world = build_world("format: xyz", "");
    assert_true(world && scree_body_count(world) == 1 && scree_test_state(world, 1).radius == 2);
    scree_world_destroy(world);
}

static void in_two_dimensions_disks_are_read(void **state)
{
    (void)state;
    scree_folder_write(&folder, "pack", "x,y,radius,vx,spin-z\n1,2,0.5,3,4\n");
    struct scree_world *world = build_world("material: glass, thickness: 1 cm", "dimension: 2\n");
    const struct scree_body_state body = scree_test_state(world, 1);
    assert_true(body.position[1] == 2 && body.velocity[0] == 3 && body.spin[2] == 4);
    // the mass of a disk of 1 cm
    const double mass = 2500 * 3.14159265358979323846 * 0.25 * 0.01;
    assert_true(fabs(body.mass - mass) < 1e-15 * mass * 4);
    scree_world_destroy(world);
}

static void mistakes_in_a_file_are_reported_at_their_position(void **state)
{
    (void)state;
    static const struct {
        const char *file, *read_keys, *scene_keys, *word;
    } rows[] = {
        {packing, "types: {1: {material: glass}}", "", "has bodies of the type '2' without a material"},
        {packing, "types: {1: {material: glass}, 2: {material: glass}}", "",
         "pack:9:1: the density is 7800 kg/m^3 here, but 2500 kg/m^3 for the material"},
        {packing, "types: {1: {material: glass}, 2: {material: stel}}", "", "did you mean 'steel'"},
        {packing, "material: glass, format: lammps-dat", "", "did you mean 'lammps-data'"},
        {packing, "material: glass, format: csv", "", "pack:3:3: a number was expected here"},
        {packing, "material: glass, step: 1, snapshot: 2", "", "step"},
        {packing, "material: glass, snapshot: 2", "", "has only one snapshot"},
        {packing, "material: glass, snapshot: 1.5", "",
         "'snapshot' must be a whole number of at least 1, or 'last'"},
        {"1\n\nH 0 0 0\n", "material: glass", "", "pack:3:1: this file has no radii"},
        {"1\n\nH 0 0 0\n", "types: {H: {material: glass, radius: 1 kg}}", "", "'radius' must be in m"},
        {"1\n\nH 0 0\n", "material: glass", "",
         "pack:3:1: a row of this table must have 4 values, not 3\n    H 0 0\n"},
        {"0 0 0 1\n", "types: {1: {material: glass}}", "", "has no types"},
        {"0 0 0 1\n", "velocity: keep", "", "needs a 'material' for all"},
        {"0 0 0 0\n", "material: glass", "", "pack:1:1: the radius is 0 here"},
        {"x,y,radius\n0,0,1\n", "material: glass", "dimension: 2\n", "need a 'thickness'"},
        {"", "material: glass", "", "is not recognised"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        const size_t live = scree_memory_live();
        scree_folder_write(&folder, "pack", rows[r].file);
        assert_refused_with(rows[r].read_keys, rows[r].scene_keys, rows[r].word);
        assert_int_equal(scree_memory_live(), live);
    }
    unlink(scree_folder_path(&folder, "pack"));
    assert_refused_with("material: glass", "", "cannot open");
}

static scree_status try_to_build(void *user)
{
    (void)user;
    struct scree_trial trial = build("types: {1: {material: glass}, 2: {material: steel}}", "");
    scree_trial_free(&trial);
    return trial.status;
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    scree_folder_write(&folder, "pack", packing);
    assert_true(scree_starve(try_to_build, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_of_a_file_are_in_order_of_ids_with_materials_by_type),
        cmocka_unit_test(types_can_be_names_of_materials),
        cmocka_unit_test(in_two_dimensions_disks_are_read),
        cmocka_unit_test(mistakes_in_a_file_are_reported_at_their_position),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
