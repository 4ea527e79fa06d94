// The force function of spring_law.h. It compiles as C and C++, for any SCREE_REAL, on host and device.

#ifndef SCREE_TESTS_SPRING_FORCE_H
#define SCREE_TESTS_SPRING_FORCE_H

#include <scree/law.h>

enum { SPRING_STIFFNESS, SPRING_DAMPING, SPRING_FRICTION };

SCREE_FN struct scree_law_reply spring_force(const SCREE_REAL *p, const struct scree_law_contact *c,
                                             const SCREE_REAL *before, SCREE_REAL *after)
{
    struct scree_law_reply reply;
    const SCREE_REAL stiffness = p[SPRING_STIFFNESS], live = c->overlap > 0 ? 1 : 0;
    const SCREE_REAL repulsion = stiffness * c->overlap - p[SPRING_DAMPING] * c->normal_velocity;
    const struct scree_law_vector old = {before[0], before[1], before[2]};
    const struct scree_law_vector spring =
        scree_law_scale(live, scree_law_add(old, c->tangential_displacement));
    reply.couple.x = reply.couple.y = reply.couple.z = 0;
    reply.sliding = reply.internal = 0;
    reply.live = live;
    reply.normal = live * (repulsion > 0 ? repulsion : 0);
    // above the Coulomb limit the spring is shortened to the limit; the rest of the displacement is slip
    const SCREE_REAL tangential = stiffness * scree_law_root(scree_law_dot(spring, spring));
    const SCREE_REAL limit = p[SPRING_FRICTION] * reply.normal;
    const SCREE_REAL factor = tangential > limit ? limit / tangential : 1;
    const struct scree_law_vector spring_after = scree_law_scale(factor, spring);
    reply.force = scree_law_scale(-stiffness, spring_after);
    reply.friction = scree_law_dot(reply.force, scree_law_subtract(spring_after, spring));
    reply.stored = (SCREE_REAL)0.5 * stiffness *
                   (scree_law_dot(spring_after, spring_after) + live * c->overlap * c->overlap);
    reply.dashpot = live * p[SPRING_DAMPING] * c->normal_velocity * c->normal_velocity * c->step;
    reply.stiffness[0] = reply.stiffness[1] = live * stiffness;
    after[0] = spring_after.x, after[1] = spring_after.y, after[2] = spring_after.z;
    return reply;
}

#endif
