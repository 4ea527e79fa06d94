// Time stepping of the soft engine (engine/soft.h): runs in parts give the same bits as one run, with any
// queries between them. References: one run of the same length, and a spring in closed form.

#include "support/worlds.h"

enum { FIRST_PART = 60, SECOND_PART = 40 };

typedef void check_function(const struct scree_test_world *setup);

// Calls a check for every pair of schemes of translation and rotation.
static void for_each_pair(struct scree_test_world setup, check_function *check)
{
    for (size_t t = 0; (setup.translation = scree_motion_name(SCREE_TRANSLATION, t)); ++t)
        for (size_t r = 0; (setup.rotation = scree_motion_name(SCREE_ROTATION, r)); ++r) {
            setup.spheres_only = strcmp(setup.rotation, "spherical") == 0;
            check(&setup);
        }
}

static const struct scree_test_world with_all_options = {.bodies = 140,
                                                         .damping = {0.1, 0.2},
                                                         .own_damping = true,
                                                         .loads = true,
                                                         .fixed = true,
                                                         .oriented = true};
static const struct scree_test_world plain = {.bodies = 24};

static void assert_same(const struct scree_test_world *setup, struct scree_digest a, struct scree_digest b)
{
    if (!scree_test_digests_equal(a, b))
        fail_msg("the bits differ for %s with %s", setup->translation ? setup->translation : "the default",
                 setup->rotation ? setup->rotation : "the default");
}

struct run {
    struct scree_world *world;
    struct scree_engine *engine;
};

static struct run begin_run(const struct scree_test_world *setup)
{
    struct run run;
    assert_ok(scree_test_world_build(setup, &run.world));
    assert_ok(scree_test_world_engine(setup, run.world, &run.engine));
    return run;
}

static struct scree_digest end_run(struct run *run)
{
    const struct scree_digest digest = scree_test_digest(run->world);
    scree_engine_destroy(run->engine);
    scree_world_destroy(run->world);
    return digest;
}

static void check_two_parts(const struct scree_test_world *setup)
{
    struct run run = begin_run(setup);
    assert_ok(scree_engine_run(run.engine, FIRST_PART));
    assert_ok(scree_engine_run(run.engine, SECOND_PART));
    assert_same(setup, end_run(&run), scree_test_world_run(setup, FIRST_PART + SECOND_PART));
}

static void runs_of_60_and_40_steps_give_the_bits_of_a_run_of_100(void **state)
{
    (void)state;
    for_each_pair(plain, check_two_parts);
    for_each_pair(with_all_options, check_two_parts);
    struct scree_test_world flat = with_all_options;
    flat.dimension = 2;
    for_each_pair(flat, check_two_parts);
}

static void check_single_steps(const struct scree_test_world *setup)
{
    struct run run = begin_run(setup);
    for (int step = 0; step < 20; ++step)
        assert_ok(scree_engine_run(run.engine, 1));
    assert_same(setup, end_run(&run), scree_test_world_run(setup, 20));
}

static void twenty_runs_of_one_step_give_the_bits_of_a_run_of_twenty(void **state)
{
    (void)state;
    for_each_pair(plain, check_single_steps);
    for_each_pair(with_all_options, check_single_steps);
}

static scree_status count_call(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    unsigned *calls = (unsigned *)user;
    struct scree_body_state body;
    assert_ok(scree_body_get(world, (scree_body_id){1}, &body));
    assert_int_equal(body.velocity_level, SCREE_ON_STEP);
    ++*calls;
    return SCREE_OK;
}

static void check_callback(const struct scree_test_world *setup)
{
    struct run run = begin_run(setup);
    unsigned calls = 0;
    assert_ok(scree_engine_set_callback(run.engine, SCREE_POINT_BEGIN, count_call, &calls, NULL));
    assert_ok(scree_engine_run(run.engine, 20));
    assert_int_equal(calls, 20);
    assert_same(setup, end_run(&run), scree_test_world_run(setup, 20));
}

static void a_callback_at_the_beginning_that_only_reads_changes_no_bit(void **state)
{
    (void)state;
    for_each_pair(plain, check_callback);
    for_each_pair(with_all_options, check_callback);
}

static scree_status query_all(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)user;
    struct scree_energy energy;
    struct scree_momentum momentum;
    struct scree_body_state body;
    assert_ok(scree_energy_get(world, &energy));
    assert_ok(scree_energy_momentum(world, &momentum));
    assert_ok(scree_body_get_on_step(world, (scree_body_id){2}, &body));
    return SCREE_OK;
}

