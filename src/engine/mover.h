// The mover: applies the two laws of motion to all bodies, block by block, and keeps the books of a
// half-kick: whether it is pending, what it did in energy, and where a leaping law's mid-step velocities rest
// between steps.
//
// What always holds: a block goes through translation, rotation and accounts while it lies in cache; blocks
// are independent, so the bits do not depend on the team. A synced world is on-step; restored, it is as if it
// had not been synced.

#ifndef SCREE_ENGINE_MOVER_H
#define SCREE_ENGINE_MOVER_H

#include "base/team.h"
#include "motion/motion.h"

// Bodies that pass through the laws at a time: their records and forces fill half of a first-level cache.
enum { SCREE_MOVER_BLOCK = 128 };

struct scree_mover {
    struct scree_world *world;
    struct scree_team team;
    const struct scree_motion_law *translation, *rotation;
    struct scree_motion_step step;
    struct scree_damping damping;          // of bodies that have none of their own
    uint32_t half_velocity, half_momentum; // columns of leaping laws, UINT32_MAX for none
    uint32_t row[SCREE_MOTION_ROWS];       // columns of the law of rotation
    uint32_t drag;                         // column of local damping
    bool drag_outdated_only;
    struct scree_push *middle; // forces at mid-step
    struct scree_motor motor;
};

// Registers the rows that the laws need, and drops private rows that another law left behind.
SCREE_NODISCARD scree_status scree_mover_begin(struct scree_mover *mover, struct scree_world *world);

// Whether the laws can move every body there is; a failure names one that they cannot.
SCREE_NODISCARD scree_status scree_mover_check(const struct scree_mover *mover);

// What moves every body: place to the next step, velocity as far as the law goes.
void scree_mover_advance(struct scree_mover *mover);

// Whether some body needs its loads at mid-step, and takes the step with the forces found there, to which it
// adds local damping.
bool scree_mover_needs_middle(const struct scree_mover *mover);
void scree_mover_finish(struct scree_mover *mover, struct scree_push *middle);

// Makes velocities on-step; a value that is not finite is an error that names the body.
SCREE_NODISCARD scree_status scree_mover_sync(struct scree_mover *mover);

// Takes leaping velocities back to mid-step.
void scree_mover_restore(struct scree_mover *mover);

// A batch of the mover's world; `damping` is scratch for `count` bodies.
struct scree_motion_batch scree_mover_batch(const struct scree_mover *mover, size_t first, size_t count,
                                            struct scree_damping *damping);

// On-step motion from the forces in the wrenches, or the prediction of it; count is at most
// SCREE_MOVER_BLOCK.
void scree_mover_complete(const struct scree_mover *mover, size_t first, size_t count,
                          struct scree_on_step *out);
void scree_mover_predict(const struct scree_mover *mover, size_t first, size_t count,
                         struct scree_on_step *out);

// Motion in the middle of the step under way.
void scree_mover_middle(const struct scree_mover *mover, size_t first, size_t count,
                        struct scree_on_step *out);

// Local damping from the forces just gathered, of all bodies or of those whose force is outdated:
// EQUATIONS 2.3.
SCREE_NODISCARD scree_status scree_mover_drag(struct scree_mover *mover, bool outdated_only);

#endif
