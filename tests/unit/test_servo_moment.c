// Servos that turn their walls (engine/servo.c): a lever reaches its moment by the stiffness of its contact
// in closed form, the energy balance is of order 2, and invalid definitions are refused.

#include "support/worlds.h"

#include <math.h>
#include <string.h>

static const double stiffness = 1e4, lever = 0.15, radius = 0.02;

// A lever in the plane z = 0 that turns about y, and a ball above it; a fixed ball, or one below a ceiling.
struct device {
    struct scree_world *world;
    struct scree_engine *engine;
    scree_group_id group;
    scree_wall_id wall;
    scree_body_id ball;
};

static void build(struct device *device, bool fixed, enum scree_wall_shape shape, double step)
{
    static const double vertex[4][3] = {{-0.2, -0.1, 0}, {0.2, -0.1, 0}, {0.2, 0.1, 0}, {-0.2, 0.1, 0}};
    static const uint32_t facet[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const struct scree_interaction_value values[] = {
        {"friction", 0.2, NULL}, {"stiffness", stiffness, NULL}, {"damping", 0.5, NULL}};
    struct scree_wall_def def = {.shape = shape,
                                 .material = {1},
                                 .rectangle = {{-0.2, -0.1, 0}, {{0.4, 0, 0}, {0, 0.2, 0}}},
                                 .mesh = {.vertex = vertex, .vertices = 4, .facet = facet, .facets = 2}};
    const struct scree_sphere_def ball = {.radius = radius,
                                          .material = {1},
                                          .position = {lever, 0, radius + 1e-4},
                                          .fixed = fixed ? SCREE_FIX_ALL : 0};
    const struct scree_wall_def ceiling = {
        .shape = SCREE_WALL_PLANE, .material = {1}, .plane = {{0, 0, 2 * radius + 1e-4}, {0, 0, -1}}};
    scree_wall_id above;
    assert_ok(scree_world_create(NULL, &device->world));
    (void)scree_test_material(device->world);
    assert_ok(scree_interaction_add(
        device->world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    assert_ok(scree_wall_add(device->world, &def, &device->wall));
    if (!fixed)
        assert_ok(scree_wall_add(device->world, &ceiling, &above));
    assert_ok(scree_body_add_sphere(device->world, &ball, &device->ball));
    assert_ok(scree_group_add(device->world, "lever", &device->group));
    assert_ok(scree_group_put_wall(device->world, device->group, device->wall, true));
    assert_ok(scree_soft_create(device->world, &(struct scree_soft_def){.step = step, .threads = 1},
                                &device->engine));
}

static void destroy(struct device *device)
{
    scree_engine_destroy(device->engine);
    scree_world_destroy(device->world);
}

// About -y the lever pushes a ball at x > 0 upwards.
static struct scree_servo_def turning(const struct device *device, double moment)
{
    return (struct scree_servo_def){
        .group = device->group, .direction = {0, -2, 0}, .moment = moment, .turns = true, .velocity = 0.5};
}

static void a_lever_reaches_its_moment_by_the_stiffness_of_its_contact(void **state)
{
    (void)state;
    static const enum scree_wall_shape shapes[] = {SCREE_WALL_MESH, SCREE_WALL_RECTANGLE};
    for (int s = 0; s < 2; ++s) {
        struct device device;
        struct scree_servo_state servo;
        struct scree_wall_state wall;
        double force[3], moment[3];
        build(&device, true, shapes[s], 1e-4);
        const struct scree_servo_def def = turning(&device, 0.3);
        assert_ok(scree_servo_set(device.world, &def));
        assert_ok(scree_engine_run(device.engine, 2000));
        assert_ok(scree_servo_get(device.world, device.group, &servo));
        assert_ok(scree_wall_get(device.world, device.wall, &wall));
        assert_ok(scree_wall_load(device.world, device.wall, force, moment));
        // half of the error is corrected per update, so that rounding is left
        assert_true(fabs(servo.measured - 0.3) < 1e-10 && servo.target == 0.3 && servo.def.moment == 0.3);
        assert_true(servo.def.turns && servo.def.force == 0 && fabs(servo.velocity) < 1e-10);
        assert_true(fabs(moment[1] - 0.3) < 1e-10);
        for (int k = 0; k < 3; ++k)
            assert_true(wall.pivot[k] == 0 && wall.velocity[k] == 0);
        // a ball at (x, z) overlaps a plane at the angle a by R - (z cos a - x sin a), with the arm
        // x cos a + z sin a; friction is below 0.2 of the normal force and has the arm of at most 2 mm
        const double angle = 2 * atan2(-wall.orientation[2], wall.orientation[0]);
        const double overlap = radius - ((radius + 1e-4) * cos(angle) - lever * sin(angle)),
                     arm = lever * cos(angle) + (radius + 1e-4) * sin(angle);
        if (!(fabs(stiffness * overlap * arm - 0.3) < 0.2 * stiffness * overlap * 2e-3))
            fail_msg("overlap %g m, moment %g N m", overlap, stiffness * overlap * arm);
        destroy(&device);
    }
}

static void a_lever_far_from_its_ball_turns_at_its_largest_spin(void **state)
{
    (void)state;
    struct device device;
    struct scree_wall_state wall;
    build(&device, true, SCREE_WALL_MESH, 1e-5);
    struct scree_servo_def def = turning(&device, 0.3);
    def.velocity = 0.02;
    assert_ok(scree_servo_set(device.world, &def));
    assert_ok(scree_engine_run(device.engine, 100));
    assert_ok(scree_wall_get(device.world, device.wall, &wall));
    assert_true(wall.spin[1] == -0.02 && wall.spin[0] == 0 && wall.spin[2] == 0);
    assert_true(fabs(2 * atan2(-wall.orientation[2], wall.orientation[0]) - 0.02 * 99e-5) < 1e-12);
    // by default the farthest point moves by 1e-4 radii per step
    def.velocity = 0;
    assert_ok(scree_servo_set(device.world, &def));
    assert_ok(scree_engine_run(device.engine, 1));
    struct scree_servo_state servo;
    assert_ok(scree_servo_get(device.world, device.group, &servo));
    assert_true(fabs(servo.def.velocity - 1e-4 * radius / 1e-5 / hypot(0.2, 0.1)) < 1e-9);
    destroy(&device);
}

static double balance(double step)
{
    struct device device;
    struct scree_energy energy;
    build(&device, false, SCREE_WALL_MESH, step);
    struct scree_servo_def def = turning(&device, 0.6);
    def.gain = 1000 * step;
    assert_ok(scree_servo_set(device.world, &def));
    assert_ok(scree_engine_run(device.engine, (uint64_t)(0.03 / step + 0.5)));
    assert_ok(scree_energy_get(device.world, &energy));
    assert_true(energy.work > 5e-4);
    destroy(&device);
    return fabs(energy.balance);
}

// With a gain proportional to the step the spin converges to a function of time. Three halvings of the step
// divide the balance by 64 for order 2, by 8 for order 1; 40 is required, because the balance has terms of
// higher order.
static void the_energy_balance_with_a_turning_servo_is_of_order_2(void **state)
{
    (void)state;
    const double coarse = balance(4e-5), fine = balance(5e-6);
    if (!(coarse > 40 * fine))
        fail_msg("balances %g and %g", coarse, fine);
}

static void invalid_moments_are_refused(void **state)
{
    (void)state;
    struct device device;
    struct scree_servo_def def;
    build(&device, true, SCREE_WALL_MESH, 1e-4);
    def = turning(&device, 0.3);
    def.force = 1;
    assert_refused(SCREE_ERROR_ARGUMENT, "has a moment, but no force", scree_servo_set(device.world, &def));
    def = turning(&device, (double)NAN);
    assert_refused(SCREE_ERROR_ARGUMENT, "the moment of a servo", scree_servo_set(device.world, &def));
    def = turning(&device, 0.3);
    def.turns = false;
    assert_refused(SCREE_ERROR_ARGUMENT, "0 unless it turns", scree_servo_set(device.world, &def));
    assert_int_equal(scree_servo_count(device.world), 0);
    destroy(&device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lever_reaches_its_moment_by_the_stiffness_of_its_contact),
        cmocka_unit_test(a_lever_far_from_its_ball_turns_at_its_largest_spin),
        cmocka_unit_test(the_energy_balance_with_a_turning_servo_is_of_order_2),
        cmocka_unit_test(invalid_moments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
