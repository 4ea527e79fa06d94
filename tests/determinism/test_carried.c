// Worlds with simple bodies and bodies that carry grains: no bit of the digest depends on the number of
// threads, the skin, the order of grains in memory, the division into runs, callbacks that read, or restarts
// from checkpoints. Contacts and neighbour lists follow the grains when only rotation or an edit moves them.
// A contact is the same in any tile of slots.

#include "base/processor.h"
#include "base/team.h"
#include "engine/soft.h"
#include "support/worlds.h"
#include "world/grain.h"

#include <stdio.h>

enum { BODIES = 700, STEPS = 150, REMOVAL_STEP = 100 };
static const double step = 5e-5;

static void add_material(struct scree_world *world, scree_material_id *material)
{
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 2000}, material));
    assert_ok(scree_material_set(world, *material, "young", 1e7));
    assert_ok(scree_material_set(world, *material, "poisson", 0.3));
    const struct scree_interaction_value values[] = {
        {"friction", 0.5, NULL}, {"restitution", 0.5, NULL}, {"rolling-friction", 0.05, NULL}};
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "hertz-mindlin", .values = values, .count = 3}));
}

// Adds a body with grains, as a clump or by single grains; the result is the same but for the records of a
// clump.
static void add_carrier(struct scree_world *world, const struct scree_rigid_def *def, int kind, int grains,
                        bool clump)
{
    struct scree_clump_def clump_def = {.body = *def, .pebbles = (size_t)grains, .equal_radius = 0.04};
    struct scree_pebble pebble[3];
    scree_body_id id;
    uint64_t grain;
    for (int p = 0; p < 3; ++p)
        pebble[p] = (struct scree_pebble){.offset = {0.012 * (p - 1), 0.006 * kind, 0},
                                          .radius = 0.034 - 0.003 * (p - 1)};
    clump_def.pebble = pebble;
    if (clump) {
        assert_ok(scree_body_add_clump(world, &clump_def, &id));
        return;
    }
    assert_ok(scree_body_add_rigid(world, def, &id));
    for (int p = 0; p < grains; ++p)
        assert_ok(scree_grain_add(world, id, pebble[p].radius, pebble[p].offset, &grain));
}

// A body high above the others that turns by more than a radian in a step: its orientation is found by other
// functions than those of slower bodies.
static void add_spinner(struct scree_world *world, scree_material_id material)
{
    const struct scree_rigid_def def = {.mass = 0.5,
                                        .inertia = {2e-4, 5e-4, 4e-4},
                                        .position = {0.3, 0.5, 1.9},
                                        .spin = {1 / step, 2 / step, 0},
                                        .material = material};
    const struct scree_pebble pebble = {.offset = {1e-6, 0, 0}, .radius = 0.03};
    scree_body_id id;
    assert_ok(scree_body_add_clump(
        world, &(struct scree_clump_def){.body = def, .pebble = &pebble, .pebbles = 1, .equal_radius = 0.03},
        &id));
}

// Half of the bodies with grains are clumps. With `balls` every fifth body is a simple sphere, and the others
// carry three grains; without, all carry one to three grains.
static void add_bodies(struct scree_world *world, scree_material_id material, bool balls)
{
    uint64_t seed = 5;
    for (int b = 0; b < BODIES; ++b) {
        scree_body_id id;
        double position[3] = {0.1 * (b % 8) + 0.05, 0.1 * (b / 8 % 8) + 0.05, 0.1 * (b / 64) + 0.048};
        double velocity[3], spin[3];
        for (int k = 0; k < 3; ++k) {
            position[k] += 0.003 * splitmix_signed(&seed);
            velocity[k] = 1.5 * splitmix_signed(&seed);
            spin[k] = 10 * splitmix_signed(&seed);
        }
        if (balls && b % 5 == 0) {
            struct scree_sphere_def ball = {.radius = 0.048, .material = material};
            memcpy(ball.position, position, sizeof position);
            memcpy(ball.velocity, velocity, sizeof velocity);
            memcpy(ball.spin, spin, sizeof spin);
            assert_ok(scree_body_add_sphere(world, &ball, &id));
            continue;
        }
        struct scree_rigid_def def = {.mass = 0.5,
                                      .inertia = {2e-4, 5e-4, 4e-4},
                                      .orientation = {1, splitmix_signed(&seed), 0.3, 0},
                                      .material = material};
        memcpy(def.position, position, sizeof position);
        memcpy(def.velocity, velocity, sizeof velocity);
        memcpy(def.spin, spin, sizeof spin);
        add_carrier(world, &def, b % 3, balls ? 3 : 1 + b % 4 % 3, b % 2 == 0);
    }
    if (!balls)
        add_spinner(world, material);
}

