// Reading inertia and orientation of a general rigid body from its definition.

#ifndef SCREE_WORLD_ROTOR_H
#define SCREE_WORLD_ROTOR_H

#include "world/world.h"

// Fills inertia and orientation; an inertia tensor is diagonalised. The momentum is not set.
SCREE_NODISCARD scree_status scree_rotor_read(const struct scree_world *world,
                                              const struct scree_rigid_def *def, struct scree_rotor *rotor);

// Reads a nonzero quaternion and normalises it.
SCREE_NODISCARD scree_status scree_rotor_orientation(const double *from, double *to);

#endif
