// Bonded bodies that break: equal digests for any number of threads, any order of slots, any instruction set,
// after restarts, and from a world without contact laws. Brittle bonds, whose stresses are computed only
// where they may exceed a strength, break as if they were always computed. Elasticity that is read once for
// all equal bonds has the bits of that of each.

#include "base/processor.h"
#include "engine/soft.h"
#include "support/worlds.h"

enum { SIDE = 15, COUNT = SIDE * SIDE * SIDE, STEPS = 120 };

struct variant {
    int threads;
    bool sorted;  // slots in another order
    bool restart; // from a checkpoint, in the middle
    bool law;     // spheres touch
    bool narrow;  // the first instruction set
};

static double random_of(uint64_t id, int k)
{
    uint64_t state = id * 8 + (uint64_t)k;
    return 0.5 * splitmix_signed(&state);
}

// A lattice of spheres of different sizes that overlap slightly: along x beams, along y parallel bonds with
// softening, along z contact bonds.
static struct scree_world *lattice(bool law, bool brittle)
{
    static const struct scree_bond_def defs[3] = {
        {.kind = SCREE_BOND_TIMOSHENKO,
         .radius = 0.05,
         .young = 1e6,
         .shear_modulus = 4e5,
         .shear_factor = 0.9,
         .damping_ratio = 0.1,
         .tensile_strength = 6e3,
         .moment_factor = 0.5},
        {.kind = SCREE_BOND_PARALLEL,
         .radius = 0.05,
         .young = 1e6,
         .stiffness_ratio = 2,
         .shear_strength = 2e3,
         .friction_angle = 0.5,
         .moment_factor = 1,
         .softening = 2},
        {.kind = SCREE_BOND_CONTACT, .normal_stiffness = 3e4, .shear_stiffness = 1e4, .tensile_strength = 60},
    };
    const int step[3] = {1, SIDE, SIDE * SIDE};
    struct scree_world *world = scree_test_empty_world();
    const scree_material_id material = scree_test_material(world);
    scree_bond_id bond;
    for (int i = 0; i < COUNT; ++i) {
        const struct scree_sphere_def def = {
            .radius = 0.1 + 0.01 * random_of((uint64_t)i, 0),
            .material = material,
            .position = {0.2 * (i % SIDE), 0.2 * (i / SIDE % SIDE), 0.2 * (i / SIDE / SIDE)},
            .velocity = {random_of((uint64_t)i, 1), random_of((uint64_t)i, 2), random_of((uint64_t)i, 3)},
            .spin = {random_of((uint64_t)i, 4), 0, 10 * random_of((uint64_t)i, 5)}};
        scree_body_id id;
        assert_ok(scree_body_add_sphere(world, &def, &id));
    }
    for (int i = 0; i < COUNT; ++i)
        for (int k = 0; k < 3; ++k) {
            struct scree_bond_def def = defs[k];
            if (brittle)
                def.damping_ratio = def.softening = 0;
            if (i / step[k] % SIDE == SIDE - 1)
                continue;
            def.side[0].body.value = (uint64_t)i + 1;
            def.side[1].body.value = (uint64_t)(i + step[k]) + 1;
            assert_ok(scree_bond_add(world, &def, &bond));
        }
    const struct scree_interaction_value values[] = {
        {"stiffness", 2e4, NULL}, {"friction", 0.3, NULL}, {"restitution", 0.8, NULL}};
    const struct scree_interaction_def rule = {.law = "linear", .values = values, .count = 3};
    if (law)
        assert_ok(scree_interaction_add(world, &rule));
    return world;
}

static void run(struct scree_world *world, int threads, uint64_t steps)
{
    struct scree_engine *engine;
    const struct scree_soft_def def = {.step = 2e-4, .threads = threads};
    assert_ok(scree_soft_create(world, &def, &engine));
    assert_ok(scree_engine_run(engine, steps));
    scree_engine_destroy(engine);
}

static struct scree_digest digest_of(const struct variant *variant)
{
    struct scree_world *world = lattice(variant->law, false);
    scree_processor_choose(variant->narrow ? 0 : -1);
    if (variant->sorted) {
        static uint64_t keys[COUNT];
        for (int i = 0; i < COUNT; ++i)
            keys[i] = (uint64_t)(i * 7919 % COUNT);
        assert_ok(scree_world_sort(world, keys, COUNT));
    }
    run(world, variant->threads, STEPS / 2);
    const uint64_t broken = scree_bond_broken(world, NULL);
    assert_true(broken > 20 && scree_bond_count(world) > COUNT);
    if (variant->restart) {
        scree_test_restart(&world, "bonds.chk");
        assert_true(scree_bond_broken(world, NULL) == broken);
    }
    run(world, variant->threads, STEPS / 2);
    assert_true(scree_bond_broken(world, NULL) > broken);
    const struct scree_digest digest = scree_test_digest(world);
    scree_processor_choose(-1);
    scree_world_destroy(world);
    return digest;
}

static void bonds_give_the_same_bits_in_all_variants(void **unused)
{
    (void)unused;
    for (int law = 0; law < 2; ++law) {
        const struct variant plain = {.threads = 1, .law = law},
                             others[] = {{.threads = 2, .law = law},
                                         {.threads = 3, .law = law, .sorted = true},
                                         {.threads = 1, .law = law, .restart = true, .narrow = true}};
        const struct scree_digest expected = digest_of(&plain);
        for (size_t k = 0; k < sizeof others / sizeof others[0]; ++k)
            if (!scree_test_digests_equal(expected, digest_of(&others[k])))
                fail_msg("variant %zu with%s law", k, law ? "" : "out");
    }
}

