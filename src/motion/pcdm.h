// Euler's equations in body axes, for both forms of predictor-corrector direct multiplication
// (Zhao and van Wachem, Acta Mech. 224, 3091, 2013; EQUATIONS 4.5).

#ifndef SCREE_MOTION_PCDM_H
#define SCREE_MOTION_PCDM_H

#include "motion/motion.h"
#include "world/body.h"

// w' = (tau - w x J w) / J, the moment of viscous damping -c L included
static inline struct scree_vec3 scree_pcdm_acceleration(struct scree_vec3 w, struct scree_vec3 tau,
                                                        struct scree_vec3 inertia, double c)
{
    const struct scree_vec3 momentum = scree_vec3_multiply(inertia, w);
    const struct scree_vec3 driven = scree_vec3_add_scaled(tau, -c, momentum);
    return scree_vec3_divide(scree_vec3_sub(driven, scree_vec3_cross(w, momentum)), inertia);
}

// exp(h R w) q for a spin in body axes, which is q exp(h w)
static inline struct scree_quat scree_pcdm_turn(struct scree_quat q, struct scree_vec3 w, double h)
{
    return scree_quat_product(q, scree_quat_exp(scree_vec3_scale(w, h)));
}

#endif