static void check_queries(const struct scree_test_world *setup)
{
    struct run run = begin_run(setup);
    assert_ok(scree_engine_set_callback(run.engine, SCREE_POINT_RECORD, query_all, NULL, NULL));
    assert_ok(scree_engine_run(run.engine, 10));
    assert_ok(query_all(run.engine, run.world, NULL));
    assert_ok(scree_engine_run(run.engine, 10));
    assert_same(setup, end_run(&run), scree_test_world_run(setup, 20));
}

static void querying_energies_and_states_changes_no_bit(void **state)
{
    (void)state;
    for_each_pair(plain, check_queries);
    for_each_pair(with_all_options, check_queries);
}

static void check_two_engines(const struct scree_test_world *setup)
{
    struct run run = begin_run(setup);
    assert_ok(scree_engine_run(run.engine, 12));
    scree_engine_destroy(run.engine);
    assert_ok(scree_test_world_engine(setup, run.world, &run.engine));
    assert_ok(scree_engine_run(run.engine, 8));
    assert_same(setup, end_run(&run), scree_test_world_run(setup, 20));
}

static void a_new_engine_continues_the_run_of_the_previous_one(void **state)
{
    (void)state;
    for_each_pair(plain, check_two_engines);
    for_each_pair(with_all_options, check_two_engines);
}

static void runs_of_zero_steps_or_until_the_present_time_change_nothing(void **state)
{
    (void)state;
    struct run run = begin_run(&with_all_options);
    assert_ok(scree_engine_run(run.engine, 0));
    assert_ok(scree_engine_run_until(run.engine, 0));
    assert_ok(scree_engine_run_until(run.engine, -1));
    assert_int_equal(scree_world_steps(run.world), 0);
    assert_ok(scree_engine_run(run.engine, 20));
    assert_same(&with_all_options, end_run(&run), scree_test_world_run(&with_all_options, 20));
}

static void a_run_until_a_time_ends_at_the_first_step_that_is_not_before_it(void **state)
{
    (void)state;
    struct scree_test_world setup = plain;
    setup.step = 0.1;
    struct run run = begin_run(&setup);
    assert_ok(scree_engine_run_until(run.engine, 0.95));
    assert_int_equal(scree_world_steps(run.world), 10);
    assert_true(scree_world_time(run.world) == 10 * 0.1);
    assert_ok(scree_engine_run_until(run.engine, 0.95));
    assert_int_equal(scree_world_steps(run.world), 10);
    assert_ok(scree_engine_run_until(run.engine, 11 * 0.1));
    assert_int_equal(scree_world_steps(run.world), 11);
    // ends after a number of steps or at a time, whichever is first
    assert_ok(scree_engine_run_within(run.engine, 3, 2));
    assert_int_equal(scree_world_steps(run.world), 14);
    assert_ok(scree_engine_run_within(run.engine, 100, 1.95));
    assert_int_equal(scree_world_steps(run.world), 20);
    assert_ok(scree_engine_run_within(run.engine, 2, INFINITE));
    assert_int_equal(scree_world_steps(run.world), 22);
    (void)end_run(&run);
}

// 3 * 0.1 is more than 0.3, and 6 * 0.7 is less than 4.2.
static void an_end_that_equals_a_step_up_to_rounding_is_that_step(void **state)
{
    (void)state;
    static const double steps[] = {0.1, 0.7, 0.3, 1e-6, 7e-4, 1e-6 * 100};
    static const double steps_per_unit[] = {10, 10, 10, 1e6, 1e4, 1e4};
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; ++s) {
        struct scree_test_world setup = {.bodies = 1, .step = steps[s]};
        struct run run = begin_run(&setup);
        for (unsigned k = 1; k <= 200; ++k) {
            // rounded as when it is parsed from a text
            const double end = floor(steps[s] * steps_per_unit[s] + 0.5) * k / steps_per_unit[s];
            assert_ok(scree_engine_run_until(run.engine, end));
            assert_int_equal(scree_world_steps(run.world), k);
            assert_ok(scree_engine_run_until(run.engine, end));
            assert_int_equal(scree_world_steps(run.world), k);
        }
        (void)end_run(&run);
    }
}

static void time_does_not_accumulate_round_off(void **state)
{
    (void)state;
    struct scree_test_world setup = {.bodies = 1, .step = 0.1};
    struct run run = begin_run(&setup);
    assert_ok(scree_engine_run(run.engine, 100000));
    assert_true(scree_world_time(run.world) == 100000 * 0.1);
    assert_ok(scree_engine_set_step(run.engine, 0.3));
    assert_ok(scree_engine_run(run.engine, 1000));
    assert_true(scree_world_time(run.world) == 100000 * 0.1 + 1000 * 0.3);
    (void)end_run(&run);
}

static scree_status spring(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i)
        batch->force[i][0] -= 4 * batch->mass[i] * batch->position[i][0];
    return SCREE_OK;
}

