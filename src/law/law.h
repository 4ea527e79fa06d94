// The built-in contact laws.

#ifndef SCREE_LAW_LAW_H
#define SCREE_LAW_LAW_H

#include "world/records.h"

#include <scree/laws.h>

#define SCREE_LAW(symbol) extern const struct scree_contact_law scree_law_##symbol;
#include "law/law.def"
#undef SCREE_LAW

// The reach of a law whose contacts end as the overlap does.
double scree_law_touch(const double *constants, double radius);

// What every law takes besides: resistance to rolling and twisting, and the arms; in the order of a rule's
// last parameters.
extern const struct scree_law_parameter scree_law_extras[SCREE_RULE_EXTRAS];

#endif
