// Each allocation of a scenario fails in turn, the first, the second, and so on until none fails: each
// failure is reported, nothing leaks, and the world stays valid and usable.

#include "base/memory.h"
#include "support/worlds.h"

// Runs the scenario; the world and engine that it creates are left in *world and *engine.
typedef scree_status scenario(struct scree_world **world, struct scree_engine **engine);

static void assert_usable(struct scree_world *world)
{
    scree_body_id id;
    scree_load_id load;
    struct scree_digest digest;
    assert_ok(scree_world_validate(world));
    assert_ok(scree_world_digest(world, &digest));
    const struct scree_rigid_def solid = {.mass = 1, .inertia = {1, 1, 1}}, flat = {.mass = 1, .polar = 1};
    assert_ok(scree_body_add_rigid(world, scree_world_dimension(world) == 2 ? &flat : &solid, &id));
    assert_ok(scree_body_add_force(world, id, (const double[3]){1}, NULL));
    assert_ok(scree_body_remove(world, id));
    assert_ok(scree_load_add(world, &(struct scree_load_def){.force = {1}}, &load));
    assert_ok(scree_load_remove(world, load));
}

static void fail_each_allocation(scenario *scenario_run, unsigned min_allocations)
{
    for (uint64_t nth = 1;; ++nth) {
        const size_t live = scree_memory_live();
        struct scree_world *world = NULL;
        struct scree_engine *engine = NULL;
        const uint64_t before = scree_memory_count();
        scree_memory_fail_at(nth);
        const scree_status status = scenario_run(&world, &engine);
        const bool failed = scree_memory_count() - before >= nth;
        scree_memory_fail_at(0);
        if (!failed) {
            assert_ok(status);
            assert_true(nth > min_allocations);
        } else if (status != SCREE_ERROR_MEMORY) {
            fail_msg("allocation %llu failed, and the scenario ended with '%s'", (unsigned long long)nth,
                     scree_status_name(status));
        } else {
            assert_non_null(strstr(scree_status_message(), "memory"));
        }
        if (engine) {
            assert_int_equal(scree_world_level(world), SCREE_ON_STEP);
            assert_ok(scree_engine_run(engine, 2));
        }
        scree_engine_destroy(engine);
        if (world)
            assert_usable(world);
        scree_world_destroy(world);
        assert_int_equal(scree_memory_live(), live);
        if (!failed)
            return;
    }
}

static scree_status make_empty(struct scree_world **world, struct scree_engine **engine)
{
    (void)engine;
    return scree_world_create(&(struct scree_world_def){.sphere_orientation = true}, world);
}

static void failed_allocations_in_creating_a_world_are_reported(void **state)
{
    (void)state;
    fail_each_allocation(make_empty, 20);
}

static scree_status make_bodies(struct scree_world **world, struct scree_engine **engine)
{
    (void)engine;
    return scree_test_world_build(
        &(struct scree_test_world){.bodies = 200, .loads = true, .own_damping = true}, world);
}

static void failed_allocations_in_adding_many_bodies_are_reported(void **state)
{
    (void)state;
    fail_each_allocation(make_bodies, 30);
}

// Adding a body fails, but the world and its bodies stay.
static scree_status add_bodies_one_by_one(struct scree_world **world, struct scree_engine **engine)
{
    (void)engine;
    SCREE_TRY(scree_world_create(NULL, world));
    scree_material_id material;
    scree_body_id id;
    SCREE_TRY(scree_material_add(*world, &(struct scree_material_def){"m", 1000}, &material));
    for (size_t n = 0; n < 100; ++n) {
        struct scree_digest before;
        SCREE_TRY(scree_world_digest(*world, &before));
        const size_t count = scree_body_count(*world);
        const struct scree_sphere_def sphere = {.radius = 1, .material = material};
        const struct scree_rigid_def rigid = {.mass = 1, .inertia = {1, 1, 1}};
        const scree_status status = n % 20 == 19 ? scree_body_add_rigid(*world, &rigid, &id)
                                                 : scree_body_add_sphere(*world, &sphere, &id);
        if (status != SCREE_OK) {
            assert_int_equal(scree_body_count(*world), count);
            assert_true(scree_test_digests_equal(before, scree_test_digest(*world)));
            return status;
        }
    }
    SCREE_TRY(scree_body_set_damping(*world, id, 0.1, 0.1));
    SCREE_TRY(scree_body_add_force(*world, id, (const double[3]){1}, NULL));
    return scree_world_integrate_sphere_orientation(*world);
}

static void a_world_whose_growth_fails_keeps_its_bodies(void **state)
{
    (void)state;
    // the digest allocates too, and may fail: it must report the failure
    fail_each_allocation(add_bodies_one_by_one, 30);
}

static scree_status add_fields_and_sort(struct scree_world **world, struct scree_engine **engine)
{
    (void)engine;
    uint64_t id;
    SCREE_TRY(scree_test_world_build(&(struct scree_test_world){.bodies = 20}, world));
    const struct scree_field_def heat = {.entity = "body",
                                         .name = "heat",
                                         .type = SCREE_F64,
                                         .width = 1,
                                         .flags = SCREE_PERSISTED,
                                         .about = "Heat."};
    const struct scree_field_def length = {.entity = "spring",
                                           .name = "length",
                                           .type = SCREE_F32,
                                           .width = 3,
                                           .flags = SCREE_PERSISTED,
                                           .about = "Length."};
    SCREE_TRY(scree_field_add(*world, &heat));
    SCREE_TRY(scree_field_add_entity(*world, "spring"));
    SCREE_TRY(scree_field_add(*world, &length));
    for (int n = 0; n < 40; ++n)
        SCREE_TRY(scree_field_add_row(*world, "spring", &id));
    uint64_t keys[20];
    for (uint64_t k = 0; k < 20; ++k)
        keys[k] = 1000 - k;
    SCREE_TRY(scree_world_sort(*world, keys, 20));
    struct scree_digest digest;
    SCREE_TRY(scree_world_digest(*world, &digest));
    return scree_world_reserve(*world, 10000);
}

