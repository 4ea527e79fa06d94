// The critical and the automatic time step: compared with closed forms (docs/theory/time-step.md), equal
// for equal states, and refusals of steps above the limit.

#include "engine/engine.h"
#include "engine/soft.h"
#include "support/worlds.h"

#include <scree/cell.h>
#include <scree/interaction.h>
#include <scree/soft.h>
#include <scree/wall.h>

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

struct run {
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
};

static struct run create_run(const char *law, const struct scree_interaction_value *values, size_t count)
{
    struct run run = {0};
    assert_ok(scree_world_create(&(struct scree_world_def){0}, &run.world));
    assert_ok(scree_material_add(run.world, &(struct scree_material_def){"glass", 2500}, &run.material));
    assert_ok(scree_interaction_add(
        run.world, &(struct scree_interaction_def){.law = law, .values = values, .count = count}));
    return run;
}

static void destroy_run(struct run *run)
{
    scree_engine_destroy(run->engine);
    scree_world_destroy(run->world);
}

static scree_body_id add_ball(const struct run *run, double radius, double x, double speed)
{
    return scree_test_ball(run->world, run->material, radius, x, speed);
}

static void create_engine(struct run *run, double step, double safety)
{
    assert_ok(scree_soft_create(
        run->world, &(struct scree_soft_def){.step = step, .safety = safety, .threads = 1}, &run->engine));
}

static double step_of(const struct run *run)
{
    double step;
    assert_ok(scree_engine_step(run->engine, &step));
    return step;
}

// Steps are rounded down to sixteenths of a power of two, so by less than a sixteenth.
static void assert_just_below(double got, double expected)
{
    if (!(got <= expected * (1 + 1e-12) && got > expected * 15 / 16))
        fail_msg("got %g, expected a value just below %g", got, expected);
}

static double mass_of(double radius)
{
    return 2500 * 4.0 / 3 * pi * radius * radius * radius;
}

static const struct scree_interaction_value springs[] = {
    {"friction", 0, NULL}, {"stiffness", 1e5, NULL}, {"stiffness-tangential", 0, NULL}, {"damping", 0, NULL}};

static void the_limit_of_two_balls_follows_from_the_frequency_of_their_contact(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; ++apart) {
        struct run run = create_run("linear", springs, 4);
        (void)add_ball(&run, 0.01, 0, 0);
        (void)add_ball(&run, 0.01, apart ? 1 : 0.0199, 0);
        create_engine(&run, 0, 0);
        assert_just_below(step_of(&run), SCREE_SOFT_SAFETY * 2 / sqrt(2 * 1e5 / mass_of(0.01)));
        destroy_run(&run);
    }
}

static void a_dashpot_shortens_the_step_as_derived_for_predicted_velocities(void **state)
{
    (void)state;
    const double frequency = sqrt(2 * 1e5 / mass_of(0.01)), ratio = 0.7;
    struct scree_interaction_value damped[4];
    memcpy(damped, springs, sizeof damped);
    // c = 2 z w m*
    damped[3].number = 2 * ratio * frequency * mass_of(0.01) / 2;
    struct run run = create_run("linear", damped, 4);
    (void)add_ball(&run, 0.01, 0, 1);
    (void)add_ball(&run, 0.01, 0.0199, -1);
    create_engine(&run, 0, 0);
    assert_just_below(step_of(&run),
                      SCREE_SOFT_SAFETY * 2 * (sqrt(1 + 4 * ratio * ratio) - 2 * ratio) / frequency);
    destroy_run(&run);
}

// Frequency of a Hertzian impact at its largest overlap, docs/theory/time-step.md.
static double impact_frequency(double modulus, double radius, double mass, double speed)
{
    const double k = 4.0 / 3 * modulus * sqrt(radius);
    const double depth = pow(5 * mass * speed * speed / (4 * k), 0.4);
    return sqrt(1.5 * k * sqrt(depth) / mass);
}

