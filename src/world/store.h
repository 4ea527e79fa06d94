// What a checkpoint puts back into a world besides the values of fields.
//
// What always holds: what is put back was taken from a world of the same kind, or a failure says what does
// not fit; then the world is only good to be destroyed.

#ifndef SCREE_WORLD_STORE_H
#define SCREE_WORLD_STORE_H

#include "world/world.h"

// Puts rows into an entity in place of those that it has: their ids in order of slots, and the newest id that
// was ever given out.
SCREE_NODISCARD scree_status scree_store_put_rows(struct scree_entity *entity, const uint64_t *ids,
                                                  size_t count, uint64_t last);

// When all is there: follows up what derives from it, and checks the whole.
SCREE_NODISCARD scree_status scree_store_settle(struct scree_world *world);

#endif
