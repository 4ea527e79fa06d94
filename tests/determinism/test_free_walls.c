// A stirrer on a shaft, driven by a torque, and a lid that falls onto balls and clumps: no bit of the digest
// depends on the number of threads, the skin, the order of bodies in memory, or restarts from checkpoints.
// And no failed allocation leaks.

#include "base/team.h"
#include "engine/soft.h"
#include "support/starve.h"
#include "support/worlds.h"

#include <stdio.h>

enum { BODIES = 300, FREE = 2, STEPS = 1500 };

static void add_free(struct scree_world *world, const struct scree_rigid_def *body_def,
                     const struct scree_wall_mesh *mesh, scree_body_id *body)
{
    const struct scree_wall_def def = {.shape = SCREE_WALL_MESH, .material = {1}, .mesh = *mesh};
    scree_wall_id wall;
    assert_ok(scree_body_add_rigid(world, body_def, body));
    assert_ok(scree_wall_add(world, &def, &wall));
    assert_ok(scree_wall_body_attach(world, wall, *body));
}

// Two crossed blades that turn about z.
static void add_stirrer(struct scree_world *world)
{
    static const double vertex[][3] = {{-0.28, 0, 0.02}, {0.28, 0, 0.02}, {0.28, 0, 0.15}, {-0.28, 0, 0.15},
                                       {0, -0.28, 0.02}, {0, 0.28, 0.02}, {0, 0.28, 0.15}, {0, -0.28, 0.15}};
    static const uint32_t facet[][3] = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};
    const struct scree_rigid_def def = {.mass = 5,
                                        .inertia = {0.1, 0.1, 0.05},
                                        .spin = {0, 0, 2},
                                        .fixed = SCREE_FIX_POSITION | SCREE_FIX_SPIN_X | SCREE_FIX_SPIN_Y};
    scree_body_id body;
    scree_load_id load;
    add_free(world, &def,
             &(struct scree_wall_mesh){.vertex = vertex, .vertices = 8, .facet = facet, .facets = 4}, &body);
    assert_ok(scree_load_add(world, &(struct scree_load_def){.body = body, .moment = {0, 0, 6}}, &load));
}

static void add_lid(struct scree_world *world)
{
    static const double vertex[][3] = {
        {-0.3, -0.3, 0.9}, {0.3, -0.3, 0.9}, {0.3, 0.3, 0.9}, {-0.3, 0.3, 0.9}, {0, 0, 1.1}};
    static const uint32_t facet[][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
    const struct scree_rigid_def def = {.mass = 20,
                                        .inertia = {0.7, 0.7, 1.2},
                                        .position = {0.01, 0.02, 0.95},
                                        .velocity = {0, 0, -3},
                                        .spin = {0.5, 0.2, 1}};
    scree_body_id body;
    add_free(world, &def,
             &(struct scree_wall_mesh){.vertex = vertex, .vertices = 5, .facet = facet, .facets = 6}, &body);
}

// Every third body is a clump of two pebbles.
static void add_bodies(struct scree_world *world)
{
    uint64_t seed = 9;
    for (int b = 0; b < BODIES; ++b) {
        scree_body_id id;
        const double position[3] = {0.08 * (b % 8) - 0.28, 0.08 * (b / 8 % 8) - 0.28, 0.2 + 0.1 * (b / 64)};
        double velocity[3];
        for (int k = 0; k < 3; ++k)
            velocity[k] = splitmix_signed(&seed);
        if (b % 3 > 0) {
            struct scree_sphere_def ball = {.radius = 0.03 + 0.005 * splitmix_signed(&seed), .material = {1}};
            memcpy(ball.position, position, sizeof position);
            memcpy(ball.velocity, velocity, sizeof velocity);
            assert_ok(scree_body_add_sphere(world, &ball, &id));
            continue;
        }
        const struct scree_pebble pebble[2] = {{.offset = {0.01, 0, 0}, .radius = 0.025},
                                               {.offset = {-0.01, 0, 0}, .radius = 0.03}};
        struct scree_clump_def def = {.body = {.mass = 0.2, .inertia = {8e-5, 12e-5, 12e-5}, .material = {1}},
                                      .pebble = pebble,
                                      .pebbles = 2,
                                      .equal_radius = 0.033};
        memcpy(def.body.position, position, sizeof position);
        memcpy(def.body.velocity, velocity, sizeof velocity);
        assert_ok(scree_body_add_clump(world, &def, &id));
    }
}

static struct scree_world *make_world(void)
{
    struct scree_world *world;
    scree_material_id material;
    scree_wall_id wall;
    const struct scree_interaction_value values[] = {
        {"friction", 0.5, NULL}, {"restitution", 0.5, NULL}, {"rolling-friction", 0.05, NULL}};
    assert_ok(scree_world_create(&(struct scree_world_def){.gravity = {0, 0, -9.81}}, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 2000}, &material));
    assert_ok(scree_material_set(world, material, "young", 5e7));
    assert_ok(scree_material_set(world, material, "poisson", 0.3));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "hertz-mindlin", .values = values, .count = 3}));
    const struct scree_wall_def box = {
        .shape = SCREE_WALL_BOX,
        .material = material,
        .box = {.lower = {-0.35, -0.35, 0}, .upper = {0.35, 0.35, 3}, .side = SCREE_WALL_INSIDE}};
    assert_ok(scree_wall_add(world, &box, &wall));
    add_stirrer(world);
    add_bodies(world);
    add_lid(world);
    return world;
}

