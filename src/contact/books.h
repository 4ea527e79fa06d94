// The energy books of contacts: what contacts hold, and what is booked ahead of the motion.
//
// An evaluation in a step of h books what dashpots take and moving walls feed in for the whole h, at the
// power of the moment, of which the half-step after the moment is still to be moved. So at a step a contact
// has half a step's worth of both ahead in the books; the ledger takes it off (every body keeps what dashpots
// have ahead), and it is what the trapezoidal rule asks for in the end. Friction and flow are booked as they
// happen.
//
// Whatever changes contacts other than by motion opens their books first: what they store goes to `fed`, with
// its sign, and what is ahead is taken back. The evaluation that follows closes them.
//
// What always holds: the contacts whose energy is out of the books are those that have a side flagged
// SCREE_FLAG_OPENED; the others have half of the last step ahead.

#ifndef SCREE_CONTACT_BOOKS_H
#define SCREE_CONTACT_BOOKS_H

#include "contact/look_all.h"

// The books that a world gets with its first contact law.
extern const struct scree_world_books scree_books;

// Sees every live contact: `open` says whether it is out of the books; at a wall there is one side.
typedef void scree_books_visitor(void *context, const struct scree_look *look, bool open,
                                 struct scree_grain *const sides[2]);
void scree_books_visit(const struct scree_looker *looker, scree_books_visitor *visitor, void *context);

// The same for who asks for energies and losses alone: contacts of grains are seen by many where they can be,
// and then all of them are in the books.
void scree_books_visit_all(const struct scree_looker *looker, scree_books_visitor *visitor,
                           scree_look_all_visitor *many, void *context);

// Forces have been evaluated, in a step or without anything advancing.
void scree_books_close(struct scree_world *world, const struct scree_law_classes *classes, bool stepped);

// The next step will be of `step`, unlike the last.
void scree_books_change_step(struct scree_world *world, const struct scree_law_classes *classes, double step);

#endif
