// The limit of the time step: which body has the highest frequency, in which contact or possible impact,
// compared with closed forms.

#include "support/worlds.h"

#include <stdlib.h>

struct run {
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id light, heavy;
};

static const struct scree_interaction_value soft[] = {
    {"friction", 0, NULL}, {"stiffness", 1e4, NULL}, {"stiffness-tangential", 0, NULL}, {"damping", 0, NULL}};
static const struct scree_interaction_value stiff[] = {
    {"friction", 0, NULL}, {"stiffness", 1e6, NULL}, {"stiffness-tangential", 0, NULL}, {"damping", 0, NULL}};

// Contacts between light bodies are soft, all others are stiff.
static struct run create_run(const char *law)
{
    struct run run = {0};
    const struct scree_interaction_value elastic[] = {{"restitution", 1, NULL}};
    assert_ok(scree_world_create(&(struct scree_world_def){0}, &run.world));
    assert_ok(scree_material_add(run.world, &(struct scree_material_def){"light", 100}, &run.light));
    assert_ok(scree_material_add(run.world, &(struct scree_material_def){"heavy", 5000}, &run.heavy));
    for (int m = 0; m < 2; ++m) {
        const scree_material_id id = m == 0 ? run.light : run.heavy;
        assert_ok(scree_material_set(run.world, id, "young", 7e10));
        assert_ok(scree_material_set(run.world, id, "poisson", 0.25));
    }
    if (strcmp(law, "linear") == 0) {
        assert_ok(scree_interaction_add(
            run.world, &(struct scree_interaction_def){
                           .between = {run.light, run.light}, .law = law, .values = soft, .count = 4}));
        assert_ok(scree_interaction_add(
            run.world, &(struct scree_interaction_def){.law = law, .values = stiff, .count = 4}));
    } else {
        assert_ok(scree_interaction_add(
            run.world, &(struct scree_interaction_def){.law = law, .values = elastic, .count = 1}));
    }
    return run;
}

static scree_body_id add_ball(const struct run *run, scree_material_id material, double radius, double x,
                              double speed)
{
    return scree_test_ball(run->world, material, radius, x, speed);
}

static struct scree_limit limit_of(struct run *run, double step)
{
    struct scree_limit limit;
    assert_ok(
        scree_soft_create(run->world, &(struct scree_soft_def){.step = step, .threads = 1}, &run->engine));
    assert_ok(scree_engine_limit(run->engine, &limit));
    if (step == 0 && limit.kind != SCREE_LIMIT_NONE) {
        double chosen;
        assert_ok(scree_engine_step(run->engine, &chosen));
        assert_true(chosen == limit.step);
    }
    scree_engine_destroy(run->engine);
    scree_world_destroy(run->world);
    return limit;
}

static void the_contact_with_the_highest_frequency_is_named(void **state)
{
    (void)state;
    struct run run = create_run("linear");
    // body 3 has a soft contact with body 2 and a stiff one with the heavy body 4; together they are
    // stiffer than the stiffest single impact
    (void)add_ball(&run, run.light, 0.01, 0, 0);
    (void)add_ball(&run, run.light, 0.01, 0.0199, 0);
    const scree_body_id right = add_ball(&run, run.light, 0.01, 0.0398, 0);
    const scree_body_id heavy = add_ball(&run, run.heavy, 0.02, 0.0697, 0);
    const struct scree_limit limit = limit_of(&run, 0);
    assert_int_equal(limit.kind, SCREE_LIMIT_CONTACT);
    assert_int_equal(limit.body[0].value, right.value);
    assert_int_equal(limit.body[1].value, heavy.value);
    assert_true(limit.radius[0] == 0.01 && limit.radius[1] == 0.02 && limit.wall.value == 0);
    assert_int_equal(limit.material[0].value, 1);
    assert_int_equal(limit.material[1].value, 2);
    // w^2 = 2 (k1 + k2) / m
    const double mass = 100 * 4.0 / 3 * 3.14159265358979323846 * 1e-6;
    const double expected = 2 / sqrt(2 * (1e4 + 1e6) / mass);
    // stiffnesses are summed in units of 2^-40 of the stiffest
    assert_true(fabs(limit.stable / expected - 1) < 1e-9);
}

