// Bodies and clumps stirred by a turning mesh in a vessel that is a mesh too: no bit of the digest, which has
// the wear of the facets, depends on the number of threads, the skin, the order of grains in memory, or
// restarts from checkpoints while contacts with facets have histories. And no failed allocation leaks.

#include "base/team.h"
#include "engine/soft.h"
#include "support/starve.h"
#include "support/worlds.h"

#include <stdio.h>

enum { BODIES = 75, STEPS = 3000, SIDES = 12 };

// A vessel: a floor and a wall with `SIDES` sides.
static void add_vessel(struct scree_world *world, scree_material_id material)
{
    double vertex[2 * SIDES + 1][3] = {{0}};
    uint32_t facet[3 * SIDES][3];
    scree_wall_id wall;
    for (uint32_t s = 0; s < SIDES; ++s) {
        const double angle = 6.283185307179586 * s / SIDES;
        const uint32_t next = (s + 1) % SIDES;
        for (uint32_t top = 0; top < 2; ++top) {
            vertex[2 * s + top][0] = 0.4 * cos(angle);
            vertex[2 * s + top][1] = 0.4 * sin(angle);
            vertex[2 * s + top][2] = 2.0 * top;
        }
        memcpy(facet[3 * s], (const uint32_t[]){2 * s, 2 * next, 2 * s + 1}, sizeof facet[0]);
        memcpy(facet[3 * s + 1], (const uint32_t[]){2 * next, 2 * next + 1, 2 * s + 1}, sizeof facet[0]);
        memcpy(facet[3 * s + 2], (const uint32_t[]){2 * s, 2 * next, 2 * SIDES}, sizeof facet[0]);
    }
    const struct scree_wall_def def = {.shape = SCREE_WALL_MESH,
                                       .material = material,
                                       .mesh = {.vertex = (const double(*)[3])vertex,
                                                .vertices = 2 * SIDES + 1,
                                                .facet = (const uint32_t(*)[3])facet,
                                                .facets = 3 * SIDES,
                                                .smooth_angle = 0.6}};
    assert_ok(scree_wall_add(world, &def, &wall));
}

// Two crossed blades with bent tips.
static void add_stirrer(struct scree_world *world, scree_material_id material)
{
    static const double vertex[][3] = {{-0.28, 0, 0.02}, {0.28, 0, 0.02},   {0.28, 0, 0.15}, {-0.28, 0, 0.15},
                                       {0, -0.28, 0.02}, {0, 0.28, 0.02},   {0, 0.28, 0.15}, {0, -0.28, 0.15},
                                       {0.25, 0.1, 0.2}, {-0.25, -0.1, 0.2}};
    static const uint32_t facet[][3] = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}, {2, 3, 8}, {3, 2, 9}};
    const double pivot[3] = {0, 0, 0};
    scree_wall_id wall;
    const struct scree_wall_def def = {
        .shape = SCREE_WALL_MESH,
        .material = material,
        .mesh = {.vertex = vertex, .vertices = 10, .facet = facet, .facets = 6},
        .spin = {0, 0, 6},
        .pivot = pivot};
    assert_ok(scree_wall_add(world, &def, &wall));
}

// Every third body is a clump of two pebbles.
static void add_bodies(struct scree_world *world, scree_material_id material, int count)
{
    uint64_t seed = 9;
    for (int b = 0; b < count; ++b) {
        scree_body_id id;
        const double position[3] = {0.1 * (b % 5) - 0.2, 0.1 * (b / 5 % 5) - 0.2, 0.3 + 0.1 * (b / 25)};
        double velocity[3];
        for (int k = 0; k < 3; ++k)
            velocity[k] = splitmix_signed(&seed) - (k == 2 ? 2 : 0);
        if (b % 3 > 0) {
            struct scree_sphere_def ball = {.radius = 0.035 + 0.01 * splitmix_signed(&seed),
                                            .material = material};
            memcpy(ball.position, position, sizeof position);
            memcpy(ball.velocity, velocity, sizeof velocity);
            assert_ok(scree_body_add_sphere(world, &ball, &id));
            continue;
        }
        const struct scree_pebble pebble[2] = {{.offset = {0.015, 0, 0}, .radius = 0.025},
                                               {.offset = {-0.015, 0, 0}, .radius = 0.03}};
        struct scree_clump_def def = {.body = {.mass = 0.2,
                                               .inertia = {8e-5, 12e-5, 12e-5},
                                               .orientation = {1, splitmix_signed(&seed), 0.3, 0},
                                               .material = material},
                                      .pebble = pebble,
                                      .pebbles = 2,
                                      .equal_radius = 0.033};
        memcpy(def.body.position, position, sizeof position);
        memcpy(def.body.velocity, velocity, sizeof velocity);
        assert_ok(scree_body_add_clump(world, &def, &id));
    }
}

static struct scree_world *make_world(int bodies)
{
    struct scree_world *world;
    scree_material_id material;
    const struct scree_interaction_value values[] = {
        {"friction", 0.5, NULL}, {"restitution", 0.5, NULL}, {"rolling-friction", 0.05, NULL}};
    assert_ok(scree_world_create(&(struct scree_world_def){.gravity = {0, 0, -9.81}}, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 2000}, &material));
    assert_ok(scree_material_set(world, material, "young", 5e7));
    assert_ok(scree_material_set(world, material, "poisson", 0.3));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "hertz-mindlin", .values = values, .count = 3}));
    add_vessel(world, material);
    add_stirrer(world, material);
    add_bodies(world, material, bodies);
    assert_ok(scree_facet_keep_wear(world));
    return world;
}

struct variant {
    int threads;
    double skin;         // in mean diameters; 0: chosen by the engine
    unsigned sort_every; // number of searches between sorts; 0: never
    bool shuffled;       // random order of bodies in memory
    int restarted;       // step of the restart from a checkpoint; 0: none
};

