// Moving round bodies in one pass gives the bits of the separate steps (sums, loads, damping, velocity
// Verlet, `spherical`, energy accounts, clearing flags, and the pass after a drift), with every instruction
// set.

#include "base/processor.h"
#include "contact/sums.h"
#include "engine/account.h"
#include "engine/drift.h"
#include "motion/round.h"
#include "support/worlds.h"

enum { MOST = 37 };

struct crowd {
    struct scree_grain grain[MOST] __attribute__((aligned(64)));
    struct scree_wrench wrench[MOST] __attribute__((aligned(64)));
    int64_t sum[SCREE_TERMS * MOST] __attribute__((aligned(64)));
    int64_t internal[MOST];
    struct scree_losses loss[MOST] __attribute__((aligned(64)));
    struct scree_image image[MOST];
};

static double draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

static void make(struct crowd *crowd, uint64_t seed)
{
    memset(crowd, 0, sizeof *crowd);
    for (size_t i = 0; i < MOST; ++i) {
        struct scree_grain *grain = &crowd->grain[i];
        for (int k = 0; k < 3; ++k) {
            grain->position[k] = 10 * draw(&seed);
            grain->velocity[k] = draw(&seed);
            grain->spin[k] = i % 5 == 0 ? -0.0 : draw(&seed);
            grain->half_kick[k] = (float)draw(&seed);
            grain->half_twist[k] = (float)draw(&seed);
            crowd->wrench[i].force[k] = i % 7 == 0 ? -0.0 : 100 * draw(&seed);
            crowd->wrench[i].moment[k] = draw(&seed);
        }
        crowd->wrench[i].work = draw(&seed);
        crowd->wrench[i].loss = draw(&seed) + 1;
        crowd->loss[i] = (struct scree_losses){1 + draw(&seed), 2, 3 + draw(&seed), i % 3 ? draw(&seed) : 0};
        grain->radius = 0.5 + 0.25 * draw(&seed);
        grain->mass = 1 + 0.5 * draw(&seed);
        grain->owner = (uint32_t)i;
        grain->kind = i % 3 == 0 ? SCREE_KIND_DISK : SCREE_KIND_SPHERE;
        grain->material = 3;
        grain->part = 5;
        // quanta of 2^-40 N and less, so that most sums are comparable with weights
        grain->quantum = (uint16_t)(0x40bc - 0x10 * (i % 7));
        // some degrees of freedom fixed, on-step or not, in the accounts or not, and flags that do not
        // concern motion
        grain->flags = (uint32_t)(i * 2654435761u >> 7) & (SCREE_FLAG_FREEDOMS | SCREE_FLAGS_ON_STEP);
        grain->flags |= (i % 2 ? SCREE_FLAG_ACCOUNTED : 0u) | (i % 4 ? SCREE_FLAG_OUT_OF_LEDGER : 0u);
        grain->flags |= i % 6 > 3 ? SCREE_FLAG_OWN_DAMPING : 0u;
    }
}

// A cell that some bodies have left, and the pass after a drift in it.
static const struct scree_drift drift = {
    .lower = {-9, -8, -1e300, -1e300},
    .upper = {9, 8.5, 1e300, 1e300},
    .period = {18, 16.5, (double)INFINITY, (double)INFINITY},
    .square_limit = 1.5,
    .periodic = true,
};

static const struct scree_motion_step step = {.h = 1e-3, .last = 0.7e-3, .gravity = {0.1, -9.81, 0.3, 0}};

// The pass after a drift; returns the square of the largest speed.
static double finish_drift(const struct scree_round *round, struct scree_image *image, bool *far)
{
    bool good = !round->not_finite;
    for (size_t i = 0; i < round->count; ++i)
        if (round->outside[i / 64] >> i % 64 & 1)
            good = scree_drift_wrap(&drift, &round->grain[i], &image[i]) && good;
    for (size_t i = round->count; i < SCREE_ROUND_MAX_BODIES; ++i)
        assert_false(round->outside[i / 64] >> i % 64 & 1);
    *far = round->too_far;
    return good ? round->fastest : (double)NAN;
}

static void clear_flags(const struct scree_motion_batch *batch)
{
    for (size_t i = 0; i < batch->count; ++i)
        batch->grain[i].flags &= ~(uint32_t)(SCREE_FLAGS_ON_STEP | SCREE_FLAG_ACCOUNTED);
}

static struct scree_round round_of(struct crowd *crowd, size_t count)
{
    return (struct scree_round){.count = count,
                                .step = &step,
                                .grain = crowd->grain,
                                .wrench = crowd->wrench,
                                .lower = drift.lower,
                                .upper = drift.upper,
                                .square_limit = drift.square_limit};
}

