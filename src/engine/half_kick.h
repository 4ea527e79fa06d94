// The half-kick between steps: pending inside a step, done when the world is looked at, and undone for laws
// that rest at mid-step.
//
// What always holds: a synced world is on-step, with its energy accounts booked up to the instant; restored,
// it is as if it had not been synced, to the bit. What a leaping law rests on between steps is a row of the
// body, valid where a flag says so, and only for the law that wrote it.

#ifndef SCREE_ENGINE_HALF_KICK_H
#define SCREE_ENGINE_HALF_KICK_H

#include "engine/mover.h"

// Gets ready for the laws of the mover: rows, and what another law left in them.
SCREE_NODISCARD scree_status scree_half_kick_begin(struct scree_mover *mover);

// Makes velocities on-step; a value that is not finite is an error that names the body.
SCREE_NODISCARD scree_status scree_half_kick_sync(struct scree_mover *mover);

// The same for blocks with bodies whose force is outdated, if they are few and no law leaps; else false, and
// nothing is done. Other blocks stay inside their step.
bool scree_half_kick_sync_outdated(struct scree_mover *mover);

// Takes leaping velocities back to mid-step.
void scree_half_kick_restore(struct scree_mover *mover);

#endif
