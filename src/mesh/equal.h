// Equal positions, found in a hash table.

#ifndef SCREE_MESH_EQUAL_H
#define SCREE_MESH_EQUAL_H

#include "base/status.h"
#include "math/real.h"

#include <stdbool.h>
#include <stddef.h>

// A number that is the same for points with the same coordinates, where 0 and -0 differ.
static inline uint64_t scree_mesh_equal_hash(const double x[3])
{
    uint64_t hash = 0;
    for (int k = 0; k < 3; ++k) {
        hash = (hash ^ scree_real_bits(x[k])) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash * UINT64_C(0xBF58476D1CE4E5B9) >> 32;
}

// Sets first[n] to the lowest number of a position that is equal to position n; 0 and -0 are equal. A file
// may be made so that all of its positions have one place in the table: `complete` is false after too many
// comparisons, and `first` is not set then. The result does not depend on hashes.
SCREE_NODISCARD scree_status scree_mesh_equal_find(const double (*position)[3], size_t count, uint32_t *first,
                                                   bool *complete);

#endif
