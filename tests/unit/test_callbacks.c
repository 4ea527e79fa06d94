// Callbacks: at which points and in which order they run, what they may do, and which state they see.
// Reference: the documented order of points, digests of runs without callbacks, and closed forms of motion
// under a constant force.

#include "support/worlds.h"

#include <stdio.h>

struct run {
    struct scree_world *world;
    struct scree_engine *engine;
};

static struct run create_run(const struct scree_test_world *setup)
{
    struct run run;
    assert_ok(scree_test_world_build(setup, &run.world));
    assert_ok(scree_test_world_engine(setup, run.world, &run.engine));
    return run;
}

static void destroy_run(struct run *run)
{
    assert_ok(scree_world_validate(run->world));
    scree_engine_destroy(run->engine);
    scree_world_destroy(run->world);
}

// --- order

static char call_log[400];

static scree_status record_call(struct scree_engine *engine, struct scree_world *world, void *user)
{
    assert_ptr_equal(scree_engine_world(engine), world);
    const size_t length = strlen(call_log);
    snprintf(call_log + length, sizeof call_log - length, "%s ", (const char *)user);
    return SCREE_OK;
}

static scree_callback_id set_callback(struct run *run, int point, scree_callback *callback, const char *name)
{
    scree_callback_id id;
    assert_ok(scree_engine_set_callback(run->engine, point, callback, (void *)(uintptr_t)name, &id));
    return id;
}

static void assert_calls_of_a_step(struct run *run, const char *expected)
{
    call_log[0] = 0;
    assert_ok(scree_engine_run(run->engine, 1));
    assert_string_equal(call_log, expected);
}

static void callbacks_run_in_order_of_points_then_in_order_of_setting(void **state)
{
    (void)state;
    struct run run = create_run(&(struct scree_test_world){.bodies = 2});
    assert_ok(scree_engine_run(run.engine, 1));
    set_callback(&run, 70, record_call, "70");
    set_callback(&run, 0, record_call, "0a");
    set_callback(&run, 99, record_call, "99");
    set_callback(&run, 20, record_call, "20");
    set_callback(&run, 0, record_call, "0b");
    set_callback(&run, 9, record_call, "9");
    set_callback(&run, 45, record_call, "45");
    set_callback(&run, 0, record_call, "0c");
    set_callback(&run, 46, record_call, "46");
    assert_calls_of_a_step(&run, "0a 0b 0c 9 20 45 46 70 99 ");
    destroy_run(&run);
}

static void the_first_run_evaluates_forces_and_runs_their_callbacks(void **state)
{
    (void)state;
    struct run run = create_run(&(struct scree_test_world){.bodies = 2});
    for (int point = 0; point < 100; ++point)
        set_callback(&run, point, record_call,
                     point == 30 || point == 69 ? "now"
                     : point == 0               ? "begin"
                     : point == 99              ? "end"
                                                : "");
    call_log[0] = 0;
    assert_ok(scree_engine_run(run.engine, 1));
    // first the points 30 to 69 of the initial state, then the step
    const char *begin = strstr(call_log, "begin");
    assert_non_null(begin);
    size_t calls = 0;
    for (const char *c = call_log; c < begin; ++c)
        calls += *c == ' ';
    assert_int_equal(calls, 40);
    calls = 0;
    for (const char *c = begin; *c; ++c)
        calls += *c == ' ';
    assert_int_equal(calls, 100);
    destroy_run(&run);
}

static void points_outside_0_to_99_and_missing_functions_are_refused(void **state)
{
    (void)state;
    struct run run = create_run(&(struct scree_test_world){.bodies = 1});
    static const int points[] = {-1, 100, 1000000, INT32_MIN, INT32_MAX};
    for (size_t p = 0; p < 5; ++p)
        assert_refused(SCREE_ERROR_ARGUMENT, "0 to 99",
                       scree_engine_set_callback(run.engine, points[p], record_call, NULL, NULL));
    assert_refused(SCREE_ERROR_ARGUMENT, "no function",
                   scree_engine_set_callback(run.engine, 5, NULL, NULL, NULL));
    assert_refused(SCREE_ERROR_MISSING, "no callback with id 1",
                   scree_engine_remove_callback(run.engine, (scree_callback_id){1}));
    assert_refused(SCREE_ERROR_MISSING, "no callback with id 0",
                   scree_engine_remove_callback(run.engine, (scree_callback_id){0}));
    destroy_run(&run);
}

