// The mover: applies the two integration schemes to all bodies, block by block.
//
// Invariant: a block passes through energy accounts, translation and rotation while it is in cache. Blocks
// are independent, so results do not depend on the thread team.

#ifndef SCREE_ENGINE_MOVER_H
#define SCREE_ENGINE_MOVER_H

#include "base/team.h"
#include "engine/drift.h"
#include "engine/mean_power.h"
#include "motion/carriers.h"
#include "motion/round.h"

#include <stdatomic.h>

// Bodies per block: their records and forces fill half of a first-level cache.
enum { SCREE_MOVER_BLOCK = 128 };

// A row that the scheme of rotation does not need has no column.
#define SCREE_MOVER_NO_COLUMN UINT32_MAX

struct scree_mover {
    struct scree_world *world;
    struct scree_team team;
    const struct scree_motion_scheme *translation, *rotation;
    struct scree_motion_step step;
    struct scree_motion_flow flow;             // to which `step` points, in a cell with cell vectors
    struct scree_damping damping;              // of bodies without their own
    bool loaded;                               // forces may include more than contact forces
    uint32_t row[SCREE_MOTION_ROWS];           // columns of the scheme of rotation
    struct scree_force_moment *mid_step_loads; // forces at mid-step
    struct scree_pending_step pending_step;
    struct scree_drift drift;
    double displacement; // limit of the displacement in a step, in radii
    double fastest;      // square of the largest speed in the last move; NaN if a number was not finite
    atomic_uint_fast64_t fastest_bits;
    atomic_bool far;      // a displacement was above the limit in the last move
    bool changed_vectors; // the cell has other cell vectors since the last move
    struct scree_mean_power mean_power;
};

// Calls a function for each run of bodies with the same scheme of rotation; `first`: the index of the first
// of them in the batch.
typedef void scree_mover_rotation(const struct scree_motion_scheme *scheme,
                                  const struct scree_motion_batch *batch, size_t first, void *context);
void scree_mover_each_scheme(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                             scree_mover_rotation *work, void *context);

// Registers the rows that the schemes need.
SCREE_NODISCARD scree_status scree_mover_begin(struct scree_mover *mover, struct scree_world *world);
void scree_mover_end(struct scree_mover *mover);

// Checks that the schemes can move every body; the error names one that they cannot.
SCREE_NODISCARD scree_status scree_mover_check(const struct scree_mover *mover);

// Checks only that the schemes can move bodies with contacts, if the world has a contact law.
SCREE_NODISCARD scree_status scree_mover_check_touching(const struct scree_mover *mover);

// Reads gravity and the mean motion from the world, for steps of `h`.
static inline void scree_mover_read_world(struct scree_mover *mover, double h)
{
    scree_world_gravity(mover->world, mover->step.gravity);
    mover->step.flow = scree_world_lattice(mover->world) ? &mover->flow : NULL;
    if (mover->step.flow)
        scree_drift_flow(mover->world, h, mover->step.last, &mover->flow);
}

// Moves all bodies by a step of `h`: positions to the next step, velocities as far as the scheme can without
// the next forces.
void scree_mover_advance(struct scree_mover *mover, double h);

// Moves all bodies block by block, in fused evaluation: call begin_move, advance every block once, call
// end_move.
void scree_mover_begin_move(struct scree_mover *mover, double h);
void scree_mover_end_move(struct scree_mover *mover);

// Moves a block. The forces of the batch may be a copy outside the world, aligned to 64 bytes; its energy
// accounts are updated if needed. `drag` receives the local damping of these forces; null if it is known
// already. `contact_force`: contact forces; null if those in the world are to be used. `thread`: that of the
// mover's team.
void scree_mover_advance_block(struct scree_mover *mover, const struct scree_motion_batch *batch,
                               struct scree_force_moment *drag,
                               const struct scree_force_moment *contact_force, int thread);

