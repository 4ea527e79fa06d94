// Resistance to rolling and twisting, which any contact law can be given besides its own forces.
//
// Rolling is an elastic-plastic spring and dashpot (Ai, Chen, Rotter, Ooi, Powder Technol. 206, 269, 2011;
// EQUATIONS 7): stiffness k_r = k_t R*^2, at most mu_r R* F_n. Twisting is the same about the normal: k = k_t
// a^2 / 2, at most 2/3 mu a F_n, with a^2 = R* overlap. A dashpot is a share of what is critical for the
// inertia m* R*^2. A law without tangential stiffness gives neither.
//
// Spring and dashpot shrink together beyond the cap, as with friction, so that a contact that slips, whose
// spring says nothing of that, still does so in a state that is only looked at.
//
// A spring is kept as w = sqrt(k) times its angle, whose energy w^2 / 2 does not change as the stiffness
// does: an angle kept while a contact closes, or a moment kept while it opens, would make energy. What turns
// in a step loads it with sqrt(k) of half a step ago, told from the overlap then and the power of the overlap
// that k_t goes with, so that the stiffness of the step before need not be kept.
#ifndef SCREE_RESISTANCE_H
#define SCREE_RESISTANCE_H

#include <scree/law.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SCREE_RESISTANCE_HISTORY =
        4, /**< values, J^(1/2): the rolling spring, a vector, and the twisting spring */
    /** rolling friction and damping, twisting friction and damping, and the power of the overlap that the
     * root of the tangential stiffness goes with: 0, or 1/4 after Mindlin */
    SCREE_RESISTANCE_CONSTANTS = 5
};

/** How the sides of a contact turn against each other. */
struct scree_law_turning {
    struct scree_law_vector roll;   /**< on-step angular velocity across the normal, rad/s */
    struct scree_law_vector rolled; /**< angle gone in the step, in the plane of the normal, rad */
    SCREE_REAL twist;               /**< on-step angular velocity about the normal, rad/s */
    SCREE_REAL twisted;             /**< angle gone in the step, rad */
};

/** What one of the springs does. */
struct scree_law_resisting {
    struct scree_law_vector spring, couple;
    SCREE_REAL stored, friction, sliding, dashpot;
};

/** A spring that was `before`, of stiffness root^2 now and middle^2 half a step ago, turned by `turned` and
 * turning at the rate `turning`. */
SCREE_FN struct scree_law_resisting scree_law_resist_turning(SCREE_REAL root, SCREE_REAL middle,
                                                             SCREE_REAL damping, SCREE_REAL limit,
                                                             SCREE_REAL step, struct scree_law_vector before,
                                                             struct scree_law_vector turned,
                                                             struct scree_law_vector turning)
{
    const struct scree_law_vector moved = scree_law_add(before, scree_law_scale(middle, turned));
    const struct scree_law_vector trial =
        scree_law_add(scree_law_scale(root, moved), scree_law_scale(damping, turning));
    const SCREE_REAL size = scree_law_root(scree_law_dot(trial, trial));
    const SCREE_REAL share = size > limit ? limit / size : 1;
    const SCREE_REAL half = (SCREE_REAL)0.5, moving = step > 0 ? 1 : 0;
    struct scree_law_resisting r;
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
                               const struct scree_law_turning *turning, const SCREE_REAL *before,
                               SCREE_REAL *after, struct scree_law_reply *reply)
{
    const SCREE_REAL pressing = reply->normal > 0 ? reply->normal : 0, size = contact->radius;
    const SCREE_REAL overlap = contact->overlap > 0 ? contact->overlap : 0;
    const SCREE_REAL patch = scree_law_root(size * overlap), inertia = size * scree_law_root(contact->mass);
    const SCREE_REAL stiff = scree_law_root(reply->stiffness[1]);

    // by how much less the overlap was half a step ago, and the root of the stiffness; a contact that ends is
    // at its cap
    const SCREE_REAL half = (SCREE_REAL)0.5;
    const SCREE_REAL past = contact->overlap + half * contact->step * contact->approach;
    const SCREE_REAL ago = past > 0 ? past : 0, most_ago = ago < 2 * overlap ? ago : 2 * overlap;
    const SCREE_REAL less = overlap > 0 ? most_ago / overlap - 1 : 0;
    const SCREE_REAL stiff_ago = stiff + constants[4] * less * stiff;

    const struct scree_law_vector rolled = {before[0], before[1], before[2]};
    const SCREE_REAL roll = size * stiff;
    const struct scree_law_resisting rolling = scree_law_resist_turning(
        roll, size * stiff_ago, 2 * constants[1] * roll * inertia, constants[0] * size * pressing,
        contact->step, rolled, turning->rolled, turning->roll);

    // the twist is a vector along the normal of which one number is kept; its patch grows with the overlap
    const SCREE_REAL twist = scree_law_root(half) * stiff * patch;
    const SCREE_REAL middle = scree_law_root(half * size * ago) * stiff_ago;
    const struct scree_law_vector twisted = {before[3], 0, 0}, angle = {turning->twisted, 0, 0};
    const struct scree_law_vector rate = {turning->twist, 0, 0};
    const SCREE_REAL most = (SCREE_REAL)(2.0 / 3) * constants[2] * patch * pressing;
    const struct scree_law_resisting twisting = scree_law_resist_turning(
        twist, middle, 2 * constants[3] * twist * inertia, most, contact->step, twisted, angle, rate);

    after[0] = rolling.spring.x;
    after[1] = rolling.spring.y;
    after[2] = rolling.spring.z;
    after[3] = twisting.spring.x;
    const struct scree_law_vector about = scree_law_scale(twisting.couple.x, contact->normal);
    reply->couple = scree_law_add(reply->couple, scree_law_add(rolling.couple, about));
    reply->stored += rolling.stored + twisting.stored;
    reply->friction += rolling.friction + twisting.friction;
    reply->sliding += rolling.sliding + twisting.sliding;
    reply->dashpot += rolling.dashpot + twisting.dashpot;
}

#ifdef __cplusplus
}
#endif
#endif
