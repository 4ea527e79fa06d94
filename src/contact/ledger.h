// The energy ledger of contacts: elastic energy, and dashpot losses and wall work, which are entered ahead.
//
// An evaluation in a step h enters dashpot losses and work of moving walls for the whole h at the current
// power, although the half-step after it is still to come. So on-step the ledger is half a step ahead in
// both; energy.c subtracts this half (every body stores its dashpot losses ahead), which gives the
// trapezoidal rule. Losses to friction and plastic flow are entered as they occur.
//
// An edit first takes the contacts that it changes out of the ledger (world/edit.h): their elastic energy
// goes to the energy input, with its sign, and the part ahead is taken back. The next evaluation enters them
// again.
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

// Visits all contacts for energies and losses. Contacts between grains are passed to `many` in batches if
// that is possible, which requires that all of them are in the ledger; otherwise, like contacts with walls,
// to `visit` one by one.
void scree_ledger_visit(const struct scree_evaluator *evaluator, scree_visit_contact *visit,
                        scree_evaluate_energies_visitor *many, void *context);

// After an evaluation of forces, in a step or of a state, enters the contacts that were taken out.
void scree_ledger_enter(struct scree_world *world, const struct scree_law_classes *classes, bool stepped);

// Adjusts the part ahead before the time step changes to `step`.
void scree_ledger_change_step(struct scree_world *world, const struct scree_law_classes *classes,
                              double step);

#endif
