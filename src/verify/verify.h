// The built-in cases of `scree verify`: families of cases, one table each, in the files <family>.c.
//
// Invariants: cases are independent of each other. No tolerance is tuned; each is derived from the order of
// the law and its step, or from round-off, in a comment.

#ifndef SCREE_VERIFY_VERIFY_H
#define SCREE_VERIFY_VERIFY_H

#include "report.h"

#include <scree/scree.h>

struct scree_verify_case {
    const char *name; // unique in its family
    const char *about;
    // adds rows to the report; the case fails if this does not return SCREE_OK
    scree_status (*run)(struct scree_report *report, const void *data);
    const void *data; // argument of `run`
};

struct scree_verify_family {
    const char *name;
    const char *about;
    const struct scree_verify_case *cases;
    size_t count;
};

// All families; null ends the list.
extern const struct scree_verify_family *const scree_verify_families[];

#define SCREE_VERIFY_FAMILY(name) extern const struct scree_verify_family scree_verify_##name;
#include "families.def"
#undef SCREE_VERIFY_FAMILY

// unit round-off of double
#define SCREE_VERIFY_EPSILON 1.1102230246251565e-16

// returns from the caller on failure
#define SCREE_VERIFY_TRY(expression)                                                                         \
    do {                                                                                                     \
        const scree_status verify_status_ = (expression);                                                    \
        if (verify_status_ != SCREE_OK)                                                                      \
            return verify_status_;                                                                           \
    } while (0)

#endif
