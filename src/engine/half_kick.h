// The pending half-kick: inside a step it is not yet applied; sync applies it when on-step velocities are
// needed; restore takes it back for leapfrog schemes, whose velocities are at mid-step.
//
// Invariant: a synced world is on-step, and its energy accounts are complete up to the present time;
// restoring it gives the same bits as if it had not been synced. The mid-step state of a leapfrog scheme
// between steps is stored in a row of the body; a flag says whether it is valid, and only the scheme that
// wrote it may use it.

#ifndef SCREE_ENGINE_HALF_KICK_H
#define SCREE_ENGINE_HALF_KICK_H

#include "engine/mover.h"

// Adds the rows that the schemes of the mover need, and marks those that another scheme wrote as invalid.
SCREE_NODISCARD scree_status scree_half_kick_begin(struct scree_mover *mover);

// Returns true if position, velocity and spin of a grain are finite.
static inline bool scree_half_kick_is_finite(const struct scree_grain *grain)
{
    double zero = 0;
    for (int k = 0; k < 3; ++k)
        zero += 0 * grain->position[k] + 0 * grain->velocity[k] + 0 * grain->spin[k];
    return zero == 0;
}

// Applies the pending half-kick, after which velocities are on-step. A value that is not finite is an error
// that names the body.
SCREE_NODISCARD scree_status scree_half_kick_sync(struct scree_mover *mover);

// Applies the pending half-kick only in blocks with bodies whose force is outdated, if these are few and no
// scheme is a leapfrog. Returns false otherwise, without any change. Other blocks keep their pending
// half-kick.
bool scree_half_kick_sync_outdated(struct scree_mover *mover);

// Takes the velocities of leapfrog schemes back to mid-step.
void scree_half_kick_restore(struct scree_mover *mover);

#endif
