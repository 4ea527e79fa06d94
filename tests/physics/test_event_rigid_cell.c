// Rigid bodies made of spheres in cells that are sheared: the energy ledger, the same bits however a run is
// divided, and a body that nothing hits.

#include "support/hard_clumps.h"

#include <scree/cell.h>

// n^3 dimers and trimers in turn on a lattice in a cube, with random spins and orientations, and random
// velocities about the mean motion.
static struct hard add_gas(int n, double spacing, bool dimers, double friction, const double gradient[9])
{
    struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 0.9, friction, 0.4);
    const double side = n * spacing, corner[3] = {0}, vectors[9] = {side, 0, 0, 0, side, 0, 0, 0, side};
    uint64_t seed = 7;
    assert_ok(scree_cell_set_vectors(hard.world, corner, vectors));
    assert_ok(scree_cell_set_form(hard.world, SCREE_CELL_NEWTON));
    assert_ok(scree_cell_deform(hard.world, gradient));
    for (int g = 0; g < n * n * n; ++g) {
        const int cell[3] = {g % n, g / n % n, g / n / n};
        struct scree_rigid_def at = {0};
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            at.position[k] = (cell[k] + 0.5) * spacing;
            at.velocity[k] = splitmix_signed(&seed);
            at.spin[k] = splitmix_signed(&seed);
        }
        for (int k = 0; k < 9; ++k)
            at.velocity[k / 3] += gradient[k] * at.position[k % 3];
        for (int c = 0; c < 4; ++c) {
            at.orientation[c] = splitmix_signed(&seed);
            square += at.orientation[c] * at.orientation[c];
        }
        for (int c = 0; c < 4; ++c)
            at.orientation[c] /= sqrt(square);
        (void)hard_add(&hard, dimers ? 0 : g % 2, &at);
    }
    return hard;
}

static const double sheared[9] = {0, 0.5}, turned[9] = {0, 0, 0, -0.3, 0, 0, 0, 0, 0},
                    strained[9] = {0.2, 0.3, 0, 0, -0.1, 0, 0.1, 0, -0.1};

// Kinetic energy of fluctuations, also that of spins about half of the curl, work of the cell and losses add
// up, to rounding errors of their parts; strained cells have flights that end with steps.
static void the_ledger_closes_in_any_gradient(void **state)
{
    (void)state;
    static const double *const gradients[] = {sheared, turned, strained};
    for (int g = 0; g < 6; ++g) {
        struct hard hard = add_gas(4, 1.6, g % 2, 0.3, gradients[g / 2]);
        struct scree_energy energy;
        struct scree_event_counts counts;
        hard_start(&hard, 0.02);
        double input = 0;
        for (int n = 0; n < 20; ++n) {
            assert_ok(scree_engine_run(hard.engine, 11));
            assert_ok(scree_energy_get(hard.world, &energy));
            input = energy.energy_input;
            hard_within(energy.balance / energy.energy_input, 0, 1e-12);
        }
        assert_ok(scree_event_get_counts(hard.engine, &counts));
        assert_true(counts.pairs > 100 && input > 0);
        assert_true(energy.friction > 0.01 * input && energy.dashpot > 0.01 * input);
        hard_end(&hard);
    }
}

static scree_status look(struct scree_engine *engine, struct scree_world *world, void *user)
{
    struct scree_energy energy;
    (void)engine;
    ++*(int *)user;
    return scree_energy_get(world, &energy);
}

// One run; the same divided into runs, with a callback in each step; continued by another engine; and
// continued from a file, with bodies in another order in memory.
static void a_run_has_the_same_bits_however_it_is_divided(void **state)
{
    (void)state;
    static const double *const gradients[] = {sheared, strained};
    for (int g = 0; g < 2; ++g) {
        struct scree_digest digest[4];
        for (int way = 0; way < 4; ++way) {
            struct hard hard = add_gas(4, 1.6, false, 0.3, gradients[g]);
            int calls = 0;
            hard_start(&hard, 0.02);
            if (way == 1)
                assert_ok(scree_engine_set_callback(hard.engine, 70, look, &calls, NULL));
            assert_ok(scree_engine_run(hard.engine, way == 0 ? 200 : 70));
            if (way >= 2) {
                scree_engine_destroy(hard.engine);
                if (way == 3) {
                    scree_test_restart(&hard.world, "event_rigid_cell.scree");
                    scree_test_shuffle(hard.world, 5);
                }
                hard_start(&hard, 0.02);
            }
            if (way > 0)
                assert_ok(scree_engine_run(hard.engine, 130));
            assert_int_equal(calls, way == 1 ? 200 : 0);
            assert_ok(scree_world_digest(hard.world, &digest[way]));
            hard_end(&hard);
        }
        for (int way = 1; way < 4; ++way)
            assert_memory_equal(&digest[0], &digest[way], sizeof digest[0]);
    }
}

// A body that nothing hits, in simple shear: it turns as without shear, and the energy of the fluctuation of
// its spin changes because its inertia about the mean spin does. The work of the cell is that change.
static void a_single_body_turns_freely(void **state)
{
    (void)state;
    struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 0.9, 0.3, 0.4);
    const double corner[3] = {0}, vectors[9] = {9, 0, 0, 0, 9, 0, 0, 0, 9};
    assert_ok(scree_cell_set_vectors(hard.world, corner, vectors));
    assert_ok(scree_cell_set_form(hard.world, SCREE_CELL_NEWTON));
    assert_ok(scree_cell_deform(hard.world, sheared));
    const scree_body_id id =
        hard_add(&hard, 1, &(struct scree_rigid_def){.position = {4, 0, 4}, .spin = {0.7, 1.1, -0.9}});
    const struct scree_body_state before = hard_state_of(&hard, id);
    struct scree_energy first, energy;
    assert_ok(scree_energy_get(hard.world, &first));
    hard_start(&hard, 0.01);
    double least = first.rotation, most = first.rotation;
    for (int n = 0; n < 50; ++n) {
        assert_ok(scree_engine_run(hard.engine, 13));
        assert_ok(scree_energy_get(hard.world, &energy));
        hard_within(energy.balance, 0, 1e-14);
        least = energy.rotation < least ? energy.rotation : least;
        most = energy.rotation > most ? energy.rotation : most;
    }
    const struct scree_body_state after = hard_state_of(&hard, id);
    assert_memory_equal(before.momentum, after.momentum, sizeof before.momentum);
    // with the mean spin w = -0.25 e_z it changes by less than w^2 (I_3 - I_1) / 2, and by a good part of
    // that
    const double bound = 0.5 * 0.0625 * (before.inertia[2] - before.inertia[0]);
    assert_true(most - least <= fabs(bound) && most - least > 0.2 * fabs(bound));
    hard_end(&hard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ledger_closes_in_any_gradient),
        cmocka_unit_test(a_run_has_the_same_bits_however_it_is_divided),
        cmocka_unit_test(a_single_body_turns_freely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