static void move_one_by_one(const struct scree_motion_batch *batch)
{
    scree_velocity_verlet.advance(batch);
    scree_spherical.advance(batch);
    clear_flags(batch);
}

static void one_pass_has_the_bits_of_three(void **state)
{
    (void)state;
    static struct crowd one, other;
    for (size_t c = 0; c < 3 * MOST; ++c) {
        const size_t count = c / 3 + 1;
        scree_processor_choose((int)(c % 3));
        make(&one, count);
        make(&other, count);
        struct scree_round round = round_of(&one, count);
        struct scree_motion_batch batch = {
            .count = count, .step = &step, .grain = other.grain, .wrench = other.wrench};
        for (int steps = 0; steps < 3; ++steps) {
            bool far = false, other_far = false;
            round.fastest = 0;
            scree_round_advance(&round);
            const double fastest = finish_drift(&round, one.image, &far);
            move_one_by_one(&batch);
            const double most = scree_drift_end(&drift, other.grain, other.image, count, &other_far);
            assert_memory_equal(&fastest, &most, sizeof most);
            assert_int_equal(far, other_far);
        }
        assert_memory_equal(&one, &other, sizeof one);
    }
    scree_processor_choose(-1);
}

// --- with all forces and accounts

// Bits of a case.
enum { LOADS = 1, LOCAL = 2, VISCOUS = 4, OWN = 8, INTERNAL = 16, IDLE = 32, KEEPS = 64, CASES = 128 };

static const struct scree_force_moment loads[2] = {{{0.1, -0.0, 3}, {0.01, 0.02, -0.3}},
                                                   {{1e-3, 1, 0.7}, {-0.01, -0.0, 1e-9}}};

static const struct scree_damping *dampings(unsigned what, struct scree_damping *all)
{
    static struct scree_damping own[MOST];
    *all = (struct scree_damping){.local = what & LOCAL ? 0.3 : 0, .viscous = what & VISCOUS ? 7 : 0};
    for (size_t i = 0; i < MOST; ++i)
        own[i] = (struct scree_damping){.local = i % 3 ? 0.01 * (double)i : 0, .viscous = i % 4 ? 1.0 : 0};
    return what & OWN ? own : NULL;
}

static void fill_sums(struct crowd *crowd, unsigned what, uint64_t seed)
{
    for (size_t i = 0; i < MOST; ++i)
        for (int k = 0; k < SCREE_TERMS_ALL; ++k) {
            // sometimes zero, sometimes more than a double can represent; losses are not negative
            const bool is_loss =
                k == SCREE_TERM_FRICTION || k == SCREE_TERM_DASHPOT || k == SCREE_TERM_INTERNAL;
            const double many = draw(&seed) * (i % 5 ? 0x1p46 : 0x1p61);
            const bool none = (what & IDLE && i / 8 % 2) || i % 11 == 3;
            const int64_t sum = none ? 0 : (int64_t)(is_loss ? fabs(many) : many);
            if (k < SCREE_TERMS)
                crowd->sum[SCREE_TERMS * i + (size_t)k] = sum;
            else
                crowd->internal[i] = what & INTERNAL ? sum : 0;
        }
}

static void move_in_one_pass(struct crowd *crowd, size_t count, unsigned what, double *fastest, bool *far)
{
    struct scree_round round = round_of(crowd, count);
    round.own = dampings(what, &round.damping);
    round.sum = crowd->sum;
    round.internal = what & INTERNAL ? crowd->internal : NULL;
    round.loss = crowd->loss;
    round.load = loads;
    round.loads = what & LOADS ? 2 : 0;
    round.store_forces = what & KEEPS;
    // as in the engine: with any local damping there is a column of drags
    round.local = what & (LOCAL | OWN);
    round.viscous = what & (VISCOUS | OWN);
    round.accounts = what & (LOADS | LOCAL | VISCOUS | OWN | KEEPS);
    scree_round_advance(&round);
    *fastest = finish_drift(&round, crowd->image, far);
}

