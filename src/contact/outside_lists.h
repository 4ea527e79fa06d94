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

// What is made of a material: polyhedra or other grains. Zero for none.
struct scree_outside_user {
    int shaped, sharp;         // polyhedra, and those without a rounding; counted up to 2
    bool plain;                // there are other grains
    double rounding;           // the least of polyhedra, m
    double reach;              // the largest of polyhedra, m
    uint64_t last, last_sharp; // ids of the bodies of the last polyhedra that were counted
};

// Counts one more grain of a material, of the body with this id; `shape` is null for others than polyhedra.
// Polyhedra of one body, which do not touch each other, count once.
void scree_outside_lists_add_user(struct scree_outside_user *user, uint64_t body,
                                  const struct scree_shape *shape);

// The same check of materials, by id, with the walls and rules of a world that need not have the bodies.
// Pairs of materials without a rule are taken as without contacts. `wall` receives the id of the wall whose
// shape or extent is the fault, 0 if there is no fault or another one.
SCREE_NODISCARD scree_status scree_outside_lists_check_users(const struct scree_world *world,
                                                             const struct scree_outside_user *users,
                                                             size_t materials, uint64_t *wall);

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
