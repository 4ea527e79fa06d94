// The mover: applies the two laws of motion to all bodies, block by block.
//
// What always holds: a block goes through accounts, translation and rotation while it lies in cache; blocks
// are independent, so the bits do not depend on the team.

#ifndef SCREE_ENGINE_MOVER_H
#define SCREE_ENGINE_MOVER_H

#include "base/team.h"
#include "engine/drift.h"
#include "motion/round.h"

#include <stdatomic.h>

// Bodies that pass through the laws at a time: their records and forces fill half of a first-level cache.
enum { SCREE_MOVER_BLOCK = 128 };

struct scree_mover {
    struct scree_world *world;
    struct scree_team team;
    const struct scree_motion_law *translation, *rotation;
    struct scree_motion_step step;
    struct scree_damping damping;      // of bodies that have none of their own
    bool loaded;                       // forces may be more than what contacts gave
    uint32_t row[SCREE_MOTION_ROWS];   // columns of the law of rotation, UINT32_MAX for none
    struct scree_force_moment *middle; // forces at mid-step
    struct scree_pending_step pending_step;
    struct scree_drift drift;
    double displacement; // radii that a body may go in a step
    double fastest;      // square of the largest speed in the last move; not a number where something was not
    atomic_uint_fast64_t fastest_bits;
    atomic_bool far; // a body went too far in the last move
};

// Registers the rows that the laws need.
SCREE_NODISCARD scree_status scree_mover_begin(struct scree_mover *mover, struct scree_world *world);

// Whether the laws can move every body there is; a failure names one that they cannot.
SCREE_NODISCARD scree_status scree_mover_check(const struct scree_mover *mover);

// Of that, whether the laws can move bodies that touch, where bodies may.
SCREE_NODISCARD scree_status scree_mover_check_touching(const struct scree_mover *mover);

// What moves every body by a step of `h`: place to the next step, velocity as far as the law goes.
void scree_mover_advance(struct scree_mover *mover, double h);

// The same block by block, by whoever has the forces of a block at hand: between setting out and arriving
// every body is advanced once.
void scree_mover_set_out(struct scree_mover *mover, double h);
void scree_mover_arrive(struct scree_mover *mover);

// Moves a block whose batch may have its forces elsewhere than in the world, from a multiple of 64 bytes on;
// accounts are kept in its wrenches where they are needed. `drag`: where local damping of these forces is
// put, null where it is known already. `touch`: what contacts gave, null where that is in the world too.
void scree_mover_advance_block(struct scree_mover *mover, const struct scree_motion_batch *batch,
                               struct scree_force_moment *drag, const struct scree_force_moment *touch);

// Whether a block of bodies can be moved in one pass over its records, since none has an orientation, and
// what such a pass asks of it besides what acts on it; moves it.
bool scree_mover_is_round(const struct scree_mover *mover, size_t first, size_t count);
struct scree_round scree_mover_round(const struct scree_mover *mover, size_t first, size_t count);
void scree_mover_advance_round(struct scree_mover *mover, struct scree_round *round);

// Whether some body needs its loads at mid-step, and takes the step with the forces found there, to which it
// adds local damping.
bool scree_mover_needs_middle(const struct scree_mover *mover);
void scree_mover_finish(struct scree_mover *mover, struct scree_force_moment *middle);

// A batch of the mover's world; `damping` is scratch for `count` bodies. Any consecutive ones of it are
// another.
struct scree_motion_batch scree_mover_batch(const struct scree_mover *mover, size_t first, size_t count,
                                            struct scree_damping *damping);
struct scree_motion_batch scree_mover_part(const struct scree_motion_batch *batch, size_t first,
                                           size_t count);

// What on-step motion is predicted to be, from forces that are at hand: those in the world are of the step
// before, or what contacts gave in this one. Count is at most SCREE_MOVER_BLOCK.
void scree_mover_predict(const struct scree_mover *mover, size_t first, size_t count,
                         struct scree_wrench *wrench, struct scree_on_step *out);

// Motion in the middle of the step under way.
void scree_mover_middle(const struct scree_mover *mover, size_t first, size_t count,
                        struct scree_on_step *out);

// The law of rotation that a body obeys.
const struct scree_motion_law *scree_mover_law(const struct scree_mover *mover,
                                               const struct scree_grain *grain);

// On-step motion of a batch, which may hold less or other than the world does.
void scree_mover_complete(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                          struct scree_on_step *out);

// Local damping (drag.h) of the forces of a batch just summed; `on_step` is room for as many bodies.
void scree_mover_damp(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                      bool outdated_only, struct scree_on_step *on_step, struct scree_force_moment *drag);

// Whether the energy accounts need a batch, and books the half-steps before and after t, or the one before
// alone; `touch` as above.
bool scree_mover_accounts(const struct scree_mover *mover, const struct scree_motion_batch *batch);
void scree_mover_book(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                      const struct scree_on_step *on_step, const struct scree_force_moment *touch,
                      bool and_next);

// Does a piece of work on all blocks, on the team.
typedef void scree_mover_work(struct scree_mover *mover, size_t first, size_t count);
void scree_mover_each(struct scree_mover *mover, scree_mover_work *work);

// Does a piece of work on ranges of whole blocks: on those that have bodies whose force is outdated, one
// after the other, where these bodies are few, else on all, on the team.
void scree_mover_each_outdated(struct scree_mover *mover, scree_team_work *work, void *context);

#endif
