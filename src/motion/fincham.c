// Fincham's leapfrog in Woo's form, corrected: EQUATIONS 4.4, errata 11-15. Momentum at mid-step. Order 2.
//   L = L- + h/2 T,  L+ = L- + h T,  q+ = q exp(h/2 w),  w+ = R(q+) ((R(q+)^T L+) / J),  q' = exp(h w+) q
// The published form uses R(q) instead of R(q+), which is of order 1. Rotations are exponential maps, not
// normalised sums: the same order, and exact about a fixed axis. From an on-step momentum the first kick is a
// half-kick.

#include "motion/motion.h"
#include "world/body.h"

// on-step momentum from the mid-step one
static inline struct scree_vec3 to_on_step(struct scree_vec3 momentum, struct scree_vec3 moment, double c,
                                           double h)
{
    return scree_vec3_scale(scree_vec3_add_scaled(momentum, 0.5 * h, moment), 1 / (1 + 0.5 * h * c));
}

static inline struct scree_vec3 on_step(const struct scree_motion_batch *batch, size_t i)
{
    const struct scree_vec3 momentum = scree_vec3_load(batch->rotor[i].momentum);
    if (scree_motion_spin_is_on_step(batch, i))
        return momentum;
    return to_on_step(momentum, scree_motion_moment(batch, i), scree_motion_viscous(batch, i),
                      batch->step->last);
}

static inline struct scree_vec3 kicked(const struct scree_motion_batch *batch, size_t i,
                                       struct scree_vec3 now)
{
    const double h = batch->step->h, c = scree_motion_viscous(batch, i);
    const struct scree_vec3 moment = scree_motion_moment(batch, i);
    if (c == 0 && !scree_motion_spin_is_on_step(batch, i))
        return scree_vec3_add_scaled(scree_vec3_load(batch->rotor[i].momentum), 0.5 * (batch->step->last + h),
                                     moment);
    return scree_vec3_add_scaled(scree_vec3_scale(now, 1 - 0.5 * h * c), 0.5 * h, moment);
}

static void advance(const struct scree_motion_batch *batch)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_rotor *rotor = &batch->rotor[i];
        const struct scree_quat q = scree_quat_load(rotor->orientation);
        const struct scree_vec3 now = on_step(batch, i);
        const struct scree_vec3 next = kicked(batch, i, now);
        const struct scree_vec3 spin_now = scree_body_spin(q, rotor->inertia, now);
        const struct scree_quat middle =
            scree_quat_product(scree_quat_exp(scree_vec3_scale(spin_now, 0.5 * h)), q);
        const struct scree_vec3 spin = scree_body_spin(middle, rotor->inertia, next);
        const struct scree_quat turned =
            scree_quat_normalise(scree_quat_product(scree_quat_exp(scree_vec3_scale(spin, h)), q));
        scree_quat_store(turned, rotor->orientation);
        scree_vec3_store(next, rotor->momentum);
        struct scree_grain *grain = &batch->grain[i];
        scree_vec3_store(spin, grain->spin);
        const struct scree_vec3 ahead =
            to_on_step(next, scree_motion_moment(batch, i), scree_motion_viscous(batch, i), h);
        const struct scree_vec3 pending =
            scree_vec3_sub(scree_body_spin(turned, rotor->inertia, ahead), spin);
        scree_motion_store_twist(pending, grain);
    }
}

static void complete(const struct scree_motion_batch *batch, struct scree_on_step *out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        const struct scree_rotor *rotor = &batch->rotor[i];
        const struct scree_vec3 momentum = on_step(batch, i);
        scree_vec3_store(momentum, out[i].momentum);
        scree_vec3_store(scree_body_spin(scree_quat_load(rotor->orientation), rotor->inertia, momentum),
                         out[i].spin);
    }
}

const struct scree_motion_scheme scree_fincham = {
    .name = "fincham",
    .about = "Fincham's leapfrog (Woo, corrected): order 2, momentum at mid-step",
    .kind = SCREE_ROTATION,
    .level = SCREE_MID_STEP,
    .leapfrog = true,
    .contacts = true,
    .advance = advance,
    .complete = complete,
};
