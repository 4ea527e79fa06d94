// The commonest motion of all in one pass over whole records: round bodies under velocity Verlet, undamped.
//
// What always holds: the bits are those of velocity Verlet and `spherical`, one after the other.

#ifndef SCREE_MOTION_ROUND_H
#define SCREE_MOTION_ROUND_H

#include "motion/motion.h"

// Advances a batch without damping, drag and rotors; nothing is pending in its flags afterwards.
void scree_round_advance(const struct scree_motion_batch *batch);

#endif
