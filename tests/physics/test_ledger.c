// The energy ledger of bodies that touch: the balance vanishes with the square of the step under every law,
// with moving walls, held bodies and loads, and no edit shows in it.

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

static struct scree_energy ledger(struct scree_world *world)
{
    struct scree_energy energy;
    assert_ok(scree_energy_get(world, &energy));
    const double balance = energy.translation + energy.rotation + energy.gravity + energy.elastic -
                           energy.work + energy.damping + energy.friction + energy.dashpot + energy.internal -
                           energy.energy_input;
    assert_true(energy.balance == balance);
    return energy;
}

// The ledger at a time, in several runs.
static struct scree_energy run(struct scree_bed bed, double time, uint64_t steps)
{
    struct scree_world *world;
    struct scree_engine *engine;
    bed.step = time / (double)steps;
    scree_bed_build(&bed, &world);
    scree_bed_engine(&bed, world, &engine);
    for (int part = 0; part < 4; ++part)
        assert_ok(scree_engine_run(engine, steps / 4));
    const struct scree_energy energy = ledger(world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return energy;
}

// The fall over three halvings, of 64 at order 2. Impacts are of random phase and their errors scatter about
// zero where nothing is damped, so that what is asserted there is less. The time is that of a few impacts of
// every grain: later chaos has made other worlds of other steps.
static void the_balance_vanishes_with_the_square_of_the_step(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        struct scree_bed bed;
        uint64_t steps;
        double least;
    } cases[] = {
        {"elastic gas", {.law = "hertz", .values = {{"restitution", 1, NULL}}}, 800, 40},
        {"damped gas", {.law = "hertz", .values = {{"restitution", 0.5, NULL}}}, 800, 55},
        {"friction", {.law = "hertz-mindlin", .values = {FRICTION, {"restitution", 1, NULL}}}, 800, 40},
        {"friction and damping", {.law = "hertz-mindlin", .values = {FRICTION, DAMPING}}, 800, 55},
        {"linear", {.law = "linear", .values = {FRICTION, DAMPING, STIFFNESS}}, 800, 55},
        {"attraction that bears friction",
         {.law = "linear", .values = {FRICTION, DAMPING, STIFFNESS, {"coulomb-limit", 0, "absolute"}}},
         800,
         50},
        {"attraction and a stiffness that changes",
         {.law = "hertz-mindlin", .values = {FRICTION, DAMPING, {"coulomb-limit", 0, "absolute"}}},
         800,
         55},
        {"secant", {.law = "hertz-mindlin-secant", .values = {FRICTION, DAMPING}}, 800, 55},
        {"cohesion",
         {.law = "linear-cohesion", .values = {FRICTION, DAMPING, {"cohesion", 1e5, NULL}}},
         800,
         50},
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
        {"a wall that moves and turns",
         {.law = "hertz-mindlin", .values = {FRICTION, DAMPING}, .pressed = true},
         800,
         55},
        {"held bodies, weight and loads",
         {.law = "hertz-mindlin",
          .values = {FRICTION, DAMPING},
          .held = true,
          .loaded = true,
          .gravity = -10},
         800,
         50},
        {"touching from the start, periodic",
         {.law = "hertz-mindlin", .values = {FRICTION, DAMPING}, .crowded = true, .periodic = true},
         800,
         55},
        {"disks",
         {.dimension = 2, .law = "linear", .values = {FRICTION, DAMPING, STIFFNESS}, .pressed = true},
         800,
         40},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        const double coarse = run(cases[c].bed, 0.04, cases[c].steps).balance;
        const double fine = run(cases[c].bed, 0.04, 8 * cases[c].steps).balance;
        if (!(fabs(coarse) > cases[c].least * fabs(fine)))
            fail_msg("%s: the balance goes from %g to %g", cases[c].name, coarse, fine);
    }
}

