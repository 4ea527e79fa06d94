// Loops for measurements: over all bodies with on-step velocities, and over all live contacts.

#ifndef SCREE_CONTACT_WALK_H
#define SCREE_CONTACT_WALK_H

#include "contact/evaluate_one.h"

// Called once for each body, in order of slots.
typedef void scree_walk_body(const struct scree_world *world, scree_slot slot,
                             const struct scree_on_step *motion, void *user);

// Fails if on-step velocities are not available, see scree_world_on_step. Finishes a pending edit first.
SCREE_NODISCARD scree_status scree_walk_bodies(struct scree_world *world, scree_walk_body *visit, void *user);

// Called for several consecutive bodies at a time, from `first` on.
typedef void scree_walk_block(const struct scree_world *world, size_t first, size_t count,
                              const struct scree_on_step *motion, void *user);
enum { SCREE_WALK_BLOCK = 128 };
SCREE_NODISCARD scree_status scree_walk_blocks(struct scree_world *world, scree_walk_block *visit,
                                               void *user);

// A live contact. At a wall the second side is null.
struct scree_walk_item {
    const struct scree_world *world;
    const struct scree_evaluated *evaluated;
    const struct scree_grain *side[2];
    double centre[3]; // centre of mass of the body of the first side, m
    // branch vector, m: to `centre` from the centre of mass of the second body, or from `point` at a wall
    double branch[3];
    double force[3], point[3], normal[3];
};
typedef void scree_walk_contact(const struct scree_walk_item *contact, void *user);

// Fails between points 10 and 60 of a step, where contacts are not available.
SCREE_NODISCARD scree_status scree_walk_contacts(const struct scree_world *world, scree_walk_contact *visit,
                                                 void *user);

// Also bonds, whose class is null.
SCREE_NODISCARD scree_status scree_walk_forces(const struct scree_world *world, scree_walk_contact *visit,
                                               void *user);

// Fails between points 10 and 60 of a step.
SCREE_NODISCARD scree_status scree_walk_check_point(const struct scree_world *world);

// The slot of the body of a side.
static inline size_t scree_walk_slot(const struct scree_walk_item *contact, int side)
{
    return contact->side[side]->owner;
}

#endif
