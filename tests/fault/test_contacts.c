// Every allocation of runs with contacts fails in turn: rules, laws, bodies and walls as they are added,
// engines as they are made, the first search and later ones, insertions inside steps, and the contacts that
// are listed.
//
// Invariants: a call that failed is made again, and what it was to do is then done as if nothing had
// happened, to the bit. The one exception is a step whose bodies have moved when its search fails: it is
// over, without its last half kick and with springs that miss what was slid in it, and the next one goes on
// from there.

#include "base/memory.h"
#include "determinism/touching.h"
#include "support/sketch.h"

enum { STEPS = 12, INSERTED = 6, BODIES = 16, MOST = 100 };

struct tale {
    int dimension;
    const char *law; // of all pairs; null: several
    bool library;    // a law is loaded
    bool inserts;    // bodies come inside steps
    int threads;
};

// What one telling has come to.
struct told {
    const struct tale *tale;
    struct touching scene;
    struct scree_world *world;
    struct scree_engine *engine;
    uint64_t failures, insertions;
    bool inside; // a step was cut short
    struct scree_digest digest;
    double place[MOST][3]; // of bodies, by id
    double acceleration;   // the largest seen
};

// Notes a failure, which can only be that of memory.
static bool fails(struct told *told, scree_status status, const char *call)
{
    if (status == SCREE_OK)
        return false;
    if (status != SCREE_ERROR_MEMORY || !strstr(scree_status_message(), "memory"))
        fail_msg("%s ended with '%s': %s", call, scree_status_name(status), scree_status_message());
    ++told->failures;
    return true;
}

