// Alarms: each is raised for its condition, names the bodies and the value, and follows its policy. Values
// are compared with closed forms for the motion of a few balls and walls.

#include "alarm_run.h"

#include <scree/cell.h>
#include <scree/wall.h>

static void an_overlap_names_both_bodies_and_the_ratio_to_the_smaller_radius(void **state)
{
    (void)state;
    for (int one_step_per_run = 0; one_step_per_run < 2; ++one_step_per_run) {
        struct run run;
        create_run(&run);
        (void)add_ball(&run, 0.01, -1, 0);
        (void)add_ball(&run, 0.03, 0, 0);
        (void)add_ball(&run, 0.01, 0.0402, -8);
        create_engine(&run, 1e-5, NULL);
        const scree_status status = run_to_alarm(&run, one_step_per_run, 1000);
        const struct scree_alarm *alarm = assert_stopped(&run, status, SCREE_ALARM_OVERLAP);
        assert_int_equal(alarm->body[0].value, 2);
        assert_int_equal(alarm->body[1].value, 3);
        assert_int_equal(alarm->wall.value, 0);
        assert_true(alarm->limit == 0.2);
        // they approach by 8e-5 m per step, which is 0.008 of the smaller radius
        assert_true(alarm->value > 0.2 && alarm->value < 0.2081);
        assert_non_null(strstr(run.text[0], "body 2 and body 3 overlap by 0.20"));
        // from a gap of 0.2 mm, they touch after 3 steps; an overlap of 2 mm takes at least 25 more
        assert_true(alarm->step >= 28 && alarm->step < 45);
        scree_test_near(alarm->time, 1e-5 * (double)alarm->step, 1e-15);
        assert_true(scree_world_steps(run.world) - alarm->step <= 1);
        // the state is unchanged, so a second run raises it again
        run.count = 0;
        assert_stopped(&run, scree_engine_run(run.engine, 5), SCREE_ALARM_OVERLAP);
        destroy_run(&run);
    }
}

// For coincident centres the normal is along x.
static void coincident_centres_raise_an_overlap_alarm_before_anything_moves(void **state)
{
    (void)state;
    for (int repeat = 0; repeat < 2; ++repeat) {
        struct run run;
        struct scree_body_state body;
        create_run(&run);
        (void)add_ball(&run, 0.01, 0.3, 0);
        (void)add_ball(&run, 0.01, 0.3, 2);
        create_engine(&run, 1e-5, NULL);
        if (repeat) {
            assert_ok(scree_engine_run(run.engine, 0));
            assert_ok(scree_body_get(run.world, (scree_body_id){2}, &body));
            assert_true(body.force[0] == -1e5 * 0.02 && body.force[1] == 0 && body.force[2] == 0);
        }
        const struct scree_alarm *alarm =
            assert_stopped(&run, scree_engine_run(run.engine, 10), SCREE_ALARM_OVERLAP);
        assert_true(alarm->body[0].value == 1 && alarm->body[1].value == 2 && alarm->value == 2);
        assert_int_equal(alarm->step, 0);
        assert_int_equal(scree_world_steps(run.world), 0);
        assert_ok(scree_body_get(run.world, (scree_body_id){2}, &body));
        assert_true(body.position[0] == 0.3 && body.velocity[0] == 2);
        destroy_run(&run);
    }
}

static void an_overlap_with_a_wall_names_the_wall(void **state)
{
    (void)state;
    struct run run;
    scree_wall_id other, wall;
    create_run(&run);
    const struct scree_wall_def far = {
        .shape = SCREE_WALL_PLANE, .material = run.material, .plane = {.point = {5}, .normal = {-1}}};
    const struct scree_wall_def def = {
        .shape = SCREE_WALL_PLANE, .material = run.material, .plane = {.normal = {1}}};
    assert_ok(scree_wall_add(run.world, &far, &other));
    assert_ok(scree_wall_add(run.world, &def, &wall));
    (void)add_ball(&run, 0.01, 0.011, -5);
    create_engine(&run, 1e-5, &(struct scree_alarms){.overlap = 0.12});
    const struct scree_alarm *alarm =
        assert_stopped(&run, scree_engine_run(run.engine, 1000), SCREE_ALARM_OVERLAP);
    assert_int_equal(alarm->body[0].value, 1);
    assert_int_equal(alarm->body[1].value, 0);
    assert_int_equal(alarm->wall.value, wall.value);
    assert_true(alarm->limit == 0.12 && alarm->value > 0.12 && alarm->value < 0.1251);
    destroy_run(&run);
}

