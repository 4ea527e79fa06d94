// Frictionless elastic spheres (Hertz): F = k d^{3/2} - c v_n with k = 4/3 E* sqrt(R*) (van Wachem's soft
// spheres; erratum 36, EQUATIONS 7). The damping coefficient c is either proportional to d^{1/4}, which makes
// the restitution independent of velocity, or constant. For friction use hertz-mindlin.

#include "law/prepare.h"

#include <scree/kernel.h>

// constants: 4/3 E*, damping coefficient / sqrt(a m*), constant damping coefficient, 1 if the dashpot may
// attract
enum { STIFFNESS, DAMPING_ROOT, DAMPING, ATTRACTION, CONSTANTS };

enum { PARAMETER_RESTITUTION, PARAMETER_DAMPING, PARAMETER_STIFFNESS, PARAMETER_TENSION };

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
     "Whether the dashpot may make the normal force attractive during the overlap.",
     scree_law_tension_choices},
    {0},
};

static const struct scree_law_value values[] = {{0}};

static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    const double *parameter = pair->parameter;
    if (scree_law_is_given(parameter[PARAMETER_RESTITUTION]) ==
        scree_law_is_given(parameter[PARAMETER_DAMPING]))
        return "give exactly one of 'restitution' and 'damping'";
    for (int k = 0; k < CONSTANTS; ++k)
        constants[k] = 0;
    constants[ATTRACTION] = 1 - parameter[PARAMETER_TENSION];
    constants[STIFFNESS] = parameter[PARAMETER_STIFFNESS];
    if (!scree_law_is_given(parameter[PARAMETER_STIFFNESS])) {
        struct scree_law_moduli moduli;
        const char *message = scree_law_effective_moduli(pair, &moduli);
        if (message)
            return message;
        constants[STIFFNESS] = 4.0 / 3 * moduli.normal;
    }
    if (scree_law_is_given(parameter[PARAMETER_DAMPING])) {
        constants[DAMPING] = parameter[PARAMETER_DAMPING];
        return NULL;
    }
    double ratio;
    const char *message =
        scree_law_damping_ratio(parameter[PARAMETER_RESTITUTION], parameter[PARAMETER_TENSION], &ratio);
    if (!message)
        constants[DAMPING_ROOT] = ratio * sqrt(5 * constants[STIFFNESS]);
    return message;
}

static struct scree_law_powers powers(const double *constants)
{
    return (struct scree_law_powers){1.5, constants[DAMPING] > 0 ? 0 : 0.25};
}

SCREE_FN struct scree_law_reply scree_hertz_force(const SCREE_REAL *constants,
                                                  const struct scree_law_contact *c, const SCREE_REAL *before,
                                                  SCREE_REAL *after)
{
    (void)before, (void)after;
    const SCREE_REAL radius = scree_law_root(c->radius * c->overlap);
    const SCREE_REAL elastic = (1 + c->spring_extra) * (constants[STIFFNESS] * radius * c->overlap);
    const SCREE_REAL damping =
        constants[DAMPING] + constants[DAMPING_ROOT] * scree_law_root(radius * c->mass);
    const SCREE_REAL dashpot = damping * c->normal_velocity;
    const SCREE_REAL trial = elastic - dashpot, corrected = trial - c->dashpot_extra * dashpot;
    const SCREE_REAL normal = trial > 0 ? corrected : constants[ATTRACTION] * corrected;

    struct scree_law_reply reply;
    reply.live = c->overlap > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    reply.normal = normal;
    reply.force.x = reply.force.y = reply.force.z = 0;
    reply.couple = reply.force;
    reply.stored = (SCREE_REAL)0.4 * elastic * c->overlap;
    reply.friction = reply.sliding = 0;
    reply.dashpot = c->step * (elastic - normal) * c->normal_velocity;
    reply.internal = 0;
    reply.stiffness[0] = (SCREE_REAL)1.5 * constants[STIFFNESS] * radius;
    reply.stiffness[1] = 0;
    return reply;
}

#define SCREE_KERNEL_FORCE scree_hertz_force
#define SCREE_KERNEL_HISTORY 0
#define SCREE_KERNEL_VECTORS 0
#define SCREE_KERNEL_COUPLE_OR_INTERNAL 0
#include <scree/kernel_loops.inc>

const struct scree_contact_law scree_law_hertz = {
    .version = SCREE_LAW_VERSION,
    .name = "hertz",
    .about = "Frictionless elastic spheres (Hertz).",
    .parameters = parameters,
    .properties = scree_law_elastic_properties,
    .values = values,
    .dimensions = 1 << 3,
    .depends_on_velocity = true,
    .outside = SCREE_LAW_OUTSIDE_WITH_RADIUS,
    .prepare = prepare,
    .range = scree_law_zero_range,
    .powers = powers,
    .force = scree_hertz_force,
    .kernel = SCREE_KERNEL_TABLE,
};
