// Resistance to rolling and twisting, which can be added to any contact law.
//
// Rolling resistance is an elastic-plastic spring and dashpot (Ai, Chen, Rotter, Ooi, Powder Technol. 206,
// 269, 2011; EQUATIONS 7): stiffness k_r = k_t R*^2, limiting moment mu_r R* F_n. Twisting resistance is the
// same about the normal: stiffness k_t a^2 / 2, limiting moment 2/3 mu a F_n, with a^2 = R* overlap. A
// damping coefficient is a fraction of the critical damping for the inertia m* R*^2. Both need a law with a
// tangential stiffness.
//
// At the limit the moments of spring and dashpot are scaled by the same factor, as in friction. So a contact
// whose spring alone is below the limit can still be at the limit when it is evaluated with step 0.
//
// A spring is stored as w = sqrt(k) times its angle, because its energy w^2 / 2 does not change with the
// stiffness. Keeping the angle while the contact is loaded, or the moment while it is unloaded, would
// generate energy. The rotation in a step loads the spring with sqrt(k) at mid-step. That stiffness follows
// from the mid-step overlap and the known power of the overlap in k_t, so the stiffness of the previous step
// need not be stored.
#ifndef SCREE_RESISTANCE_H
#define SCREE_RESISTANCE_H

#include <scree/law.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SCREE_RESISTANCE_HISTORY = 4, /**< J^(1/2): the rolling spring, a vector, then the twisting spring */
    /** friction and damping of rolling, friction and damping of twisting, and the exponent p in sqrt(k_t) ~
     * overlap^p: 0, or 1/4 after Mindlin */
    SCREE_RESISTANCE_CONSTANTS = 5
};

/** Relative rotation of the two sides of a contact. */
struct scree_law_rolling {
    struct scree_law_vector roll_rate; /**< on-step tangential angular velocity, rad/s */
    struct scree_law_vector
        roll_angle;         /**< tangential rotation in the step, in the plane of the normal, rad */
    SCREE_REAL twist_rate;  /**< on-step angular velocity about the normal, rad/s */
    SCREE_REAL twist_angle; /**< rotation about the normal in the step, rad */
};

/** State, moment and energies of one spring. */
struct scree_law_resistance_spring {
    struct scree_law_vector spring, couple;
    SCREE_REAL stored, friction, sliding, dashpot;
};

/** Advances a spring from the state `before` by the rotation `angle`, with the angular velocity `rate`. The
 * stiffness is stiffness_root^2 on-step and half_stiffness_root^2 at mid-step; `limit` is the limiting
 * moment. */
SCREE_FN struct scree_law_resistance_spring
scree_law_resist_rotation(SCREE_REAL stiffness_root, SCREE_REAL half_stiffness_root, SCREE_REAL damping,
                          SCREE_REAL limit, SCREE_REAL step, struct scree_law_vector before,
                          struct scree_law_vector angle, struct scree_law_vector rate)
{
    const struct scree_law_vector loaded = scree_law_add(before, scree_law_scale(half_stiffness_root, angle));
    const struct scree_law_vector trial =
        scree_law_add(scree_law_scale(stiffness_root, loaded), scree_law_scale(damping, rate));
    const SCREE_REAL size = scree_law_root(scree_law_dot(trial, trial));
    const SCREE_REAL scale = size > limit ? limit / size : 1;
    const SCREE_REAL half = (SCREE_REAL)0.5, advances = step > 0 ? 1 : 0;
    struct scree_law_resistance_spring r;
    r.spring = scree_law_scale(advances > 0 ? scale : 1, loaded);
    r.couple = scree_law_scale(-scale, trial);
    r.stored = half * scree_law_dot(r.spring, r.spring);
    r.friction = advances * half * (1 - scale) * scree_law_dot(scree_law_add(before, r.spring), loaded);
    const SCREE_REAL power = scale * damping * scree_law_dot(rate, rate);
    r.sliding = size > limit ? power : 0;
    r.dashpot = step * (size > limit ? 0 : power);
    return r;
}

/** Adds the couple and its energies to the reply of a law. */
SCREE_FN void scree_law_resist(const SCREE_REAL *constants, const struct scree_law_contact *contact,
                               const struct scree_law_rolling *rolling, const SCREE_REAL *before,
                               SCREE_REAL *after, struct scree_law_reply *reply)
{
    const SCREE_REAL normal_force = reply->normal > 0 ? reply->normal : 0, radius = contact->radius;
    const SCREE_REAL overlap = contact->overlap > 0 ? contact->overlap : 0;
    const SCREE_REAL contact_radius = scree_law_root(radius * overlap),
                     inertia_root = radius * scree_law_root(contact->mass);
    const SCREE_REAL stiffness_root = scree_law_root(reply->stiffness[1]);

    // relative difference of the mid-step overlap to the present one, which gives the root of the mid-step
    // stiffness; clamped for contacts that are about to end, which are at their limit anyway
    const SCREE_REAL half = (SCREE_REAL)0.5;
    const SCREE_REAL extrapolated = contact->overlap + half * contact->step * contact->normal_velocity;
    const SCREE_REAL mid_overlap = extrapolated > 0 ? extrapolated : 0,
                     mid = mid_overlap < 2 * overlap ? mid_overlap : 2 * overlap;
    const SCREE_REAL change = overlap > 0 ? mid / overlap - 1 : 0;
    const SCREE_REAL half_stiffness_root = stiffness_root + constants[4] * change * stiffness_root;

    const struct scree_law_vector rolled = {before[0], before[1], before[2]};
    const SCREE_REAL roll_root = radius * stiffness_root;
    const struct scree_law_resistance_spring roll_spring = scree_law_resist_rotation(
        roll_root, radius * half_stiffness_root, 2 * constants[1] * roll_root * inertia_root,
        constants[0] * radius * normal_force, contact->step, rolled, rolling->roll_angle, rolling->roll_rate);

    // twisting: a vector along the normal, of which one component is stored; the contact radius grows with
    // the overlap
    const SCREE_REAL twist_root = scree_law_root(half) * stiffness_root * contact_radius;
    const SCREE_REAL half_twist_root = scree_law_root(half * radius * mid_overlap) * half_stiffness_root;
    const struct scree_law_vector twisted = {before[3], 0, 0}, angle = {rolling->twist_angle, 0, 0};
    const struct scree_law_vector rate = {rolling->twist_rate, 0, 0};
    const SCREE_REAL twist_limit = (SCREE_REAL)(2.0 / 3) * constants[2] * contact_radius * normal_force;
    const struct scree_law_resistance_spring twist_spring =
        scree_law_resist_rotation(twist_root, half_twist_root, 2 * constants[3] * twist_root * inertia_root,
                                  twist_limit, contact->step, twisted, angle, rate);

    after[0] = roll_spring.spring.x;
    after[1] = roll_spring.spring.y;
    after[2] = roll_spring.spring.z;
    after[3] = twist_spring.spring.x;
    const struct scree_law_vector twist_couple = scree_law_scale(twist_spring.couple.x, contact->normal);
    reply->couple = scree_law_add(reply->couple, scree_law_add(roll_spring.couple, twist_couple));
    reply->stored += roll_spring.stored + twist_spring.stored;
    reply->friction += roll_spring.friction + twist_spring.friction;
    reply->sliding += roll_spring.sliding + twist_spring.sliding;
    reply->dashpot += roll_spring.dashpot + twist_spring.dashpot;
}

#ifdef __cplusplus
}
#endif
#endif
