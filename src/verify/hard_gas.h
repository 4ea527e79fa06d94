// Gases of equal hard spheres or disks in a periodic cube or square, moved by the event engine, or by a
// stochastic one. Diameter and mass are 1, the translational temperature at the start is 1, and momentum is
// 0.

#ifndef SCREE_VERIFY_HARD_GAS_H
#define SCREE_VERIFY_HARD_GAS_H

#include "trial.h"

struct scree_hard_gas {
    int dimension;
    size_t side; // cells of the lattice at the start along each axis
    bool fcc;    // four spheres in a cell, else one
    double fraction, restitution;
    bool rough;              // friction without limit
    double tangential, spin; // tangential restitution and rotational temperature at the start
    uint64_t seed;
    double step;                                   // of the engine, s
    const struct scree_stochastic_def *stochastic; // of a stochastic engine, but for step and seed; else null
};

size_t scree_hard_gas_count(const struct scree_hard_gas *gas);

// Makes the world and its engine.
SCREE_NODISCARD scree_status scree_hard_gas_begin(struct scree_trial *trial,
                                                  const struct scree_hard_gas *gas);

// Temperatures: energy is half of them for each degree of freedom.
struct scree_hard_gas_state {
    double translation, rotation, time;
    uint64_t collisions;
    double virial; // sum of normal impulse times distance of centres
};
SCREE_NODISCARD scree_status scree_hard_gas_get(struct scree_trial *trial, const struct scree_hard_gas *gas,
                                                struct scree_hard_gas_state *state);

// Runs single steps until each body has had `collisions` more, on average.
SCREE_NODISCARD scree_status scree_hard_gas_collide(struct scree_trial *trial,
                                                    const struct scree_hard_gas *gas, double collisions);

// Equation of state, p V / N k T: Z (1 - f)^D from the ten virial coefficients of N. Clisby, B. M. McCoy, J.
// Stat. Phys. 122, 15 (2006). The last term is 3e-4 of the sum for spheres at 0.45 and 1e-4 for disks at 0.6,
// where the terms before it fall by a factor of 1.5 and more.
double scree_hard_gas_pressure(int dimension, double fraction);

// Collisions of a body per second in equilibrium at a given pressure: 2 D (T / pi)^(1/2) (Z - 1), exact for
// hard spheres because both are proportional to the number of pairs in touch.
double scree_hard_gas_rate(int dimension, double pressure, double temperature);

#endif
