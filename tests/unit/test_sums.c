// Sums of contact terms (contact/sums.h) equal the sums of the rounded terms, for terms of any size and
// number, in any order and row; and quanta fit the terms.
//
// The reference rounds each term to the nearest multiple of its quantum, ties to even, and adds with
// base/sum, which rounds the exact sum once.

#include "base/sum.h"
#include "base/team.h"
#include "contact/sums.h"
#include "support/splitmix.h"
#include "support/worlds.h"
#include "world/body.h"

#include <stdlib.h>

enum { GRAINS = 1030, EXTRA_ROWS = 8, TILES = 2, BLOCK = 128, CROWDED = 5 };

static const double radius = 0.37;

// Grains in two tiles, one of them crowded, and their sums.
struct setup {
    struct scree_contacts contacts;
    struct scree_sums sums;
    struct scree_grain grain[GRAINS];
    struct scree_wrench wrench[GRAINS];
    struct scree_losses loss[GRAINS];
    uint32_t crowded[1], grain_of[EXTRA_ROWS];
    struct scree_sum exact[SCREE_TERMS_ALL]; // of one grain
    bool not_finite;
    uint64_t random;
};

static struct setup setup;

static uint64_t random_bits(void)
{
    return splitmix_next(&setup.random);
}

// A random number in (-1, 1).
static double random_signed(void)
{
    return (double)(int64_t)random_bits() * 0x1p-63;
}

static void make_sums(bool internal)
{
    memset(&setup, 0, sizeof setup);
    setup.random = 7;
    for (size_t i = 0; i < GRAINS; ++i) {
        setup.grain[i].radius = radius;
        setup.grain[i].quantum = scree_sums_quantum(1e3, radius);
    }
    for (size_t r = 0; r < EXTRA_ROWS; ++r)
        setup.grain_of[r] = CROWDED;
    setup.crowded[0] = CROWDED;
    setup.contacts = (struct scree_contacts){
        .grains = GRAINS, .tiles = TILES, .crowded = setup.crowded, .crowded_count = 1};
    assert_ok(scree_sums_prepare(&setup.sums, &setup.contacts, EXTRA_ROWS, 1, internal));
    setup.sums.grain_of = setup.grain_of;
    scree_sums_begin(&setup.sums, true);
}

static void free_sums(void)
{
    scree_sums_free(&setup.sums);
}

// The quantum of a term. The constant of a grain is 7 * 2^50 quanta of force; the quantum of moments is
// 2^floor(log2 radius) quanta of force, that of losses 2^-10 quanta of moments.
static double quantum_of(const struct scree_grain *grain, int k)
{
    const uint64_t bits = (uint64_t)grain->quantum << 48;
    double constant;
    int exponent;
    memcpy(&constant, &bits, sizeof constant);
    frexp(grain->radius, &exponent);
    const bool loss = k == SCREE_TERM_FRICTION || k == SCREE_TERM_DASHPOT || k == SCREE_TERM_INTERNAL;
    return ldexp(constant / (7 * 0x1p50), loss ? exponent - 11 : k < SCREE_TERM_FRICTION ? 0 : exponent - 1);
}

// --- adding

static void add_exactly(const struct scree_grain *grain, const double *terms)
{
    for (int k = 0; k < SCREE_TERMS_ALL; ++k) {
        const double quantum = quantum_of(grain, k);
        setup.not_finite = setup.not_finite || !(fabs(terms[k]) < quantum * 0x1p160);
        scree_sum_add(&setup.exact[k], quantum * rint(terms[k] / quantum));
    }
}

