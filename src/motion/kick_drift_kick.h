// Common part of the kick-drift-kick schemes of rotation: EQUATIONS 4.
//   L+ = L + h/2 M,  q' = drift(q, L+, h),  L' = L+ + h/2 M'
// The schemes differ in the drift: the rotation at constant angular momentum. Viscous damping as in EQUATIONS
// 2.4. In a flow (motion.h) it acts on the fluctuation of the spin, and a change of the spin W of the mean
// motion adds to the spin. With the inertia tensor I at the orientation of the half-kick, that is an
// additional moment I u in a half-kick of h/2, in which W changes by dW:
//   u = c W + 2/h dW,  with W in the middle of the step.

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
    // the body turns by at most 1.5 rad in the step, about any axis: functions of small angles, which have no
    // branches, give the same bits as the general ones
    bool slow;
};

// The orientation after the rotation at constant momentum.
typedef struct scree_quat scree_kick_drift_kick_drift(const struct scree_kick_drift_kick *body);

// the angular velocity w = I^-1 L at orientation q
SCREE_MOTION_INLINE struct scree_vec3 scree_kick_drift_kick_spin(const struct scree_kick_drift_kick *body,
                                                                 struct scree_quat q,
                                                                 struct scree_vec3 momentum)
{
    return scree_quat_rotate(q, scree_vec3_divide(scree_quat_rotate_inverse(q, momentum), body->inertia));
}

SCREE_MOTION_INLINE struct scree_vec3
scree_kick_drift_kick_pending(struct scree_vec3 momentum, struct scree_vec3 moment, double c, double h)
{
    return scree_vec3_add_scaled(scree_vec3_scale(momentum, 1 - 0.5 * h * c), 0.5 * h, moment);
}

// The vector u of a half-kick, from or to the middle of a step of `h`, in which W changes from `before` to
// `after`.
static inline struct scree_vec3 scree_kick_drift_kick_added(const struct scree_motion_gradient *middle,
                                                            const struct scree_motion_gradient *before,
                                                            const struct scree_motion_gradient *after,
                                                            double c, double h)
{
    const struct scree_vec3 change =
        scree_vec3_sub(scree_vec3_load(after->spin), scree_vec3_load(before->spin));
    return scree_vec3_add_scaled(scree_vec3_scale(scree_vec3_load(middle->spin), c), 2 / h, change);
}

static inline struct scree_vec3 scree_kick_drift_kick_on_step(const struct scree_motion_batch *batch,
                                                              size_t i)
{
    const struct scree_rotor *rotor = &batch->rotor[i];
    const struct scree_vec3 momentum = scree_vec3_load(rotor->momentum);
    if (scree_motion_spin_is_on_step(batch, i))
        return momentum;
    struct scree_vec3 moment = scree_motion_moment(batch, i);
    const struct scree_motion_flow *flow = batch->step->flow;
    const double c = scree_motion_viscous(batch, i), last = batch->step->last;
    if (flow)
        moment = scree_vec3_add(
            moment, scree_body_momentum(rotor, scree_kick_drift_kick_added(&flow->before, &flow->before,
                                                                           &flow->now, c, last)));
    return scree_kick_drift_kick_pending(momentum, moment, c, last);
}

// A group of bodies, one in each lane of a column, so that compilers move them together in wide registers.
enum { SCREE_KICK_DRIFT_KICK_LANES = 8 };
struct scree_kick_drift_kick_group {
    double q[4][SCREE_KICK_DRIFT_KICK_LANES];
    double momentum[3][SCREE_KICK_DRIFT_KICK_LANES]; // on-step, then after the half-kick
    double moment[3][SCREE_KICK_DRIFT_KICK_LANES];   // without viscous damping
    double inertia[3][SCREE_KICK_DRIFT_KICK_LANES];
    double viscous[SCREE_KICK_DRIFT_KICK_LANES];
    double added[2][3][SCREE_KICK_DRIFT_KICK_LANES]; // vectors u of both half-kicks, in a flow only
    double spin[3][SCREE_KICK_DRIFT_KICK_LANES], pending[3][SCREE_KICK_DRIFT_KICK_LANES]; // results
};

SCREE_MOTION_INLINE struct scree_vec3
scree_kick_drift_kick_column(double (*column)[SCREE_KICK_DRIFT_KICK_LANES], size_t l)
{
    return scree_vec3_make(column[0][l], column[1][l], column[2][l]);
}