// Motion of a block in one pass over its records (motion/round.h). `round` fills the input except for forces,
// and returns false if this is impossible, because some body is neither a sphere nor a disk or because of the
// scheme; advance_round moves the block.
bool scree_mover_round(const struct scree_mover *mover, size_t first, size_t count,
                       struct scree_round *round);
void scree_mover_advance_round(struct scree_mover *mover, struct scree_round *round, int thread);

// Motion of a block in one pass over its bodies and the grains that they carry (motion/carriers.h); the
// bodies have neither damping nor loads nor fixed degrees of freedom. moves_carriers returns true if the
// schemes can do it; advance_carriers moves the block, whose sums and grains are in `pass`.
bool scree_mover_moves_carriers(const struct scree_mover *mover);
void scree_mover_advance_carriers(struct scree_mover *mover, struct scree_carriers *pass);

// needs_mid_step returns true if the scheme of rotation needs loads at mid-step. finish adds local damping to
// the moments of these loads and completes the step.
bool scree_mover_needs_mid_step(const struct scree_mover *mover);
void scree_mover_finish(struct scree_mover *mover, struct scree_force_moment *loads);

// batch returns a batch of bodies of the mover's world; `damping` is scratch space for `count` bodies. part
// returns a part of a batch.
struct scree_motion_batch scree_mover_batch(const struct scree_mover *mover, size_t first, size_t count,
                                            struct scree_damping *damping);
struct scree_motion_batch scree_mover_part(const struct scree_motion_batch *batch, size_t first,
                                           size_t count);

// Predicts on-step motion from the forces in `wrench`: total forces of the previous step, or contact forces
// of this step. `count` is at most SCREE_MOVER_BLOCK.
void scree_mover_predict(const struct scree_mover *mover, size_t first, size_t count,
                         struct scree_wrench *wrench, struct scree_on_step *out);

// Motion in the middle of the current step.
void scree_mover_mid_step(const struct scree_mover *mover, size_t first, size_t count,
                          struct scree_on_step *out);

// The scheme of rotation of a body.
const struct scree_motion_scheme *scree_mover_scheme(const struct scree_mover *mover,
                                                     const struct scree_grain *grain);

// On-step motion of a batch, from the forces in the batch, which need not be those of the world.
void scree_mover_complete(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                          struct scree_on_step *out);

// Computes local damping (drag.h) of the forces of a batch just summed; `on_step` is scratch space for its
// bodies.
void scree_mover_damp(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                      bool outdated_only, struct scree_on_step *on_step, struct scree_force_moment *drag);

// needs_accounts returns true if the energy accounts of a batch can change. enter_accounts adds the half-step
// before the present time and, if `and_next`, the half-step after it; `contact_force` as above.
bool scree_mover_needs_accounts(const struct scree_mover *mover, const struct scree_motion_batch *batch);
void scree_mover_enter_accounts(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                                const struct scree_on_step *on_step,
                                const struct scree_force_moment *contact_force, bool and_next);

// In a cell with cell vectors: computes the power that contact forces would have with the mean motion, for
// each body of a batch, and adds it to the sums of the mover.
void scree_mover_compute_mean_power(const struct scree_mover *mover, const struct scree_motion_batch *batch,
                                    const struct scree_on_step *on_step,
                                    const struct scree_force_moment *contact_force, double *power);
void scree_mover_add_mean_power(struct scree_mover *mover, const struct scree_motion_batch *batch,
                                const struct scree_on_step *on_step,
                                const struct scree_force_moment *contact_force, int thread);

// Calls a function for all blocks, on the thread team.
typedef void scree_mover_work(struct scree_mover *mover, size_t first, size_t count, int thread);
void scree_mover_each(struct scree_mover *mover, scree_mover_work *work);

// Calls a function for ranges of whole blocks. If few bodies have an outdated force: only for their blocks,
// one after the other; else for all blocks, on the thread team.
void scree_mover_each_outdated(struct scree_mover *mover, scree_team_work *work, void *context);

#endif