// Adds terms as a contact loop does: terms beyond the limit go to the engine, the others to a row.
static void add_to_row(uint32_t slot, uint32_t row, const double *terms)
{
    const struct scree_kernel_job job = {.grain = setup.grain, .context = &setup.sums};
    scree_kernel_lanes term[SCREE_TERMS_ALL];
    uint32_t slots[8], rows[8];
    for (int l = 0; l < 8; ++l) {
        slots[l] = slot;
        rows[l] = row;
        for (int k = 0; k < SCREE_TERMS_ALL; ++k)
            term[k][l] = terms[k];
    }
    // the other seven lanes are padding
    scree_sums_split(&job, &(struct scree_kernel_eight){slots, rows, term, 1});
    for (int k = 0; k < SCREE_TERMS_ALL; ++k) {
        const double quanta = rint(term[k][0] / quantum_of(&setup.grain[slot], k));
        assert_true(fabs(quanta) <= 0x1p50 && term[k][7] == 0);
        if (k < SCREE_TERMS)
            setup.sums.sum[SCREE_TERMS * (size_t)row + (size_t)k] += (int64_t)quanta;
        else
            setup.sums.internal[row] += (int64_t)quanta;
    }
}

static void read_sums(void)
{
    memset(setup.loss, 0, sizeof setup.loss);
    for (size_t first = 0; first < GRAINS; first += BLOCK) {
        const size_t last = first + BLOCK < GRAINS ? first + BLOCK : GRAINS;
        scree_sums_take(&setup.sums, setup.grain, first, last, setup.wrench + first, setup.loss + first,
                        SCREE_SUMS_STEP);
    }
}

static void read_terms(uint32_t slot, double *value)
{
    memcpy(value, setup.wrench[slot].force, 3 * sizeof *value);
    memcpy(value + SCREE_TERM_MOMENT, setup.wrench[slot].moment, 3 * sizeof *value);
    value[SCREE_TERM_FRICTION] = setup.loss[slot].friction;
    value[SCREE_TERM_DASHPOT] = setup.loss[slot].dashpot;
    value[SCREE_TERM_INTERNAL] = setup.loss[slot].internal;
    assert_memory_equal(&setup.loss[slot].ahead, &setup.loss[slot].dashpot, sizeof(double));
}

// Sums below 2^93 quanta are rounded once, larger ones at most three times, with an error of 2^-53 of the
// sum each; the exact sum is rounded once.
static void assert_exact(uint32_t slot)
{
    double value[SCREE_TERMS_ALL];
    read_terms(slot, value);
    for (int k = 0; k < SCREE_TERMS_ALL; ++k) {
        const double exact = scree_sum_value(&setup.exact[k]);
        const bool once = fabs(exact) < 0x1p93 * quantum_of(&setup.grain[slot], k);
        const double error = fabs(value[k] - exact);
        if (!(error <= (once ? 0 : 4 * 0x1p-53 * fabs(exact))))
            fail_msg("term %d is %.17g, not %.17g", k, value[k], exact);
    }
    memset(setup.exact, 0, sizeof setup.exact);
}

// Checks that all sums are empty again.
static void assert_empty(void)
{
    read_sums();
    for (uint32_t slot = 0; slot < GRAINS; ++slot) {
        double value[SCREE_TERMS_ALL];
        read_terms(slot, value);
        for (int k = 0; k < SCREE_TERMS_ALL; ++k)
            assert_true(value[k] == 0);
    }
}

static void draw_terms(double size, double *terms)
{
    for (int k = 0; k < SCREE_TERMS_ALL; ++k)
        terms[k] = size * random_signed() * quantum_of(&setup.grain[0], k);
}

// --- terms of any size

static void terms_of_any_size_are_added_exactly(void **state)
{
    (void)state;
    make_sums(true);
    for (int size = -3; size < 160; ++size)
        for (uint32_t slot = 2; slot < GRAINS; slot += 1024) {
            double terms[SCREE_TERMS_ALL];
            for (int n = 0; n < 20; ++n) {
                // one large term among usual ones, for both ways of adding
                draw_terms(n == 7 || n == 13 ? ldexp(1, size) : 0x1p46, terms);
                add_exactly(&setup.grain[slot], terms);
                if (n % 2 == 0)
                    scree_sums_add(&setup.sums, &setup.grain[slot], slot, slot, terms);
                else
                    add_to_row(slot, slot, terms);
            }
            read_sums();
            assert_exact(slot);
            // the grains beside it, and the next sums, are not affected
            for (uint32_t other = slot - 1; other <= slot + 1; other += 2)
                for (int k = 0; k < 3; ++k)
                    assert_true(setup.wrench[other].force[k] == 0 && setup.wrench[other].moment[k] == 0);
            assert_empty();
        }
    assert_false(setup.not_finite);
    free_sums();
}

