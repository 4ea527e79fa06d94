// Allocation of all heap blocks of the library.
//
// Invariants: a block is zero-filled and aligned to a cache line; one of 4 MiB or more is aligned to 2 MiB,
// requests huge pages, takes memory only for pages that are written, and is returned to the system when
// freed. A failed call changes nothing; its message states the requested size. The counters are the only
// global state; they are atomic, so any thread may allocate.

#ifndef SCREE_BASE_MEMORY_H
#define SCREE_BASE_MEMORY_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

#define SCREE_MEMORY_ALIGNMENT 64

// `out` is the address of an object pointer of any type, cast to void **. *out is NULL for a size of 0 and
// after a failure.
SCREE_NODISCARD scree_status scree_memory_new(size_t count, size_t size, void **out);

// Reallocates the block for new_count elements; new elements are zero. A block of 0 bytes is NULL. On failure
// the block is unchanged.
SCREE_NODISCARD scree_status scree_memory_resize(void **block, size_t old_count, size_t new_count,
                                                 size_t size);

// Reallocates the block if its `capacity` is below `wanted` elements. On failure both are unchanged.
SCREE_NODISCARD scree_status scree_memory_grow(void **block, size_t *capacity, size_t wanted, size_t size);

void scree_memory_free(void *block);

// Number of blocks allocated now.
size_t scree_memory_live(void);

// Number of blocks requested since the program started.
uint64_t scree_memory_count(void);

// Fault injection: the nth request from now on fails, once (1 is the next one). 0 cancels it.
void scree_memory_fail_at(uint64_t nth);

#endif