struct variant {
    int threads;
    double skin;         // in mean diameters; 0: chosen by the engine
    unsigned sort_every; // number of searches between sorts; 0: never
    bool shuffled;       // random order of bodies in memory
    int restarted;       // step of the restart from a checkpoint; 0: none
    const char *translation, *rotation;
};

static struct scree_engine *make_engine(const struct variant *variant, struct scree_world *world)
{
    struct scree_engine *engine;
    assert_ok(scree_soft_create(world,
                                &(struct scree_soft_def){.step = 1e-4,
                                                         .threads = variant->threads,
                                                         .translation = variant->translation,
                                                         .rotation = variant->rotation},
                                &engine));
    struct scree_search *search = &((struct scree_soft *)engine->self)->collider.search;
    search->prescribed_skin = variant->skin;
    search->sort_every = variant->sort_every;
    return engine;
}

static struct scree_world *restart(struct scree_world *world)
{
    static const char file[] = "free_walls.chk";
    struct scree_world *read;
    assert_ok(scree_checkpoint_write(world, file));
    scree_world_destroy(world);
    assert_ok(scree_world_create(&(struct scree_world_def){0}, &read));
    assert_ok(scree_checkpoint_read(read, file));
    remove(file);
    return read;
}

static struct scree_digest run(const struct variant *variant)
{
    struct scree_world *world = make_world();
    struct scree_wall_state stirrer, lid;
    double force[3];
    if (variant->shuffled) {
        uint64_t key[BODIES + FREE], seed = 11;
        for (int b = 0; b < BODIES + FREE; ++b)
            key[b] = splitmix_next(&seed);
        assert_ok(scree_world_sort(world, key, BODIES + FREE));
    }
    struct scree_engine *engine = make_engine(variant, world);
    if (variant->restarted > 0) {
        assert_ok(scree_engine_run(engine, (uint64_t)variant->restarted));
        scree_engine_destroy(engine);
        world = restart(world);
        engine = make_engine(variant, world);
    }
    assert_ok(scree_engine_run(engine, (uint64_t)(STEPS - variant->restarted)));
    assert_ok(scree_world_validate(world));
    const struct scree_digest digest = scree_test_digest(world);
    // bodies have slowed the stirrer, which turns about its axis only, and hold the lid
    assert_ok(scree_wall_get(world, (scree_wall_id){2}, &stirrer));
    assert_ok(scree_wall_get(world, (scree_wall_id){3}, &lid));
    assert_ok(scree_wall_load(world, (scree_wall_id){3}, force, NULL));
    assert_true(stirrer.spin[2] > 0 && stirrer.spin[2] < 2 + 6 * 0.15 / 0.05 - 1);
    assert_true(stirrer.pivot[0] == 0 && stirrer.pivot[2] == 0 && stirrer.spin[0] == 0);
    assert_true(lid.pivot[2] > 0.3 && force[2] > 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return digest;
}

static void check_variants(const char *translation, const char *rotation)
{
    static const struct variant variants[] = {
        {.threads = 1, .sort_every = 8},
        {.threads = 1, .skin = 0.01, .sort_every = 1},
        {.threads = 1, .skin = 0.3},
        {.threads = 3, .skin = 0.02, .sort_every = 2, .shuffled = true},
        {.threads = 1, .sort_every = 8, .restarted = 700},
        {.threads = 2, .skin = 0.05, .shuffled = true, .restarted = 1234},
    };
    struct scree_digest expected = {0};
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; ++v) {
        struct variant variant = variants[v];
        variant.translation = translation;
        variant.rotation = rotation;
        const struct scree_digest digest = run(&variant);
        expected = v == 0 ? digest : expected;
        if (!scree_test_digests_equal(expected, digest))
            fail_msg("the digest of variant %zu differs from that of variant 0", v);
    }
}