SCREE_MOTION_INLINE void scree_kick_drift_kick_set(struct scree_vec3 value,
                                                   double (*column)[SCREE_KICK_DRIFT_KICK_LANES], size_t l)
{
    column[0][l] = value.x;
    column[1][l] = value.y;
    column[2][l] = value.z;
}

static inline void scree_kick_drift_kick_enter_flow(const struct scree_motion_step *step,
                                                    struct scree_kick_drift_kick_group *group, size_t l)
{
    const struct scree_motion_flow *flow = step->flow;
    const double c = group->viscous[l];
    scree_kick_drift_kick_set(
        scree_kick_drift_kick_added(&flow->middle, &flow->now, &flow->middle, c, step->h), group->added[0],
        l);
    scree_kick_drift_kick_set(
        scree_kick_drift_kick_added(&flow->middle, &flow->middle, &flow->end, c, step->h), group->added[1],
        l);
}

// Lanes without a body repeat the first one.
SCREE_MOTION_INLINE void scree_kick_drift_kick_gather(const struct scree_motion_batch *batch, size_t first,
                                                      size_t count, struct scree_kick_drift_kick_group *group)
{
    for (size_t l = 0; l < SCREE_KICK_DRIFT_KICK_LANES; ++l) {
        const size_t i = l < count ? first + l : first;
        const struct scree_rotor *rotor = &batch->rotor[i];
        for (int k = 0; k < 4; ++k)
            group->q[k][l] = rotor->orientation[k];
        scree_kick_drift_kick_set(scree_kick_drift_kick_on_step(batch, i), group->momentum, l);
        scree_kick_drift_kick_set(scree_motion_moment(batch, i), group->moment, l);
        scree_kick_drift_kick_set(scree_vec3_load(rotor->inertia), group->inertia, l);
        group->viscous[l] = scree_motion_viscous(batch, i);
        if (batch->step->flow)
            scree_kick_drift_kick_enter_flow(batch->step, group, l);
    }
}

SCREE_MOTION_INLINE void scree_kick_drift_kick_scatter(const struct scree_motion_batch *batch, size_t first,
                                                       size_t count,
                                                       const struct scree_kick_drift_kick_group *group)
{
    for (size_t l = 0; l < count; ++l) {
        struct scree_rotor *rotor = &batch->rotor[first + l];
        struct scree_grain *grain = &batch->grain[first + l];
        for (int k = 0; k < 4; ++k)
            rotor->orientation[k] = group->q[k][l];
        for (int k = 0; k < 3; ++k) {
            rotor->momentum[k] = group->momentum[k][l];
            grain->spin[k] = group->spin[k][l];
            grain->half_twist[k] = (float)group->pending[k][l];
        }
    }
}

// The moment of a lane in the first or second half-kick, in a flow at the orientation `q`.
SCREE_MOTION_INLINE struct scree_vec3 scree_kick_drift_kick_moment(struct scree_kick_drift_kick_group *group,
                                                                   size_t l, int half, struct scree_quat q,
                                                                   bool flow)
{
    const struct scree_vec3 moment = scree_kick_drift_kick_column(group->moment, l);
    if (!flow)
        return moment;
    const struct scree_vec3 inertia = scree_kick_drift_kick_column(group->inertia, l),
                            added = scree_kick_drift_kick_column(group->added[half], l);
    return scree_vec3_add(
        moment, scree_quat_rotate(q, scree_vec3_multiply(scree_quat_rotate_inverse(q, added), inertia)));
}

