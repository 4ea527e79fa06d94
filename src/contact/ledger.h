// The energy ledger of contacts: what contacts store, and what is booked ahead of the motion.
//
// An evaluation in a step of h books what dashpots take and moving walls feed in for the whole h, at the
// power of the moment, of which the half-step after the moment is still to be moved. So at a step a contact
// has half a step's worth of both ahead in the ledger; its sum takes it off (every body keeps what dashpots
// have ahead), and it is what the trapezoidal rule asks for in the end. Friction and flow are booked as they
// happen.
//
// An edit takes the contacts that it changes out of the ledger first (world/edit.h): what they store goes to
// `fed`, with its sign, and what is ahead is taken back. The evaluation that follows enters them again.
//
// What always holds: the contacts whose energy is out of the ledger are those that have a side flagged
// SCREE_FLAG_OPENED; the others have half of the last step ahead.

#ifndef SCREE_CONTACT_LEDGER_H
#define SCREE_CONTACT_LEDGER_H

#include "contact/evaluate_energies.h"
#include "contact/visit.h"

// Gives a world the ledger, which it needs from its first contact law on.
SCREE_NODISCARD scree_status scree_ledger_keep(struct scree_world *world);

// Whether a contact of these sides is out of the ledger.
bool scree_ledger_is_out(struct scree_grain *const sides[2]);

// Shows all contacts to who asks for energies and losses alone: those of grains are seen by many where they
// can be, and then all of these are in the ledger.
void scree_ledger_visit(const struct scree_evaluator *evaluator, scree_visit_contact *visit,
                        scree_evaluate_energies_visitor *many, void *context);

// Forces have been evaluated, in a step or without anything advancing: what was taken out is entered.
void scree_ledger_enter(struct scree_world *world, const struct scree_law_classes *classes, bool stepped);

// The next step will be of `step`, unlike the last.
void scree_ledger_change_step(struct scree_world *world, const struct scree_law_classes *classes,
                              double step);

#endif