static struct scree_world *make_world(bool balls)
{
    struct scree_world *world;
    scree_material_id material;
    scree_wall_id wall;
    assert_ok(scree_world_create(&(struct scree_world_def){.gravity = {0, 0, -9.81}}, &world));
    add_material(world, &material);
    assert_ok(
        scree_cell_set(world, &(struct scree_cell_def){.upper = {0.8, 0.8, 2}, .periodic = {true, true}}));
    const struct scree_wall_def floor = {.shape = SCREE_WALL_PLANE,
                                         .material = material,
                                         .plane = {.normal = {0, 0, 1}},
                                         .velocity = {balls ? 0.1 : 0, 0, 0}};
    assert_ok(scree_wall_add(world, &floor, &wall));
    add_bodies(world, material, balls);
    return world;
}

static scree_status read_grains(struct scree_engine *engine, struct scree_world *world, void *user)
{
    struct scree_view view;
    (void)engine;
    (void)user;
    // memory grows in some steps only
    assert_ok(scree_world_reserve(world, scree_body_count(world) + 20 * scree_world_steps(world)));
    return scree_field_view(world, "grain.position", &view);
}

static void read_grains_at_all_points(struct scree_engine *engine)
{
    scree_callback_id id;
    for (int point = 5; point < 100; point += 10)
        assert_ok(scree_engine_set_callback(engine, point, read_grains, NULL, &id));
}

// How a world is run.
struct variant {
    int threads;
    double skin;         // in mean diameters; 0: chosen by the engine
    unsigned sort_every; // number of searches between sorts; 0: never
    bool shuffled;       // random order of bodies and grains in memory
    bool observed;       // runs of one step, with the energy ledger read between them
    bool reads_grains;   // callbacks read carried grains at all points of all steps, and reserve memory
    int narrower;        // number of instruction sets below the best of this processor
    bool no_balls;       // all bodies carry grains
    int restarted;       // step of the restart from a checkpoint with a new engine; 0: none
};

static struct scree_engine *make_engine(const struct variant *variant, struct scree_world *world)
{
    struct scree_engine *engine =
        scree_test_engine(world, step, variant->threads, variant->skin, variant->sort_every);
    if (variant->reads_grains)
        read_grains_at_all_points(engine);
    return engine;
}

// Removes bodies with their grains; every variant does this after REMOVAL_STEP steps.
static void remove_every_fiftieth_body(struct scree_world *world)
{
    for (uint64_t id = 7; id <= BODIES; id += 50)
        assert_ok(scree_body_remove(world, (scree_body_id){id}));
}

