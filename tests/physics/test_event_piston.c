// Pistons in the event engine: walls of rigid bodies that move along an axis. One ball in closed form,
// momentum and energy, compression without heat, and the mean height of a piston on a gas.

#include "support/worlds.h"

#include <scree/event.h>

enum { BALLS = 200 };

static const double radius = 0.01, mass_of_ball = 4.0 / 3 * 3.14159265358979323846 * 1e-6;

struct tube {
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
    scree_body_id piston;
};

// A tube of the section 1 along z, closed at 0 by a plane and above by a piston. Balls have a density of 1.
static struct tube make(double gravity, const char *law, double restitution, double mass, double height,
                        double speed)
{
    struct tube tube;
    scree_material_id other;
    scree_wall_id id;
    const struct scree_interaction_value values[] = {{"restitution", restitution, NULL},
                                                     {"friction", 0, NULL}};
    assert_ok(scree_world_create(&(struct scree_world_def){.gravity = {0, 0, gravity}}, &tube.world));
    assert_ok(scree_material_add(tube.world, &(struct scree_material_def){"ball", 1}, &tube.material));
    assert_ok(scree_material_add(tube.world, &(struct scree_material_def){"wall", 1}, &other));
    const bool none = strcmp(law, "none") == 0;
    assert_ok(scree_interaction_add(
        tube.world, &(struct scree_interaction_def){
                        {tube.material, tube.material}, law, none ? NULL : values, none ? 0 : 2}));
    assert_ok(
        scree_interaction_add(tube.world, &(struct scree_interaction_def){{{0}, {0}}, "hard", values, 2}));
    assert_ok(
        scree_wall_add(tube.world,
                       &(struct scree_wall_def){
                           .shape = SCREE_WALL_BOX,
                           .material = other,
                           .box = {.lower = {0, 0, 0}, .upper = {1, 1, 1000}, .side = SCREE_WALL_INSIDE}},
                       &id));
    assert_ok(
        scree_wall_add(tube.world,
                       &(struct scree_wall_def){.shape = SCREE_WALL_PLANE,
                                                .material = other,
                                                .plane = {.point = {0, 0, height}, .normal = {0, 0, -1}}},
                       &id));
    // the centre of mass is above the plane
    assert_ok(
        scree_body_add_rigid(tube.world,
                             &(struct scree_rigid_def){.mass = mass,
                                                       .inertia = {1, 1, 1},
                                                       .position = {0.5, 0.5, height + 0.1},
                                                       .velocity = {0, 0, speed},
                                                       .material = other,
                                                       .fixed = SCREE_FIX_X | SCREE_FIX_Y | SCREE_FIX_SPIN},
                             &tube.piston));
    assert_ok(scree_wall_body_attach(tube.world, id, tube.piston));
    return tube;
}

static void start(struct tube *tube, double step)
{
    assert_ok(scree_event_create(tube->world, &(struct scree_event_def){.step = step}, &tube->engine));
}

static void end(struct tube *tube)
{
    scree_engine_destroy(tube->engine);
    scree_world_destroy(tube->world);
}

static void add_ball(struct tube *tube, const double *position, const double *velocity)
{
    scree_body_id id;
    struct scree_sphere_def def = {.radius = radius, .material = tube->material};
    memcpy(def.position, position, sizeof def.position);
    memcpy(def.velocity, velocity, sizeof def.velocity);
    assert_ok(scree_body_add_sphere(tube->world, &def, &id));
}

// Balls on a lattice with random velocities up to `speed`.
static void add_gas(struct tube *tube, double height, double speed)
{
    uint64_t seed = 7;
    for (int b = 0; b < BALLS; ++b) {
        double velocity[3];
        const double position[3] = {0.1 + b % 6 * 0.15, 0.1 + b / 6 % 6 * 0.15,
                                    (0.1 + b / 36 * 0.15) * height};
        for (int k = 0; k < 3; ++k)
            velocity[k] = speed * splitmix_signed(&seed);
        add_ball(tube, position, velocity);
    }
}

static struct scree_body_state state_of(const struct tube *tube, scree_body_id id)
{
    struct scree_body_state body;
    assert_ok(scree_body_get(tube->world, id, &body));
    return body;
}

