// A small contact law written as a user would write one: a linear spring with a dashpot and Coulomb friction.
// Its number type is whatever SCREE_REAL is, which is what the tests of the interface are about.

#ifndef SCREE_TESTS_SPRING_LAW_H
#define SCREE_TESTS_SPRING_LAW_H

#include <scree/law.h>

enum { SPRING_STIFFNESS, SPRING_DAMPING, SPRING_FRICTION };

static const struct scree_law_parameter spring_parameters[] = {
    {"stiffness", "N/m", 1e-9, 1e30, true, 0, "Stiffness along and across the normal."},
    {"damping", "N s/m", 0, 1e30, false, 0, "Dashpot along the normal."},
    {"friction", "", 0, 1e3, true, 0, "Coefficient of friction."},
    {0},
};

SCREE_FN SCREE_REAL spring_reach(const SCREE_REAL *p, SCREE_REAL radius)
{
    (void)p, (void)radius;
    return 0;
}

SCREE_FN struct scree_law_reply spring_force(const SCREE_REAL *p, const struct scree_law_contact *c,
                                             const SCREE_REAL *before, SCREE_REAL *after)
{
    struct scree_law_reply reply = {0};
    const SCREE_REAL push = p[SPRING_STIFFNESS] * c->overlap - p[SPRING_DAMPING] * c->approach;
    reply.live = c->overlap > 0;
    reply.normal = reply.live && push > 0 ? push : 0;
    SCREE_REAL square = 0;
    for (int k = 0; k < 3; ++k) {
        after[k] = reply.live ? before[k] + c->slide[k] : 0;
        reply.force[k] = -p[SPRING_STIFFNESS] * after[k];
        square += reply.force[k] * reply.force[k];
    }
    // beyond the cap the spring is shortened to what friction bears, and the rest of the way is lost
    const SCREE_REAL cap = p[SPRING_FRICTION] * reply.normal;
    if (square > cap * cap)
        for (int k = 0; k < 3; ++k) {
            const SCREE_REAL held = reply.force[k] * cap / (SCREE_REAL)__builtin_sqrt((double)square);
            reply.friction += -held * (after[k] + held / p[SPRING_STIFFNESS]);
            reply.force[k] = held;
            after[k] = -held / p[SPRING_STIFFNESS];
        }
    for (int k = 0; k < 3; ++k)
        reply.stored += (SCREE_REAL)0.5 * p[SPRING_STIFFNESS] * after[k] * after[k];
    if (reply.live)
        reply.stored += (SCREE_REAL)0.5 * p[SPRING_STIFFNESS] * c->overlap * c->overlap;
    reply.dashpot = reply.live ? p[SPRING_DAMPING] * c->approach * c->approach * c->step : 0;
    return reply;
}

SCREE_FN void spring_stiffness(const SCREE_REAL *p, const struct scree_law_contact *c,
                               const SCREE_REAL *history, SCREE_REAL stiffness[2])
{
    (void)c, (void)history;
    stiffness[0] = stiffness[1] = p[SPRING_STIFFNESS];
}

static const struct scree_contact_law spring_law = {"spring",
                                                    "A spring, a dashpot and friction.",
                                                    spring_parameters,
                                                    3,
                                                    1,
                                                    12,
                                                    spring_reach,
                                                    spring_force,
                                                    spring_stiffness};

#endif
