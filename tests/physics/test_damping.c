// Local damping (Cundall; docs/theory/damping.md, errata 19) reduces each force component that accelerates a
// body by a fixed ratio, and increases each one that decelerates it by the same ratio; it is zero without
// motion or without force. With local and viscous damping all rotation schemes have order 2. References:
// closed forms, and support/tumble.h for rotation.

#include "support/order.h"
#include "support/oscillator.h"
#include "support/tumble.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char *const translations[] = {"velocity-verlet", "leapfrog", "central-difference"};

static struct scree_engine *create_damped_ball(const double gravity[3], const double velocity[3],
                                               double local, const char *translation, double step)
{
    struct scree_world_def world_def = {0};
    memcpy(world_def.gravity, gravity, sizeof world_def.gravity);
    struct scree_world *world;
    assert_int_equal(scree_world_create(&world_def, &world), SCREE_OK);
    struct scree_rigid_def ball = {.mass = 2, .inertia = {1, 1, 1}};
    memcpy(ball.velocity, velocity, sizeof ball.velocity);
    scree_body_id id;
    assert_int_equal(scree_body_add_rigid(world, &ball, &id), SCREE_OK);
    struct scree_engine *engine;
    const struct scree_soft_def def = {
        .step = step, .translation = translation, .damping = {.local = local}, .threads = 1};
    assert_int_equal(scree_soft_create(world, &def, &engine), SCREE_OK);
    return engine;
}

