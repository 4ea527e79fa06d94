// The energy ledger of bodies in contact: its balance is of order 2 in the step with every law, moving walls,
// fixed bodies and loads; friction is Coulomb limit times sliding distance; sudden ends of contacts lose no
// energy. References: conservation of energy and closed forms.

#include "support/bed.h"

#include <math.h>

#define FRICTION                                                                                             \
    {                                                                                                        \
        "friction", 0.3, NULL                                                                                \
    }
#define DAMPING                                                                                              \
    {                                                                                                        \
        "restitution", 0.6, NULL                                                                             \
    }
#define STIFFNESS                                                                                            \
    {                                                                                                        \
        "stiffness", 4e5, NULL                                                                               \
    }

static struct scree_energy read_ledger(struct scree_world *world)
{
    struct scree_energy energy;
    assert_ok(scree_energy_get(world, &energy));
    const double balance = energy.translation + energy.rotation + energy.gravity + energy.elastic -
                           energy.work + energy.damping + energy.friction + energy.dashpot + energy.internal -
                           energy.energy_input;
    assert_true(energy.balance == balance);
    return energy;
}

// The ledger at `time`, after four runs.
static struct scree_energy run(struct scree_bed bed, double time, uint64_t steps)
{
    struct scree_world *world;
    struct scree_engine *engine;
    bed.step = time / (double)steps;
    scree_bed_build(&bed, &world);
    scree_bed_engine(&bed, world, &engine);
    for (int part = 0; part < 4; ++part)
        assert_ok(scree_engine_run(engine, steps / 4));
    const struct scree_energy energy = read_ledger(world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return energy;
}

static const struct {
    const char *name;
    struct scree_bed bed;
    uint64_t steps;
    double min_ratio; // of the balances with the step and with an eighth of it
} balance_cases[] = {
    {"elastic gas", {.law = "hertz", .values = {{"restitution", 1, NULL}}}, 800, 40},
    {"damped gas", {.law = "hertz", .values = {{"restitution", 0.5, NULL}}}, 800, 55},
    {"friction", {.law = "hertz-mindlin", .values = {FRICTION, {"restitution", 1, NULL}}}, 800, 40},
    {"friction and damping", {.law = "hertz-mindlin", .values = {FRICTION, DAMPING}}, 800, 55},
    {"linear", {.law = "linear", .values = {FRICTION, DAMPING, STIFFNESS}}, 800, 55},
    {"Coulomb limit of the absolute normal force",
     {.law = "linear", .values = {FRICTION, DAMPING, STIFFNESS, {"coulomb-limit", 0, "absolute"}}},
     800,
     50},
    {"the same, with a stiffness that changes",
     {.law = "hertz-mindlin", .values = {FRICTION, DAMPING, {"coulomb-limit", 0, "absolute"}}},
     800,
     55},
    {"secant", {.law = "hertz-mindlin-secant", .values = {FRICTION, DAMPING}}, 800, 55},
    {"cohesion", {.law = "linear-cohesion", .values = {FRICTION, DAMPING, {"cohesion", 1e5, NULL}}}, 800, 50},
    {"plastic", {.law = "plastic", .values = {FRICTION, DAMPING, STIFFNESS}}, 3200, 16},
    {"jkr", {.law = "jkr", .values = {FRICTION, DAMPING, {"work-of-adhesion", 1, NULL}}}, 3200, 50},
    {"rolling and twisting",
     {.law = "linear",
      .values = {FRICTION,
                 DAMPING,
                 STIFFNESS,
                 {"rolling-friction", 0.1, NULL},
                 {"rolling-damping", 0.2, NULL},
                 {"twisting-friction", 0.1, NULL},
                 {"twisting-damping", 0.2, NULL}}},
     800,
     50},
    {"rolling on a stiffness that changes",
     {.law = "hertz-mindlin", .values = {FRICTION, DAMPING, {"rolling-friction", 0.1, NULL}}},
     800,
     55},
    {"a wall that moves and rotates",
     {.law = "hertz-mindlin", .values = {FRICTION, DAMPING}, .plate = true},
     800,
     55},
    {"fixed bodies, weight and loads",
     {.law = "hertz-mindlin", .values = {FRICTION, DAMPING}, .fixed = true, .loads = true, .gravity = -10},
     800,
     50},
    {"overlapping from the start, periodic",
     {.law = "hertz-mindlin", .values = {FRICTION, DAMPING}, .overlapping = true, .periodic = true},
     800,
     55},
    {"disks",
     {.dimension = 2, .law = "linear", .values = {FRICTION, DAMPING, STIFFNESS}, .plate = true},
     800,
     40},
};

// With order 2, three halvings of the step divide the balance by 64. Less is required (`min_ratio`), because
// errors depend on the instants of impact within a step, and without damping have either sign. The time
// allows a few impacts per grain: later, motions with different steps differ because impacts amplify
// differences.
static void the_energy_balance_is_of_order_2_in_the_step(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof balance_cases / sizeof balance_cases[0]; ++c) {
        const double coarse = run(balance_cases[c].bed, 0.04, balance_cases[c].steps).balance;
        const double fine = run(balance_cases[c].bed, 0.04, 8 * balance_cases[c].steps).balance;
        if (!(fabs(coarse) > balance_cases[c].min_ratio * fabs(fine)))
            fail_msg("%s: the balance falls from %g J to %g J only", balance_cases[c].name, coarse, fine);
    }
}

