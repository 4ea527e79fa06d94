// Buss with the term in w'': EQUATIONS 4.1. Order 3 without moments, 2 with them; exact |L|.
//   mean w = w + h/2 w' + h^2/12 w' x w + h^2/6 w'',
//   w'' = w x (I^-1 b) - I^-1 (w x b) + I^-1 (-w' x L),  b = -w x L

#include "motion/buss.h"

SCREE_MOTION_INLINE struct scree_quat drift(const struct scree_kick_drift_kick *body)
{
    const struct scree_vec3 L = body->momentum;
    const struct scree_vec3 w = scree_kick_drift_kick_spin(body, body->q, L);
    const struct scree_vec3 b = scree_vec3_cross(L, w);
    const struct scree_vec3 w1 = scree_kick_drift_kick_spin(body, body->q, b);
    // sum of the two terms that are multiplied by I^-1
    const struct scree_vec3 inside = scree_vec3_add(scree_vec3_cross(w, b), scree_vec3_cross(w1, L));
    const struct scree_vec3 w2 =
        scree_vec3_sub(scree_vec3_cross(w, w1), scree_kick_drift_kick_spin(body, body->q, inside));
    const struct scree_vec3 mean =
        scree_vec3_add_scaled(scree_buss_mean(w, w1, body->h), body->h * body->h / 6, w2);
    return scree_buss_turn(body->q, mean, body->h);
}

static void advance(const struct scree_motion_batch *batch)
{
    scree_kick_drift_kick_advance(batch, drift);
}

const struct scree_motion_scheme scree_buss3 = {
    .name = "buss3",
    .about = "as buss2, and the second derivative of the spin: order 3 without moments, 2 with them",
    .kind = SCREE_ROTATION,
    .level = SCREE_MID_STEP,
    .contacts = true,
    .flow = true,
    .advance = advance,
    .complete = scree_kick_drift_kick_complete,
};
