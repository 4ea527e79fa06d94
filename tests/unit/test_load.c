// Loads: which state they get, when they act, in which order they are summed, and which are refused.
// Reference: closed forms of motion under a constant force.

#include "support/worlds.h"

#include <math.h>

struct record_state {
    struct scree_world *world;
    double time[64], velocity[64];
    size_t calls, bodies;
    uint64_t first;
};

static scree_status record_state(void *user, const struct scree_load_batch *batch)
{
    struct record_state *recorded = (struct record_state *)user;
    recorded->time[recorded->calls] = batch->time;
    recorded->velocity[recorded->calls] = batch->velocity[0][0];
    recorded->bodies += batch->count;
    recorded->first = batch->id[0].value;
    ++recorded->calls;
    for (size_t i = 0; i < batch->count; ++i) {
        assert_true(batch->mass[i] > 0);
        for (int k = 0; k < 3; ++k)
            assert_true(batch->force[i][k] == 0 && batch->moment[i][k] == 0);
        batch->force[i][0] = 8 * batch->mass[i];
    }
    return SCREE_OK;
}

static void a_load_gets_the_state_at_the_time_when_it_acts(void **state)
{
    (void)state;
    // with order 2 a constant acceleration of 8 is predicted exactly: v = 8 t
    static const char *const schemes[] = {"velocity-verlet", "leapfrog", "central-difference"};
    for (size_t l = 0; l < 3; ++l) {
        struct record_state recorded = {.calls = 0};
        struct scree_world *world = scree_test_empty_world();
        struct scree_engine *engine;
        scree_load_id id;
        const scree_body_id body = scree_test_sphere(world);
        assert_ok(scree_load_add(
            world, &(struct scree_load_def){.body = body, .function = record_state, .user = &recorded}, &id));
        assert_ok(scree_test_world_engine(
            &(struct scree_test_world){.translation = schemes[l], .step = 0.125}, world, &engine));
        assert_ok(scree_engine_run(engine, 7));
        // the initial state and each step
        assert_int_equal(recorded.calls, 8);
        for (int n = 0; n < 8; ++n)
            if (!(recorded.time[n] == 0.125 * n && recorded.velocity[n] == n))
                fail_msg("%s: evaluation %d got %g m/s at %g s", schemes[l], n, recorded.velocity[n],
                         recorded.time[n]);
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

static void a_load_acts_on_all_bodies_or_on_one(void **state)
{
    (void)state;
    struct scree_world *world;
    struct scree_engine *engine;
    struct record_state all = {.calls = 0}, one = {.calls = 0};
    scree_load_id id;
    assert_ok(scree_test_world_build(&(struct scree_test_world){.bodies = 300}, &world));
    assert_ok(scree_load_add(world, &(struct scree_load_def){.function = record_state, .user = &all}, &id));
    assert_ok(scree_load_add(
        world, &(struct scree_load_def){.body = {200}, .function = record_state, .user = &one}, &id));
    assert_ok(scree_test_world_engine(&(struct scree_test_world){0}, world, &engine));
    assert_ok(scree_engine_run(engine, 0));
    assert_int_equal(all.bodies, 300);
    assert_int_equal(one.bodies, 1);
    assert_int_equal(one.first, 200);
    // a load on a removed body does nothing
    assert_ok(scree_body_remove(world, (scree_body_id){200}));
    assert_ok(scree_engine_run(engine, 1));
    assert_int_equal(one.bodies, 1);
    assert_int_equal(all.bodies, 300 + 299);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void loads_are_summed_in_order_of_registration_after_added_forces(void **state)
{
    (void)state;
    // 1e16 + 1 + 1 rounds to 1e16 from the left, and 1 + 1 + 1e16 to 1e16 + 2
    static const double forces[2][3] = {{1e16, 1, 1}, {1, 1, 1e16}};
    for (int order = 0; order < 2; ++order) {
        struct scree_world *world = scree_test_empty_world();
        struct scree_engine *engine;
        struct scree_body_state body;
        scree_load_id load;
        const scree_body_id id = scree_test_sphere(world);
        assert_ok(scree_body_add_force(world, id, (const double[3]){forces[order][0]}, NULL));
        for (int l = 1; l < 3; ++l)
            assert_ok(scree_load_add(world, &(struct scree_load_def){.force = {forces[order][l]}}, &load));
        assert_ok(scree_test_world_engine(&(struct scree_test_world){.step = 1e-12}, world, &engine));
        // a force added between steps acts in the next step
        assert_ok(scree_engine_run(engine, 1));
        assert_ok(scree_body_get(world, id, &body));
        assert_true(body.force[0] == (order ? 1e16 + 2 : 1e16));
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

// A force of 4 N from t = 1 s to t = 2 s: the impulse is 4 Ns, whatever velocity the scheme stores.
static void a_load_added_and_removed_between_runs_acts_from_and_to_that_instant(void **state)
{
    (void)state;
    static const char *const schemes[] = {"velocity-verlet", "leapfrog", "central-difference",
                                          "euler-semi-implicit"};
    for (size_t l = 0; l < 4; ++l)
        for (int single_body = 0; single_body < 2; ++single_body) {
            struct scree_world *world = scree_test_empty_world();
            struct scree_engine *engine;
            struct scree_body_state body;
            scree_load_id load;
            const scree_body_id id = scree_test_sphere(world);
            assert_ok(scree_test_world_engine(
                &(struct scree_test_world){.translation = schemes[l], .step = 0.125}, world, &engine));
            assert_ok(scree_engine_run(engine, 8));
            const struct scree_load_def def = {.body = single_body ? id : (scree_body_id){0}, .force = {4}};
            assert_ok(scree_load_add(world, &def, &load));
            assert_ok(scree_engine_run(engine, 8));
            assert_ok(scree_body_get(world, id, &body));
            // 8 kicks, with a few roundings each
            if (!(fabs(body.velocity[0] * body.mass - 4) < 1e-14 * 4 * 8))
                fail_msg("%s: the impulse so far is %.17g", schemes[l], body.velocity[0] * body.mass);
            assert_ok(scree_load_remove(world, load));
            assert_ok(scree_engine_run(engine, 8));
            assert_ok(scree_body_get(world, id, &body));
            if (!(fabs(body.velocity[0] * body.mass - 4) < 1e-14 * 4 * 8))
                fail_msg("%s: the impulse is %.17g", schemes[l], body.velocity[0] * body.mass);
            scree_engine_destroy(engine);
            scree_world_destroy(world);
        }
}

// The first body has two constant loads, and both bodies have a third: only constant loads of the given
// bodies are replaced.
static void setting_a_load_replaces_constant_loads(void **state)
{
    (void)state;
    static const double none[3] = {0}, force[3] = {5}, moment[3] = {0, 0, 2};
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    struct scree_body_state body;
    struct record_state recorded = {.calls = 0};
    scree_load_id load;
    const scree_body_id id[2] = {scree_test_sphere(world), scree_test_sphere(world)};
    for (int l = 0; l < 2; ++l)
        assert_ok(scree_load_add(world, &(struct scree_load_def){.body = id[0], .force = {3}}, &load));
    assert_ok(scree_load_add(world, &(struct scree_load_def){.force = {0, 1}}, &load));
    assert_ok(scree_load_add(
        world, &(struct scree_load_def){.body = id[1], .function = record_state, .user = &recorded}, &load));
    assert_ok(scree_test_world_engine(&(struct scree_test_world){.step = 0.125}, world, &engine));
    const scree_body_id twice[2] = {id[1], id[1]};
    const struct {
        const scree_body_id *id;
        size_t ids;
        const double *force, *moment;
        double expected[2]; // along x, without the function
    } rows[] = {
        {id, 0, force, none, {6, 0}},    {twice, 2, force, moment, {6, 5}}, {id, 2, force, none, {5, 5}},
        {id + 1, 1, none, none, {5, 0}}, {id, 2, none, none, {0, 0}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        assert_ok(scree_load_set(world, rows[r].id, rows[r].ids, rows[r].force, rows[r].moment));
        recorded.calls = 0;
        assert_ok(scree_engine_run(engine, 1));
        for (int b = 0; b < 2; ++b) {
            assert_ok(scree_body_get(world, id[b], &body));
            assert_true(body.force[0] == rows[r].expected[b] + (b == 1 ? 8 * body.mass : 0));
            assert_true(body.force[1] == 1);
            assert_true(body.moment[2] == (b == 1 ? rows[r].moment[2] : 0));
        }
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// Gravity changes from 8 to 0 m/s^2 at t = 1 s.
static void gravity_changed_between_runs_acts_from_that_instant(void **state)
{
    (void)state;
    static const char *const schemes[] = {"velocity-verlet", "leapfrog", "central-difference",
                                          "euler-semi-implicit"};
    for (size_t l = 0; l < 4; ++l) {
        struct scree_world *world = scree_test_empty_world();
        struct scree_engine *engine;
        struct scree_body_state body;
        const scree_body_id id = scree_test_sphere(world);
        assert_ok(scree_world_set_gravity(world, (const double[3]){8}));
        assert_ok(scree_test_world_engine(
            &(struct scree_test_world){.translation = schemes[l], .step = 0.125}, world, &engine));
        assert_ok(scree_engine_run(engine, 8));
        assert_ok(scree_world_set_gravity(world, (const double[3]){0}));
        assert_ok(scree_engine_run(engine, 8));
        assert_ok(scree_body_get(world, id, &body));
        assert_true(body.velocity[0] == 8);
        struct scree_energy energy;
        assert_ok(scree_energy_get(world, &energy));
        if (l < 3)
            assert_true(fabs(energy.balance) < 1e-12 * energy.translation);
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

static void bodies_edited_between_runs_get_new_forces_and_the_others_keep_theirs(void **state)
{
    (void)state;
    struct scree_world *world;
    struct scree_engine *engine;
    struct record_state recorded = {.calls = 0};
    scree_load_id id;
    assert_ok(scree_test_world_build(&(struct scree_test_world){.bodies = 50}, &world));
    assert_ok(
        scree_load_add(world, &(struct scree_load_def){.function = record_state, .user = &recorded}, &id));
    assert_ok(scree_test_world_engine(&(struct scree_test_world){0}, world, &engine));
    assert_ok(scree_engine_run(engine, 2));
    recorded.bodies = 0;
    assert_ok(scree_body_set_position(world, (scree_body_id){7}, (const double[3]){1}));
    assert_ok(scree_body_set_velocity(world, (scree_body_id){7}, (const double[3]){1}));
    assert_ok(scree_engine_run(engine, 0));
    assert_int_equal(recorded.bodies, 1);
    assert_int_equal(recorded.first, 7);
    struct scree_view view;
    void *data;
    assert_ok(scree_field_edit(world, "body.position", &view, &data));
    assert_ok(scree_engine_run(engine, 0));
    assert_int_equal(recorded.bodies, 51);
    assert_ok(scree_engine_run(engine, 0));
    assert_int_equal(recorded.bodies, 51);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static scree_status try_to_change_the_state(void *user, const struct scree_load_batch *batch)
{
    struct scree_world *world = (struct scree_world *)user;
    scree_load_id load;
    scree_body_id id;
    const char *word = "while loads are evaluated";
    assert_refused(SCREE_ERROR_STATE, word,
                   scree_load_add(world, &(struct scree_load_def){.force = {1}}, &load));
    assert_refused(SCREE_ERROR_STATE, word, scree_load_remove(world, (scree_load_id){1}));
    assert_refused(SCREE_ERROR_STATE, word, scree_body_remove(world, batch->id[0]));
    assert_refused(SCREE_ERROR_STATE, word, scree_world_reserve(world, 100000));
    const struct scree_rigid_def rigid = {.mass = 1, .inertia = {1, 1, 1}};
    assert_refused(SCREE_ERROR_STATE, word, scree_body_add_rigid(world, &rigid, &id));
    return SCREE_OK;
}

static void a_load_cannot_change_the_state_that_it_gets(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    scree_load_id id;
    (void)scree_test_sphere(world);
    assert_ok(scree_load_add(
        world, &(struct scree_load_def){.function = try_to_change_the_state, .user = world}, &id));
    assert_ok(scree_test_world_engine(&(struct scree_test_world){0}, world, &engine));
    assert_ok(scree_engine_run(engine, 3));
    assert_ok(scree_load_remove(world, id));
    assert_int_equal(scree_body_count(world), 1);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void invalid_loads_are_refused(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    (void)scree_test_sphere(world);
    const struct scree_digest before = scree_test_digest(world);
    scree_load_id id = {0};
    const struct {
        struct scree_load_def def;
        scree_status status;
        const char *word;
    } cases[] = {
        {{.body = {9}, .force = {1}}, SCREE_ERROR_MISSING, "no body with id 9"},
        {{.force = {NOT_A_NUMBER}}, SCREE_ERROR_ARGUMENT, "finite"},
        {{.force = {0, 0, INFINITE}}, SCREE_ERROR_ARGUMENT, "finite"},
        {{.moment = {0, 1e200}}, SCREE_ERROR_ARGUMENT, "finite"},
        {{.function = record_state, .force = {1}}, SCREE_ERROR_ARGUMENT, "both"},
        {{.function = record_state, .moment = {0, 0, -1}}, SCREE_ERROR_ARGUMENT, "both"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        assert_refused(cases[c].status, cases[c].word, scree_load_add(world, &cases[c].def, &id));
    assert_int_equal(id.value, 0);
    const scree_body_id listed[2] = {{1}, {9}};
    assert_refused(SCREE_ERROR_MISSING, "no body with id 9",
                   scree_load_set(world, listed, 2, (const double[3]){1}, (const double[3]){0}));
    assert_refused(SCREE_ERROR_ARGUMENT, "finite",
                   scree_load_set(world, listed, 1, (const double[3]){INFINITE}, (const double[3]){0}));
    assert_refused(SCREE_ERROR_MISSING, "no load with id 1", scree_load_remove(world, (scree_load_id){1}));
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    assert_ok(scree_load_add(world, &(struct scree_load_def){.force = {1}}, &id));
    assert_ok(scree_load_remove(world, id));
    assert_refused(SCREE_ERROR_MISSING, "no load with id 1", scree_load_remove(world, id));
    // ids are not reused
    assert_ok(scree_load_add(world, &(struct scree_load_def){.force = {1}}, &id));
    assert_int_equal(id.value, 2);
    scree_world_destroy(world);
}

static void adding_forces_is_refused_by_schemes_with_two_evaluations_per_step(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    const scree_body_id id = scree_test_sphere(world);
    assert_ok(scree_test_world_engine(&(struct scree_test_world){.rotation = "pcdm"}, world, &engine));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "use a load",
                   scree_body_add_force(world, id, (const double[3]){1}, NULL));
    scree_engine_destroy(engine);
    assert_ok(scree_body_add_force(world, id, (const double[3]){1}, NULL));
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_gets_the_state_at_the_time_when_it_acts),
        cmocka_unit_test(a_load_acts_on_all_bodies_or_on_one),
        cmocka_unit_test(loads_are_summed_in_order_of_registration_after_added_forces),
        cmocka_unit_test(a_load_added_and_removed_between_runs_acts_from_and_to_that_instant),
        cmocka_unit_test(setting_a_load_replaces_constant_loads),
        cmocka_unit_test(gravity_changed_between_runs_acts_from_that_instant),
        cmocka_unit_test(bodies_edited_between_runs_get_new_forces_and_the_others_keep_theirs),
        cmocka_unit_test(a_load_cannot_change_the_state_that_it_gets),
        cmocka_unit_test(invalid_loads_are_refused),
        cmocka_unit_test(adding_forces_is_refused_by_schemes_with_two_evaluations_per_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
