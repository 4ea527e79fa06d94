// What the cases know of the laws of motion: their orders of accuracy and their starts.

#ifndef SCREE_CLI_LAWS_H
#define SCREE_CLI_LAWS_H

#include "report.h"

#include <scree/scree.h>

// What is tolerated of an order that is measured over four halvings: see verify_rotation.c.
#define SCREE_LAWS_ORDER_TOLERANCE 0.15

// The order of accuracy of a law of translation; 0 after a complaint for one that nothing is known of.
int scree_laws_order(struct scree_report *report, const char *translation);

// By how many half-steps of acceleration a law of translation is ahead under a constant force from its start
// on: its velocities, and those that its places follow from. The published starts of leapfrogs take a
// velocity on-step for one of mid-step.
struct scree_laws_lead {
    int velocity, place;
};

struct scree_laws_lead scree_laws_lead(const char *translation);

// Number `index` of the laws of rotation of general bodies, or null past the last.
const char *scree_laws_general(size_t index);

#endif
