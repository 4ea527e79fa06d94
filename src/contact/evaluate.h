// Contact forces, tile by tile.
//
// One loop over the tiles evaluates the contacts of each tile, including those with walls, and adds their
// forces to the sums of the grains. Then the bodies of the tile are complete, and the caller's function
// (integration) processes them while they are in the second-level cache. Each contact is evaluated once, and
// sums do not depend on order (sums.h), so results are bitwise independent of threads, tiles and skin.

#ifndef SCREE_CONTACT_EVALUATE_H
#define SCREE_CONTACT_EVALUATE_H

#include "contact/collider.h"

// Functions called for a block of bodies when its contacts are summed, by the thread that summed them. A
// block has at most SCREE_SUMS_BLOCK consecutive bodies, and the slot of the first is a multiple of this.
struct scree_evaluate_callbacks {
    void *self;
    // processes the block directly from the sums and clears them, as scree_sums_take does; returns false if
    // nothing was done
    bool (*from_sums)(void *self, struct scree_sums *sums, size_t first, size_t last, int thread);
    // the same for the first bodies of a block in which all carry grains, whose sums are added and whose
    // records are written; returns the number of these bodies. Only with `carried`
    size_t (*from_carried)(void *self, struct scree_sums *sums, const struct scree_grain_owners *owners,
                           struct scree_grain_update *update, size_t first, size_t last);
    // returns true if the forces of the block are not needed after `block`
    bool (*forces_unused)(void *self, size_t first, size_t last);
    // processes the forces `wrench` of the block: rows of the world, or, if `forces_unused` returned true,
    // scratch memory without valid work and loss
    void (*block)(void *self, size_t first, size_t last, struct scree_wrench *wrench, int thread);
    // if not null, the records of the grains that the bodies carry are written after `block`
    struct scree_grain_update *carried;
};

// Evaluates all contacts, advances their histories by `step`, and calls `after` (may be null) for each block.
void scree_evaluate_contacts(struct scree_collider *collider, double step,
                             const struct scree_evaluate_callbacks *after);

#endif
