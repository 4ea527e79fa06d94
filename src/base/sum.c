// Carries, merging and the one rounding of exact sums.

#include "base/sum.h"

#include <stdbool.h>

enum { LIMB_BITS = 32, DOUBLE_BITS = 2098, MANTISSA_BITS = 53 };

static const uint64_t infinity_bits = UINT64_C(0x7FF) << 52;

void scree_sum_settle(struct scree_sum *sum)
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
    struct scree_sum addend = *other;
    scree_sum_settle(&addend);
    scree_sum_settle(sum);
    for (int k = 0; k < SCREE_SUM_LIMBS; ++k)
        sum->limbs[k] += addend.limbs[k];
    sum->infinite[0] += addend.infinite[0];
    sum->infinite[1] += addend.infinite[1];
    sum->nan += addend.nan;
    sum->pending = 2;
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

// leaves the absolute value; true when it was negative
static bool take_sign(struct scree_sum *sum)
{
    if (sum->limbs[SCREE_SUM_LIMBS - 1] >= 0)
        return false;
    for (int k = 0; k < SCREE_SUM_LIMBS; ++k)
        sum->limbs[k] = -sum->limbs[k];
    scree_sum_settle(sum);
    return true;
}

// the index of the leading bit of a settled sum above zero, -1 for zero
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

// at least 54 bits of a settled sum, from this one up
static uint64_t bits_from(const struct scree_sum *sum, int bit)
{
    const int64_t *limb = sum->limbs + bit / LIMB_BITS;
    const int shift = bit % LIMB_BITS;
    const uint64_t low = (uint64_t)limb[0] | (uint64_t)limb[1] << LIMB_BITS;
    // in two shifts, because one by 64 is undefined
    return low >> shift | (uint64_t)limb[2] << LIMB_BITS << (LIMB_BITS - shift);
}

// the magnitude as the bits of a double; a carry out of the mantissa runs into the exponent, as it should
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
    struct scree_sum settled = *sum;
    scree_sum_settle(&settled);
    const bool negative = take_sign(&settled);
    return from_bits(round_to_bits(&settled) | (uint64_t)negative << 63);
}
