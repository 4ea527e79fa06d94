// Contacts evaluated in batches equal contacts evaluated one by one, bit for bit, for every law and every
// instruction set; so the ledger does not depend on the method.

#include "contact/ledger.h"
#include "determinism/touching.h"
#include "support/worlds.h"

#include <stdlib.h>

enum { STEPS = 40, BODIES = 1400, MOST = 100000 };

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

// Sum over all values of each live contact, without zeros.
struct seen {
    uint64_t value[2][MOST];
    size_t count[2], looks;
};

static void keep(struct seen *seen, int kind, double value)
{
    if (value == 0)
        return;
    assert_true(seen->count[kind] < MOST);
    memcpy(&seen->value[kind][seen->count[kind]++], &value, sizeof value);
}

static void keep_one(void *context, const struct scree_evaluated *evaluated,
                     struct scree_grain *const sides[2])
{
    struct seen *seen = (struct seen *)context;
    if (!sides[1])
        return;
    assert_false(scree_ledger_is_out(sides));
    ++seen->looks;
    keep(seen, 0, evaluated->stored);
    keep(seen, 1, evaluated->sliding);
}

static void keep_batch(void *context, const double *stored, const double *sliding, size_t count)
{
    assert_true(count > 0 && count <= SCREE_EVALUATE_ENERGIES_BATCH);
    for (size_t k = 0; k < count; ++k) {
        keep((struct seen *)context, 0, stored[k]);
        keep((struct seen *)context, 1, sliding[k]);
    }
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool are_equal(struct seen *a, struct seen *b)
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

struct stage {
    struct scree_world *world;
    struct scree_engine *engine;
};

static struct stage begin(const struct touching *world, int rows)
{
    struct touching t = *world;
    struct stage stage;
    t.bodies = BODIES;
    assert_ok(touching_build(&t, &stage.world));
    assert_ok(touching_engine(&t, &(struct touching_variant){.rows = rows}, stage.world, &stage.engine));
    assert_ok(scree_engine_run(stage.engine, STEPS));
    return stage;
}

static void end(struct stage *stage)
{
    scree_engine_destroy(stage->engine);
    scree_world_destroy(stage->world);
}

static void batch_evaluation_equals_single_evaluation(void **state)
{
    (void)state;
    static struct seen single, many;
    size_t sliding = 0;
    for (size_t w = 0; w < WORLDS; ++w)
        for (int rows = -1; rows <= 1; ++rows) {
            struct stage stage = begin(&worlds[w], rows);
            struct scree_evaluator_pairs pairs = {0};
            const struct scree_evaluator evaluator = {.world = stage.world, .pairs = &pairs};
            single.count[0] = single.count[1] = single.looks = 0;
            scree_visit_contacts(&evaluator, NULL, keep_one, &single);
            if (single.looks < BODIES / 20 || single.count[0] == 0)
                fail_msg("%s: %zu contacts are too few", worlds[w].name, single.looks);
            sliding += single.count[1];
            for (int set = 0; set <= scree_processor_best(); ++set) {
                scree_processor_choose(set);
                many.count[0] = many.count[1] = 0;
                assert_true(scree_evaluate_energies(&evaluator, keep_batch, &many));
                scree_processor_choose(-1);
                if (!are_equal(&single, &many))
                    fail_msg("%s, rows %d, set %d: %zu and %zu contacts, or other values", worlds[w].name,
                             rows, set, single.count[0], many.count[0]);
            }
            end(&stage);
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
    static struct seen many;
    struct scree_evaluator_pairs pairs = {0};
    many.count[0] = many.count[1] = 0;
    const bool seen = scree_evaluate_energies(&(struct scree_evaluator){.world = world, .pairs = &pairs},
                                              keep_batch, &many);
    assert_true(seen || many.count[0] + many.count[1] == 0);
    return seen;
}

static void the_ledger_does_not_depend_on_batch_evaluation(void **state)
{
    (void)state;
    for (size_t w = 0; w < WORLDS; ++w) {
        struct stage stage = begin(&worlds[w], 0);
        assert_true(is_evaluated_in_batches(stage.world));
        const struct scree_energy fast = ledger(stage.world);
        assert_true(fast.elastic > 0);
        // when the lists are not valid, contacts are evaluated one by one
        stage.world->contacts_stale = true;
        assert_false(is_evaluated_in_batches(stage.world));
        const struct scree_energy slow = ledger(stage.world);
        assert_memory_equal(&fast, &slow, sizeof fast);
        // also when bodies are in other slots
        stage.world->contacts_stale = false;
        assert_ok(touching_shuffle(stage.world, w));
        assert_false(is_evaluated_in_batches(stage.world));
        const struct scree_energy reordered = ledger(stage.world);
        assert_memory_equal(&fast, &reordered, sizeof fast);
        end(&stage);
    }
}

// A removed body has no contacts any more, and a changed law changes them.
static void after_edits_contacts_are_evaluated_one_by_one(void **state)
{
    (void)state;
    struct stage stage = begin(&worlds[5], 0);
    assert_true(is_evaluated_in_batches(stage.world));
    assert_ok(scree_material_set(stage.world, (scree_material_id){1}, "young", 2000));
    assert_false(is_evaluated_in_batches(stage.world));
    end(&stage);
    stage = begin(&worlds[5], 0);
    assert_ok(scree_body_remove(stage.world, (scree_body_id){7}));
    assert_false(is_evaluated_in_batches(stage.world));
    assert_ok(scree_engine_run(stage.engine, 1));
    assert_true(is_evaluated_in_batches(stage.world));
    end(&stage);
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
        struct stage stage = begin(&world, 0);
        assert_ok(scree_engine_set_callback(stage.engine, SCREE_POINT_RECORD, read_ledger, &within, NULL));
        assert_ok(scree_engine_run(stage.engine, 3));
        const struct scree_energy between = ledger(stage.world);
        // within a step the power of contacts uses predicted velocities, before this step's force changes
        // them
        within.friction = between.friction;
        within.work = world.walls ? between.work : within.work;
        within.balance = between.balance;
        assert_true(between.gravity != 0 && between.work != 0 && between.damping != 0);
        assert_memory_equal(&within, &between, sizeof within);
        end(&stage);
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
