// Time levels of velocities: what views and states report at each point of a step, and on-step values
// within a step, which equal those after the run bit for bit. Reference: motion under a constant
// acceleration and one step with drag, by hand.

#include "support/worlds.h"

enum { POINTS = 100 };

// Body 1 is a sphere, body 2 a general rigid body, body 3 one with a fixed component of spin.
static struct scree_world *make_three_bodies(void)
{
    struct scree_world *world = scree_test_empty_world();
    scree_body_id id = scree_test_sphere(world);
    struct scree_rigid_def def = {
        .mass = 1, .inertia = {1, 1.5, 2}, .velocity = {1, 2, 3}, .spin = {3, 2, 1}};
    assert_ok(scree_body_add_rigid(world, &def, &id));
    def.fixed = SCREE_FIX_SPIN_X;
    assert_ok(scree_body_add_rigid(world, &def, &id));
    scree_load_id load;
    assert_ok(
        scree_load_add(world, &(struct scree_load_def){.force = {1, 2, 3}, .moment = {1, 0, 1}}, &load));
    return world;
}

struct expectation {
    int point;
    bool mid_step_velocity, mid_step_momentum; // whether the schemes leave mid-step velocities
    unsigned calls;
};

static scree_status check_levels(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    struct expectation *expected = (struct expectation *)user;
    // the initial state is evaluated before anything moves
    const bool moving =
        expected->point >= 10 && ++expected->calls > (expected->point >= 30 && expected->point < 70 ? 1 : 0);
    const scree_level velocity = moving && expected->mid_step_velocity ? SCREE_MID_STEP : SCREE_ON_STEP;
    const scree_level momentum = moving && expected->mid_step_momentum ? SCREE_MID_STEP : SCREE_ON_STEP;
    const scree_level spin = moving ? SCREE_MID_STEP : SCREE_ON_STEP;
    struct scree_body_state body;
    struct scree_view view;
    assert_int_equal(scree_world_level(world), velocity);
    assert_ok(scree_field_view(world, "body.velocity", &view));
    assert_int_equal(view.level, velocity);
    assert_ok(scree_field_view(world, "body.position", &view));
    assert_int_equal(view.level, SCREE_ON_STEP);
    assert_ok(scree_field_view(world, "body.momentum", &view));
    assert_int_equal(view.level, momentum);
    assert_ok(scree_body_get(world, (scree_body_id){1}, &body));
    assert_int_equal(body.velocity_level, velocity);
    assert_int_equal(body.spin_level, spin);
    assert_ok(scree_body_get(world, (scree_body_id){2}, &body));
    assert_int_equal(body.velocity_level, velocity);
    assert_int_equal(body.spin_level, momentum);
    assert_ok(scree_body_get(world, (scree_body_id){3}, &body));
    assert_int_equal(body.spin_level, spin);
    const scree_status on_step = scree_body_get_on_step(world, (scree_body_id){2}, &body);
    if (moving && expected->point < 60)
        assert_refused(SCREE_ERROR_STATE, "between points 10 and 60", on_step);
    else
        assert_ok(on_step);
    return SCREE_OK;
}

static void velocities_are_on_step_at_point_0_and_at_the_level_of_the_scheme_from_point_10(void **state)
{
    (void)state;
    struct scree_test_world setup = {0};
    for (size_t t = 0; (setup.translation = scree_motion_name(SCREE_TRANSLATION, t)); ++t)
        for (size_t r = 0; (setup.rotation = scree_motion_name(SCREE_ROTATION, r)); ++r) {
            if (strcmp(setup.rotation, "spherical") == 0)
                continue;
            struct scree_world *world = make_three_bodies();
            struct scree_engine *engine;
            struct expectation expected[POINTS];
            assert_ok(scree_test_world_engine(&setup, world, &engine));
            for (int p = 0; p < POINTS; ++p) {
                expected[p] = (struct expectation){p, strncmp(setup.translation, "euler", 5) != 0,
                                                   strcmp(setup.rotation, "pcdm") != 0, 0};
                assert_ok(scree_engine_set_callback(engine, p, check_levels, &expected[p], NULL));
            }
            assert_ok(scree_engine_run(engine, 3));
            assert_int_equal(scree_world_level(world), SCREE_ON_STEP);
            scree_engine_destroy(engine);
            scree_world_destroy(world);
        }
}