static void move_in_steps(struct crowd *crowd, size_t count, unsigned what, double *fastest, bool *far)
{
    static struct scree_on_step on_step[MOST];
    static struct scree_force_moment drag[MOST], touch[MOST];
    static struct scree_damping damping[MOST];
    static _Atomic uint8_t split[1];
    struct scree_sums sums = {
        .sum = crowd->sum, .internal = what & INTERNAL ? crowd->internal : NULL, .split = split};
    struct scree_damping all;
    const struct scree_damping *own = dampings(what, &all);
    scree_sums_take(&sums, crowd->grain, 0, count, crowd->wrench, crowd->loss, SCREE_SUMS_STEP);
    for (size_t i = 0; i < count; ++i) {
        damping[i] = own && crowd->grain[i].flags & SCREE_FLAG_OWN_DAMPING ? own[i] : all;
        memcpy(touch[i].force, crowd->wrench[i].force, sizeof touch[i].force);
        memcpy(touch[i].moment, crowd->wrench[i].moment, sizeof touch[i].moment);
        for (int l = 0; l < (what & LOADS ? 2 : 0); ++l)
            for (int k = 0; k < 3; ++k) {
                crowd->wrench[i].force[k] += loads[l].force[k];
                crowd->wrench[i].moment[k] += loads[l].moment[k];
            }
    }
    struct scree_motion_batch batch = {.count = count,
                                       .step = &step,
                                       .grain = crowd->grain,
                                       .wrench = crowd->wrench,
                                       .damping = what & (LOCAL | VISCOUS | OWN) ? damping : NULL,
                                       .viscous = what & (VISCOUS | OWN)};
    const bool drags = what & (LOCAL | OWN);
    scree_velocity_verlet.advance_and_complete(&batch, drags ? drag : NULL, on_step);
    scree_spherical.advance_and_complete(&batch, drags ? drag : NULL, on_step);
    batch.drag = drags ? drag : NULL;
    const struct scree_account_forces forces = {.contact = touch};
    if (what & (LOADS | LOCAL | VISCOUS | OWN | KEEPS))
        scree_account_add(&batch, on_step, &forces, true);
    clear_flags(&batch);
    *fastest = scree_drift_end(&drift, crowd->grain, crowd->image, count, far);
}

static void compare_both(size_t count, unsigned what)
{
    static struct crowd one, other;
    make(&one, count + what);
    make(&other, count + what);
    for (uint64_t steps = 0; steps < 3; ++steps) {
        double fastest, most;
        bool far = false, other_far = false;
        fill_sums(&one, what, count + steps);
        fill_sums(&other, what, count + steps);
        move_in_one_pass(&one, count, what, &fastest, &far);
        move_in_steps(&other, count, what, &most, &other_far);
        assert_memory_equal(&fastest, &most, sizeof most);
        assert_int_equal(far, other_far);
        // without accounts the one pass does not write forces
        if (!(what & (LOADS | LOCAL | VISCOUS | OWN | KEEPS)))
            memcpy(one.wrench, other.wrench, sizeof one.wrench);
        assert_memory_equal(&one, &other, sizeof one);
    }
}

static void one_pass_has_the_bits_of_sums_loads_damping_motion_and_accounts(void **state)
{
    (void)state;
    for (unsigned c = 0; c < 3 * CASES; ++c) {
        scree_processor_choose((int)(c % 3));
        for (size_t count = 1; count <= MOST; count += count < 17 ? 1 : 5)
            compare_both(count, c / 3);
    }
    scree_processor_choose(-1);
}

static void without_accounts_forces_are_written_if_requested(void **state)
{
    (void)state;
    static struct crowd one, other;
    for (int set = 0; set < 3; ++set) {
        static _Atomic uint8_t split[1];
        scree_processor_choose(set);
        make(&one, 1);
        make(&other, 1);
        fill_sums(&one, 0, 5);
        fill_sums(&other, 0, 5);
        struct scree_sums sums = {.sum = other.sum, .split = split};
        scree_sums_take(&sums, other.grain, 0, MOST, other.wrench, other.loss, SCREE_SUMS_STEP);
        struct scree_round round = round_of(&one, MOST);
        round.sum = one.sum;
        round.loss = one.loss;
        round.store_forces = true;
        scree_round_advance(&round);
        assert_memory_equal(one.wrench, other.wrench, sizeof one.wrench);
        assert_memory_equal(one.loss, other.loss, sizeof one.loss);
    }
    scree_processor_choose(-1);
}

static void values_that_are_not_finite_are_found(void **state)
{
    (void)state;
    static struct crowd crowd;
    for (size_t c = 0; c < 3 * MOST; ++c) {
        scree_processor_choose((int)(c % 3));
        make(&crowd, c);
        crowd.grain[c / 3].velocity[c / 3 % 2] = 1e200;
        struct scree_round round = round_of(&crowd, MOST);
        scree_round_advance(&round);
        assert_true(round.not_finite && round.too_far && round.outside[c / 3 / 64] >> c / 3 % 64 & 1);
    }
    scree_processor_choose(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pass_has_the_bits_of_three),
        cmocka_unit_test(one_pass_has_the_bits_of_sums_loads_damping_motion_and_accounts),
        cmocka_unit_test(without_accounts_forces_are_written_if_requested),
        cmocka_unit_test(values_that_are_not_finite_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