// Nothing is lost to what is not there.
static void columns_hold_what_they_say(void **state)
{
    (void)state;
    struct scree_bed bed = {.law = "hertz-mindlin",
                            .values = {FRICTION, DAMPING},
                            .crowded = true,
                            .pressed = true,
                            .held = true,
                            .gravity = -10};
    const struct scree_energy energy = run(bed, 0.01, 1000);
    assert_true(energy.elastic > 0 && energy.friction > 0 && energy.dashpot > 0 && energy.internal == 0);
    assert_true(energy.damping == 0 && energy.work > 0);
    bed.values[0].number = 0;
    bed.values[1].number = 1;
    const struct scree_energy smooth = run(bed, 0.01, 1000);
    assert_true(smooth.friction == 0 && smooth.dashpot == 0 && smooth.internal == 0);
}

// What a ball that cannot turn loses over a floor at a held depth, and the way that it slides.
static struct scree_energy slide(double speed, double time, uint64_t steps, double *way)
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
    const struct scree_energy energy = ledger(world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    *way = state.position[0];
    return energy;
}

// Whoever bears the force beyond the cap, the spring below 24 mm/s here and ever less of it above. It has to
// be stretched first, by mu N / k, where k is 2/7 of the one along the normal: no more than that is astray.
static void friction_is_the_cap_along_the_way_that_is_slid(void **state)
{
    (void)state;
    const double cap = 0.3 * 1e4 * 1e-5, stretch = cap / (1e4 * 2 / 7);
    static const struct {
        double speed, time;
    } cases[] = {{1, 0.1}, {0.05, 0.01}, {0.01, 0.003}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c)
        for (uint64_t steps = 1000; steps <= 64000; steps *= 8) {
            double way;
            const struct scree_energy energy = slide(cases[c].speed, cases[c].time, steps, &way);
            if (!(fabs(energy.friction - cap * way) <= cap * stretch && energy.dashpot <= cap * stretch))
                fail_msg("%g m/s, %d steps: %g J to friction and %g J to dashpots, for %g J", cases[c].speed,
                         (int)steps, energy.friction, energy.dashpot, cap * way);
        }
}

// A wall that goes farther in a step than its contact reaches leaves a ball behind that has hardly moved.
// What the contact held, far below nothing where nothing pulls, has to go through the books all the same.
// What the trapezoid of that step lacks is of the order of the ball's way over the wall's, less than 1e-6.
static void a_wall_that_leaves_at_once_takes_its_contact_off_the_books(void **state)
{
    (void)state;
    const double radius = 0.05, modulus = 0.5 * 1e8 / (1 - 0.3 * 0.3);
    // EQUATIONS 7: the radius at separation, and the overlap at which the force vanishes
    const double least = cbrt(3.14159265358979 * radius * radius / (8 * modulus));
    const double overlap = least * least / radius * (cbrt(6 * 6 * 6 * 6) - 4 * cbrt(6));
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
    const double held = ledger(world).elastic;
    assert_ok(scree_wall_set_velocity(world, wall, (const double[3]){0, -30, 0}));
    assert_ok(scree_engine_run(engine, 10));
    const struct scree_energy after = ledger(world);
    assert_true(held < 0 && after.elastic == 0);
    if (!(fabs(after.balance) <= 1e-6 * fabs(held)))
        fail_msg("of %g J that the contact held %g J are in no book", held, after.balance);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// Balls that pass through each other's centres, softer than what they bring: the normal turns round between
// two steps, and friction does no more than the force of 200 N can over what is gone in a step.
static void centres_that_nearly_meet_make_no_energy(void **state)
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
        const struct scree_sphere_def still = {.radius = 0.1, .material = material};
        const struct scree_sphere_def flying = {.radius = 0.1,
                                                .material = material,
                                                .position = {-0.02 - 1e-6 * start, 1e-9, 0},
                                                .velocity = {speed, 0, 0}};
        assert_ok(scree_body_add_sphere(world, &still, &id));
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
        cmocka_unit_test(the_balance_vanishes_with_the_square_of_the_step),
        cmocka_unit_test(columns_hold_what_they_say),
        cmocka_unit_test(friction_is_the_cap_along_the_way_that_is_slid),
        cmocka_unit_test(a_wall_that_leaves_at_once_takes_its_contact_off_the_books),
        cmocka_unit_test(centres_that_nearly_meet_make_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
