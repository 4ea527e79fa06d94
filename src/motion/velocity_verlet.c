// Velocity Verlet, kick-drift-kick: PFC (2)-(4), EQUATIONS 2.1, with viscous damping as in 2.4. Order 2.
//   v+ = v + h/2 a,  x' = x + h v+,  and, when the forces of the next step are known, v' = v+ + h/2 a'.
// The last kick is the pending half-kick: it is applied at point 0 of the next step, or when the run ends.

#include "motion/round.h"

// In a flow the velocities below are fluctuations, except in records and results.
SCREE_MOTION_INLINE scree_lanes from_corner(const struct scree_motion_flow *flow, const double *position)
{
    return scree_lanes_load(position) - scree_lanes_load(flow->corner);
}

// Mean velocity at the end of the last step.
SCREE_MOTION_INLINE scree_lanes mean_now(const struct scree_motion_batch *batch, size_t i)
{
    const struct scree_motion_flow *flow = batch->step->flow;
    return scree_motion_mapped(flow->now.column, from_corner(flow, batch->grain[i].position));
}

// The fluctuation of the mid-step velocity of a record.
SCREE_MOTION_INLINE scree_lanes fluctuation(const struct scree_motion_batch *batch, size_t i)
{
    const struct scree_motion_flow *flow = batch->step->flow;
    const scree_lanes v = scree_lanes_load(batch->grain[i].velocity),
                      x = from_corner(flow, batch->grain[i].position);
    return v - scree_motion_mapped(flow->before.column, x - scree_lanes_all(0.5 * batch->step->last) * v);
}

// One of the maps of half-kicks in the form `newton`; the mass stays in lane 3.
SCREE_MOTION_INLINE scree_lanes turned(const double (*map)[4], scree_lanes w)
{
    return scree_lanes_select(scree_lanes_free[0], scree_motion_mapped(map, w), w);
}

// The on-step velocity of a record, with the mean velocity.
SCREE_MOTION_INLINE scree_lanes completed_velocity(const struct scree_motion_batch *batch, size_t i,
                                                   scree_lanes a, scree_lanes c, bool damped, bool flow)
{
    if (scree_motion_is_on_step(batch, i))
        return scree_lanes_load(batch->grain[i].velocity);
    const scree_lanes v = flow ? fluctuation(batch, i) : scree_lanes_load(batch->grain[i].velocity);
    const scree_lanes kicked = scree_motion_kick_in(v, a, c, batch->step->last, damped);
    if (!flow)
        return kicked;
    return (batch->step->flow->newton ? turned(batch->step->flow->into_now, kicked) : kicked) +
           mean_now(batch, i);
}

// The fluctuation is that of the rounded velocity, so that a record which is stored on-step between two runs
// has the same.
SCREE_MOTION_INLINE scree_lanes completed(const struct scree_motion_batch *batch, size_t i, scree_lanes a,
                                          scree_lanes c, bool damped, bool flow)
{
    const scree_lanes v = completed_velocity(batch, i, a, c, damped, flow);
    return flow ? v - mean_now(batch, i) : v;
}

// Local damping of a force.
SCREE_MOTION_INLINE scree_lanes local_damping(const struct scree_motion_batch *batch, size_t i, scree_lanes c,
                                              scree_lanes force, bool damped, bool flow)
{
    const scree_lanes v = completed(batch, i, scree_motion_accelerated(batch, i, force), c, damped, flow);
    const scree_lanes weight = scree_lanes_all(batch->grain[i].mass) * scree_lanes_load(batch->step->gravity);
    return scree_motion_opposing(batch->damping[i].local, force + weight, v);
}