static void a_ball_approaching_a_wall_has_the_limit_of_the_coming_impact(void **state)
{
    (void)state;
    const struct scree_interaction_value elastic[] = {{"restitution", 1, NULL}};
    struct run run = create_run("hertz", elastic, 1);
    scree_wall_id wall;
    assert_ok(scree_material_set(run.world, run.material, "young", 1e8));
    assert_ok(scree_material_set(run.world, run.material, "poisson", 0.25));
    assert_ok(scree_wall_add(run.world,
                             &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                      .material = run.material,
                                                      .plane = {.point = {-1}, .normal = {1}}},
                             &wall));
    (void)add_ball(&run, 0.01, 0, -3);
    create_engine(&run, 0, 0);
    const double modulus = 1e8 / (2 * (1 - 0.25 * 0.25));
    assert_just_below(step_of(&run),
                      SCREE_SOFT_SAFETY * 2 / impact_frequency(modulus, 0.01, mass_of(0.01), 3));
    // only the relative velocity counts: the wall moves along
    assert_ok(scree_wall_set_velocity(run.world, wall, (const double[3]){-3}));
    assert_true(step_of(&run) > SCREE_SOFT_SAFETY * 2 / impact_frequency(modulus, 0.01, mass_of(0.01), 1));
    destroy_run(&run);
}

static void slow_stiff_bodies_are_limited_by_the_rayleigh_time(void **state)
{
    (void)state;
    const struct scree_interaction_value elastic[] = {{"restitution", 1, NULL}};
    struct run run = create_run("hertz", elastic, 1);
    assert_ok(scree_material_set(run.world, run.material, "young", 7e10));
    assert_ok(scree_material_set(run.world, run.material, "poisson", 0.25));
    (void)add_ball(&run, 0.01, 0, 0);
    (void)add_ball(&run, 0.03, 1, 1e-6);
    create_engine(&run, 0, 0);
    const double shear = 7e10 / 2.5, time = pi * 0.01 * sqrt(2500 / shear) / (0.1631 * 0.25 + 0.8766);
    // twice the Rayleigh time is the limit
    assert_just_below(step_of(&run), SCREE_SOFT_SAFETY * 2 * time);
    destroy_run(&run);
}

static void a_step_above_the_limit_is_refused_with_a_stable_suggestion(void **state)
{
    (void)state;
    struct run run = create_run("linear", springs, 4);
    (void)add_ball(&run, 0.01, 0, 0);
    (void)add_ball(&run, 0.01, 0.0199, 0);
    const double limit = 2 / sqrt(2 * 1e5 / mass_of(0.01));
    create_engine(&run, 1.01 * limit, 0);
    assert_refused(SCREE_ERROR_ARGUMENT, "longer than", scree_engine_run(run.engine, 10));
    // and again, since the limit is unchanged
    assert_refused(SCREE_ERROR_ARGUMENT, "longer than", scree_engine_run(run.engine, 10));
    assert_int_equal(scree_world_steps(run.world), 0);
    const char *suggestion = strstr(scree_status_message(), "use one of ");
    assert_non_null(suggestion);
    const double step = strtod(suggestion + strlen("use one of "), NULL);
    assert_true(step > 15.0 / 16 * SCREE_SOFT_SAFETY * limit && step <= SCREE_SOFT_SAFETY * limit);
    assert_ok(scree_engine_set_step(run.engine, step));
    assert_ok(scree_engine_run(run.engine, 10));
    // a run of zero steps is not refused
    assert_ok(scree_engine_set_step(run.engine, 2 * limit));
    assert_ok(scree_engine_run(run.engine, 0));
    assert_ok(scree_engine_set_step(run.engine, 0.99 * limit));
    assert_ok(scree_engine_run(run.engine, 10));
    destroy_run(&run);
}