static scree_callback_id removed_callback;

static scree_status call_and_remove(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)world, (void)user;
    assert_ok(record_call(engine, world, user));
    const scree_status status = scree_engine_remove_callback(engine, removed_callback);
    assert_true(status == SCREE_OK || status == SCREE_ERROR_MISSING);
    return SCREE_OK;
}

static void a_callback_may_remove_itself_or_another_one(void **state)
{
    (void)state;
    struct run run = create_run(&(struct scree_test_world){.bodies = 1});
    assert_ok(scree_engine_run(run.engine, 1));
    removed_callback = set_callback(&run, 20, call_and_remove, "self");
    set_callback(&run, 20, record_call, "next");
    assert_calls_of_a_step(&run, "self next ");
    assert_calls_of_a_step(&run, "next ");
    scree_callback_id remover = set_callback(&run, 20, call_and_remove, "remover");
    removed_callback = set_callback(&run, 20, record_call, "later");
    set_callback(&run, 21, record_call, "last");
    assert_calls_of_a_step(&run, "next remover last ");
    assert_ok(scree_engine_remove_callback(run.engine, remover));
    removed_callback = set_callback(&run, 10, record_call, "earlier");
    set_callback(&run, 20, call_and_remove, "remover");
    assert_calls_of_a_step(&run, "earlier next remover last ");
    assert_calls_of_a_step(&run, "next remover last ");
    destroy_run(&run);
}

static scree_status call_and_add(struct scree_engine *engine, struct scree_world *world, void *user)
{
    assert_ok(record_call(engine, world, user));
    assert_ok(scree_engine_set_callback(engine, 10, record_call, (void *)(uintptr_t) "before", NULL));
    // enough callbacks for a reallocation of the list
    for (int n = 0; n < 40; ++n)
        assert_ok(scree_engine_set_callback(engine, 30, record_call, (void *)(uintptr_t) "", NULL));
    assert_ok(scree_engine_set_callback(engine, 20, record_call, (void *)(uintptr_t) "same", NULL));
    assert_ok(scree_engine_set_callback(engine, 40, record_call, (void *)(uintptr_t) "after", NULL));
    return scree_engine_remove_callback(engine, removed_callback);
}

static void a_callback_may_set_others_which_run_when_their_point_comes_next(void **state)
{
    (void)state;
    struct run run = create_run(&(struct scree_test_world){.bodies = 1});
    assert_ok(scree_engine_run(run.engine, 1));
    removed_callback = set_callback(&run, 20, call_and_add, "adder");
    call_log[0] = 0;
    assert_ok(scree_engine_run(run.engine, 1));
    assert_true(strncmp(call_log, "adder ", 6) == 0);
    assert_null(strstr(call_log, "same"));
    assert_non_null(strstr(call_log, "after"));
    assert_null(strstr(call_log, "before"));
    call_log[0] = 0;
    assert_ok(scree_engine_run(run.engine, 1));
    assert_true(strncmp(call_log, "before same ", 12) == 0);
    destroy_run(&run);
}

// --- failures and stops

static scree_status fail_without_message(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    return scree_world_steps(world) == *(uint64_t *)user ? SCREE_ERROR_IO : SCREE_OK;
}

static scree_status fail_with_message(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)user;
    return scree_body_remove(world, (scree_body_id){777});
}

static void a_failure_ends_the_run_at_the_end_of_the_step(void **state)
{
    (void)state;
    static const int points[] = {0, 10, 20, 45, 60, 70, 99};
    for (size_t p = 0; p < 7; ++p) {
        const struct scree_test_world setup = {
            .bodies = 30, .loads = true, .damping = {0.1, 0.1}, .fixed = true};
        struct run run = create_run(&setup);
        // the step counter increases at point 15
        uint64_t failing_step = points[p] < 15 ? 4 : 5;
        assert_ok(
            scree_engine_set_callback(run.engine, points[p], fail_without_message, &failing_step, NULL));
        assert_int_equal(scree_status_name(scree_body_remove(run.world, (scree_body_id){999}))[0], 'm');
        const scree_status status = scree_engine_run(run.engine, 100);
        // the message does not contain the older one about body 999
        assert_refused(SCREE_ERROR_IO, "could not be read or written", status);
        assert_null(strstr(scree_status_message(), "999"));
        assert_int_equal(scree_world_steps(run.world), 5);
        assert_int_equal(scree_world_level(run.world), SCREE_ON_STEP);
        assert_true(scree_test_digests_equal(scree_test_digest(run.world), scree_test_world_run(&setup, 5)));
        destroy_run(&run);
    }
}

