// Walls that move by functions of time, and walls with surface velocities: order 2 of positions against
// closed forms and fine steps, the closed form of a conveyor belt, equivalence with rotating walls, and order
// 2 of the energy balance.

#include "support/bed.h"
#include "support/order.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// --- the position of a wall

// Velocity and spin with known integrals: displacement (1 - cos 3t) / 3 along x, angle sin(2t) about z.
static void oscillate(void *user, double time, struct scree_wall_motion *motion)
{
    (void)user;
    motion->velocity[0] = sin(3 * time);
    motion->spin[2] = 2 * cos(2 * time);
}

// The error of the displacement, or if *context is true, of the rotation.
static double wall_error(void *context, size_t steps)
{
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_wall_state state;
    scree_material_id material;
    scree_wall_id wall;
    const struct scree_wall_motion_def def = {.function = oscillate};
    const double time = 0.5, half_angle = sin(2 * time) / 2;
    assert_ok(scree_world_create(NULL, &world));
    assert_ok(scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 1}, &material));
    assert_ok(scree_wall_add(world,
                             &(struct scree_wall_def){.shape = SCREE_WALL_SPHERE,
                                                      .material = material,
                                                      .sphere = {.radius = 1, .side = SCREE_WALL_OUTSIDE}},
                             &wall));
    assert_ok(scree_wall_motion_set_function(world, wall, &def));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = time / (double)steps, .threads = 1},
                                &engine));
    assert_ok(scree_engine_run(engine, steps));
    assert_ok(scree_wall_get(world, wall, &state));
    // velocity and spin at the end are those of the function
    assert_true(fabs(state.velocity[0] - sin(3 * time)) < 1e-14);
    assert_true(fabs(state.spin[2] - 2 * cos(2 * time)) < 1e-14);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    const bool rotation = *(const bool *)context;
    return rotation ? fabs(state.orientation[3] - sin(half_angle))
                    : fabs(state.position[0] - (1 - cos(3 * time)) / 3);
}

static void displacement_and_rotation_of_a_wall_are_of_order_2(void **state)
{
    (void)state;
    bool rotation = false;
    scree_order_check(wall_error, &rotation, 20, 2, "displacement");
    rotation = true;
    scree_order_check(wall_error, &rotation, 20, 2, "rotation");
}

// --- a ball on a shaking floor

static void shake(void *user, double time, struct scree_wall_motion *motion)
{
    motion->velocity[*(const int *)user] = 0.02 * cos(40 * time);
}

// The position after 0.02 s of a ball without rotation on a floor that shakes along axis 0 (tangential spring
// and dashpot; no slip) or along axis 1 (normal ones).
static double position_after(int axis, size_t steps)
{
    const struct scree_interaction_value values[] = {
        {"friction", 50, NULL}, {"restitution", 0.5, NULL}, {"stiffness", 1e4, NULL}};
    const struct scree_wall_def floor = {
        .shape = SCREE_WALL_PLANE, .material = {1}, .plane = {.normal = {0, 1, 0}}};
    const struct scree_sphere_def ball = {
        .radius = 0.02, .material = {1}, .position = {0, 0.02 - 2e-5, 0}, .fixed = SCREE_FIX_SPIN};
    const struct scree_wall_motion_def def = {.function = shake, .user = &axis};
    const double time = 0.02;
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_body_state state;
    scree_material_id material;
    scree_wall_id wall;
    scree_body_id body;
    assert_ok(scree_world_create(&(struct scree_world_def){.gravity = {0, -9.81, 0}}, &world));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"grain", 2500}, &material));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    assert_ok(scree_wall_add(world, &floor, &wall));
    assert_ok(scree_body_add_sphere(world, &ball, &body));
    assert_ok(scree_wall_motion_set_function(world, wall, &def));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = time / (double)steps, .threads = 1},
                                &engine));
    assert_ok(scree_engine_run(engine, steps));
    assert_ok(scree_body_get(world, body, &state));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return state.position[axis];
}

// `exact` is the position with 16 times as many steps as the finest run.
struct ball_case {
    int axis;
    double exact;
};

static double ball_error(void *context, size_t steps)
{
    const struct ball_case *ball = (const struct ball_case *)context;
    return fabs(position_after(ball->axis, steps) - ball->exact);
}

static void the_position_of_a_ball_on_a_shaking_floor_is_of_order_2(void **state)
{
    (void)state;
    for (int axis = 0; axis < 2; ++axis) {
        struct ball_case ball = {axis, position_after(axis, (size_t)200 * 256)};
        scree_order_check(ball_error, &ball, 200, 2, axis == 0 ? "tangential" : "normal");
    }
}

// --- surface velocities

