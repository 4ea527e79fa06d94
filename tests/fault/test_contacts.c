// Each allocation in runs with contacts fails in turn: when rules, laws, bodies and walls are added, when
// engines are created, in the first and later searches, in insertions within steps, and when contacts are
// listed.
//
// A failed call is repeated. Reference: a run without failures, which must give the same bits. One
// exception: if bodies have moved when the search of their step fails, that step ends without its second
// half-kick, and the springs miss the tangential displacement of this step; then results must agree within a
// bound.

#include "base/memory.h"
#include "determinism/touching.h"
#include "support/worlds.h"

enum { STEPS = 12, INSERTED = 6, BODIES = 16, MAX_BODIES = 100 };

struct scenario {
    int dimension;
    const char *law; // of all pairs; null: several laws
    bool library;    // with a law loaded from a shared object
    bool inserts;    // bodies are added within steps
    int threads;
};

// State and result of one run.
struct result {
    const struct scenario *scenario;
    struct touching scene;
    struct scree_world *world;
    struct scree_engine *engine;
    uint64_t failures, insertions;
    bool step_ended_early;
    struct scree_digest digest;
    double position[MAX_BODIES][3]; // of bodies, by id
    double acceleration;            // the largest in the run
};

// Counts a failure; it must be SCREE_ERROR_MEMORY.
static bool count_failure(struct result *result, scree_status status, const char *call)
{
    if (status == SCREE_OK)
        return false;
    if (status != SCREE_ERROR_MEMORY || !strstr(scree_status_message(), "memory"))
        fail_msg("%s ended with '%s': %s", call, scree_status_name(status), scree_status_message());
    ++result->failures;
    return true;
}

