// Exact sums of doubles: independent of the order of addition, because the sum is rounded only once, at the
// end.
//
// A fixed-point number covers the whole range of a double, in limbs of 32 bits stored in 64, so that carries
// can be deferred (the small superaccumulator of Neal, "Fast exact summation using small and large
// superaccumulators", arXiv:1505.05571, with narrower limbs). Invariants: a zeroed sum is +0; the value is
// the exact sum, rounded once to nearest even.

#ifndef SCREE_BASE_SUM_H
#define SCREE_BASE_SUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// 2098 bits for the range of doubles, and 64 more for carries
#define SCREE_SUM_LIMBS 68

struct scree_sum {
    int64_t limbs[SCREE_SUM_LIMBS]; // limb k has the weight 2^(32 k - 1074)
    int64_t infinite[2];            // numbers of +inf and -inf added
    int64_t nan;                    // number of NaN added
    int64_t pending;                // additions since the last carry: limbs are at most 2^32 times this
};

// Propagates the carries: then every limb but the last is in [0, 2^32).
void scree_sum_carry(struct scree_sum *sum);

// Returns the rounded sum; +0 for an empty or exactly cancelling one, infinite beyond the range of a double.
double scree_sum_value(const struct scree_sum *sum);

// Counts an addend that is infinite or not a number.
void scree_sum_add_special(struct scree_sum *sum, double value);

static inline void scree_sum_add(struct scree_sum *sum, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const unsigned exponent = (unsigned)(bits >> 52) & 0x7FF;
    if (__builtin_expect(exponent == 0x7FF, 0)) {
        scree_sum_add_special(sum, value);
        return;
    }
    if (__builtin_expect(sum->pending >= INT64_C(1) << 30, 0))
        scree_sum_carry(sum);
    ++sum->pending;
    // a subnormal number has the weight of the smallest normal one, without its leading bit
    const unsigned normal = exponent != 0;
    const uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)normal << 52;
    const unsigned lowest_bit = exponent - normal;
    const unsigned shift = lowest_bit % 32;
    const int64_t sign = -(int64_t)(bits >> 63);
    int64_t *limb = sum->limbs + lowest_bit / 32;
    limb[0] += ((int64_t)((mantissa << shift) & 0xFFFFFFFF) ^ sign) - sign;
    limb[1] += ((int64_t)((mantissa >> (32 - shift)) & 0xFFFFFFFF) ^ sign) - sign;
    limb[2] += ((int64_t)(mantissa >> 32 >> (32 - shift)) ^ sign) - sign;
}

// Adds the exact value of another sum.
void scree_sum_merge(struct scree_sum *sum, const struct scree_sum *other);

// Adds many values, several times as fast as one by one.
void scree_sum_add_all(struct scree_sum *sum, const double *values, size_t count);

#endif
