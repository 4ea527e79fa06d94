// Forces of wall contacts on the bodies that walls move with.
//
// A wall can have any number of contacts, evaluated by all threads. Each thread adds force and moment to
// exact sums (base/sum.h) of its own, so the result does not depend on order, and no quantum limits it. The
// blocks of these bodies are finished after all tiles.
//
// Invariant: between evaluations all sums are zero.

#ifndef SCREE_CONTACT_WALL_BODIES_H
#define SCREE_CONTACT_WALL_BODIES_H

#include "base/sum.h"
#include "world/wall_body.h"

enum { SCREE_WALL_BODIES_TERMS = 6 }; // force, moment about the centre of mass

struct scree_wall_bodies {
    size_t count;      // bodies with walls
    uint32_t *slot;    // of each
    uint32_t *of_wall; // by slot of the wall: number of its body, UINT32_MAX for none; null: no such wall
    uint8_t *block;    // by SCREE_SUMS_BLOCK bodies: 1 if some have walls
    struct scree_wall_mobility *mobility; // of each, after scree_wall_bodies_begin
    int threads;
    struct scree_sum *sum;                    // [threads][count][SCREE_WALL_BODIES_TERMS]
    double (*total)[SCREE_WALL_BODIES_TERMS]; // after scree_wall_bodies_total
};

// Prepares for the present walls and slots of bodies; empty on failure, and if no wall moves with a body.
SCREE_NODISCARD scree_status scree_wall_bodies_make(struct scree_wall_bodies *bodies,
                                                    const struct scree_world *world, int threads);
void scree_wall_bodies_free(struct scree_wall_bodies *bodies);

// Returns true if a block has bodies with walls.
static inline bool scree_wall_bodies_in(const struct scree_wall_bodies *bodies, size_t block)
{
    return bodies->block && bodies->block[block];
}

// Prepares for an evaluation.
void scree_wall_bodies_begin(const struct scree_wall_bodies *bodies, const struct scree_world *world);

// How easily contacts move the body of a wall; null for a wall without one.
static inline const struct scree_wall_mobility *
scree_wall_bodies_mobility(const struct scree_wall_bodies *bodies, uint32_t wall)
{
    const uint32_t body = bodies->of_wall ? bodies->of_wall[wall] : UINT32_MAX;
    return body == UINT32_MAX ? NULL : &bodies->mobility[body];
}

// Adds the reaction to the terms of a contact of a grain with a wall.
void scree_wall_bodies_react(const struct scree_wall_bodies *bodies, int thread,
                             const struct scree_wall *wall, uint32_t wall_slot,
                             const struct scree_grain *grain, const double *terms);

// Adds up the sums of all threads and clears them.
void scree_wall_bodies_total(struct scree_wall_bodies *bodies);

// Adds the totals to force and moment of bodies [first, last); `wrench` points to that of `first`.
void scree_wall_bodies_add(const struct scree_wall_bodies *bodies, size_t first, size_t last,
                           struct scree_wrench *wrench);

#endif
