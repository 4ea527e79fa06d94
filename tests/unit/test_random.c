// Random numbers (base/random.h): Philox against its published test vectors and a second implementation of
// the paper; draws against the moments of the uniform distribution and a chi-squared test.

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

struct known_answer {
    uint32_t counter[4], key[2], expected[4];
};

// test vectors published with the generator
static const struct known_answer known_answers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static struct scree_random_block philox(const uint32_t counter[4], const uint32_t key[2])
{
    const struct scree_random_block block = {{counter[0], counter[1], counter[2], counter[3]}};
    return scree_random_philox(block, (uint64_t)key[1] << 32 | key[0]);
}

static void philox_agrees_with_the_published_test_vectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known_answers / sizeof *known_answers; ++i) {
        const struct known_answer *known = known_answers + i;
        const struct scree_random_block block = philox(known->counter, known->key);
        assert_memory_equal(block.word, known->expected, sizeof known->expected);
    }
}

// the rounds of the paper, written differently: key r is key 0 plus r times the Weyl constant, and the
// halves L and R of the two lanes are swapped
static void reference_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t r0 = counter[0], l0 = counter[1], r1 = counter[2], l1 = counter[3];
    for (uint32_t round = 0; round < 10; ++round) {
        const uint64_t p0 = r0 * UINT64_C(3528531795), p1 = r1 * UINT64_C(3449720151);
        const uint32_t k0 = key[0] + round * UINT32_C(2654435769), k1 = key[1] + round * UINT32_C(3144134277);
        r0 = (uint32_t)(p1 / UINT64_C(4294967296)) ^ k0 ^ l0;
        l0 = (uint32_t)(p1 % UINT64_C(4294967296));
        r1 = (uint32_t)(p0 / UINT64_C(4294967296)) ^ k1 ^ l1;
        l1 = (uint32_t)(p0 % UINT64_C(4294967296));
    }
    out[0] = r0, out[1] = l0, out[2] = r1, out[3] = l1;
}

static void philox_agrees_with_a_second_implementation_of_the_paper(void **state)
{
    (void)state;
    uint32_t counter[4] = {1, 2, 3, 4}, key[2] = {5, 6};
    // each result is the next input
    for (int i = 0; i < 10000; ++i) {
        uint32_t expected[4];
        reference_philox(counter, key, expected);
        const struct scree_random_block block = philox(counter, key);
        assert_memory_equal(block.word, expected, sizeof expected);
        for (int k = 0; k < 4; ++k)
            counter[k] = expected[k];
        key[0] ^= expected[1];
        key[1] += expected[2];
    }
}

static void two_draws_are_the_halves_of_one_block_with_the_hashed_key(void **state)
{
    (void)state;
    const struct scree_random_key key = {UINT64_C(0x0123456789ABCDEF), 0xCAFE};
    const uint64_t id = UINT64_C(0xA0B0C0D0E0F01020), step = UINT64_C(0x1122334455667788);
    const uint32_t hash_counter[4] = {0x55667788, 0x11223344, 0xCAFE, 0}, seed[2] = {0x89ABCDEF, 0x01234567};
    uint32_t hashed[4], block[4];
    reference_philox(hash_counter, seed, hashed);
    const uint32_t counter[4] = {0xE0F01020, 0xA0B0C0D0, 3, 0};
    reference_philox(counter, hashed, block);
    assert_int_equal(scree_random_bits(key, id, step, 6), (uint64_t)block[1] << 32 | block[0]);
    assert_int_equal(scree_random_bits(key, id, step, 7), (uint64_t)block[3] << 32 | block[2]);
}

