// Rows of an entity: they come, go and change places in all columns at once.
//
// What always holds: the pool knows the slot of every id; an insertion or a growth that fails leaves the rows
// as they were.

#ifndef SCREE_WORLD_ENTITY_H
#define SCREE_WORLD_ENTITY_H

#include "world/registry.h"

// Makes room for `rows` rows in every present column.
SCREE_NODISCARD scree_status scree_entity_reserve(struct scree_entity *entity, size_t rows);

// Makes room in a present column for rows behind those of its own, where another entity's lie. What lies
// there is lost whenever rows of the entity come or go.
SCREE_NODISCARD scree_status scree_entity_extend(struct scree_entity *entity, uint32_t column, size_t rows);

// Makes an absent column present, all zero.
SCREE_NODISCARD scree_status scree_entity_require(struct scree_entity *entity, uint32_t column);

// Makes an absent column present in memory that is not the entity's, and outlives it. There is room for one
// row.
void scree_entity_lend(struct scree_entity *entity, uint32_t column, void *memory);

// Adds a row of zeros at the end.
SCREE_NODISCARD scree_status scree_entity_insert(struct scree_entity *entity, scree_slot *slot, uint64_t *id);

// Removes a row; the last row takes its slot.
void scree_entity_remove(struct scree_entity *entity, scree_slot slot);

// Puts row order[k] at slot k. `order` is a permutation of all rows.
SCREE_NODISCARD scree_status scree_entity_permute(struct scree_entity *entity, const uint32_t *order);

// Finds the slot of an id; a failure names the entity and the id.
SCREE_NODISCARD scree_status scree_entity_find(const struct scree_entity *entity, uint64_t id,
                                               scree_slot *slot);

void scree_entity_free(struct scree_entity *entity);

static inline uint64_t *scree_entity_ids(const struct scree_entity *entity)
{
    return (uint64_t *)(void *)entity->columns.data[0].base;
}

#endif
