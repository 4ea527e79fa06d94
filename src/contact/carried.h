// Adds forces, moments and losses of carried grains to their bodies.
//
// Invariants: a body with carried grains is complete only after the contacts of all its grains. If all grains
// of a block of bodies belong to one piece, the block is finished with the last of their tiles, while they
// are in cache; else after all tiles. The sums of the grains are added to those of the body in order of part
// numbers, independent of threads. All grains of a body have the same quantum, the largest that one of them
// needs.

#ifndef SCREE_CONTACT_CARRIED_H
#define SCREE_CONTACT_CARRIED_H

#include "contact/across.h"
#include "contact/pieces.h"
#include "contact/sums.h"
#include "world/grain.h"

// Kinds of blocks of bodies: none carries grains; or some do, and the block is complete with a tile, or after
// all tiles.
enum scree_carried_block { SCREE_CARRIED_NONE, SCREE_CARRIED_WITH_TILE, SCREE_CARRIED_AFTER_ALL };
// in another bit: every body of the block carries grains
enum { SCREE_CARRIED_KIND = 3, SCREE_CARRIED_BY_ALL = 4 };

struct scree_carried {
    struct scree_grain_owners owners; // empty if there are no carried grains
    uint8_t *block; // by SCREE_SUMS_BLOCK bodies: a scree_carried_block and SCREE_CARRIED_BY_ALL
    // blocks that are complete with a tile: those of tile t are ready[ready_first[t]] to
    // ready[ready_first[t + 1] - 1]
    uint32_t *ready_first, *ready;
    bool *in_tile; // by tile: some candidates, walls included, have a carried grain
    double *work;  // by row: work of moving walls on a grain in this evaluation, J
};

// Prepares for the current carried grains and lists; empty on failure.
SCREE_NODISCARD scree_status scree_carried_make(struct scree_carried *carried,
                                                const struct scree_world *world,
                                                const struct scree_pieces *pieces,
                                                const struct scree_bond_lists *bonds);
void scree_carried_free(struct scree_carried *carried);

static inline enum scree_carried_block scree_carried_block_of(const struct scree_carried *carried,
                                                              size_t block)
{
    return (enum scree_carried_block)(carried->block ? carried->block[block] & SCREE_CARRIED_KIND
                                                     : SCREE_CARRIED_NONE);
}

static inline bool scree_carried_in_tile(const struct scree_carried *carried, size_t tile)
{
    return carried->in_tile && carried->in_tile[tile];
}

static inline bool scree_carried_by_all(const struct scree_carried *carried, size_t block)
{
    return carried->block && carried->block[block] & SCREE_CARRIED_BY_ALL;
}

// Adds the sums of carried grains to force, moment, losses and work of their bodies [first, last), and clears
// these sums. `wrench` points to the force and moment of `first`; with moving walls it is in the world.
void scree_carried_add(const struct scree_carried *carried, struct scree_sums *sums,
                       struct scree_world *world, size_t first, size_t last, struct scree_wrench *wrench,
                       enum scree_sums_taking taking, bool walls_move);

// Adds to the forces on images (contact/across.h) those on the grains of bodies [first, last) that are not in
// the same image as their body: periods between bodies are those between grains, plus those of the first
// grain from its body, minus those of the second. Call it before scree_carried_add.
void scree_carried_across(const struct scree_carried *carried, struct scree_sums *sums,
                          const struct scree_world *world, const struct scree_kernel_cell *cell, size_t first,
                          size_t last, struct scree_across *across);

// Chooses the quanta of bodies [first, last) that carry grains, and of their grains: see scree_sums_choose.
// `unknown_only`: skip bodies that have a quantum.
void scree_carried_choose(const struct scree_carried *carried, const struct scree_sums *sums,
                          struct scree_world *world, size_t first, size_t last, double step,
                          bool unknown_only);

#endif
