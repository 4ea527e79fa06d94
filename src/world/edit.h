// Edits: whoever changes a world other than by motion says what is about to change, changes it, and says when
// it has. What follows from that is done here and nowhere else: what contacts store leaves the energy ledger
// first, energy that the change brings is booked as fed in, forces that no longer hold are outdated, and
// contacts are searched anew where places changed. A table says which edit does which.
//
// What always holds: one edit is under way at a time; nothing fails between its beginning and its end; none
// is under way while forces are evaluated. From the first edit of contacts until then the ledger stays open:
// in a burst of edits each contact leaves it once, and what all of them need is looked up once.

#ifndef SCREE_WORLD_EDIT_H
#define SCREE_WORLD_EDIT_H

#include "world/world.h"

// Begins an edit of one body, or of what all bodies follow from.
void scree_edit_body(struct scree_world *world, enum scree_edit_kind kind, scree_slot slot);
void scree_edit_all(struct scree_world *world, enum scree_edit_kind kind);

// Begins an edit of a wall, which is going to move with these.
void scree_edit_wall(struct scree_world *world, enum scree_edit_kind kind, size_t wall,
                     const double *velocity, const double *spin);

// Ends the edit under way.
void scree_edit_end(struct scree_world *world);

// Begins an edit of a field of all rows, under way until it is finished: momentum or spin follow, and energy
// is booked. Others of the kind may begin meanwhile.
void scree_edit_field(struct scree_world *world, const struct scree_entity *entity,
                      const struct scree_field *field);
void scree_edit_finish(struct scree_world *world);

// The forces of all bodies, or of one, no longer hold; between steps velocities start anew from what they
// are.
void scree_edit_outdate_all(struct scree_world *world);
void scree_edit_outdate(struct scree_world *world, scree_slot slot);

// Whether forces were evaluated since the last edit.
static inline bool scree_edit_is_evaluated(const struct scree_world *world)
{
    return !world->opened && !world->outdated;
}

#endif
