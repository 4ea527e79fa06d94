// The built-in cases of `scree verify`: families of cases, one table each, in the files <family>.c.
//
// Invariants: cases are independent of each other. No tolerance is tuned; each is derived from the order of
// the law and its step, or from round-off, in a comment.

#ifndef SCREE_VERIFY_VERIFY_H
#define SCREE_VERIFY_VERIFY_H

#include "report.h"

// A row without a name ends the table of a family.
struct scree_verify_case {
    const char *name; // unique in its family
    const char *about;
    // adds rows to the report; the case fails if this does not return SCREE_OK
    scree_status (*run)(struct scree_trial *trial);
    const void *data; // parameters of the case, which `run` reads from trial->data
};

// All families; a row without a name ends the table.
extern const struct scree_verify_family {
    const char *name, *about;
    const struct scree_verify_case *cases;
    bool by_name; // its cases run only if they are named
} scree_verify_families[];

#define SCREE_VERIFY_FAMILY(name, about) extern const struct scree_verify_case scree_verify_##name[];
#define SCREE_VERIFY_LONG_FAMILY(name, about) SCREE_VERIFY_FAMILY(name, about)
#include "families.def"
#undef SCREE_VERIFY_FAMILY
#undef SCREE_VERIFY_LONG_FAMILY

// Runs a case and adds its rows to the report.
scree_status scree_verify_run(const struct scree_verify_case *row, struct scree_report *report);

// unit round-off of double
#define SCREE_VERIFY_EPSILON 1.1102230246251565e-16

// returns from the caller on failure
#define SCREE_TRY(expression)                                                                                \
    do {                                                                                                     \
        const scree_status scree_try_ = (expression);                                                        \
        if (scree_try_ != SCREE_OK)                                                                          \
            return scree_try_;                                                                               \
    } while (0)

#endif