static void absent_mechanisms_dissipate_exactly_zero(void **state)
{
    (void)state;
    struct scree_bed bed = {.law = "hertz-mindlin",
                            .values = {FRICTION, DAMPING},
                            .overlapping = true,
                            .plate = true,
                            .fixed = true,
                            .gravity = -10};
    const struct scree_energy energy = run(bed, 0.01, 1000);
    assert_true(energy.elastic > 0 && energy.friction > 0 && energy.dashpot > 0 && energy.internal == 0);
    assert_true(energy.damping == 0 && energy.work > 0);
    bed.values[0].number = 0;
    bed.values[1].number = 1;
    const struct scree_energy frictionless = run(bed, 0.01, 1000);
    assert_true(frictionless.friction == 0 && frictionless.dashpot == 0 && frictionless.internal == 0);
}

// Energies of a ball without rotation that slides over a floor at fixed overlap, and the sliding distance.
static struct scree_energy slide(double speed, double time, uint64_t steps, double *distance)
{
    const struct scree_interaction_value values[] = {
        {"friction", 0.3, NULL}, {"restitution", 0.5, NULL}, {"stiffness", 1e4, NULL}};
    const struct scree_wall_def floor = {
        .shape = SCREE_WALL_PLANE, .material = {1}, .plane = {.normal = {0, 1, 0}}};
    const struct scree_sphere_def ball = {.radius = 0.01,
                                          .material = {1},
                                          .position = {0, 0.01 - 1e-5, 0},
                                          .velocity = {speed, 0, 0},
                                          .fixed = SCREE_FIX_Y | SCREE_FIX_SPIN};
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
    scree_wall_id wall;
    scree_body_id body;
    struct scree_body_state state;
    assert_ok(scree_world_create(&(struct scree_world_def){0}, &world));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"grain", 2500}, &material));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
    assert_ok(scree_wall_add(world, &floor, &wall));
    assert_ok(scree_body_add_sphere(world, &ball, &body));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = time / (double)steps, .threads = 1},
                                &engine));
    assert_ok(scree_engine_run(engine, steps));
    assert_ok(scree_body_get(world, body, &state));
    const struct scree_energy energy = read_ledger(world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    *distance = state.position[0];
    return energy;
}