// --- on-step values inside a step

enum { BODIES = 40 };

struct snapshot {
    struct scree_body_state body[BODIES + 1];
    struct scree_energy energy;
    struct scree_momentum momentum;
};

static void take_snapshot(struct scree_world *world, struct snapshot *snapshot)
{
    memset(snapshot, 0, sizeof *snapshot);
    for (uint64_t id = 1; id <= BODIES; ++id)
        assert_ok(scree_body_get_on_step(world, (scree_body_id){id}, &snapshot->body[id]));
    assert_ok(scree_energy_get(world, &snapshot->energy));
    assert_ok(scree_energy_momentum(world, &snapshot->momentum));
}

static scree_status take_snapshot_in_step(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    if (scree_world_steps(world) > 0)
        take_snapshot(world, (struct snapshot *)user);
    return SCREE_OK;
}

static void assert_same_motion(const struct scree_body_state *a, const struct scree_body_state *b)
{
    scree_test_same_motion(a, b);
    assert_memory_equal(a->force, b->force, sizeof a->force);
    assert_int_equal(a->velocity_level, SCREE_ON_STEP);
    assert_int_equal(a->spin_level, SCREE_ON_STEP);
}

static void on_step_values_within_a_step_equal_those_after_the_run(void **state)
{
    (void)state;
    struct scree_test_world setup = {.bodies = BODIES,
                                     .damping = {0.1, 0.2},
                                     .own_damping = true,
                                     .loads = true,
                                     .fixed = true,
                                     .oriented = true};
    static struct snapshot inside[3], after;
    static const int points[] = {60, 65, 70};
    for (size_t t = 0; (setup.translation = scree_motion_name(SCREE_TRANSLATION, t)); ++t)
        for (size_t r = 0; (setup.rotation = scree_motion_name(SCREE_ROTATION, r)); ++r) {
            struct scree_world *world;
            struct scree_engine *engine;
            setup.spheres_only = strcmp(setup.rotation, "spherical") == 0;
            assert_ok(scree_test_world_build(&setup, &world));
            assert_ok(scree_test_world_engine(&setup, world, &engine));
            for (int p = 0; p < 3; ++p)
                assert_ok(
                    scree_engine_set_callback(engine, points[p], take_snapshot_in_step, &inside[p], NULL));
            assert_ok(scree_engine_run(engine, 7));
            take_snapshot(world, &after);
            for (int p = 0; p < 3; ++p) {
                for (int id = 1; id <= BODIES; ++id)
                    assert_same_motion(&inside[p].body[id], &after.body[id]);
                assert_memory_equal(&inside[p].energy, &after.energy, sizeof after.energy);
                assert_memory_equal(&inside[p].momentum, &after.momentum, sizeof after.momentum);
            }
            scree_engine_destroy(engine);
            scree_world_destroy(world);
        }
}

