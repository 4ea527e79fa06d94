// Cundall's local damping, in Woo's form: EQUATIONS 2.3, errata 19. A share of each component of force
// (gravity included) and moment, along the axes of the world, opposes the on-step velocity that the undamped
// force predicts; it is zero at rest.

#ifndef SCREE_ENGINE_DRAG_H
#define SCREE_ENGINE_DRAG_H

#include "motion/motion.h"

// A share of |F|, directed against the velocity.
static inline double scree_drag_opposing(double share, double force, double velocity)
{
    return velocity == 0 ? 0 : -copysign(share * fabs(force), velocity);
}

// Call when an engine is created. The drag that an earlier engine stored is used until forces are evaluated;
// if no body is damped, this call clears it. `damping`: of bodies without their own.
void scree_drag_begin(struct scree_world *world, const struct scree_damping *damping);

// Returns true if any body has local damping.
bool scree_drag_damps(const struct scree_world *world, const struct scree_damping *damping);

// Adds the column of drags if any body is damped.
SCREE_NODISCARD scree_status scree_drag_require(struct scree_world *world,
                                                const struct scree_damping *damping);

// Computes the drag of a batch whose forces have just been summed, for all its bodies or only for those
// whose force is outdated; `on_step` is the motion that the undamped forces give.
void scree_drag_damp(const struct scree_motion_batch *batch, bool outdated_only,
                     const struct scree_on_step *on_step, struct scree_force_moment *drag);

#endif
