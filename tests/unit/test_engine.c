// Engines as tables of functions: an engine of this test moves bodies in closed form, a failed start
// changes nothing, and the soft engine continues after another engine. Also: invalid definitions, and
// rounding modes of the caller.

#include "base/memory.h"
#include "support/worlds.h"

#include <fenv.h>
#include <math.h>

// An engine that moves bodies at constant velocity and stores the distance of each in a field of its own.
struct flight {
    double step;
    uint64_t synced, ended;
    uint64_t *ends;
};

struct flight_def {
    double step;
    int fail_begin, fail_advance;
    uint64_t *ends;
};

static struct flight_def last_def;

static double *edit_column(struct scree_world *world, const char *name, size_t *stride)
{
    struct scree_view view;
    void *data;
    assert_ok(scree_field_edit(world, name, &view, &data));
    *stride = view.stride / sizeof(double);
    return (double *)data;
}

static scree_status flight_begin(void *self, struct scree_engine *engine, struct scree_world *world,
                                 const void *def)
{
    const struct flight_def *definition = (const struct flight_def *)def;
    struct flight *flight = (struct flight *)self;
    assert_true(flight->step == 0 && flight->synced == 0);
    assert_ptr_equal(scree_engine_world(engine), world);
    if (definition->fail_begin)
        return scree_engine_set_step(engine, 1);
    last_def = *definition;
    flight->step = definition->step;
    flight->ends = definition->ends;
    struct scree_view view;
    if (scree_field_view(world, "body.flown", &view) == SCREE_OK)
        return SCREE_OK;
    return scree_field_add(world, &(struct scree_field_def){.entity = "body",
                                                            .name = "flown",
                                                            .type = SCREE_F64,
                                                            .width = 1,
                                                            .unit = "m",
                                                            .flags = SCREE_PERSISTED,
                                                            .about = "Distance along x."});
}

static scree_status flight_advance(void *self, struct scree_world *world, uint64_t steps, double until)
{
    const struct flight *flight = (const struct flight *)self;
    for (uint64_t s = 0; s < steps && scree_world_time(world) < until; ++s) {
        size_t position_stride, velocity_stride, flown_stride;
        double *x = edit_column(world, "body.position", &position_stride);
        const double *v = edit_column(world, "body.velocity", &velocity_stride);
        double *flown = edit_column(world, "body.flown", &flown_stride);
        for (size_t i = 0; i < scree_body_count(world); ++i) {
            x[i * position_stride] += flight->step * v[i * velocity_stride];
            flown[i * flown_stride] += flight->step * v[i * velocity_stride];
        }
        const scree_status status = scree_world_advance_time(world, flight->step);
        if (status != SCREE_OK)
            return status;
        if (last_def.fail_advance)
            return scree_body_remove(world, (scree_body_id){4711});
    }
    return SCREE_OK;
}

static scree_status flight_sync(void *self, struct scree_world *world)
{
    (void)world;
    ++((struct flight *)self)->synced;
    return SCREE_OK;
}

static void flight_end(void *self, struct scree_world *world)
{
    (void)world;
    ++*((struct flight *)self)->ends;
}

static const struct scree_engine_ops flight_ops = {.name = "glide",
                                                   .size = sizeof(struct flight),
                                                   .begin = flight_begin,
                                                   .advance = flight_advance,
                                                   .sync = flight_sync,
                                                   .end = flight_end};

static struct scree_world *make_world_with_moving_sphere(scree_body_id *id)
{
    struct scree_world *world = scree_test_empty_world();
    *id = scree_test_sphere(world);
    assert_ok(scree_body_set_velocity(world, *id, (const double[3]){2}));
    return world;
}

static double position_of(const struct scree_world *world, scree_body_id id)
{
    struct scree_body_state body;
    assert_ok(scree_body_get(world, id, &body));
    return body.position[0];
}

static void an_engine_of_the_user_advances_the_world(void **state)
{
    (void)state;
    scree_body_id id;
    struct scree_world *world = make_world_with_moving_sphere(&id);
    struct scree_engine *engine;
    uint64_t ends = 0;
    assert_ok(
        scree_engine_create(world, &flight_ops, &(struct flight_def){.step = 0.25, .ends = &ends}, &engine));
    const struct scree_digest before = scree_test_digest(world);
    assert_ok(scree_engine_run(engine, 4));
    assert_true(position_of(world, id) == 2 && scree_world_time(world) == 1);
    assert_ok(scree_engine_run_until(engine, 1.6));
    assert_true(position_of(world, id) == 3.5 && scree_world_time(world) == 1.75);
    assert_false(scree_test_digests_equal(before, scree_test_digest(world)));
    assert_ok(scree_world_validate(world));
    assert_string_equal(scree_engine_name(engine), "glide");
    scree_engine_destroy(engine);
    assert_int_equal(ends, 1);
    scree_world_destroy(world);
}

