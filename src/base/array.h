// Growable arrays of any type. Capacity grows by half, so that n additions cost O(n).
//
// Invariants: count <= capacity; memory beyond count was zero when it was allocated; a zeroed array is empty.
// The macros evaluate `array` (a pointer) more than once: pass an expression without side effects.

#ifndef SCREE_BASE_ARRAY_H
#define SCREE_BASE_ARRAY_H

#include "base/memory.h"

#include <string.h>

#define SCREE_ARRAY(type)                                                                                    \
    struct {                                                                                                 \
        type *data;                                                                                          \
        size_t count, capacity;                                                                              \
    }

// Allocates a capacity of at least `wanted` elements. On failure the array is unchanged.
#define scree_array_reserve(array, wanted)                                                                   \
    scree_array_grow(&(array)->data, &(array)->capacity, (wanted), sizeof *(array)->data)

// Adds one element at the end. The value may be an element of the same array.
#define scree_array_push(array, ...)                                                                         \
    scree_array_append(&(array)->data, &(array)->count, &(array)->capacity, sizeof *(array)->data,           \
                       (__typeof__(*(array)->data)[1]){__VA_ARGS__})

#define scree_array_free(array)                                                                              \
    do {                                                                                                     \
        scree_memory_free((array)->data);                                                                    \
        (array)->data = NULL;                                                                                \
        (array)->count = (array)->capacity = 0;                                                              \
    } while (0)

// Used by the macros; `data` is the address of the array's data pointer.
SCREE_NODISCARD scree_status scree_array_grow(void *data, size_t *capacity, size_t wanted, size_t size);

SCREE_NODISCARD static inline scree_status scree_array_append(void *data, size_t *count, size_t *capacity,
                                                              size_t size, const void *value)
{
    if (*count == *capacity)
        SCREE_TRY(scree_array_grow(data, capacity, *count + 1, size));
    // the type of the pointer is unknown here, so it is copied as bytes
    char *base;
    memcpy(&base, data, sizeof base);
    memcpy(base + *count * size, value, size);
    ++*count;
    return SCREE_OK;
}

#endif
