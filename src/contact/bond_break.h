// Breaking of bonds: their events, and the release of their energy.
//
// A bond breaks in an evaluation in a step; its force in that evaluation still acts until the middle of the
// next step. So its row stays, marked as broken, until the next evaluation, and its energy is released then:
// the elastic energy when it broke, and half a step of its change. Events are made at once.

#ifndef SCREE_CONTACT_BOND_BREAK_H
#define SCREE_CONTACT_BOND_BREAK_H

#include "contact/collider.h"

// Before an evaluation: removes the bonds that broke in the last one, and enters their energies, and the
// energies of the contacts that they excluded.
void scree_bond_break_release(struct scree_collider *collider, double step);

// After an evaluation: makes the events of the bonds that broke. If memory runs out, the bonds without an
// event break in the next evaluation.
SCREE_NODISCARD scree_status scree_bond_break_record(struct scree_collider *collider);

#endif
