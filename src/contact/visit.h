// Visits to contacts: those that live are looked at one by one, wherever their sides lie by now.

#ifndef SCREE_CONTACT_VISIT_H
#define SCREE_CONTACT_VISIT_H

#include "contact/evaluate_one.h"

// Sees a contact; at a wall there is one side, and the other is null.
typedef void scree_visit_contact(void *context, const struct scree_evaluated *evaluated,
                                 struct scree_grain *const sides[2]);

// Which contacts are to be looked at, by their sides; null: all.
typedef bool scree_visit_wanted(struct scree_grain *const sides[2]);

void scree_visit_grains(const struct scree_evaluator *evaluator, scree_visit_wanted *wanted,
                        scree_visit_contact *visit, void *context);
void scree_visit_walls(const struct scree_evaluator *evaluator, scree_visit_wanted *wanted,
                       scree_visit_contact *visit, void *context);

// Both.
void scree_visit_contacts(const struct scree_evaluator *evaluator, scree_visit_wanted *wanted,
                          scree_visit_contact *visit, void *context);

#endif