static void a_possible_impact_is_described_by_material_and_size(void **state)
{
    (void)state;
    struct run run = create_run("linear");
    const scree_body_id light = add_ball(&run, run.light, 0.01, 0, 3);
    (void)add_ball(&run, run.light, 0.02, 1, 0);
    (void)add_ball(&run, run.heavy, 0.03, 2, -1);
    const struct scree_limit limit = limit_of(&run, 0);
    assert_int_equal(limit.kind, SCREE_LIMIT_IMPACT);
    assert_int_equal(limit.body[0].value, light.value);
    assert_int_equal(limit.body[1].value, 0);
    assert_int_equal(limit.material[1].value, run.heavy.value);
    assert_true(limit.radius[1] == 0.03 && limit.wall.value == 0 && limit.speed == 4);
}

static void a_wall_that_is_touched_is_named(void **state)
{
    (void)state;
    struct run run = create_run("linear");
    scree_wall_id far, near;
    for (int w = 0; w < 2; ++w)
        assert_ok(scree_wall_add(
            run.world,
            &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                     .material = run.heavy,
                                     .plane = {.point = {w == 0 ? -1 : -0.0099}, .normal = {1}}},
            w == 0 ? &far : &near));
    scree_wall_id wall_below;
    assert_ok(scree_wall_add(run.world,
                             &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                      .material = run.heavy,
                                                      .plane = {.point = {0, -0.01}, .normal = {0, 1}}},
                             &wall_below));
    const scree_body_id ball = add_ball(&run, run.light, 0.01, 0, 0);
    assert_ok(scree_body_set_position(run.world, ball, (const double[3]){0, -1e-4, 0}));
    const struct scree_limit limit = limit_of(&run, 0);
    assert_int_equal(limit.kind, SCREE_LIMIT_CONTACT);
    assert_int_equal(limit.body[0].value, ball.value);
    assert_true(limit.body[1].value == 0 && limit.radius[1] == 0);
    assert_true(limit.wall.value == near.value || limit.wall.value == wall_below.value);
    assert_int_equal(limit.material[1].value, run.heavy.value);
}

static void the_rayleigh_and_displacement_limits_have_their_own_kinds(void **state)
{
    (void)state;
    struct run run = create_run("hertz");
    (void)add_ball(&run, run.light, 0.01, 0, 0);
    (void)add_ball(&run, run.heavy, 0.03, 1, 1e-6);
    struct scree_limit limit = limit_of(&run, 0);
    assert_int_equal(limit.kind, SCREE_LIMIT_WAVE);
    // the Rayleigh time is proportional to sqrt(density) R: shorter for light and small bodies
    assert_int_equal(limit.material[0].value, run.light.value);
    run = create_run("linear");
    (void)add_ball(&run, run.light, 0.01, 0, 1e6);
    (void)add_ball(&run, run.light, 0.01, 1, 1e6);
    limit = limit_of(&run, 0);
    assert_int_equal(limit.kind, SCREE_LIMIT_DISPLACEMENT);
    // a fixed step reports the limit too
    run = create_run("linear");
    (void)add_ball(&run, run.light, 0.01, 0, 1);
    (void)add_ball(&run, run.light, 0.01, 1, 0);
    limit = limit_of(&run, 1e-9);
    assert_int_equal(limit.kind, SCREE_LIMIT_IMPACT);
}

static void bodies_without_contacts_have_no_limit(void **state)
{
    (void)state;
    struct run run = {0};
    assert_ok(scree_world_create(&(struct scree_world_def){0}, &run.world));
    assert_ok(scree_material_add(run.world, &(struct scree_material_def){"light", 100}, &run.light));
    (void)add_ball(&run, run.light, 0.01, 0, 1);
    const struct scree_limit limit = limit_of(&run, 1e-3);
    assert_int_equal(limit.kind, SCREE_LIMIT_NONE);
    assert_true(limit.stable == INFINITE && limit.step == 0 && limit.body[0].value == 0);
}