// Stores the velocity with the mid-step fluctuation `w`, drifts the body, and stores the pending half-kick;
// `on_step` is the fluctuation after the step.
SCREE_MOTION_INLINE void drift_in_flow(const struct scree_motion_flow *flow, struct scree_grain *grain,
                                       scree_lanes w, double h, scree_lanes on_step)
{
    const scree_lanes mean = scree_motion_mapped(flow->middle.column, from_corner(flow, grain->position));
    // the mass stays in lane 3
    const scree_lanes v =
        scree_lanes_select(scree_lanes_free[0], scree_motion_mapped(flow->forward, mean + w), w);
    scree_lanes_store(v, grain->velocity);
    scree_lanes_store(scree_motion_drifted(grain, v, h), grain->position);
    const scree_lanes next = scree_motion_mapped(flow->end.column, from_corner(flow, grain->position));
    scree_lanes_store_floats(on_step + next - v, grain->half_kick);
}

SCREE_MOTION_INLINE void move(const struct scree_motion_batch *batch, bool damped, bool flow,
                              struct scree_force_moment *drag, struct scree_on_step *out)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        const scree_lanes c = scree_motion_damping(batch, i);
        scree_lanes a;
        if (drag) {
            const scree_lanes force = scree_lanes_load(batch->wrench[i].force);
            const scree_lanes opposing = local_damping(batch, i, c, force, damped, flow);
            scree_lanes_store_three(opposing, drag[i].force);
            a = scree_motion_accelerated(batch, i, force + opposing);
        } else {
            a = scree_motion_acceleration(batch, i);
        }
        const scree_lanes on_step = completed(batch, i, a, c, damped, flow);
        const bool newton = flow && batch->step->flow->newton;
        const scree_lanes from = newton ? turned(batch->step->flow->out_of_now, on_step) : on_step;
        const scree_lanes v = scree_motion_kick_out(from, a, c, h, damped);
        const scree_lanes kicked = scree_motion_kick_in(v, a, c, h, damped);
        if (out)
            scree_lanes_store_three(on_step, flow ? out[i].fluctuation : out[i].velocity);
        if (flow)
            drift_in_flow(batch->step->flow, &batch->grain[i], v, h,
                          newton ? turned(batch->step->flow->into_end, kicked) : kicked);
        else
            scree_motion_drift(&batch->grain[i], v, h, kicked - v);
    }
}

SCREE_MOTION_WIDE static void advance(const struct scree_motion_batch *batch)
{
    if (batch->step->flow)
        move(batch, true, true, NULL, NULL);
    else if (batch->damping)
        move(batch, true, false, NULL, NULL);
    else
        move(batch, false, false, NULL, NULL);
}

SCREE_MOTION_WIDE static void advance_and_complete(const struct scree_motion_batch *batch,
                                                   struct scree_force_moment *drag, struct scree_on_step *out)
{
    if (batch->viscous && drag)
        move(batch, true, false, drag, out);
    else if (batch->viscous)
        move(batch, true, false, NULL, out);
    else if (drag)
        move(batch, false, false, drag, out);
    else
        move(batch, false, false, NULL, out);
}

SCREE_MOTION_INLINE void complete_all(const struct scree_motion_batch *batch, struct scree_on_step *out,
                                      bool damped)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const scree_lanes a = scree_motion_acceleration(batch, i), c = scree_motion_damping(batch, i);
        scree_lanes_store_three(completed(batch, i, a, c, damped, false), out[i].velocity);
    }
}

static void complete_in_flow(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const scree_lanes a = scree_motion_acceleration(batch, i), c = scree_motion_damping(batch, i);
        const scree_lanes v = completed_velocity(batch, i, a, c, true, true);
        scree_lanes_store_three(v - mean_now(batch, i), out[i].fluctuation);
        scree_lanes_store_three(v, out[i].velocity);
    }
}

SCREE_MOTION_WIDE static void complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    if (batch->step->flow)
        complete_in_flow(batch, out);
    else if (batch->damping)
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
    .flow = true,
    .advance = advance,
    .advance_round = scree_round_advance,
    .advance_and_complete = advance_and_complete,
    .complete = complete,
};
