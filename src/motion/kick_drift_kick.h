// Common part of the kick-drift-kick schemes of rotation: EQUATIONS 4.
//   L+ = L + h/2 M,  q' = drift(q, L+, h),  L' = L+ + h/2 M'
// The schemes differ in the drift: the rotation at constant angular momentum. Viscous damping as in EQUATIONS
// 2.4.

#ifndef SCREE_MOTION_KICK_DRIFT_KICK_H
#define SCREE_MOTION_KICK_DRIFT_KICK_H

#include "motion/motion.h"
#include "world/body.h"

// A body about to drift.
struct scree_kick_drift_kick {
    struct scree_quat q;
    struct scree_vec3 momentum; // angular momentum after the half-kick
    struct scree_vec3 on_step;  // on-step angular momentum, before the kick
    struct scree_vec3 moment;   // on-step, with damping
    struct scree_vec3 inertia;
    double h;
};

typedef struct scree_quat scree_kick_drift_kick_drift(const struct scree_kick_drift_kick *body);

// the angular velocity w = I^-1 L at orientation q
static inline struct scree_vec3 scree_kick_drift_kick_spin(const struct scree_kick_drift_kick *body,
                                                           struct scree_quat q, struct scree_vec3 momentum)
{
    return scree_quat_rotate(q, scree_vec3_divide(scree_quat_rotate_inverse(q, momentum), body->inertia));
}

static inline struct scree_vec3 scree_kick_drift_kick_pending(struct scree_vec3 momentum,
                                                              struct scree_vec3 moment, double c, double h)
{
    return scree_vec3_add_scaled(scree_vec3_scale(momentum, 1 - 0.5 * h * c), 0.5 * h, moment);
}

static inline struct scree_vec3 scree_kick_drift_kick_on_step(const struct scree_motion_batch *batch,
                                                              size_t i)
{
    const struct scree_vec3 momentum = scree_vec3_load(batch->rotor[i].momentum);
    if (scree_motion_spin_is_on_step(batch, i))
        return momentum;
    return scree_kick_drift_kick_pending(momentum, scree_motion_moment(batch, i),
                                         scree_motion_viscous(batch, i), batch->step->last);
}

// Moves a batch with the drift of a scheme, which the compiler inlines.
static inline __attribute__((always_inline)) void
scree_kick_drift_kick_advance(const struct scree_motion_batch *batch, scree_kick_drift_kick_drift *drift)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; ++i) {
        struct scree_rotor *rotor = &batch->rotor[i];
        const double c = scree_motion_viscous(batch, i);
        const struct scree_vec3 moment = scree_motion_moment(batch, i);
        struct scree_kick_drift_kick body = {.q = scree_quat_load(rotor->orientation),
                                             .on_step = scree_kick_drift_kick_on_step(batch, i),
                                             .inertia = scree_vec3_load(rotor->inertia),
                                             .h = h};
        body.moment = scree_vec3_add_scaled(moment, -c, body.on_step);
        body.momentum =
            scree_vec3_scale(scree_vec3_add_scaled(body.on_step, 0.5 * h, moment), 1 / (1 + 0.5 * h * c));
        const struct scree_quat q = scree_quat_normalise(drift(&body));
        scree_quat_store(q, rotor->orientation);
        scree_vec3_store(body.momentum, rotor->momentum);
        struct scree_grain *grain = &batch->grain[i];
        const struct scree_vec3 pending = scree_kick_drift_kick_pending(body.momentum, moment, c, h);
        // contacts use the mid-step spin, half a step back at constant momentum: w' = -I^-1 (w x L)
        const struct scree_vec3 here = scree_kick_drift_kick_spin(&body, q, body.momentum);
        const struct scree_vec3 spin = scree_vec3_add_scaled(
            here, 0.5 * h, scree_kick_drift_kick_spin(&body, q, scree_vec3_cross(here, body.momentum)));
        const struct scree_vec3 ahead = scree_kick_drift_kick_spin(&body, q, pending);
        scree_vec3_store(spin, grain->spin);
        scree_motion_store_twist(scree_vec3_sub(ahead, spin), grain);
    }
}

// On-step motion, the same for every drift.
void scree_kick_drift_kick_complete(const struct scree_motion_batch *batch, struct scree_on_step *out);

#endif
