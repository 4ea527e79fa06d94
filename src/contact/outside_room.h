// Room for the contacts of a pair from outside: a pair that has more of them is an error, because what is
// left out would have no force.

#ifndef SCREE_CONTACT_OUTSIDE_ROOM_H
#define SCREE_CONTACT_OUTSIDE_ROOM_H

#include "base/status.h"
#include "world/contact_key.h"

#include <stddef.h>

// The pair of lowest key among those with too many contacts.
struct scree_outside_room {
    struct scree_contact_key key;
    size_t contacts; // of the pair, 0 if no pair has too many
};

void scree_outside_room_note(struct scree_outside_room *room, struct scree_contact_key key, size_t contacts);

// Fails if a pair was noted.
SCREE_NODISCARD scree_status scree_outside_room_check(const struct scree_outside_room *room);

#endif
