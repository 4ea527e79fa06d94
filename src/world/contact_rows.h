// Contacts as rows: what they are and what they remember, as a copy that is made when it is asked for.
//
// Lists (contacts.h) lie as the loops want them. Whoever walks over entities and their fields (digest,
// checkpoint, comparison, views) wants rows: one entity for each layout of histories, which is a law with or
// without resistance to turning, named after the law ("contact_hertz_mindlin"). Its columns are the key, the
// class, and the values of the law's table and of resistance by their names.
//
// What always holds: there is a row for each contact that is near and whose sides are both there, and for no
// other; its key is unique. Lists that are made of rows (contact_lists.h) give the same rows again.

#ifndef SCREE_WORLD_CONTACT_ROWS_H
#define SCREE_WORLD_CONTACT_ROWS_H

#include "world/world.h"

// Number of the entity of the grains that the lists go by, in order of slots; layouts follow.
enum { SCREE_CONTACT_ROWS_GRAINS };

struct scree_contact_rows {
    struct scree_registry registry;
    SCREE_ARRAY(struct scree_contacts_layout) layout; // of each entity of the registry
    bool loose;                                       // as in struct scree_wall_contacts
};

// Rows of no contacts.
SCREE_NODISCARD scree_status scree_contact_rows_begin(struct scree_contact_rows *rows);
void scree_contact_rows_free(struct scree_contact_rows *rows);

// Adds the entity of a layout. Fails where the law's values cannot be fields: by their names or units.
SCREE_NODISCARD scree_status scree_contact_rows_add(struct scree_contact_rows *rows,
                                                    const struct scree_contacts_layout *layout);

// Takes the contacts of a world, and with `grains` all that lists are made of; to be freed after success.
SCREE_NODISCARD scree_status scree_contact_rows_take(const struct scree_world *world, bool grains,
                                                     struct scree_contact_rows *rows);

// Makes the rows entities of the world, for views; all or nothing.
SCREE_NODISCARD scree_status scree_contact_rows_publish(struct scree_world *world);

#endif