static void terms_at_the_limits_are_rounded_like_the_others(void **state)
{
    (void)state;
    static const double quanta[] = {0x1p50 - 1,
                                    0x1p50 - 0.5,
                                    0x1p50 - 0.25,
                                    0x1p50,
                                    0x1p50 + 0.25,
                                    0x1p50 + 1,
                                    0x1p52,
                                    0x1p53 - 1,
                                    0x1p53 + 2,
                                    0.5,
                                    1.5,
                                    0.25,
                                    0.75,
                                    0x1p40 + 0.5,
                                    0x1p39,
                                    0x1p80,
                                    0x1p79,
                                    0x1p119,
                                    0x1p120,
                                    0x1.8p39,
                                    0x1p90 + 0x1p40,
                                    0x1p159,
                                    0x1.fffffffffffffp159};
    make_sums(true);
    for (size_t m = 0; m < sizeof quanta / sizeof quanta[0]; ++m)
        for (int sign = -1; sign <= 1; sign += 2)
            for (int method = 0; method < 2; ++method) {
                double terms[SCREE_TERMS_ALL];
                for (int k = 0; k < SCREE_TERMS_ALL; ++k)
                    terms[k] = sign * quanta[m] * quantum_of(&setup.grain[3], k);
                add_exactly(&setup.grain[3], terms);
                if (method)
                    add_to_row(3, 3, terms);
                else
                    scree_sums_add(&setup.sums, &setup.grain[3], 3, 3, terms);
                read_sums();
                assert_exact(3);
            }
    assert_false(setup.not_finite);
    free_sums();
}

static void nan_and_overflow_make_the_sum_nan(void **state)
{
    (void)state;
    make_sums(true);
    const double bad[] = {NOT_A_NUMBER, INFINITE, -INFINITE, quantum_of(&setup.grain[9], 0) * 0x1p161, 1e308};
    for (size_t b = 0; b < sizeof bad / sizeof bad[0]; ++b)
        for (int method = 0; method < 2; ++method) {
            double terms[SCREE_TERMS_ALL] = {1, 2, 3};
            scree_sums_add(&setup.sums, &setup.grain[9], 9, 9, terms);
            scree_sums_add(&setup.sums, &setup.grain[10], 10, 10, terms);
            terms[1] = bad[b];
            if (method)
                add_to_row(9, 9, terms);
            else
                scree_sums_add(&setup.sums, &setup.grain[9], 9, 9, terms);
            read_sums();
            for (int k = 0; k < 3; ++k) {
                assert_true(isnan(setup.wrench[9].force[k]) && isnan(setup.wrench[9].moment[k]));
                assert_true(fabs(setup.wrench[10].force[k] - (k + 1)) < 1e-9);
            }
            assert_empty();
        }
    // a nonzero term of a grain without a quantum gives NaN too
    double terms[SCREE_TERMS_ALL] = {0};
    setup.grain[9].quantum = 0;
    scree_sums_add(&setup.sums, &setup.grain[9], 9, 9, terms);
    assert_empty();
    terms[0] = 1;
    scree_sums_add(&setup.sums, &setup.grain[9], 9, 9, terms);
    read_sums();
    assert_true(isnan(setup.wrench[9].force[0]));
    free_sums();
}

// --- many terms

static uint32_t same_row(const void *context, uint32_t grain)
{
    const uint32_t *row = context;
    return row ? *row : grain;
}

