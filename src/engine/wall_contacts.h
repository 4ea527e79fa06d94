// Contacts with walls in a step: tile by tile, the near ones are listed, what they meet is computed, laws are
// run, and what they push with is added after all that other contacts give.
//
// What always holds: only of what is near a record is written, and only that is read. Contacts are evaluated
// by wall and added by slot of the grain, then wall and feature.

#ifndef SCREE_ENGINE_WALL_CONTACTS_H
#define SCREE_ENGINE_WALL_CONTACTS_H

#include "engine/gather.h"
#include "world/world.h"

struct scree_collider;
struct scree_collider_scratch;

// Evaluates the contacts of a tile with walls.
void scree_wall_contacts_walk(const struct scree_collider *collider, struct scree_collider_scratch *scratch,
                              size_t tile);

// Adds what these push with to the grains of the tile below `last`, and books what moving walls do to them;
// `at` is the first contact to look at, and then that of the grains from `last` on.
void scree_wall_contacts_add(const struct scree_collider *collider,
                             const struct scree_collider_scratch *scratch, const struct scree_gather *gather,
                             size_t tile, size_t last, size_t *at);

// Whether some wall moves.
bool scree_wall_contacts_push(const struct scree_world *world);

#endif
