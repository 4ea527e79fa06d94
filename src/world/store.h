// Restoring a world from a checkpoint, besides the values of fields.
//
// Stored data are validated. After a failure the world is not usable and must be destroyed.

#ifndef SCREE_WORLD_STORE_H
#define SCREE_WORLD_STORE_H

#include "world/world.h"

// Replaces the rows of an entity: `ids` in order of slots; `last` is the newest id ever given out.
SCREE_NODISCARD scree_status scree_store_restore_rows(struct scree_entity *entity, const uint64_t *ids,
                                                      size_t count, uint64_t last);

// Call when all fields are restored: updates derived data and validates the world.
SCREE_NODISCARD scree_status scree_store_finish(struct scree_world *world);

#endif
