// The laws of a world: the built-in ones and those registered or loaded by the user.

#ifndef SCREE_LAW_LOAD_H
#define SCREE_LAW_LOAD_H

#include "world/world.h"

// Finds a law by name; the message of a failure lists all names and the closest one.
SCREE_NODISCARD scree_status scree_law_find_in(const struct scree_world *world, const char *name,
                                               const struct scree_contact_law **law);

#endif
