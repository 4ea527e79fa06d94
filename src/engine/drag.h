// Local damping, Cundall's, in Woo's form: EQUATIONS 2.3, errata 19. Of each component of force and moment,
// per axis of the world and gravity included, a share opposes the on-step motion that the undamped force
// predicts; at rest nothing does.

#ifndef SCREE_ENGINE_DRAG_H
#define SCREE_ENGINE_DRAG_H

#include "motion/motion.h"

// A share of +-|F| against the motion.
static inline double scree_drag_opposing(double share, double force, double velocity)
{
    return velocity == 0 ? 0 : -copysign(share * fabs(force), velocity);
}

// Takes over the drag that another engine left: it holds until the next forces, unless nothing is damped any
// more. `damping`: of bodies that have none of their own.
void scree_drag_begin(struct scree_world *world, const struct scree_damping *damping);

// Whether any body has local damping.
bool scree_drag_damps(const struct scree_world *world, const struct scree_damping *damping);

// The column of drags is there where something is damped.
SCREE_NODISCARD scree_status scree_drag_require(struct scree_world *world,
                                                const struct scree_damping *damping);

// Damps the forces of a batch just summed, of all its bodies or of those whose force is outdated; `on_step`
// is the motion that these forces alone would give.
void scree_drag_damp(const struct scree_motion_batch *batch, bool outdated_only,
                     const struct scree_on_step *on_step, struct scree_force_moment *drag);

#endif
