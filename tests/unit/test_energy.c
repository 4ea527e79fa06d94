// The energy ledger: its terms compared with closed forms, and a balance that vanishes with the time step,
// also when bodies are edited or removed.

#include "support/worlds.h"

#include <math.h>

static struct scree_energy ledger(struct scree_world *world)
{
    struct scree_energy energy;
    assert_ok(scree_energy_get(world, &energy));
    const double balance = energy.translation + energy.rotation + energy.gravity - energy.work +
                           energy.damping - energy.energy_input;
    assert_true(energy.balance == balance);
    return energy;
}

static void energies_and_momenta_of_a_body_equal_their_closed_forms(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    scree_body_id id;
    assert_ok(scree_world_set_gravity(world, (const double[3]){0, 0, -10}));
    const struct scree_rigid_def def = {
        .mass = 2, .inertia = {1, 2, 2.5}, .position = {1, 2, 3}, .velocity = {1, 2, 2}, .spin = {1, 1, 2}};
    assert_ok(scree_body_add_rigid(world, &def, &id));
    struct scree_energy energy = ledger(world);
    assert_true(energy.translation == 9 && energy.rotation == 0.5 * (1 + 2 + 10) && energy.gravity == 60);
    assert_true(energy.energy_input == 9 + 6.5 + 60 && energy.work == 0 && energy.damping == 0 &&
                energy.balance == 0);
    struct scree_momentum momentum;
    assert_ok(scree_energy_momentum(world, &momentum));
    assert_memory_equal(momentum.linear, ((const double[3]){2, 4, 4}), sizeof momentum.linear);
    // m x cross v = 2 (1,2,3) x (1,2,2) = 2 (-2, 1, 0), and L = (1, 2, 5)
    assert_memory_equal(momentum.angular, ((const double[3]){-3, 4, 5}), sizeof momentum.angular);
    assert_ok(scree_world_set_gravity(world, (const double[3]){0, 0, 5}));
    energy = ledger(world);
    assert_true(energy.gravity == -30 && energy.energy_input == 9 + 6.5 - 30 && energy.balance == 0);
    assert_ok(scree_body_remove(world, id));
    energy = ledger(world);
    assert_true(energy.energy_input == 0 && energy.balance == 0);
    scree_world_destroy(world);
}

