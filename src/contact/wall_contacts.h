// Contacts with walls in a step: tile by tile, the near ones are listed, what they meet is computed, laws are
// run, and what they push with is added to the sums of their grains.
//
// What always holds: only of what is near a record is written, and only that is read. Contacts are evaluated
// by wall; the work of moving walls is booked by slot of the grain, then wall and feature.

#ifndef SCREE_CONTACT_WALL_CONTACTS_H
#define SCREE_CONTACT_WALL_CONTACTS_H

#include "world/world.h"

struct scree_collider;
struct scree_collider_scratch;

// Evaluates the contacts of a tile with walls.
void scree_wall_contacts_walk(struct scree_collider *collider, struct scree_collider_scratch *scratch,
                              size_t tile);

// Adds what these push with to the sums of their grains, and books what moving walls do to them.
void scree_wall_contacts_add(struct scree_collider *collider, const struct scree_collider_scratch *scratch,
                             size_t tile);

// Whether some wall moves.
bool scree_wall_contacts_do_work(const struct scree_world *world);

#endif
