// Edits: every change of a world other than by motion is enclosed in a begin and an end call. They do all the
// bookkeeping: take the energy of affected contacts out of the energy ledger before the change, add the
// change of energy to the energy input, flag outdated forces, and request a new contact search if positions
// changed. A table in edit.c lists what each kind of edit does.
//
// Invariants: only one edit is active at a time; no call fails between its begin and its end; none is active
// while forces are evaluated. Contacts taken out of the ledger are entered again at the next force
// evaluation: in a series of edits each contact leaves the ledger once, and lookups shared by the edits are
// done once.

#ifndef SCREE_WORLD_EDIT_H
#define SCREE_WORLD_EDIT_H

#include "world/world.h"

// Begins an edit of one body, or of a quantity that affects all bodies.
void scree_edit_body(struct scree_world *world, enum scree_edit_kind kind, scree_slot slot);
void scree_edit_all(struct scree_world *world, enum scree_edit_kind kind);

// Begins an edit of the motion of a wall; `moved` has the new one.
void scree_edit_wall(struct scree_world *world, enum scree_edit_kind kind, size_t wall,
                     const struct scree_wall *moved);

// Ends the current edit.
void scree_edit_end(struct scree_world *world);

// Begins an edit of a field in all rows. scree_edit_finish_fields computes dependent momenta or spins and
// enters the change of energy; several fields may be edited before it.
void scree_edit_field(struct scree_world *world, const struct scree_entity *entity,
                      const struct scree_field *field);
void scree_edit_finish_fields(struct scree_world *world);

// Flags the forces of all bodies, or of one, as outdated. Between steps this also discards the stored
// mid-step velocities: the next step starts from the current on-step ones.
void scree_edit_outdate_all(struct scree_world *world);
void scree_edit_outdate(struct scree_world *world, scree_slot slot);

// Returns whether forces have been evaluated since the last edit.
static inline bool scree_edit_is_evaluated(const struct scree_world *world)
{
    return !world->opened && !world->outdated;
}

#endif