// Friction accelerates a ball without rotation until it has the speed of the belt. Until then its speed at
// time t is mu g t; the tolerance is for the time in which the tangential spring is stretched.
static void a_belt_accelerates_a_ball_with_mu_g_up_to_its_speed(void **state)
{
    (void)state;
    const struct scree_interaction_value values[] = {
        {"friction", 0.4, NULL}, {"restitution", 0.2, NULL}, {"stiffness", 1e5, NULL}};
    const struct scree_wall_def belts[] = {
        {.shape = SCREE_WALL_PLANE, .material = {1}, .plane = {.normal = {0, 0, 1}}},
        {.shape = SCREE_WALL_RECTANGLE,
         .material = {1},
         .rectangle = {.corner = {-2, -2, 0}, .edge = {{4, 0, 0}, {0, 4, 0}}}},
        {.shape = SCREE_WALL_DISK, .material = {1}, .disk = {.normal = {0, 0, 1}, .radius = 2}},
        {.shape = SCREE_WALL_BOX,
         .material = {1},
         .box = {.lower = {-2, -2, 0}, .upper = {2, 2, 2}, .side = SCREE_WALL_INSIDE}},
    };
    for (size_t b = 0; b < sizeof belts / sizeof belts[0]; ++b) {
        struct scree_world *world;
        struct scree_engine *engine;
        struct scree_body_state body_state;
        struct scree_wall_state wall_state;
        struct scree_energy energy;
        scree_material_id material;
        scree_wall_id wall;
        scree_body_id body;
        const double weight = 9.81 * 2500 * 4.0 / 3 * pi * 1e-6;
        const struct scree_sphere_def ball = {.radius = 0.01,
                                              .material = {1},
                                              .position = {0, 0, 0.01 - weight / 1e5},
                                              .fixed = SCREE_FIX_SPIN};
        assert_ok(scree_world_create(&(struct scree_world_def){.gravity = {0, 0, -9.81}}, &world));
        assert_ok(scree_material_add(world, &(struct scree_material_def){"grain", 2500}, &material));
        assert_ok(scree_interaction_add(
            world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
        assert_ok(scree_wall_add(world, &belts[b], &wall));
        // the normal component has no effect
        assert_ok(scree_wall_set_surface_motion(world, wall, (const double[3]){0.3, -0.4, 0.7},
                                                (const double[3]){0, 0, 0}));
        assert_ok(scree_body_add_sphere(world, &ball, &body));
        assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-5, .threads = 1}, &engine));
        assert_ok(scree_engine_run(engine, 5000));
        assert_ok(scree_body_get(world, body, &body_state));
        const double speed = 0.4 * 9.81 * 0.05;
        assert_true(fabs(body_state.velocity[0] - 0.6 * speed) < 1e-3 * speed);
        assert_true(fabs(body_state.velocity[1] + 0.8 * speed) < 1e-3 * speed);
        assert_true(fabs(body_state.velocity[2]) < 1e-6);
        assert_ok(scree_engine_run(engine, 20000));
        assert_ok(scree_body_get(world, body, &body_state));
        assert_true(fabs(body_state.velocity[0] - 0.3) < 1e-3 && fabs(body_state.velocity[1] + 0.4) < 1e-3);
        // while sliding, half of the work of the belt becomes kinetic energy of the ball
        assert_ok(scree_energy_get(world, &energy));
        assert_true(fabs(energy.work - 2 * energy.translation) < 1e-2 * energy.work);
        assert_true(fabs(energy.balance) < 1e-6 * energy.work);
        assert_ok(scree_wall_get(world, wall, &wall_state));
        assert_true(wall_state.position[0] == 0 && wall_state.velocity[0] == 0);
        assert_true(wall_state.surface_velocity[2] == 0.7);
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

// A ball on a wall that rotates about z, or on a wall at rest whose surface rotates about z.
static struct scree_body_state roll_ball(const struct scree_wall_def *def, bool surface)
{
    const struct scree_interaction_value values[] = {{"friction", 0.3, NULL},
                                                     {"restitution", 0.5, NULL},
                                                     {"stiffness", 1e6, NULL},
                                                     {"rolling-friction", 0.1, NULL},
                                                     {"twisting-friction", 0.1, NULL}};
    const struct scree_sphere_def ball = {.radius = 0.1,
                                          .material = {1},
                                          .position = {0.4, 0.01, 0.099},
                                          .velocity = {0.1, 0, -0.1},
                                          .spin = {1, 2, 3}};
    const double spin[3] = {0, 0, 3};
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_body_state state;
    scree_material_id material;
    scree_wall_id wall;
    scree_body_id body;
    assert_ok(scree_world_create(&(struct scree_world_def){.gravity = {3, 0, -9.81}}, &world));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"grain", 2500}, &material));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 5}));
    assert_ok(scree_wall_add(world, def, &wall));
    if (surface)
        assert_ok(scree_wall_set_surface_motion(world, wall, (const double[3]){0}, spin));
    else
        assert_ok(scree_wall_set_spin(world, wall, spin));
    assert_ok(scree_body_add_sphere(world, &ball, &body));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-4, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, 1000));
    assert_ok(scree_body_get(world, body, &state));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return state;
}

