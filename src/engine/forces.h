// What acts on bodies besides contacts, point 45 to 60 of a step: pushes, loads, local damping.
//
// What always holds: the force on a body is summed in one order, contacts, pushes, loads as they were
// registered, pushes that came after them; then damping opposes it. It is summed in one of three ways: for
// all bodies between the points, for those whose force is outdated, or block by block as soon as contacts are
// summed, and then the block moves on.

#ifndef SCREE_ENGINE_FORCES_H
#define SCREE_ENGINE_FORCES_H

#include "contact/evaluate.h"
#include "engine/loads.h"

// forces are summed and bodies moved by the same blocks
_Static_assert((int)SCREE_SUMS_BLOCK == (int)SCREE_MOVER_BLOCK, "a block is summed, then moved");

struct scree_forces {
    struct scree_mover *mover;
    struct scree_loads loads;
    bool touching; // contacts are evaluated
    bool taken;    // pushes were among the forces of the step
    bool kept;     // someone may look at forces before they are summed again
    bool whole;    // blocks on which only constant loads act may be summed and moved in one pass
};

void scree_forces_begin(struct scree_forces *forces, struct scree_mover *mover);
void scree_forces_end(struct scree_forces *forces);

// What contacts gave is kept apart where grains of general bodies, pushes or loads act too.
SCREE_NODISCARD scree_status scree_forces_require(const struct scree_forces *forces);

// Whether all that acts on a block of bodies can be summed by the thread that has summed its contacts.
bool scree_forces_follow(const struct scree_forces *forces);

// The third way: gets ready; finishes blocks; tells whether a load has failed. All bodies have moved then.
SCREE_NODISCARD scree_status scree_forces_set_out(struct scree_forces *forces, bool kept);
struct scree_evaluate_after scree_forces_after(struct scree_forces *forces);
SCREE_NODISCARD scree_status scree_forces_arrive(struct scree_forces *forces);

// The first way: what contacts and grains give, which an edit does not ask for again; pushes and loads; the
// sum.
void scree_forces_of_contacts(struct scree_forces *forces, bool touching);
SCREE_NODISCARD scree_status scree_forces_add(struct scree_forces *forces);
SCREE_NODISCARD scree_status scree_forces_sum(struct scree_forces *forces);

// The second way: waiting pushes wait on, and what contacts, grains and pushes gave stays.
SCREE_NODISCARD scree_status scree_forces_refresh(struct scree_forces *forces);

#endif
