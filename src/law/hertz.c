// Frictionless elastic spheres (Hertz): F = k d^{3/2} - c v_n with k = 4/3 E* sqrt(R*) (van Wachem's soft
// spheres; erratum 36, EQUATIONS 7). The dashpot is either proportional to d^{1/4}, which makes the
// restitution independent of velocity, or constant.
//
// The source does not define a tangential spring for this law; for friction use hertz-mindlin.

#include "law/prepare.h"

#include <scree/kernel.h>

enum { STIFFNESS, ROOT, DAMPING, ATTRACTION, CONSTANTS };

enum { GIVEN_RESTITUTION, GIVEN_DAMPING, GIVEN_STIFFNESS, GIVEN_TENSION };

static const struct scree_law_parameter parameters[] = {
    {"restitution", "", 0, 1, false, SCREE_LAW_NOT_GIVEN,
     "Coefficient of restitution, independent of velocity: the dashpot is proportional to overlap^(1/4).",
     NULL},
    {"damping", "N s/m", 0, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Constant damping coefficient; use instead of restitution.", NULL},
    {"stiffness", "Pa", 1e-150, SCREE_LAW_ANY, false, SCREE_LAW_NOT_GIVEN,
     "Contact stiffness 4/3 E*: F = stiffness sqrt(R* overlap) overlap. Use instead of young and poisson.",
     NULL},
    {"tension", "", 0, 1, false, SCREE_LAW_TENSION_ALLOWED,
     "Whether the dashpot may make the normal force attractive during the overlap.", scree_law_tension},
    {0},
};

static const struct scree_law_value values[] = {{0}};

static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    const double *given = pair->parameter;
    if (scree_law_given(given[GIVEN_RESTITUTION]) == scree_law_given(given[GIVEN_DAMPING]))
        return "give exactly one of 'restitution' and 'damping'";
    for (int k = 0; k < CONSTANTS; ++k)
        constants[k] = 0;
    constants[ATTRACTION] = 1 - given[GIVEN_TENSION];
    constants[STIFFNESS] = given[GIVEN_STIFFNESS];
    if (!scree_law_given(given[GIVEN_STIFFNESS])) {
        struct scree_law_moduli moduli;
        const char *wrong = scree_law_mix(pair, &moduli);
        if (wrong)
            return wrong;
        constants[STIFFNESS] = 4.0 / 3 * moduli.normal;
    }
    if (scree_law_given(given[GIVEN_DAMPING])) {
        constants[DAMPING] = given[GIVEN_DAMPING];
        return NULL;
    }
    double ratio;
    const char *wrong = scree_law_damping(given[GIVEN_RESTITUTION], given[GIVEN_TENSION], &ratio);
    if (!wrong)
        constants[ROOT] = ratio * sqrt(5 * constants[STIFFNESS]);
    return wrong;
}

SCREE_FN struct scree_law_reply scree_hertz_force(const SCREE_REAL *constants,
                                                  const struct scree_law_contact *c, const SCREE_REAL *before,
                                                  SCREE_REAL *after)
{
    (void)before, (void)after;
    const SCREE_REAL radius = scree_law_root(c->radius * c->overlap);
    const SCREE_REAL elastic = constants[STIFFNESS] * radius * c->overlap;
    const SCREE_REAL damping = constants[DAMPING] + constants[ROOT] * scree_law_root(radius * c->mass);
    const SCREE_REAL trial = elastic - damping * c->approach;
    const SCREE_REAL normal = trial > 0 ? trial : constants[ATTRACTION] * trial;

    struct scree_law_reply reply;
    reply.live = c->overlap > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    reply.normal = normal;
    reply.force.x = reply.force.y = reply.force.z = 0;
    reply.couple = reply.force;
    reply.stored = (SCREE_REAL)0.4 * elastic * c->overlap;
    reply.friction = reply.sliding = 0;
    reply.dashpot = c->step * (elastic - normal) * c->approach;
    reply.internal = 0;
    reply.stiffness[0] = (SCREE_REAL)1.5 * constants[STIFFNESS] * radius;
    reply.stiffness[1] = 0;
    return reply;
}

#define SCREE_KERNEL_FORCE scree_hertz_force
#define SCREE_KERNEL_HISTORY 0
#define SCREE_KERNEL_VECTORS 0
#define SCREE_KERNEL_HAS_COUPLE_OR_INTERNAL 0
#include <scree/kernel_loops.inc>

const struct scree_contact_law scree_law_hertz = {
    .version = SCREE_LAW_VERSION,
    .name = "hertz",
    .about = "Frictionless elastic spheres (Hertz).",
    .parameters = parameters,
    .properties = scree_law_elastic,
    .values = values,
    .dimensions = 1 << 3,
    .depends_on_velocity = true,
    .prepare = prepare,
    .range = scree_law_touch,
    .force = scree_hertz_force,
    .kernel = SCREE_KERNEL_TABLE,
};
