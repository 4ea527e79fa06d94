// Order of items by several keys, see mesh_order.h: a stable sort for each key, the last key first.

#include "shape/mesh_order.h"

#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

scree_status scree_mesh_order(size_t items, int keys, scree_mesh_order_key *key, const void *user,
                              uint32_t *order)
{
    uint64_t *value;
    uint32_t *before = NULL;
    SCREE_TRY(scree_memory_new(items, sizeof *value, (void **)&value));
    scree_status status = scree_memory_new(items, 2 * sizeof *before, (void **)&before);
    uint32_t *sorted = before + (before ? items : 0);
    for (size_t i = 0; status == SCREE_OK && i < items; ++i)
        before[i] = (uint32_t)i;
    for (int k = keys; status == SCREE_OK && k-- > 0;) {
        for (size_t i = 0; i < items; ++i)
            value[i] = key(user, before[i], k);
        status = scree_sort_order(value, items, sorted);
        for (size_t i = 0; status == SCREE_OK && i < items; ++i)
            order[i] = before[sorted[i]];
        if (k > 0 && items > 0)
            memcpy(before, order, items * sizeof *order);
    }
    scree_memory_free(value);
    scree_memory_free(before);
    return status;
}
