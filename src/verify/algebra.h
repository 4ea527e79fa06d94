// Vectors, double[3], and orientations, double[4] with the scalar first, as in the public interface; the spin
// of a free rigid body in closed form (Jacobi); and pseudo-random numbers, the same on every machine.
// Implemented independently of the arithmetic of the library, which these cases test.

#ifndef SCREE_VERIFY_ALGEBRA_H
#define SCREE_VERIFY_ALGEBRA_H

#include <math.h>
#include <stdint.h>
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

// the quaternion product p q
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

// --- the torque-free rigid body (Jacobi)

// The complete elliptic integral K from the complementary modulus k' = sqrt(1 - k^2), by the
// arithmetic-geometric mean: K = pi / (2 agm(1, k')).
static inline double scree_algebra_jacobi_integral(double complement)
{
    double a = 1, b = complement;
    // converges quadratically: six iterations are enough for any modulus in double precision
    for (int round = 0; round < 40 && fabs(a - b) > 1e-16 * a; ++round) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 3.14159265358979323846 / (a + b);
}

// The period of the spin in body axes. With 2E = sum J w^2, L^2 = sum J^2 w^2 and ascending moments of
// inertia, the spin rotates about axis 3 if L^2 > 2E J2, else about axis 1; in that case 1 and 3 are
// exchanged below:
//   T = 4 K(k) sqrt(J1 J2 J3 / ((J3 - J2) (L^2 - 2E J1))),
//   k'^2 = (J3 - J1) (L^2 - 2E J2) / ((J3 - J2) (L^2 - 2E J1)).
// Differences are computed as sums of products, to avoid cancellation near the unstable axis. `complement`
// receives k'.
static inline double scree_algebra_jacobi_period(const double *inertia, const double *body_spin,
                                                 double *complement)
{
    // L^2 - 2E J2
    const double excess_middle = inertia[2] * (inertia[2] - inertia[1]) * body_spin[2] * body_spin[2] -
                                 inertia[0] * (inertia[1] - inertia[0]) * body_spin[0] * body_spin[0];
    const int first = excess_middle > 0 ? 0 : 2, last = 2 - first;
    const double low = inertia[first], middle = inertia[1], high = inertia[last];
    const double w_middle = body_spin[1], w_high = body_spin[last];
    // L^2 - 2E J1
    const double excess_low =
        middle * (middle - low) * w_middle * w_middle + high * (high - low) * w_high * w_high;
    *complement = sqrt((high - low) * excess_middle / ((high - middle) * excess_low));
    return 4 * scree_algebra_jacobi_integral(*complement) *
           sqrt(low * middle * high / ((high - middle) * excess_low));
}

// --- random positions and velocities

// Returns a number in [-1, 1) that depends only on the arguments.
static inline double scree_algebra_draw(uint64_t seed, uint64_t item, uint64_t number)
{
    uint64_t x = item * UINT64_C(0x9E3779B97F4A7C15) + number * UINT64_C(0xD1B54A32D192ED03) + seed;
    for (int round = 0; round < 3; ++round) {
        x ^= x >> 31;
        x *= UINT64_C(0x7FB5D329728EA185);
    }
    return (double)(x >> 11) / 0x1p52 - 1;
}

#endif
