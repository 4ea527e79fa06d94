// Roughness of walls: setting it in a world and in a scene, checkpoints, and engines that refuse it.

#include "support/folder.h"
#include "support/trial.h"
#include "support/worlds.h"
#include "world/wall_rough.h"

#include <scree/checkpoint.h>
#include <scree/soft.h>
#include <scree/wall.h>

static struct scree_world *make_world(scree_wall_id floor[2])
{
    struct scree_world *world = scree_test_empty_world();
    const struct scree_wall_def def = {
        .shape = SCREE_WALL_PLANE, .material = scree_test_material(world), .plane = {.normal = {0, 0, 1}}};
    for (int w = 0; w < 2; ++w)
        assert_ok(scree_wall_add(world, &def, &floor[w]));
    return world;
}

static void a_wall_is_smooth_until_its_roughness_is_set(void **state)
{
    (void)state;
    scree_wall_id floor[2];
    struct scree_world *world = make_world(floor), *smooth = make_world(floor);
    struct scree_wall_roughness roughness = {0.05, 7};
    assert_ok(scree_wall_get_roughness(world, floor[1], &roughness));
    assert_true(roughness.angle == 0 && roughness.seed == 0);
    roughness = (struct scree_wall_roughness){0.05, 7};
    assert_ok(scree_wall_set_roughness(world, floor[1], &roughness));
    roughness = (struct scree_wall_roughness){0};
    assert_ok(scree_wall_get_roughness(world, floor[1], &roughness));
    assert_true(roughness.angle == 0.05 && roughness.seed == 7);
    assert_true(!scree_wall_rough(world, 0) && scree_wall_rough(world, 1)->seed == 7);
    assert_ok(scree_world_validate(world));
    assert_false(scree_test_digests_equal(scree_test_digest(world), scree_test_digest(smooth)));
    // removing the first wall moves the other in memory
    assert_ok(scree_wall_remove(world, floor[0]));
    assert_ok(scree_wall_get_roughness(world, floor[1], &roughness));
    assert_true(roughness.angle == 0.05);
    assert_refused(SCREE_ERROR_MISSING, "it has been removed",
                   scree_wall_get_roughness(world, floor[0], &roughness));
    scree_world_destroy(world);
    scree_world_destroy(smooth);
}

static void angles_out_of_range_are_refused(void **state)
{
    (void)state;
    scree_wall_id floor[2];
    struct scree_world *world = make_world(floor);
    const double angles[] = {-1e-9, 0.51, NOT_A_NUMBER};
    for (int k = 0; k < 3; ++k)
        assert_refused(
            SCREE_ERROR_ARGUMENT, "must be from 0, smooth, to 0.5 rad",
            scree_wall_set_roughness(world, floor[0], &(struct scree_wall_roughness){angles[k], 1}));
    scree_world_destroy(world);
}

static void a_checkpoint_has_the_roughness(void **state)
{
    (void)state;
    scree_wall_id floor[2];
    struct scree_world *world = make_world(floor), *loaded = scree_test_empty_world();
    struct scree_wall_roughness roughness;
    const struct scree_folder folder = scree_folder_make("rough");
    assert_ok(scree_wall_set_roughness(world, floor[1], &(struct scree_wall_roughness){0.1, 3}));
    assert_ok(scree_checkpoint_write(world, scree_folder_path(&folder, "rough.chk")));
    assert_ok(scree_checkpoint_read(loaded, scree_folder_path(&folder, "rough.chk")));
    assert_ok(scree_wall_get_roughness(loaded, floor[1], &roughness));
    assert_true(roughness.angle == 0.1 && roughness.seed == 3);
    assert_true(scree_test_digests_equal(scree_test_digest(world), scree_test_digest(loaded)));
    scree_world_destroy(loaded);
    scree_world_destroy(world);
    scree_folder_drop(&folder);
}

