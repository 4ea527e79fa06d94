// Checks the contact lists against the invariants stated in contacts.h.

#ifndef SCREE_WORLD_CONTACT_CHECK_H
#define SCREE_WORLD_CONTACT_CHECK_H

#include "world/world.h"

// The error message names the violated invariant and the contact.
SCREE_NODISCARD scree_status scree_contact_check(const struct scree_world *world);

#endif
