// Exact sums, see sum.h: carries, the final rounding, and fast addition of many values.
//
// Many values: with M = 3 2^51 q the difference (v + M) - M is v rounded to a multiple of q, and the
// remainder is exact (pre-rounding: Demmel and Nguyen, IEEE ARITH 21, 2013). A block of values below 2^44 q
// is split into multiples of q, which doubles add exactly, and remainders of at most q / 2, which are split
// again with a smaller q.

#include "base/sum.h"

#include "base/processor.h"

#include <stdbool.h>

// wide vectors are never passed to functions
#pragma GCC diagnostic ignored "-Wpsabi"

enum { LIMB_BITS = 32, DOUBLE_BITS = 2098, MANTISSA_BITS = 53 };

static const uint64_t infinity_bits = UINT64_C(0x7FF) << 52;

void scree_sum_carry(struct scree_sum *sum)
{
    int64_t carry = 0;
    for (int k = 0; k < SCREE_SUM_LIMBS - 1; ++k) {
        const int64_t value = sum->limbs[k] + carry;
        sum->limbs[k] = value & INT64_C(0xFFFFFFFF);
        carry = value >> LIMB_BITS;
    }
    sum->limbs[SCREE_SUM_LIMBS - 1] += carry;
    sum->pending = 1;
}

void scree_sum_merge(struct scree_sum *sum, const struct scree_sum *other)
{
    struct scree_sum carried = *other;
    // a sum without terms stays the zeroed one
    if (other->pending > 0) {
        scree_sum_carry(&carried);
        if (sum->pending >= INT64_C(1) << 30)
            scree_sum_carry(sum);
        for (int k = 0; k < SCREE_SUM_LIMBS; ++k)
            sum->limbs[k] += carried.limbs[k];
        ++sum->pending;
    }
    sum->infinite[0] += other->infinite[0];
    sum->infinite[1] += other->infinite[1];
    sum->nan += other->nan;
}

void scree_sum_add_special(struct scree_sum *sum, double value)
{
    if (value > 0)
        ++sum->infinite[0];
    else if (value < 0)
        ++sum->infinite[1];
    else
        ++sum->nan;
}

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// replaces the sum by its absolute value; returns whether it was negative
static bool take_sign(struct scree_sum *sum)
{
    if (sum->limbs[SCREE_SUM_LIMBS - 1] >= 0)
        return false;
    for (int k = 0; k < SCREE_SUM_LIMBS; ++k)
        sum->limbs[k] = -sum->limbs[k];
    scree_sum_carry(sum);
    return true;
}

// index of the leading bit of a non-negative sum without pending carries, -1 for zero
static int leading_bit(const struct scree_sum *sum)
{
    int k = SCREE_SUM_LIMBS - 1;
    while (k >= 0 && sum->limbs[k] == 0)
        --k;
    return k < 0 ? -1 : LIMB_BITS * k + 63 - __builtin_clzll((unsigned long long)sum->limbs[k]);
}

static bool any_below(const struct scree_sum *sum, int bit)
{
    for (int k = 0; k < bit / LIMB_BITS; ++k)
        if (sum->limbs[k] != 0)
            return true;
    return (sum->limbs[bit / LIMB_BITS] & ((INT64_C(1) << (bit % LIMB_BITS)) - 1)) != 0;
}

// at least 54 bits of such a sum, starting at `bit`
static uint64_t bits_from(const struct scree_sum *sum, int bit)
{
    const int64_t *limb = sum->limbs + bit / LIMB_BITS;
    const int shift = bit % LIMB_BITS;
    const uint64_t low = (uint64_t)limb[0] | (uint64_t)limb[1] << LIMB_BITS;
    // two shifts, because a shift by 64 is undefined
    return low >> shift | (uint64_t)limb[2] << LIMB_BITS << (LIMB_BITS - shift);
}

// the magnitude as the bits of a double; a carry out of the mantissa correctly increments the exponent
static uint64_t round_to_bits(const struct scree_sum *sum)
{
    const int lead = leading_bit(sum);
    if (lead >= DOUBLE_BITS)
        return infinity_bits;
    if (lead < MANTISSA_BITS)
        return (uint64_t)sum->limbs[0] | (uint64_t)sum->limbs[1] << LIMB_BITS;
    const int dropped = lead + 1 - MANTISSA_BITS;
    const uint64_t window = bits_from(sum, dropped - 1);
    const uint64_t mantissa = window >> 1;
    const bool up = (window & 1) != 0 && ((mantissa & 1) != 0 || any_below(sum, dropped - 1));
    return ((uint64_t)dropped << (MANTISSA_BITS - 1)) + mantissa + up;
}

double scree_sum_value(const struct scree_sum *sum)
{
    if (sum->nan > 0 || (sum->infinite[0] > 0 && sum->infinite[1] > 0))
        return from_bits(infinity_bits | UINT64_C(1) << 51);
    if (sum->infinite[0] > 0)
        return from_bits(infinity_bits);
    if (sum->infinite[1] > 0)
        return -from_bits(infinity_bits);
    if (sum->pending == 0)
        return 0;
    struct scree_sum carried = *sum;
    scree_sum_carry(&carried);
    const bool negative = take_sign(&carried);
    return from_bits(round_to_bits(&carried) | (uint64_t)negative << 63);
}