static scree_status add_force_that_is_not_a_number(void *user, const struct scree_load_batch *batch)
{
    const uint64_t *loaded_body = (const uint64_t *)user;
    for (size_t i = 0; i < batch->count; ++i)
        if (batch->id[i].value == *loaded_body)
            batch->force[i][1] += NOT_A_NUMBER;
    return SCREE_OK;
}

static void a_number_that_is_not_finite_names_the_body_and_the_step(void **state)
{
    (void)state;
    struct run run;
    uint64_t loaded_body = 2;
    scree_load_id load;
    create_run(&run);
    for (int n = 0; n < 3; ++n)
        (void)add_ball(&run, 0.01, n, 0);
    assert_ok(scree_load_add(
        run.world, &(struct scree_load_def){.function = add_force_that_is_not_a_number, .user = &loaded_body},
        &load));
    create_engine(&run, 1e-5, NULL);
    const scree_status status = scree_engine_run(run.engine, 1000);
    assert_int_equal(status, SCREE_ERROR_NUMBER);
    const struct scree_alarm *alarm = &run.received[0];
    assert_int_equal(run.count, 1);
    assert_true(alarm->kind == SCREE_ALARM_NUMBER && alarm->step == 1 && alarm->body[0].value == 2);
    assert_true(alarm->value != alarm->value);
    assert_non_null(strstr(scree_status_message(), "body 2 is not a finite number"));
    assert_true(scree_world_steps(run.world) <= 2);
    destroy_run(&run);
}

// A thin square of 2 m, perpendicular to x.
static struct scree_wall_def square_wall_at(const struct run *run, double x)
{
    return (struct scree_wall_def){.shape = SCREE_WALL_RECTANGLE,
                                   .material = run->material,
                                   .rectangle = {{x, -1, -1}, {{0, 2, 0}, {0, 0, 2}}}};
}

static void a_fast_body_through_a_thin_wall_names_the_wall(void **state)
{
    (void)state;
    struct run run;
    scree_wall_id wall;
    create_run(&run);
    const struct scree_wall_def thin_wall = square_wall_at(&run, 0);
    assert_ok(scree_wall_add(run.world, &thin_wall, &wall));
    (void)add_ball(&run, 0.01, -5, 0);
    (void)add_ball(&run, 0.01, -0.015, 1000);
    create_engine(&run, 3e-5, NULL);
    const struct scree_alarm *alarm =
        assert_stopped(&run, scree_engine_run(run.engine, 10), SCREE_ALARM_DISPLACEMENT);
    // 0.03 m per step is three radii
    assert_int_equal(alarm->body[0].value, 2);
    assert_int_equal(alarm->wall.value, wall.value);
    assert_int_equal(alarm->step, 1);
    scree_test_near(alarm->value, 3, 1e-12);
    assert_true(alarm->limit == 0.5);
    assert_non_null(strstr(run.text[0], "went through wall 1"));
    assert_non_null(strstr(run.text[0], "at most 5e-06 s"));
    assert_int_equal(scree_world_steps(run.world), 1);
    destroy_run(&run);
}

static void a_body_with_too_large_a_displacement_is_found_among_larger_bodies(void **state)
{
    (void)state;
    struct run run;
    create_run(&run);
    // the large one moves a tenth of its radius per step, which is ten radii of the small one
    (void)add_ball(&run, 0.1, -5, 1000);
    const scree_body_id small = add_ball(&run, 0.001, 0, 0);
    create_engine(&run, 1e-5, NULL);
    assert_ok(scree_engine_run(run.engine, 50));
    assert_int_equal(run.count, 0);
    assert_ok(scree_body_set_velocity(run.world, small, (const double[3]){0, 60, 0}));
    const struct scree_alarm *alarm =
        assert_stopped(&run, scree_engine_run(run.engine, 50), SCREE_ALARM_DISPLACEMENT);
    assert_int_equal(alarm->body[0].value, small.value);
    assert_int_equal(alarm->wall.value, 0);
    scree_test_near(alarm->value, 0.6, 1e-12);
    destroy_run(&run);
}