// Moves the body in one lane. Without damping its factors are exactly 1; `damped` false leaves them out, with
// the same bits.
SCREE_MOTION_INLINE void scree_kick_drift_kick_move(struct scree_kick_drift_kick_group *group, size_t l,
                                                    double h, scree_kick_drift_kick_drift *drift, bool slow,
                                                    bool damped, bool flow)
{
    const double c = damped ? group->viscous[l] : 0;
    struct scree_kick_drift_kick body = {
        .q = scree_quat_make(group->q[0][l], group->q[1][l], group->q[2][l], group->q[3][l]),
        .on_step = scree_kick_drift_kick_column(group->momentum, l),
        .inertia = scree_kick_drift_kick_column(group->inertia, l),
        .h = h,
        .slow = slow};
    const struct scree_vec3 moment = scree_kick_drift_kick_moment(group, l, 0, body.q, flow);
    body.moment = moment;
    body.momentum = scree_vec3_add_scaled(body.on_step, 0.5 * h, moment);
    if (damped) {
        body.moment = scree_vec3_add_scaled(moment, -c, body.on_step);
        body.momentum = scree_vec3_scale(body.momentum, 1 / (1 + 0.5 * h * c));
    }
    const struct scree_quat q = scree_quat_normalise(drift(&body));
    const struct scree_vec3 moment_ahead = scree_kick_drift_kick_moment(group, l, 1, q, flow);
    const struct scree_vec3 pending = damped
                                          ? scree_kick_drift_kick_pending(body.momentum, moment_ahead, c, h)
                                          : scree_vec3_add_scaled(body.momentum, 0.5 * h, moment_ahead);
    // contacts use the mid-step spin, half a step back at constant momentum: w' = -I^-1 (w x L)
    const struct scree_vec3 here = scree_kick_drift_kick_spin(&body, q, body.momentum);
    const struct scree_vec3 spin = scree_vec3_add_scaled(
        here, 0.5 * h, scree_kick_drift_kick_spin(&body, q, scree_vec3_cross(here, body.momentum)));
    const struct scree_vec3 ahead = scree_kick_drift_kick_spin(&body, q, pending);
    group->q[0][l] = q.w;
    group->q[1][l] = q.x;
    group->q[2][l] = q.y;
    group->q[3][l] = q.z;
    scree_kick_drift_kick_set(body.momentum, group->momentum, l);
    scree_kick_drift_kick_set(spin, group->spin, l);
    scree_kick_drift_kick_set(scree_vec3_sub(ahead, spin), group->pending, l);
}

// Not below the norm of a column.
SCREE_MOTION_INLINE double scree_kick_drift_kick_size(double (*column)[SCREE_KICK_DRIFT_KICK_LANES], size_t l)
{
    return fabs(column[0][l]) + fabs(column[1][l]) + fabs(column[2][l]);
}

// Returns true if all bodies of a group are slow: no principal spin is above |L| over the smallest moment of
// inertia, and the momentum after the half-kick is at most |L| + h/2 |M|.
SCREE_MOTION_INLINE bool scree_kick_drift_kick_is_slow(struct scree_kick_drift_kick_group *group, double h)
{
    int fast = 0;
    for (size_t l = 0; l < SCREE_KICK_DRIFT_KICK_LANES; ++l) {
        const double x = group->inertia[0][l], y = group->inertia[1][l], z = group->inertia[2][l];
        const double least = x < y ? x : y, smallest = z < least ? z : least;
        const double momentum = scree_kick_drift_kick_size(group->momentum, l) +
                                0.5 * h * scree_kick_drift_kick_size(group->moment, l);
        fast |= !(h * momentum <= 1.5 * smallest);
    }
    return fast == 0;
}

// Moves a batch with the drift of a scheme, which the compiler inlines.
SCREE_MOTION_INLINE void scree_kick_drift_kick_advance(const struct scree_motion_batch *batch,
                                                       scree_kick_drift_kick_drift *drift)
{
    const double h = batch->step->h;
    for (size_t i = 0; i < batch->count; i += SCREE_KICK_DRIFT_KICK_LANES) {
        struct scree_kick_drift_kick_group group __attribute__((aligned(64)));
        const size_t left = batch->count - i,
                     count = left < SCREE_KICK_DRIFT_KICK_LANES ? left : SCREE_KICK_DRIFT_KICK_LANES;
        scree_kick_drift_kick_gather(batch, i, count, &group);
        const bool slow = scree_kick_drift_kick_is_slow(&group, h);
        if (batch->step->flow && slow) {
#pragma omp simd
            for (size_t l = 0; l < SCREE_KICK_DRIFT_KICK_LANES; ++l)
                scree_kick_drift_kick_move(&group, l, h, drift, true, true, true);
        } else if (batch->step->flow) {
            for (size_t l = 0; l < count; ++l)
                scree_kick_drift_kick_move(&group, l, h, drift, false, true, true);
        } else if (slow) {
#pragma omp simd
            for (size_t l = 0; l < SCREE_KICK_DRIFT_KICK_LANES; ++l)
                scree_kick_drift_kick_move(&group, l, h, drift, true, true, false);
        } else {
            for (size_t l = 0; l < count; ++l)
                scree_kick_drift_kick_move(&group, l, h, drift, false, true, false);
        }
        scree_kick_drift_kick_scatter(batch, i, count, &group);
    }
}

// On-step motion, the same for every drift.
void scree_kick_drift_kick_complete(const struct scree_motion_batch *batch, struct scree_on_step *out);

#endif
