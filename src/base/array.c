// Growth of arrays: by half, at least to a cache line.

#include "base/array.h"

scree_status scree_array_grow(void *data, size_t *capacity, size_t wanted, size_t size)
{
    if (wanted <= *capacity)
        return SCREE_OK;
    const size_t line = size < SCREE_MEMORY_ALIGNMENT ? SCREE_MEMORY_ALIGNMENT / size : 1;
    size_t grown = *capacity + *capacity / 2;
    if (grown < line)
        grown = line;
    // if growth by half would overflow, allocate only what is needed
    if (grown < wanted || grown > PTRDIFF_MAX / size)
        grown = wanted;
    SCREE_TRY(scree_memory_resize(data, *capacity, grown, size));
    *capacity = grown;
    return SCREE_OK;
}
