// Moving round bodies in one pass (motion/round.h), compared bit for bit with the separate steps: sums,
// loads, damping, velocity Verlet, `spherical` with orientations and without, energy accounts, flags, and the
// pass after a drift. With every instruction set.

#include "base/processor.h"
#include "contact/sums.h"
#include "engine/account.h"
#include "engine/drift.h"
#include "motion/round.h"
#include "support/worlds.h"

enum { MAX_BODIES = 37 };

struct bodies {
    struct scree_grain grain[MAX_BODIES] __attribute__((aligned(64)));
    struct scree_wrench wrench[MAX_BODIES] __attribute__((aligned(64)));
    int64_t sum[SCREE_TERMS * MAX_BODIES] __attribute__((aligned(64)));
    int64_t internal[MAX_BODIES];
    struct scree_losses loss[MAX_BODIES] __attribute__((aligned(64)));
    struct scree_image image[MAX_BODIES];
    struct scree_rotor rotor[MAX_BODIES];
    bool oriented; // some orientations are integrated
};

static double random_signed(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

static const struct scree_motion_step step = {.h = 1e-3, .last = 0.7e-3, .gravity = {0.1, -9.81, 0.3, 0}};

// Some orientations are integrated, most of which the random spins turn by little. In every second case one
// of six bodies turns by up to ten radians in a step, so most groups have both kinds.
static void fill_orientations(struct bodies *bodies, bool fast, uint64_t seed)
{
    bodies->oriented = true;
    for (size_t i = 0; i < MAX_BODIES; ++i) {
        double *q = bodies->rotor[i].orientation, square = 0;
        for (int k = 0; k < 4; ++k) {
            q[k] = random_signed(&seed);
            square += q[k] * q[k];
        }
        for (int k = 0; k < 4; ++k)
            q[k] /= sqrt(square);
        bodies->grain[i].flags |= i % 4 == 1 ? 0u : SCREE_FLAG_ROTATES;
        for (int k = 0; k < 3 && fast && i % 6 == 4; ++k)
            bodies->grain[i].spin[k] *= 6 / step.h;
    }
}

// Orientations are integrated in two of three cases.
static void fill_bodies(struct bodies *bodies, uint64_t seed)
{
    const uint64_t number = seed;
    memset(bodies, 0, sizeof *bodies);
    for (size_t i = 0; i < MAX_BODIES; ++i) {
        struct scree_grain *grain = &bodies->grain[i];
        for (int k = 0; k < 3; ++k) {
            grain->position[k] = 10 * random_signed(&seed);
            grain->velocity[k] = random_signed(&seed);
            grain->spin[k] = i % 5 == 0 ? -0.0 : random_signed(&seed);
            grain->half_kick[k] = (float)random_signed(&seed);
            grain->half_twist[k] = (float)random_signed(&seed);
            bodies->wrench[i].force[k] = i % 7 == 0 ? -0.0 : 100 * random_signed(&seed);
            bodies->wrench[i].moment[k] = random_signed(&seed);
        }
        bodies->wrench[i].work = random_signed(&seed);
        bodies->wrench[i].loss = random_signed(&seed) + 1;
        bodies->loss[i] = (struct scree_losses){1 + random_signed(&seed), 2, 3 + random_signed(&seed),
                                                i % 3 ? random_signed(&seed) : 0};
        grain->radius = 0.5 + 0.25 * random_signed(&seed);
        grain->mass = 1 + 0.5 * random_signed(&seed);
        grain->owner = (uint32_t)i;
        grain->kind = i % 3 == 0 ? SCREE_KIND_DISK : SCREE_KIND_SPHERE;
        grain->material = 3;
        grain->part = 5;
        // quanta of 2^-40 N and less, so that most sums are comparable with weights
        grain->quantum = (uint16_t)(0x40bc - 0x10 * (i % 7));
        // some degrees of freedom are fixed, some states are on-step, some bodies are in the accounts; flags
        // that do not concern motion are set too
        grain->flags = (uint32_t)(i * 2654435761u >> 7) & (SCREE_FLAG_FREEDOMS | SCREE_FLAGS_ON_STEP);
        grain->flags |= (i % 2 ? SCREE_FLAG_ACCOUNTED : 0u) | (i % 4 ? SCREE_FLAG_OUT_OF_LEDGER : 0u);
        grain->flags |= i % 6 > 3 ? SCREE_FLAG_OWN_DAMPING : 0u;
    }
    if (number % 3)
        fill_orientations(bodies, number % 2, seed);
}

// A cell that some bodies have left, and the limit of displacement.
static const struct scree_drift drift = {
    .lower = {-9, -8, -1e300, -1e300},
    .upper = {9, 8.5, 1e300, 1e300},
    .period = {18, 16.5, (double)INFINITY, (double)INFINITY},
    .square_limit = 1.5,
    .periodic = true,
};

// The pass after a drift; returns the square of the largest speed, or NaN.
static double finish_drift(const struct scree_round *round, struct scree_image *image, bool *too_far)
{
    bool good = !round->not_finite;
    for (size_t i = 0; i < round->count; ++i)
        if (round->outside[i / 64] >> i % 64 & 1)
            good = scree_drift_wrap(&drift, &round->grain[i], &image[i]) && good;
    for (size_t i = round->count; i < SCREE_ROUND_MAX_BODIES; ++i)
        assert_false(round->outside[i / 64] >> i % 64 & 1);
    *too_far = round->too_far;
    return good ? round->fastest : (double)NAN;
}

static void clear_flags(const struct scree_motion_batch *batch)
{
    for (size_t i = 0; i < batch->count; ++i)
        batch->grain[i].flags &= ~(uint32_t)(SCREE_FLAGS_ON_STEP | SCREE_FLAG_ACCOUNTED);
}

static struct scree_round round_of(struct bodies *bodies, size_t count)
{
    return (struct scree_round){.count = count,
                                .step = &step,
                                .grain = bodies->grain,
                                .rotor = bodies->oriented ? bodies->rotor : NULL,
                                .wrench = bodies->wrench,
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

static void one_pass_has_the_bits_of_translation_rotation_orientation_and_flags(void **state)
{
    (void)state;
    static struct bodies fused, separate;
    for (size_t c = 0; c < 3 * MAX_BODIES; ++c) {
        const size_t count = c / 3 + 1;
        scree_processor_choose((int)(c % 3));
        fill_bodies(&fused, count);
        fill_bodies(&separate, count);
        struct scree_round round = round_of(&fused, count);
        struct scree_motion_batch batch = {
            .count = count, .step = &step, .grain = separate.grain, .wrench = separate.wrench};
        batch.rotor = separate.oriented ? separate.rotor : NULL;
        for (int steps = 0; steps < 3; ++steps) {
            bool too_far = false, separate_too_far = false;
            round.fastest = 0;
            scree_round_advance(&round);
            const double fastest = finish_drift(&round, fused.image, &too_far);
            move_one_by_one(&batch);
            const double separate_fastest =
                scree_drift_end(&drift, separate.grain, separate.image, count, &separate_too_far);
            assert_memory_equal(&fastest, &separate_fastest, sizeof separate_fastest);
            assert_int_equal(too_far, separate_too_far);
        }
        assert_memory_equal(&fused, &separate, sizeof fused);
    }
    scree_processor_choose(-1);
}

// --- with all forces and accounts

// Options of a case, as bits. ZERO_SUMS: groups of eight bodies without forces.
enum {
    LOADS = 1,
    LOCAL = 2,
    VISCOUS = 4,
    OWN_DAMPING = 8,
    INTERNAL = 16,
    ZERO_SUMS = 32,
    STORE_FORCES = 64,
    CASES = 128
};

static const struct scree_force_moment loads[2] = {{{0.1, -0.0, 3}, {0.01, 0.02, -0.3}},
                                                   {{1e-3, 1, 0.7}, {-0.01, -0.0, 1e-9}}};

static const struct scree_damping *own_dampings(unsigned options, struct scree_damping *common)
{
    static struct scree_damping own[MAX_BODIES];
    *common =
        (struct scree_damping){.local = options & LOCAL ? 0.3 : 0, .viscous = options & VISCOUS ? 7 : 0};
    for (size_t i = 0; i < MAX_BODIES; ++i)
        own[i] = (struct scree_damping){.local = i % 3 ? 0.01 * (double)i : 0, .viscous = i % 4 ? 1.0 : 0};
    return options & OWN_DAMPING ? own : NULL;
}

static void fill_sums(struct bodies *bodies, unsigned options, uint64_t seed)
{
    for (size_t i = 0; i < MAX_BODIES; ++i)
        for (int k = 0; k < SCREE_TERMS_ALL; ++k) {
            // sometimes zero, sometimes more than a double can represent; losses are not negative
            const bool is_loss =
                k == SCREE_TERM_FRICTION || k == SCREE_TERM_DASHPOT || k == SCREE_TERM_INTERNAL;
            const double value = random_signed(&seed) * (i % 5 ? 0x1p46 : 0x1p61);
            const bool zero = (options & ZERO_SUMS && i / 8 % 2) || i % 11 == 3;
            const int64_t sum = zero ? 0 : (int64_t)(is_loss ? fabs(value) : value);
            if (k < SCREE_TERMS)
                bodies->sum[SCREE_TERMS * i + (size_t)k] = sum;
            else
                bodies->internal[i] = options & INTERNAL ? sum : 0;
        }
}

static void move_in_one_pass(struct bodies *bodies, size_t count, unsigned options, double *fastest,
                             bool *too_far)
{
    struct scree_round round = round_of(bodies, count);
    round.own = own_dampings(options, &round.damping);
    round.sum = bodies->sum;
    round.internal = options & INTERNAL ? bodies->internal : NULL;
    round.loss = bodies->loss;
    round.load = loads;
    round.loads = options & LOADS ? 2 : 0;
    round.store_forces = options & STORE_FORCES;
    // as in the engine: if one body has local damping, drags of all are stored
    round.local = options & (LOCAL | OWN_DAMPING);
    round.viscous = options & (VISCOUS | OWN_DAMPING);
    round.accounts = options & (LOADS | LOCAL | VISCOUS | OWN_DAMPING | STORE_FORCES);
    scree_round_advance(&round);
    *fastest = finish_drift(&round, bodies->image, too_far);
}

static void move_in_steps(struct bodies *bodies, size_t count, unsigned options, double *fastest,
                          bool *too_far)
{
    static struct scree_on_step on_step[MAX_BODIES];
    static struct scree_force_moment drag[MAX_BODIES], contact_force[MAX_BODIES];
    static struct scree_damping damping[MAX_BODIES];
    static _Atomic uint8_t split[1];
    struct scree_sums sums = {
        .sum = bodies->sum, .internal = options & INTERNAL ? bodies->internal : NULL, .split = split};
    struct scree_damping common;
    const struct scree_damping *own = own_dampings(options, &common);
    scree_sums_take(&sums, bodies->grain, 0, count, bodies->wrench, bodies->loss, SCREE_SUMS_STEP);
    for (size_t i = 0; i < count; ++i) {
        damping[i] = own && bodies->grain[i].flags & SCREE_FLAG_OWN_DAMPING ? own[i] : common;
        memcpy(contact_force[i].force, bodies->wrench[i].force, sizeof contact_force[i].force);
        memcpy(contact_force[i].moment, bodies->wrench[i].moment, sizeof contact_force[i].moment);
        for (int l = 0; l < (options & LOADS ? 2 : 0); ++l)
            for (int k = 0; k < 3; ++k) {
                bodies->wrench[i].force[k] += loads[l].force[k];
                bodies->wrench[i].moment[k] += loads[l].moment[k];
            }
    }
    struct scree_motion_batch batch = {.count = count,
                                       .step = &step,
                                       .grain = bodies->grain,
                                       .wrench = bodies->wrench,
                                       .rotor = bodies->oriented ? bodies->rotor : NULL,
                                       .damping = options & (LOCAL | VISCOUS | OWN_DAMPING) ? damping : NULL,
                                       .viscous = options & (VISCOUS | OWN_DAMPING)};
    const bool drags = options & (LOCAL | OWN_DAMPING);
    scree_velocity_verlet.advance_and_complete(&batch, drags ? drag : NULL, on_step);
    scree_spherical.advance_and_complete(&batch, drags ? drag : NULL, on_step);
    batch.drag = drags ? drag : NULL;
    const struct scree_account_forces forces = {.contact = contact_force};
    if (options & (LOADS | LOCAL | VISCOUS | OWN_DAMPING | STORE_FORCES))
        scree_account_add(&batch, on_step, &forces, true);
    clear_flags(&batch);
    *fastest = scree_drift_end(&drift, bodies->grain, bodies->image, count, too_far);
}

static void assert_equal_bits(size_t count, unsigned options)
{
    static struct bodies fused, separate;
    fill_bodies(&fused, count + options);
    fill_bodies(&separate, count + options);
    for (uint64_t steps = 0; steps < 3; ++steps) {
        double fastest, separate_fastest;
        bool too_far = false, separate_too_far = false;
        fill_sums(&fused, options, count + steps);
        fill_sums(&separate, options, count + steps);
        move_in_one_pass(&fused, count, options, &fastest, &too_far);
        move_in_steps(&separate, count, options, &separate_fastest, &separate_too_far);
        assert_memory_equal(&fastest, &separate_fastest, sizeof separate_fastest);
        assert_int_equal(too_far, separate_too_far);
        // without accounts the single pass does not write forces
        if (!(options & (LOADS | LOCAL | VISCOUS | OWN_DAMPING | STORE_FORCES)))
            memcpy(fused.wrench, separate.wrench, sizeof fused.wrench);
        assert_memory_equal(&fused, &separate, sizeof fused);
    }
}

static void one_pass_has_the_bits_of_sums_loads_damping_motion_and_accounts(void **state)
{
    (void)state;
    for (unsigned c = 0; c < 3 * CASES; ++c) {
        scree_processor_choose((int)(c % 3));
        for (size_t count = 1; count <= MAX_BODIES; count += count < 17 ? 1 : 5)
            assert_equal_bits(count, c / 3);
    }
    scree_processor_choose(-1);
}

static void without_accounts_forces_are_written_if_requested(void **state)
{
    (void)state;
    static struct bodies fused, separate;
    for (int set = 0; set < 3; ++set) {
        static _Atomic uint8_t split[1];
        scree_processor_choose(set);
        fill_bodies(&fused, 1);
        fill_bodies(&separate, 1);
        fill_sums(&fused, 0, 5);
        fill_sums(&separate, 0, 5);
        struct scree_sums sums = {.sum = separate.sum, .split = split};
        scree_sums_take(&sums, separate.grain, 0, MAX_BODIES, separate.wrench, separate.loss,
                        SCREE_SUMS_STEP);
        struct scree_round round = round_of(&fused, MAX_BODIES);
        round.sum = fused.sum;
        round.loss = fused.loss;
        round.store_forces = true;
        scree_round_advance(&round);
        assert_memory_equal(fused.wrench, separate.wrench, sizeof fused.wrench);
        assert_memory_equal(fused.loss, separate.loss, sizeof fused.loss);
    }
    scree_processor_choose(-1);
}

static void values_that_are_not_finite_are_found(void **state)
{
    (void)state;
    static struct bodies bodies;
    for (size_t c = 0; c < 3 * MAX_BODIES; ++c) {
        scree_processor_choose((int)(c % 3));
        fill_bodies(&bodies, c);
        bodies.grain[c / 3].velocity[c / 3 % 2] = 1e200;
        struct scree_round round = round_of(&bodies, MAX_BODIES);
        scree_round_advance(&round);
        assert_true(round.not_finite && round.too_far && round.outside[c / 3 / 64] >> c / 3 % 64 & 1);
    }
    scree_processor_choose(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pass_has_the_bits_of_translation_rotation_orientation_and_flags),
        cmocka_unit_test(one_pass_has_the_bits_of_sums_loads_damping_motion_and_accounts),
        cmocka_unit_test(without_accounts_forces_are_written_if_requested),
        cmocka_unit_test(values_that_are_not_finite_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
