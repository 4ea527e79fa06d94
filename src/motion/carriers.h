// Motion of general bodies that carry grains in one pass over their records: velocity Verlet, and a
// kick-drift-kick of the rotation.
//
// Invariant: the bits are those of the separate functions in this order: take the sums of a body and add
// those of its grains (contact/sums.h, contact/carried.h), velocity Verlet and rotation, clear the flags of
// the step, write the records of the grains (world/grain.h). The force on a body, its rotation matrix and its
// new record stay in columns in between.

#ifndef SCREE_MOTION_CARRIERS_H
#define SCREE_MOTION_CARRIERS_H

#include "motion/motion.h"
#include "world/pebbles.h"

// Most bodies of a pass, and the prefetch distance.
enum { SCREE_CARRIERS_MAX_BODIES = 128, SCREE_CARRIERS_PREFETCH = 16 };

// Consecutive bodies, each with an orientation and with grains, without damping, loads and fixed degrees of
// freedom; and results.
struct scree_carriers {
    size_t first, count; // of the bodies; out: how many were moved, all that fill registers
    const struct scree_motion_step *step;
    struct scree_pebbles all; // the sums are contact forces, which are cleared
    struct scree_rotor *rotor;
    struct scree_losses *loss;
    const struct scree_grain_owners *owners;
    struct scree_grain_update *update;
    const double *lower, *upper; // of the cell, three numbers each
    double fastest;              // in and out: square of the largest speed
    bool not_finite;             // out: a velocity is not finite
    // out: a bit for each body outside the cell, and for those moved together with one: the caller wraps them
    // and writes the records of their grains
    uint64_t outside[SCREE_CARRIERS_MAX_BODIES / 64];
};

#endif
