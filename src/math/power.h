// Exponential, logarithm, power and cube root: bitwise the same on every machine, with errors below one unit
// in the last place.
//
// The logarithm is computed as a pair of doubles, accurate to 2^-68: with x = m 2^k and s = (m - 1) / (m +
// 1), log m = 2 atanh s. It is used by log, and by pow, which multiplies it by the exponent and passes the
// pair to the exponential. Polynomials are minimax fits, obtained as in trigonometry.h. Special values follow
// annex F of the C standard.
#ifndef SCREE_MATH_POWER_H
#define SCREE_MATH_POWER_H

#include "math/exact.h"

#define SCREE_POWER_INFINITY ((double)INFINITY)
#define SCREE_POWER_NAN ((double)NAN)

// log 2: the first piece has 42 bits, so that its product with an exponent is exact
#define SCREE_POWER_LOG2_HIGH 0x1.62e42fefa38p-1
#define SCREE_POWER_LOG2_LOW 0x1.ef35793c7673p-45

// beyond these exp overflows, or rounds to zero
#define SCREE_POWER_EXP_MAX 0x1.62e42fefa39efp+9
#define SCREE_POWER_EXP_MIN -0x1.74910d52d3052p+9

// (exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2; the error of exp stays below 2^-60.2
SCREE_FN double scree_power_exp_series(double r)
{
    double r2 = r * r;
    double r4 = r2 * r2;
    double a = 0.5 + r * 0x1.555555555555bp-3;
    double b = 0x1.5555555555503p-5 + r * 0x1.111111110ec52p-7;
    double c = 0x1.6c16c16c30505p-10 + r * 0x1.a01a01b38282dp-13;
    double d = 0x1.a01a01367816dp-16 + r * 0x1.71ddf015d9ec0p-19;
    double e = 0x1.27e5b46192ca9p-22 + r * 0x1.af6bfb5a20b56p-26;
    return (a + r2 * b) + r4 * ((c + r2 * d) + r4 * (e + r2 * 0x1.1e3d200b4cd46p-29));
}

// 1/3 + z/5 + ... = (atanh(s) / s - 1) / z as a pair, z = s^2 <= (sqrt(2) - 1)^4; the error of atanh stays
// below 2^-69
SCREE_FN struct scree_exact scree_power_atanh_series(struct scree_exact z)
{
    double z2 = z.hi * z.hi;
    double a = 0x1.2492492492f52p-3 + z.hi * 0x1.c71c71c5965c7p-4;
    double b = 0x1.745d182976261p-4 + z.hi * 0x1.3b1364bf70564p-4;
    double c = 0x1.112070d3175e7p-4 + z.hi * 0x1.de3d287edadd0p-5;
    double rest = a + z2 * (b + z2 * (c + z2 * 0x1.eac83aa02d25fp-5));

    // the two leading terms are pairs: their rounding errors form the low part of the result
    struct scree_exact fifth = scree_exact_sum_ordered(0x1.9999999999996p-3, z.hi * rest);
    struct scree_exact term = scree_exact_product(z.hi, fifth.hi);
    term.lo += z.hi * fifth.lo + z.lo * fifth.hi;
    struct scree_exact sum = scree_exact_sum_ordered(0x1.5555555555555p-2, term.hi);
    return scree_exact_make(sum.hi, sum.lo + (term.lo + 0x1.5555555555555p-56));
}

// exp(hi + lo) for EXP_MIN <= hi <= EXP_MAX and lo below an ulp of hi
SCREE_FN double scree_power_exp_kernel(double hi, double lo)
{
    double count = scree_real_round(hi * 0x1.71547652b82fep+0);
    struct scree_exact r =
        scree_exact_sum(hi - count * SCREE_POWER_LOG2_HIGH, lo - count * SCREE_POWER_LOG2_LOW);
    struct scree_exact sum = scree_exact_sum_ordered(1.0, r.hi);
    double y = sum.hi + (sum.lo + (r.hi * r.hi * scree_power_exp_series(r.hi) + (r.lo + r.hi * r.lo)));

    // two factors: the first product is exact, so a subnormal result is rounded only once
    int k = (int)count;
    int half = k / 2;
    return y * scree_real_power_of_two(half) * scree_real_power_of_two(k - half);
}

SCREE_FN double scree_exp(double x)
{
    if (x > SCREE_POWER_EXP_MAX) {
        return SCREE_POWER_INFINITY;
    }
    if (x < SCREE_POWER_EXP_MIN) {
        return 0.0;
    }
    return x == x ? scree_power_exp_kernel(x, 0.0) : x;
}

