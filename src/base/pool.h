// Pool of persistent ids: 1, 2, 3, ... in order of creation, never reused, each mapped to its current slot.
//
// Ids are grouped in pages of 4096. Invariants: a page exists only while one of its ids is in use, so memory
// is proportional to the ids in use, not to all ever given out; pages are sorted by number. A lookup is a
// binary search over the pages. A zeroed pool is empty.

#ifndef SCREE_BASE_POOL_H
#define SCREE_BASE_POOL_H

#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

#define SCREE_POOL_PAGE 4096

// Value for no slot.
#define SCREE_POOL_NO_SLOT UINT32_MAX

struct scree_pool_page {
    uint64_t number; // contains ids number * SCREE_POOL_PAGE + 1 to (number + 1) * SCREE_POOL_PAGE
    uint32_t *slots;
    uint32_t living;
};

struct scree_pool {
    SCREE_ARRAY(struct scree_pool_page) pages;
    uint64_t last;   // newest id given out; never decreases, and is restored by a restart
    uint64_t living; // number of ids in use
};

// Gives out the next id. On failure no id is consumed.
SCREE_NODISCARD scree_status scree_pool_insert(struct scree_pool *pool, uint32_t slot, uint64_t *id);

// Adds an id given out by an earlier run or another rank. It must not be in use here.
SCREE_NODISCARD scree_status scree_pool_insert_id(struct scree_pool *pool, uint64_t id, uint32_t slot);

// Returns false, and does not set the slot, if the id is not in use. `slot` may be NULL.
bool scree_pool_find(const struct scree_pool *pool, uint64_t id, uint32_t *slot);

// Both need an id that is in use.
void scree_pool_move(struct scree_pool *pool, uint64_t id, uint32_t slot);
void scree_pool_remove(struct scree_pool *pool, uint64_t id);

// Frees all memory and resets the pool, including its count of ids.
void scree_pool_free(struct scree_pool *pool);

#endif
