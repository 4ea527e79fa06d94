// Whether lists of contacts are as contacts.h says that they always are.

#ifndef SCREE_WORLD_CONTACT_CHECK_H
#define SCREE_WORLD_CONTACT_CHECK_H

#include "world/world.h"

// A failure tells what is wrong, and with which contact.
SCREE_NODISCARD scree_status scree_contact_check(const struct scree_world *world);

#endif