static void a_failed_run_has_the_message_of_the_callback_with_point_and_step(void **state)
{
    (void)state;
    struct run run = create_run(&(struct scree_test_world){.bodies = 2});
    set_callback(&run, 20, fail_with_message, NULL);
    assert_refused(SCREE_ERROR_MISSING, "callback at point 20 of step 1", scree_engine_run(run.engine, 9));
    assert_refused(SCREE_ERROR_MISSING, "no body with id 777", scree_engine_run(run.engine, 9));
    assert_int_equal(scree_world_steps(run.world), 2);
    destroy_run(&run);
}

static scree_status stop(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)user;
    if (scree_world_steps(world) == 3)
        scree_engine_stop(engine);
    return SCREE_OK;
}

static void a_stopped_run_succeeds_and_can_be_continued(void **state)
{
    (void)state;
    const struct scree_test_world setup = {.bodies = 10, .loads = true};
    struct run run = create_run(&setup);
    set_callback(&run, 70, stop, NULL);
    assert_ok(scree_engine_run(run.engine, 20));
    assert_int_equal(scree_world_steps(run.world), 3);
    assert_ok(scree_engine_run(run.engine, 17));
    assert_int_equal(scree_world_steps(run.world), 20);
    assert_true(scree_test_digests_equal(scree_test_digest(run.world), scree_test_world_run(&setup, 20)));
    destroy_run(&run);
}

static scree_status make_invalid_calls(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)user;
    struct scree_engine *second;
    struct scree_view view;
    void *data;
    assert_refused(SCREE_ERROR_STATE, "inside a step", scree_engine_run(engine, 1));
    assert_refused(SCREE_ERROR_STATE, "inside a step", scree_engine_run_until(engine, 1e9));
    assert_refused(SCREE_ERROR_STATE, "engine already",
                   scree_soft_create(world, &(struct scree_soft_def){.step = 1}, &second));
    assert_null(second);
    assert_refused(SCREE_ERROR_STATE, "inside a step", scree_engine_set_step(engine, 1));
    assert_refused(SCREE_ERROR_STATE, "inside a step",
                   scree_engine_set_damping(engine, &(struct scree_damping){.viscous = 1}));
    assert_refused(SCREE_ERROR_STATE, "inside a step",
                   scree_field_edit(world, "body.position", &view, &data));
    uint64_t keys[64] = {0};
    assert_refused(SCREE_ERROR_STATE, "inside a step",
                   scree_world_sort(world, keys, scree_body_count(world)));
    return SCREE_OK;
}

static void calls_that_are_invalid_within_a_step_are_refused_at_every_point(void **state)
{
    (void)state;
    const struct scree_test_world setup = {.bodies = 12, .loads = true};
    struct run run = create_run(&setup);
    for (int point = 0; point < 100; ++point)
        set_callback(&run, point, make_invalid_calls, NULL);
    assert_ok(scree_engine_run(run.engine, 4));
    assert_true(scree_test_digests_equal(scree_test_digest(run.world), scree_test_world_run(&setup, 4)));
    destroy_run(&run);
}

// --- bodies and forces

static scree_status replace_bodies(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)user;
    scree_body_id id;
    const struct scree_rigid_def def = {
        .mass = 1, .inertia = {1, 2, 2.5}, .velocity = {1, 0, 0}, .spin = {1, 2, 3}};
    assert_ok(scree_body_add_rigid(world, &def, &id));
    for (int n = 0; n < 30; ++n)
        (void)scree_test_sphere(world);
    for (uint64_t removed = id.value + 30; removed > id.value + 2; --removed)
        assert_ok(scree_body_remove(world, (scree_body_id){removed}));
    if (id.value > 40)
        assert_ok(scree_body_remove(world, (scree_body_id){id.value - 31}));
    assert_ok(scree_world_validate(world));
    return SCREE_OK;
}

