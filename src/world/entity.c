// Rows of an entity, see entity.h. Capacity grows by half. All columns grow before any row changes, so a
// failed growth loses nothing.

#include "world/entity.h"

#include <string.h>

scree_status scree_entity_reserve(struct scree_entity *entity, size_t rows)
{
    if (rows <= entity->capacity)
        return SCREE_OK;
    if (rows >= SCREE_POOL_NO_SLOT)
        return scree_status_fail(SCREE_ERROR_LIMIT, "%zu rows of '%s' are too many; the maximum is %u", rows,
                                 entity->name, SCREE_POOL_NO_SLOT - 1);
    size_t capacity = entity->capacity + entity->capacity / 2;
    capacity = capacity < rows ? rows : capacity;
    capacity = capacity < 16 ? 16 : capacity;
    // views are invalid even after a failure: columns before the one that failed may have moved in memory
    ++entity->version;
    for (size_t c = 0; c < entity->columns.count; ++c) {
        struct scree_column *column = &entity->columns.data[c];
        // the rows that another entity borrows, after the own ones, are reallocated too
        if (column->present && !column->external)
            SCREE_TRY(scree_memory_resize((void **)&column->base, entity->count + column->extra_rows,
                                          capacity + column->extra_rows, column->stride));
    }
    entity->capacity = capacity;
    return SCREE_OK;
}

scree_status scree_entity_extend(struct scree_entity *entity, uint32_t number, size_t rows)
{
    struct scree_column *column = &entity->columns.data[number];
    if (rows <= column->extra_rows)
        return SCREE_OK;
    const size_t grown = column->extra_rows + column->extra_rows / 2,
                 extra_rows = grown > rows ? grown : rows;
    ++entity->version;
    SCREE_TRY(scree_memory_resize((void **)&column->base, entity->count + column->extra_rows,
                                  entity->capacity + extra_rows, column->stride));
    column->extra_rows = extra_rows;
    return SCREE_OK;
}

scree_status scree_entity_require(struct scree_entity *entity, uint32_t number)
{
    struct scree_column *column = &entity->columns.data[number];
    if (column->present)
        return SCREE_OK;
    SCREE_TRY(
        scree_memory_new(entity->capacity + column->extra_rows, column->stride, (void **)&column->base));
    column->present = true;
    ++entity->version;
    return SCREE_OK;
}

void scree_entity_use_memory(struct scree_entity *entity, uint32_t number, void *memory)
{
    struct scree_column *column = &entity->columns.data[number];
    column->base = (char *)memory;
    column->present = column->external = true;
    ++entity->version;
}

scree_status scree_entity_insert(struct scree_entity *entity, scree_slot *slot, uint64_t *id)
{
    SCREE_TRY(scree_entity_reserve(entity, entity->count + 1));
    const uint32_t last = (uint32_t)entity->count;
    SCREE_TRY(scree_pool_insert(&entity->pool, last, id));
    for (size_t c = 0; c < entity->columns.count; ++c) {
        const struct scree_column *column = &entity->columns.data[c];
        if (column->present)
            memset(column->base + last * column->stride, 0, column->stride);
    }
    scree_entity_ids(entity)[last] = *id;
    slot->index = last;
    ++entity->count;
    ++entity->version;
    return SCREE_OK;
}

void scree_entity_remove(struct scree_entity *entity, scree_slot slot)
{
    const size_t last = entity->count - 1;
    scree_pool_remove(&entity->pool, scree_entity_ids(entity)[slot.index]);
    if (slot.index != last) {
        for (size_t c = 0; c < entity->columns.count; ++c) {
            const struct scree_column *column = &entity->columns.data[c];
            if (column->present)
                memcpy(column->base + slot.index * column->stride, column->base + last * column->stride,
                       column->stride);
        }
        scree_pool_move(&entity->pool, scree_entity_ids(entity)[slot.index], slot.index);
    }
    --entity->count;
    ++entity->version;
}

// Follows the cycles of the permutation, which needs one row of scratch memory.
static void permute_column(const struct scree_column *column, const uint32_t *order, size_t count, char *row,
                           unsigned char *done)
{
    const size_t stride = column->stride;
    memset(done, 0, count);
    for (size_t start = 0; start < count; ++start) {
        if (done[start] || order[start] == start)
            continue;
        memcpy(row, column->base + start * stride, stride);
        size_t slot = start;
        while (order[slot] != start) {
            memcpy(column->base + slot * stride, column->base + order[slot] * stride, stride);
            done[slot] = 1;
            slot = order[slot];
        }
        memcpy(column->base + slot * stride, row, stride);
        done[slot] = 1;
    }
}

scree_status scree_entity_permute(struct scree_entity *entity, const uint32_t *order)
{
    size_t widest = 0;
    for (size_t c = 0; c < entity->columns.count; ++c)
        widest = entity->columns.data[c].stride > widest ? entity->columns.data[c].stride : widest;
    char *row;
    SCREE_TRY(scree_memory_new(1, widest + entity->count, (void **)&row));
    for (size_t c = 0; c < entity->columns.count; ++c)
        if (entity->columns.data[c].present)
            permute_column(&entity->columns.data[c], order, entity->count, row,
                           (unsigned char *)row + widest);
    scree_memory_free(row);
    const uint64_t *ids = scree_entity_ids(entity);
    for (uint32_t slot = 0; slot < entity->count; ++slot)
        scree_pool_move(&entity->pool, ids[slot], slot);
    ++entity->version;
    return SCREE_OK;
}

scree_status scree_entity_find(const struct scree_entity *entity, uint64_t id, scree_slot *slot)
{
    if (scree_pool_find(&entity->pool, id, &slot->index))
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_MISSING, "there is no %s with id %llu%s", entity->name, (unsigned long long)id,
        id > 0 && id <= entity->pool.last ? ": it has been removed" : ": it never existed");
}

void scree_entity_free(struct scree_entity *entity)
{
    for (size_t c = 0; c < entity->columns.count; ++c)
        if (!entity->columns.data[c].borrowed && !entity->columns.data[c].external)
            scree_memory_free(entity->columns.data[c].base);
    for (size_t f = 0; f < entity->fields.count; ++f)
        scree_memory_free(entity->fields.data[f].about);
    scree_array_free(&entity->columns);
    scree_array_free(&entity->fields);
    scree_pool_free(&entity->pool);
}
