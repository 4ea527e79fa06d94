// Friction: a tangential spring and dashpot under Coulomb's cap, for laws to build on.
//
// The trial force is -(k x + c v). Beyond the cap both its parts and the spring shrink by the same share, so
// that what is lost, T . v of the dashpot and k x' . s of the way s slipped, is never negative. (Leaving the
// spring at -(T + c v) / k, as is common, loads it against the motion where the dashpot alone exceeds the
// cap, and makes energy.) The loss to slipping is booked with the mean of the spring force before and after,
// which is what it does in a step of order 2. What the dashpot takes beyond the cap is lost to slipping as
// well: however the two share the force, which goes with the step, friction is the cap along the way that was
// slid. In a state that is only looked at the spring stays as it is.
//
// A stiffness that goes with the contact radius, k = K a: when it rises the force is kept, and what is slid
// loads it with the mean of the old and the new stiffness; when it falls the spring is kept. The other way
// round stores more, or as much, as the unloading gives back, and makes energy. What the spring loses so is
// friction too: Mindlin's slip at the rim.

#ifndef SCREE_LAW_FRICTION_H
#define SCREE_LAW_FRICTION_H

#include <scree/law.h>

struct scree_friction {
    struct scree_law_vector force, spring;
    SCREE_REAL stored;   // J
    SCREE_REAL lost;     // by the spring to slipping, J
    SCREE_REAL sliding;  // by the dashpot to slipping, W
    SCREE_REAL dashpot;  // J
    SCREE_REAL internal; // made (negative) or lost by a spring that keeps its length as its stiffness changes
};

// How a spring is held: by its stiffness, dashpot and cap.
struct scree_friction_spring {
    SCREE_REAL stiffness, damping, limit;
};

SCREE_FN struct scree_friction scree_friction_fixed(struct scree_friction_spring hold,
                                                    const struct scree_law_contact *c,
                                                    struct scree_law_vector before)
{
    const SCREE_REAL k = hold.stiffness, moving = c->step > 0 ? 1 : 0, half = (SCREE_REAL)0.5;
    const struct scree_law_vector moved = scree_law_add(before, c->slide);
    const struct scree_law_vector trial =
        scree_law_add(scree_law_scale(k, moved), scree_law_scale(hold.damping, c->slip));
    const SCREE_REAL size = scree_law_root(scree_law_dot(trial, trial));
    const SCREE_REAL share = size > hold.limit ? hold.limit / size : 1;
    struct scree_friction f;
    f.force = scree_law_scale(-share, trial);
    f.spring = scree_law_scale(moving > 0 ? share : 1, moved);
    f.stored = half * k * scree_law_dot(f.spring, f.spring);
    f.lost = moving * half * k * (1 - share) * scree_law_dot(scree_law_add(before, f.spring), moved);
    const SCREE_REAL power = share * hold.damping * scree_law_dot(c->slip, c->slip);
    f.sliding = size > hold.limit ? power : 0;
    f.dashpot = c->step * (size > hold.limit ? 0 : power);
    f.internal = 0;
    return f;
}

// The same with a stiffness `hold.stiffness` per contact radius `radius`, which was `old` when `before` was
// left; 0 for a contact that is new. `secant` keeps the length of the spring always, and what that makes is
// booked as inner.
SCREE_FN struct scree_friction scree_friction_varying(struct scree_friction_spring hold,
                                                      const struct scree_law_contact *c,
                                                      struct scree_law_vector before, SCREE_REAL old,
                                                      SCREE_REAL radius, bool secant)
{
    const SCREE_REAL stiffness = hold.stiffness, k = stiffness * radius;
    const SCREE_REAL moving = c->step > 0 ? 1 : 0, half = (SCREE_REAL)0.5;
    const SCREE_REAL rising = !secant && old < radius ? moving : 0;
    // k times the spring that is taken over, and times the slide, without a division
    const SCREE_REAL taken = rising > 0 ? old : radius, sum = radius + taken;
    const struct scree_law_vector pull = scree_law_add(scree_law_scale(stiffness * taken, before),
                                                       scree_law_scale(half * stiffness * sum, c->slide));
    const struct scree_law_vector trial = scree_law_add(pull, scree_law_scale(hold.damping, c->slip));
    const SCREE_REAL size = scree_law_root(scree_law_dot(trial, trial));

    // one division for the share and for the ratios of radii; nothing is divided by zero
    const SCREE_REAL least = (SCREE_REAL)(sizeof size == sizeof(float) ? 1e-20 : 1e-260);
    const SCREE_REAL divisor = (size > hold.limit ? size : hold.limit) + least;
    const SCREE_REAL inverse = 1 / (radius * sum * divisor);
    const SCREE_REAL share = size > hold.limit ? hold.limit * (radius * sum) * inverse : 1;
    const SCREE_REAL ratio = rising > 0 ? old * (sum * divisor * inverse) : 1;
    const SCREE_REAL gain = rising * (radius - old) * (radius * divisor * inverse);
    const struct scree_law_vector moved =
        scree_law_add(scree_law_scale(ratio, before), scree_law_scale(half + half * ratio, c->slide));

    struct scree_friction f;
    f.force = scree_law_scale(-share, trial);
    const SCREE_REAL kept = moving > 0 ? share : 1;
    f.spring = scree_law_scale(kept, moved);
    const SCREE_REAL power = share * hold.damping * scree_law_dot(c->slip, c->slip);
    f.sliding = size > hold.limit ? power : 0;
    f.dashpot = c->step * (size > hold.limit ? 0 : power);
    // the work of the mean of the spring force before and after, less what is stored of it; `gain` is what
    // the new stiffness is above the mean one, over the mean
    const SCREE_REAL along = scree_law_dot(before, moved), whole = scree_law_dot(moved, moved);
    f.stored = half * k * kept * kept * whole;
    const SCREE_REAL start = (1 - share) * stiffness * old * along, end = share * k * whole;
    const SCREE_REAL slipped = start + (1 - share) * end;
    const SCREE_REAL risen = gain * (start + end + stiffness * old * scree_law_dot(before, before));
    const SCREE_REAL fallen = rising > 0 ? 0 : stiffness * (old - radius) * share * along;
    f.lost = moving * half * (slipped + risen + (secant ? 0 : fallen));
    f.internal = secant ? moving * half * fallen : 0;
    return f;
}

#endif
