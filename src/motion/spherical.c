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

static inline bool fixed(const struct scree_grain *grain, int k)
{
    return grain->flags >> (3 + k) & 1;
}

static inline double acceleration(const struct scree_motion_batch *batch, size_t i, int k, double inertia)
{
    double moment = batch->wrench[i].moment[k];
    if (batch->drag)
        moment += batch->drag[i].moment[k];
    return fixed(&batch->grain[i], k) ? 0 : moment / inertia;
}

static inline double damping(const struct scree_motion_batch *batch, size_t i, int k)
{
    return !batch->damping || fixed(&batch->grain[i], k) ? 0 : batch->damping[i].viscous;
}

static inline double completed(const struct scree_motion_batch *batch, size_t i, int k, double a)
{
    const double w = batch->grain[i].spin[k];
    const double pending = scree_motion_kick_in(w, a, damping(batch, i, k), batch->step->last);
    return scree_motion_spins_in_step(batch, i) ? w : pending;
}

static void turn(double *orientation, const double *spin, double h)
{
    const struct scree_quat turned = scree_quat_product(
        scree_quat_exp(scree_vec3_scale(scree_vec3_load(spin), h)), scree_quat_load(orientation));
    scree_quat_store(scree_quat_normalise(turned), orientation);
}

static void advance(const struct scree_motion_batch *batch)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_grain *grain = &batch->grain[i];
        const double inertia = inertia_of(batch, i);
        for (int k = 0; k < 3; ++k) {
            const double a = acceleration(batch, i, k, inertia);
            const double c = damping(batch, i, k);
            const double w = scree_motion_kick_out(completed(batch, i, k, a), a, c, h);
            grain->spin[k] = w;
            grain->half_twist[k] = (float)(scree_motion_kick_in(w, a, c, h) - w);
        }
        if (grain->flags & SCREE_FLAG_TURNS)
            turn(batch->rotor[i].orientation, grain->spin, h);
    }
}

static void complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const double inertia = inertia_of(batch, i);
        for (int k = 0; k < 3; ++k) {
            out[i].spin[k] = completed(batch, i, k, acceleration(batch, i, k, inertia));
            out[i].momentum[k] = inertia * out[i].spin[k];
        }
    }
}

static void hold(const struct scree_motion_batch *batch, const struct scree_on_step *on_step,
                 double (*moment)[3])
{
    (void)on_step;
    for (size_t i = 0; i < batch->count; ++i) {
        double given[3];
        scree_vec3_store(scree_motion_moment(batch, i), given);
        for (int k = 0; k < 3; ++k)
            moment[i][k] = fixed(&batch->grain[i], k) ? -given[k] : 0;
    }
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
