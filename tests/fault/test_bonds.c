// Bonds when memory runs out: each allocation of building, running with breaking, and measuring fails in
// turn; nothing leaks, and the failure is reported.

#include "base/status.h"
#include "support/starve.h"
#include "support/worlds.h"

static scree_status build(struct scree_world *world)
{
    scree_material_id material;
    scree_wall_id wall;
    scree_body_id id[3];
    scree_bond_id bond;
    const struct scree_material_def soil = {.name = "soil", .density = 1000};
    SCREE_TRY(scree_material_add(world, &soil, &material));
    const struct scree_wall_def floor = {
        .shape = SCREE_WALL_PLANE, .material = material, .plane = {{0, 0, -0.2}, {0, 0, 1}}};
    SCREE_TRY(scree_wall_add(world, &floor, &wall));
    for (int b = 0; b < 3; ++b) {
        const struct scree_sphere_def def = {
            .radius = 0.1, .material = material, .position = {0.25 * b, 0, 0}, .velocity = {b, 0, 0}};
        SCREE_TRY(scree_body_add_sphere(world, &def, &id[b]));
    }
    struct scree_bond_def def = {
        .kind = SCREE_BOND_CONTACT, .normal_stiffness = 1e4, .shear_stiffness = 1e4, .tensile_strength = 20};
    for (int b = 0; b < 2; ++b) {
        def.side[0].body = id[b];
        def.side[1].body = id[b + 1];
        def.softening = b == 1 ? 2 : 0;
        SCREE_TRY(scree_bond_add(world, &def, &bond));
    }
    def.side[1].body.value = 0;
    def.wall = wall;
    return scree_bond_add(world, &def, &bond);
}

static scree_status run(struct scree_world *world)
{
    struct scree_engine *engine;
    struct scree_energy energy;
    size_t fragments, count;
    scree_bond_id list[3];
    SCREE_TRY(build(world));
    SCREE_TRY(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-4, .threads = 1}, &engine));
    scree_status status = scree_engine_run(engine, 100);
    scree_engine_destroy(engine);
    SCREE_TRY(status);
    SCREE_TRY(scree_energy_get(world, &energy));
    SCREE_TRY(scree_bond_fragments(world, NULL, 0, &fragments));
    status = scree_bond_list(world, list, 3, &count);
    // without a failure two bonds break
    assert_true(status != SCREE_OK || (count == 1 && scree_bond_broken(world, NULL) == 2));
    return status;
}

static scree_status attempt(void *user)
{
    struct scree_world *world;
    (void)user;
    SCREE_TRY(scree_world_create(NULL, &world));
    const scree_status status = run(world);
    scree_world_destroy(world);
    return status;
}

static void every_failing_allocation_is_reported(void **unused)
{
    (void)unused;
    assert_true(scree_starve(attempt, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failing_allocation_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