static void many_terms_at_the_limit_do_not_overflow(void **state)
{
    (void)state;
    const double sizes[] = {0x1p50 - 1, 1 - 0x1p50, 0x1p54, -0x1p159, 0x1.23456p80};
    make_sums(true);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; ++s) {
        const uint32_t row = s % 2 ? GRAINS + 3 : CROWDED;
        double terms[SCREE_TERMS_ALL];
        for (int k = 0; k < SCREE_TERMS_ALL; ++k)
            terms[k] = sizes[s] * quantum_of(&setup.grain[CROWDED], k);
        for (int n = 1; n <= 50000; ++n) {
            add_exactly(&setup.grain[CROWDED], terms);
            add_to_row(CROWDED, row, terms);
            if (n % 4096 == 0)
                scree_sums_empty_crowded(&setup.sums, same_row, &row);
        }
        if (row != CROWDED)
            scree_sums_merge(&setup.sums, row, CROWDED);
        read_sums();
        assert_exact(CROWDED);
        assert_empty();
    }
    // the code that adds terms of walls must prevent overflow itself, because walls are not among the
    // candidates
    for (int n = 0; n < 50000; ++n) {
        double terms[SCREE_TERMS_ALL];
        for (int k = 0; k < SCREE_TERMS_ALL; ++k)
            terms[k] = (1 - 0x1p50) * quantum_of(&setup.grain[1], k);
        add_exactly(&setup.grain[1], terms);
        scree_sums_add(&setup.sums, &setup.grain[1], 1, 1, terms);
    }
    read_sums();
    assert_exact(1);
    free_sums();
}

// Bodies with many contacts from outside have rows in several pieces, each filled up to the limit.
static void full_rows_of_pieces_are_merged_without_overflow(void **state)
{
    (void)state;
    double terms[SCREE_TERMS_ALL];
    make_sums(true);
    for (int k = 0; k < SCREE_TERMS_ALL; ++k)
        terms[k] = (k % 2 ? 0x1p50 - 1 : 1 - 0x1p50) * quantum_of(&setup.grain[CROWDED], k);
    for (uint32_t row = GRAINS; row < GRAINS + EXTRA_ROWS; ++row)
        // one term less than would empty the row, and the 4095 terms of pairs of spheres
        for (int n = 0; n < 4096 + 4095; ++n) {
            add_exactly(&setup.grain[CROWDED], terms);
            if (n < 4096)
                scree_sums_add(&setup.sums, &setup.grain[CROWDED], CROWDED, row, terms);
            else
                add_to_row(CROWDED, row, terms);
        }
    for (uint32_t row = GRAINS; row < GRAINS + EXTRA_ROWS; ++row)
        scree_sums_merge(&setup.sums, row, CROWDED);
    read_sums();
    assert_exact(CROWDED);
    assert_empty();
    free_sums();
}

static void crowded_grains_are_those_of_the_contacts(void **state)
{
    (void)state;
    make_sums(false);
    assert_int_equal(setup.sums.crowded_count, 1);
    assert_int_equal(setup.sums.crowded[0], CROWDED);
    free_sums();
}

// --- any order and row

enum { TERMS = 600, ROUNDS = 40 };

static double many_terms[TERMS][SCREE_TERMS_ALL];

static void draw_all_terms(void)
{
    for (size_t n = 0; n < TERMS; ++n)
        draw_terms(ldexp(1, (int)(random_bits() % (n % 5 == 0 ? 158 : 50))), many_terms[n]);
}

static void shuffle(void)
{
    for (size_t n = TERMS; n > 1; --n) {
        const size_t other = random_bits() % n;
        double swap[SCREE_TERMS_ALL];
        memcpy(swap, many_terms[n - 1], sizeof swap);
        memcpy(many_terms[n - 1], many_terms[other], sizeof swap);
        memcpy(many_terms[other], swap, sizeof swap);
    }
}

static void merge_all(void)
{
    for (uint32_t row = GRAINS; row < GRAINS + EXTRA_ROWS; ++row)
        scree_sums_merge(&setup.sums, row, CROWDED);
}

static void add_range(void *context, size_t first, size_t last, int thread)
{
    (void)context;
    for (size_t n = first; n < last; ++n)
        add_to_row(CROWDED, GRAINS + (uint32_t)thread, many_terms[n]);
}

