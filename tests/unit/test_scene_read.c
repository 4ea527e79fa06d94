// Bodies of scenes that come from files of other programs: their materials by type, their order by id, and
// what is wrong told where it stands.

#include "base/memory.h"
#include "support/sketch.h"

#include <scree/scene.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_true(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "scene-read-%ld", (long)getpid());
    return mkdir(folder, 0777);
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(in_folder("pack"));
    return rmdir(folder);
}

#define HEAD                                                                                                 \
    "scree: 1\nmaterials: {glass: {density: 2500, young: 1 GPa, poisson: 0.2}, steel: {density: 7800, "      \
    "young: 1 GPa, poisson: 0.2}}\n"

// Builds a scene that reads the file; null, and what was wrong in `said`, where it cannot.
static struct scree_world *build(const char *keys, const char *more, char *said, size_t size)
{
    char text[1000];
    struct scree_scene *scene;
    struct scree_world *world = NULL;
    struct scree_engine *engine = NULL;
    snprintf(text, sizeof text, HEAD "%sbodies: [read: {file: pack, %s}]\nengine: {soft: {step: 1 us}}\n",
             more, keys);
    scree_status status = scree_scene_read(in_folder("scene.yaml"), text, strlen(text), NULL, &scene);
    if (status == SCREE_OK)
        status = scree_scene_build(scene, 1, &world, &engine);
    const char *mistakes = scene ? scree_scene_mistakes(scene) : NULL;
    snprintf(said, size, "%s", mistakes ? mistakes : status == SCREE_OK ? "" : scree_status_message());
    scree_engine_destroy(engine);
    scree_scene_free(scene);
    return world;
}

static struct scree_body_state body_of(const struct scree_world *world, uint64_t id)
{
    struct scree_body_state body;
    assert_ok(scree_body_get(world, (scree_body_id){id}, &body));
    return body;
}

static uint64_t material_of(const struct scree_world *world, const char *name)
{
    scree_material_id id;
    assert_ok(scree_material_find(world, name, &id));
    return id.value;
}

static const char pack[] = "pack\n\n3 atoms\n2 atom types\n\nAtoms # sphere\n\n"
                           "9 1 0.2 2500 3 0 0\n2 2 0.4 7800 1 0 0\n5 1 0.2 2501 2 0 0\n\n"
                           "Velocities\n\n2 1 0 0 0 0 4\n5 2 0 0 0 0 5\n9 3 0 0 0 0 6\n";

static void bodies_of_a_file_come_in_order_of_ids_with_materials_by_type(void **state)
{
    (void)state;
    char said[2000];
    write_file("pack", pack);
    struct scree_world *world =
        build("types: {1: {material: glass}, 2: {material: steel}}", "", said, sizeof said);
    if (!world)
        fail_msg("%s", said);
    assert_int_equal(scree_body_count(world), 3);
    for (uint64_t id = 1; id <= 3; ++id) {
        const struct scree_body_state body = body_of(world, id);
        assert_true(body.position[0] == (double)id && body.velocity[0] == (double)id);
        assert_true(body.spin[2] == (double)id + 3 && body.radius == (id == 1 ? 0.2 : 0.1));
        assert_int_equal(body.material.value, material_of(world, id == 1 ? "steel" : "glass"));
    }
    scree_world_destroy(world);
    world = build("types: {2: {material: steel}}, material: glass, velocity: drop, scale: 0.5", "", said,
                  sizeof said);
    if (!world)
        fail_msg("%s", said);
    assert_true(body_of(world, 3).position[0] == 1.5 && body_of(world, 3).radius == 0.05);
    assert_true(body_of(world, 3).velocity[0] == 0 && body_of(world, 1).spin[2] == 0);
    assert_int_equal(body_of(world, 1).material.value, material_of(world, "steel"));
    scree_world_destroy(world);
}

static void types_that_are_names_of_materials_need_no_list(void **state)
{
    (void)state;
    char said[2000];
    write_file("pack", "2\nProperties=species:S:1:pos:R:3:radius:R:1\nsteel 0 0 0 1\nglass 3 0 0 1\n"
                       "1\nProperties=species:S:1:pos:R:3:radius:R:1\nglass 0 0 0 2\n");
    struct scree_world *world = build("snapshot: 1", "", said, sizeof said);
    if (!world)
        fail_msg("%s", said);
    assert_int_equal(scree_body_count(world), 2);
    assert_int_equal(body_of(world, 1).material.value, material_of(world, "steel"));
    scree_world_destroy(world);
    // the last one is the standard
    world = build("format: xyz", "", said, sizeof said);
    assert_true(world && scree_body_count(world) == 1 && body_of(world, 1).radius == 2);
    scree_world_destroy(world);
}

