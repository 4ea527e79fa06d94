// Roots of polynomials of low degree, isolated by those of the derivatives: between two neighbouring zeros of
// its derivative a polynomial is monotonic and has one root at most, which bisection finds to the last bit.
// No root that the polynomial, as evaluated, has a change of sign at is missed.

#ifndef SCREE_MATH_POLYNOMIAL_H
#define SCREE_MATH_POLYNOMIAL_H

enum { SCREE_POLYNOMIAL_DEGREE = 4 };

// c[0] + c[1] x + ... + c[degree] x^degree.
static inline double scree_polynomial_at(const double *c, int degree, double x)
{
    double sum = c[degree];
    for (int k = degree - 1; k >= 0; --k)
        sum = sum * x + c[k];
    return sum;
}

// The point of [low, high], with different signs at its ends, where the sign changes.
static inline double scree_polynomial_bisect(const double *c, int degree, double low, double high)
{
    const double start = scree_polynomial_at(c, degree, low) > 0;
    for (;;) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high))
            return high;
        if ((scree_polynomial_at(c, degree, middle) > 0) == start)
            low = middle;
        else
            high = middle;
    }
}

// All changes of sign in (0, end], in ascending order, to `root`; returns their number.
static inline int scree_polynomial_roots(const double *c, int degree, double end,
                                         double root[SCREE_POLYNOMIAL_DEGREE])
{
    double slope[SCREE_POLYNOMIAL_DEGREE][SCREE_POLYNOMIAL_DEGREE + 1], turn[SCREE_POLYNOMIAL_DEGREE + 1];
    int turns = 0;
    // slope[k] is the derivative of degree k
    for (int k = 0; k <= degree; ++k)
        turn[k] = c[k];
    for (int k = degree - 1; k >= 0; --k) {
        for (int m = 0; m <= k; ++m)
            slope[k][m] = (m + 1) * turn[m + 1];
        for (int m = 0; m <= k; ++m)
            turn[m] = slope[k][m];
    }
    // from the straight line upwards: roots of each derivative divide the next one
    for (int k = 1; k <= degree; ++k) {
        const double *p = k == degree ? c : slope[k];
        double from = 0, found[SCREE_POLYNOMIAL_DEGREE];
        int count = 0;
        for (int t = 0; t <= turns; ++t) {
            const double to = t < turns ? turn[t] : end;
            if ((scree_polynomial_at(p, k, from) > 0) != (scree_polynomial_at(p, k, to) > 0))
                found[count++] = scree_polynomial_bisect(p, k, from, to);
            from = to;
        }
        for (int t = 0; t < count; ++t)
            turn[t] = found[t];
        turns = count;
    }
    for (int t = 0; t < turns; ++t)
        root[t] = turn[t];
    return turns;
}

#endif