static void sums_do_not_depend_on_order_and_row(void **state)
{
    (void)state;
    double expected[SCREE_TERMS_ALL], value[SCREE_TERMS_ALL];
    make_sums(true);
    draw_all_terms();
    for (int round = 0; round < ROUNDS; ++round) {
        const size_t rows = 1 + random_bits() % EXTRA_ROWS, interval = 1 + random_bits() % 100;
        for (size_t n = 0; n < TERMS; ++n) {
            const uint32_t row = n % 3 == 0 ? CROWDED : GRAINS + (uint32_t)(random_bits() % rows);
            add_to_row(CROWDED, row, many_terms[n]);
            if (random_bits() % interval == 0)
                scree_sums_empty_crowded(&setup.sums, same_row, &row);
        }
        merge_all();
        read_sums();
        read_terms(CROWDED, value);
        if (round == 0)
            memcpy(expected, value, sizeof expected);
        assert_memory_equal(value, expected, sizeof expected);
        shuffle();
    }
    for (int threads = 1; threads <= EXTRA_ROWS; ++threads) {
        scree_sums_begin(&setup.sums, false);
        scree_team_run(&(struct scree_team){threads}, TERMS, 1, add_range, NULL);
        merge_all();
        read_sums();
        read_terms(CROWDED, value);
        assert_memory_equal(value, expected, sizeof expected);
    }
    assert_empty();
    free_sums();
}

// --- quanta

static double constant_of(uint16_t quantum)
{
    const uint64_t bits = (uint64_t)quantum << 48;
    double constant;
    memcpy(&constant, &bits, sizeof constant);
    return constant;
}

static void quanta_fit_the_bound_of_the_terms(void **state)
{
    (void)state;
    for (double size = 1e-150; size < 2e150; size *= 1e5)
        for (double bound = 1e-300; bound < 1e300; bound *= 137) {
            struct scree_grain grain = {.radius = size, .quantum = scree_sums_quantum(bound, size)};
            const double limit = 0x1p50 * quantum_of(&grain, 0),
                         loss = quantum_of(&grain, SCREE_TERM_INTERNAL);
            // quanta are normal numbers, and the largest terms do not overflow
            assert_true(constant_of(grain.quantum) / ldexp(1, ilogb(constant_of(grain.quantum))) == 1.75);
            assert_true(loss >= 0x1p-1022 && 0x1p160 * quantum_of(&grain, SCREE_TERM_MOMENT) < 0x1p1000);
            if (bound * size > 1e-220 && bound * size < 1e220 && bound > 1e-220 && bound < 1e220)
                assert_true(limit > bound && limit <= 2 * bound);
        }
}

static void choose_quantum(double step, double force, double speed, double mass, double size, double *limit)
{
    struct scree_grain grain = {.radius = size, .mass = mass, .velocity = {0.5 * speed, -speed}};
    const double terms[SCREE_TERMS_ALL] = {0.3 * force, -0.7 * force, force};
    scree_sums_begin(&setup.sums, true);
    scree_sums_measure_one(&setup.sums, 4, terms);
    scree_sums_choose(&setup.sums, &grain, 4, step);
    *limit = 0x1p50 * quantum_of(&grain, 0);
    assert_true(step == 0 || grain.quantum != 0);
}

