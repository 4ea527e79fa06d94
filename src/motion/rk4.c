// PFC's fourth-order scheme: Runge-Kutta on q' = 1/2 (I^-1 L) q at constant L, PFC (24)-(33) with errata 8
// and 9, EQUATIONS 4.2. Each stage is normalised before its spin is computed, which makes the error seven
// times smaller; the result is normalised too. Order 4 without moments, 2 with them; exact |L|.

#include "motion/kick_drift_kick.h"

// f(q) = 1/2 (0, w) q with the spin of the unit quaternion along q
static inline struct scree_quat rate(const struct scree_kick_drift_kick *body, struct scree_quat q)
{
    const struct scree_vec3 w = scree_kick_drift_kick_spin(body, scree_quat_normalise(q), body->momentum);
    return scree_quat_product(scree_quat_make(0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z), q);
}

static inline struct scree_quat drift(const struct scree_kick_drift_kick *body)
{
    const double h = body->h;
    const struct scree_quat k1 = rate(body, body->q);
    const struct scree_quat k2 = rate(body, scree_quat_add_scaled(body->q, 0.5 * h, k1));
    const struct scree_quat k3 = rate(body, scree_quat_add_scaled(body->q, 0.5 * h, k2));
    const struct scree_quat k4 = rate(body, scree_quat_add_scaled(body->q, h, k3));
    const struct scree_quat ends = scree_quat_add_scaled(k1, 1, k4);
    const struct scree_quat middles = scree_quat_add_scaled(k2, 1, k3);
    return scree_quat_add_scaled(body->q, h / 6, scree_quat_add_scaled(ends, 2, middles));
}

static void advance(const struct scree_motion_batch *batch)
{
    scree_kick_drift_kick_advance(batch, drift);
}

const struct scree_motion_scheme scree_rk4 = {
    .name = "rk4",
    .about = "fourth-order Runge-Kutta on the quaternion (PFC 24-33, corrected): order 4 without moments, 2 "
             "with them",
    .kind = SCREE_ROTATION,
    .level = SCREE_MID_STEP,
    .contacts = true,
    .advance = advance,
    .complete = scree_kick_drift_kick_complete,
};