// Two spheres far away with a bond that softens, because of which the stresses of all bonds are computed.
static void add_softening_pair(struct scree_world *world)
{
    struct scree_bond_def def = {.kind = SCREE_BOND_PARALLEL,
                                 .radius = 0.05,
                                 .young = 1e6,
                                 .stiffness_ratio = 2,
                                 .shear_strength = 2e3,
                                 .moment_factor = 1,
                                 .softening = 2};
    scree_bond_id bond;
    for (int s = 0; s < 2; ++s) {
        const struct scree_sphere_def sphere = {
            .radius = 0.1, .material = {1}, .position = {100 + 0.2 * s, 100, 100}};
        assert_ok(scree_body_add_sphere(world, &sphere, &def.side[s].body));
    }
    assert_ok(scree_bond_add(world, &def, &bond));
}

static void bonds_break_alike_whether_all_stresses_are_computed_or_not(void **unused)
{
    (void)unused;
    struct scree_world *world[2];
    struct scree_bond_event event[2];
    struct scree_body_state state[2];
    for (int k = 0; k < 2; ++k) {
        world[k] = lattice(false, true);
        if (k == 1)
            add_softening_pair(world[k]);
        run(world[k], 1, STEPS / 4);
    }
    const uint64_t broken = scree_bond_broken(world[0], NULL);
    assert_true(broken > 20 && scree_bond_count(world[0]) > COUNT);
    assert_int_equal(broken, scree_bond_broken(world[1], NULL));
    for (uint64_t n = 0; n < broken; ++n) {
        memset(event, 0, sizeof event);
        for (int k = 0; k < 2; ++k)
            assert_true(scree_bond_next_event(world[k], n, &event[k]));
        assert_memory_equal(&event[0], &event[1], sizeof event[0]);
    }
    for (uint64_t id = 1; id <= COUNT; ++id) {
        for (int k = 0; k < 2; ++k)
            assert_ok(scree_body_get(world[k], (scree_body_id){id}, &state[k]));
        assert_memory_equal(state[0].position, state[1].position, sizeof state[0].position);
        assert_memory_equal(state[0].velocity, state[1].velocity, sizeof state[0].velocity);
    }
    for (int k = 0; k < 2; ++k)
        scree_world_destroy(world[k]);
}

enum { LINKS = 70 };

// A swinging chain of equal spheres and bonds, whose lengths have no round-off; and far away two spheres at
// rest.
static struct scree_world *make_chain(bool damped, struct scree_bond_def *def)
{
    struct scree_world *world = scree_test_empty_world();
    const scree_material_id material = scree_test_material(world);
    *def = (struct scree_bond_def){.kind = SCREE_BOND_TIMOSHENKO,
                                   .radius = 0.0625,
                                   .young = 1e6,
                                   .shear_modulus = 4e5,
                                   .shear_factor = 0.9,
                                   .damping_ratio = damped ? 0.1 : 0};
    for (int i = 0; i < LINKS + 3; ++i) {
        struct scree_sphere_def sphere = {
            .radius = 0.125, .material = material, .position = {i > LINKS ? 100 : 0, 0.25 * i, 0}};
        scree_body_id id;
        scree_bond_id bond;
        for (int k = 0; k < 3 && i <= LINKS; ++k)
            sphere.velocity[k] = random_of((uint64_t)i, 1 + k);
        assert_ok(scree_body_add_sphere(world, &sphere, &id));
        def->side[0].body.value = (uint64_t)i;
        def->side[1].body = id;
        if (i > 0 && i <= LINKS)
            assert_ok(scree_bond_add(world, def, &bond));
    }
    def->side[0].body.value = LINKS + 2;
    def->side[1].body.value = LINKS + 3;
    return world;
}

// The spheres far away get a new bond in each half of the run, with other stiffnesses in the half `odd`. Only
// if it is equal to those of the chain, the elasticity of all bonds is read from one batch.
static void run_chain(int odd, bool damped, struct scree_body_state *last)
{
    struct scree_bond_def def;
    struct scree_world *world = make_chain(damped, &def);
    struct scree_engine *engine = scree_test_threaded_engine(world, 2e-4, 1);
    const struct scree_bond_lists *lists = &((struct scree_soft *)engine->self)->collider.bonds;
    const double young = def.young;
    scree_bond_id bond = {0};
    for (int half = 1; half <= 2; ++half) {
        if (bond.value)
            assert_ok(scree_bond_remove(world, bond));
        def.young = half == odd ? 2 * young : young;
        assert_ok(scree_bond_add(world, &def, &bond));
        assert_ok(scree_engine_run(engine, STEPS));
        assert_true(lists->tile[0].uniform == (half != odd));
    }
    for (uint64_t id = 1; id <= LINKS + 1; ++id)
        last[id - 1] = scree_test_state(world, id);
    scree_test_end(world, engine);
}

static void equal_bonds_have_the_same_bits_beside_another_bond(void **unused)
{
    (void)unused;
    static struct scree_body_state plain[LINKS + 1], other[LINKS + 1];
    for (int damped = 0; damped < 2; ++damped) {
        run_chain(0, damped, plain);
        for (int odd = 1; odd <= 2; ++odd) {
            run_chain(odd, damped, other);
            for (int i = 0; i <= LINKS; ++i)
                scree_test_same_motion(&plain[i], &other[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bonds_give_the_same_bits_in_all_variants),
        cmocka_unit_test(equal_bonds_have_the_same_bits_beside_another_bond),
        cmocka_unit_test(bonds_break_alike_whether_all_stresses_are_computed_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