static int compare_bits(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void every_argument_changes_the_draw(void **state)
{
    (void)state;
    // all combinations of four values of each of the five arguments, near zero and in the high half
    static const uint64_t values[4] = {0, 1, 2, UINT64_C(1) << 31};
    enum { COUNT = 4 * 4 * 4 * 4 * 4 };
    static uint64_t bits[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        const struct scree_random_key key = {values[i % 4] << 32, (uint32_t)values[i / 4 % 4]};
        bits[i] = scree_random_bits(key, values[i / 16 % 4] << 32, values[i / 64 % 4] << 32, values[i / 256]);
    }
    qsort(bits, COUNT, sizeof *bits, compare_bits);
    // among 2^20 values of 64 bits, two are equal with a probability of 2^-45 or less
    for (int i = 1; i < COUNT; ++i)
        assert_int_not_equal(bits[i], bits[i - 1]);
}

static void an_array_of_draws_equals_single_draws(void **state)
{
    (void)state;
    const struct scree_random_key key = {42, 7};
    for (size_t count = 0; count < 9; ++count) {
        double values[10] = {0};
        scree_random_fill(key, 11, 13, values, count);
        for (size_t draw = 0; draw < count; ++draw)
            assert_true(values[draw] == scree_random_uniform(key, 11, 13, draw));
        assert_true(values[count] == 0);
    }
}

static void the_ends_of_the_interval_are_never_drawn(void **state)
{
    (void)state;
    assert_true(scree_random_unit(0) == 0x1p-53);
    assert_true(scree_random_unit(UINT64_MAX) == 1 - 0x1p-53);
    assert_true(scree_random_unit(UINT64_C(1) << 63) == 0.5 + 0x1p-53);
}

enum { SAMPLES = 1000000 };

static void uniform_draws_have_the_moments_of_the_uniform_distribution(void **state)
{
    (void)state;
    const struct scree_random_key key = {1, 1};
    double sum = 0, square_sum = 0, product_sum = 0;
    for (uint64_t id = 0; id < SAMPLES; ++id) {
        double value[2];
        scree_random_fill(key, id, 0, value, 2);
        sum += value[0] - 0.5;
        square_sum += (value[0] - 0.5) * (value[0] - 0.5);
        product_sum += (value[0] - 0.5) * (value[1] - 0.5);
    }
    // five standard deviations of the means of 10^6 draws: 1/sqrt(12), 1/sqrt(180), 1/12, each over 1000
    assert_true(sum / SAMPLES < 5 * 2.887e-4 && sum / SAMPLES > -5 * 2.887e-4);
    assert_true(square_sum / SAMPLES - 1.0 / 12 < 5 * 7.454e-5 &&
                square_sum / SAMPLES - 1.0 / 12 > -5 * 7.454e-5);
    assert_true(product_sum / SAMPLES < 5 * 8.334e-5 && product_sum / SAMPLES > -5 * 8.334e-5);
}

static void draws_fall_evenly_into_bins(void **state)
{
    (void)state;
    enum { BINS = 256 };
    const struct scree_random_key key = {2, 2};
    int counts[BINS] = {0};
    for (uint64_t step = 0; step < SAMPLES; ++step)
        ++counts[(int)(scree_random_uniform(key, 3, step, 1) * BINS)];
    double chi_squared = 0;
    for (int i = 0; i < BINS; ++i) {
        const double excess = counts[i] - (double)SAMPLES / BINS;
        chi_squared += excess * excess / ((double)SAMPLES / BINS);
    }
    // 255 degrees of freedom: mean 255, standard deviation sqrt(510) = 22.6; five of these in each direction
    assert_true(chi_squared > 255 - 5 * 22.6 && chi_squared < 255 + 5 * 22.6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_agrees_with_the_published_test_vectors),
        cmocka_unit_test(philox_agrees_with_a_second_implementation_of_the_paper),
        cmocka_unit_test(two_draws_are_the_halves_of_one_block_with_the_hashed_key),
        cmocka_unit_test(every_argument_changes_the_draw),
        cmocka_unit_test(an_array_of_draws_equals_single_draws),
        cmocka_unit_test(the_ends_of_the_interval_are_never_drawn),
        cmocka_unit_test(uniform_draws_have_the_moments_of_the_uniform_distribution),
        cmocka_unit_test(draws_fall_evenly_into_bins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