static struct scree_digest run(const struct variant *variant)
{
    struct scree_world *world = make_world(!variant->no_balls);
    if (variant->shuffled)
        scree_test_shuffle(world, 11);
    struct scree_engine *engine = make_engine(variant, world);
    scree_processor_choose(scree_processor_best() - variant->narrower);
    for (int done = 0; done < STEPS;) {
        const int next = variant->observed           ? done + 1
                         : done < variant->restarted ? variant->restarted
                         : done < REMOVAL_STEP       ? REMOVAL_STEP
                                                     : STEPS;
        struct scree_energy energy;
        assert_ok(scree_engine_run(engine, (uint64_t)(next - done)));
        done = next;
        if (variant->observed)
            assert_ok(scree_energy_get(world, &energy));
        if (done == variant->restarted) {
            scree_engine_destroy(engine);
            scree_test_restart(&world, "carried.chk");
            engine = make_engine(variant, world);
        }
        if (done == REMOVAL_STEP)
            remove_every_fiftieth_body(world);
    }
    scree_processor_choose(-1);
    assert_ok(scree_world_validate(world));
    const struct scree_digest digest = scree_test_digest(world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return digest;
}

static void compare(const struct variant *variant, size_t count)
{
    scree_team_set_sharing(SCREE_TEAM_ALWAYS);
    const struct scree_digest expected = run(&variant[0]);
    for (size_t v = 1; v < count; ++v)
        if (!scree_test_digests_equal(expected, run(&variant[v])))
            fail_msg("the digest of variant %zu differs from that of variant 0", v);
}

static void all_variants_of_a_run_with_carried_grains_give_the_same_bits(void **state)
{
    (void)state;
    static const struct variant variants[] = {
        {.threads = 1, .sort_every = 8},
        {.threads = 1, .skin = 0.01, .sort_every = 1},
        {.threads = 1, .skin = 0.3},
        {.threads = 1, .shuffled = true},
        {.threads = 2, .sort_every = 8},
        {.threads = 3, .skin = 0.02, .sort_every = 2, .shuffled = true},
        {.threads = 2, .sort_every = 8, .observed = true},
        {.threads = 1, .skin = 0.01, .reads_grains = true},
        {.threads = 1, .sort_every = 8, .restarted = 40},
        {.threads = 2, .skin = 0.05, .restarted = 77},
        {.threads = 1, .sort_every = 8, .restarted = REMOVAL_STEP},
    };
    compare(variants, sizeof variants / sizeof variants[0]);
}

// A block is summed and moved in one pass only if all its bodies carry grains and no wall moves. Callbacks
// that read grains prevent it, and so does reading energies after each step.
static void one_pass_over_bodies_and_their_grains_gives_the_bits_of_separate_passes(void **state)
{
    (void)state;
    static const struct variant variants[] = {
        {.threads = 1, .sort_every = 8, .no_balls = true},
        {.threads = 1, .skin = 0.01, .reads_grains = true, .no_balls = true},
        {.threads = 3, .skin = 0.02, .sort_every = 2, .shuffled = true, .no_balls = true},
        {.threads = 2, .sort_every = 8, .observed = true, .no_balls = true},
        {.threads = 1, .narrower = 1, .no_balls = true},
        {.threads = 1, .narrower = 2, .no_balls = true},
    };
    compare(variants, sizeof variants / sizeof variants[0]);
}

// A fast rotating body moves its grains into a ball at rest: the contact is found although no centre of mass
// moves, and although a callback has read the grains before the engine measures their displacement.
static void rotate_into_contact(bool reads_grains)
{
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    scree_body_id body, ball;
    uint64_t grain;
    const scree_material_id material = scree_test_material(world);
    assert_ok(scree_material_set(world, material, "young", 1e7));
    assert_ok(scree_material_set(world, material, "poisson", 0.3));
    const struct scree_interaction_value value = {"restitution", 0.9, NULL};
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "hertz", .values = &value, .count = 1}));
    assert_ok(scree_body_add_rigid(
        world,
        &(struct scree_rigid_def){.mass = 5, .inertia = {1, 1, 1}, .material = material, .spin = {0, 0, 10}},
        &body));
    assert_ok(scree_grain_add(world, body, 0.1, (const double[3]){1, 0, 0}, &grain));
    ball = scree_test_ball(world, material, 0.1, -1, 0);
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-4, .threads = 1}, &engine));
    if (reads_grains)
        read_grains_at_all_points(engine);
    // half a turn takes 0.314 s
    assert_ok(scree_engine_run(engine, 2500));
    struct scree_body_state before, after;
    assert_ok(scree_body_get(world, ball, &before));
    assert_ok(scree_engine_run(engine, 1500));
    assert_ok(scree_body_get(world, ball, &after));
    assert_true(before.velocity[1] == 0 && after.velocity[1] < -1);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void rotation_alone_brings_grains_into_contact(void **state)
{
    (void)state;
    rotate_into_contact(false);
    rotate_into_contact(true);
}

