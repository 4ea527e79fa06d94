// Order of items by several keys.

#ifndef SCREE_SHAPE_MESH_ORDER_H
#define SCREE_SHAPE_MESH_ORDER_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

// Returns key number `k` of an item.
typedef uint64_t scree_mesh_order_key(const void *user, size_t item, int k);

// Computes the order of items by key 0, equal ones by key 1 and so on, and those with equal keys by ascending
// number. At most 2^32 - 1 items.
SCREE_NODISCARD scree_status scree_mesh_order(size_t items, int keys, scree_mesh_order_key *key,
                                              const void *user, uint32_t *order);

#endif
