// Resistance to rolling and twisting, which any contact law can be given besides its own forces.
//
// Rolling is an elastic-plastic spring and dashpot (EQUATIONS 7: k_r = k_t R*^2, at most mu_r R* F_n, the
// dashpot only below that); twisting likewise about the normal (k = k_t a^2 / 2, at most 2/3 mu a F_n, with
// a^2 = R* overlap).
#ifndef SCREE_RESISTANCE_H
#define SCREE_RESISTANCE_H

#include <scree/law.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SCREE_RESISTANCE_HISTORY = 4, /**< values: the rolling spring as a vector of angles, the twisting angle */
    SCREE_RESISTANCE_CONSTANTS =
        4 /**< rolling friction, rolling damping, twisting friction, twisting damping */
};

/** How the sides of a contact turn against each other. */
struct scree_law_turning {
    struct scree_law_vector roll;   /**< on-step angular velocity across the normal, rad/s */
    struct scree_law_vector rolled; /**< angle gone in the step, in the plane of the normal, rad */
    SCREE_REAL twist;               /**< on-step angular velocity about the normal, rad/s */
    SCREE_REAL twisted;             /**< angle gone in the step, rad */
};

/** Adds the couple and its energies to the reply of a law. */
SCREE_FN void scree_law_resist(const SCREE_REAL *constants, const struct scree_law_contact *contact,
                               const struct scree_law_turning *turning, const SCREE_REAL *before,
                               SCREE_REAL *after, struct scree_law_reply *reply)
{
    const SCREE_REAL pressing = reply->normal > 0 ? reply->normal : 0;
    const SCREE_REAL size = contact->radius * contact->radius;
    const SCREE_REAL stiffness = reply->stiffness[1] * size;
    struct scree_law_vector angle = {before[0], before[1], before[2]};
    angle = scree_law_add(angle, turning->rolled);
    const SCREE_REAL damping = 2 * constants[1] * scree_law_root(stiffness * contact->mass * size);
    const struct scree_law_vector spring = scree_law_scale(-stiffness, angle);
    const SCREE_REAL most = constants[0] * contact->radius * pressing;
    const SCREE_REAL sprung = scree_law_root(scree_law_dot(spring, spring));
    const SCREE_REAL share = sprung > most ? most / sprung : 1;
    const SCREE_REAL damped = sprung > most ? 0 : damping;
    const struct scree_law_vector kept = scree_law_scale(share, angle);
    after[0] = kept.x;
    after[1] = kept.y;
    after[2] = kept.z;
    reply->couple =
        scree_law_subtract(scree_law_scale(-stiffness, kept), scree_law_scale(damped, turning->roll));
    reply->stored += (SCREE_REAL)0.5 * stiffness * scree_law_dot(kept, kept);
    reply->friction += stiffness * share * (1 - share) * scree_law_dot(angle, angle);
    reply->dashpot += contact->step * damped * scree_law_dot(turning->roll, turning->roll);
    after[3] = before[3] + turning->twisted;
}

#ifdef __cplusplus
}
#endif
#endif
