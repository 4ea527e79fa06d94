// The laws that a world knows: the built-in ones, and those that its user registered or loaded.

#ifndef SCREE_LAW_LOAD_H
#define SCREE_LAW_LOAD_H

#include "world/world.h"

// Finds a law by name; a failure lists the names there are and the nearest one.
SCREE_NODISCARD scree_status scree_law_find_in(const struct scree_world *world, const char *name,
                                               const struct scree_contact_law **law);

#endif
