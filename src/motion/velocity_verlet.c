// Velocity Verlet, kick-drift-kick: PFC (2)-(4), EQUATIONS 2.1, with viscous damping as in 2.4. Order 2.
//   v+ = v + h/2 a,  x' = x + h v+,  and, when the forces of the next step are known, v' = v+ + h/2 a'.
// The last line is the pending half-kick: it is done at point 0 of the next step, or when the run ends.

#include "motion/motion.h"

SCREE_MOTION_INLINE scree_lanes completed(const struct scree_motion_batch *batch, size_t i, scree_lanes a,
                                          scree_lanes c, bool damped)
{
    const scree_lanes v = scree_lanes_load(batch->grain[i].velocity);
    return scree_motion_in_step(batch, i) ? v : scree_motion_kick_in(v, a, c, batch->step->last, damped);
}

SCREE_MOTION_INLINE void move(const struct scree_motion_batch *batch, bool damped)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        const scree_lanes a = scree_motion_acceleration(batch, i);
        const scree_lanes c = scree_motion_damping(batch, i);
        const scree_lanes v = scree_motion_kick_out(completed(batch, i, a, c, damped), a, c, h, damped);
        scree_motion_drift(&batch->grain[i], v, h, scree_motion_kick_in(v, a, c, h, damped) - v);
    }
}

SCREE_MOTION_WIDE static void advance(const struct scree_motion_batch *batch)
{
    if (batch->damping)
        move(batch, true);
    else
        move(batch, false);
}

static void complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i)
        scree_lanes_store_three(
            completed(batch, i, scree_motion_acceleration(batch, i), scree_motion_damping(batch, i), true),
            out[i].velocity);
}

const struct scree_motion_law scree_velocity_verlet = {
    .name = "velocity-verlet",
    .about = "kick, drift, kick (PFC 2-4): order 2, velocities on-step between steps",
    .kind = SCREE_TRANSLATION,
    .level = SCREE_MID_STEP,
    .contacts = true,
    .advance = advance,
    .complete = complete,
};
