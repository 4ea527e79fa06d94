// Evaluates contacts with walls, tile by tile: lists the contacts in range, computes their geometry, runs the
// kernels, and adds forces to the sums of the grains.
//
// Invariants: records are written and read only for contacts in range. Contacts are evaluated in order of
// wall and feature; the work of moving walls is entered in order of grain slot, then wall and feature.

#ifndef SCREE_CONTACT_WALL_CONTACTS_H
#define SCREE_CONTACT_WALL_CONTACTS_H

#include "world/world.h"

struct scree_collider;
struct scree_collider_scratch;

// Evaluates the contacts of a tile with walls.
void scree_wall_contacts_evaluate(struct scree_collider *collider, struct scree_collider_scratch *scratch,
                                  size_t tile);

// Adds their forces to the sums of the grains, and enters the work of moving walls.
void scree_wall_contacts_add(struct scree_collider *collider, const struct scree_collider_scratch *scratch,
                             size_t tile);

// Ledger entry for the work of walls on a grain.
double *scree_wall_contacts_work(const struct scree_collider *collider, uint32_t slot);

// Returns true if some wall moves other than with a body.
bool scree_wall_contacts_any_moving(const struct scree_world *world);

#endif