static void bodies_can_be_added_and_removed_at_every_point_under_every_scheme(void **state)
{
    (void)state;
    struct scree_test_world setup = {.bodies = 30, .loads = true, .damping = {0.1, 0.1}, .fixed = true};
    for (size_t r = 0; (setup.rotation = scree_motion_name(SCREE_ROTATION, r)); ++r) {
        setup.translation = scree_motion_name(SCREE_TRANSLATION, r % 7);
        if (strcmp(setup.rotation, "spherical") == 0)
            continue;
        static const int points[] = {0, 5, 10, 15, 20, 30, 40, 45, 59, 60, 70, 99};
        for (size_t p = 0; p < sizeof points / sizeof points[0]; ++p) {
            struct run run = create_run(&setup);
            set_callback(&run, points[p], replace_bodies, NULL);
            assert_ok(scree_engine_run(run.engine, 5));
            assert_int_equal(scree_world_steps(run.world), 5);
            destroy_run(&run);
        }
    }
}

static scree_status add_body(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    if (scree_world_steps(world) != 3)
        return SCREE_OK;
    const struct scree_sphere_def def = {
        .radius = 0.1, .material = scree_test_material(world), .velocity = {1}, .spin = {0, 0, 2}};
    return scree_body_add_sphere(world, &def, (scree_body_id *)user);
}

// Under a load of 4 N and 1 N m, a body added at t has exactly the given velocity at t, and then
// accelerates.
static void a_body_added_within_a_step_has_no_pending_half_kick(void **state)
{
    (void)state;
    static const char *const schemes[] = {"velocity-verlet", "leapfrog", "central-difference"};
    static const int points[] = {20, 30, 40, 50, 70};
    for (size_t l = 0; l < 3; ++l)
        for (size_t p = 0; p < 5; ++p) {
            struct run run =
                create_run(&(struct scree_test_world){.bodies = 2, .translation = schemes[l], .step = 0.125});
            scree_body_id added = {0};
            scree_load_id load;
            assert_ok(scree_world_set_gravity(run.world, (const double[3]){0}));
            assert_ok(scree_load_add(run.world, &(struct scree_load_def){.force = {4}, .moment = {0, 0, 1}},
                                     &load));
            assert_ok(scree_engine_set_callback(run.engine, points[p], add_body, &added, NULL));
            struct scree_body_state body;
            assert_ok(scree_engine_run(run.engine, 3));
            assert_ok(scree_body_get(run.world, added, &body));
            assert_true(body.velocity[0] == 1 && body.spin[2] == 2 && body.position[0] == 0);
            assert_ok(scree_engine_run(run.engine, 2));
            assert_ok(scree_body_get(run.world, added, &body));
            const double t = 0.25, a = 4 / body.mass, x = t + 0.5 * a * t * t, v = 1 + a * t;
            // for a constant force these schemes are exact up to round-off
            assert_true(body.position[0] > x * (1 - 1e-15) && body.position[0] < x * (1 + 1e-15));
            assert_true(body.velocity[0] > v * (1 - 1e-15) && body.velocity[0] < v * (1 + 1e-15));
            destroy_run(&run);
        }
}

static scree_status add_force(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)user;
    return scree_body_add_force(world, (scree_body_id){1}, (const double[3]){3}, NULL);
}

// A force added before point 60, at which forces are summed, acts in the same step; later, in the next step.
static void an_added_force_acts_at_the_next_point_60(void **state)
{
    (void)state;
    for (int point = 0; point < 100; ++point) {
        struct run run = create_run(&(struct scree_test_world){.bodies = 1});
        struct scree_body_state body;
        assert_ok(scree_engine_run(run.engine, 1));
        scree_callback_id id = set_callback(&run, point, add_force, NULL);
        assert_ok(scree_engine_run(run.engine, 1));
        assert_ok(scree_body_get(run.world, (scree_body_id){1}, &body));
        assert_true(body.force[0] == (point < 60 ? 3 : 0));
        assert_ok(scree_engine_remove_callback(run.engine, id));
        assert_ok(scree_engine_run(run.engine, 1));
        assert_ok(scree_body_get(run.world, (scree_body_id){1}, &body));
        assert_true(body.force[0] == (point < 60 ? 0 : 3));
        destroy_run(&run);
    }
}

static scree_status change_velocity(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)user;
    struct scree_body_state body;
    if (scree_world_steps(world) != 2)
        return SCREE_OK;
    assert_ok(scree_body_get(world, (scree_body_id){1}, &body));
    body.velocity[0] += 1;
    body.spin[0] += 1;
    assert_ok(scree_body_set_velocity(world, (scree_body_id){1}, body.velocity));
    return scree_body_set_spin(world, (scree_body_id){1}, body.spin);
}

