// Sine, cosine and their inverses: bitwise the same on every machine, with errors below one unit in the last
// place.
//
// Kernels on |x| <= pi/4 are polynomials in z = x^2. All coefficients are minimax fits (Remez exchange in
// 200-bit arithmetic on a slightly widened interval; each coefficient was rounded to double before the
// remaining ones were fitted again). The relative error of the whole function is given at each polynomial,
// and is well below half a unit in the last place (2^-53). An argument beyond pi/4 is first reduced by
// multiples of pi/2 to a pair hi + lo: below 2^20 with pi/2 in four pieces (Cody and Waite), above with as
// many bits of 2/pi as needed (Payne and Hanek, SIGNUM Newsletter 18, 19, 1983).
#ifndef SCREE_MATH_TRIGONOMETRY_H
#define SCREE_MATH_TRIGONOMETRY_H

#include "math/exact.h"

#define SCREE_TRIGONOMETRY_QUARTER_PI 0x1.921fb54442d18p-1
// pi/2 minus its rounded value SCREE_HALF_PI
#define SCREE_TRIGONOMETRY_HALF_PI_LOW 0x1.1a62633145c07p-54

struct scree_sincos {
    double sin, cos;
};

// an angle hi + lo in [-pi/4, pi/4] up to rounding, and the quarter turns subtracted, modulo 4
struct scree_trigonometry_angle {
    double hi, lo;
    int quarter;
};

// (sin(x) / x - 1) / z, z = x^2 <= (pi/4)^2; the error of sin stays below 2^-57.8
SCREE_FN double scree_trigonometry_sin_series(double z)
{
    double z2 = z * z;
    double low = -0x1.5555555555548p-3 + z * 0x1.111111110f731p-7;
    double middle = -0x1.a01a019be9609p-13 + z * 0x1.71de35557e164p-19;
    double high = -0x1.ae5e4bda252a5p-26 + z * 0x1.5d8b747783f6fp-33;
    return low + z2 * (middle + z2 * high);
}

// (cos(x) - 1 + z/2) / z^2, z = x^2 <= (pi/4)^2; the error of cos stays below 2^-63.9
SCREE_FN double scree_trigonometry_cos_series(double z)
{
    double z2 = z * z;
    double low = 0x1.555555555554bp-5 + z * -0x1.6c16c16c15015p-10;
    double middle = 0x1.a01a019c8f251p-16 + z * -0x1.27e4f7f190eeap-22;
    double high = 0x1.1ee9dbce90991p-29 + z * -0x1.8fa6843543896p-37;
    return low + z2 * (middle + z2 * high);
}

// (asin(x) / x - 1) / z, z = x^2 <= 1/4; the error of asin stays below 2^-59.8
SCREE_FN double scree_trigonometry_asin_series(double z)
{
    double z2 = z * z;
    double z4 = z2 * z2;
    double a = 0x1.5555555555578p-3 + z * 0x1.333333332df1fp-4;
    double b = 0x1.6db6db722abd2p-5 + z * 0x1.f1c71a8beab02p-6;
    double c = 0x1.6e8bdfdcb7860p-6 + z * 0x1.1c49dec618024p-6;
    double d = 0x1.ca213056e26a8p-7 + z * 0x1.75783baafbfb2p-7;
    double e = 0x1.6186aeeee060cp-7 + z * 0x1.e19b83246acebp-9;
    double f = 0x1.64ed92dc908d2p-6 + z * (-0x1.59d8698c78691p-6 + z * 0x1.0bdaa292b9a3cp-5);
    return (a + z2 * b) + z4 * ((c + z2 * d) + z4 * (e + z2 * f));
}

// sin(hi + lo) and cos(hi + lo) for an angle within pi/4
SCREE_FN double scree_trigonometry_sin_kernel(double hi, double lo)
{
    double z = hi * hi;
    // the signs are such that the sine of -0 is -0
    return hi - (z * (0.5 * lo - hi * scree_trigonometry_sin_series(z)) - lo);
}

SCREE_FN double scree_trigonometry_cos_kernel(double hi, double lo)
{
    double z = hi * hi;
    double half = 0.5 * z;
    double near_one = 1.0 - half;
    return near_one + (((1.0 - near_one) - half) + (z * (z * scree_trigonometry_cos_series(z)) - hi * lo));
}