// --- many values

// BLOCK * 2^WINDOW = 2^53, so a block adds exactly. Values that span more than four windows are rare.
enum { LANES = 4, BLOCK = 512, GROUPS = BLOCK / LANES, WINDOW = 44, WINDOW_PAIRS = 2, BIAS = 1023 };

typedef double lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t lanes_bits __attribute__((vector_size(8 * LANES)));

#define SUM_INLINE static inline __attribute__((always_inline))

SUM_INLINE lanes_bits larger_of(lanes_bits a, lanes_bits b)
{
    const lanes_bits larger = a > b;
    return (a & larger) | (b & ~larger);
}

// Bits of the largest magnitude, which are ordered as positive doubles. `groups` is even.
SUM_INLINE int64_t largest_of(const double *values, size_t groups)
{
    const lanes_bits magnitude = (lanes_bits){0} + INT64_MAX;
    lanes_bits even = {0}, odd = {0};
    for (size_t g = 0; g < groups; g += 2) {
        lanes_bits one, other;
        memcpy(&one, values + LANES * g, sizeof one);
        memcpy(&other, values + LANES * (g + 1), sizeof other);
        even = larger_of(one & magnitude, even);
        odd = larger_of(other & magnitude, odd);
    }
    even = larger_of(even, odd);
    int64_t largest = 0;
    for (int l = 0; l < LANES; ++l)
        largest = even[l] > largest ? even[l] : largest;
    return largest;
}

// The multiples of the quantum of `constant`; the remainders are left in `values`.
SUM_INLINE lanes split(lanes *values, lanes constant)
{
    const lanes rounded = (*values + constant) - constant;
    *values -= rounded;
    return rounded;
}

// The constant M for multiples of 2^quantum.
SUM_INLINE lanes constant_of(int quantum)
{
    return (lanes){0} + from_bits((uint64_t)(quantum + MANTISSA_BITS - 1 + BIAS) << 52 | UINT64_C(1) << 51);
}

// Adds the multiples of 2^quantum in a block, then those of 2^next, and stores the remainders, which may
// replace the values. Returns whether any is not zero.
SUM_INLINE bool add_windows(struct scree_sum *sum, const double *values, lanes *remainder, size_t groups,
                            int quantum, int next)
{
    const lanes first = constant_of(quantum), second = constant_of(next);
    lanes even[2] = {{0}, {0}}, odd[2] = {{0}, {0}};
    lanes_bits left = {0};
    for (size_t g = 0; g < groups; g += 2) {
        lanes one, other;
        memcpy(&one, values + LANES * g, sizeof one);
        memcpy(&other, values + LANES * (g + 1), sizeof other);
        even[0] += split(&one, first);
        odd[0] += split(&other, first);
        even[1] += split(&one, second);
        odd[1] += split(&other, second);
        left |= (lanes_bits)one | (lanes_bits)other;
        remainder[g] = one;
        remainder[g + 1] = other;
    }
    int64_t any = 0;
    for (int w = 0; w < 2; ++w) {
        const lanes both = even[w] + odd[w];
        scree_sum_add(sum, both[0] + both[1] + both[2] + both[3]);
    }
    for (int l = 0; l < LANES; ++l)
        any |= left[l];
    return (any & INT64_MAX) != 0;
}

static void add_singly(struct scree_sum *sum, const double *values, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        scree_sum_add(sum, values[i]);
}

SCREE_PROCESSOR_WIDE static void add_block(struct scree_sum *sum, const double *values, size_t groups)
{
    enum { MIN_EXPONENT = -1074, HUGE_EXPONENT = 2000 };
    lanes remainder[GROUPS];
    const int64_t largest = largest_of(values, groups);
    const int exponent = (int)(largest >> 52);
    if (exponent > HUGE_EXPONENT) {
        add_singly(sum, values, LANES * groups);
        return;
    }
    bool left = largest != 0;
    // magnitudes are below 2^(exponent + 1 - BIAS)
    int quantum = exponent + 1 - BIAS - WINDOW;
    for (int w = 0; w < WINDOW_PAIRS && left; ++w, quantum -= 2 * (WINDOW + 1)) {
        const int next = quantum - (WINDOW + 1);
        left = add_windows(sum, w > 0 ? (const double *)remainder : values, remainder, groups,
                           quantum > MIN_EXPONENT ? quantum : MIN_EXPONENT,
                           next > MIN_EXPONENT ? next : MIN_EXPONENT);
    }
    if (left)
        add_singly(sum, (const double *)remainder, LANES * groups);
}

void scree_sum_add_all(struct scree_sum *sum, const double *values, size_t count)
{
    size_t first = 0;
    while (count - first >= 2 * LANES) {
        const size_t groups = count - first < BLOCK ? (count - first) / (2 * LANES) * 2 : GROUPS;
        add_block(sum, values + first, groups);
        first += LANES * groups;
    }
    add_singly(sum, values + first, count - first);
}
