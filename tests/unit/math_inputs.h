// Random inputs for the tests of math, equal in every run, and an assertion that fails for NaN.

#ifndef SCREE_TESTS_MATH_INPUTS_H
#define SCREE_TESTS_MATH_INPUTS_H

#include "math/quat.h"
#include "support/splitmix.h"

#define EPSILON 0x1p-53

struct inputs {
    uint64_t state;
};

static inline uint64_t inputs_bits(struct inputs *in)
{
    return splitmix_next(&in->state);
}

static inline double inputs_uniform(struct inputs *in, double low, double high)
{
    return low + (high - low) * ((double)(inputs_bits(in) >> 11) * 0x1p-53);
}

// random sign, random significand, and an exponent uniform in [low, high)
static inline double inputs_spread(struct inputs *in, int low, int high)
{
    double significand = inputs_uniform(in, 1.0, 2.0);
    int exponent = low + (int)(inputs_bits(in) % (uint64_t)(high - low + 1));
    return ldexp(inputs_bits(in) & 1U ? -significand : significand, exponent);
}

static inline struct scree_vec3 inputs_vector(struct inputs *in)
{
    double x = inputs_uniform(in, -1.0, 1.0);
    double y = inputs_uniform(in, -1.0, 1.0);
    return scree_vec3_make(x, y, inputs_uniform(in, -1.0, 1.0));
}

static inline struct scree_mat3 inputs_matrix(struct inputs *in)
{
    struct scree_vec3 x = inputs_vector(in);
    struct scree_vec3 y = inputs_vector(in);
    return scree_mat3_from_rows(x, y, inputs_vector(in));
}

// uniform on the unit sphere in four dimensions, by rejection
static inline struct scree_quat inputs_rotation(struct inputs *in)
{
    for (;;) {
        struct scree_vec3 v = inputs_vector(in);
        struct scree_quat q = scree_quat_make(inputs_uniform(in, -1.0, 1.0), v.x, v.y, v.z);
        double square = scree_quat_norm_squared(q);
        if (square > 0.01 && square < 1.0) {
            return scree_quat_normalise(q);
        }
    }
}

// on machines where long double is double, the tolerances cover the rounding of this reference too
static inline long double inputs_wide_dot(struct scree_vec3 a, struct scree_vec3 b)
{
    return (long double)a.x * (long double)b.x + (long double)a.y * (long double)b.y +
           (long double)a.z * (long double)b.z;
}

// Frobenius norm: root of the sum of squares of all elements
static inline double inputs_size(struct scree_mat3 a)
{
    return sqrt(scree_mat3_trace(scree_mat3_product(scree_mat3_transpose(a), a)));
}

// the comparison fails for NaN
#define ASSERT_SMALL(value, tolerance)                                                                       \
    do {                                                                                                     \
        double value_ = fabs((double)(value));                                                               \
        double tolerance_ = (tolerance);                                                                     \
        if (!(value_ <= tolerance_)) {                                                                       \
            fail_msg("%g is more than %g: " #value, value_, tolerance_);                                     \
        }                                                                                                    \
    } while (0)

#endif
