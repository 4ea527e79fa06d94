// Plastic contacts after Walton and Braun (J. Rheol. 30, 949, 1986; EQUATIONS 7): loaded along k_1 d,
// unloaded and loaded again along the steeper k_2 (d - d_0), with d_0 = d_max (1 - k_1 / k_2) of the largest
// overlap so far; never attractive. Restitution is sqrt(k_1 / k_2) without a dashpot. Friction as friction.h
// has it.
//
// What the flow takes is a function of the largest overlap alone: k_1 (1 - k_1 / k_2) d_max^2 / 2.

#include "law/friction.h"
#include "law/prepare.h"

#include <scree/kernel.h>

enum { LOADING, UNLOADING, KEPT, SHEAR, FRICTION, CONSTANTS };

enum { GIVEN_FRICTION, GIVEN_STIFFNESS, GIVEN_UNLOADING, GIVEN_RESTITUTION, GIVEN_SHEAR };

enum { LARGEST = 3 };

static const struct scree_law_parameter parameters[] = {
    {"friction", "", 0, 1e3, true, 0, "Coefficient of friction.", NULL},
    {"stiffness", "N/m", 1e-150, SCREE_LAW_ANY, true, 0, "Stiffness of the first loading.", NULL},
    {"stiffness-unloading", "N/m", 1e-150, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Stiffness below the largest overlap so far, no less than that of the first loading.", NULL},
    {"restitution", "", 1e-3, 1, false, SCREE_LAW_NOT_GIVEN,
     "Instead of stiffness-unloading: the root of the ratio of the stiffnesses.", NULL},
    {"stiffness-tangential", "N/m", 0, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Stiffness across the normal; 2/7 of that of the first loading if left out.", NULL},
    {0},
};

static const struct scree_law_value values[] = {
    {"spring", "m", 3, "Tangential spring."},
    {"largest-overlap", "m", 1, "Largest overlap so far."},
    {0},
};

static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    const double *given = pair->parameter;
    const double loading = given[GIVEN_STIFFNESS], restitution = given[GIVEN_RESTITUTION];
    if (scree_law_given(given[GIVEN_UNLOADING]) == scree_law_given(restitution))
        return "give one of 'stiffness-unloading' and 'restitution'";
    const double unloading =
        scree_law_given(restitution) ? loading / (restitution * restitution) : given[GIVEN_UNLOADING];
    if (!(unloading >= loading))
        return "'stiffness-unloading' must be at least 'stiffness'";
    constants[LOADING] = loading;
    constants[UNLOADING] = unloading;
    constants[KEPT] = 1 - loading / unloading;
    constants[SHEAR] = scree_law_given(given[GIVEN_SHEAR]) ? given[GIVEN_SHEAR] : 2.0 / 7 * loading;
    constants[FRICTION] = given[GIVEN_FRICTION];
    return NULL;
}

SCREE_FN struct scree_law_reply scree_plastic_force(const SCREE_REAL *constants,
                                                    const struct scree_law_contact *c,
                                                    const SCREE_REAL *before, SCREE_REAL *after)
{
    const SCREE_REAL half = (SCREE_REAL)0.5, moving = c->step > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    const SCREE_REAL old = before[LARGEST], largest = c->overlap > old ? c->overlap : old;
    const SCREE_REAL sprung = c->overlap - constants[KEPT] * largest;
    const SCREE_REAL spring = sprung > 0 ? sprung : 0;
    const SCREE_REAL normal = constants[UNLOADING] * spring;

    const struct scree_law_vector across = {before[0], before[1], before[2]};
    const struct scree_friction_spring hold = {constants[SHEAR], 0, constants[FRICTION] * normal};
    const struct scree_friction friction = scree_friction_fixed(hold, c, across);
    after[0] = friction.spring.x;
    after[1] = friction.spring.y;
    after[2] = friction.spring.z;
    after[LARGEST] = largest;

    struct scree_law_reply reply;
    reply.live = c->overlap > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    reply.normal = normal;
    reply.force = friction.force;
    reply.couple.x = reply.couple.y = reply.couple.z = 0;
    reply.stored = half * normal * spring + friction.stored;
    reply.friction = friction.lost;
    reply.sliding = friction.sliding;
    reply.dashpot = 0;
    reply.internal = moving * half * constants[LOADING] * constants[KEPT] * (largest + old) * (largest - old);
    reply.stiffness[0] = constants[UNLOADING];
    reply.stiffness[1] = constants[SHEAR];
    return reply;
}

#define SCREE_KERNEL_FORCE scree_plastic_force
#define SCREE_KERNEL_HISTORY 4
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_LOSES 1
#include <scree/kernel_loops.inc>

const struct scree_contact_law scree_law_plastic = {
    .version = SCREE_LAW_VERSION,
    .name = "plastic",
    .about = "Plastic contacts with friction, stiffer unloading than loading, after Walton and Braun.",
    .parameters = parameters,
    .values = values,
    .dimensions = 1 << 2 | 1 << 3,
    .loses = true,
    .prepare = prepare,
    .range = scree_law_touch,
    .force = scree_plastic_force,
    .kernel = SCREE_KERNEL_TABLE,
};