static void quanta_follow_from_forces_and_impacts(void **state)
{
    (void)state;
    double limit;
    make_sums(false);
    // force and limit are rounded to powers of two: the limit is 16 to 64 times the force
    choose_quantum(0, 3, 0, 1, 0.1, &limit);
    assert_true(limit >= 16 * 3 && limit <= 64 * 3);
    choose_quantum(1e-5, 3, 1e-9, 1, 0.1, &limit);
    assert_true(limit >= 16 * 3 && limit <= 64 * 3);
    // the limit is above the force that stops the mass within a quarter of a step
    choose_quantum(1e-5, 3, 2, 1, 0.1, &limit);
    assert_true(limit > 4 * 2 / 1e-5 && limit <= 2 * 4 * 2 / 1e-5 * (1 + 1e-12));
    // a grain without contacts has no quantum
    choose_quantum(0, 0, 2, 1, 0.1, &limit);
    assert_true(limit == 0);
    choose_quantum(0, NOT_A_NUMBER, 2, 1, 0.1, &limit);
    assert_true(limit == 0);
    choose_quantum(1e-5, 0, 0, 1, 0.1, &limit);
    assert_true(limit > 0);
    // one that moves or is loaded hardly has that of a grain at rest: no other may hit it with 2^110 limits
    for (double tiny = 1e-20; tiny > 0; tiny *= 1e-5) {
        double other;
        choose_quantum(1e-5, 0, tiny, 1, 0.1, &other);
        assert_true(other == limit);
        choose_quantum(1e-5, tiny, 0, 1, 0.1, &other);
        assert_true(other == limit);
    }
    free_sums();
}

static void extreme_masses_radii_and_speeds_have_quanta(void **state)
{
    (void)state;
    const double extremes[] = {1e-150, 1e-100, 1, 1e100, 1e150}, speeds[] = {0, 1e-300, 1, 1e150, INFINITE},
                 steps[] = {1e-308, 1e-300, 1e-9, 1, 1e150}, forces[] = {0, 5e-324, 1, 1e308, INFINITE};
    double limit;
    make_sums(false);
    for (int m = 0; m < 5; ++m)
        for (int r = 0; r < 5; ++r)
            for (int v = 0; v < 5; ++v)
                for (int h = 0; h < 5; ++h)
                    for (int f = 0; f < 5; ++f) {
                        choose_quantum(steps[h], forces[f], speeds[v], extremes[m], extremes[r], &limit);
                        assert_true(limit > 0 && limit < INFINITE);
                        choose_quantum(0, forces[f], speeds[v], extremes[m], extremes[r], &limit);
                        assert_true((limit > 0) == (f >= 1 && f <= 3) && limit < INFINITE);
                    }
    free_sums();
}

// A damaged or forged checkpoint may contain invalid constants, which cannot be used for rounding.
static void a_world_refuses_invalid_quanta(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    (void)scree_test_sphere(world);
    struct scree_grain *grain = &scree_world_grains(world)[0];
    for (double bound = 1e-300; bound < 1e300; bound *= 1e10) {
        grain->quantum = scree_sums_quantum(bound, grain->radius);
        assert_ok(scree_world_validate(world));
    }
    const uint16_t good = scree_sums_quantum(1, grain->radius);
    const uint16_t bad[] = {1,
                            good ^ 4,
                            good ^ 1,
                            good | 0x8000,
                            0x7FFC,
                            0x7FEC,
                            12,
                            (uint16_t)(scree_sums_quantum(1e308, grain->radius) + 16),
                            (uint16_t)(scree_sums_quantum(1e-308, grain->radius) - 16)};
    for (size_t b = 0; b < sizeof bad / sizeof bad[0]; ++b) {
        grain->quantum = bad[b];
        assert_refused(SCREE_ERROR_NUMBER, "quantum", scree_world_validate(world));
    }
    scree_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_of_any_size_are_added_exactly),
        cmocka_unit_test(terms_at_the_limits_are_rounded_like_the_others),
        cmocka_unit_test(nan_and_overflow_make_the_sum_nan),
        cmocka_unit_test(many_terms_at_the_limit_do_not_overflow),
        cmocka_unit_test(full_rows_of_pieces_are_merged_without_overflow),
        cmocka_unit_test(crowded_grains_are_those_of_the_contacts),
        cmocka_unit_test(sums_do_not_depend_on_order_and_row),
        cmocka_unit_test(quanta_fit_the_bound_of_the_terms),
        cmocka_unit_test(quanta_follow_from_forces_and_impacts),
        cmocka_unit_test(extreme_masses_radii_and_speeds_have_quanta),
        cmocka_unit_test(a_world_refuses_invalid_quanta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