// |x| < 2^20: the first three pieces of pi/2 have 33 bits each, so their products with the number of quarter
// turns are exact
SCREE_FN struct scree_trigonometry_angle scree_trigonometry_reduce_medium(double x)
{
    double count = scree_real_round(x * 0x1.45f306dc9c883p-1);
    double first = x - count * 0x1.921fb544p+0;
    struct scree_exact second = scree_exact_sum(first, -(count * 0x1.0b4611a6p-34));
    struct scree_exact third = scree_exact_sum(second.hi, -(count * 0x1.3198a2ep-69));
    double tail = (second.lo + third.lo) - count * 0x1.b839a252049c1p-104;
    struct scree_exact angle = scree_exact_sum(third.hi, tail);
    struct scree_trigonometry_angle reduced = {angle.hi, angle.lo, (int)count & 3};
    return reduced;
}

SCREE_FN uint64_t scree_trigonometry_multiply_high(uint64_t a, uint64_t b)
{
    uint64_t a_hi = a >> 32;
    uint64_t a_lo = a & 0xffffffffU;
    uint64_t b_hi = b >> 32;
    uint64_t b_lo = b & 0xffffffffU;
    uint64_t middle = a_hi * b_lo + ((a_lo * b_lo) >> 32);
    uint64_t carry = (a_lo * b_hi + (middle & 0xffffffffU)) >> 32;
    return a_hi * b_hi + (middle >> 32) + carry;
}

// 64 bits of 2/pi starting at bit `offset`; the first 64 bits are the zeros before the binary point
SCREE_FN uint64_t scree_trigonometry_two_over_pi(int offset)
{
    static const uint64_t bits[] = {
        0x0000000000000000U, 0xa2f9836e4e441529U, 0xfc2757d1f534ddc0U, 0xdb6295993c439041U,
        0xfe5163abdebbc561U, 0xb7246e3a424dd2e0U, 0x06492eea09d1921cU, 0xfe1deb1cb129a73eU,
        0xe88235f52ebb4484U, 0xe99c7026b45f7e41U, 0x3991d639835339f4U, 0x9c845f8bbdf9283bU,
        0x1ff897ffde05980fU, 0xef2f118b5a0a6d1fU, 0x6d367ecf27cb09b7U, 0x4f463f669e5fea2dU,
        0x7527bac7ebe5f17bU, 0x3d0739f78a5292eaU, 0x6bfb5fb11f8d5d08U, 0x56033046fc7b6babU};
    int word = offset / 64;
    int shift = offset % 64;
    return shift == 0 ? bits[word] : bits[word] << shift | bits[word + 1] >> (64 - shift);
}

// 2^20 <= |x| < infinity. With |x| = m 2^e, the bits of 2/pi that contribute whole turns to m 2^e (2/pi) are
// left out, and the next 192 are multiplied by m modulo 2^192: the product is x as a fraction of a turn. No
// double is closer to a multiple of pi/2 than 2^-62, so at least 70 correct bits remain.
SCREE_FN struct scree_trigonometry_angle scree_trigonometry_reduce_huge(double x)
{
    uint64_t bits = scree_real_bits(x);
    int exponent = (int)(bits >> 52 & 0x7ffU) - 1075;
    uint64_t m = (bits & 0xfffffffffffffU) | 0x10000000000000U;
    uint64_t top = scree_trigonometry_two_over_pi(exponent + 62);
    uint64_t middle = scree_trigonometry_two_over_pi(exponent + 126);
    uint64_t bottom = scree_trigonometry_two_over_pi(exponent + 190);
    uint64_t low = m * bottom;
    uint64_t mid = m * middle + scree_trigonometry_multiply_high(m, bottom);
    uint64_t high = m * top + scree_trigonometry_multiply_high(m, middle) + (mid < m * middle);

    // the two leading bits count quarter turns; rounding to the nearest one leaves a signed fraction of a
    // quarter
    uint64_t fraction = high << 2 | mid >> 62;
    uint64_t negative = fraction >> 63;
    int quarter = (int)((high >> 62) + negative);
    mid = mid << 2 | low >> 62;
    low <<= 2;
    // the complement is the negative up to 2^-192, which is less than the truncation above
    if (negative) {
        low = ~low;
        mid = ~mid;
        fraction = ~fraction;
    }
    struct scree_exact part =
        scree_exact_sum_ordered((double)(fraction >> 11) * 0x1p-53,
                                (double)((fraction << 42 | mid >> 22) & 0x1fffffffffffffU) * 0x1p-106);
    part = scree_exact_sum_ordered(part.hi, part.lo + (double)((mid << 31 | low >> 33) & 0x1fffffffffffffU) *
                                                          0x1p-159);

    struct scree_exact angle = scree_exact_product(part.hi, SCREE_HALF_PI);
    angle = scree_exact_sum_ordered(
        angle.hi, angle.lo + (part.hi * SCREE_TRIGONOMETRY_HALF_PI_LOW + part.lo * SCREE_HALF_PI));
    double sign = (negative != 0) != (x < 0.0) ? -1.0 : 1.0;
    struct scree_trigonometry_angle reduced = {sign * angle.hi, sign * angle.lo,
                                               (x < 0.0 ? -quarter : quarter) & 3};
    return reduced;
}

