// Enskog's equation for uniform shear with an anisotropic normal distribution, see enskog.h.
//
// J. T. Jenkins, M. W. Richman, J. Fluid Mech. 192, 313 (1988) (disks); M. W. Richman, J. Rheol. 33, 1293
// (1989) (spheres). Derived in docs/theory/hard-spheres.md. With the covariance K of fluctuations V, the unit
// vector k from the partner, and w = V1 - V2 + k_y x the velocity at contact, c = -w.k is normal with the
// mean -m, m = k_x k_y, and the variance 2 s, s = k.K k; and the mean of V1 - V2 at given c is -(c + m) K k /
// s. A collision adds q k to V1 and takes it from V2, q = (1 + e) c / 2. With <c^j> over c > 0
//     dK/dt = -(x y^T K + K y x^T) + n chi / 2 int dk {-(1 + e) / 2 (<c^3> + m <c^2>) (k (K k)^T + K k k^T) /
//             s + (1 + e)^2 / 2 <c^3> k k^T},
//     P = n K + n^2 chi (1 + e) / 4 int dk <c^2> k k^T.
// Of N spheres each has N - 1 partners. Integrals are even in k and in k_z.

#include "algebra.h"
#include "enskog.h"

static const double pi = 3.14159265358979323846;

enum { POLES = 16, TURNS = 12 }; // intervals of k_z from 0 to 1, and directions over half a turn

struct covariance {
    double xx, yy, zz, xy;
};

struct gauss {
    double density, chi, restitution, partners; // partners: (N - 1) / N
    struct covariance covariance, change, stress;
    double rate; // collisions of a sphere per time
};

static void add(struct covariance *sum, double factor, const double a[3], const double b[3])
{
    sum->xx += factor * a[0] * b[0];
    sum->yy += factor * a[1] * b[1];
    sum->zz += factor * a[2] * b[2];
    sum->xy += 0.5 * factor * (a[0] * b[1] + a[1] * b[0]);
}

// Adds the collisions along k, which have the weight `weight` in the sphere of directions.
static void add_direction(struct gauss *gauss, const double k[3], double weight)
{
    const struct covariance *c = &gauss->covariance;
    const double e = gauss->restitution, n = gauss->density * gauss->partners * gauss->chi;
    const double along[3] = {c->xx * k[0] + c->xy * k[1], c->xy * k[0] + c->yy * k[1], c->zz * k[2]};
    const double s = scree_algebra_dot(k, along, 3), mean = k[0] * k[1], deviation = sqrt(2 * s);
    // moments of a normal number with the mean -m, over its positive values
    const double density = exp(-0.5 * mean * mean / (2 * s)) / sqrt(2 * pi),
                 zeroth = 0.5 * erfc(mean / (deviation * sqrt(2))),
                 first = -mean * zeroth + deviation * density, second = -mean * first + 2 * s * zeroth,
                 third = -mean * second + 2 * 2 * s * first;
    // the sum of k (K k)^T and its transpose is twice the symmetric part
    add(&gauss->change, -0.5 * n * weight * (1 + e) * (third + mean * second) / s, k, along);
    add(&gauss->change, 0.25 * n * weight * (1 + e) * (1 + e) * third, k, k);
    add(&gauss->stress, 0.25 * n * gauss->density * weight * (1 + e) * second, k, k);
    gauss->rate += n * weight * first;
}

static void integrate(struct gauss *gauss)
{
    const struct covariance *c = &gauss->covariance;
    const double kinetic = gauss->density * gauss->partners;
    gauss->rate = 0;
    gauss->change = (struct covariance){-2 * c->xy, 0, 0, -c->yy};
    gauss->stress = (struct covariance){kinetic * c->xx, kinetic * c->yy, kinetic * c->zz, kinetic * c->xy};
    for (int p = 0; p <= POLES; ++p)
        for (int t = 0; t < TURNS; ++t) {
            // Simpson's rule along z, equal weights around it; four times, for the other signs of k and k_z
            const double z = (double)p / POLES, angle = pi * (t + 0.5) / TURNS, across = sqrt(1 - z * z);
            const double part = p == 0 || p == POLES ? 1 : p % 2 == 1 ? 4 : 2;
            const double k[3] = {across * cos(angle), across * sin(angle), z};
            add_direction(gauss, k, 4 * part / (3.0 * POLES) * pi / TURNS);
        }
}

// Follows K until it is steady: steps of a tenth of the time between collisions, whatever they are, end
// there.
struct scree_enskog_state scree_enskog_gauss(double fraction, double restitution, double count)
{
    const double start = scree_enskog_navier_stokes(fraction, restitution).value[SCREE_ENSKOG_TEMPERATURE],
                 room = 1 - fraction;
    struct gauss gauss = {.density = 6 * fraction / pi,
                          .chi = (1 - 0.5 * fraction) / (room * room * room),
                          .restitution = restitution,
                          .partners = 1 - 1 / count,
                          .covariance = {start, start, start, 0}};
    struct covariance *k = &gauss.covariance;
    double moved = 1;
    for (int step = 0; step < 100000 && moved > 1e-12; ++step) {
        integrate(&gauss);
        const struct covariance *change = &gauss.change;
        const double h = 0.1 / gauss.rate, scale = h / (k->xx + k->yy + k->zz);
        moved = scale * (fabs(change->xx) + fabs(change->yy) + fabs(change->zz) + fabs(change->xy));
        *k = (struct covariance){k->xx + h * change->xx, k->yy + h * change->yy, k->zz + h * change->zz,
                                 k->xy + h * change->xy};
    }
    integrate(&gauss);
    const struct covariance *stress = &gauss.stress;
    const double pressure = (stress->xx + stress->yy + stress->zz) / 3;
    return (struct scree_enskog_state){{(k->xx + k->yy + k->zz) / 3, pressure, -stress->xy,
                                        (stress->xx - stress->yy) / pressure,
                                        (stress->yy - stress->zz) / pressure},
                                       {0}};
}
