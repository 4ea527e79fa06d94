// The energy accounts of bodies: work done by loads, applied forces and prescribed motion, and loss to
// damping.
//
// Powers are computed with on-step velocities and integrated by the trapezoidal rule: each power counts for
// the half-steps before and after its time. This is of order 2 for every integration scheme, so an energy
// error in the ledger comes from the integration scheme and not from the accounts.

#ifndef SCREE_ENGINE_ACCOUNT_H
#define SCREE_ENGINE_ACCOUNT_H

#include "motion/motion.h"

// Returns true if the accounts of a batch can change: bodies are damped or have fixed degrees of freedom, or
// `loaded`: loads or applied forces may act on them.
bool scree_account_needed(const struct scree_world *world, const struct scree_motion_batch *batch,
                          bool loaded);

// Forces for the power of loads. Constraint moments are added to the total force on a body; contact forces
// are subtracted, because their work is in the ledger of contacts (contact/ledger.h).
struct scree_account_forces {
    const double (*constraint)[3]; // constraint moments of fixed spins; null if all bodies are round
    const struct scree_force_moment *contact; // contact forces
    const struct scree_wrench
        *contact_only; // contact forces, if no other forces act; both null without contacts
};

// In a flow (motion.h): the power that contact forces and gravity would have with the mean motion, for each
// body. They act on fluctuations, so the cell supplies the difference; see contact/across.h for the rest of
// its power.
void scree_account_mean_power(const struct scree_motion_batch *batch, const struct scree_on_step *on_step,
                              const struct scree_account_forces *forces, double *power);

// Adds work and loss of the half-step before the present time, unless SCREE_FLAG_ACCOUNTED shows that they
// have been added, and if `and_next` also those of the half-step after it.
void scree_account_add(const struct scree_motion_batch *batch, const struct scree_on_step *on_step,
                       const struct scree_account_forces *forces, bool and_next);

#endif