SCREE_FN struct scree_trigonometry_angle scree_trigonometry_reduce(double x)
{
    struct scree_trigonometry_angle none = {x, 0.0, 0};
    double size = fabs(x);
    if (size <= SCREE_TRIGONOMETRY_QUARTER_PI) {
        return none;
    }
    if (size < 0x1p20) {
        return scree_trigonometry_reduce_medium(x);
    }
    if (size <= 0x1.fffffffffffffp1023) {
        return scree_trigonometry_reduce_huge(x);
    }
    // infinity has no sine: it becomes a NaN, and a NaN stays one
    none.hi = x - x;
    return none;
}

SCREE_FN struct scree_sincos scree_sincos(double x)
{
    struct scree_trigonometry_angle angle = scree_trigonometry_reduce(x);
    double s = scree_trigonometry_sin_kernel(angle.hi, angle.lo);
    double c = scree_trigonometry_cos_kernel(angle.hi, angle.lo);
    int swap = angle.quarter & 1;
    double sine = swap ? c : s;
    double cosine = swap ? s : c;
    struct scree_sincos result = {angle.quarter & 2 ? -sine : sine,
                                  (angle.quarter + 1) & 2 ? -cosine : cosine};
    return result;
}

SCREE_FN double scree_sin(double x)
{
    return scree_sincos(x).sin;
}

SCREE_FN double scree_cos(double x)
{
    return scree_sincos(x).cos;
}

// asin(sqrt((1 - x) / 2)) for 1/2 <= x <= 1, half of acos(x): the root, and a correction for the series and
// the rounding of the root
SCREE_FN struct scree_exact scree_trigonometry_half_acos(double x)
{
    double z = 0.5 * (1.0 - x);
    double root = sqrt(z);
    struct scree_exact square = scree_exact_product(root, root);
    double root_error = root > 0.0 ? ((z - square.hi) - square.lo) / (2.0 * root) : 0.0;
    return scree_exact_make(root, root * (z * scree_trigonometry_asin_series(z)) + root_error);
}

// NaN outside [-1, 1], like acos
SCREE_FN double scree_asin(double x)
{
    double size = fabs(x);
    if (size <= 0.5) {
        double z = x * x;
        return x + x * (z * scree_trigonometry_asin_series(z));
    }
    struct scree_exact half = scree_trigonometry_half_acos(size);
    struct scree_exact angle = scree_exact_sum_ordered(SCREE_HALF_PI, -2.0 * half.hi);
    return copysign(angle.hi + (angle.lo - (2.0 * half.lo - SCREE_TRIGONOMETRY_HALF_PI_LOW)), x);
}

SCREE_FN double scree_acos(double x)
{
    if (fabs(x) <= 0.5) {
        double z = x * x;
        double beyond = x * (z * scree_trigonometry_asin_series(z)) - SCREE_TRIGONOMETRY_HALF_PI_LOW;
        struct scree_exact angle = scree_exact_sum_ordered(SCREE_HALF_PI, -x);
        return angle.hi + (angle.lo - beyond);
    }
    struct scree_exact half = scree_trigonometry_half_acos(fabs(x));
    if (x > 0.0) {
        return 2.0 * (half.hi + half.lo);
    }
    struct scree_exact angle = scree_exact_sum_ordered(SCREE_HALF_PI, -half.hi);
    return 2.0 * (angle.hi + (angle.lo - (half.lo - SCREE_TRIGONOMETRY_HALF_PI_LOW)));
}

#endif
