// The law of Hertz and Mindlin with an attraction proportional to the contact area, F_c = -w pi R* d during
// the overlap (EQUATIONS 7). The attraction has a potential, so it dissipates nothing. The Coulomb limit uses
// the normal force without the attraction. See mindlin.h.

#include "law/mindlin.h"
#include "law/prepare.h"
#include "math/real.h"

#include <scree/kernel.h>

enum { ATTRACTION = SCREE_MINDLIN_CONSTANTS };

static const struct scree_law_parameter parameters[] = {
#include "law/mindlin.def"
    {"cohesion", "Pa", 0, SCREE_LAW_ANY, true, 0, "Attraction per contact area pi R* overlap.", NULL},
    {0},
};

static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    constants[ATTRACTION] = SCREE_PI * pair->parameter[SCREE_MINDLIN_PARAMETERS];
    return scree_mindlin_prepare(pair, constants);
}

SCREE_FN struct scree_law_reply scree_linear_cohesion_force(const SCREE_REAL *constants,
                                                            const struct scree_law_contact *contact,
                                                            const SCREE_REAL *before, SCREE_REAL *after)
{
    struct scree_law_reply reply = scree_mindlin_force(constants, contact, before, after, false);
    const SCREE_REAL stiffness = constants[ATTRACTION] * contact->radius;
    const SCREE_REAL overlap = contact->overlap > 0 ? contact->overlap : 0;
    reply.normal -= (1 + contact->spring_extra) * (stiffness * overlap);
    reply.stored -= (SCREE_REAL)0.5 * stiffness * overlap * overlap;
    reply.stiffness[0] -= stiffness;
    return reply;
}

#define SCREE_KERNEL_FORCE scree_linear_cohesion_force
#define SCREE_KERNEL_HISTORY 4
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_COUPLE_OR_INTERNAL 0
#include <scree/kernel_loops.inc>

const struct scree_contact_law scree_law_linear_cohesion = {
    .version = SCREE_LAW_VERSION,
    .name = "linear-cohesion",
    .about = "As hertz-mindlin, with an attraction proportional to the contact area.",
    .parameters = parameters,
    .properties = scree_law_elastic_properties,
    .values = scree_mindlin_values,
    .dimensions = 1 << 3,
    .depends_on_velocity = true,
    .prepare = prepare,
    .range = scree_law_zero_range,
    .powers = scree_mindlin_powers,
    .force = scree_linear_cohesion_force,
    .kernel = SCREE_KERNEL_TABLE,
};
