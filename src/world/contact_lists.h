// Lists of contacts made of rows, see contact_rows.h.

#ifndef SCREE_WORLD_CONTACT_LISTS_H
#define SCREE_WORLD_CONTACT_LISTS_H

#include "world/contact_rows.h"

// Makes the lists of a world; bodies and walls are there, and rows are not trusted. On failure the lists
// stay. All candidates are across the rim of the first tile, and those that are not near come with the next
// search.
SCREE_NODISCARD scree_status scree_contact_lists_make(struct scree_world *world,
                                                      const struct scree_contact_rows *rows);

#endif