// At any time level, adding 1 m/s to a velocity adds 1 m/s to the motion under every scheme.
static void velocities_changed_at_any_point_stay_changed_under_every_scheme(void **state)
{
    (void)state;
    struct scree_test_world setup = {.bodies = 2};
    for (size_t r = 0; (setup.rotation = scree_motion_name(SCREE_ROTATION, r)); ++r)
        for (size_t t = 0; (setup.translation = scree_motion_name(SCREE_TRANSLATION, t)); ++t) {
            if (strcmp(setup.rotation, "spherical") == 0)
                continue;
            static const int points[] = {0, 10, 20, 45, 60, 70};
            for (size_t p = 0; p < 6; ++p) {
                struct scree_world *world = scree_test_empty_world();
                struct run run = {.world = world};
                scree_body_id id;
                struct scree_body_state body;
                const struct scree_rigid_def def = {
                    .mass = 1, .inertia = {1, 1.5, 2}, .velocity = {1}, .spin = {1}};
                assert_ok(scree_body_add_rigid(world, &def, &id));
                assert_ok(scree_test_world_engine(&setup, world, &run.engine));
                set_callback(&run, points[p], change_velocity, NULL);
                assert_ok(scree_engine_run(run.engine, 5));
                assert_ok(scree_body_get(world, id, &body));
                if (!(body.velocity[0] == 2 && body.spin[0] > 2 - 1e-12 && body.spin[0] < 2 + 1e-12 &&
                      body.momentum[0] > 2 - 1e-12 && body.momentum[0] < 2 + 1e-12))
                    fail_msg("set at %d under %s and %s: velocity %.17g, spin %.17g", points[p],
                             setup.translation, setup.rotation, body.velocity[0], body.spin[0]);
                destroy_run(&run);
            }
        }
}

static scree_status fix_and_free(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)user;
    const uint64_t step = scree_world_steps(world);
    for (uint64_t id = 1; id <= scree_body_count(world); ++id)
        assert_ok(scree_body_fix(world, (scree_body_id){id}, step % 2 ? SCREE_FIX_SPIN_Z | SCREE_FIX_X : 0));
    return SCREE_OK;
}

static void degrees_of_freedom_may_be_fixed_and_freed_at_any_point_under_every_scheme(void **state)
{
    (void)state;
    struct scree_test_world setup = {.bodies = 10, .loads = true};
    for (size_t r = 0; (setup.rotation = scree_motion_name(SCREE_ROTATION, r)); ++r) {
        setup.translation = scree_motion_name(SCREE_TRANSLATION, r % 7);
        if (strcmp(setup.rotation, "spherical") == 0)
            continue;
        static const int points[] = {0, 10, 20, 45, 60, 70};
        for (size_t p = 0; p < 6; ++p) {
            struct run run = create_run(&setup);
            set_callback(&run, points[p], fix_and_free, NULL);
            assert_ok(scree_engine_run(run.engine, 9));
            destroy_run(&run);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callbacks_run_in_order_of_points_then_in_order_of_setting),
        cmocka_unit_test(the_first_run_evaluates_forces_and_runs_their_callbacks),
        cmocka_unit_test(points_outside_0_to_99_and_missing_functions_are_refused),
        cmocka_unit_test(a_callback_may_remove_itself_or_another_one),
        cmocka_unit_test(a_callback_may_set_others_which_run_when_their_point_comes_next),
        cmocka_unit_test(a_failure_ends_the_run_at_the_end_of_the_step),
        cmocka_unit_test(a_failed_run_has_the_message_of_the_callback_with_point_and_step),
        cmocka_unit_test(a_stopped_run_succeeds_and_can_be_continued),
        cmocka_unit_test(calls_that_are_invalid_within_a_step_are_refused_at_every_point),
        cmocka_unit_test(bodies_can_be_added_and_removed_at_every_point_under_every_scheme),
        cmocka_unit_test(a_body_added_within_a_step_has_no_pending_half_kick),
        cmocka_unit_test(an_added_force_acts_at_the_next_point_60),
        cmocka_unit_test(velocities_changed_at_any_point_stay_changed_under_every_scheme),
        cmocka_unit_test(degrees_of_freedom_may_be_fixed_and_freed_at_any_point_under_every_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
