// Stable sorting of 64-bit keys.

#ifndef SCREE_BASE_SORT_H
#define SCREE_BASE_SORT_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

// Computes the order with keys[order[0]] <= keys[order[1]] <= ..., equal keys by ascending index. The keys
// are not changed. At most 2^32 - 1 keys.
SCREE_NODISCARD scree_status scree_sort_order(const uint64_t *keys, size_t count, uint32_t *order);

// Sorts a few keys in place, without allocating memory.
void scree_sort_in_place(uint64_t *keys, size_t count);

#endif