// Makes a call, and repeats it if it failed; the second call must succeed.
#define REPEAT(result, call)                                                                                 \
    do {                                                                                                     \
        if (count_failure(result, call, #call))                                                              \
            assert_ok(call);                                                                                 \
    } while (0)

static void add_laws(struct result *result)
{
    static const char *const names[TOUCHING_MATERIALS] = {"first", "second", "third"};
    struct scree_world *world = result->world;
    for (int m = 0; m < TOUCHING_MATERIALS; ++m) {
        scree_material_id id;
        REPEAT(result, scree_material_add(world, &(struct scree_material_def){names[m], 30 + 5 * m}, &id));
        assert_int_equal(id.value, m + 1);
        REPEAT(result, scree_material_set(world, id, "young", 1000 + 300 * m));
        REPEAT(result, scree_material_set(world, id, "poisson", 0.3 - 0.05 * m));
    }
    const struct touching *t = &result->scene;
    size_t rules = 1;
    if (result->scenario->library) {
        const struct scree_interaction_value values[] = {
            {"stiffness", 1e3 * touching_smallest_radius(t), NULL},
            {"friction", 0.5, NULL},
            {"damping", 0.01, NULL}};
        REPEAT(result, scree_law_load(world, SCREE_TEST_MODULES "/spring.so"));
        REPEAT(result, scree_interaction_add(world, &(struct scree_interaction_def){
                                                        .law = "spring", .values = values, .count = 3}));
    } else if (result->scenario->law) {
        REPEAT(result, touching_rule(world, t, result->scenario->law, 0, 0));
    } else {
        rules = 3;
        REPEAT(result, touching_rule(world, t, "plastic", 1, 2));
        REPEAT(result, touching_rule(world, t, "none", 2, 2));
        REPEAT(result, touching_rule(world, t, "linear", 0, 0));
    }
    assert_int_equal(scree_interaction_count(world), rules);
}

static void add_walls(struct result *result)
{
    const double z = result->scenario->dimension == 2 ? 0 : 1;
    const struct scree_wall_def walls[] = {
        {.shape = SCREE_WALL_BOX,
         .box = {.lower = {-1.1, -1.1, -1.1 * z}, .upper = {1.1, 1.1, 1.1 * z}, .side = SCREE_WALL_INSIDE}},
        {.shape = SCREE_WALL_PLANE, .plane = {{0, -0.9, 0}, {0.1, 1, 0}}, .spin = {0, 0, 0.3}},
        {.shape = SCREE_WALL_SPHERE,
         .sphere = {{0.2, -0.2, 0}, 0.4, SCREE_WALL_OUTSIDE},
         .velocity = {0.3, 1}},
    };
    for (size_t w = 0; w < sizeof walls / sizeof walls[0]; ++w) {
        struct scree_wall_def def = walls[w];
        scree_wall_id id;
        def.material.value = 1 + w;
        REPEAT(result, scree_wall_add(result->world, &def, &id));
        assert_int_equal(id.value, w + 1);
    }
}

// Adds bodies that overlap others, so that contacts, rows and histories grow at once.
static scree_status insert(struct scree_engine *engine, struct scree_world *world, void *user)
{
    struct result *result = (struct result *)user;
    (void)engine;
    // after a step that ended early, the missing bodies are added in the next one
    if (scree_world_steps(world) < 5 * result->insertions + 2)
        return SCREE_OK;
    for (uint64_t n = 0; n < INSERTED; ++n)
        REPEAT(result, touching_add(world, &result->scene, 1000 + INSERTED * result->insertions + n));
    ++result->insertions;
    return SCREE_OK;
}

static void record_bodies(struct result *result)
{
    for (uint64_t b = 1; b <= scree_body_count(result->world); ++b) {
        struct scree_body_state state;
        double square = 0;
        assert_true(b < MAX_BODIES);
        assert_ok(scree_body_get(result->world, (scree_body_id){b}, &state));
        assert_ok(scree_cell_unwrapped_position(result->world, (scree_body_id){b}, result->position[b]));
        for (int k = 0; k < 3; ++k)
            square += state.force[k] * state.force[k] / state.mass / state.mass;
        result->acceleration = fmax(result->acceleration, sqrt(square));
    }
}

static void take_step(struct result *result)
{
    const uint64_t before = scree_world_steps(result->world);
    if (!count_failure(result, scree_engine_run(result->engine, 1), "a step"))
        return;
    assert_int_equal(scree_world_level(result->world), SCREE_ON_STEP);
    assert_ok(scree_world_validate(result->world));
    result->step_ended_early |= scree_world_steps(result->world) > before;
    if (scree_world_steps(result->world) == before)
        assert_ok(scree_engine_run(result->engine, 1));
}

static void check_contacts(struct result *result)
{
    static struct scree_contact list[1000];
    size_t count;
    REPEAT(result, scree_contact_list(result->world, list, 1000, &count));
    assert_in_range(count, 10, 1000);
    assert_int_equal(count, scree_contact_count(result->world));
    REPEAT(result, scree_contact_publish(result->world));
    struct scree_view view;
    assert_ok(scree_field_view(result->world, "contact.force", &view));
    assert_int_equal(view.count, count);
    double force[3], moment[3];
    REPEAT(result, scree_wall_load(result->world, (scree_wall_id){1}, force, moment));
}

static void run(struct result *result)
{
    const struct touching *t = &result->scene;
    const struct scree_soft_def def = {
        .step = touching_step(t),
        .threads = result->scenario->threads > 0 ? result->scenario->threads : 1,
        .alarms = {
            .policy = {[SCREE_ALARM_STEP] = SCREE_ALARM_IGNORE, [SCREE_ALARM_FACE] = SCREE_ALARM_IGNORE},
            .overlap = 1e9,
            .displacement = 1e9}};
    REPEAT(result, scree_world_create(&(struct scree_world_def){.dimension = result->scenario->dimension,
                                                                .gravity = {0.5, -9.81}},
                                      &result->world));
    add_laws(result);
    REPEAT(result, scree_cell_set(result->world, &(struct scree_cell_def){.lower = {-1, -1.2, -1},
                                                                          .upper = {1, 1.2, 1},
                                                                          .periodic = {true}}));
    for (uint64_t body = 1; body <= BODIES; ++body)
        REPEAT(result, touching_add(result->world, t, body));
    add_walls(result);
    REPEAT(result, scree_soft_create(result->world, &def, &result->engine));
    if (result->scenario->inserts)
        REPEAT(result,
               scree_engine_set_callback(result->engine, SCREE_POINT_INSERT_DELETE, insert, result, NULL));
    for (int step = 0; step < STEPS; ++step) {
        take_step(result);
        record_bodies(result);
    }
    check_contacts(result);
    REPEAT(result, scree_world_digest(result->world, &result->digest));
}

// Runs with allocation number `nth` failing, or none; returns whether there was such an allocation.
static bool run_with_failure(const struct scenario *scenario, uint64_t nth, struct result *result)
{
    const size_t live = scree_memory_live();
    const uint64_t before = scree_memory_count();
    *result = (struct result){
        .scenario = scenario,
        .scene = {.dimension = scenario->dimension, .bodies = BODIES, .law = scenario->law, .resists = true}};
    scree_memory_fail_at(nth);
    run(result);
    const bool failed = nth > 0 && scree_memory_count() - before >= nth;
    scree_memory_fail_at(0);
    scree_engine_destroy(result->engine);
    scree_world_destroy(result->world);
    assert_int_equal(scree_memory_live(), live);
    assert_int_equal(result->failures, failed ? 1 : 0);
    return failed;
}

// A missing half-kick changes a velocity by at most a h, and so a position by a h T over the rest T of the
// run; contact forces can triple the difference.
static void assert_near(const struct result *first, const struct result *result)
{
    const double h = touching_step(&first->scene), bound = 3 * first->acceleration * h * h * STEPS;
    for (int b = 0; b < MAX_BODIES; ++b)
        for (int k = 0; k < 3; ++k)
            assert_true(fabs(result->position[b][k] - first->position[b][k]) < bound);
}

static void fail_each_allocation(const struct scenario *scenario)
{
    struct result first, result;
    unsigned early_ends = 0;
    assert_false(run_with_failure(scenario, 0, &first));
    for (uint64_t nth = 1; run_with_failure(scenario, nth, &result); ++nth) {
        early_ends += result.step_ended_early;
        if (result.step_ended_early)
            assert_near(&first, &result);
        else if (!scree_test_digests_equal(first.digest, result.digest))
            fail_msg("allocation %llu failed, and the result differs", (unsigned long long)nth);
    }
    // some failures were in searches
    assert_true(early_ends > 20);
}

static void failed_allocations_in_searches_do_not_change_the_result(void **state)
{
    (void)state;
    fail_each_allocation(&(struct scenario){.dimension = 3, .law = "hertz-mindlin"});
    fail_each_allocation(&(struct scenario){.dimension = 2});
}

static void failed_allocations_in_insertions_do_not_change_the_result(void **state)
{
    (void)state;
    fail_each_allocation(&(struct scenario){.dimension = 3, .law = "jkr", .inserts = true});
}

static void failed_allocations_with_a_loaded_law_do_not_change_the_result(void **state)
{
    (void)state;
    fail_each_allocation(&(struct scenario){.dimension = 3, .library = true, .threads = 2});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_allocations_in_searches_do_not_change_the_result),
        cmocka_unit_test(failed_allocations_in_insertions_do_not_change_the_result),
        cmocka_unit_test(failed_allocations_with_a_loaded_law_do_not_change_the_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
