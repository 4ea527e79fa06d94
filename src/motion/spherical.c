// Rotation of round bodies: spheres, disks, and plane bodies of any polar inertia (PFC 9-11, EQUATIONS 3).
// Order 2.
//   w+ = w + h/2 M/I,  q' = exp(h w+) q,  w' = w+ + h/2 M'/I: the moment of inertia is one number, so the
//   spin is
// the state. The orientation is turned only where it is asked for.

#include "motion/motion.h"

static inline double inertia_of(const struct scree_motion_batch *batch, size_t i)
{
    return scree_grain_inertia(&batch->grain[i], batch->rotor ? &batch->rotor[i] : NULL);
}

SCREE_MOTION_INLINE scree_lanes_mask free_spins(const struct scree_grain *grain)
{
    return scree_lanes_free[grain->flags >> 3 & 7];
}

SCREE_MOTION_INLINE scree_lanes acceleration(const struct scree_motion_batch *batch, size_t i, double inertia)
{
    scree_lanes moment = scree_lanes_load(batch->wrench[i].moment);
    if (batch->drag)
        moment +=
            (scree_lanes){batch->drag[i].moment[0], batch->drag[i].moment[1], batch->drag[i].moment[2], 0};
    return scree_lanes_keep(free_spins(&batch->grain[i]), moment / scree_lanes_all(inertia));
}

SCREE_MOTION_INLINE scree_lanes damping(const struct scree_motion_batch *batch, size_t i)
{
    if (!batch->damping)
        return scree_lanes_all(0);
    return scree_lanes_keep(free_spins(&batch->grain[i]), scree_lanes_all(batch->damping[i].viscous));
}

// what lies beside the spin is no number, so it is kept out of the arithmetic
SCREE_MOTION_INLINE scree_lanes completed(const struct scree_motion_batch *batch, size_t i, scree_lanes a,
                                          scree_lanes c, bool damped)
{
    const scree_lanes w = scree_lanes_keep(scree_lanes_free[0], scree_lanes_load(batch->grain[i].spin));
    return scree_motion_spins_in_step(batch, i) ? w
                                                : scree_motion_kick_in(w, a, c, batch->step->last, damped);
}

static void turn(double *orientation, const double *spin, double h)
{
    const struct scree_quat turned = scree_quat_product(
        scree_quat_exp(scree_vec3_scale(scree_vec3_load(spin), h)), scree_quat_load(orientation));
    scree_quat_store(scree_quat_normalise(turned), orientation);
}

SCREE_MOTION_INLINE void move(const struct scree_motion_batch *batch, bool damped)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_grain *grain = &batch->grain[i];
        const scree_lanes a = acceleration(batch, i, inertia_of(batch, i));
        const scree_lanes c = damping(batch, i);
        const scree_lanes w = scree_motion_kick_out(completed(batch, i, a, c, damped), a, c, h, damped);
        scree_lanes_store_three(w, grain->spin);
        scree_lanes_store_floats(scree_motion_kick_in(w, a, c, h, damped) - w, grain->half_twist);
        if (grain->flags & SCREE_FLAG_TURNS)
            turn(batch->rotor[i].orientation, grain->spin, h);
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
    for (size_t i = 0; i < batch->count; ++i) {
        const double inertia = inertia_of(batch, i);
        scree_lanes_store_three(completed(batch, i, acceleration(batch, i, inertia), damping(batch, i), true),
                                out[i].spin);
        for (int k = 0; k < 3; ++k)
            out[i].momentum[k] = inertia * out[i].spin[k];
    }
}

static void hold(const struct scree_motion_batch *batch, const struct scree_on_step *on_step,
                 double (*moment)[3])
{
    (void)on_step;
    // without the damping, which what holds makes up for
    for (size_t i = 0; i < batch->count; ++i)
        for (int k = 0; k < 3; ++k)
            moment[i][k] = batch->grain[i].flags >> (3 + k) & 1 ? -batch->wrench[i].moment[k] : 0;
}

const struct scree_motion_law scree_spherical = {
    .name = "spherical",
    .about = "round bodies and plane bodies, whose moment of inertia is one number (PFC 9-11): order 2",
    .kind = SCREE_ROTATION,
    .level = SCREE_MID_STEP,
    .contacts = true,
    .advance = advance,
    .complete = complete,
    .hold = hold,
};
