// Error-free sums and products of doubles: the result is an unevaluated pair hi + lo, where hi is the rounded
// value.
//
// Sums by Knuth and Dekker, products by Dekker with Veltkamp splitting (Dekker, Numerische Mathematik 18,
// 224, 1971): no fused multiply-add, which not every machine has. Products are exact for operands below 2^996
// and a product above 2^-969.
#ifndef SCREE_MATH_EXACT_H
#define SCREE_MATH_EXACT_H

#include "math/real.h"

struct scree_exact {
    double hi, lo;
};

SCREE_FN struct scree_exact scree_exact_make(double hi, double lo)
{
    struct scree_exact e = {hi, lo};
    return e;
}

SCREE_FN struct scree_exact scree_exact_sum(double a, double b)
{
    double hi = a + b;
    double b_part = hi - a;
    double a_part = hi - b_part;
    return scree_exact_make(hi, (a - a_part) + (b - b_part));
}

// needs |a| >= |b| or a = 0
SCREE_FN struct scree_exact scree_exact_sum_ordered(double a, double b)
{
    double hi = a + b;
    return scree_exact_make(hi, b - (hi - a));
}

SCREE_FN struct scree_exact scree_exact_product(double a, double b)
{
    double a_shift = a * 0x1.0000002p27;
    double b_shift = b * 0x1.0000002p27;
    double a_hi = a_shift - (a_shift - a);
    double b_hi = b_shift - (b_shift - b);
    double a_lo = a - a_hi;
    double b_lo = b - b_hi;
    double hi = a * b;
    return scree_exact_make(hi, ((a_hi * b_hi - hi) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo);
}

#endif