// At rest and without contacts, only the stiffness of a single impact limits the step. Contacts and motion
// shorten it.
static void bodies_at_rest_and_apart_have_the_longest_step(void **state)
{
    (void)state;
    struct run run = create_run("linear");
    struct scree_limit limit;
    double limit_at_rest[2];
    const scree_body_id light = add_ball(&run, run.light, 0.01, 0, 3);
    (void)add_ball(&run, run.light, 0.01, 0.0199, 0);
    assert_ok(scree_soft_create(run.world, &(struct scree_soft_def){.threads = 1}, &run.engine));
    assert_ok(scree_engine_limit_at_rest(run.engine, &limit_at_rest[0]));
    const double mass = 100 * 4.0 / 3 * 3.14159265358979323846 * 1e-6;
    assert_true(fabs(limit_at_rest[0] / (2 / sqrt(2 * 1e4 / mass)) - 1) < 1e-12);
    // a body between two others is on two springs
    (void)add_ball(&run, run.light, 0.01, -0.0199, 0);
    assert_ok(scree_engine_limit_at_rest(run.engine, &limit_at_rest[1]));
    assert_ok(scree_engine_limit(run.engine, &limit));
    assert_true(limit_at_rest[1] == limit_at_rest[0]);
    assert_true(fabs(limit.stable / limit_at_rest[0] - sqrt(0.5)) < 1e-9);
    // a third, stiffer material limits the step wherever it is
    (void)add_ball(&run, run.heavy, 0.02, 5, 0);
    assert_ok(scree_engine_limit_at_rest(run.engine, &limit_at_rest[1]));
    assert_true(fabs(limit_at_rest[1] / (2 / sqrt(2 * 1e6 / mass)) - 1) < 1e-12);
    assert_true(scree_body_exists(run.world, light));
    scree_engine_destroy(run.engine);
    scree_world_destroy(run.world);
    // a Hertzian contact begins soft: the impact velocity sets the limit
    run = create_run("hertz");
    (void)add_ball(&run, run.light, 0.01, 0, 3);
    (void)add_ball(&run, run.light, 0.01, 1, 0);
    assert_ok(
        scree_soft_create(run.world, &(struct scree_soft_def){.step = 1e-9, .threads = 1}, &run.engine));
    assert_ok(scree_engine_limit_at_rest(run.engine, &limit_at_rest[0]));
    assert_ok(scree_engine_limit(run.engine, &limit));
    assert_true(limit_at_rest[0] > 3 * limit.stable);
    scree_engine_destroy(run.engine);
    scree_world_destroy(run.world);
}

static void querying_the_limit_changes_no_bit(void **state)
{
    (void)state;
    struct scree_digest digest[2];
    for (int queried = 0; queried < 2; ++queried) {
        struct run run = create_run("linear");
        struct scree_limit limit;
        double limit_at_rest;
        (void)add_ball(&run, run.light, 0.01, 0, 1);
        (void)add_ball(&run, run.light, 0.01, 0.05, 0);
        (void)add_ball(&run, run.heavy, 0.01, 0.08, 0);
        assert_ok(scree_soft_create(run.world, &(struct scree_soft_def){.threads = 1}, &run.engine));
        for (int repeat = 0; repeat < 10; ++repeat) {
            assert_ok(scree_engine_run(run.engine, 97));
            // the next run still adapts its step to edits
            if (repeat == 1 || repeat == 4)
                (void)add_ball(&run, repeat == 4 ? run.heavy : run.light, 0.01 / repeat, 0.1 * repeat, -1);
            if (repeat == 7)
                assert_ok(
                    scree_body_set_velocity(run.world, (scree_body_id){1}, (const double[3]){0, 1e4, 0}));
            if (queried && repeat != 4)
                assert_ok(scree_engine_limit(run.engine, &limit));
            if (queried && repeat != 1)
                assert_ok(scree_engine_limit_at_rest(run.engine, &limit_at_rest));
        }
        assert_ok(scree_world_digest(run.world, &digest[queried]));
        scree_engine_destroy(run.engine);
        scree_world_destroy(run.world);
    }
    assert_true(digest[0].low == digest[1].low && digest[0].high == digest[1].high);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_contact_with_the_highest_frequency_is_named),
        cmocka_unit_test(a_possible_impact_is_described_by_material_and_size),
        cmocka_unit_test(a_wall_that_is_touched_is_named),
        cmocka_unit_test(the_rayleigh_and_displacement_limits_have_their_own_kinds),
        cmocka_unit_test(bodies_without_contacts_have_no_limit),
        cmocka_unit_test(bodies_at_rest_and_apart_have_the_longest_step),
        cmocka_unit_test(querying_the_limit_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
