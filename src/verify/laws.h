// What the cases know of the laws of motion: their orders of accuracy and their starts.

#ifndef SCREE_VERIFY_LAWS_H
#define SCREE_VERIFY_LAWS_H

#include "report.h"

#include <scree/scree.h>

// What is tolerated of an order that is measured over four halvings: see rotation.c.
#define SCREE_LAWS_ORDER_TOLERANCE 0.15

// How large the error of run `last` may be for the order p, by that of an earlier run at a step larger by
// 2^(last - run). Coarsest steps are chosen so that errors are C h^p (1 + D h) with D h of at least -0.4
// there: then run r foretells its own error over 2^(p (last - r)), times (1 - 0.4 / 2^last) / (1 - 0.4 / 2^r)
// at most.
double scree_laws_foretold(const double *errors, int run, int last, int order);

// The least that `count` - 1 coarser runs foretell of the last one: its halving is held to a few percent.
double scree_laws_finest(const double *errors, int count, int order);

// The order of accuracy of a law of translation, or of one of rotation for a free asymmetric body; 0 after a
// diagnostic for one that nothing is known of.
int scree_laws_order(struct scree_report *report, const char *law);

// By how many half-steps of acceleration the velocities are ahead from which the places of a law of
// translation follow under a constant force.
int scree_laws_lead(const char *translation);

// Number `index` of the laws of rotation of general bodies, or null past the last.
const char *scree_laws_general(size_t index);

#endif
