// Elastic-plastic contacts (Walton, Braun, J. Rheol. 30, 949, 1986; EQUATIONS 7): F = k_1 d in first loading,
// F = k_2 (d - d_0) in unloading and reloading, with k_2 >= k_1 and d_0 = d_max (1 - k_1 / k_2), where d_max
// is the largest overlap so far. F is never attractive. The restitution is sqrt(k_1 / k_2), without a
// dashpot. Friction: friction.h.
//
// The plastic loss depends on the largest overlap only: k_1 (1 - k_1 / k_2) d_max^2 / 2.

#include "law/friction.h"
#include "law/prepare.h"

#include <scree/kernel.h>

enum { LOADING, UNLOADING, PLASTIC, TANGENTIAL, FRICTION, CONSTANTS };

enum {
    PARAMETER_FRICTION,
    PARAMETER_STIFFNESS,
    PARAMETER_UNLOADING,
    PARAMETER_RESTITUTION,
    PARAMETER_TANGENTIAL
};

enum { LARGEST = 3 };

static const struct scree_law_parameter parameters[] = {
    {"friction", "", 0, 1e3, true, 0, "Coefficient of friction.", NULL},
    {"stiffness", "N/m", 1e-150, SCREE_LAW_ANY, true, 0, "Normal stiffness of first loading.", NULL},
    {"stiffness-unloading", "N/m", 1e-150, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Normal stiffness of unloading and reloading, at least that of first loading.", NULL},
    {"restitution", "", 1e-3, 1, false, SCREE_LAW_NOT_GIVEN,
     "Coefficient of restitution, sqrt(stiffness / stiffness-unloading); use instead of stiffness-unloading.",
     NULL},
    {"stiffness-tangential", "N/m", 0, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Tangential stiffness; default: 2/7 of the normal stiffness of first loading.", NULL},
    {0},
};

static const struct scree_law_value values[] = {
    {"spring", "m", 3, "Tangential spring."},
    {"largest-overlap", "m", 1, "Largest overlap so far."},
    {0},
};

static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    const double *parameter = pair->parameter;
    const double loading = parameter[PARAMETER_STIFFNESS], restitution = parameter[PARAMETER_RESTITUTION];
    if (scree_law_is_given(parameter[PARAMETER_UNLOADING]) == scree_law_is_given(restitution))
        return "give exactly one of 'stiffness-unloading' and 'restitution'";
    const double unloading = scree_law_is_given(restitution) ? loading / (restitution * restitution)
                                                             : parameter[PARAMETER_UNLOADING];
    if (!(unloading >= loading))
        return "'stiffness-unloading' must be at least 'stiffness'";
    constants[LOADING] = loading;
    constants[UNLOADING] = unloading;
    constants[PLASTIC] = 1 - loading / unloading;
    constants[TANGENTIAL] = scree_law_is_given(parameter[PARAMETER_TANGENTIAL])
                                ? parameter[PARAMETER_TANGENTIAL]
                                : 2.0 / 7 * loading;
    constants[FRICTION] = parameter[PARAMETER_FRICTION];
    return NULL;
}

SCREE_FN struct scree_law_reply scree_plastic_force(const SCREE_REAL *constants,
                                                    const struct scree_law_contact *c,
                                                    const SCREE_REAL *before, SCREE_REAL *after)
{
    const SCREE_REAL half = (SCREE_REAL)0.5, moving = c->step > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    const SCREE_REAL old = before[LARGEST], largest = c->overlap > old ? c->overlap : old;
    const SCREE_REAL elastic_overlap = c->overlap - constants[PLASTIC] * largest;
    const SCREE_REAL spring = elastic_overlap > 0 ? elastic_overlap : 0;
    const SCREE_REAL normal = (1 + c->spring_extra) * (constants[UNLOADING] * spring);

    const struct scree_law_vector old_spring = {before[0], before[1], before[2]};
    const struct scree_friction_spring tangential = {constants[TANGENTIAL], 0,
                                                     (1 - c->parted) * (constants[FRICTION] * normal)};
    const struct scree_friction friction = scree_friction_fixed(tangential, c, old_spring);
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
    reply.internal =
        moving * half * constants[LOADING] * constants[PLASTIC] * (largest + old) * (largest - old);
    reply.stiffness[0] = constants[UNLOADING];
    reply.stiffness[1] = constants[TANGENTIAL];
    return reply;
}

#define SCREE_KERNEL_FORCE scree_plastic_force
#define SCREE_KERNEL_HISTORY 4
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_COUPLE_OR_INTERNAL 1
#include <scree/kernel_loops.inc>

const struct scree_contact_law scree_law_plastic = {
    .version = SCREE_LAW_VERSION,
    .name = "plastic",
    .about =
        "Elastic-plastic contacts with friction, stiffer in unloading than in loading (Walton and Braun).",
    .parameters = parameters,
    .values = values,
    .dimensions = 1 << 2 | 1 << 3,
    .couple_or_internal = true,
    .outside = SCREE_LAW_OUTSIDE_VALID,
    .prepare = prepare,
    .range = scree_law_zero_range,
    .powers = scree_law_linear_powers,
    .force = scree_plastic_force,
    .kernel = SCREE_KERNEL_TABLE,
};