static void invalid_step_settings_and_a_world_without_any_limit_are_refused(void **state)
{
    (void)state;
    struct scree_engine *engine;
    struct run run = create_run("linear", springs, 4);
    assert_refused(SCREE_ERROR_ARGUMENT, "safety",
                   scree_soft_create(run.world, &(struct scree_soft_def){.safety = 1.5}, &engine));
    assert_refused(SCREE_ERROR_ARGUMENT, "safety",
                   scree_soft_create(run.world, &(struct scree_soft_def){.safety = NOT_A_NUMBER}, &engine));
    assert_refused(SCREE_ERROR_ARGUMENT, "must be from 1e-9 to 1, or 0 for the default; got -1",
                   scree_soft_create(run.world, &(struct scree_soft_def){.safety = -1}, &engine));
    assert_refused(SCREE_ERROR_ARGUMENT, "positive",
                   scree_soft_create(run.world, &(struct scree_soft_def){.step = -1}, &engine));
    assert_refused(SCREE_ERROR_ARGUMENT, "at most 1e150 s; got inf",
                   scree_soft_create(run.world, &(struct scree_soft_def){.step = INFINITE}, &engine));
    create_engine(&run, 0, 0);
    assert_refused(SCREE_ERROR_STATE, "no body", scree_engine_run(run.engine, 1));
    (void)add_ball(&run, 0.01, 0, 0);
    (void)add_ball(&run, 0.01, 1, 0);
    assert_ok(scree_engine_run(run.engine, 1));
    const double step = step_of(&run);
    // when all bodies are removed, the last step stays
    assert_ok(scree_body_remove(run.world, (scree_body_id){1}));
    assert_ok(scree_body_remove(run.world, (scree_body_id){2}));
    assert_true(step_of(&run) == step);
    assert_ok(scree_engine_run(run.engine, 1));
    destroy_run(&run);
    run.engine = NULL;
    assert_ok(scree_world_create(&(struct scree_world_def){0}, &run.world));
    assert_refused(SCREE_ERROR_ARGUMENT, "needs a contact law",
                   scree_soft_create(run.world, &(struct scree_soft_def){0}, &engine));
    destroy_run(&run);
}

// A gas of bodies of two sizes in a periodic cell over a floor, in which the automatic step changes often.
static struct run create_gas(void)
{
    const struct scree_interaction_value values[] = {{"friction", 0.4, NULL}, {"restitution", 0.7, NULL}};
    struct run run = create_run("hertz-mindlin", values, 2);
    scree_wall_id wall;
    uint64_t seed = 5;
    assert_ok(scree_world_set_gravity(run.world, (const double[3]){0, 0, -50}));
    assert_ok(scree_material_set(run.world, run.material, "young", 1e8));
    assert_ok(scree_material_set(run.world, run.material, "poisson", 0.25));
    assert_ok(
        scree_cell_set(run.world, &(struct scree_cell_def){{0, 0, 0}, {0.2, 0.2, 1}, {true, true, false}}));
    assert_ok(scree_wall_add(run.world,
                             &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                      .material = run.material,
                                                      .plane = {.normal = {0, 0, 1}}},
                             &wall));
    for (int n = 0; n < 300; ++n) {
        scree_body_id id;
        struct scree_sphere_def def = {.radius = n % 7 == 0 ? 0.012 : 0.006, .material = run.material};
        def.position[0] = 0.025 * (n % 8) + 0.001 * splitmix_signed(&seed);
        def.position[1] = 0.025 * (n / 8 % 8);
        def.position[2] = 0.02 + 0.025 * (n / 64);
        for (int k = 0; k < 3; ++k)
            def.velocity[k] = splitmix_signed(&seed);
        assert_ok(scree_body_add_sphere(run.world, &def, &id));
    }
    return run;
}

static scree_status do_nothing(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine, (void)world, (void)user;
    return SCREE_OK;
}

struct variant {
    int threads;
    double skin;
    unsigned sort_every;
    uint64_t steps_per_run; // 0 for one run
    bool new_engine;        // a new engine for each run
    bool observed;          // with a callback in each step
};

