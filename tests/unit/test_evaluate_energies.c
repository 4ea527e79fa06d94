// Energies of contacts evaluated in batches equal those evaluated one by one, bit for bit, for every law
// and every instruction set, so the energy ledger does not depend on the method.

#include "contact/ledger.h"
#include "determinism/touching.h"
#include "support/worlds.h"

#include <stdlib.h>

enum { STEPS = 40, BODIES = 1400, MAX_VALUES = 100000 };

static const struct touching worlds[] = {
    {.name = "several materials", .resists = true, .periodic = true, .walls = true, .fixed = true},
    {.name = "several in a plane", .dimension = 2, .resists = true, .periodic = true, .fixed = true},
    {.name = "linear", .law = "linear", .fixed = true},
    {.name = "linear-cohesion", .law = "linear-cohesion", .periodic = true},
    {.name = "hertz", .law = "hertz", .fixed = true},
    {.name = "hertz-mindlin", .law = "hertz-mindlin", .walls = true, .periodic = true},
    {.name = "hertz-mindlin that resists", .law = "hertz-mindlin", .resists = true, .fixed = true},
    {.name = "hertz-mindlin-secant", .law = "hertz-mindlin-secant", .fixed = true},
    {.name = "jkr", .law = "jkr", .resists = true},
    {.name = "plastic", .law = "plastic", .walls = true},
};
enum { WORLDS = sizeof worlds / sizeof worlds[0] };

// Bits of the stored energies (0) and of the powers of sliding (1) of all contacts, without zeros.
struct energies {
    uint64_t value[2][MAX_VALUES];
    size_t count[2], contacts;
};

static void store(struct energies *energies, int kind, double value)
{
    if (value == 0)
        return;
    assert_true(energies->count[kind] < MAX_VALUES);
    memcpy(&energies->value[kind][energies->count[kind]++], &value, sizeof value);
}

static void store_contact(void *context, const struct scree_evaluated *evaluated,
                          struct scree_grain *const sides[2])
{
    struct energies *energies = (struct energies *)context;
    if (!sides[1])
        return;
    assert_false(scree_ledger_is_out(sides));
    ++energies->contacts;
    store(energies, 0, evaluated->stored);
    store(energies, 1, evaluated->sliding);
}

