// The work at the points of a soft step, one function per point. The table that orders them is in soft.c.

#ifndef SCREE_ENGINE_POINTS_H
#define SCREE_ENGINE_POINTS_H

#include "engine/soft.h"

SCREE_NODISCARD scree_status scree_points_begin(struct scree_soft *soft);    // pending half-kick
SCREE_NODISCARD scree_status scree_points_move(struct scree_soft *soft);     // kick, drift, rotate
SCREE_NODISCARD scree_status scree_points_time(struct scree_soft *soft);     // time advances
SCREE_NODISCARD scree_status scree_points_walls(struct scree_soft *soft);    // walls move
SCREE_NODISCARD scree_status scree_points_contacts(struct scree_soft *soft); // contact forces
SCREE_NODISCARD scree_status scree_points_loads(struct scree_soft *soft);    // constant loads and the user's
SCREE_NODISCARD scree_status scree_points_gather(struct scree_soft *soft);   // all forces on bodies
SCREE_NODISCARD scree_status
scree_points_record(struct scree_soft *soft); // invariants, in builds with assertions

// Returns true if the current run has another step.
bool scree_points_has_next(const struct scree_soft *soft);

// Forces that were applied between steps belong to the next step: set them aside for an evaluation of forces
// before it, and put them back afterwards.
SCREE_NODISCARD scree_status scree_points_set_aside_pending(struct scree_soft *soft);
void scree_points_restore_pending(struct scree_soft *soft);

// After an evaluation that failed midway: discards the incomplete forces; the next run evaluates them again.
void scree_points_discard_forces(struct scree_soft *soft);

#endif