static void the_work_of_a_constant_force_is_force_times_displacement(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    struct scree_body_state body;
    scree_load_id load;
    const scree_body_id id = scree_test_sphere(world);
    assert_ok(scree_load_add(world, &(struct scree_load_def){.force = {4}, .moment = {0, 0, 2}}, &load));
    assert_ok(scree_test_world_engine(&(struct scree_test_world){.step = 0x1p-7}, world, &engine));
    assert_ok(scree_engine_run(engine, 128));
    assert_ok(scree_body_get(world, id, &body));
    const struct scree_energy energy = ledger(world);
    // at t = 1: F x = F^2 / 2m and M^2 / 2I; the trapezoidal rule is exact for a linear power
    const double expected = 16 / (2 * body.mass) + 4 / (2 * body.inertia[0]);
    assert_true(fabs(energy.work - expected) < 1e-13 * expected);
    assert_true(fabs(energy.balance) < 1e-13 * expected);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

// The magnitude of the balance at t = 0.5 s, in J.
static double imbalance(struct scree_test_world setup, uint64_t steps)
{
    struct scree_world *world;
    struct scree_engine *engine;
    setup.step = 0.5 / (double)steps;
    assert_ok(scree_test_world_build(&setup, &world));
    assert_ok(scree_test_world_engine(&setup, world, &engine));
    assert_ok(scree_engine_run(engine, steps));
    const struct scree_energy energy = ledger(world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return fabs(energy.balance);
}

// The balance is of order 2, a factor of 256 for 16 times the steps. With local damping it is of order 1, a
// factor of 16, because the force jumps where a velocity changes sign.
static void the_balance_vanishes_with_the_step(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        struct scree_test_world setup;
        double min_ratio;
    } cases[] = {
        {"loaded", {.bodies = 30, .loads = true, .oriented = true}, 150},
        {"viscous", {.bodies = 30, .loads = true, .damping = {.viscous = 2}, .oriented = true}, 150},
        {"fixed", {.bodies = 30, .loads = true, .fixed = true, .oriented = true}, 150},
        {"fixed, viscous", {.bodies = 30, .loads = true, .fixed = true, .damping = {.viscous = 2}}, 150},
        {"fixed, local", {.bodies = 30, .loads = true, .fixed = true, .damping = {.local = 0.2}}, 7},
        {"plane",
         {.dimension = 2, .bodies = 30, .loads = true, .fixed = true, .damping = {.viscous = 1}},
         150},
        {"leapfrog",
         {.bodies = 30, .loads = true, .fixed = true, .translation = "leapfrog", .rotation = "fincham"},
         150},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        const double coarse = imbalance(cases[c].setup, 500), fine = imbalance(cases[c].setup, 8000);
        if (!(coarse / fine > cases[c].min_ratio))
            fail_msg("%s: the balance changes from %g to %g with a sixteenth of the step", cases[c].name,
                     coarse, fine);
    }
}

static scree_status remove_or_accelerate(struct scree_engine *engine, struct scree_world *world, void *user)
{
    (void)engine;
    const uint64_t *last = (const uint64_t *)user;
    scree_body_id id = {scree_world_steps(world) * 28 / *last + 2};
    struct scree_body_state body;
    if (id.value < 30 && id.value % 2 && scree_body_exists(world, id))
        return scree_body_remove(world, id);
    if (id.value < 30 && scree_body_exists(world, id) && scree_body_get(world, id, &body) == SCREE_OK &&
        body.velocity[0] < 5) {
        body.velocity[0] += 10;
        return scree_body_set_velocity(world, id, body.velocity);
    }
    return SCREE_OK;
}

static double imbalance_with_edits(int point, uint64_t steps)
{
    struct scree_test_world setup = {
        .bodies = 30, .loads = true, .damping = {.viscous = 1}, .step = 0.5 / (double)steps};
    struct scree_world *world;
    struct scree_engine *engine;
    assert_ok(scree_test_world_build(&setup, &world));
    assert_ok(scree_test_world_engine(&setup, world, &engine));
    assert_ok(scree_engine_set_callback(engine, point, remove_or_accelerate, &steps, NULL));
    assert_ok(scree_engine_run(engine, steps));
    const struct scree_energy energy = ledger(world);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return fabs(energy.balance);
}

// Energies of removed and edited bodies are those of their on-step velocities. From point 60 on, the forces
// of the step are known: order 2, a factor of 256. Before, on-step velocities are predictions, which do not
// contain the change of forces by the edit: order 1, a factor of 16.
static void the_balance_vanishes_with_the_step_when_bodies_are_removed_or_edited_within_steps(void **state)
{
    (void)state;
    static const struct {
        int point;
        double min_ratio;
    } cases[] = {{0, 150}, {10, 8}, {20, 8}, {45, 8}, {60, 150}, {70, 150}};
    for (size_t c = 0; c < 6; ++c) {
        const int point = cases[c].point;
        const double coarse = imbalance_with_edits(point, 280), fine = imbalance_with_edits(point, 280 * 16);
        if (!(coarse / fine > cases[c].min_ratio))
            fail_msg("at point %d the balance changes from %g to %g with a sixteenth of the step", point,
                     coarse, fine);
    }
}

// The moment that keeps a spin fixed cancels loads and damping, so that neither does work.
static void the_constraint_moment_of_a_fixed_spin_balances_damping(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_engine *engine;
    scree_load_id load;
    const scree_body_id id = scree_test_sphere(world);
    assert_ok(scree_body_set_spin(world, id, (const double[3]){0, 0, 2}));
    assert_ok(scree_body_fix(world, id, SCREE_FIX_SPIN_Z));
    assert_ok(scree_load_add(world, &(struct scree_load_def){.moment = {0, 0, 3}}, &load));
    assert_ok(scree_test_world_engine(&(struct scree_test_world){.damping = {0.3, 0.7}}, world, &engine));
    assert_ok(scree_engine_run(engine, 100));
    const struct scree_energy energy = ledger(world);
    assert_true(energy.work == 0 && energy.damping == 0 && energy.balance == 0);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void sums_do_not_depend_on_the_order_of_slots(void **state)
{
    (void)state;
    struct scree_world *world;
    uint64_t keys[100], seed = 1;
    assert_ok(scree_test_world_build(&(struct scree_test_world){.bodies = 100}, &world));
    const struct scree_energy before = ledger(world);
    struct scree_momentum momentum, after;
    assert_ok(scree_energy_momentum(world, &momentum));
    for (int round = 0; round < 10; ++round) {
        for (int k = 0; k < 100; ++k)
            keys[k] = splitmix_next(&seed);
        assert_ok(scree_world_sort(world, keys, 100));
        const struct scree_energy now = ledger(world);
        assert_ok(scree_energy_momentum(world, &after));
        assert_memory_equal(&before, &now, sizeof now);
        assert_memory_equal(&momentum, &after, sizeof after);
    }
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energies_and_momenta_of_a_body_equal_their_closed_forms),
        cmocka_unit_test(the_work_of_a_constant_force_is_force_times_displacement),
        cmocka_unit_test(the_balance_vanishes_with_the_step),
        cmocka_unit_test(the_balance_vanishes_with_the_step_when_bodies_are_removed_or_edited_within_steps),
        cmocka_unit_test(the_constraint_moment_of_a_fixed_spin_balances_damping),
        cmocka_unit_test(sums_do_not_depend_on_the_order_of_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
