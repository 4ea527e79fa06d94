// The built-in contact laws.

#ifndef SCREE_LAW_LAW_H
#define SCREE_LAW_LAW_H

#include "world/records.h"

#include <scree/laws.h>

#define SCREE_LAW(symbol) extern const struct scree_contact_law scree_law_##symbol;
#include "law/law.def"
#undef SCREE_LAW

// What the engine asks of a built-in law besides its table; nothing holds of the laws of users.
struct scree_law_traits {
    bool presses; // a contact pulls by its dashpots at most
    // settles the parameters of a rule among themselves, returns null or what is wrong; null: nothing to
    // settle
    const char *(*settle)(double *parameter, int dimension);
    // the law to compute with for such parameters, of the same history; null: always the law itself
    const struct scree_contact_law *(*variant)(const double *parameter);
};

// Never null.
const struct scree_law_traits *scree_law_traits_of(const struct scree_contact_law *law);

// What rules name in place of a law where materials do not touch.
#define SCREE_LAW_NONE "none"

// What every law takes besides: resistance to rolling and twisting, and the arms; in the order of a rule's
// last parameters.
extern const struct scree_law_parameter scree_law_extras[SCREE_RULE_EXTRAS];

#endif