// A ball that spins hits a grain of a clump, beside which `others` are at rest far away: slots of bodies come
// before those of grains, so these others are between the ball and the grains.
static void hit_beside(int others, struct scree_body_state last[2])
{
    struct scree_world *world = scree_test_empty_world();
    scree_material_id material;
    scree_body_id id;
    add_material(world, &material);
    const struct scree_sphere_def ball = {.radius = 0.05,
                                          .material = material,
                                          .position = {-0.1, 0.02, 0},
                                          .velocity = {1, 0, 0},
                                          .spin = {0, 20, 5}};
    assert_ok(scree_body_add_sphere(world, &ball, &id));
    add_carrier(world,
                &(struct scree_rigid_def){.mass = 0.5, .inertia = {2e-4, 5e-4, 4e-4}, .material = material},
                0, 3, true);
    for (int i = 0; i < others; ++i) {
        const struct scree_sphere_def other = {
            .radius = 0.05, .material = material, .position = {10 + 0.2 * (i % 50), 0.2 * (i / 50), 0}};
        assert_ok(scree_body_add_sphere(world, &other, &id));
    }
    struct scree_engine *engine = scree_test_engine(world, step, 1, 0, 0);
    assert_ok(scree_engine_run(engine, 800));
    for (uint64_t k = 0; k < 2; ++k)
        last[k] = scree_test_state(world, k + 1);
    assert_true(last[0].velocity[0] < 0.9 && fabs(last[0].spin[1] - 20) > 1);
    scree_test_end(world, engine);
}

static void a_grain_in_any_tile_has_its_own_tangential_mass(void **state)
{
    (void)state;
    struct scree_body_state first[2], last[2];
    hit_beside(0, first);
    for (int tiles = 1; tiles < 3; ++tiles) {
        hit_beside(tiles * SCREE_CONTACTS_TILE + 100, last);
        for (int k = 0; k < 2; ++k)
            scree_test_same_motion(&first[k], &last[k]);
    }
}

static scree_status fix_bodies(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    (void)user;
    for (uint64_t id = 3; id <= BODIES && scree_world_steps(world) == 5; id += 20)
        assert_ok(scree_body_fix(world, (scree_body_id){id}, SCREE_FIX_ALL));
    return SCREE_OK;
}

static struct scree_digest run_with_fixing_at(int point)
{
    struct scree_world *world = make_world(true);
    struct scree_engine *engine = make_engine(&(struct variant){.threads = 1}, world);
    scree_callback_id id;
    assert_ok(scree_engine_set_callback(engine, point, fix_bodies, NULL, &id));
    assert_ok(scree_engine_run(engine, 10));
    const struct scree_digest digest = scree_test_digest(world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return digest;
}

// Bodies are fixed just before (25) or just after (35) the contact search; contact forces are computed at 40.
static void fixing_a_body_fixes_its_grains_at_once(void **state)
{
    (void)state;
    assert_true(scree_test_digests_equal(run_with_fixing_at(25), run_with_fixing_at(35)));
}

// An edited position is not motion, so it must not widen the neighbour lists.
static void setting_a_distant_position_does_not_widen_neighbour_lists(void **state)
{
    (void)state;
    struct scree_world *world = make_world(true);
    struct scree_engine *engine = make_engine(&(struct variant){.threads = 1}, world);
    const struct scree_search *search = &((struct scree_soft *)engine->self)->collider.search;
    assert_ok(scree_engine_run(engine, 3));
    // the cell is periodic along x and y only
    assert_ok(scree_body_set_position(world, (scree_body_id){2}, (const double[3]){0.4, 0.4, 100}));
    assert_ok(scree_engine_run(engine, 1));
    // no grain moves by a millimetre in a step
    assert_true(search->last_displacement < 1e-3 && search->end_margin < 1e-3);
    assert_ok(scree_engine_run(engine, 1));
    assert_true(search->last_displacement < 1e-3 && search->end_margin < 1e-3);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_variants_of_a_run_with_carried_grains_give_the_same_bits),
        cmocka_unit_test(one_pass_over_bodies_and_their_grains_gives_the_bits_of_separate_passes),
        cmocka_unit_test(rotation_alone_brings_grains_into_contact),
        cmocka_unit_test(a_grain_in_any_tile_has_its_own_tangential_mass),
        cmocka_unit_test(fixing_a_body_fixes_its_grains_at_once),
        cmocka_unit_test(setting_a_distant_position_does_not_widen_neighbour_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