static struct scree_engine *make_engine(const struct variant *variant, struct scree_world *world)
{
    struct scree_engine *engine =
        scree_test_engine(world, 1e-4, variant->threads, variant->skin, variant->sort_every);
    return engine;
}

// The digest compares something only if facets of the vessel are worn.
static void assert_worn(const struct scree_world *world)
{
    struct scree_wall_facet facet[3 * SIDES];
    size_t count;
    int rubbed = 0, hit = 0;
    assert_ok(scree_facet_list(world, (scree_wall_id){1}, facet, 3 * SIDES, &count));
    for (size_t f = 0; f < count; ++f) {
        rubbed += facet[f].wear.friction_work > 0;
        hit += facet[f].wear.impacts > 0 && facet[f].wear.impact_energy > 0;
    }
    assert_true(rubbed > SIDES && hit > SIDES);
}

static struct scree_digest run(const struct variant *variant)
{
    struct scree_world *world = make_world(BODIES);
    if (variant->shuffled)
        scree_test_shuffle(world, 11);
    struct scree_engine *engine = make_engine(variant, world);
    if (variant->restarted > 0) {
        assert_ok(scree_engine_run(engine, (uint64_t)variant->restarted));
        scree_engine_destroy(engine);
        scree_test_restart(&world, "mesh.chk");
        engine = make_engine(variant, world);
    }
    assert_ok(scree_engine_run(engine, (uint64_t)(STEPS - variant->restarted)));
    assert_ok(scree_world_validate(world));
    const struct scree_digest digest = scree_test_digest(world);
    // the stirrer and the vessel hold the bodies
    for (int b = 1; b <= BODIES; ++b) {
        struct scree_body_state body;
        assert_ok(scree_body_get(world, (scree_body_id){(uint64_t)b}, &body));
        assert_true(body.position[2] > 0 && hypot(body.position[0], body.position[1]) < 0.4);
    }
    assert_worn(world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return digest;
}

static void all_variants_of_a_run_with_meshes_give_the_same_bits(void **state)
{
    (void)state;
    static const struct variant variants[] = {
        {.threads = 1, .sort_every = 8},
        {.threads = 1, .skin = 0.01, .sort_every = 1},
        {.threads = 1, .skin = 0.3},
        {.threads = 1, .shuffled = true},
        {.threads = 3, .skin = 0.02, .sort_every = 2, .shuffled = true},
        {.threads = 1, .sort_every = 8, .restarted = 1700},
        {.threads = 2, .skin = 0.05, .restarted = 2234},
    };
    scree_team_set_sharing(SCREE_TEAM_ALWAYS);
    const struct scree_digest expected = run(&variants[0]);
    for (size_t v = 1; v < sizeof variants / sizeof variants[0]; ++v)
        if (!scree_test_digests_equal(expected, run(&variants[v])))
            fail_msg("the digest of variant %zu differs from that of variant 0", v);
}

static scree_status build_and_run(void *user)
{
    struct scree_world *world = *(struct scree_world **)user;
    struct scree_engine *engine = NULL;
    struct scree_wall_state state;
    struct scree_wall_facet facets[2];
    size_t count;
    scree_wall_id wall = {0};
    static const double vertex[][3] = {{-1, -1, -0.5}, {1, -1, -0.5}, {1, 1, -0.5}, {-1, 1, -0.5}};
    static const uint32_t facet[][3] = {{0, 1, 2}, {0, 2, 3}};
    const struct scree_wall_def def = {
        .shape = SCREE_WALL_MESH,
        .material = {1},
        .mesh = {.vertex = vertex, .vertices = 4, .facet = facet, .facets = 2}};
    const size_t walls = scree_wall_count(world);
    scree_status status = scree_wall_add(world, &def, &wall);
    if (status == SCREE_OK)
        status = scree_soft_create(world, &(struct scree_soft_def){.step = 2e-4, .threads = 1}, &engine);
    if (status == SCREE_OK)
        status = scree_engine_run(engine, 2);
    if (status == SCREE_OK)
        status = scree_facet_list(world, wall, facets, 2, &count);
    scree_engine_destroy(engine);
    if (scree_wall_get(world, wall, &state) == SCREE_OK)
        assert_ok(scree_wall_remove(world, wall));
    assert_int_equal(scree_wall_count(world), walls);
    return status;
}

static scree_status build_in_new_world(void *user)
{
    (void)user;
    struct scree_world *world;
    scree_material_id material;
    scree_body_id id;
    scree_status status = scree_world_create(&(struct scree_world_def){.gravity = {0, 0, -9.81}}, &world);
    if (status == SCREE_OK)
        status =
            scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 2000}, &material);
    if (status == SCREE_OK)
        status = scree_interaction_add(
            world, &(struct scree_interaction_def){
                       .law = "linear",
                       .values = (const struct scree_interaction_value[]){{"stiffness", 1e5, NULL},
                                                                          {"restitution", 0.5, NULL},
                                                                          {"friction", 0.5, NULL}},
                       .count = 3});
    if (status == SCREE_OK)
        status = scree_body_add_sphere(
            world,
            &(struct scree_sphere_def){.radius = 0.1, .material = material, .position = {0, 0, -0.401}}, &id);
    if (status == SCREE_OK)
        status = scree_facet_keep_wear(world);
    if (status == SCREE_OK)
        status = build_and_run(&world);
    scree_world_destroy(world);
    return status;
}

static void no_failed_allocation_leaks(void **state)
{
    (void)state;
    assert_true(scree_starve(build_in_new_world, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_variants_of_a_run_with_meshes_give_the_same_bits),
        cmocka_unit_test(no_failed_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
