// Rebuilding the contact lists from rows, see contact_rows.h.

#ifndef SCREE_WORLD_CONTACT_LISTS_H
#define SCREE_WORLD_CONTACT_LISTS_H

#include "world/contact_rows.h"

// Builds the contact lists of a world whose bodies and walls exist already. The rows come from a file and are
// validated. On failure the lists are unchanged. All candidates go into the range SCREE_CONTACTS_ACROSS of
// the first tile; candidates without a contact are found again by the next search.
SCREE_NODISCARD scree_status scree_contact_lists_make(struct scree_world *world,
                                                      const struct scree_contact_rows *rows);

#endif
