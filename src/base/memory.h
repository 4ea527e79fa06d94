// Every heap block of the library comes from here.
//
// What always holds: a block is zero-filled and starts on a cache line; one of 4 MiB or more starts on a 2
// MiB boundary, asks for huge pages, takes memory only where it is touched, and gives it back to the system
// when it is freed. A failed call changes nothing and says how much was asked for. The
// counters are the only global state; they are atomic, so any thread may allocate.

#ifndef SCREE_BASE_MEMORY_H
#define SCREE_BASE_MEMORY_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

#define SCREE_MEMORY_ALIGNMENT 64

// `out` is the address of an object pointer of any type, cast to void **. *out is NULL when the block would
// have no bytes and after a failure.
SCREE_NODISCARD scree_status scree_memory_new(size_t count, size_t size, void **out);

// Moves the block to one of new_count elements: the elements both have are kept, the others are zero. A block
// of no bytes is NULL. On failure the block is as it was.
SCREE_NODISCARD scree_status scree_memory_resize(void **block, size_t old_count, size_t new_count,
                                                 size_t size);

// Makes room for `wanted` elements where there is room for less. On failure block and room are as they were.
SCREE_NODISCARD scree_status scree_memory_grow(void **block, size_t *room, size_t wanted, size_t size);

void scree_memory_free(void *block);

// Blocks alive now.
size_t scree_memory_live(void);

// Blocks asked for since the program started.
uint64_t scree_memory_count(void);

// Fault injection: the nth block asked for from now on fails, once (1 is the next). 0 calls it off.
void scree_memory_fail_at(uint64_t nth);

#endif
