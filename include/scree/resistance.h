// Resistance to rolling and twisting, which can be added to any contact law.
//
// Rolling resistance is an elastic-plastic spring and dashpot (Ai, Chen, Rotter, Ooi, Powder Technol. 206,
// 269, 2011; EQUATIONS 7): stiffness k_r = k_t R*^2, limiting moment mu_r R* F_n. Twisting resistance is the
// same about the normal: stiffness k_t a^2 / 2, limiting moment 2/3 mu a F_n, with a^2 = R* overlap. A
// damping coefficient is a fraction of the critical damping for the inertia m* R*^2. Both need a law with a
// tangential stiffness.
//
// At the limit the moments of spring and dashpot are scaled by the same factor, as in friction. A rolling
// contact at its limit is still at the limit when it is evaluated with step 0, although the moment of its
// spring alone is below the limit.
//
// A spring is stored as w = sqrt(k) times its angle, because its energy w^2 / 2 does not change with the
// stiffness. To keep the angle while the contact is loaded, or the moment while it is unloaded, would
// generate energy. A rotation dq in a step changes w by sqrt(k) dq with the mid-step stiffness k, which
// follows from the mid-step overlap and the power of the overlap in k_t.
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
    struct scree_law_vector roll;   /**< on-step tangential angular velocity, rad/s */
    struct scree_law_vector rolled; /**< tangential rotation in the step, in the plane of the normal, rad */
    SCREE_REAL twist;               /**< on-step angular velocity about the normal, rad/s */
    SCREE_REAL twisted;             /**< rotation about the normal in the step, rad */
};

/** State, moment and energies of one spring. */
struct scree_law_resistance {
    struct scree_law_vector spring, couple;
    SCREE_REAL stored, friction, sliding, dashpot;
};

/** Advances a spring from the state `before` by the rotation `turned`, with the angular velocity `turning`.
 * The stiffness is root^2 on-step and root_mid^2 at mid-step; `limit` is the limiting moment. */
SCREE_FN struct scree_law_resistance
scree_law_resist_rotation(SCREE_REAL root, SCREE_REAL root_mid, SCREE_REAL damping, SCREE_REAL limit,
                          SCREE_REAL step, struct scree_law_vector before, struct scree_law_vector turned,
                          struct scree_law_vector turning)
{
    const struct scree_law_vector moved = scree_law_add(before, scree_law_scale(root_mid, turned));
    const struct scree_law_vector trial =
        scree_law_add(scree_law_scale(root, moved), scree_law_scale(damping, turning));
    const SCREE_REAL size = scree_law_root(scree_law_dot(trial, trial));
    const SCREE_REAL share = size > limit ? limit / size : 1;
    const SCREE_REAL half = (SCREE_REAL)0.5, moving = step > 0 ? 1 : 0;
    struct scree_law_resistance r;
    r.spring = scree_law_scale(moving > 0 ? share : 1, moved);
    r.couple = scree_law_scale(-share, trial);
    r.stored = half * scree_law_dot(r.spring, r.spring);
    r.friction = moving * half * (1 - share) * scree_law_dot(scree_law_add(before, r.spring), moved);
    const SCREE_REAL power = share * damping * scree_law_dot(turning, turning);
    r.sliding = size > limit ? power : 0;
    r.dashpot = step * (size > limit ? 0 : power);
    return r;
}

/** Adds the couple and its energies to the reply of a law. */
SCREE_FN void scree_law_resist(const SCREE_REAL *constants, const struct scree_law_contact *contact,
                               const struct scree_law_rolling *turning, const SCREE_REAL *before,
                               SCREE_REAL *after, struct scree_law_reply *reply)
{
    const SCREE_REAL repulsion = reply->normal > 0 ? reply->normal : 0, size = contact->radius;
    const SCREE_REAL overlap = contact->overlap > 0 ? contact->overlap : 0;
    const SCREE_REAL contact_radius = scree_law_root(size * overlap),
                     inertia = size * scree_law_root(contact->mass);
    const SCREE_REAL root = scree_law_root(reply->stiffness[1]);

    // relative difference of the mid-step overlap to the present one, which gives the root of the mid-step
    // stiffness; clamped for contacts that are about to end, which are at their limit anyway
    const SCREE_REAL half = (SCREE_REAL)0.5;
    const SCREE_REAL extrapolated = contact->overlap + half * contact->step * contact->normal_velocity;
    const SCREE_REAL mid_overlap = extrapolated > 0 ? extrapolated : 0,
                     mid = mid_overlap < 2 * overlap ? mid_overlap : 2 * overlap;
    const SCREE_REAL change = overlap > 0 ? mid / overlap - 1 : 0;
    const SCREE_REAL root_mid = root + constants[4] * change * root;

    const struct scree_law_vector rolled = {before[0], before[1], before[2]};
    const SCREE_REAL roll = size * root;
    const struct scree_law_resistance rolling = scree_law_resist_rotation(
        roll, size * root_mid, 2 * constants[1] * roll * inertia, constants[0] * size * repulsion,
        contact->step, rolled, turning->rolled, turning->roll);

    // twisting: a vector along the normal, of which one component is stored; the contact radius grows with
    // the overlap
    const SCREE_REAL twist = scree_law_root(half) * root * contact_radius;
    const SCREE_REAL twist_mid = scree_law_root(half * size * mid_overlap) * root_mid;
    const struct scree_law_vector twisted = {before[3], 0, 0}, angle = {turning->twisted, 0, 0};
    const struct scree_law_vector rate = {turning->twist, 0, 0};
    const SCREE_REAL limit = (SCREE_REAL)(2.0 / 3) * constants[2] * contact_radius * repulsion;
    const struct scree_law_resistance twisting = scree_law_resist_rotation(
        twist, twist_mid, 2 * constants[3] * twist * inertia, limit, contact->step, twisted, angle, rate);

    after[0] = rolling.spring.x;
    after[1] = rolling.spring.y;
    after[2] = rolling.spring.z;
    after[3] = twisting.spring.x;
    const struct scree_law_vector twisting_couple = scree_law_scale(twisting.couple.x, contact->normal);
    reply->couple = scree_law_add(reply->couple, scree_law_add(rolling.couple, twisting_couple));
    reply->stored += rolling.stored + twisting.stored;
    reply->friction += rolling.friction + twisting.friction;
    reply->sliding += rolling.sliding + twisting.sliding;
    reply->dashpot += rolling.dashpot + twisting.dashpot;
}

#ifdef __cplusplus
}
#endif
#endif
