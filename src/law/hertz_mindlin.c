// Elastic spheres with friction (Hertz, Mindlin), see mindlin.h. The tangential spring generates no energy.

#include "law/mindlin.h"
#include "law/prepare.h"

#include <scree/kernel.h>

static const struct scree_law_parameter parameters[] = {
#include "law/mindlin.def"
    {0},
};

SCREE_FN struct scree_law_reply scree_hertz_mindlin_force(const SCREE_REAL *constants,
                                                          const struct scree_law_contact *contact,
                                                          const SCREE_REAL *before, SCREE_REAL *after)
{
    return scree_mindlin_force(constants, contact, before, after, false);
}

#define SCREE_KERNEL_FORCE scree_hertz_mindlin_force
#define SCREE_KERNEL_HISTORY 4
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_COUPLE_OR_INTERNAL 0
#include <scree/kernel_loops.inc>

const struct scree_contact_law scree_law_hertz_mindlin = {
    .version = SCREE_LAW_VERSION,
    .name = "hertz-mindlin",
    .about = "Elastic spheres with friction (Hertz and Mindlin).",
    .parameters = parameters,
    .properties = scree_law_elastic_properties,
    .values = scree_mindlin_values,
    .dimensions = 1 << 3,
    .depends_on_velocity = true,
    .outside = SCREE_LAW_OUTSIDE_WITH_RADIUS,
    .prepare = scree_mindlin_prepare,
    .range = scree_law_zero_range,
    .powers = scree_mindlin_powers,
    .force = scree_hertz_mindlin_force,
    .kernel = SCREE_KERNEL_TABLE,
};