static struct scree_digest run_gas(const struct variant *variant, double *step)
{
    struct run run = create_gas();
    struct scree_digest digest;
    const uint64_t steps = 700, steps_per_run = variant->steps_per_run ? variant->steps_per_run : steps;
    for (uint64_t done = 0; done < steps; done += steps_per_run) {
        if (!run.engine) {
            assert_ok(scree_soft_create(run.world, &(struct scree_soft_def){.threads = variant->threads},
                                        &run.engine));
            struct scree_soft *soft = (struct scree_soft *)run.engine->self;
            soft->collider.search.prescribed_skin = variant->skin;
            soft->collider.search.sort_every = variant->sort_every;
            if (variant->observed)
                assert_ok(scree_engine_set_callback(run.engine, SCREE_POINT_RECORD, do_nothing, NULL, NULL));
        }
        assert_ok(scree_engine_run(run.engine, steps - done < steps_per_run ? steps - done : steps_per_run));
        *step = step_of(&run);
        if (variant->new_engine) {
            scree_engine_destroy(run.engine);
            run.engine = NULL;
        }
    }
    assert_ok(scree_world_digest(run.world, &digest));
    destroy_run(&run);
    return digest;
}

static void the_automatic_step_does_not_depend_on_threads_skin_order_and_runs(void **state)
{
    (void)state;
    static const struct variant variants[] = {
        {.threads = 1},
        {.threads = 2},
        {.threads = 3},
        {.threads = 1, .skin = 0.01},
        {.threads = 1, .skin = 0.5, .sort_every = 1},
        {.threads = 1, .steps_per_run = 64},
        {.threads = 2, .steps_per_run = 37},
        {.threads = 1, .steps_per_run = 50, .new_engine = true},
        {.threads = 1, .observed = true},
    };
    double first, step;
    const struct scree_digest digest = run_gas(&variants[0], &first);
    for (size_t v = 1; v < sizeof variants / sizeof variants[0]; ++v) {
        if (!scree_test_digests_equal(digest, run_gas(&variants[v], &step)))
            fail_msg("variant %zu differs", v);
        assert_true(step == first);
    }
}

struct steps {
    uint64_t changes, at_other_steps;
    double last;
};

static scree_status record_step(struct scree_engine *engine, struct scree_world *world, void *user)
{
    struct steps *steps = (struct steps *)user;
    double step;
    assert_ok(scree_engine_step(engine, &step));
    if (steps->last > 0 && step != steps->last) {
        ++steps->changes;
        // the step that ends with number n began with n - 1
        steps->at_other_steps += (scree_world_steps(world) - 1) % 64 != 0;
    }
    steps->last = step;
    return SCREE_OK;
}

static void the_automatic_step_changes_only_after_multiples_of_64_steps(void **state)
{
    (void)state;
    struct run run = create_gas();
    struct steps steps = {0};
    create_engine(&run, 0, 0);
    assert_ok(scree_engine_set_callback(run.engine, SCREE_POINT_RECORD, record_step, &steps, NULL));
    assert_ok(scree_engine_run(run.engine, 3000));
    assert_true(steps.changes > 2);
    assert_int_equal(steps.at_other_steps, 0);
    destroy_run(&run);
}

static void an_edit_updates_the_automatic_step(void **state)
{
    (void)state;
    struct run run = create_run("linear", springs, 4);
    (void)add_ball(&run, 0.01, 0, 0);
    (void)add_ball(&run, 0.01, 1, 0);
    create_engine(&run, 0, 0);
    assert_ok(scree_engine_run(run.engine, 10));
    const double step = step_of(&run);
    (void)add_ball(&run, 0.001, 0.5, 0);
    // a thousandth of the mass
    assert_just_below(step_of(&run), SCREE_SOFT_SAFETY * 2 / sqrt(2 * 1e5 / mass_of(0.001)));
    assert_true(step_of(&run) < step / 20);
    assert_ok(scree_engine_run(run.engine, 1));
    assert_true(scree_world_time(run.world) < 10.1 * step);
    destroy_run(&run);
}

static void a_fixed_body_does_not_limit_the_step(void **state)
{
    (void)state;
    struct run run = create_run("linear", springs, 4);
    scree_body_id id;
    (void)add_ball(&run, 0.01, 0, 0);
    assert_ok(scree_body_add_sphere(
        run.world,
        &(struct scree_sphere_def){
            .radius = 0.001, .material = run.material, .position = {0.0109}, .fixed = SCREE_FIX_ALL},
        &id));
    create_engine(&run, 0, 0);
    // its partner has the frequency of a contact with a wall
    assert_just_below(step_of(&run), SCREE_SOFT_SAFETY * 2 / sqrt(2 * 1e5 / mass_of(0.01)));
    destroy_run(&run);
}

