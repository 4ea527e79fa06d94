// Contact forces, tile by tile.
//
// One walk over the tiles evaluates the contacts that belong to each, those with walls too, and adds them to
// the sums of their grains. When a tile is done its bodies are complete, and while they lie in the
// second-level cache whatever the caller does with a body whose force is known is done. Nothing is evaluated
// twice, and sums have no order (sums.h), so no bit depends on the number of threads, on tiles or on the
// skin.

#ifndef SCREE_CONTACT_EVALUATE_H
#define SCREE_CONTACT_EVALUATE_H

#include "contact/collider.h"

// What becomes of a block of bodies as soon as its contacts and walls are summed, in the thread that has
// summed them. Bodies of a block are consecutive, at most SCREE_SUMS_BLOCK from a multiple of that on.
struct scree_evaluate_after {
    void *self;
    // does all of it from sums of a step, which it empties as scree_sums_take does; false: it has done
    // nothing
    bool (*whole)(void *self, struct scree_sums *sums, size_t first, size_t last);
    // whether nobody needs the forces of a block after `work`
    bool (*passes)(void *self, size_t first, size_t last);
    // `wrench`: forces of the block, those in the world unless they pass; accounts are in the world alone
    void (*work)(void *self, size_t first, size_t last, struct scree_wrench *wrench);
};

// Evaluates all contacts, which advance by `step`, and what becomes of each block; null: nothing.
void scree_evaluate_contacts(struct scree_collider *collider, double step,
                             const struct scree_evaluate_after *after);

#endif