static void a_missing_function_is_refused_by_the_name_of_the_engine_and_what_it_lacks(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    struct scree_limit limit;
    struct scree_profile profile;
    uint64_t ends = 0;
    double number;
    assert_ok(
        scree_engine_create(world, &flight_ops, &(struct flight_def){.step = 0.25, .ends = &ends}, &engine));
    const scree_status unsupported = SCREE_ERROR_UNSUPPORTED;
    assert_refused(unsupported, "the engine 'glide' has no time step that can be set",
                   scree_engine_set_step(engine, 1));
    assert_refused(unsupported, "the engine 'glide' has no time step that can be asked for",
                   scree_engine_step(engine, &number));
    assert_refused(unsupported, "the engine 'glide' has no critical time step",
                   scree_engine_limit(engine, &limit));
    assert_refused(unsupported, "the engine 'glide' has no critical time step",
                   scree_engine_limit_at_rest(engine, &number));
    assert_refused(unsupported, "the engine 'glide' has no damping",
                   scree_engine_set_damping(engine, &(struct scree_damping){0}));
    assert_refused(unsupported, "the engine 'glide' has no profile", scree_engine_profile(engine, &profile));
    // and what only the soft engine has
    assert_refused(unsupported, "needs an engine 'soft'; the engine is 'glide'",
                   scree_soft_set_safety(engine, 0.1));
    scree_engine_destroy(engine);
    assert_int_equal(ends, 1);
    scree_world_destroy(world);
}

static void the_built_in_engines_have_names_of_their_own(void **state)
{
    (void)state;
    assert_string_equal(scree_engine_at(0)->name, "soft");
    for (size_t a = 0; scree_engine_at(a); ++a)
        for (size_t b = 0; b < a; ++b)
            assert_string_not_equal(scree_engine_at(a)->name, scree_engine_at(b)->name);
    assert_null(scree_engine_at(SIZE_MAX));
}