static void store_batch(void *context, const double *stored, const double *sliding, size_t count)
{
    assert_true(count > 0 && count <= SCREE_EVALUATE_ENERGIES_BATCH);
    for (size_t k = 0; k < count; ++k) {
        store((struct energies *)context, 0, stored[k]);
        store((struct energies *)context, 1, sliding[k]);
    }
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool are_equal(struct energies *a, struct energies *b)
{
    for (int kind = 0; kind < 2; ++kind) {
        if (a->count[kind] != b->count[kind])
            return false;
        qsort(a->value[kind], a->count[kind], sizeof(uint64_t), compare);
        qsort(b->value[kind], b->count[kind], sizeof(uint64_t), compare);
        if (memcmp(a->value[kind], b->value[kind], a->count[kind] * sizeof(uint64_t)) != 0)
            return false;
    }
    return true;
}

struct run {
    struct scree_world *world;
    struct scree_engine *engine;
};

static struct run create_run(const struct touching *world, int rows)
{
    struct touching t = *world;
    struct run run;
    t.bodies = BODIES;
    assert_ok(touching_build(&t, &run.world));
    assert_ok(touching_engine(&t, &(struct touching_variant){.rows = rows}, run.world, &run.engine));
    assert_ok(scree_engine_run(run.engine, STEPS));
    return run;
}

static void destroy_run(struct run *run)
{
    scree_engine_destroy(run->engine);
    scree_world_destroy(run->world);
}

static void batch_evaluation_equals_single_evaluation(void **state)
{
    (void)state;
    static struct energies single, batches;
    size_t sliding = 0;
    for (size_t w = 0; w < WORLDS; ++w)
        for (int rows = -1; rows <= 1; ++rows) {
            struct run run = create_run(&worlds[w], rows);
            struct scree_evaluator_pairs pairs = {0};
            const struct scree_evaluator evaluator = {.world = run.world, .pairs = &pairs};
            single.count[0] = single.count[1] = single.contacts = 0;
            scree_visit_contacts(&evaluator, NULL, store_contact, &single);
            if (single.contacts < BODIES / 20 || single.count[0] == 0)
                fail_msg("%s: %zu contacts or no energies, which tests too little", worlds[w].name,
                         single.contacts);
            sliding += single.count[1];
            for (int set = 0; set <= scree_processor_best(); ++set) {
                scree_processor_choose(set);
                batches.count[0] = batches.count[1] = 0;
                assert_true(scree_evaluate_energies(&evaluator, store_batch, &batches));
                scree_processor_choose(-1);
                if (!are_equal(&single, &batches))
                    fail_msg(
                        "%s, rows %d, set %d: %zu energies one by one, %zu in batches, or different ones",
                        worlds[w].name, rows, set, single.count[0], batches.count[0]);
            }
            destroy_run(&run);
        }
    assert_true(sliding > 100);
}

static struct scree_energy ledger(struct scree_world *world)
{
    struct scree_energy energy;
    assert_ok(scree_energy_get(world, &energy));
    return energy;
}

static bool is_evaluated_in_batches(struct scree_world *world)
{
    static struct energies batches;
    struct scree_evaluator_pairs pairs = {0};
    batches.count[0] = batches.count[1] = 0;
    const bool evaluated = scree_evaluate_energies(&(struct scree_evaluator){.world = world, .pairs = &pairs},
                                                   store_batch, &batches);
    assert_true(evaluated || batches.count[0] + batches.count[1] == 0);
    return evaluated;
}

static void the_ledger_does_not_depend_on_batch_evaluation(void **state)
{
    (void)state;
    for (size_t w = 0; w < WORLDS; ++w) {
        struct run run = create_run(&worlds[w], 0);
        assert_true(is_evaluated_in_batches(run.world));
        const struct scree_energy by_batches = ledger(run.world);
        assert_true(by_batches.elastic > 0);
        // when the lists are not valid, contacts are evaluated one by one
        run.world->contacts_stale = true;
        assert_false(is_evaluated_in_batches(run.world));
        const struct scree_energy one_by_one = ledger(run.world);
        assert_memory_equal(&by_batches, &one_by_one, sizeof by_batches);
        // also when bodies are in other slots
        run.world->contacts_stale = false;
        assert_ok(touching_shuffle(run.world, w));
        assert_false(is_evaluated_in_batches(run.world));
        const struct scree_energy reordered = ledger(run.world);
        assert_memory_equal(&by_batches, &reordered, sizeof by_batches);
        destroy_run(&run);
    }
}

// A changed material invalidates the constants of contacts, a removed body their lists.
static void after_edits_contacts_are_evaluated_one_by_one(void **state)
{
    (void)state;
    struct run run = create_run(&worlds[5], 0);
    assert_true(is_evaluated_in_batches(run.world));
    assert_ok(scree_material_set(run.world, (scree_material_id){1}, "young", 2000));
    assert_false(is_evaluated_in_batches(run.world));
    destroy_run(&run);
    run = create_run(&worlds[5], 0);
    assert_ok(scree_body_remove(run.world, (scree_body_id){7}));
    assert_false(is_evaluated_in_batches(run.world));
    assert_ok(scree_engine_run(run.engine, 1));
    assert_true(is_evaluated_in_batches(run.world));
    destroy_run(&run);
}

static scree_status read_ledger(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    return scree_energy_get(world, (struct scree_energy *)user);
}

// Within a step, velocities are those completed by the integration scheme; between steps, those stored.
static void the_ledger_between_steps_equals_that_at_the_end_of_the_last_step(void **state)
{
    (void)state;
    for (size_t w = 0; w < WORLDS; ++w) {
        struct touching world = worlds[w];
        struct scree_energy within;
        world.damped = world.constant_loads = true;
        struct run run = create_run(&world, 0);
        assert_ok(scree_engine_set_callback(run.engine, SCREE_POINT_RECORD, read_ledger, &within, NULL));
        assert_ok(scree_engine_run(run.engine, 3));
        const struct scree_energy between = ledger(run.world);
        // within a step the power of contacts uses predicted velocities, before this step's force changes
        // them
        within.friction = between.friction;
        within.work = world.walls ? between.work : within.work;
        within.balance = between.balance;
        assert_true(between.gravity != 0 && between.work != 0 && between.damping != 0);
        assert_memory_equal(&within, &between, sizeof within);
        destroy_run(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batch_evaluation_equals_single_evaluation),
        cmocka_unit_test(the_ledger_does_not_depend_on_batch_evaluation),
        cmocka_unit_test(the_ledger_between_steps_equals_that_at_the_end_of_the_last_step),
        cmocka_unit_test(after_edits_contacts_are_evaluated_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