// Two balls with fixed translation roll on each other like gear wheels: I w' = -k_t R^2 (w + w) each, so that
// w^2 = 2 k_t R^2 / I = 5 k_t / m.
static void a_body_that_can_only_rotate_limits_the_step_by_its_rotation(void **state)
{
    (void)state;
    static const struct scree_interaction_value rolling[] = {{"friction", 0.5, NULL},
                                                             {"stiffness", 1e5, NULL},
                                                             {"stiffness-tangential", 1e3, NULL},
                                                             {"damping", 0, NULL}};
    struct run run = create_run("linear", rolling, 4);
    scree_body_id id;
    for (int side = 0; side < 2; ++side)
        assert_ok(scree_body_add_sphere(run.world,
                                        &(struct scree_sphere_def){.radius = 0.01,
                                                                   .material = run.material,
                                                                   .position = {0.0199 * side},
                                                                   .fixed = SCREE_FIX_POSITION},
                                        &id));
    create_engine(&run, 0, 0);
    // lever arms are shorter than the radii by 1/200, and the coming impact uses the radius
    assert_just_below(step_of(&run), SCREE_SOFT_SAFETY * 2 / sqrt(5 * 1e3 / mass_of(0.01)));
    assert_ok(scree_engine_run(run.engine, 10));
    destroy_run(&run);
}

// The displacement alarm stops a run if a body moves half its radius in a step; the automatic step allows
// half of that, or half of a given limit.
static void the_automatic_step_raises_no_displacement_alarm(void **state)
{
    (void)state;
    static const struct scree_interaction_value soft[] = {{"friction", 0, NULL},
                                                          {"stiffness", 1, NULL},
                                                          {"stiffness-tangential", 0, NULL},
                                                          {"damping", 0, NULL}};
    for (int wall = 0; wall < 2; ++wall)
        for (int limited = 0; limited < 2; ++limited) {
            struct run run = create_run("linear", soft, 4);
            scree_wall_id id;
            (void)add_ball(&run, 0.01, 0, wall ? 0 : 3000);
            (void)add_ball(&run, 0.02, 10, 0);
            const struct scree_wall_def plane = {.shape = SCREE_WALL_PLANE,
                                                 .material = run.material,
                                                 .plane = {{-1000, 0, 0}, {1, 0, 0}},
                                                 .velocity = {3000}};
            if (wall)
                assert_ok(scree_wall_add(run.world, &plane, &id));
            assert_ok(scree_soft_create(
                run.world,
                &(struct scree_soft_def){.threads = 1, .alarms = {.displacement = limited ? 0.01 : 0}},
                &run.engine));
            assert_just_below(step_of(&run), 0.5 * (limited ? 0.01 : 0.5) * 0.01 / 3000);
            assert_ok(scree_engine_run(run.engine, 100));
            destroy_run(&run);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_of_two_balls_follows_from_the_frequency_of_their_contact),
        cmocka_unit_test(a_dashpot_shortens_the_step_as_derived_for_predicted_velocities),
        cmocka_unit_test(a_ball_approaching_a_wall_has_the_limit_of_the_coming_impact),
        cmocka_unit_test(slow_stiff_bodies_are_limited_by_the_rayleigh_time),
        cmocka_unit_test(a_step_above_the_limit_is_refused_with_a_stable_suggestion),
        cmocka_unit_test(invalid_step_settings_and_a_world_without_any_limit_are_refused),
        cmocka_unit_test(the_automatic_step_does_not_depend_on_threads_skin_order_and_runs),
        cmocka_unit_test(the_automatic_step_changes_only_after_multiples_of_64_steps),
        cmocka_unit_test(an_edit_updates_the_automatic_step),
        cmocka_unit_test(a_fixed_body_does_not_limit_the_step),
        cmocka_unit_test(a_body_that_can_only_rotate_limits_the_step_by_its_rotation),
        cmocka_unit_test(the_automatic_step_raises_no_displacement_alarm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
