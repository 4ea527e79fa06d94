// Lists of the pairs that have contacts from outside: searched with the other candidates.

#ifndef SCREE_CONTACT_OUTSIDE_LISTS_H
#define SCREE_CONTACT_OUTSIDE_LISTS_H

#include "base/team.h"
#include "contact/interaction.h"
#include "detect/candidates.h"
#include "world/world.h"

// Fails if a polyhedron can touch something by a law or a wall that has no contacts from outside.
SCREE_NODISCARD scree_status scree_outside_lists_check(const struct scree_world *world,
                                                       const struct scree_law_classes *classes);

// Tables of classes in which polyhedra have materials of their own: of pairs without a polyhedron, and of
// pairs with one, whose only class is 0. Null without polyhedra.
struct scree_outside_tables {
    uint8_t *plain, *shaped; // [materials^2]
    size_t materials;
};
SCREE_NODISCARD scree_status scree_outside_lists_tables(const struct scree_world *world,
                                                        const struct scree_law_classes *classes,
                                                        struct scree_outside_tables *tables);
void scree_outside_lists_free_tables(struct scree_outside_tables *tables);

// Replaces the list: pairs closer than the margin of `input`, that of the other candidates; existing contacts
// keep their history. The list is unchanged on failure.
SCREE_NODISCARD scree_status scree_outside_lists_build(struct scree_world *world,
                                                       const struct scree_law_classes *classes,
                                                       const struct scree_outside_tables *tables,
                                                       const struct scree_candidates_input *input);

#endif