// z is an axis of symmetry of the walls. The runs differ by rounding, which the stiff contact amplifies, and
// by the rotation of the mid-step normal, of order 3 in the angle of 3e-4 rad per step.
static void a_rotating_surface_has_the_effect_of_a_wall_that_rotates_about_its_axis(void **state)
{
    (void)state;
    const struct scree_wall_def walls[] = {
        {.shape = SCREE_WALL_PLANE, .material = {1}, .plane = {.normal = {0, 0, 1}}},
        {.shape = SCREE_WALL_DISK, .material = {1}, .disk = {.normal = {0, 0, 1}, .radius = 2}},
        {.shape = SCREE_WALL_CYLINDER,
         .material = {1},
         .cylinder = {.from = {0, 0, -3}, .to = {0, 0, 3}, .radius = 0.5}},
        {.shape = SCREE_WALL_CONE,
         .material = {1},
         .cone = {.from = {0, 0, -1}, .to = {0, 0, 2}, .radius = {0, 1.38}}},
        {.shape = SCREE_WALL_SPHERE, .material = {1}, .sphere = {.radius = 0.51, .side = SCREE_WALL_INSIDE}},
    };
    for (size_t w = 0; w < sizeof walls / sizeof walls[0]; ++w) {
        const struct scree_body_state by_wall = roll_ball(&walls[w], false),
                                      by_surface = roll_ball(&walls[w], true);
        assert_true(fabs(by_wall.velocity[1]) > 1e-3);
        for (int k = 0; k < 3; ++k) {
            assert_true(fabs(by_wall.position[k] - by_surface.position[k]) < 1e-9);
            assert_true(fabs(by_wall.spin[k] - by_surface.spin[k]) < 1e-7);
        }
    }
}

// --- the energy ledger

static void move_plate(void *user, double time, struct scree_wall_motion *motion)
{
    const bool flat = *(const bool *)user;
    motion->velocity[0] = 0.5 * cos(60 * time);
    motion->velocity[1] = 0.7 + 0.3 * sin(100 * time);
    motion->spin[2] = 0.4 * sin(70 * time);
    motion->surface_velocity[0] = 2 * sin(90 * time);
    motion->surface_spin[2] = flat ? 0 : 3 * cos(80 * time);
}

static double final_balance(int dimension, bool moving_plate, bool surface, uint64_t steps)
{
    struct scree_bed bed = {
        .dimension = dimension,
        .law = "linear",
        .values = {{"friction", 0.3, NULL}, {"restitution", 0.6, NULL}, {"stiffness", 4e5, NULL}},
        .plate = true,
        .step = 0.04 / (double)steps};
    bool flat = dimension == 2;
    const struct scree_wall_motion_def def = {.function = move_plate, .user = &flat};
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_energy energy;
    scree_bed_build(&bed, &world);
    const scree_wall_id box = {1}, plate = {2};
    if (surface)
        assert_ok(scree_wall_set_surface_motion(world, box, (const double[3]){1, -2, flat ? 0 : 0.5},
                                                (const double[3]){0, 0, 4}));
    if (moving_plate)
        assert_ok(scree_wall_motion_set_function(world, plate, &def));
    scree_bed_engine(&bed, world, &engine);
    for (int part = 0; part < 4; ++part)
        assert_ok(scree_engine_run(engine, steps / 4));
    assert_ok(scree_energy_get(world, &energy));
    assert_true(fabs(energy.work) > 1e-3);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return energy.balance;
}

// Three halvings of the step divide the balance by 64 for order 2, by 8 for order 1. 40 is required, because
// errors depend on the instants of impact within a step.
static void the_energy_balance_with_moving_walls_and_surfaces_is_of_order_2(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int dimension;
        bool moving_plate, surface;
    } cases[] = {{"moving plate", 3, true, false},
                 {"moving surfaces", 3, false, true},
                 {"both", 3, true, true},
                 {"both in two dimensions", 2, true, true}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        const double coarse = final_balance(cases[c].dimension, cases[c].moving_plate, cases[c].surface, 800);
        const double fine = final_balance(cases[c].dimension, cases[c].moving_plate, cases[c].surface, 6400);
        if (!(fabs(coarse) > 40 * fabs(fine)))
            fail_msg("%s: the balance falls from %g J to %g J only", cases[c].name, coarse, fine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(displacement_and_rotation_of_a_wall_are_of_order_2),
        cmocka_unit_test(the_position_of_a_ball_on_a_shaking_floor_is_of_order_2),
        cmocka_unit_test(a_belt_accelerates_a_ball_with_mu_g_up_to_its_speed),
        cmocka_unit_test(a_rotating_surface_has_the_effect_of_a_wall_that_rotates_about_its_axis),
        cmocka_unit_test(the_energy_balance_with_moving_walls_and_surfaces_is_of_order_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
