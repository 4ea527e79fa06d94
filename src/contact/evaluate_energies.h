// A look at all contacts of grains at once: what they store and lose to slipping, as evaluate_one.h tells it
// of one, to the bit, by the batch loops that look and change nothing.

#ifndef SCREE_CONTACT_EVALUATE_ENERGIES_H
#define SCREE_CONTACT_EVALUATE_ENERGIES_H

#include "contact/evaluate_one.h"

// So many contacts are seen at a time.
enum { SCREE_EVALUATE_ENERGIES_BATCH = 1024 };

// Is shown what some contacts store, J, and their power of sliding, W, in any order; zeros are none.
typedef void scree_evaluate_energies_visitor(void *context, const double *stored, const double *sliding,
                                             size_t count);

// False, and nothing is shown, where that cannot be told so: where bodies have got other slots since contacts
// were searched, contacts are to be searched anew, or laws have changed. `looker` knows pairs and no classes.
bool scree_evaluate_energies(const struct scree_evaluator *evaluator, scree_evaluate_energies_visitor *visit,
                             void *context);

#endif
