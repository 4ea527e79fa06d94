// Batches of bonds between grains: what the kernel of bonds reads in every step, as columns, so that it needs
// neither the rows of the world nor a transposition.
//
// Batches are made again from the rows and the lists whenever those change. The bonds of a batch are adjacent
// in the list of their tile, so that their grains are near each other in memory.

#ifndef SCREE_CONTACT_BOND_BATCHES_H
#define SCREE_CONTACT_BOND_BATCHES_H

#include "contact/bond_lists.h"

#include <scree/kernel.h>

// What bonds of equal bodies have in common. If it is the same in all batches of a tile, only that of the
// first is read: a large lattice of bonds is as fast as memory.
struct scree_bond_elasticity {
    scree_kernel_lanes arm[2], stiffness[4], damping;
};

// The last batch of a tile is padded with its first bond.
struct scree_bond_batch {
    scree_kernel_lanes axes[2][4];
    scree_kernel_lanes safe; // energy below which no strength is exceeded, see bond_law.h
    uint32_t slot[2][SCREE_KERNEL_WIDTH];
    uint32_t owner[2][SCREE_KERNEL_WIDTH]; // slots of the bodies, read if scree_bond_tile.carried
    uint32_t sum[2][SCREE_KERNEL_WIDTH];   // read if scree_bond_tile.shared
};

// Allocates the batches of new lists.
SCREE_NODISCARD scree_status scree_bond_batches_allocate(struct scree_bond_lists *lists);

// Fills the batches of a tile.
void scree_bond_batches_fill(const struct scree_bond_lists *lists, const struct scree_world *world,
                             size_t tile);

#endif
