// The sum of forces on bodies, points 45 to 60 of a step: contact forces, forces applied by callbacks
// (pending forces), loads, and local damping.
//
// Invariant: the force on a body is always summed in the same order: contacts, pending forces, loads in
// order of registration, forces applied after the loads; local damping comes last. Forces are summed for all
// bodies, at separate points of the step; or only for bodies whose force is outdated; or fused: as soon as
// the contact forces of a block of bodies are summed, its other forces are added and the block is moved.

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

// Returns true if the thread that has summed the contact forces of a block can also sum all other forces.
bool scree_forces_can_fuse(const struct scree_forces *forces);

// Fused summation and motion: begin prepares; work returns the functions that finish a block; end is called
// when all bodies have moved and returns the error of a failed load.
SCREE_NODISCARD scree_status scree_forces_fused_begin(struct scree_forces *forces, bool stored);
struct scree_evaluate_callbacks scree_forces_fused_work(struct scree_forces *forces);
SCREE_NODISCARD scree_status scree_forces_fused_end(struct scree_forces *forces);

// For all bodies: stores contact forces separately, where needed; adds pending forces and loads; sums and
// damps.
void scree_forces_of_contacts(struct scree_forces *forces, bool contacts);
SCREE_NODISCARD scree_status scree_forces_add(struct scree_forces *forces);
SCREE_NODISCARD scree_status scree_forces_sum(struct scree_forces *forces);

// For bodies whose force is outdated: evaluates loads and damping again. Contact forces and applied forces of
// the last evaluation stay; pending forces stay pending.
SCREE_NODISCARD scree_status scree_forces_refresh(struct scree_forces *forces);

#endif
