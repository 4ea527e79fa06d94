// The limit of the time step by bodies that have walls; part of the critical step, see critical_step.h.
//
// All contacts of its walls pull on such a body, at their lever arms. A wall that nothing touches yet can be
// hit by the stiffest impact in the world, at its farthest point.

#ifndef SCREE_ENGINE_CRITICAL_WALLS_H
#define SCREE_ENGINE_CRITICAL_WALLS_H

#include "engine/lever.h"

// Slot of the body that a wall moves with; SIZE_MAX if there is none, or all of its freedoms are fixed.
size_t scree_critical_walls_body(const struct scree_step_inputs *inputs, size_t wall);

// Lowers the limit to that of the bodies with walls. The sums of contacts may be null.
void scree_critical_walls_limit(struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                                struct scree_critical_step_limit *limit);

#endif
