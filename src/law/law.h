// The built-in contact laws.

#ifndef SCREE_LAW_LAW_H
#define SCREE_LAW_LAW_H

#include "world/records.h"

#include <scree/laws.h>

#define SCREE_LAW(symbol) extern const struct scree_contact_law scree_law_##symbol;
#include "law/law.def"
#undef SCREE_LAW

// Built-in contact law number `index` of those with a force, which come first; null past the last.
static inline const struct scree_contact_law *scree_law_with_force_at(size_t index)
{
    const struct scree_contact_law *law = scree_law_at(index);
    return law && law->force ? law : NULL;
}

// Properties of built-in laws that are not in their tables; all zero for laws of users.
struct scree_law_traits {
    bool only_dashpots_attract; // without dashpots the normal force is never attractive
    // completes the parameters of a rule and checks their combination; returns null or a message; may be null
    const char *(*resolve)(double *parameter, int dimension);
    // the law to use for these parameters, with the same history layout; null: always the law itself
    const struct scree_contact_law *(*variant)(const double *parameter);
};

// The traits of a law; never null.
const struct scree_law_traits *scree_law_traits_of(const struct scree_contact_law *law);

// The law name of rules for materials that do not touch.
#define SCREE_LAW_NONE "none"

// Parameters that every law with a force has, which are the last parameters of a rule: resistance to rolling
// and twisting, and lever arms.
extern const struct scree_law_parameter scree_law_extras[SCREE_RULE_EXTRAS];

#endif