// What contacts with virtual walls are not for is refused by name.
static void the_soft_engine_refuses_rough_meshes(void **state)
{
    (void)state;
    static const double vertex[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t facet[1][3] = {{0, 1, 2}};
    scree_wall_id floor[2], mesh;
    struct scree_world *world = make_world(floor);
    struct scree_engine *engine;
    const struct scree_soft_def def = {.step = 1e-5, .threads = 1};
    assert_ok(scree_wall_add(
        world,
        &(struct scree_wall_def){.shape = SCREE_WALL_MESH,
                                 .material = {1},
                                 .mesh = {.vertex = vertex, .vertices = 3, .facet = facet, .facets = 1}},
        &mesh));
    assert_ok(scree_wall_set_roughness(world, floor[1], &(struct scree_wall_roughness){0.1, 3}));
    assert_ok(scree_soft_create(world, &def, &engine));
    assert_ok(scree_engine_run(engine, 1));
    assert_ok(scree_wall_set_roughness(world, mesh, &(struct scree_wall_roughness){0.1, 3}));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "wall 3 is rough and is a mesh, which the soft engine cannot do",
                   scree_engine_run(engine, 1));
    scree_engine_destroy(engine);
    assert_refused(SCREE_ERROR_UNSUPPORTED, "wall 3 is rough", scree_soft_create(world, &def, &engine));
    assert_ok(scree_wall_set_roughness(world, mesh, &(struct scree_wall_roughness){0}));
    assert_ok(scree_soft_create(world, &def, &engine));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

#define SCENE(rough)                                                                                         \
    "scree: 1\nmaterials: {m: {density: 2500}}\nengine: {soft: {step: 1 us}}\n"                              \
    "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: m}, rough: {" rough                     \
    "}}]\nrun: {steps: 1}\n"

static void scenes_give_the_roughness(void **state)
{
    (void)state;
    scree_trial_assert_printed_again(SCENE("angle: 3 deg"), "angle: 0.05235987755982989");
    scree_trial_assert_text_refused(SCREE_TRIAL_READ, "'angle'", "%s", SCENE("seed: 4"));
    scree_trial_assert_text_refused(SCREE_TRIAL_READ, "0.5", "%s", SCENE("angle: 40 deg"));
}

// A ball on a rough wall, and in a rough drum that turns and has a piston.
static void memory_that_runs_out_is_reported(void **state)
{
    (void)state;
    assert_true(scree_trial_starve(SCREE_TRIAL_RUN,
                                   "scree: 1\nmaterials: {m: {density: 2500, young: 5 MPa, poisson: 0.25}}\n"
                                   "contacts: [{between: [m, m], law: hertz, restitution: 1}]\n"
                                   "engine: {soft: {step: 10 us}}\n"
                                   "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: m}, "
                                   "rough: {angle: 5 deg}}]\n"
                                   "bodies: [sphere: {radius: 1 cm, at: [0, 0, 10.1 mm], velocity: [0, 0, "
                                   "-1], material: m}]\n"
                                   "run: {steps: 30}\n",
                                   NULL) > 50);
    assert_true(
        scree_trial_starve(
            SCREE_TRIAL_RUN,
            "scree: 1\nmaterials: {m: {density: 2500}}\n"
            "contacts: [{between: [m, m], law: hard, restitution: 1, friction: 0}]\n"
            "engine: {event: {step: 10 ms}}\n"
            "walls:\n  - {cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 0.1, material: m}, spin: "
            "[0, 0, 1], rough: {angle: 5 deg}}\n"
            "  - {disk: {centre: [0, 0, 0], normal: [0, 0, 1], radius: 0.1, material: m}, free: {mass: 1, "
            "centre: [0, 0, 0], inertia: [1, 1, 1], fixed: [x, y, spin-x, spin-y, spin-z]}}\n"
            "bodies: [sphere: {radius: 1 cm, at: [0, 0, 0.1], velocity: [1, 0, -1], material: m}]\n"
            "run: {steps: 30}\n",
            NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_is_smooth_until_its_roughness_is_set),
        cmocka_unit_test(angles_out_of_range_are_refused),
        cmocka_unit_test(a_checkpoint_has_the_roughness),
        cmocka_unit_test(the_soft_engine_refuses_rough_meshes),
        cmocka_unit_test(scenes_give_the_roughness),
        cmocka_unit_test(memory_that_runs_out_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