// A wall 0.05 m from a grain of 0.01 m, which is at rest or moves in the same direction; steps of 1e-5 s.
static void a_wall_that_moves_through_a_grain_is_found(void **state)
{
    (void)state;
    static const double pivot[3] = {-0.05, -0.9, 0};
    const double displacement = 0.05 + 0.9 * sin(0.11) - 0.05 * cos(0.11);
    const struct {
        double velocity, spin, speed; // of the wall, the wall, and the grain
        uint64_t step;
        double value;
        bool through;
    } cases[] = {
        // 3 radii per step: 0.02 m before the centre, then 0.01 m behind it
        {3000, 0, 0, 2, 3, true},
        // 0.7 radii per step: contact in the sixth step, with an overlap of at most a fifth of the radius
        {700, 0, 0, 6, 0.7, false},
        // the wall and the grain each move less than half a radius, together 0.98 radii
        {490, 0, -490, 5, 0.98, false},
        // rotated by 0.11 in the first step
        {0, -1.1e4, 0, 1, displacement / 0.01, true},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        struct run run;
        scree_wall_id wall;
        create_run(&run);
        struct scree_wall_def def = square_wall_at(&run, -0.05);
        def.velocity[0] = cases[c].velocity;
        def.spin[2] = cases[c].spin;
        def.pivot = pivot;
        (void)add_ball(&run, 0.01, -5, 0);
        (void)add_ball(&run, 0.01, 0, cases[c].speed);
        assert_ok(scree_wall_add(run.world, &def, &wall));
        create_engine(&run, 1e-5, NULL);
        const struct scree_alarm *alarm =
            assert_stopped(&run, scree_engine_run(run.engine, 10), SCREE_ALARM_DISPLACEMENT);
        assert_true(alarm->body[0].value == 2 && alarm->wall.value == wall.value);
        assert_int_equal(alarm->step, cases[c].step);
        scree_test_near(alarm->value, cases[c].value, 1e-11);
        assert_int_equal(strstr(run.text[0], "went through it") != NULL, cases[c].through);
        destroy_run(&run);
    }
}

// Each wall moves 3 radii of the grain per step: within its plane, away from the grain, about its axis, past
// the grain, or through it without a contact law.
static void a_wall_that_does_not_come_closer_to_a_grain_raises_no_alarm(void **state)
{
    (void)state;
    const struct scree_wall_def walls[] = {
        {.shape = SCREE_WALL_PLANE, .plane = {{0, 0, -0.0099}, {0, 0, 1}}, .velocity = {3000, 0, 0}},
        {.shape = SCREE_WALL_PLANE, .plane = {{0, 0, 0.0099}, {0, 0, -1}}, .velocity = {0, 0, 3000}},
        {.shape = SCREE_WALL_CYLINDER,
         .cylinder = {{0, 0, -1}, {0, 0, 1}, 0.0101},
         .spin = {0, 0, 0.03 / 0.0101 / 1e-5}},
        {.shape = SCREE_WALL_RECTANGLE,
         .rectangle = {{-0.05, 0.0101, -1}, {{0, 1, 0}, {0, 0, 2}}},
         .velocity = {3000, 0, 0}},
        {.shape = SCREE_WALL_RECTANGLE,
         .rectangle = {{-0.05, -1, -1}, {{0, 2, 0}, {0, 0, 2}}},
         .velocity = {3000, 0, 0}},
    };
    enum { WALLS = sizeof walls / sizeof walls[0] };
    for (size_t w = 0; w < WALLS; ++w) {
        struct run run;
        scree_wall_id id;
        scree_material_id air;
        create_run(&run);
        assert_ok(scree_material_add(run.world, &(struct scree_material_def){"air", 1}, &air));
        assert_ok(scree_interaction_clear(run.world));
        assert_ok(scree_interaction_add(run.world,
                                        &(struct scree_interaction_def){.between = {air}, .law = "none"}));
        assert_ok(scree_interaction_add(run.world, &springs));
        struct scree_wall_def def = walls[w];
        def.material = w + 1 < WALLS ? run.material : air;
        assert_ok(scree_wall_add(run.world, &def, &id));
        (void)add_ball(&run, 0.01, 0, 0);
        create_engine(&run, 1e-5, NULL);
        assert_ok(scree_engine_run(run.engine, 5));
        assert_int_equal(run.count, 0);
        destroy_run(&run);
    }
}

// A callback that sets the velocity of one body in one step.
struct set_velocity {
    uint64_t step;
    scree_body_id body;
    double velocity[3];
};

static scree_status set_velocity(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    const struct set_velocity *set_velocity = (const struct set_velocity *)user;
    return scree_world_steps(world) == set_velocity->step
               ? scree_body_set_velocity(world, set_velocity->body, set_velocity->velocity)
               : SCREE_OK;
}

