// The list of contact laws.

#include "law/law.h"

#include <scree/resistance.h>

_Static_assert(SCREE_RULE_RESISTANCES + 1 == (int)SCREE_RESISTANCE_CONSTANTS,
               "each is one, the last is found");

static const char *const arms[] = {"contact", "radius", NULL};

const struct scree_law_parameter scree_law_extras[SCREE_RULE_EXTRAS] = {
    {"rolling-friction", "", 0, 1e3, false, 0, "Coefficient of friction against rolling.", NULL},
    {"rolling-damping", "", 0, 1e3, false, 0, "Share of critical damping of rolling.", NULL},
    {"twisting-friction", "", 0, 1e3, false, 0, "Coefficient of friction against twisting.", NULL},
    {"twisting-damping", "", 0, 1e3, false, 0, "Share of critical damping of twisting.", NULL},
    {"arms", "", 0, 1, false, 0,
     "Levers of the forces about the centres: to the contact, or as long as the radii.", arms},
};

static const struct scree_contact_law *const laws[] = {
#define SCREE_LAW(symbol) &scree_law_##symbol,
#include "law/law.def"
#undef SCREE_LAW
};

const struct scree_contact_law *scree_law_at(size_t index)
{
    return index < sizeof laws / sizeof laws[0] ? laws[index] : NULL;
}

double scree_law_touch(const double *constants, double radius)
{
    (void)constants, (void)radius;
    return 0;
}

const struct scree_law_parameter *scree_law_extra_at(size_t index)
{
    return index < SCREE_RULE_EXTRAS ? &scree_law_extras[index] : NULL;
}