static void all_variants_of_a_run_with_free_walls_give_the_same_bits(void **state)
{
    (void)state;
    scree_team_set_sharing(SCREE_TEAM_ALWAYS);
    check_variants(NULL, NULL);
    // velocities are stored at mid-step between runs
    check_variants("leapfrog", "pcdm-leapfrog");
}

static scree_status build_and_run(void *user)
{
    (void)user;
    static const double vertex[][3] = {{-1, -1, -0.5}, {1, -1, -0.5}, {1, 1, -0.5}, {-1, 1, -0.5}};
    static const uint32_t facet[][3] = {{0, 1, 2}, {0, 2, 3}};
    const struct scree_wall_def def = {
        .shape = SCREE_WALL_MESH,
        .material = {1},
        .mesh = {.vertex = vertex, .vertices = 4, .facet = facet, .facets = 2}};
    const struct scree_rigid_def rigid = {.mass = 1, .inertia = {1, 1, 1.5}, .position = {0, 0, -0.5}};
    const struct scree_sphere_def ball = {.radius = 0.1, .material = {1}, .position = {0, 0, -0.401}};
    const struct scree_interaction_value values[] = {
        {"stiffness", 1e5, NULL}, {"restitution", 0.5, NULL}, {"friction", 0.5, NULL}};
    struct scree_engine *engine = NULL;
    struct scree_world *world;
    scree_material_id material;
    scree_body_id id, body = {0};
    scree_wall_id wall = {0};
    scree_status status = scree_world_create(&(struct scree_world_def){0}, &world);
    if (status == SCREE_OK)
        status =
            scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 2000}, &material);
    if (status == SCREE_OK)
        status = scree_interaction_add(
            world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3});
    if (status == SCREE_OK)
        status = scree_body_add_sphere(world, &ball, &id);
    if (status == SCREE_OK)
        status = scree_wall_add(world, &def, &wall);
    if (status == SCREE_OK)
        status = scree_body_add_rigid(world, &rigid, &body);
    if (status == SCREE_OK)
        status = scree_wall_body_attach(world, wall, body);
    if (status == SCREE_OK)
        status = scree_soft_create(world, &(struct scree_soft_def){.step = 2e-4, .threads = 1}, &engine);
    if (status == SCREE_OK)
        status = scree_engine_run(engine, 2);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return status;
}

static void no_failed_allocation_leaks(void **state)
{
    (void)state;
    assert_true(scree_starve(build_and_run, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_variants_of_a_run_with_free_walls_give_the_same_bits),
        cmocka_unit_test(no_failed_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