// Makes a call, and once more where it failed; then nothing can have gone wrong in between.
#define AGAIN(told, call)                                                                                    \
    do {                                                                                                     \
        if (fails(told, call, #call))                                                                        \
            assert_ok(call);                                                                                 \
    } while (0)

static void add_laws(struct told *told)
{
    static const char *const names[TOUCHING_MATERIALS] = {"first", "second", "third"};
    struct scree_world *world = told->world;
    for (int m = 0; m < TOUCHING_MATERIALS; ++m) {
        scree_material_id id;
        AGAIN(told, scree_material_add(world, &(struct scree_material_def){names[m], 30 + 5 * m}, &id));
        assert_int_equal(id.value, m + 1);
        AGAIN(told, scree_material_set(world, id, "young", 1000 + 300 * m));
        AGAIN(told, scree_material_set(world, id, "poisson", 0.3 - 0.05 * m));
    }
    const struct touching *t = &told->scene;
    size_t rules = 1;
    if (told->tale->library) {
        const struct scree_interaction_value values[] = {
            {"stiffness", 1e3 * touching_least(t), NULL}, {"friction", 0.5, NULL}, {"damping", 0.01, NULL}};
        AGAIN(told, scree_law_load(world, SCREE_TEST_MODULES "/spring.so"));
        AGAIN(told, scree_interaction_add(world, &(struct scree_interaction_def){
                                                     .law = "spring", .values = values, .count = 3}));
    } else if (told->tale->law) {
        AGAIN(told, touching_rule(world, t, told->tale->law, 0, 0));
    } else {
        rules = 3;
        AGAIN(told, touching_rule(world, t, "plastic", 1, 2));
        AGAIN(told, touching_rule(world, t, "none", 2, 2));
        AGAIN(told, touching_rule(world, t, "linear", 0, 0));
    }
    assert_int_equal(scree_interaction_count(world), rules);
}

static void add_walls(struct told *told)
{
    const double z = told->tale->dimension == 2 ? 0 : 1;
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
        AGAIN(told, scree_wall_add(told->world, &def, &id));
        assert_int_equal(id.value, w + 1);
    }
}

// Bodies are added where they touch others, so that contacts, rows and histories have to grow at once.
static scree_status insert(struct scree_engine *engine, struct scree_world *world, void *user)
{
    struct told *told = (struct told *)user;
    (void)engine;
    // a step that was cut short before it came here is made up for by the next
    if (scree_world_steps(world) < 5 * told->insertions + 2)
        return SCREE_OK;
    for (uint64_t n = 0; n < INSERTED; ++n)
        AGAIN(told, touching_add(world, &told->scene, 1000 + INSERTED * told->insertions + n));
    ++told->insertions;
    return SCREE_OK;
}

static void look_at_bodies(struct told *told)
{
    for (uint64_t b = 1; b <= scree_body_count(told->world); ++b) {
        struct scree_body_state state;
        double square = 0;
        assert_true(b < MOST);
        assert_ok(scree_body_get(told->world, (scree_body_id){b}, &state));
        assert_ok(scree_cell_place(told->world, (scree_body_id){b}, told->place[b]));
        for (int k = 0; k < 3; ++k)
            square += state.force[k] * state.force[k] / state.mass / state.mass;
        told->acceleration = fmax(told->acceleration, sqrt(square));
    }
}

static void take_step(struct told *told)
{
    const uint64_t before = scree_world_steps(told->world);
    if (!fails(told, scree_engine_run(told->engine, 1), "a step"))
        return;
    assert_int_equal(scree_world_level(told->world), SCREE_ON_STEP);
    assert_ok(scree_world_validate(told->world));
    told->inside |= scree_world_steps(told->world) > before;
    if (scree_world_steps(told->world) == before)
        assert_ok(scree_engine_run(told->engine, 1));
}

static void look_at_contacts(struct told *told)
{
    static struct scree_contact list[1000];
    size_t count;
    AGAIN(told, scree_contact_list(told->world, list, 1000, &count));
    assert_in_range(count, 10, 1000);
    assert_int_equal(count, scree_contact_count(told->world));
    AGAIN(told, scree_contact_publish(told->world));
    struct scree_view view;
    assert_ok(scree_field_view(told->world, "contact.force", &view));
    assert_int_equal(view.count, count);
    double force[3], moment[3];
    AGAIN(told, scree_wall_load(told->world, (scree_wall_id){1}, force, moment));
}

static void tell(struct told *told)
{
    const struct touching *t = &told->scene;
    const struct scree_soft_def def = {
        .step = touching_step(t),
        .threads = told->tale->threads > 0 ? told->tale->threads : 1,
        .alarms = {.policy = {[SCREE_ALARM_STEP] = SCREE_ALARM_IGNORE}, .overlap = 1e9, .displacement = 1e9}};
    AGAIN(told, scree_world_create(
                    &(struct scree_world_def){.dimension = told->tale->dimension, .gravity = {0.5, -9.81}},
                    &told->world));
    add_laws(told);
    AGAIN(told, scree_cell_set(told->world, &(struct scree_cell_def){.lower = {-1, -1.2, -1},
                                                                     .upper = {1, 1.2, 1},
                                                                     .periodic = {true}}));
    for (uint64_t body = 1; body <= BODIES; ++body)
        AGAIN(told, touching_add(told->world, t, body));
    add_walls(told);
    AGAIN(told, scree_soft_create(told->world, &def, &told->engine));
    if (told->tale->inserts)
        AGAIN(told, scree_engine_set_callback(told->engine, SCREE_POINT_INSERT_DELETE, insert, told, NULL));
    for (int step = 0; step < STEPS; ++step) {
        take_step(told);
        look_at_bodies(told);
    }
    look_at_contacts(told);
    AGAIN(told, scree_world_digest(told->world, &told->digest));
}

// Tells the tale with allocation number `nth` failing, or none; returns whether there was one.
static bool tell_with(const struct tale *tale, uint64_t nth, struct told *told)
{
    const size_t live = scree_memory_live();
    const uint64_t before = scree_memory_count();
    *told = (struct told){
        .tale = tale,
        .scene = {.dimension = tale->dimension, .bodies = BODIES, .law = tale->law, .resists = true}};
    scree_memory_fail_at(nth);
    tell(told);
    const bool failed = nth > 0 && scree_memory_count() - before >= nth;
    scree_memory_fail_at(0);
    scree_engine_destroy(told->engine);
    scree_world_destroy(told->world);
    assert_int_equal(scree_memory_live(), live);
    assert_int_equal(told->failures, failed ? 1 : 0);
    return failed;
}

// A body that missed half a kick of its own, or was rubbed by half a kick more or less, is off by a h in
// velocity at most, and over the rest of the time by a h T; springs that push it off may treble that.
static void assert_near(const struct told *first, const struct told *told)
{
    const double h = touching_step(&first->scene), bound = 3 * first->acceleration * h * h * STEPS;
    for (int b = 0; b < MOST; ++b)
        for (int k = 0; k < 3; ++k)
            assert_true(fabs(told->place[b][k] - first->place[b][k]) < bound);
}

static void fail_each(const struct tale *tale)
{
    struct told first, told;
    unsigned inside = 0;
    assert_false(tell_with(tale, 0, &first));
    for (uint64_t nth = 1; tell_with(tale, nth, &told); ++nth) {
        inside += told.inside;
        if (told.inside)
            assert_near(&first, &told);
        else if (!scree_sketch_equal(first.digest, told.digest))
            fail_msg("allocation %llu failed, and what came of it differs", (unsigned long long)nth);
    }
    // searches were among what failed
    assert_true(inside > 20);
}

static void searches_and_lists_survive_any_failed_allocation(void **state)
{
    (void)state;
    fail_each(&(struct tale){.dimension = 3, .law = "hertz-mindlin"});
    fail_each(&(struct tale){.dimension = 2});
}

static void insertions_inside_steps_survive_any_failed_allocation(void **state)
{
    (void)state;
    fail_each(&(struct tale){.dimension = 3, .law = "jkr", .inserts = true});
}

static void a_law_that_is_loaded_survives_any_failed_allocation(void **state)
{
    (void)state;
    fail_each(&(struct tale){.dimension = 3, .library = true, .threads = 2});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_and_lists_survive_any_failed_allocation),
        cmocka_unit_test(insertions_inside_steps_survive_any_failed_allocation),
        cmocka_unit_test(a_law_that_is_loaded_survives_any_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
