// Trials with bonded spheres for the cases of the family "bond": chains and lattices of one material, without
// a contact law unless a case adds one.

#ifndef SCREE_VERIFY_BONDED_H
#define SCREE_VERIFY_BONDED_H

#include "trial.h"

#include <scree/bond.h>

#define SCREE_BONDED_PI 3.14159265358979323846

// largest number of spheres of a trial
enum { SCREE_BONDED_MOST = 4096 };

// Makes a world of the given dimension (0 means 3) with one material.
SCREE_NODISCARD scree_status scree_bonded_begin(struct scree_trial *trial, int dimension, double density);

// Bonds two bodies, given by their numbers from 0 in order of creation.
SCREE_NODISCARD scree_status scree_bonded_join(struct scree_trial *trial, const struct scree_bond_def *def,
                                               uint64_t first, uint64_t second, scree_bond_id *id);

// Bonds all pairs of the first `count` bodies with centres closer than `reach`, in the nearest image of a
// cell with the given periods (0: not periodic).
SCREE_NODISCARD scree_status scree_bonded_join_near(struct scree_trial *trial,
                                                    const struct scree_bond_def *def, uint64_t count,
                                                    double reach, const double period[3]);

// Velocities of one body in a mode of vibration.
struct scree_bonded_motion {
    double velocity[3], spin[3];
};

// Gives the bodies, at rest in equilibrium, the velocities of a mode, and measures its angular frequency from
// the velocities a quarter of the expected period later, w = arccos(c) / t with c the projection of the
// velocities on the mode. Velocity Verlet at the step h lowers c to cos(w' t) with sin(w' h / 2) = w h / 2,
// which is corrected: for a linear system the frequency is exact. `step` is the largest time step.
SCREE_NODISCARD scree_status scree_bonded_frequency(struct scree_trial *trial,
                                                    const struct scree_bonded_motion *mode, uint64_t count,
                                                    double expected, double step, double *frequency);

#endif
