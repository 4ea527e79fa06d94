// Contacts with walls: found with the others, evaluated and summed tile by tile.

#ifndef SCREE_ENGINE_WALL_CONTACTS_H
#define SCREE_ENGINE_WALL_CONTACTS_H

#include "base/array.h"
#include "law/interaction.h"
#include "world/world.h"

struct scree_collider;
struct scree_collider_scratch;

// Lists the grains nearer than `margin` to each feature of each wall; contacts that were there keep what they
// remember. On failure the lists are as before.
SCREE_NODISCARD scree_status scree_wall_contacts_build(struct scree_world *world,
                                                       const struct scree_law_classes *classes, size_t stride,
                                                       double margin);

// Evaluates the contacts of a tile with walls.
void scree_wall_contacts_walk(struct scree_collider *collider, struct scree_collider_scratch *scratch,
                              size_t tile);

// Whether some wall moves.
bool scree_wall_contacts_push(const struct scree_world *world);

// Books what moving walls do to the grains [first, last) of a tile in the step, at the power of this moment.
void scree_wall_contacts_work(const struct scree_collider *collider, size_t tile, size_t first, size_t last);

#endif