static void a_changed_velocity_is_checked_in_the_same_step(void **state)
{
    (void)state;
    for (uint64_t step = 1; step <= 40; ++step) {
        struct run run;
        scree_wall_id wall;
        create_run(&run);
        const struct scree_wall_def thin_wall = square_wall_at(&run, 0.01);
        assert_ok(scree_wall_add(run.world, &thin_wall, &wall));
        // the large body moves ten radii of the small one per step, without an alarm
        (void)add_ball(&run, 0.1, -5, 1000);
        const struct set_velocity fast = {step, add_ball(&run, 0.001, 0, 0), {2000, 0, 0}};
        create_engine(&run, 1e-5, NULL);
        assert_ok(
            scree_engine_set_callback(run.engine, SCREE_POINT_RECORD, set_velocity, (void *)&fast, NULL));
        const struct scree_alarm *alarm =
            assert_stopped(&run, scree_engine_run(run.engine, 50), SCREE_ALARM_DISPLACEMENT);
        assert_true(alarm->step == step + 1 && alarm->body[0].value == fast.body.value);
        assert_int_equal(alarm->wall.value, wall.value);
        scree_test_near(alarm->value, 20, 1e-11);
        destroy_run(&run);
    }
}

static const double ball_mass = 2500 * 4.0 / 3 * 3.14159265358979323846 * 1e-6; // for a radius of 0.01 m

static void a_step_that_exceeds_the_limit_later_is_an_alarm_at_the_next_check(void **state)
{
    (void)state;
    struct run run;
    create_run(&run);
    // a ball between two heavy balls has twice the stiffness of one contact
    const double limit = 2 / sqrt(2 * 1e5 / ball_mass);
    // the contacts begin some sixty steps before that check
    const double step = 0.8 * limit, speed = 0.01, distance = 0.11001 + 192 * step * speed;
    (void)add_ball(&run, 0.1, -distance, speed);
    const scree_body_id middle = add_ball(&run, 0.01, 0, 0);
    (void)add_ball(&run, 0.1, distance, -speed);
    create_engine(&run, step, NULL);
    const struct scree_alarm *alarm =
        assert_stopped(&run, scree_engine_run(run.engine, 1000), SCREE_ALARM_STEP);
    assert_int_equal(alarm->step, 256);
    assert_int_equal(alarm->body[0].value, middle.value);
    assert_true(alarm->value == step);
    // stiffnesses are summed in units of 2^-40 of the stiffness of an impact
    scree_test_near(alarm->limit, limit / sqrt(2), 1e-11 * limit);
    assert_int_equal(scree_world_steps(run.world), 257);
    destroy_run(&run);
}

static void a_warning_is_given_once_per_run_and_the_run_continues(void **state)
{
    (void)state;
    struct run run;
    create_run(&run);
    (void)add_ball(&run, 0.01, 0, 0);
    (void)add_ball(&run, 0.01, 0.015, 0);
    create_engine(&run, 1e-6, &(struct scree_alarms){.policy = {[SCREE_ALARM_OVERLAP] = SCREE_ALARM_WARN}});
    for (unsigned repeat = 1; repeat <= 3; ++repeat) {
        assert_ok(scree_engine_run(run.engine, 20));
        assert_int_equal(run.count, repeat);
        assert_int_equal(run.received[repeat - 1].policy, SCREE_ALARM_WARN);
    }
    assert_int_equal(scree_world_steps(run.world), 60);
    destroy_run(&run);
}

static void an_ignored_alarm_does_not_call_the_function(void **state)
{
    (void)state;
    struct run run;
    create_run(&run);
    struct scree_alarms ignored = {0};
    for (int k = 0; k < SCREE_ALARM_KINDS; ++k)
        ignored.policy[k] = SCREE_ALARM_IGNORE;
    (void)add_ball(&run, 0.01, 0, 0);
    (void)add_ball(&run, 0.01, 0.012, 0);
    (void)add_ball(&run, 0.01, 1, 1e5);
    // a step far above the critical one is not refused
    create_engine(&run, 1e-3, &ignored);
    assert_ok(scree_engine_run(run.engine, 200));
    assert_int_equal(run.count, 0);
    destroy_run(&run);
}

static void with_the_policy_warn_a_step_above_the_limit_is_a_warning(void **state)
{
    (void)state;
    struct run run;
    create_run(&run);
    (void)add_ball(&run, 0.01, 0, 0);
    (void)add_ball(&run, 0.01, 1, 0);
    create_engine(&run, 1e-3, &(struct scree_alarms){.policy = {[SCREE_ALARM_STEP] = SCREE_ALARM_WARN}});
    assert_ok(scree_engine_run(run.engine, 200));
    assert_int_equal(run.count, 1);
    assert_true(run.received[0].kind == SCREE_ALARM_STEP && run.received[0].step == 0);
    destroy_run(&run);
}