// log x as a pair for 0 < x < infinity, with a relative error below 2^-68
SCREE_FN struct scree_exact scree_power_log_kernel(double x)
{
    // x = m 2^k with m between sqrt(1/2) and sqrt(2), so the terms below never cancel
    int lift = x < 0x1p-1022 ? 54 : 0;
    uint64_t bits = scree_real_bits(lift ? x * 0x1p54 : x) + (0x3ff0000000000000U - 0x3fe6a09e667f3bcdU);
    double k = (double)((int)(bits >> 52) - 1023 - lift);
    double m = scree_real_from_bits((bits & 0xfffffffffffffU) + 0x3fe6a09e667f3bcdU);

    // s = (m - 1) / (m + 1) and z = s^2 as pairs; m - 1 is exact
    double top = m - 1.0;
    struct scree_exact bottom = scree_exact_sum(m, 1.0);
    double s = top / bottom.hi;
    struct scree_exact check = scree_exact_product(s, bottom.hi);
    double s_low = (((top - check.hi) - check.lo) - s * bottom.lo) / bottom.hi;
    struct scree_exact z = scree_exact_product(s, s);
    z.lo += 2.0 * s * s_low;

    // atanh s = s + s z series
    struct scree_exact u = scree_power_atanh_series(z);
    struct scree_exact v = scree_exact_product(z.hi, u.hi);
    v.lo += z.hi * u.lo + z.lo * u.hi;
    struct scree_exact w = scree_exact_product(s, v.hi);
    w.lo += s * v.lo + s_low * v.hi;
    struct scree_exact area = scree_exact_sum_ordered(s, w.hi);
    area.lo += w.lo + s_low;

    struct scree_exact sum = scree_exact_sum(k * SCREE_POWER_LOG2_HIGH, 2.0 * area.hi);
    return scree_exact_sum_ordered(sum.hi, sum.lo + (2.0 * area.lo + k * SCREE_POWER_LOG2_LOW));
}

SCREE_FN double scree_log(double x)
{
    if (x > 0.0 && x < SCREE_POWER_INFINITY) {
        return scree_power_log_kernel(x).hi;
    }
    if (x == 0.0) {
        return -SCREE_POWER_INFINITY;
    }
    return x < 0.0 ? SCREE_POWER_NAN : x;
}

// 0 if y is not an integer, 1 if odd, 2 if even
SCREE_FN int scree_power_parity(double y)
{
    double size = fabs(y);
    if (size >= 0x1p53) {
        return 2;
    }
    uint64_t whole = (uint64_t)size;
    return (double)whole < size ? 0 : 2 - (int)(whole & 1U);
}

// |x|^y where x or y is zero or infinite
SCREE_FN double scree_power_extreme(double size, double y)
{
    if (size == 1.0) {
        return 1.0;
    }
    return (size > 1.0) == (y > 0.0) ? SCREE_POWER_INFINITY : 0.0;
}

SCREE_FN double scree_pow(double x, double y)
{
    if (y == 0.0 || x == 1.0) {
        return 1.0;
    }
    if (x != x || y != y) {
        return x + y;
    }
    double size = fabs(x);
    double infinity = SCREE_POWER_INFINITY;
    int parity = scree_power_parity(y);
    double sign = copysign(1.0, x) < 0.0 && parity == 1 ? -1.0 : 1.0;
    if (size == 0.0 || size == infinity || fabs(y) == infinity) {
        return sign * scree_power_extreme(size, y);
    }
    if (x < 0.0 && parity == 0) {
        return SCREE_POWER_NAN;
    }
    struct scree_exact logarithm = scree_power_log_kernel(size);
    double rough = logarithm.hi * y;
    if (rough > 710.0) {
        return sign * infinity;
    }
    if (rough < -746.0) {
        return sign * 0.0;
    }
    struct scree_exact power = scree_exact_product(logarithm.hi, y);
    power.lo += logarithm.lo * y;
    return sign * scree_power_exp_kernel(power.hi, power.lo);
}

SCREE_FN double scree_cbrt(double x)
{
    static const double roots[] = {1.0, 0x1.428a2f98d728bp+0, 0x1.965fea53d6e3dp+0};
    double size = fabs(x);
    if (!(size > 0.0 && size < SCREE_POWER_INFINITY)) {
        return x;
    }
    // |x| = a 8^q with a = m 2^r in [1, 8); adding 1080 = 3 * 360 to the exponent makes it positive for the
    // division
    int lift = size < 0x1p-1022 ? 54 : 0;
    uint64_t bits = scree_real_bits(lift ? size * 0x1p54 : size);
    int exponent = (int)(bits >> 52) - 1023 - lift + 1080;
    int q = exponent / 3 - 360;
    int r = exponent % 3;
    double m = scree_real_from_bits((bits & 0xfffffffffffffU) | 0x3ff0000000000000U);
    double a = m * scree_real_power_of_two(r);

    // initial guess accurate to 2^-10.6, one Halley iteration to 2^-32, truncated to 26 bits so that its
    // square is exact, and one more iteration
    double t = (0x1.3e36fe6d35183p-1 + m * (0x1.c1fd274c9721bp-2 + m * -0x1.ee233f951c3bdp-5)) * roots[r];
    double cube = t * t * t;
    t = t * ((cube + 2.0 * a) / (2.0 * cube + a));
    t = scree_real_from_bits(scree_real_bits(t) & 0xfffffffff8000000U);
    double ratio = a / (t * t);
    t = t + t * ((ratio - t) / (2.0 * t + ratio));
    return copysign(t * scree_real_power_of_two(q), x);
}

#endif
