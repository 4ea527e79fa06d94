// Definitions of clumps: rigid bodies that carry spheres, disks and polyhedra.

#ifndef SCREE_WORLD_CLUMP_H
#define SCREE_WORLD_CLUMP_H

#include "world/world.h"

// Checks all of a definition but its motion.
SCREE_NODISCARD scree_status scree_clump_check(const struct scree_world *world,
                                               const struct scree_clump_def *def);

// The row of a clump; `first`: id of its first carried grain.
struct scree_clump scree_clump_of(const struct scree_world *world, const struct scree_clump_def *def,
                                  uint64_t first);

#endif