static void an_energy_error_is_reported_if_the_alarm_is_on(void **state)
{
    (void)state;
    const double limit = 2 / sqrt(2 * 1e5 / ball_mass);
    for (int enabled = 0; enabled < 2; ++enabled) {
        struct run run;
        create_run(&run);
        (void)add_ball(&run, 0.01, 0, 0.5);
        (void)add_ball(&run, 0.01, 0.0203, -0.5);
        create_engine(&run, 0.43 * limit, &(struct scree_alarms){.energy = enabled ? 1e-4 : 0});
        assert_ok(scree_engine_run(run.engine, 70));
        struct scree_energy energy;
        assert_ok(scree_energy_get(run.world, &energy));
        assert_int_equal(run.count, enabled);
        if (enabled) {
            assert_true(run.received[0].kind == SCREE_ALARM_ENERGY && run.received[0].step == 64);
            scree_test_near(run.received[0].value, fabs(energy.balance), 1e-12);
            scree_test_near(run.received[0].limit, 1e-4 * ball_mass * 0.25, 1e-10);
        }
        destroy_run(&run);
    }
}

static void a_body_outside_the_cell_is_reported_if_the_alarm_is_on(void **state)
{
    (void)state;
    for (int enabled = 0; enabled < 2; ++enabled) {
        struct run run;
        create_run(&run);
        assert_ok(scree_cell_set(run.world,
                                 &(struct scree_cell_def){{-1, -1, -1}, {1, 1, 1}, {false, true, true}}));
        (void)add_ball(&run, 0.01, 0, 0);
        (void)add_ball(&run, 0.01, 0.9995, 1);
        (void)add_ball(&run, 0.01, -0.5, 0);
        create_engine(
            &run, 1e-5,
            &(struct scree_alarms){
                .policy = {[SCREE_ALARM_OUTSIDE] = enabled ? SCREE_ALARM_STOP : SCREE_ALARM_DEFAULT}});
        const scree_status status = scree_engine_run(run.engine, 200);
        if (!enabled) {
            assert_ok(status);
            assert_int_equal(run.count, 0);
        } else {
            const struct scree_alarm *alarm = assert_stopped(&run, status, SCREE_ALARM_OUTSIDE);
            // it leaves the cell after 50 steps, and the check is after 64
            assert_int_equal(alarm->step, 64);
            assert_int_equal(alarm->body[0].value, 2);
            assert_true(alarm->limit == 1);
            scree_test_near(alarm->value, 0.9995 + 64e-5, 1e-12);
            assert_non_null(strstr(run.text[0], "x = 1.00014 m, beyond its face at 1 m"));
        }
        destroy_run(&run);
    }
}

static void invalid_limits_and_policies_are_refused(void **state)
{
    (void)state;
    struct run run;
    create_run(&run);
    const struct {
        struct scree_alarms alarms;
        const char *word;
    } cases[] = {
        {{.overlap = -1}, "overlap"},
        {{.displacement = NOT_A_NUMBER}, "displacement"},
        {{.energy = INFINITE}, "energy"},
        {{.policy = {[SCREE_ALARM_OUTSIDE] = (enum scree_alarm_policy)7}}, "outside"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        assert_refused(SCREE_ERROR_ARGUMENT, cases[c].word,
                       scree_soft_create(run.world,
                                         &(struct scree_soft_def){.step = 1e-5, .alarms = cases[c].alarms},
                                         &run.engine));
    destroy_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_overlap_names_both_bodies_and_the_ratio_to_the_smaller_radius),
        cmocka_unit_test(coincident_centres_raise_an_overlap_alarm_before_anything_moves),
        cmocka_unit_test(an_overlap_with_a_wall_names_the_wall),
        cmocka_unit_test(a_number_that_is_not_finite_names_the_body_and_the_step),
        cmocka_unit_test(a_fast_body_through_a_thin_wall_names_the_wall),
        cmocka_unit_test(a_body_with_too_large_a_displacement_is_found_among_larger_bodies),
        cmocka_unit_test(a_wall_that_moves_through_a_grain_is_found),
        cmocka_unit_test(a_wall_that_does_not_come_closer_to_a_grain_raises_no_alarm),
        cmocka_unit_test(a_changed_velocity_is_checked_in_the_same_step),
        cmocka_unit_test(a_step_that_exceeds_the_limit_later_is_an_alarm_at_the_next_check),
        cmocka_unit_test(a_warning_is_given_once_per_run_and_the_run_continues),
        cmocka_unit_test(an_ignored_alarm_does_not_call_the_function),
        cmocka_unit_test(with_the_policy_warn_a_step_above_the_limit_is_a_warning),
        cmocka_unit_test(an_energy_error_is_reported_if_the_alarm_is_on),
        cmocka_unit_test(a_body_outside_the_cell_is_reported_if_the_alarm_is_on),
        cmocka_unit_test(invalid_limits_and_policies_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
