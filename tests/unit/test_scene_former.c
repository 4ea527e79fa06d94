// Bodies of another run come back from its checkpoint: where they were, as large, of the materials of the
// same names, and moving or at rest.

#include "base/memory.h"

#include <scree/scree.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define MATERIALS                                                                                            \
    "scree: 1\n"                                                                                             \
    "materials: {steel: {density: 7800}, glass: {density: 2500}}\n"                                          \
    "engine: {soft: {step: 1 ms}}\nrun: {steps: 1}\n"

static char folder[64], checkpoint[96], scene_path[96];

static int begin(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "scene-former-%ld", (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s/pack.chk", folder);
    snprintf(scene_path, sizeof scene_path, "%s/scene.yaml", folder);
    return mkdir(folder, 0777);
}

static int end(void **state)
{
    (void)state;
    unlink(checkpoint);
    unlink(scene_path);
    return rmdir(folder);
}

// A world of three beads, the second of which has gone.
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
    assert_int_equal(scree_checkpoint_write(world, checkpoint), SCREE_OK);
    scree_world_destroy(world);
}

static scree_status build(const char *text, struct scree_world **world, char *mistakes, size_t size)
{
    struct scree_scene *scene;
    struct scree_engine *engine = NULL;
    *world = NULL;
    mistakes[0] = 0;
    FILE *file = fopen(scene_path, "w");
    assert_true(file && fputs(text, file) >= 0 && fclose(file) == 0);
    scree_status status = scree_scene_load(scene_path, NULL, &scene);
    if (status == SCREE_OK)
        status = scree_scene_build(scene, 1, world, &engine);
    if (scene && scree_scene_mistakes(scene))
        snprintf(mistakes, size, "%s", scree_scene_mistakes(scene));
    scree_engine_destroy(engine);
    scree_scene_free(scene);
    return status;
}

static void bodies_come_back_as_they_were(void **state)
{
    (void)state;
    static const char *const scenes[] = {
        MATERIALS "bodies: [read: {file: pack.chk}]\n",
        // half as wide is an eighth as heavy
        MATERIALS "bodies: [read: {file: pack.chk, velocity: drop, scale: 0.5, density: ignore}]\n",
        MATERIALS "bodies: [read: {file: pack.chk, types: {steel: {material: glass}}, density: ignore}]\n"};
    write_checkpoint(false);
    for (int s = 0; s < 3; ++s) {
        struct scree_world *world;
        char mistakes[2000];
        if (build(scenes[s], &world, mistakes, sizeof mistakes) != SCREE_OK)
            fail_msg("%s", mistakes);
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
        scree_world_destroy(world);
    }
}

static void checkpoints_that_do_not_serve_are_told_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
        bool rigid;
    } rows[] = {
        {MATERIALS "bodies: [read: {file: pack.chk, format: xyz}]\n",
         "a snapshot begins with how many bodies it has", false},
        {MATERIALS "bodies: [read: {file: pack.chk, units: cgs}]\n", "which is in SI units", false},
        {MATERIALS "bodies: [read: {file: pack.chk, step: 4}]\n",
         "'pack.chk' is of the format checkpoint, which has one snapshot", false},
        {MATERIALS "bodies: [read: {file: pack.chk, types: {steel: {material: glass}}}]\n",
         "here the density is 7800 kg/m^3, and that of the material 2500", false},
        {"scree: 1\nmaterials: {glass: {density: 2500}}\nengine: {soft: {step: 1 ms}}\nrun: {steps: 1}\n"
         "bodies: [read: {file: pack.chk}]\n",
         "'pack.chk' has bodies of the type 'steel', and nothing says what they are of", false},
        {MATERIALS "bodies: [read: {file: pack.chk}]\n", "only `scree restart` brings it back", true},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct scree_world *world;
        char mistakes[2000];
        write_checkpoint(rows[r].rigid);
        const scree_status status = build(rows[r].text, &world, mistakes, sizeof mistakes);
        scree_world_destroy(world);
        if (status != SCREE_ERROR_ARGUMENT || !strstr(mistakes, rows[r].said))
            fail_msg("'%s': %s", rows[r].said, mistakes[0] ? mistakes : "no mistake");
    }
    // one of which a byte is another
    write_checkpoint(false);
    FILE *file = fopen(checkpoint, "r+");
    assert_true(file && fseek(file, 2000, SEEK_SET) == 0 && fputc('x', file) != EOF && fclose(file) == 0);
    struct scree_world *world;
    char mistakes[2000];
    assert_int_equal(build(rows[5].text, &world, mistakes, sizeof mistakes), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(mistakes, "is damaged"));
}

static void no_failed_allocation_loses_anything(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    scree_status status = SCREE_ERROR_MEMORY;
    write_checkpoint(false);
    for (uint64_t nth = 1; status != SCREE_OK; ++nth) {
        struct scree_world *world;
        char mistakes[2000];
        scree_memory_fail_at(nth);
        status = build(MATERIALS "bodies: [read: {file: pack.chk}]\n", &world, mistakes, sizeof mistakes);
        scree_memory_fail_at(0);
        if (status != SCREE_OK && status != SCREE_ERROR_MEMORY)
            fail_msg("allocation %d: %s", (int)nth, mistakes);
        scree_world_destroy(world);
        assert_int_equal(scree_memory_live(), live);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_come_back_as_they_were),
        cmocka_unit_test(checkpoints_that_do_not_serve_are_told_at_their_place),
        cmocka_unit_test(no_failed_allocation_loses_anything),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