static void failed_allocations_in_adding_fields_sorting_and_digests_are_reported(void **state)
{
    (void)state;
    fail_each_allocation(add_fields_and_sort, 40);
}

static scree_status add_bodies(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)user;
    const struct scree_rigid_def solid = {.mass = 1, .inertia = {1, 1, 1}}, flat = {.mass = 1, .polar = 1};
    scree_body_id id;
    for (int n = 0; n < 20; ++n)
        SCREE_TRY(scree_body_add_rigid(world, scree_world_dimension(world) == 2 ? &flat : &solid, &id));
    return SCREE_OK;
}

static scree_status step_world(const struct scree_test_world *setup, struct scree_world **world,
                               struct scree_engine **engine)
{
    scree_callback_id id;
    SCREE_TRY(scree_test_world_build(setup, world));
    SCREE_TRY(scree_test_world_engine(setup, *world, engine));
    SCREE_TRY(scree_engine_run(*engine, 3));
    SCREE_TRY(scree_engine_set_callback(*engine, 20, add_bodies, NULL, &id));
    SCREE_TRY(scree_engine_run(*engine, 3));
    SCREE_TRY(scree_engine_set_damping(*engine, &(struct scree_damping){0.3, 0.1}));
    SCREE_TRY(scree_body_set_velocity(*world, (scree_body_id){1}, (const double[3]){1}));
    SCREE_TRY(scree_load_set(*world, (const scree_body_id[2]){{1}, {2}}, 2, (const double[3]){1},
                             (const double[3]){0}));
    SCREE_TRY(scree_engine_run(*engine, 3));
    return scree_engine_remove_callback(*engine, id);
}

// Clumps that touch each other, in a run with additions and removals.
static scree_status run_clumps(struct scree_world **world, struct scree_engine **engine)
{
    static const struct scree_interaction_value values[] = {{"friction", 0.5, NULL},
                                                            {"restitution", 0.5, NULL}};
    const struct scree_pebble pebble[] = {{.offset = {-0.1, 0, 0}, .radius = 0.15},
                                          {.offset = {0.1, 0, 0}, .radius = 0.12}};
    struct scree_clump_def def = {.body = {.mass = 1, .inertia = {0.01, 0.02, 0.02}},
                                  .pebble = pebble,
                                  .pebbles = 2,
                                  .equal_radius = 0.2};
    scree_body_id id;
    SCREE_TRY(scree_world_create(&(struct scree_world_def){0}, world));
    SCREE_TRY(scree_material_add(*world, &(struct scree_material_def){.name = "m", .density = 1000},
                                 &def.body.material));
    SCREE_TRY(scree_material_set(*world, def.body.material, "young", 1e6));
    SCREE_TRY(scree_material_set(*world, def.body.material, "poisson", 0.3));
    SCREE_TRY(scree_interaction_add(
        *world, &(struct scree_interaction_def){.law = "hertz-mindlin", .values = values, .count = 2}));
    SCREE_TRY(scree_soft_create(*world, &(struct scree_soft_def){.step = 1e-4, .threads = 1}, engine));
    for (int n = 0; n < 20; ++n) {
        def.body.position[0] = 0.45 * n;
        const size_t bodies = scree_body_count(*world);
        const scree_status status = scree_body_add_clump(*world, &def, &id);
        // all of a clump is added, or nothing
        assert_int_equal(scree_body_count(*world), status == SCREE_OK ? bodies + 1 : bodies);
        SCREE_TRY(status);
    }
    SCREE_TRY(scree_engine_run(*engine, 3));
    SCREE_TRY(scree_body_remove(*world, (scree_body_id){5}));
    return scree_engine_run(*engine, 3);
}

static void failed_allocations_in_adding_and_moving_clumps_are_reported(void **state)
{
    (void)state;
    fail_each_allocation(run_clumps, 40);
}

static struct scree_test_world step_setup;

static scree_status run_steps(struct scree_world **world, struct scree_engine **engine)
{
    return step_world(&step_setup, world, engine);
}

static void failed_allocations_in_steps_of_every_scheme_are_reported(void **state)
{
    (void)state;
    step_setup = (struct scree_test_world){
        .bodies = 12, .loads = true, .own_damping = true, .fixed = true, .oriented = true};
    for (size_t r = 0; (step_setup.rotation = scree_motion_name(SCREE_ROTATION, r)); ++r) {
        step_setup.translation = scree_motion_name(SCREE_TRANSLATION, r % 7);
        if (strcmp(step_setup.rotation, "spherical") != 0)
            fail_each_allocation(run_steps, 40);
    }
    step_setup = (struct scree_test_world){
        .dimension = 2, .bodies = 12, .damping = {0.1, 0.1}, .translation = "leapfrog"};
    fail_each_allocation(run_steps, 40);
    // without damping and loads: arrays that are allocated only when needed
    step_setup = (struct scree_test_world){.bodies = 12, .rotation = "pcdm"};
    fail_each_allocation(run_steps, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_allocations_in_creating_a_world_are_reported),
        cmocka_unit_test(failed_allocations_in_adding_many_bodies_are_reported),
        cmocka_unit_test(a_world_whose_growth_fails_keeps_its_bodies),
        cmocka_unit_test(failed_allocations_in_adding_fields_sorting_and_digests_are_reported),
        cmocka_unit_test(failed_allocations_in_adding_and_moving_clumps_are_reported),
        cmocka_unit_test(failed_allocations_in_steps_of_every_scheme_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
