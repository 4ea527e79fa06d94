// Pairs from outside whose contacts would be incomplete: more of them than there is room for, more facets
// near a corner than are searched, or a polyhedron at the rim of a curved wall. They are errors, because what
// is left out would have no force.

#ifndef SCREE_CONTACT_OUTSIDE_ROOM_H
#define SCREE_CONTACT_OUTSIDE_ROOM_H

#include "base/status.h"
#include "world/contact_key.h"

#include <stddef.h>
#include <stdint.h>

// The pair of lowest key among those with too many contacts or facets, or at a rim.
struct scree_outside_room {
    struct scree_contact_key key;
    size_t contacts; // of the pair, or one of the causes below; 0 if no pair is incomplete
};

#define SCREE_OUTSIDE_ROOM_RIM SIZE_MAX
#define SCREE_OUTSIDE_ROOM_FACETS (SIZE_MAX - 1)

void scree_outside_room_note(struct scree_outside_room *room, struct scree_contact_key key, size_t contacts);

// Fails if a pair was noted.
SCREE_NODISCARD scree_status scree_outside_room_check(const struct scree_outside_room *room);

#endif
