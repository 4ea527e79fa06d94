// Vectors, double[3], and orientations, double[4] with the scalar first, as in the public interface.
// Implemented independently of the arithmetic of the library, which these cases test.

#ifndef SCREE_VERIFY_ALGEBRA_H
#define SCREE_VERIFY_ALGEBRA_H

#include <math.h>
#include <string.h>

static inline double scree_algebra_dot(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int k = 0; k < count; ++k)
        sum += a[k] * b[k];
    return sum;
}

static inline double scree_algebra_norm(const double *a, int count)
{
    return sqrt(scree_algebra_dot(a, a, count));
}

static inline double scree_algebra_distance(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int k = 0; k < count; ++k)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

static inline void scree_algebra_cross(const double *a, const double *b, double *out)
{
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}

// the quaternion product pq
static inline void scree_algebra_product(const double *p, const double *q, double *out)
{
    const double r[4] = {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                         p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                         p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3],
                         p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1]};
    memcpy(out, r, sizeof r);
}

// body axes to world axes: R(q) v
static inline void scree_algebra_rotate(const double *q, const double *v, double *out)
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double r[3] = {
        (1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y - w * z) * v[1] + 2 * (x * z + w * y) * v[2],
        2 * (x * y + w * z) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z - w * x) * v[2],
        2 * (x * z - w * y) * v[0] + 2 * (y * z + w * x) * v[1] + (1 - 2 * (x * x + y * y)) * v[2]};
    memcpy(out, r, sizeof r);
}

// world axes to body axes
static inline void scree_algebra_unrotate(const double *q, const double *v, double *out)
{
    const double inverse[4] = {q[0], -q[1], -q[2], -q[3]};
    scree_algebra_rotate(inverse, v, out);
}

// Small angle between two orientations, rad; q and -q are the same orientation.
static inline double scree_algebra_angle(const double *q, const double *r)
{
    double minus = 0, plus = 0;
    for (int k = 0; k < 4; ++k) {
        minus += (q[k] - r[k]) * (q[k] - r[k]);
        plus += (q[k] + r[k]) * (q[k] + r[k]);
    }
    return 2 * sqrt(minus < plus ? minus : plus);
}

#endif