// Error of x'' = -4 x from x = 1, v = 0.5 at t = 1, after runs with three time steps.
static double error_with_changing_step(const char *scheme, unsigned n)
{
    struct scree_world *world = scree_test_empty_world();
    const scree_body_id id = scree_test_sphere(world);
    scree_load_id load;
    struct scree_engine *engine;
    struct scree_body_state body;
    assert_ok(scree_body_set_position(world, id, (const double[3]){1}));
    assert_ok(scree_body_set_velocity(world, id, (const double[3]){0.5}));
    assert_ok(scree_load_add(world, &(struct scree_load_def){.function = spring}, &load));
    const double h = 1.0 / n;
    assert_ok(scree_soft_create(
        world, &(struct scree_soft_def){.step = h, .translation = scheme, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, n / 2));
    assert_ok(scree_engine_set_step(engine, h / 2));
    assert_ok(scree_engine_run(engine, n / 2));
    assert_ok(scree_engine_set_step(engine, 3 * h / 4));
    assert_ok(scree_engine_run(engine, n / 3));
    // at t = 1 the solution is cos 2 + 0.25 sin 2
    assert_true(scree_world_time(world) > 1 - 1e-12 && scree_world_time(world) < 1 + 1e-12);
    assert_ok(scree_body_get(world, id, &body));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    const double x = -0.41614683654714238700 + 0.25 * 0.90929742682568169540;
    const double v = -2 * 0.90929742682568169540 + 0.5 * -0.41614683654714238700;
    const double dx = body.position[0] - x, dv = body.velocity[0] - v;
    return (dx < 0 ? -dx : dx) + (dv < 0 ? -dv : dv);
}

static void a_time_step_that_changes_between_runs_keeps_the_order_two(void **state)
{
    (void)state;
    static const char *const schemes[] = {"velocity-verlet", "leapfrog", "central-difference"};
    for (size_t l = 0; l < 3; ++l) {
        // halving the step reduces the error of order 2 by a factor of 4, of order 1 by 2
        const double coarse = error_with_changing_step(schemes[l], 384),
                     fine = error_with_changing_step(schemes[l], 768);
        if (!(coarse / fine > 3.8 && coarse / fine < 4.2))
            fail_msg("%s: halving the step changes the error from %g to %g", schemes[l], coarse, fine);
    }
}

static void a_time_step_that_is_changed_and_reset_changes_no_bit(void **state)
{
    (void)state;
    struct run run = begin_run(&with_all_options);
    assert_ok(scree_engine_run(run.engine, 10));
    assert_ok(scree_engine_set_step(run.engine, 0.5));
    assert_ok(scree_engine_set_step(run.engine, 1e-3));
    assert_ok(scree_engine_run(run.engine, 10));
    assert_same(&with_all_options, end_run(&run), scree_test_world_run(&with_all_options, 20));
}

static void every_scheme_of_motion_reports_its_order(void **state)
{
    (void)state;
    for (int kind = SCREE_TRANSLATION; kind <= SCREE_ROTATION; ++kind) {
        const char *about[32];
        size_t schemes = 0;
        for (; scree_motion_name((scree_motion_kind)kind, schemes); ++schemes) {
            about[schemes] = scree_motion_about((scree_motion_kind)kind, schemes);
            assert_non_null(about[schemes]);
            assert_non_null(strstr(about[schemes], "order "));
            for (size_t l = 0; l < schemes; ++l)
                assert_string_not_equal(about[l], about[schemes]);
        }
        assert_true(schemes > 0 && !scree_motion_about((scree_motion_kind)kind, schemes));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_60_and_40_steps_give_the_bits_of_a_run_of_100),
        cmocka_unit_test(twenty_runs_of_one_step_give_the_bits_of_a_run_of_twenty),
        cmocka_unit_test(a_callback_at_the_beginning_that_only_reads_changes_no_bit),
        cmocka_unit_test(querying_energies_and_states_changes_no_bit),
        cmocka_unit_test(a_new_engine_continues_the_run_of_the_previous_one),
        cmocka_unit_test(runs_of_zero_steps_or_until_the_present_time_change_nothing),
        cmocka_unit_test(a_run_until_a_time_ends_at_the_first_step_that_is_not_before_it),
        cmocka_unit_test(an_end_that_equals_a_step_up_to_rounding_is_that_step),
        cmocka_unit_test(time_does_not_accumulate_round_off),
        cmocka_unit_test(a_time_step_that_changes_between_runs_keeps_the_order_two),
        cmocka_unit_test(a_time_step_that_is_changed_and_reset_changes_no_bit),
        cmocka_unit_test(every_scheme_of_motion_reports_its_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
