// Elastic energy and sliding power of all contacts between grains, computed by batch loops without
// changing the state. Results are bitwise those of evaluate_one.h.

#ifndef SCREE_CONTACT_EVALUATE_ENERGIES_H
#define SCREE_CONTACT_EVALUATE_ENERGIES_H

#include "contact/evaluate_one.h"

// Most contacts per call of the visitor.
enum { SCREE_EVALUATE_ENERGIES_BATCH = 1024 };

// Called with elastic energies, J, and sliding powers, W, of some contacts in any order; padding is zero.
typedef void scree_evaluate_energies_visitor(void *context, const double *stored, const double *sliding,
                                             size_t count);

// Returns false, and calls no visitor, if batch loops cannot be used: bodies changed slots since the last
// search, a search is due, or contact laws changed. `evaluator` has pairs but no classes.
bool scree_evaluate_energies(const struct scree_evaluator *evaluator, scree_evaluate_energies_visitor *visit,
                             void *context);

#endif
