// Rotation of round bodies: spheres, disks, and plane bodies of any polar inertia (PFC 9-11, EQUATIONS 3).
// Order 2.
//   w+ = w + h/2 M/I,  q' = exp(h w+) q,  w' = w+ + h/2 M'/I
// The moment of inertia is one number, so the spin is the state variable. The orientation is integrated only
// if a flag of the body says so.

#include "motion/motion.h"

static inline double inertia_of(const struct scree_motion_batch *batch, size_t i)
{
    return scree_grain_inertia(&batch->grain[i], batch->rotor ? &batch->rotor[i] : NULL);
}

SCREE_MOTION_INLINE scree_lanes_mask free_spins(const struct scree_grain *grain)
{
    return scree_lanes_free[grain->flags >> 3 & 7];
}

SCREE_MOTION_INLINE scree_lanes accelerated(const struct scree_motion_batch *batch, size_t i, double inertia,
                                            scree_lanes moment)
{
    return scree_lanes_keep(free_spins(&batch->grain[i]), moment / scree_lanes_all(inertia));
}

SCREE_MOTION_INLINE scree_lanes acceleration(const struct scree_motion_batch *batch, size_t i, double inertia)
{
    scree_lanes moment = scree_lanes_load(batch->wrench[i].moment);
    if (batch->drag)
        moment +=
            (scree_lanes){batch->drag[i].moment[0], batch->drag[i].moment[1], batch->drag[i].moment[2], 0};
    return accelerated(batch, i, inertia, moment);
}

SCREE_MOTION_INLINE scree_lanes damping(const struct scree_motion_batch *batch, size_t i)
{
    if (!batch->damping)
        return scree_lanes_all(0);
    return scree_lanes_keep(free_spins(&batch->grain[i]), scree_lanes_all(batch->damping[i].viscous));
}

// The record after the spin is no double, so lane 3 is masked out.
SCREE_MOTION_INLINE scree_lanes spin_of(const struct scree_motion_batch *batch, size_t i)
{
    return scree_lanes_keep(scree_lanes_free[0], scree_lanes_load(batch->grain[i].spin));
}

// The total on-step spin in a flow, as a record has it when a run ends.
SCREE_MOTION_INLINE scree_lanes completed_total(const struct scree_motion_batch *batch, size_t i,
                                                scree_lanes a, scree_lanes c, bool damped)
{
    const scree_lanes w = spin_of(batch, i);
    if (scree_motion_spin_is_on_step(batch, i))
        return w;
    const struct scree_motion_flow *flow = batch->step->flow;
    return scree_motion_kick_in(w - scree_lanes_load(flow->before.spin), a, c, batch->step->last, damped) +
           scree_lanes_load(flow->now.spin);
}

// In a flow the spins below are fluctuations, except in records and results; rounded as velocities are, see
// velocity_verlet.c.
SCREE_MOTION_INLINE scree_lanes completed(const struct scree_motion_batch *batch, size_t i, scree_lanes a,
                                          scree_lanes c, bool damped, bool flow)
{
    if (flow)
        return completed_total(batch, i, a, c, damped) - scree_lanes_load(batch->step->flow->now.spin);
    const scree_lanes w = spin_of(batch, i);
    return scree_motion_spin_is_on_step(batch, i) ? w
                                                  : scree_motion_kick_in(w, a, c, batch->step->last, damped);
}

static void turn(double *orientation, const double *spin, double h)
{
    const struct scree_quat turned = scree_quat_product(
        scree_quat_exp(scree_vec3_scale(scree_vec3_load(spin), h)), scree_quat_load(orientation));
    scree_quat_store(scree_quat_normalise(turned), orientation);
}

SCREE_MOTION_INLINE void move(const struct scree_motion_batch *batch, bool damped, bool flow,
                              struct scree_force_moment *drag, struct scree_on_step *out)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_grain *grain = &batch->grain[i];
        const double inertia = inertia_of(batch, i);
        const scree_lanes c = damping(batch, i);
        scree_lanes a;
        if (drag) {
            const scree_lanes moment = scree_lanes_load(batch->wrench[i].moment);
            const scree_lanes undamped =
                completed(batch, i, accelerated(batch, i, inertia, moment), c, damped, flow);
            const scree_lanes opposing = scree_motion_opposing(batch->damping[i].local, moment, undamped);
            scree_lanes_store_three(opposing, drag[i].moment);
            a = accelerated(batch, i, inertia, moment + opposing);
        } else {
            a = acceleration(batch, i, inertia);
        }
        const scree_lanes on_step = completed(batch, i, a, c, damped, flow);
        const scree_lanes w = scree_motion_kick_out(on_step, a, c, h, damped);
        if (out) {
            scree_lanes_store_three(on_step, flow ? out[i].spin_fluctuation : out[i].spin);
            scree_lanes_store_three(scree_lanes_all(inertia) * on_step, out[i].momentum);
        }
        scree_lanes pending = scree_motion_kick_in(w, a, c, h, damped) - w;
        if (flow) {
            const scree_lanes mean = scree_lanes_load(batch->step->flow->middle.spin);
            pending += scree_lanes_load(batch->step->flow->end.spin) - mean;
            scree_lanes_store_three(w + mean, grain->spin);
        } else {
            scree_lanes_store_three(w, grain->spin);
        }
        scree_lanes_store_floats(pending, grain->half_twist);
        if (grain->flags & SCREE_FLAG_ROTATES)
            turn(batch->rotor[i].orientation, grain->spin, h);
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
        const double inertia = inertia_of(batch, i);
        const scree_lanes a = acceleration(batch, i, inertia);
        const scree_lanes w = completed(batch, i, a, damping(batch, i), damped, false);
        scree_lanes_store_three(w, out[i].spin);
        scree_lanes_store_three(scree_lanes_all(inertia) * w, out[i].momentum);
    }
}

static void complete_in_flow(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const double inertia = inertia_of(batch, i);
        const scree_lanes a = acceleration(batch, i, inertia);
        const scree_lanes w = completed_total(batch, i, a, damping(batch, i), true);
        scree_lanes_store_three(w - scree_lanes_load(batch->step->flow->now.spin), out[i].spin_fluctuation);
        scree_lanes_store_three(w, out[i].spin);
        scree_lanes_store_three(scree_lanes_all(inertia) * w, out[i].momentum);
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

static void constraint(const struct scree_motion_batch *batch, const struct scree_on_step *on_step,
                       double (*moment)[3])
{
    (void)on_step;
    // damping is not included: the constraint balances it
    for (size_t i = 0; i < batch->count; ++i)
        for (int k = 0; k < 3; ++k)
            moment[i][k] = batch->grain[i].flags >> (3 + k) & 1 ? -batch->wrench[i].moment[k] : 0;
}

const struct scree_motion_scheme scree_spherical = {
    .name = "spherical",
    .about = "spheres, disks and plane bodies, with one moment of inertia (PFC 9-11): order 2",
    .kind = SCREE_ROTATION,
    .level = SCREE_MID_STEP,
    .contacts = true,
    .round_only = true,
    .flow = true,
    .advance = advance,
    .advance_and_complete = advance_and_complete,
    .complete = complete,
    .constraint = constraint,
};
