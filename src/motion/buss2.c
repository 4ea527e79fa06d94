// PFC's second order, the augmented method of Buss: PFC (18)-(23) with errata 8, EQUATIONS 4.1. Order 2;
// exact |L|. Two variants of the moment, never mixed:
//   buss2          momentum half-kicked, no moment in w';
//   buss2-literal  momentum and moment both of the step: w' = I^-1 (M - w x L), as PFC (20) prints it.

#include "motion/buss.h"

SCREE_MOTION_INLINE struct scree_quat drift(const struct scree_kick_drift_kick *body)
{
    const struct scree_vec3 spin = scree_kick_drift_kick_spin(body, body->q, body->momentum);
    const struct scree_vec3 acceleration =
        scree_buss_acceleration(body, scree_vec3_zero(), spin, body->momentum);
    return scree_buss_turn(body->q, scree_buss_mean(spin, acceleration, body->h), body->h);
}

SCREE_MOTION_INLINE struct scree_quat drift_literal(const struct scree_kick_drift_kick *body)
{
    const struct scree_vec3 spin = scree_kick_drift_kick_spin(body, body->q, body->on_step);
    const struct scree_vec3 acceleration = scree_buss_acceleration(body, body->moment, spin, body->on_step);
    return scree_buss_turn(body->q, scree_buss_mean(spin, acceleration, body->h), body->h);
}

static void advance(const struct scree_motion_batch *batch)
{
    scree_kick_drift_kick_advance(batch, drift);
}

static void advance_literal(const struct scree_motion_batch *batch)
{
    scree_kick_drift_kick_advance(batch, drift_literal);
}

const struct scree_motion_scheme scree_buss2 = {
    .name = "buss2",
    .about = "augmented second order of Buss between half-kicks (PFC 18-23, corrected): order 2",
    .kind = SCREE_ROTATION,
    .level = SCREE_MID_STEP,
    .contacts = true,
    .flow = true,
    .advance = advance,
    .complete = scree_kick_drift_kick_complete,
};

const struct scree_motion_scheme scree_buss2_literal = {
    .name = "buss2-literal",
    .about = "as buss2, but with momentum and moment of the step, as PFC (20) prints it: order 2",
    .kind = SCREE_ROTATION,
    .level = SCREE_MID_STEP,
    .contacts = true,
    .flow = true,
    .advance = advance_literal,
    .complete = scree_kick_drift_kick_complete,
};
