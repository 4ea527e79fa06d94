// The sum of forces on bodies, points 45 to 60 of a step: contact forces, forces applied by callbacks
// (pending forces), loads, and local damping.
//
// Invariant: the force on a body is always summed in the same order: contacts, pending forces, loads in
// order of registration, forces applied after the loads; local damping comes last. There are three ways to
// do it: for all bodies, at separate points of the step; only for bodies whose force is outdated; or fused:
// a block of bodies gets its remaining forces and is moved as soon as its contact forces are summed.

#ifndef SCREE_ENGINE_FORCES_H
#define SCREE_ENGINE_FORCES_H

#include "contact/evaluate.h"
#include "engine/loads.h"

// forces are summed and bodies moved by the same blocks
_Static_assert((int)SCREE_SUMS_BLOCK == (int)SCREE_MOVER_BLOCK, "a block is summed, then moved");

struct scree_forces {
    struct scree_mover *mover;
    struct scree_loads loads;
    bool contacts;    // contacts have been evaluated
    bool had_pending; // pending forces acted in this step
    bool stored;      // forces are written to the world, since callbacks may read them
    bool one_pass;    // blocks with constant loads only may be summed and moved in one pass over records
};

void scree_forces_begin(struct scree_forces *forces, struct scree_mover *mover);
void scree_forces_end(struct scree_forces *forces);

// Adds the columns in which contact forces are stored separately, if loads or applied forces act too.
SCREE_NODISCARD scree_status scree_forces_require(const struct scree_forces *forces);

// Returns whether the thread that has summed the contact forces of a block can also sum all other forces.
bool scree_forces_can_fuse(const struct scree_forces *forces);

// Fused: prepares; gives the functions that finish a block; ends, when all bodies have moved, with the error
// of a load if one has failed.
SCREE_NODISCARD scree_status scree_forces_fused_begin(struct scree_forces *forces, bool stored);
struct scree_evaluate_callbacks scree_forces_fused_work(struct scree_forces *forces);
SCREE_NODISCARD scree_status scree_forces_fused_end(struct scree_forces *forces);

// For all bodies: stores contact forces separately, where needed; adds pending forces and loads; sums and
// damps.
void scree_forces_of_contacts(struct scree_forces *forces, bool contacts);
SCREE_NODISCARD scree_status scree_forces_add(struct scree_forces *forces);
SCREE_NODISCARD scree_status scree_forces_sum(struct scree_forces *forces);

// For bodies whose force is outdated: evaluates loads and damping again. Contact forces and applied forces
// that were taken stay; pending ones stay pending.
SCREE_NODISCARD scree_status scree_forces_refresh(struct scree_forces *forces);

#endif
