// The bits of the energy ledger do not depend on the order in which bodies are added, edited and removed, nor
// on threads and slots. The reference is the run in plain order on one thread.

#include "engine/soft.h"
#include "support/worlds.h"

enum { BODIES = 90, STEPS_BEFORE_EDITS = 20, STEPS_AFTER_EDITS = 30 };

// How a world is made and run.
struct variant {
    const char *name;
    uint64_t order; // seed of the order of bodies and of edits; 0: plain order
    int threads;
    unsigned sort_every; // number of searches between sorts of the slots; 0 for never
};

static void shuffle(uint64_t seed, size_t order[BODIES])
{
    for (size_t k = 0; k < BODIES; ++k)
        order[k] = k;
    for (size_t k = BODIES - 1; k > 0 && seed > 0; --k) {
        const size_t other = (size_t)(splitmix_next(&seed) % (k + 1)), swapped = order[k];
        order[k] = order[other];
        order[other] = swapped;
    }
}

// Body `k`; it does not depend on the order of insertion.
static struct scree_sphere_def make_body(size_t k, scree_material_id material)
{
    uint64_t seed = 1000 + k;
    struct scree_sphere_def def = {
        .radius = 0.0508 * (1 + 0.01 * splitmix_signed(&seed)),
        .position = {0.1 * (double)(k % 5), 0.1 * (double)(k / 5 % 5), 0.1 * (double)(k / 25) + 0.05},
        .material = material};
    for (int i = 0; i < 3; ++i) {
        def.position[i] += 0.001 * splitmix_signed(&seed);
        def.velocity[i] = splitmix_signed(&seed);
        def.spin[i] = 5 * splitmix_signed(&seed);
    }
    return def;
}

// All edits of one kind are made, in any order, before those of the next kind. The order of kinds matters: a
// velocity that is set before the removal of a neighbour changes the power of the dashpot between them.
enum { REMOVAL, POSITION, VELOCITY, KINDS };

static void edit(struct scree_world *world, scree_body_id id, size_t k, size_t kind)
{
    struct scree_body_state body;
    if (k % 7 != kind)
        return;
    assert_ok(scree_body_get(world, id, &body));
    for (int i = 0; i < 3; ++i) {
        body.velocity[i] *= 0.7;
        body.position[i] += 0.0004 * (double)(k % 3);
    }
    if (kind == REMOVAL)
        assert_ok(scree_body_remove(world, id));
    else if (kind == POSITION)
        assert_ok(scree_body_set_position(world, id, body.position));
    else
        assert_ok(scree_body_set_velocity(world, id, body.velocity));
}

static struct scree_energy run_ledger(const struct variant *variant)
{
    static const struct scree_interaction_value values[] = {{.name = "friction", .number = 0.4},
                                                            {.name = "restitution", .number = 0.6}};
    const struct scree_material_def grain = {.name = "grain", .density = 2000};
    const struct scree_interaction_def law = {.law = "hertz-mindlin", .values = values, .count = 2};
    scree_material_id material;
    struct scree_world *world = scree_test_floor(9.81, &grain, &law, &material);
    struct scree_engine *engine;
    scree_body_id id[BODIES];
    size_t order[BODIES];
    assert_ok(scree_material_set(world, material, "young", 1e8));
    assert_ok(scree_material_set(world, material, "poisson", 0.3));
    shuffle(variant->order, order);
    for (size_t k = 0; k < BODIES; ++k) {
        const struct scree_sphere_def def = make_body(order[k], material);
        assert_ok(scree_body_add_sphere(world, &def, &id[order[k]]));
    }
    const struct scree_soft_def soft = {.step = 1e-5, .threads = variant->threads};
    assert_ok(scree_soft_create(world, &soft, &engine));
    ((struct scree_soft *)engine->self)->collider.search.sort_every = variant->sort_every;
    assert_ok(scree_engine_run(engine, STEPS_BEFORE_EDITS));
    for (size_t kind = 0; kind < KINDS; ++kind)
        for (size_t k = 0; k < BODIES; ++k)
            edit(world, id[order[k]], order[k], kind);
    assert_ok(scree_engine_run(engine, STEPS_AFTER_EDITS));
    assert_ok(scree_world_set_gravity(world, (const double[3]){1, 0, -9}));
    struct scree_energy energy;
    assert_ok(scree_energy_get(world, &energy));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return energy;
}

static void no_bit_of_the_ledger_depends_on_order_threads_or_slots(void **state)
{
    (void)state;
    static const struct variant variants[] = {
        {"in a first random order", 1, 1, 0},
        {"in a second random order", 2, 1, 0},
        {"in a third random order, sorted at each search", 3, 1, 1},
        {"on two threads", 0, 2, 0},
        {"sorted at each search", 0, 1, 1},
        {"in a fourth random order on three threads", 4, 3, 0},
        {"in a fifth random order", 5, 1, 0},
        {"in a sixth random order on four threads", 6, 4, 1},
    };
    const struct scree_energy expected = run_ledger(&(struct variant){"plain", 0, 1, 0});
    assert_true(expected.friction > 0 && expected.dashpot > 0 && expected.elastic > 0 &&
                expected.energy_input != 0);
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; ++v) {
        const struct scree_energy energy = run_ledger(&variants[v]);
        if (memcmp(&expected, &energy, sizeof expected) != 0)
            fail_msg("%s: energy input %.17g J, balance %.17g J, dashpots %.17g J, friction %.17g J; "
                     "expected %.17g, %.17g, %.17g, %.17g J",
                     variants[v].name, energy.energy_input, energy.balance, energy.dashpot, energy.friction,
                     expected.energy_input, expected.balance, expected.dashpot, expected.friction);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_bit_of_the_ledger_depends_on_order_threads_or_slots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