static void plain_and_on_step_states_agree_between_steps(void **state)
{
    (void)state;
    struct scree_world *world = make_three_bodies();
    struct scree_engine *engine;
    struct scree_body_state plain, on_step;
    assert_ok(scree_test_world_engine(
        &(struct scree_test_world){.translation = "leapfrog", .rotation = "fincham"}, world, &engine));
    assert_ok(scree_engine_run(engine, 5));
    for (uint64_t id = 1; id <= 3; ++id) {
        assert_ok(scree_body_get(world, (scree_body_id){id}, &plain));
        assert_ok(scree_body_get_on_step(world, (scree_body_id){id}, &on_step));
        assert_same_motion(&plain, &on_step);
    }
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// --- stored velocities of the schemes

// Velocities at the begin of the last step and within it, under a constant acceleration from rest.
struct levels {
    double begin, mid;
};

static scree_status read_velocity(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    struct scree_body_state body;
    assert_ok(scree_body_get(world, (scree_body_id){1}, &body));
    *(double *)user = body.velocity[0];
    return SCREE_OK;
}

// `stored` is the mid-step velocity that the scheme stores between steps, or -1 without one.
static struct levels run_accelerated(const char *scheme, uint64_t steps, double *stored)
{
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    struct levels levels = {-1, -1};
    (void)scree_test_sphere(world);
    assert_ok(scree_world_set_gravity(world, (const double[3]){8}));
    assert_ok(scree_test_world_engine(&(struct scree_test_world){.translation = scheme, .step = 0.125}, world,
                                      &engine));
    assert_ok(scree_engine_set_callback(engine, 0, read_velocity, &levels.begin, NULL));
    assert_ok(scree_engine_set_callback(engine, 20, read_velocity, &levels.mid, NULL));
    assert_ok(scree_engine_run(engine, steps));
    struct scree_view view;
    *stored = -1;
    if (scree_field_view(world, "body.half_velocity", &view) == SCREE_OK)
        *stored = *(const double *)view.base;
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return levels;
}

static void only_leapfrog_schemes_store_a_mid_step_velocity_between_steps(void **state)
{
    (void)state;
    double stored;
    // after 3 steps of 1 m/s each: on-step 2 at the start of the third, mid-step 2.5 within it
    struct levels levels = run_accelerated("velocity-verlet", 3, &stored);
    assert_true(levels.begin == 2 && levels.mid == 2.5 && stored == -1);
    levels = run_accelerated("leapfrog", 3, &stored);
    assert_true(levels.begin == 2 && levels.mid == 2.5 && stored == 2.5);
    levels = run_accelerated("central-difference", 3, &stored);
    assert_true(levels.begin == 2 && levels.mid == 2.5 && stored == 2.5);
    levels = run_accelerated("euler", 3, &stored);
    assert_true(levels.begin == 2 && levels.mid == 3 && stored == -1);
    levels = run_accelerated("euler-semi-implicit", 3, &stored);
    assert_true(levels.begin == 2 && levels.mid == 3 && stored == -1);
}

static scree_status drag(void *user, const struct scree_load_batch *batch)
{
    (void)user;
    for (size_t i = 0; i < batch->count; ++i)
        batch->force[i][0] -= 2 * batch->mass[i] * batch->velocity[i][0];
    return SCREE_OK;
}

static double run_dragged(const char *scheme, double viscous)
{
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    struct scree_body_state body;
    scree_load_id load;
    const scree_body_id id = scree_test_sphere(world);
    assert_ok(scree_body_set_velocity(world, id, (const double[3]){1}));
    if (viscous == 0)
        assert_ok(scree_load_add(world, &(struct scree_load_def){.function = drag}, &load));
    const struct scree_test_world setup = {
        .translation = scheme, .step = 0.125, .damping = {.viscous = viscous}};
    assert_ok(scree_test_world_engine(&setup, world, &engine));
    assert_ok(scree_engine_run(engine, 1));
    assert_ok(scree_body_get(world, id, &body));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return body.position[0];
}

// One step of 1/8 s from v = 1 under x'' = -2 v, by hand: velocity Verlet damps implicitly to 1/(1 + ch/2) =
// 8/9 at mid-step; a leapfrog damps the on-step velocity to 1 - ch/2 = 7/8. A central difference begins with
// the velocity half a step earlier, 1 + ch/2 = 9/8, so that the mean of 9/8 and 7/8 is the on-step value 1.
static void damping_distinguishes_the_starts_of_the_schemes(void **state)
{
    (void)state;
    assert_true(run_dragged("velocity-verlet", 2) == 0.125 * (1 / (1 + 0.125)));
    assert_true(run_dragged("leapfrog", 2) == 0.125 * 0.875);
    assert_true(run_dragged("central-difference", 2) == 0.125 * 0.875);
    // for a velocity-dependent load the first force is equal for all
    assert_true(run_dragged("velocity-verlet", 0) == 0.125 * 0.875);
    assert_true(run_dragged("leapfrog", 0) == 0.125 * 0.875);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_on_step_at_point_0_and_at_the_level_of_the_scheme_from_point_10),
        cmocka_unit_test(on_step_values_within_a_step_equal_those_after_the_run),
        cmocka_unit_test(plain_and_on_step_states_agree_between_steps),
        cmocka_unit_test(only_leapfrog_schemes_store_a_mid_step_velocity_between_steps),
        cmocka_unit_test(damping_distinguishes_the_starts_of_the_schemes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