// The kinetic energy of the gas, and its part along z.
static double energy_of(const struct tube *tube, double *along)
{
    double all = 0;
    *along = 0;
    for (uint64_t b = 2; b <= BALLS + 1; ++b) {
        const struct scree_body_state body = state_of(tube, (scree_body_id){b});
        for (int k = 0; k < 3; ++k)
            all += 0.5 * mass_of_ball * body.velocity[k] * body.velocity[k];
        *along += 0.5 * mass_of_ball * body.velocity[2] * body.velocity[2];
    }
    return all;
}

// A ball hits a piston of three times its mass: it gets (1 - 3 e) / 4 of its speed, the piston (1 + e) / 4.
// The piston then falls, and its wall is where its centre of mass is.
static void a_ball_and_a_piston_exchange_momentum(void **state)
{
    (void)state;
    const double e = 0.8;
    struct tube tube = make(0, "none", e, 3 * mass_of_ball, 1, 0);
    add_ball(&tube, (const double[3]){0.5, 0.5, 0.5}, (const double[3]){0, 0, 2});
    start(&tube, 0.03);
    assert_ok(scree_engine_run(tube.engine, 10));
    const struct scree_body_state ball = state_of(&tube, (scree_body_id){2}),
                                  piston = state_of(&tube, tube.piston);
    struct scree_wall_state wall;
    const double after = 0.3 - 0.49 / 2;
    assert_true(fabs(ball.velocity[2] - 2 * (1 - 3 * e) / 4) < 1e-14);
    assert_true(fabs(piston.velocity[2] - 2 * (1 + e) / 4) < 1e-14);
    assert_true(fabs(piston.position[2] - 1.1 - after * 2 * (1 + e) / 4) < 1e-14);
    assert_true(fabs(ball.position[2] - 0.99 - after * 2 * (1 - 3 * e) / 4) < 1e-14);
    assert_ok(scree_wall_get(tube.world, (scree_wall_id){2}, &wall));
    assert_true(fabs(wall.position[2] + 0.1 - piston.position[2]) < 1e-15);
    end(&tube);
}

// A heavy piston compresses a gas of balls that do not touch each other: v L is an adiabatic invariant of the
// motion along z, of relative error V / v = 1 % for each ball. The gas gets the energy that the piston loses.
static void a_heavy_piston_compresses_without_heat(void **state)
{
    (void)state;
    const double heavy = 1e8 * mass_of_ball;
    struct tube tube = make(0, "none", 1, heavy, 2, -0.1);
    double first, last;
    add_gas(&tube, 1, 20);
    start(&tube, 0.05);
    const double before = energy_of(&tube, &first);
    assert_ok(scree_engine_run(tube.engine, 200));
    const struct scree_body_state piston = state_of(&tube, tube.piston);
    const double after = energy_of(&tube, &last);
    // lengths for centres
    const double ratio = (piston.position[2] - 0.1 - 2 * radius) / (2 - 2 * radius);
    assert_true(ratio < 0.6);
    if (!(fabs(last / first * ratio * ratio - 1) < 0.02))
        fail_msg("%g at a ratio of lengths of %g", last / first * ratio * ratio, ratio);
    assert_true(fabs(after - before - (last - first)) < 1e-12 * before);
    const double lost = 0.5 * heavy * (0.1 * 0.1 - piston.velocity[2] * piston.velocity[2]);
    // the difference of energies that are 20 times larger
    assert_true(fabs(lost - (after - before)) < 1e-11 * before);
    end(&tube);
}

