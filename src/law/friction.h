// Friction: a tangential spring and dashpot with a Coulomb limit, used by several laws.
//
// The trial force is -(k x + c v). Beyond the Coulomb limit spring force, dashpot force and spring length are
// multiplied by the same factor. Then the losses are never negative: T . v of the dashpot, and k x' . s of
// the spring with the sliding distance s. (The common spring length -(T + c v) / k generates energy if the
// dashpot force alone exceeds the limit.) The sliding loss of the spring uses the mean spring force of the
// step, which is accurate to order 2. The power of the dashpot during sliding counts as friction too, so that
// the total friction loss is the Coulomb limit times the sliding distance for any step. With step 0 the
// spring is unchanged.
//
// Stiffness proportional to the contact radius, k = K a: during loading the old spring force stays and the
// displacement adds to it with the mean of the old and the new stiffness; during unloading the spring length
// stays. The opposite choices would generate energy. The energy that the spring loses during unloading counts
// as friction: Mindlin's slip at the rim of the contact area.

#ifndef SCREE_LAW_FRICTION_H
#define SCREE_LAW_FRICTION_H

#include <scree/law.h>

struct scree_friction {
    struct scree_law_vector force, spring;
    SCREE_REAL stored;   // elastic energy, J
    SCREE_REAL lost;     // sliding loss of the spring, J
    SCREE_REAL sliding;  // sliding power of the dashpot, W
    SCREE_REAL dashpot;  // loss of the dashpot without sliding, J
    SCREE_REAL internal; // loss by changes of stiffness at constant spring length, J; negative: generated
};

// Parameters of a tangential spring: stiffness, dashpot and Coulomb limit.
struct scree_friction_spring {
    SCREE_REAL stiffness, damping, limit;
};

// Friction with a constant stiffness.
SCREE_FN struct scree_friction scree_friction_fixed(struct scree_friction_spring spring,
                                                    const struct scree_law_contact *c,
                                                    struct scree_law_vector before)
{
    const SCREE_REAL k = spring.stiffness, moving = c->step > 0 ? 1 : 0, half = (SCREE_REAL)0.5;
    const struct scree_law_vector moved = scree_law_add(before, c->tangential_displacement);
    const struct scree_law_vector trial =
        scree_law_add(scree_law_scale(k, moved), scree_law_scale(spring.damping, c->tangential_velocity));
    const SCREE_REAL size = scree_law_root(scree_law_dot(trial, trial));
    const SCREE_REAL factor = size > spring.limit ? spring.limit / size : 1;
    struct scree_friction f;
    f.force = scree_law_scale(-factor, trial);
    f.spring = scree_law_scale(moving > 0 ? factor : 1, moved);
    f.stored = half * k * scree_law_dot(f.spring, f.spring);
    f.lost = moving * half * k * (1 - factor) * scree_law_dot(scree_law_add(before, f.spring), moved);
    const SCREE_REAL power =
        factor * spring.damping * scree_law_dot(c->tangential_velocity, c->tangential_velocity);
    f.sliding = size > spring.limit ? power : 0;
    f.dashpot = c->step * (size > spring.limit ? 0 : power);
    f.internal = 0;
    return f;
}

// Friction with the stiffness `spring.stiffness` times the contact radius `radius`; `old` is the contact
// radius of the spring `before`, 0 for a new contact. `secant`: the spring length stays during loading too,
// and the generated energy is returned as internal dissipation.
SCREE_FN struct scree_friction scree_friction_varying(struct scree_friction_spring spring,
                                                      const struct scree_law_contact *c,
                                                      struct scree_law_vector before, SCREE_REAL old,
                                                      SCREE_REAL radius, bool secant)
{
    const SCREE_REAL stiffness = spring.stiffness, k = stiffness * radius;
    const SCREE_REAL moving = c->step > 0 ? 1 : 0, half = (SCREE_REAL)0.5;
    const SCREE_REAL is_loading = !secant && old < radius ? moving : 0;
    // old stiffness times old spring plus mean stiffness times displacement, without a division
    const SCREE_REAL old_radius = is_loading > 0 ? old : radius, sum = radius + old_radius;
    const struct scree_law_vector elastic =
        scree_law_add(scree_law_scale(stiffness * old_radius, before),
                      scree_law_scale(half * stiffness * sum, c->tangential_displacement));
    const struct scree_law_vector trial =
        scree_law_add(elastic, scree_law_scale(spring.damping, c->tangential_velocity));
    const SCREE_REAL size = scree_law_root(scree_law_dot(trial, trial));

    // one division for the scale factor and the ratios of radii; `tiny` makes the divisor positive
    const SCREE_REAL tiny = (SCREE_REAL)(sizeof size == sizeof(float) ? 1e-20 : 1e-260);
    const SCREE_REAL divisor = (size > spring.limit ? size : spring.limit) + tiny;
    const SCREE_REAL inverse = 1 / (radius * sum * divisor);
    const SCREE_REAL factor = size > spring.limit ? spring.limit * (radius * sum) * inverse : 1;
    const SCREE_REAL ratio = is_loading > 0 ? old * (sum * divisor * inverse) : 1;
    const SCREE_REAL gain = is_loading * (radius - old) * (radius * divisor * inverse);
    const struct scree_law_vector moved = scree_law_add(
        scree_law_scale(ratio, before), scree_law_scale(half + half * ratio, c->tangential_displacement));

    struct scree_friction f;
    f.force = scree_law_scale(-factor, trial);
    const SCREE_REAL scale = moving > 0 ? factor : 1;
    f.spring = scree_law_scale(scale, moved);
    const SCREE_REAL power =
        factor * spring.damping * scree_law_dot(c->tangential_velocity, c->tangential_velocity);
    f.sliding = size > spring.limit ? power : 0;
    f.dashpot = c->step * (size > spring.limit ? 0 : power);
    // loss: work of the mean spring force minus the increase of stored energy; `gain` = (new stiffness - mean
    // stiffness) / mean stiffness
    const SCREE_REAL along = scree_law_dot(before, moved), moved_squared = scree_law_dot(moved, moved);
    f.stored = half * k * scale * scale * moved_squared;
    const SCREE_REAL start = (1 - factor) * stiffness * old * along, end = factor * k * moved_squared;
    const SCREE_REAL slipped = start + (1 - factor) * end;
    const SCREE_REAL loading = gain * (start + end + stiffness * old * scree_law_dot(before, before));
    const SCREE_REAL unloading = is_loading > 0 ? 0 : stiffness * (old - radius) * factor * along;
    f.lost = moving * half * (slipped + loading + (secant ? 0 : unloading));
    f.internal = secant ? moving * half * unloading : 0;
    return f;
}

#endif
