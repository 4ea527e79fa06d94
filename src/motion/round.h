// The most common motion in one pass over whole records: round bodies with velocity Verlet, and their
// orientations where these are integrated.
//
// Invariant: the bits are those of the separate functions in this order: take the sums (contact/sums.h), add
// constant loads, local damping, velocity Verlet and `spherical`, energy accounts (engine/account.h), clear
// the flags of the step. A record of a grain is read once and written once; orientations are turned after it.

#ifndef SCREE_MOTION_ROUND_H
#define SCREE_MOTION_ROUND_H

#include "motion/motion.h"

// Most bodies of a pass, and the prefetch distance.
enum { SCREE_ROUND_MAX_BODIES = 128, SCREE_ROUND_PREFETCH = 32 };

// Consecutive bodies, the forces on them, and results. Records are aligned to 64 bytes.
struct scree_round {
    size_t count;
    size_t prefetch_end; // bodies below this index, from the first on, are prefetched; 0: none
    const struct scree_motion_step *step;
    struct scree_grain *grain;
    struct scree_rotor *rotor;   // orientations; null if none is integrated
    struct scree_wrench *wrench; // energy accounts; also the forces if `sum` is null
    int64_t *sum, *internal;     // contact forces, which are cleared; null: none, or in `wrench`
    struct scree_losses *loss;   // only with `sum`
    bool store_forces;           // write total forces to `wrench`; always done with `accounts`
    bool accounts;               // update energy accounts; needs `sum`, and is needed by all that follows
    const struct scree_force_moment *load; // constant loads, on every body in this order
    size_t loads;
    bool local, viscous;             // some damping coefficient may be nonzero
    struct scree_damping damping;    // of bodies without their own
    const struct scree_damping *own; // by body, null if no body has its own
    const double *lower, *upper;     // of the cell, three numbers each
    double square_limit;             // square of the limit of displacement, in radii per second
    double fastest;                  // in and out: square of the largest speed
    bool too_far, not_finite;        // out: a displacement above the limit; a velocity that is not finite
    // out, in a flow (motion.h): power that contact forces would have with the mean motion, by body, aligned
    // to 64 bytes; and a bit for each body with SCREE_FLAG_ACCOUNTED
    double *mean_power;
    uint64_t accounted[SCREE_ROUND_MAX_BODIES / 64];
    uint64_t outside[SCREE_ROUND_MAX_BODIES / 64]; // out: a bit for each body outside the cell
};

// Moves all bodies of a pass, and clears the flags of the step.
void scree_round_advance(struct scree_round *round);

#endif
