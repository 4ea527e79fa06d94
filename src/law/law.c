// The list of contact laws.

#include "law/law.h"

#include "law/rule.h"

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
    return index < SCREE_RULE_EXTRAS ? &scree_rule_extras[index] : NULL;
}