static void destroy(struct scree_engine *engine)
{
    struct scree_world *world = scree_engine_world(engine);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static struct scree_body_state get_ball(struct scree_engine *engine)
{
    struct scree_body_state state;
    assert_int_equal(scree_body_get(scree_engine_world(engine), (scree_body_id){1}, &state), SCREE_OK);
    return state;
}

// sgn 0 is 0
static void axes_without_motion_or_without_force_have_no_local_damping(void **state)
{
    (void)state;
    const double gravity[3] = {0, 0, -8}, velocity[3] = {1, 0, 0};
    struct scree_engine *engine = create_damped_ball(gravity, velocity, 0.5, NULL, 0.25);
    struct scree_view drag;
    assert_int_equal(scree_engine_run(engine, 0), SCREE_OK);
    assert_int_equal(scree_field_view(scree_engine_world(engine), "body.drag_force", &drag), SCREE_OK);
    const double *row = drag.base;
    for (unsigned c = 0; c < drag.width; ++c)
        assert_true(row[c] == 0);
    // the undamped weight moves it by g h^2 / 2; all numbers are exact in binary
    assert_int_equal(scree_engine_run(engine, 1), SCREE_OK);
    assert_true(get_ball(engine).position[2] == -0.25);
    // along z, half of the weight of 16 N acts against the motion; along x there is no force, along y neither
    // force nor motion
    assert_int_equal(scree_field_view(scree_engine_world(engine), "body.drag_force", &drag), SCREE_OK);
    row = drag.base;
    assert_true(row[0] == 0 && row[1] == 0 && row[2] == 8);
    assert_true(get_ball(engine).position[0] == 0.25 && get_ball(engine).velocity[0] == 1);
    destroy(engine);
}

// the schemes are exact for constant acceleration; 1e-12 is twice the error of 500 roundings of values up to
// 8, by at most 8 * 2^-53 each
static void falling_and_rising_bodies_are_damped_by_the_same_ratio(void **state)
{
    (void)state;
    enum { STEPS = 500 };
    const double gravity[3] = {0, 0, -8}, local = 0.3, time = 0.25;
    for (size_t n = 0; n < sizeof translations / sizeof translations[0]; ++n)
        for (int rising = 0; rising < 2; ++rising) {
            const double initial_velocity = rising ? 6 : -6;
            const double acceleration = -8 * (rising ? 1 + local : 1 - local);
            struct scree_engine *engine = create_damped_ball(gravity, (double[3]){0, 0, initial_velocity},
                                                             local, translations[n], time / STEPS);
            assert_int_equal(scree_engine_run(engine, STEPS), SCREE_OK);
            const struct scree_body_state ball = get_ball(engine);
            assert_true(fabs(ball.velocity[2] - (initial_velocity + acceleration * time)) < 1e-12);
            assert_true(fabs(ball.position[2] -
                             (initial_velocity * time + 0.5 * acceleration * time * time)) < 1e-12);
            destroy(engine);
        }
}

// between turning points the amplitude of an oscillator falls from a to b = a sqrt((1 - l) / (1 + l)):
// damping dissipates l k a^2 / 2 on the way in and l k b^2 / 2 on the way out. At turning points the sign of
// damping changes up to a step late, an error of the velocity of l k x h
static void local_damping_reduces_the_amplitude_by_the_closed_form(void **state)
{
    (void)state;
    enum { STEPS = 8000 };
    const double h = 1e-3, local = 0.3, ratio = sqrt((1 - local) / (1 + local));
    static struct scree_oscillator_state trace[STEPS];
    const struct scree_oscillator oscillator = {.stiffness = 4, .position = 1, .damping = {.local = local}};
    for (size_t n = 0; n < sizeof translations / sizeof translations[0]; ++n) {
        const struct scree_oscillator_run run = {
            .name = translations[n], .step = h, .steps = STEPS, .trace = trace};
        struct scree_oscillator_state end;
        assert_int_equal(scree_oscillator_move(&oscillator, &run, &end), SCREE_OK);
        double amplitude = 1;
        int turning_points = 0;
        for (int s = 1; s < STEPS; ++s)
            if (trace[s - 1].velocity * trace[s].velocity < 0) {
                assert_true(fabs(fabs(trace[s].position) / amplitude - ratio) < 2 * 2 * h);
                amplitude = fabs(trace[s].position);
                ++turning_points;
            }
        // half a period takes (pi / 4) (1 / sqrt(1 - l) + 1 / sqrt(1 + l)) = 1.627 s at this stiffness
        assert_int_equal(turning_points, 4);
    }
}

// --- rotation

// during the test no component of moment or spin changes sign, where damping would not be smooth
static void moment_without_sign_change(const void *user, double time, const double orientation[4],
                                       const double spin[3], double moment[3])
{
    (void)user;
    static const double arm[3] = {0.2, -0.1, 0.3};
    double world_arm[3];
    scree_tumble_to_world(orientation, arm, world_arm);
    for (int k = 0; k < 3; ++k)
        moment[k] = 1.5 + world_arm[k] + 0.2 * time - 0.1 * spin[k];
}

enum { FIRST_STEPS = 100 };
static const double duration = 1;
static const struct scree_tumble damped_body = {.inertia = {1, 1.5, 2},
                                                .orientation = {0.9, 0.1, -0.3, 0.2},
                                                .spin = {1.5, 1.2, 1.8},
                                                .moment = moment_without_sign_change,
                                                .damping = {.local = 0.3, .viscous = 0.4}};

static double rotation_error(void *context, size_t steps)
{
    struct scree_tumble_state got, expected;
    scree_tumble_reference(&damped_body, duration, &expected);
    const struct scree_tumble_run run = {.name = context, .time = duration, .steps = steps};
    scree_tumble_move(&damped_body, 1, &run, &got);
    return scree_tumble_error(&got, &expected, 1);
}

static void every_scheme_of_rotation_is_of_order_2_under_local_and_viscous_damping(void **state)
{
    (void)state;
    static char schemes[][16] = {"splitting", "buss2", "buss2-literal", "buss3",
                                 "rk4",       "pcdm",  "fincham",       "pcdm-leapfrog"};
    for (size_t l = 0; l < sizeof schemes / sizeof schemes[0]; ++l)
        scree_order_check(rotation_error, schemes[l], FIRST_STEPS, 2, schemes[l]);
}

// a sphere under a constant moment: I w' = (1 - l sgn(M w)) M - c I w for each axis
static double sphere_error(void *context, size_t steps)
{
    (void)context;
    static const double moment[3] = {0.3, -0.2, 0.5}, spin[3] = {1, 0.8, 0.5};
    const double local = 0.3, viscous = 0.4, time = 0.5, radius = 0.5;
    struct scree_world *world;
    assert_int_equal(scree_world_create(NULL, &world), SCREE_OK);
    scree_material_id material;
    const struct scree_material_def material_def = {
        .name = "material", .density = 2 / (4.1887902047863905 * radius * radius * radius)};
    assert_int_equal(scree_material_add(world, &material_def, &material), SCREE_OK);
    struct scree_sphere_def ball = {.radius = radius, .material = material};
    memcpy(ball.spin, spin, sizeof ball.spin);
    scree_body_id id;
    assert_int_equal(scree_body_add_sphere(world, &ball, &id), SCREE_OK);
    struct scree_load_def load = {.body = id};
    memcpy(load.moment, moment, sizeof load.moment);
    scree_load_id load_id;
    assert_int_equal(scree_load_add(world, &load, &load_id), SCREE_OK);
    struct scree_engine *engine;
    const struct scree_soft_def def = {
        .step = time / (double)steps, .damping = {.local = local, .viscous = viscous}, .threads = 1};
    assert_int_equal(scree_soft_create(world, &def, &engine), SCREE_OK);
    assert_int_equal(scree_engine_run(engine, steps), SCREE_OK);
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        const double inertia = 0.4 * 2 * radius * radius;
        const double ratio = 1 - local * (moment[k] * spin[k] > 0 ? 1 : -1);
        const double limit_spin = ratio * moment[k] / (inertia * viscous);
        const double expected = limit_spin + (spin[k] - limit_spin) * exp(-viscous * time);
        assert_true(expected * spin[k] > 0);
        sum += pow(get_ball(engine).spin[k] - expected, 2);
    }
    destroy(engine);
    return sqrt(sum);
}

static void the_spin_of_a_sphere_is_of_order_2_under_local_and_viscous_damping(void **state)
{
    (void)state;
    scree_order_check(sphere_error, NULL, 20, 2, "spherical");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_without_motion_or_without_force_have_no_local_damping),
        cmocka_unit_test(falling_and_rising_bodies_are_damped_by_the_same_ratio),
        cmocka_unit_test(local_damping_reduces_the_amplitude_by_the_closed_form),
        cmocka_unit_test(every_scheme_of_rotation_is_of_order_2_under_local_and_viscous_damping),
        cmocka_unit_test(the_spin_of_a_sphere_is_of_order_2_under_local_and_viscous_damping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
