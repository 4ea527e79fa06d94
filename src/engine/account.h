// The energy accounts of bodies: what loads, pushes and prescribed motion do, and what damping takes.
//
// Powers are taken at steps, with on-step velocities, and count over the half-steps before and after: the
// trapezoidal rule, of order 2, whatever the law of motion. So the balance of the ledger measures the law and
// not the bookkeeping.

#ifndef SCREE_ENGINE_ACCOUNT_H
#define SCREE_ENGINE_ACCOUNT_H

#include "motion/motion.h"

// Whether anything does work on bodies of a batch or damps them. Where they are `loaded`, loads and pushes
// may act on any; what holds fixed freedoms acts on those that have some. For others all that is booked is 0.
bool scree_account_needed(const struct scree_world *world, const struct scree_motion_batch *batch,
                          bool loaded);

// What acts besides loads. What contacts gave has a ledger of its own (contact/ledger.h).
struct scree_account_forces {
    const double (*hold)[3]; // moments that hold fixed spins; null where bodies are round: all there is
    const struct scree_force_moment *touch; // what contacts gave
    const struct scree_wrench *only;        // the same, where that is all there is; both null: nothing
};

// Books the half-step before t where that is still to be done, and the one after if asked.
void scree_account_book(const struct scree_motion_batch *batch, const struct scree_on_step *on_step,
                        const struct scree_account_forces *forces, bool and_next);

#endif
