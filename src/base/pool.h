// Persistent ids: 1, 2, 3, ... in order of creation, never used twice, and the slot each one lies in now.
//
// Ids are grouped in pages of 4096. What always holds: a page exists exactly while one of its ids is alive,
// and pages are sorted by number; memory follows the living, however many have died. A lookup is a binary
// search over the pages. A zeroed pool is an empty one.

#ifndef SCREE_BASE_POOL_H
#define SCREE_BASE_POOL_H

#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

#define SCREE_POOL_PAGE 4096

// No slot: the one value a slot cannot have.
#define SCREE_POOL_NOWHERE UINT32_MAX

struct scree_pool_page {
    uint64_t number; // holds ids number * SCREE_POOL_PAGE + 1 and up
    uint32_t *slots;
    uint32_t living;
};

struct scree_pool {
    SCREE_ARRAY(struct scree_pool_page) pages;
    uint64_t last;   // the newest id given out; a restart sets it, it only ever grows
    uint64_t living; // ids alive
};

// Gives out the next id. On failure no id is used up.
SCREE_NODISCARD scree_status scree_pool_insert(struct scree_pool *pool, uint32_t slot, uint64_t *id);

// Takes in an id given out elsewhere: by an earlier run or another rank. It must not be alive here.
SCREE_NODISCARD scree_status scree_pool_adopt(struct scree_pool *pool, uint64_t id, uint32_t slot);

// False, and the slot untouched, when the id is not alive. The slot may be NULL.
bool scree_pool_find(const struct scree_pool *pool, uint64_t id, uint32_t *slot);

// Both take an id that is alive.
void scree_pool_move(struct scree_pool *pool, uint64_t id, uint32_t slot);
void scree_pool_remove(struct scree_pool *pool, uint64_t id);

// Frees everything and empties the pool, its count of ids too.
void scree_pool_free(struct scree_pool *pool);

#endif