// A piston lies on a dilute gas of hard balls, ten times as heavy as the gas, by its weight, or pressed by a
// force F. For an ideal gas
//
//     F h = (N + 1) k T a / (exp(a) - 1),  a = m g h / k T,
//
// where h is the mean height for centres, k T = 2 / 3 of the kinetic energy per ball (the 1 of N + 1 is the
// piston itself), F = M g, and a = 0 without gravity; the fraction of 0.1 % of balls adds 0.4 %. Heights
// fluctuate by h / sqrt(N) = 7 %, for about a time unit: 1 % remains of 60. Energy is kept to the roundings
// of 1e5 collisions.
static void hold_a_gas(double gravity, double force)
{
    enum { SAMPLES = 1500, SETTLING = 300 };
    const double heavy = 10 * BALLS * mass_of_ball;
    struct tube tube = make(gravity, "hard", 1, heavy, 1.2, 0);
    double heights = 0, kinetic = 0, along, first = 0;
    scree_load_id load;
    if (force != 0)
        assert_ok(scree_load_add(
            tube.world, &(struct scree_load_def){.body = tube.piston, .force = {0, 0, force}}, &load));
    add_gas(&tube, 1, 5.5);
    start(&tube, 0.05);
    for (int s = 0; s < SAMPLES; ++s) {
        assert_ok(scree_engine_run(tube.engine, 1));
        const struct scree_body_state piston = state_of(&tube, tube.piston);
        const double gas = energy_of(&tube, &along), z = piston.position[2];
        double all =
            gas + 0.5 * heavy * piston.velocity[2] * piston.velocity[2] - (heavy * gravity + force) * z;
        for (uint64_t b = 2; b <= BALLS + 1; ++b)
            all -= mass_of_ball * gravity * state_of(&tube, (scree_body_id){b}).position[2];
        first = s == 0 ? all : first;
        assert_true(fabs(all - first) < 1e-11 * first);
        if (s < SETTLING)
            continue;
        heights += (z - 0.1 - 2 * radius) / (SAMPLES - SETTLING);
        kinetic += gas / (SAMPLES - SETTLING);
    }
    const double kt = 2.0 / 3 * kinetic / BALLS, a = -mass_of_ball * gravity * heights / kt;
    const double ratio =
        -(heavy * gravity + force) * heights / ((BALLS + 1) * kt * (a > 0 ? a / expm1(a) : 1));
    if (!(fabs(ratio - 1.004) < 0.03))
        fail_msg("%g at a mean height of %g, with a = %g", ratio, heights, a);
    end(&tube);
}

static void a_piston_lies_on_a_gas(void **state)
{
    (void)state;
    hold_a_gas(-1, 0);
}

static void a_force_presses_a_piston_on_a_gas(void **state)
{
    (void)state;
    hold_a_gas(0, -10 * BALLS * mass_of_ball);
}

// However the run is divided, bits are equal.
static void a_piston_has_the_same_bits_however_a_run_is_divided(void **state)
{
    (void)state;
    struct scree_digest digest[2];
    for (int way = 0; way < 2; ++way) {
        struct tube tube = make(-1, "hard", 0.95, BALLS * mass_of_ball, 1.2, 0);
        add_gas(&tube, 1, 2);
        start(&tube, 0.05);
        assert_ok(scree_engine_run(tube.engine, way ? 13 : 40));
        if (way) {
            scree_engine_destroy(tube.engine);
            start(&tube, 0.05);
            assert_ok(scree_engine_run(tube.engine, 27));
        }
        assert_ok(scree_world_digest(tube.world, &digest[way]));
        end(&tube);
    }
    assert_memory_equal(&digest[0], &digest[1], sizeof digest[0]);
}

static void a_piston_that_turns_is_refused(void **state)
{
    (void)state;
    struct tube tube = make(-1, "hard", 1, 1, 1, 0);
    struct scree_engine *engine;
    assert_ok(scree_body_fix(tube.world, tube.piston, SCREE_FIX_X));
    assert_refused(SCREE_ERROR_UNSUPPORTED, "body 1 carries walls and turns",
                   scree_event_create(tube.world, &(struct scree_event_def){.step = 1}, &engine));
    scree_world_destroy(tube.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_and_a_piston_exchange_momentum),
        cmocka_unit_test(a_heavy_piston_compresses_without_heat),
        cmocka_unit_test(a_piston_lies_on_a_gas),
        cmocka_unit_test(a_force_presses_a_piston_on_a_gas),
        cmocka_unit_test(a_piston_has_the_same_bits_however_a_run_is_divided),
        cmocka_unit_test(a_piston_that_turns_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
