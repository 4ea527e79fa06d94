// The commonest motion of all in one pass over whole records: round bodies under velocity Verlet, whose
// orientation nobody follows.
//
// What always holds: the bits are those of taking the sums (contact/sums.h), adding constant loads, local
// damping, velocity Verlet and `spherical`, the energy accounts (engine/account.h) and clearing what flags
// say of the step, one after the other. A record is read once and written once.

#ifndef SCREE_MOTION_ROUND_H
#define SCREE_MOTION_ROUND_H

#include "motion/motion.h"

// Bodies of a pass at most, and how far ahead of those that are moved others are asked for.
enum { SCREE_ROUND_MOST = 128, SCREE_ROUND_AHEAD = 32 };

// Consecutive bodies, what acts on them, and what was found on the way. Records begin at multiples of 64
// bytes.
struct scree_round {
    size_t count;
    size_t ahead; // bodies that there are from the first on, where they are to be asked for ahead; else 0
    const struct scree_motion_step *step;
    struct scree_grain *grain;
    struct scree_wrench *wrench; // forces where there are no sums, and accounts
    int64_t *sum, *internal;     // what contacts gave, which is emptied; null: nothing, or forces are known
    struct scree_losses *loss;   // beside sums
    bool keeps;                  // forces that were summed are written; with accounts they always are
    bool accounts;               // are kept; all that follows asks for them, and they for sums
    const struct scree_force_moment *load; // constant ones, which act on every body in this order
    size_t loads;
    bool local, viscous;                 // some damping may not be zero
    struct scree_damping damping;        // of bodies that have none of their own
    const struct scree_damping *own;     // rows of those that have, null where none has
    const double *lower, *upper;         // of the cell, three numbers each
    double most;                         // square of the radii that a body may go in a second
    double fastest;                      // found: square of the largest speed, at least what was there before
    bool far, endless;                   // found: a body went too far, or has a velocity that is no number
    uint64_t out[SCREE_ROUND_MOST / 64]; // found: a bit for each body that is not within the cell
};

// Moves all bodies of a pass; nothing is pending in their flags afterwards.
void scree_round_advance(struct scree_round *round);

#endif