static void in_two_dimensions_disks_are_read(void **state)
{
    (void)state;
    char said[2000];
    write_file("pack", "x,y,radius,vx,spin-z\n1,2,0.5,3,4\n");
    struct scree_world *world =
        build("material: glass, thickness: 1 cm", "dimension: 2\n", said, sizeof said);
    if (!world)
        fail_msg("%s", said);
    const struct scree_body_state body = body_of(world, 1);
    assert_true(body.position[1] == 2 && body.velocity[0] == 3 && body.spin[2] == 4);
    // the mass of a disk of 1 cm
    const double mass = 2500 * 3.14159265358979323846 * 0.25 * 0.01;
    assert_true(fabs(body.mass - mass) < 1e-15 * mass * 4);
    scree_world_destroy(world);
}

static void what_is_wrong_with_a_file_is_told_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *file, *keys, *more, *word;
    } rows[] = {
        {pack, "types: {1: {material: glass}}", "", "has bodies of the type '2', and nothing says"},
        {pack, "types: {1: {material: glass}, 2: {material: glass}}", "",
         "pack:9:1: here the density is 7800 kg/m^3, and that of the material 2500"},
        {pack, "types: {1: {material: glass}, 2: {material: stel}}", "", "did you mean 'steel'"},
        {pack, "material: glass, format: lammps-dat", "", "did you mean 'lammps-data'"},
        {pack, "material: glass, format: csv", "", "pack:3:3: a number was expected here"},
        {pack, "material: glass, step: 1, snapshot: 2", "", "step"},
        {pack, "material: glass, snapshot: 2", "", "has one snapshot without a number"},
        {pack, "material: glass, snapshot: 1.5", "", "'snapshot' is a whole number from 1, or last"},
        {"1\n\nH 0 0 0\n", "material: glass", "", "pack:3:1: this file tells no radii"},
        {"1\n\nH 0 0 0\n", "types: {H: {material: glass, radius: 1 kg}}", "", "'radius' is in m"},
        {"1\n\nH 0 0\n", "material: glass", "", "pack:3:1: a row has 4 values here, not 3\n    H 0 0\n"},
        {"0 0 0 1\n", "types: {1: {material: glass}}", "", "tells no types"},
        {"0 0 0 1\n", "velocity: keep", "", "needs a 'material' for all"},
        {"0 0 0 0\n", "material: glass", "", "pack:1:1: here the radius is 0"},
        {"x,y,radius\n0,0,1\n", "material: glass", "dimension: 2\n", "need a 'thickness'"},
        {"", "material: glass", "", "looks like no format"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char said[2000];
        const size_t live = scree_memory_live();
        write_file("pack", rows[r].file);
        struct scree_world *world = build(rows[r].keys, rows[r].more, said, sizeof said);
        if (world || !strstr(said, rows[r].word))
            fail_msg("%s: %s, without '%s'", rows[r].keys, said, rows[r].word);
        assert_int_equal(scree_memory_live(), live);
    }
    unlink(in_folder("pack"));
    char said[2000];
    assert_null(build("material: glass", "", said, sizeof said));
    assert_non_null(strstr(said, "cannot open"));
}

static void a_failed_allocation_leaves_nothing_behind(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    size_t failures = 0;
    write_file("pack", pack);
    for (uint64_t nth = 1;; ++nth) {
        char said[2000];
        scree_memory_fail_at(nth);
        struct scree_world *world =
            build("types: {1: {material: glass}, 2: {material: steel}}", "", said, sizeof said);
        scree_memory_fail_at(0);
        const bool built = world != NULL;
        scree_world_destroy(world);
        assert_int_equal(scree_memory_live(), live);
        if (built)
            break;
        ++failures;
    }
    assert_true(failures > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_of_a_file_come_in_order_of_ids_with_materials_by_type),
        cmocka_unit_test(types_that_are_names_of_materials_need_no_list),
        cmocka_unit_test(in_two_dimensions_disks_are_read),
        cmocka_unit_test(what_is_wrong_with_a_file_is_told_at_its_place),
        cmocka_unit_test(a_failed_allocation_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
