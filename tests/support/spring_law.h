// A small contact law written as a user would write one: a linear spring with a dashpot and Coulomb friction.
// Its number type is whatever SCREE_REAL is, which is what the tests of the interface are about.

#ifndef SCREE_TESTS_SPRING_LAW_H
#define SCREE_TESTS_SPRING_LAW_H

#include <scree/law.h>

enum { SPRING_STIFFNESS, SPRING_DAMPING, SPRING_FRICTION };

static const struct scree_law_parameter spring_parameters[] = {
    {"stiffness", "N/m", 1e-9, 1e30, true, 0, "Stiffness along and across the normal.", NULL},
    {"damping", "N s/m", 0, 1e30, false, 0, "Dashpot along the normal.", NULL},
    {"friction", "", 0, 1e3, true, 0, "Coefficient of friction.", NULL},
    {0},
};

static const struct scree_law_value spring_values[] = {
    {"spring", "m", 3, "How far the contact is sheared."},
    {0},
};

static inline const char *spring_prepare(const struct scree_law_pair *pair, double *constants)
{
    for (int k = 0; k <= SPRING_FRICTION; ++k)
        constants[k] = pair->parameter[k];
    return pair->dimension == 3 ? NULL : "the spring is for spheres";
}

static inline double spring_reach(const double *p, double radius)
{
    (void)p, (void)radius;
    return 0;
}

SCREE_FN struct scree_law_reply spring_force(const SCREE_REAL *p, const struct scree_law_contact *c,
                                             const SCREE_REAL *before, SCREE_REAL *after)
{
    struct scree_law_reply reply = {0};
    const SCREE_REAL stiffness = p[SPRING_STIFFNESS], live = c->overlap > 0 ? 1 : 0;
    const SCREE_REAL push = stiffness * c->overlap - p[SPRING_DAMPING] * c->approach;
    const struct scree_law_vector old = {before[0], before[1], before[2]};
    const struct scree_law_vector spring = scree_law_scale(live, scree_law_add(old, c->slide));
    reply.live = live;
    reply.normal = live * (push > 0 ? push : 0);
    // beyond the cap the spring is shortened to what friction bears, and the rest of the way is lost
    const SCREE_REAL pull = stiffness * scree_law_root(scree_law_dot(spring, spring));
    const SCREE_REAL cap = p[SPRING_FRICTION] * reply.normal;
    const SCREE_REAL share = pull > cap ? cap / pull : 1;
    const struct scree_law_vector kept = scree_law_scale(share, spring);
    reply.force = scree_law_scale(-stiffness, kept);
    reply.friction = scree_law_dot(reply.force, scree_law_subtract(kept, spring));
    reply.stored = (SCREE_REAL)0.5 * stiffness * (scree_law_dot(kept, kept) + live * c->overlap * c->overlap);
    reply.dashpot = live * p[SPRING_DAMPING] * c->approach * c->approach * c->step;
    reply.stiffness[0] = reply.stiffness[1] = live * stiffness;
    after[0] = kept.x, after[1] = kept.y, after[2] = kept.z;
    return reply;
}

// All of the law but its version and the loops that may be made of its force.
#define SPRING_LAW                                                                                           \
    .name = "spring", .about = "A spring, a dashpot and friction.", .parameters = spring_parameters,         \
    .values = spring_values, .dimensions = 1 << 3, .damps = true, .prepare = spring_prepare,                 \
    .reach = spring_reach, .force = spring_force

static const struct scree_contact_law spring_law = {.version = SCREE_LAW_VERSION, SPRING_LAW};

#endif
