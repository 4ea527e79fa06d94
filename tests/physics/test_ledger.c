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
                           energy.work + energy.damping + energy.friction + energy.dashpot + energy.inner -
                           energy.fed;
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
         {.law = "linear", .values = {FRICTION, DAMPING, STIFFNESS, {"cap", 0, "absolute"}}},
         800,
         50},
        {"attraction and a stiffness that changes",
         {.law = "hertz-mindlin", .values = {FRICTION, DAMPING, {"cap", 0, "absolute"}}},
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
    assert_true(energy.elastic > 0 && energy.friction > 0 && energy.dashpot > 0 && energy.inner == 0);
    assert_true(energy.damping == 0 && energy.work > 0);
    bed.values[0].number = 0;
    bed.values[1].number = 1;
    const struct scree_energy smooth = run(bed, 0.01, 1000);
    assert_true(smooth.friction == 0 && smooth.dashpot == 0 && smooth.inner == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_balance_vanishes_with_the_square_of_the_step),
        cmocka_unit_test(columns_hold_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
