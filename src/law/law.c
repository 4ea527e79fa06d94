// The list of contact laws.

#include "law/law.h"

#include "law/linear.h"

#include <scree/resistance.h>

_Static_assert(SCREE_RULE_RESISTANCES + 1 == (int)SCREE_RESISTANCE_CONSTANTS,
               "one constant for each resistance parameter, and the exponent");

static const char *const arms[] = {"contact", "radius", NULL};

const struct scree_law_parameter scree_law_extras[SCREE_RULE_EXTRAS] = {
    {"rolling-friction", "", 0, 1e3, false, 0, "Coefficient of rolling friction.", NULL},
    {"rolling-damping", "", 0, 1e3, false, 0, "Damping ratio of rolling (fraction of critical).", NULL},
    {"twisting-friction", "", 0, 1e3, false, 0, "Coefficient of twisting friction.", NULL},
    {"twisting-damping", "", 0, 1e3, false, 0, "Damping ratio of twisting (fraction of critical).", NULL},
    {"arms", "", 0, 1, false, 0,
     "Lever arms of the contact force about the centres: to the contact point, or equal to the radii.", arms},
};

static const struct scree_contact_law *const laws[] = {
#define SCREE_LAW(symbol) &scree_law_##symbol,
#include "law/law.def"
#undef SCREE_LAW
};

static const struct {
    const struct scree_contact_law *law;
    struct scree_law_traits traits;
} traits[] = {
    {&scree_law_linear,
     {.only_dashpots_attract = true, .resolve = scree_linear_resolve, .variant = scree_linear_variant}},
    {&scree_law_hertz, {.only_dashpots_attract = true}},
    {&scree_law_hertz_mindlin, {.only_dashpots_attract = true}},
    {&scree_law_hertz_mindlin_secant, {.only_dashpots_attract = true}},
    {&scree_law_plastic, {.only_dashpots_attract = true}},
};

const struct scree_law_traits *scree_law_traits_of(const struct scree_contact_law *law)
{
    static const struct scree_law_traits none;
    for (size_t t = 0; t < sizeof traits / sizeof traits[0]; ++t)
        if (traits[t].law == law)
            return &traits[t].traits;
    return &none;
}

const struct scree_contact_law *scree_law_at(size_t index)
{
    return index < sizeof laws / sizeof laws[0] ? laws[index] : NULL;
}

const struct scree_law_parameter *scree_law_extra_at(size_t index)
{
    return index < SCREE_RULE_EXTRAS ? &scree_law_extras[index] : NULL;
}
