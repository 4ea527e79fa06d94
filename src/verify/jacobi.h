// The torque-free rigid body in closed form (Jacobi): the period of its spin in body axes.

#ifndef SCREE_VERIFY_JACOBI_H
#define SCREE_VERIFY_JACOBI_H

#include <math.h>

// The complete elliptic integral K from the complementary modulus k' = sqrt(1 - k^2), by the
// arithmetic-geometric mean: K = pi / (2 agm(1, k')).
static inline double scree_jacobi_integral(double complement)
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

// With 2E = sum J w^2, L^2 = sum J^2 w^2 and ascending moments of inertia, the spin rotates about axis 3 if
// L^2 > 2E J2, else about axis 1; in that case 1 and 3 are exchanged below:
//   T = 4 K(k) sqrt(J1 J2 J3 / ((J3 - J2) (L^2 - 2E J1))),
//   k'^2 = (J3 - J1) (L^2 - 2E J2) / ((J3 - J2) (L^2 - 2E J1)).
// Differences are computed as sums of products, to avoid cancellation near the unstable axis. `complement`
// receives k'.
static inline double scree_jacobi_period(const double *inertia, const double *body_spin, double *complement)
{
    const double about = inertia[2] * (inertia[2] - inertia[1]) * body_spin[2] * body_spin[2] -
                         inertia[0] * (inertia[1] - inertia[0]) * body_spin[0] * body_spin[0];
    const int first = about > 0 ? 0 : 2, last = 2 - first;
    const double low = inertia[first], middle = inertia[1], high = inertia[last];
    const double w_middle = body_spin[1], w_high = body_spin[last];
    // L^2 - 2E J1
    const double rest = middle * (middle - low) * w_middle * w_middle + high * (high - low) * w_high * w_high;
    *complement = sqrt((high - low) * about / ((high - middle) * rest));
    return 4 * scree_jacobi_integral(*complement) * sqrt(low * middle * high / ((high - middle) * rest));
}

#endif
