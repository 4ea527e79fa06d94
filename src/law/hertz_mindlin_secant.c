// The law of Hertz and Mindlin as in most codes: the tangential force is the present stiffness k(d) times the
// accumulated tangential displacement. The law generates energy, 0.27 % in a sticking elastic impact, which
// is entered in the ledger as negative internal dissipation; hertz-mindlin generates none. See mindlin.h.

#include "law/mindlin.h"
#include "law/prepare.h"

#include <scree/kernel.h>

static const struct scree_law_parameter parameters[] = {
#include "law/mindlin.def"
    {0},
};

SCREE_FN struct scree_law_reply scree_hertz_mindlin_secant_force(const SCREE_REAL *constants,
                                                                 const struct scree_law_contact *contact,
                                                                 const SCREE_REAL *before, SCREE_REAL *after)
{
    return scree_mindlin_force(constants, contact, before, after, true);
}

#define SCREE_KERNEL_FORCE scree_hertz_mindlin_secant_force
#define SCREE_KERNEL_HISTORY 4
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_COUPLE_OR_INTERNAL 1
#include <scree/kernel_loops.inc>

const struct scree_contact_law scree_law_hertz_mindlin_secant = {
    .version = SCREE_LAW_VERSION,
    .name = "hertz-mindlin-secant",
    .about =
        "As hertz-mindlin, but the tangential force is the present stiffness times the spring length, as in "
        "most codes.",
    .parameters = parameters,
    .properties = scree_law_elastic_properties,
    .values = scree_mindlin_values,
    .dimensions = 1 << 3,
    .couple_or_internal = true,
    .depends_on_velocity = true,
    .outside = SCREE_LAW_OUTSIDE_WITH_RADIUS,
    .prepare = scree_mindlin_prepare,
    .range = scree_law_zero_range,
    .powers = scree_mindlin_powers,
    .force = scree_hertz_mindlin_secant_force,
    .kernel = SCREE_KERNEL_TABLE,
};
