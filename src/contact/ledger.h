// The energy ledger of contacts: elastic energy, and dashpot losses and wall work, which are entered half a
// step ahead.
//
// An evaluation in a step h enters dashpot losses and work of moving walls for the whole h at the current
// power, also for the half-step after the evaluation. So at the on-step time both are half a step ahead;
// energy.c subtracts this half, which gives the trapezoidal rule. Every body stores the part of its
// dashpot losses that was entered ahead. Losses by friction and plastic flow are entered as they occur.
//
// Before an edit the contacts that it changes are taken out of the ledger (world/edit.h): their elastic
// energy is subtracted from the energy input, and the part entered ahead is subtracted from losses and work.
// The next evaluation enters these contacts again.
//
// Invariants: contacts out of the ledger are those with a side flagged SCREE_FLAG_OUT_OF_LEDGER; all others
// are ahead by half of the last step.

#ifndef SCREE_CONTACT_LEDGER_H
#define SCREE_CONTACT_LEDGER_H

#include "contact/evaluate_energies.h"
#include "contact/visit.h"

// Attaches the ledger to a world, which needs it from its first contact law on.
SCREE_NODISCARD scree_status scree_ledger_attach(struct scree_world *world);

// Returns true if a contact of these sides is out of the ledger.
bool scree_ledger_is_out(struct scree_grain *const sides[2]);

// Visits all contacts for energies and losses. Contacts with walls are passed to `visit` one by one. Contacts
// between grains are passed to `visit_batch` if all are in the ledger and scree_evaluate_energies can
// evaluate them, else to `visit`.
void scree_ledger_visit(const struct scree_evaluator *evaluator, scree_visit_contact *visit,
                        scree_evaluate_energies_visitor *visit_batch, void *context);

// After an evaluation of forces, in a step or of a state, enters the contacts that were taken out.
void scree_ledger_enter(struct scree_world *world, const struct scree_law_classes *classes, bool stepped);

// Adjusts the part entered ahead before the time step changes to `step`.
void scree_ledger_change_step(struct scree_world *world, const struct scree_law_classes *classes,
                              double step);

#endif
