// The built-in contact laws.

#ifndef SCREE_LAW_LAW_H
#define SCREE_LAW_LAW_H

#include "world/records.h"

#include <scree/laws.h>

#define SCREE_LAW(symbol) extern const struct scree_contact_law scree_law_##symbol;
#include "law/law.def"
#undef SCREE_LAW

// Properties of built-in laws that are not in their tables; all zero for laws of users.
struct scree_law_traits {
    bool dashpot_attracts; // the normal force is attractive by dashpots only
    // completes and checks the combination of parameters of a rule; returns null or a message; null: not
    // needed
    const char *(*resolve)(double *parameter, int dimension);
    // the law used for given parameters, with the same history layout; null: always the law itself
    const struct scree_contact_law *(*variant)(const double *parameter);
};

// The traits of a law; never null.
const struct scree_law_traits *scree_law_traits_of(const struct scree_contact_law *law);

// The law name of rules for materials without contacts.
#define SCREE_LAW_NONE "none"

// Parameters that every law has: resistance to rolling and twisting, and the arms, in the order of the last
// parameters of a rule.
extern const struct scree_law_parameter scree_law_extras[SCREE_RULE_EXTRAS];

#endif
