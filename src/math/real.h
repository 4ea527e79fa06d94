// Basics of all headers in math/: the function qualifier, constants, and access to the bits of a double.
//
// Everything in math/ is static inline, allocates nothing, has no state, and uses only + - * /, sqrt, selects
// and integer operations, in round-to-nearest and without contraction, so results are bitwise the same on
// every machine with IEEE arithmetic, on the host and on a GPU. It compiles as C17, as C++17 and as CUDA
// device code.
#ifndef SCREE_MATH_REAL_H
#define SCREE_MATH_REAL_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef SCREE_FN
#ifdef __CUDACC__
#define SCREE_FN static inline __host__ __device__
#else
#define SCREE_FN static inline
#endif
#endif

#define SCREE_PI 0x1.921fb54442d18p+1
#define SCREE_HALF_PI 0x1.921fb54442d18p+0

// selects instead of fmin and fmax: the right operand is returned if either is NaN, on every machine
SCREE_FN double scree_real_min(double a, double b)
{
    return a < b ? a : b;
}

SCREE_FN double scree_real_max(double a, double b)
{
    return a > b ? a : b;
}

SCREE_FN uint64_t scree_real_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

SCREE_FN double scree_real_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// 2^exponent for -1022 <= exponent <= 1023
SCREE_FN double scree_real_power_of_two(int exponent)
{
    return scree_real_from_bits((uint64_t)(exponent + 1023) << 52);
}

// nearest integer, ties to even, for |x| < 2^51: adding 1.5 * 2^52 rounds off the fraction
SCREE_FN double scree_real_round(double x)
{
    return (x + 0x1.8p52) - 0x1.8p52;
}

#endif
