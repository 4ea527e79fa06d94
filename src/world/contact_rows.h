// Contacts as rows: a copy of all contacts and their histories, made on request.
//
// The contact lists (contacts.h) are laid out for the loops of the kernels. The digest, checkpoints,
// comparisons and views read entities and fields, so they get rows: one entity per history layout, which is a
// law with or without rolling and twisting resistance, named after the law ("contact_hertz_mindlin"). Its
// columns are the key, the class, and the history values of the law and of resistance by name.
//
// Invariants: there is one row for each live contact (contacts.h) whose sides both exist, and no other; keys
// are unique. Lists built from rows (contact_lists.h) give the same rows again.

#ifndef SCREE_WORLD_CONTACT_ROWS_H
#define SCREE_WORLD_CONTACT_ROWS_H

#include "world/world.h"

// Index of the entity that lists the grains in order of slots; the entities of layouts follow.
enum { SCREE_CONTACT_ROWS_GRAINS };

struct scree_contact_rows {
    struct scree_registry registry;
    SCREE_ARRAY(struct scree_contacts_layout) layout; // layout of each entity of the registry
    bool unsorted;                                    // as in struct scree_wall_contacts
};

// Begins an empty set of rows.
SCREE_NODISCARD scree_status scree_contact_rows_begin(struct scree_contact_rows *rows);
void scree_contact_rows_free(struct scree_contact_rows *rows);

// Adds the entity of a layout. Fails if a name or unit of the law's history values is not valid for a field.
SCREE_NODISCARD scree_status scree_contact_rows_add(struct scree_contact_rows *rows,
                                                    const struct scree_contacts_layout *layout);

// Copies the contacts of a world, with `grains` also what is needed to rebuild the lists. The caller frees
// the rows after success.
SCREE_NODISCARD scree_status scree_contact_rows_copy(const struct scree_world *world, bool grains,
                                                     struct scree_contact_rows *rows);

// Publishes the contacts as entities of the world, for views. On failure nothing changes.
SCREE_NODISCARD scree_status scree_contact_rows_publish(struct scree_world *world);

#endif
