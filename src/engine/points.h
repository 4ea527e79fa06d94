// What happens at the points of a soft step, one function a point. The table that puts them in order is in
// soft.c.

#ifndef SCREE_ENGINE_POINTS_H
#define SCREE_ENGINE_POINTS_H

#include "engine/soft.h"

SCREE_NODISCARD scree_status scree_points_begin(struct scree_soft *soft);    // the pending half-kick
SCREE_NODISCARD scree_status scree_points_move(struct scree_soft *soft);     // kick, drift, rotate
SCREE_NODISCARD scree_status scree_points_time(struct scree_soft *soft);     // time passes
SCREE_NODISCARD scree_status scree_points_walls(struct scree_soft *soft);    // walls move
SCREE_NODISCARD scree_status scree_points_contacts(struct scree_soft *soft); // contact forces
SCREE_NODISCARD scree_status scree_points_loads(struct scree_soft *soft);    // constant loads and the user's
SCREE_NODISCARD scree_status scree_points_gather(struct scree_soft *soft);   // all forces on bodies
SCREE_NODISCARD scree_status
scree_points_record(struct scree_soft *soft); // invariants, in builds with assertions

// Whether the run under way has another step.
bool scree_points_goes_on(const struct scree_soft *soft);

// Pushes made between steps wait for a step: an evaluation of the forces before it begins without them.
SCREE_NODISCARD scree_status scree_points_set_aside_pending(struct scree_soft *soft);
void scree_points_restore_pending(struct scree_soft *soft);

// An evaluation that failed on its way leaves no half of a force behind: the next run begins with a new one.
void scree_points_void_forces(struct scree_soft *soft);

#endif
