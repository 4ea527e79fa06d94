// Adds forces, moments and losses of carried grains to their bodies.
//
// Invariants: a body with carried grains is complete only after the contacts of all its grains, so its block
// of bodies is finished after all tiles. The sums of the grains are added to those of the body in order of
// part numbers, independent of threads. All grains of a body have the same quantum, the largest that one of
// them needs.

#ifndef SCREE_CONTACT_CARRIED_H
#define SCREE_CONTACT_CARRIED_H

#include "contact/sums.h"
#include "world/grain.h"

struct scree_carried {
    struct scree_grain_owners owners; // empty if there are no carried grains
    uint8_t *block;                   // flag of each SCREE_SUMS_BLOCK bodies: some carry grains
    double *work;                     // by row: work of moving walls on a grain in this evaluation, J
};

// Prepares for the current carried grains, whose positions are up to date; empty on failure.
SCREE_NODISCARD scree_status scree_carried_make(struct scree_carried *carried,
                                                const struct scree_world *world);
void scree_carried_free(struct scree_carried *carried);

// Returns true if some bodies of a block carry grains.
static inline bool scree_carried_in_block(const struct scree_carried *carried, size_t block)
{
    return carried->block && carried->block[block];
}

// Adds the sums of carried grains to force, moment, losses and work of their bodies [first, last), and clears
// these sums. `wrench` points to the force and moment of `first`.
void scree_carried_add(const struct scree_carried *carried, struct scree_sums *sums,
                       struct scree_world *world, size_t first, size_t last, struct scree_wrench *wrench,
                       enum scree_sums_taking taking);

// Chooses the quanta of bodies [first, last) that carry grains, and of their grains: see scree_sums_choose.
// `unknown_only`: skip bodies that have a quantum.
void scree_carried_choose(const struct scree_carried *carried, const struct scree_sums *sums,
                          struct scree_world *world, size_t first, size_t last, double step,
                          bool unknown_only);

#endif
