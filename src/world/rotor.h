// Reading how a general rigid body turns: its moments of inertia and the orientation of its principal axes.

#ifndef SCREE_WORLD_ROTOR_H
#define SCREE_WORLD_ROTOR_H

#include "world/world.h"

// Fills inertia and orientation from a definition, diagonalising a tensor; the momentum is left alone.
SCREE_NODISCARD scree_status scree_rotor_read(const struct scree_world *world,
                                              const struct scree_rigid_def *def, struct scree_rotor *rotor);

// Reads a quaternion of any length but nought, and makes it one of unit length.
SCREE_NODISCARD scree_status scree_rotor_orientation(const double *from, double *to);

#endif
