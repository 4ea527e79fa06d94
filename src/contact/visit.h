// Visits all live contacts one by one. Their sides are found even if slots changed since the search.

#ifndef SCREE_CONTACT_VISIT_H
#define SCREE_CONTACT_VISIT_H

#include "contact/evaluate_one.h"

// Called with a contact; at a wall the second side is null.
typedef void scree_visit_contact(void *context, const struct scree_evaluated *evaluated,
                                 struct scree_grain *const sides[2]);

// Selects contacts by their sides; null: all.
typedef bool scree_visit_filter(struct scree_grain *const sides[2]);

void scree_visit_grains(const struct scree_evaluator *evaluator, scree_visit_filter *wanted,
                        scree_visit_contact *visit, void *context);
void scree_visit_walls(const struct scree_evaluator *evaluator, scree_visit_filter *wanted,
                       scree_visit_contact *visit, void *context);

void scree_visit_outside(const struct scree_evaluator *evaluator, scree_visit_filter *wanted,
                         scree_visit_contact *visit, void *context);

// Visits bonds as contacts, with a null class; the normal is that of the line between the sides, and the
// overlap is that of the grains. The point is the one at which the force acts.
void scree_visit_bonds(const struct scree_evaluator *evaluator, scree_visit_filter *wanted,
                       scree_visit_contact *visit, void *context);

// The state of a bond in a row as that of a contact; false if a side does not exist.
bool scree_visit_bond(const struct scree_evaluator *evaluator, uint32_t row,
                      struct scree_evaluated *evaluated, struct scree_grain *sides[2]);

// Visits contacts between grains, contacts with walls, then those from outside.
void scree_visit_contacts(const struct scree_evaluator *evaluator, scree_visit_filter *wanted,
                          scree_visit_contact *visit, void *context);

#endif