// Below 24 mm/s the spring carries the whole Coulomb limit, above it the dashpot an increasing part. The
// tolerance is the distance that first stretches the spring, mu N / k, where k is 2/7 of the normal
// stiffness.
static void friction_is_the_coulomb_limit_times_the_sliding_distance(void **state)
{
    (void)state;
    const double coulomb_limit = 0.3 * 1e4 * 1e-5, stretch = coulomb_limit / (1e4 * 2 / 7);
    static const struct {
        double speed, time;
    } cases[] = {{1, 0.1}, {0.05, 0.01}, {0.01, 0.003}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        for (uint64_t steps = 1000; steps <= 64000; steps *= 8) {
            double distance;
            const struct scree_energy energy = slide(cases[c].speed, cases[c].time, steps, &distance);
            if (!(fabs(energy.friction - coulomb_limit * distance) <= coulomb_limit * stretch &&
                  energy.dashpot <= coulomb_limit * stretch))
                fail_msg("%g m/s, %d steps: friction %g J, dashpots %g J, expected friction %g J",
                         cases[c].speed, (int)steps, energy.friction, energy.dashpot,
                         coulomb_limit * distance);
        }
}

// A wall moves in one step farther than the interaction range from a ball that has hardly moved. The stored
// energy must go to other entries of the ledger, although the attraction at the new distance is zero. The
// relative error of the trapezoidal rule in this step is about the displacement of the ball over that of the
// wall, below 1e-6.
static void a_contact_that_a_wall_ends_in_one_step_keeps_the_balance(void **state)
{
    (void)state;
    const double radius = 0.05, modulus = 0.5 * 1e8 / (1 - 0.3 * 0.3);
    // docs/theory/contact-laws.md: contact radius at separation, and overlap at zero force
    const double separation_radius = cbrt(3.14159265358979 * radius * radius / (8 * modulus));
    const double overlap =
        separation_radius * separation_radius / radius * (cbrt(6 * 6 * 6 * 6) - 4 * cbrt(6));
    const struct scree_interaction_value values[] = {
        {"friction", 0.3, NULL}, {"restitution", 1, NULL}, {"work-of-adhesion", 1, NULL}};
    const struct scree_wall_def floor = {
        .shape = SCREE_WALL_PLANE, .material = {1}, .plane = {.normal = {0, 1, 0}}};
    const struct scree_sphere_def ball = {
        .radius = radius, .material = {1}, .position = {0, radius - overlap, 0}};
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
    scree_wall_id wall;
    scree_body_id body;
    assert_ok(scree_world_create(&(struct scree_world_def){0}, &world));
    assert_ok(scree_material_add(world, &(struct scree_material_def){"grain", 2000}, &material));
    assert_ok(scree_material_set(world, material, "young", 1e8));
    assert_ok(scree_material_set(world, material, "poisson", 0.3));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "jkr", .values = values, .count = 3}));
    assert_ok(scree_wall_add(world, &floor, &wall));
    assert_ok(scree_body_add_sphere(world, &ball, &body));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-6, .threads = 1}, &engine));
    assert_ok(scree_engine_run(engine, 10));
    const double stored = read_ledger(world).elastic;
    assert_ok(scree_wall_set_velocity(world, wall, (const double[3]){0, -30, 0}));
    assert_ok(scree_engine_run(engine, 10));
    const struct scree_energy after = read_ledger(world);
    assert_true(stored < 0 && after.elastic == 0);
    if (!(fabs(after.balance) <= 1e-6 * fabs(stored)))
        fail_msg("of %g J stored in the contact, %g J are in no entry of the ledger", stored, after.balance);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// The balls are so soft that one passes through the centre of the other: the normal reverses within a step.
// In this step the ledger is wrong by at most the force of 200 N times the displacement, for normal and
// friction.
static void nearly_coincident_centres_create_no_energy(void **state)
{
    (void)state;
    static const struct scree_interaction_value values[] = {
        {"friction", 0.5, NULL}, {"stiffness", 1e3, NULL}, {"restitution", 0.9, NULL}};
    for (int start = 0; start < 50; ++start) {
        struct scree_world *world;
        struct scree_engine *engine;
        scree_material_id material;
        scree_body_id id;
        struct scree_energy energy;
        const double step = 1e-5, speed = 5;
        assert_ok(scree_world_create(NULL, &world));
        assert_ok(
            scree_material_add(world, &(struct scree_material_def){.name = "m", .density = 2000}, &material));
        assert_ok(scree_interaction_add(
            world, &(struct scree_interaction_def){.law = "linear", .values = values, .count = 3}));
        const struct scree_sphere_def resting = {.radius = 0.1, .material = material};
        const struct scree_sphere_def flying = {.radius = 0.1,
                                                .material = material,
                                                .position = {-0.02 - 1e-6 * start, 1e-9, 0},
                                                .velocity = {speed, 0, 0}};
        assert_ok(scree_body_add_sphere(world, &resting, &id));
        assert_ok(scree_body_add_sphere(world, &flying, &id));
        const struct scree_soft_def def = {
            .step = step, .alarms = {.policy = {[SCREE_ALARM_OVERLAP] = SCREE_ALARM_IGNORE}}};
        assert_ok(scree_soft_create(world, &def, &engine));
        assert_ok(scree_engine_run(engine, 800));
        assert_ok(scree_energy_get(world, &energy));
        if (!(energy.friction >= 0 && fabs(energy.balance) < 2 * 200 * speed * step))
            fail_msg("start %d: friction %g J, balance %g J", start, energy.friction, energy.balance);
        scree_engine_destroy(engine);
        scree_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_energy_balance_is_of_order_2_in_the_step),
        cmocka_unit_test(absent_mechanisms_dissipate_exactly_zero),
        cmocka_unit_test(friction_is_the_coulomb_limit_times_the_sliding_distance),
        cmocka_unit_test(a_contact_that_a_wall_ends_in_one_step_keeps_the_balance),
        cmocka_unit_test(nearly_coincident_centres_create_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
