// Contact forces, tile by tile.
//
// One loop over the tiles evaluates the contacts of each, including those with walls, and adds them to the
// sums of their grains. When a tile is done its bodies are complete, and the caller's function (integration)
// runs on them while they are in the second-level cache. Each contact is evaluated once, and sums do not
// depend on order (sums.h), so results are bitwise independent of threads, tiles and skin.

#ifndef SCREE_CONTACT_EVALUATE_H
#define SCREE_CONTACT_EVALUATE_H

#include "contact/collider.h"

// Functions called for a block of bodies when its contacts are summed, by the thread that summed them. A
// block has at most SCREE_SUMS_BLOCK consecutive bodies, the first at a multiple of that.
struct scree_evaluate_callbacks {
    void *self;
    // processes the block directly from the sums and clears them as scree_sums_take does; returns false if
    // it did nothing
    bool (*from_sums)(void *self, struct scree_sums *sums, size_t first, size_t last);
    // returns true if the forces of the block are not needed after `block`
    bool (*forces_unused)(void *self, size_t first, size_t last);
    // `wrench`: forces of the block: rows of the world, or scratch memory without valid work and loss if
    // `forces_unused` returned true
    void (*block)(void *self, size_t first, size_t last, struct scree_wrench *wrench);
};

// Evaluates all contacts, advances their histories by `step`, and calls `after` (may be null) for each block.
void scree_evaluate_contacts(struct scree_collider *collider, double step,
                             const struct scree_evaluate_callbacks *after);

#endif
