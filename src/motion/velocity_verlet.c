// Velocity Verlet, kick-drift-kick: PFC (2)-(4), EQUATIONS 2.1, with viscous damping as in 2.4. Order 2.
//   v+ = v + h/2 a,  x' = x + h v+,  and, when the forces of the next step are known, v' = v+ + h/2 a'.
// The last kick is the pending half-kick: it is applied at point 0 of the next step, or when the run ends.

#include "motion/round.h"

SCREE_MOTION_INLINE scree_lanes completed(const struct scree_motion_batch *batch, size_t i, scree_lanes a,
                                          scree_lanes c, bool damped)
{
    const scree_lanes v = scree_lanes_load(batch->grain[i].velocity);
    return scree_motion_is_on_step(batch, i) ? v : scree_motion_kick_in(v, a, c, batch->step->last, damped);
}

// Local damping of a force.
SCREE_MOTION_INLINE scree_lanes local_damping(const struct scree_motion_batch *batch, size_t i, scree_lanes c,
                                              scree_lanes force, bool damped)
{
    const scree_lanes v = completed(batch, i, scree_motion_accelerated(batch, i, force), c, damped);
    const scree_lanes weight = scree_lanes_all(batch->grain[i].mass) * scree_lanes_load(batch->step->gravity);
    return scree_motion_opposing(batch->damping[i].local, force + weight, v);
}

SCREE_MOTION_INLINE void move(const struct scree_motion_batch *batch, bool damped,
                              struct scree_force_moment *drag, struct scree_on_step *out)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        const scree_lanes c = scree_motion_damping(batch, i);
        scree_lanes a;
        if (drag) {
            const scree_lanes force = scree_lanes_load(batch->wrench[i].force);
            const scree_lanes opposing = local_damping(batch, i, c, force, damped);
            scree_lanes_store_three(opposing, drag[i].force);
            a = scree_motion_accelerated(batch, i, force + opposing);
        } else {
            a = scree_motion_acceleration(batch, i);
        }
        const scree_lanes on_step = completed(batch, i, a, c, damped);
        const scree_lanes v = scree_motion_kick_out(on_step, a, c, h, damped);
        if (out)
            scree_lanes_store_three(on_step, out[i].velocity);
        scree_motion_drift(&batch->grain[i], v, h, scree_motion_kick_in(v, a, c, h, damped) - v);
    }
}

SCREE_MOTION_WIDE static void advance(const struct scree_motion_batch *batch)
{
    if (batch->damping)
        move(batch, true, NULL, NULL);
    else
        move(batch, false, NULL, NULL);
}

SCREE_MOTION_WIDE static void advance_and_complete(const struct scree_motion_batch *batch,
                                                   struct scree_force_moment *drag, struct scree_on_step *out)
{
    if (batch->viscous && drag)
        move(batch, true, drag, out);
    else if (batch->viscous)
        move(batch, true, NULL, out);
    else if (drag)
        move(batch, false, drag, out);
    else
        move(batch, false, NULL, out);
}

SCREE_MOTION_INLINE void complete_all(const struct scree_motion_batch *batch, struct scree_on_step *out,
                                      bool damped)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const scree_lanes a = scree_motion_acceleration(batch, i), c = scree_motion_damping(batch, i);
        scree_lanes_store_three(completed(batch, i, a, c, damped), out[i].velocity);
    }
}

SCREE_MOTION_WIDE static void complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    if (batch->damping)
        complete_all(batch, out, true);
    else
        complete_all(batch, out, false);
}

const struct scree_motion_scheme scree_velocity_verlet = {
    .name = "velocity-verlet",
    .about = "kick, drift, kick (PFC 2-4): order 2, velocities on-step between steps",
    .kind = SCREE_TRANSLATION,
    .level = SCREE_MID_STEP,
    .contacts = true,
    .advance = advance,
    .advance_round = scree_round_advance,
    .advance_and_complete = advance_and_complete,
    .complete = complete,
};
