// The kinetic theory of inelastic hard spheres in steady uniform shear, as references for a granular gas.
// Units: the diameter, the mass and the shear rate are 1, so that all results are numbers.

#ifndef SCREE_VERIFY_ENSKOG_H
#define SCREE_VERIFY_ENSKOG_H

#include "series.h"

// What describes the steady state: temperature (the mean square of one component of the fluctuation), mean of
// the normal stresses (the pressure), shear stress, and the differences of normal stresses xx - yy and yy -
// zz over the pressure. The flow is along x, and its velocity grows along y.
enum {
    SCREE_ENSKOG_TEMPERATURE,
    SCREE_ENSKOG_PRESSURE,
    SCREE_ENSKOG_SHEAR,
    SCREE_ENSKOG_FIRST,
    SCREE_ENSKOG_SECOND,
    SCREE_ENSKOG_NUMBERS
};
extern const char *const scree_enskog_names[SCREE_ENSKOG_NUMBERS];

struct scree_enskog_state {
    double value[SCREE_ENSKOG_NUMBERS], error[SCREE_ENSKOG_NUMBERS]; // with standard errors
};

// Adds up kinetic and collisional stresses, compression positive, to series of blocks, and makes the state of
// them.
struct scree_enskog_sums {
    struct scree_series temperature, normal[3], shear;
};
struct scree_enskog_state scree_enskog_from(const struct scree_enskog_sums *sums);

// Navier-Stokes theory: viscosity and cooling rate of Garzo and Dufty. Differences of normal stresses are 0.
struct scree_enskog_state scree_enskog_navier_stokes(double fraction, double restitution);

// The steady state of `count` spheres, or INFINITY, if velocities have an anisotropic normal distribution:
// the second moments of Enskog's equation, up to quadrature. Without noise; errors of some per cent.
struct scree_enskog_state scree_enskog_gauss(double fraction, double restitution, double count);

// The steady solution of Enskog's equation for uniform shear, by direct simulation (Monte Carlo): over
// `strain`, after a fifth of it.
struct scree_enskog_state scree_enskog_solve(double fraction, double restitution, double strain);

#endif