static void the_soft_engine_continues_after_another_engine_and_vice_versa(void **state)
{
    (void)state;
    scree_body_id id;
    struct scree_world *world = make_world_with_moving_sphere(&id);
    struct scree_engine *engine;
    uint64_t ends = 0;
    const struct flight_def flight = {.step = 0.25, .ends = &ends};
    const struct scree_test_world soft = {.translation = "leapfrog", .step = 0.125};
    assert_ok(scree_test_world_engine(&soft, world, &engine));
    assert_ok(scree_engine_run(engine, 8));
    scree_engine_destroy(engine);
    assert_ok(scree_engine_create(world, &flight_ops, &flight, &engine));
    assert_ok(scree_engine_run(engine, 4));
    scree_engine_destroy(engine);
    assert_true(position_of(world, id) == 4 && scree_world_time(world) == 2);
    assert_ok(scree_body_set_velocity(world, id, (const double[3]){4}));
    assert_ok(scree_test_world_engine(&soft, world, &engine));
    assert_ok(scree_engine_run(engine, 8));
    // time continues from where the other engine stopped
    assert_true(position_of(world, id) == 8 && scree_world_time(world) == 3);
    scree_engine_destroy(engine);
    assert_ok(scree_engine_create(world, &flight_ops, &flight, &engine));
    assert_ok(scree_engine_run(engine, 4));
    assert_true(position_of(world, id) == 12);
    size_t stride;
    assert_true(edit_column(world, "body.flown", &stride)[0] == 6);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void a_failed_start_leaves_world_and_memory_unchanged(void **state)
{
    (void)state;
    scree_body_id id;
    struct scree_world *world = make_world_with_moving_sphere(&id);
    struct scree_engine *engine = (struct scree_engine *)&engine;
    const struct scree_digest before = scree_test_digest(world);
    const size_t live = scree_memory_live();
    assert_refused(SCREE_ERROR_UNSUPPORTED, "glide",
                   scree_engine_create(world, &flight_ops, &(struct flight_def){.fail_begin = 1}, &engine));
    assert_null(engine);
    assert_int_equal(scree_memory_live(), live);
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    assert_ok(scree_test_world_engine(&(struct scree_test_world){0}, world, &engine));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void the_message_of_a_failed_advance_is_kept(void **state)
{
    (void)state;
    scree_body_id id;
    struct scree_world *world = make_world_with_moving_sphere(&id);
    struct scree_engine *engine;
    uint64_t ends = 0;
    assert_ok(scree_engine_create(
        world, &flight_ops, &(struct flight_def){.step = 1, .fail_advance = 1, .ends = &ends}, &engine));
    assert_refused(SCREE_ERROR_MISSING, "4711", scree_engine_run(engine, 4));
    assert_true(position_of(world, id) == 2);
    assert_refused(SCREE_ERROR_MISSING, "4711", scree_engine_run_until(engine, 100));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void a_world_has_one_engine_at_a_time(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *first, *second = (struct scree_engine *)&second;
    assert_ok(scree_test_world_engine(&(struct scree_test_world){0}, world, &first));
    assert_refused(SCREE_ERROR_STATE, "already",
                   scree_test_world_engine(&(struct scree_test_world){0}, world, &second));
    assert_null(second);
    scree_engine_destroy(first);
    assert_ok(scree_test_world_engine(&(struct scree_test_world){0}, world, &second));
    scree_engine_destroy(second);
    scree_engine_destroy(NULL);
    scree_world_destroy(world);
}

static void a_table_with_a_missing_function_is_refused(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    struct scree_engine_ops ops[5] = {flight_ops, flight_ops, flight_ops, flight_ops, flight_ops};
    ops[0].name = NULL;
    ops[1].begin = NULL;
    ops[2].advance = NULL;
    ops[3].sync = NULL;
    ops[4].end = NULL;
    for (int o = 0; o < 5; ++o)
        assert_refused(SCREE_ERROR_ARGUMENT, "must have", scree_engine_create(world, &ops[o], NULL, &engine));
    assert_refused(SCREE_ERROR_ARGUMENT, "must have", scree_engine_create(world, NULL, NULL, &engine));
    scree_world_destroy(world);
}

static void invalid_definitions_of_a_soft_engine_are_refused_and_named(void **state)
{
    (void)state;
    struct scree_world *world;
    assert_ok(scree_test_world_build(&(struct scree_test_world){.bodies = 6, .loads = true}, &world));
    const struct {
        struct scree_soft_def def;
        const char *word;
    } cases[] = {
        {{0}, "needs a contact law"},
        {{.step = -1}, "positive"},
        {{.step = NOT_A_NUMBER}, "positive"},
        {{.step = INFINITE}, "positive"},
        {{.step = 1, .translation = ""}, "no scheme of translation ''"},
        {{.step = 1, .translation = "splitting"},
         "no scheme of translation 'splitting'; known schemes are velocity-verlet"},
        {{.step = 1, .rotation = "Splitting"},
         "no scheme of rotation 'Splitting'; known schemes are splitting"},
        {{.step = 1, .damping = {.local = 1}}, "local"},
        {{.step = 1, .damping = {.local = NOT_A_NUMBER}}, "local"},
        {{.step = 1, .damping = {.viscous = -1}}, "viscous"},
        {{.step = 1, .threads = -1}, "threads"},
        {{.step = 1, .threads = 1000000000}, "1000000000"},
    };
    const struct scree_digest before = scree_test_digest(world);
    const size_t live = scree_memory_live();
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        struct scree_engine *engine = (struct scree_engine *)&engine;
        assert_refused(SCREE_ERROR_ARGUMENT, cases[c].word, scree_soft_create(world, &cases[c].def, &engine));
        assert_null(engine);
    }
    assert_int_equal(scree_memory_live(), live);
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    struct scree_engine *engine;
    assert_ok(scree_test_world_engine(&(struct scree_test_world){0}, world, &engine));
    assert_refused(SCREE_ERROR_ARGUMENT, "positive", scree_engine_set_step(engine, 0));
    assert_refused(SCREE_ERROR_ARGUMENT, "positive", scree_engine_set_step(engine, NOT_A_NUMBER));
    assert_refused(SCREE_ERROR_ARGUMENT, "local",
                   scree_engine_set_damping(engine, &(struct scree_damping){.local = 2}));
    assert_refused(SCREE_ERROR_ARGUMENT, "finite", scree_engine_run_until(engine, NOT_A_NUMBER));
    assert_refused(SCREE_ERROR_ARGUMENT, "finite", scree_engine_run_until(engine, INFINITE));
    assert_refused(SCREE_ERROR_ARGUMENT, "number", scree_engine_run_within(engine, 1, NOT_A_NUMBER));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void a_scheme_for_spheres_names_the_body_that_it_refuses(void **state)
{
    (void)state;
    struct scree_world *world;
    struct scree_engine *engine;
    assert_ok(scree_test_world_build(&(struct scree_test_world){.bodies = 3}, &world));
    assert_ok(scree_test_world_engine(&(struct scree_test_world){.rotation = "spherical"}, world, &engine));
    const struct scree_digest before = scree_test_digest(world);
    assert_refused(SCREE_ERROR_UNSUPPORTED, "body 2", scree_engine_run(engine, 5));
    assert_int_equal(scree_world_steps(world), 0);
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    assert_ok(scree_body_remove(world, (scree_body_id){2}));
    assert_ok(scree_body_remove(world, (scree_body_id){3}));
    assert_ok(scree_engine_run(engine, 5));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void an_engine_is_refused_if_a_field_of_the_user_has_the_name_of_its_field(void **state)
{
    (void)state;
    static const char *const names[] = {"leap_orientation", "leap_momentum"};
    for (size_t n = 0; n < 2; ++n) {
        struct scree_world *world;
        struct scree_engine *engine;
        assert_ok(scree_test_world_build(&(struct scree_test_world){.bodies = 6}, &world));
        const struct scree_field_def def = {
            .entity = "body", .name = names[n], .type = SCREE_CHAR, .width = 1, .about = "A letter."};
        assert_ok(scree_field_add(world, &def));
        const struct scree_test_world setup = {
            .translation = "leapfrog", .rotation = "pcdm-leapfrog", .damping = {.local = 0.5}};
        assert_refused(SCREE_ERROR_STATE, names[n], scree_test_world_engine(&setup, world, &engine));
        assert_ok(scree_world_validate(world));
        scree_world_destroy(world);
    }
}

static scree_status fail_once(void *user, const struct scree_load_batch *batch)
{
    int *countdown = (int *)user;
    for (size_t i = 0; i < batch->count; ++i)
        batch->force[i][0] += 1;
    return --*countdown == 0 ? SCREE_ERROR_NUMBER : SCREE_OK;
}

static void forces_of_a_failed_evaluation_are_not_added_twice(void **state)
{
    (void)state;
    static const char *const schemes[] = {"splitting", "pcdm", "pcdm-leapfrog"};
    for (int l = 0; l < 3; ++l)
        for (int fail = 1; fail < 8; ++fail) {
            struct scree_world *world = scree_test_empty_world();
            struct scree_engine *engine;
            scree_body_id id;
            scree_load_id load;
            struct scree_body_state body;
            int countdown = fail;
            assert_ok(
                scree_body_add_rigid(world, &(struct scree_rigid_def){.mass = 1, .inertia = {1, 1, 1}}, &id));
            assert_ok(scree_load_add(world, &(struct scree_load_def){.force = {10}}, &load));
            assert_ok(scree_load_add(
                world, &(struct scree_load_def){.function = fail_once, .user = &countdown}, &load));
            assert_ok(scree_test_world_engine(
                &(struct scree_test_world){.rotation = schemes[l], .step = 0.125}, world, &engine));
            assert_refused(SCREE_ERROR_NUMBER, "function of load 2", scree_engine_run(engine, 10));
            assert_ok(scree_world_validate(world));
            assert_true(scree_world_time(world) == (double)scree_world_steps(world) * 0.125);
            assert_ok(scree_engine_run(engine, 1));
            assert_ok(scree_body_get(world, id, &body));
            assert_true(body.force[0] == 11);
            scree_engine_destroy(engine);
            scree_world_destroy(world);
        }
}

struct result {
    struct scree_digest digest;
    struct scree_energy energy;
    struct scree_momentum momentum;
    struct scree_body_state body;
};

// Calls each function that computes, in the given rounding mode.
static struct result run_in_rounding_mode(int rounding)
{
    struct result result;
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_view view;
    void *data;
    scree_material_id material;
    scree_body_id a, b, c;
    assert_int_equal(fesetround(rounding), 0);
    assert_ok(scree_world_create(NULL, &world));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"m", 1234.5}, &material));
    const struct scree_sphere_def sphere = {
        .radius = 0.3, .material = material, .velocity = {0.1, 0.2, 0.3}, .spin = {0.7}};
    const struct scree_rigid_def rigid = {
        .mass = 0.7, .tensor = {0.3, 0.25, 0.2, 0.01, -0.02, 0.03}, .spin = {0.1, 0.7, 0.3}};
    assert_ok(scree_body_add_sphere(world, &sphere, &a));
    assert_ok(scree_body_add_rigid(world, &rigid, &b));
    assert_ok(scree_body_add_sphere(world, &sphere, &c));
    assert_ok(scree_world_set_gravity(world, (const double[3]){0.1, 0.2, -9.81}));
    assert_ok(scree_body_set_position(world, a, (const double[3]){0.7, 0.1, 0.3}));
    assert_ok(scree_body_set_orientation(world, b, (const double[4]){0.1, 0.7, 0.3, 0.9}));
    assert_ok(scree_body_set_spin(world, b, (const double[3]){0.3, 0.9, 0.1}));
    assert_ok(scree_body_add_force(world, b, (const double[3]){0.1, 0.1, 0.1}, (const double[3]){0.7}));
    assert_ok(scree_body_add_force(world, b, (const double[3]){0.2, 0.7, 0.3}, NULL));
    assert_ok(
        scree_soft_create(world, &(struct scree_soft_def){.step = 0.01, .damping = {0.1, 0.3}}, &engine));
    assert_ok(scree_engine_run(engine, 20));
    assert_ok(scree_body_fix(world, b, SCREE_FIX_SPIN_X));
    assert_ok(scree_body_remove(world, c));
    assert_ok(scree_field_edit(world, "body.velocity", &view, &data));
    assert_ok(scree_engine_run(engine, 20));
    assert_ok(scree_energy_get(world, &result.energy));
    assert_ok(scree_energy_momentum(world, &result.momentum));
    assert_ok(scree_body_get(world, a, &result.body));
    result.digest = scree_test_digest(world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    const int after = fegetround();
    fesetround(FE_TONEAREST);
    assert_int_equal(after, rounding);
    return result;
}

static void the_rounding_mode_of_the_caller_has_no_effect_and_is_restored(void **state)
{
    (void)state;
    static const int roundings[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const struct result expected = run_in_rounding_mode(FE_TONEAREST);
    for (int r = 0; r < 3; ++r) {
        const struct result other = run_in_rounding_mode(roundings[r]);
        assert_true(scree_test_digests_equal(expected.digest, other.digest));
        assert_memory_equal(&expected.energy, &other.energy, sizeof other.energy);
        assert_memory_equal(&expected.momentum, &other.momentum, sizeof other.momentum);
        assert_memory_equal(expected.body.inertia, other.body.inertia, sizeof other.body.inertia);
        assert_memory_equal(expected.body.momentum, other.body.momentum, sizeof other.body.momentum);
    }
}

static scree_status add_force_that_is_not_a_number(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i)
        if (batch->id[i].value == 3)
            batch->force[i][1] += batch->time > 0.01 ? NOT_A_NUMBER : 0;
    return SCREE_OK;
}

static void a_result_that_is_not_finite_is_an_error_that_names_the_body(void **state)
{
    (void)state;
    struct scree_world *world;
    struct scree_engine *engine;
    scree_load_id load;
    assert_ok(scree_test_world_build(&(struct scree_test_world){.bodies = 6}, &world));
    assert_ok(
        scree_load_add(world, &(struct scree_load_def){.function = add_force_that_is_not_a_number}, &load));
    assert_ok(scree_test_world_engine(&(struct scree_test_world){0}, world, &engine));
    assert_refused(SCREE_ERROR_NUMBER, "body 3", scree_engine_run(engine, 100));
    assert_refused(SCREE_ERROR_NUMBER, "body 3", scree_world_validate(world));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_engine_of_the_user_advances_the_world),
        cmocka_unit_test(a_missing_function_is_refused_by_the_name_of_the_engine_and_what_it_lacks),
        cmocka_unit_test(the_built_in_engines_have_names_of_their_own),
        cmocka_unit_test(the_soft_engine_continues_after_another_engine_and_vice_versa),
        cmocka_unit_test(a_failed_start_leaves_world_and_memory_unchanged),
        cmocka_unit_test(the_message_of_a_failed_advance_is_kept),
        cmocka_unit_test(a_world_has_one_engine_at_a_time),
        cmocka_unit_test(a_table_with_a_missing_function_is_refused),
        cmocka_unit_test(invalid_definitions_of_a_soft_engine_are_refused_and_named),
        cmocka_unit_test(a_scheme_for_spheres_names_the_body_that_it_refuses),
        cmocka_unit_test(an_engine_is_refused_if_a_field_of_the_user_has_the_name_of_its_field),
        cmocka_unit_test(forces_of_a_failed_evaluation_are_not_added_twice),
        cmocka_unit_test(the_rounding_mode_of_the_caller_has_no_effect_and_is_restored),
        cmocka_unit_test(a_result_that_is_not_finite_is_an_error_that_names_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
