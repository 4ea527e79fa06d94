// The mean angular velocity of Buss (J. Comput. Phys. 164, 377, 2000), as PFC (20)-(22) uses it; shared by
// the schemes of order 2 and 3.

#ifndef SCREE_MOTION_BUSS_H
#define SCREE_MOTION_BUSS_H

#include "motion/kick_drift_kick.h"

// w' = I^-1 (M - w x L)
SCREE_MOTION_INLINE struct scree_vec3 scree_buss_acceleration(const struct scree_kick_drift_kick *body,
                                                              struct scree_vec3 moment,
                                                              struct scree_vec3 spin,
                                                              struct scree_vec3 momentum)
{
    return scree_kick_drift_kick_spin(body, body->q,
                                      scree_vec3_sub(moment, scree_vec3_cross(spin, momentum)));
}

// w + h/2 w' + h^2/12 w' x w
SCREE_MOTION_INLINE struct scree_vec3 scree_buss_mean(struct scree_vec3 spin, struct scree_vec3 acceleration,
                                                      double h)
{
    return scree_vec3_add_scaled(scree_vec3_add_scaled(spin, 0.5 * h, acceleration), h * h / 12,
                                 scree_vec3_cross(acceleration, spin));
}

// exp(h w) q
SCREE_MOTION_INLINE struct scree_quat scree_buss_turn(struct scree_quat q, struct scree_vec3 mean, double h)
{
    return scree_quat_product(scree_quat_exp(scree_vec3_scale(mean, h)), q);
}

#endif
