// Rows of an entity: inserted, removed and permuted in all columns at once.
//
// Invariants: the pool maps every id to its slot; a failed insertion or growth leaves the rows unchanged.

#ifndef SCREE_WORLD_ENTITY_H
#define SCREE_WORLD_ENTITY_H

#include "world/registry.h"

// Allocates at least `rows` rows in every present column.
SCREE_NODISCARD scree_status scree_entity_reserve(struct scree_entity *entity, size_t rows);

// Allocates rows after the entity's own rows in a present column, for rows that another entity borrows.
// Their contents are lost when rows of this entity are added or removed.
SCREE_NODISCARD scree_status scree_entity_extend(struct scree_entity *entity, uint32_t column, size_t rows);

// Allocates an absent column, filled with zeros.
SCREE_NODISCARD scree_status scree_entity_require(struct scree_entity *entity, uint32_t column);

// Makes a column present in memory of the caller, which must outlive the entity and has room for one row.
void scree_entity_use_memory(struct scree_entity *entity, uint32_t column, void *memory);

// Adds a row of zeros at the end.
SCREE_NODISCARD scree_status scree_entity_insert(struct scree_entity *entity, scree_slot *slot, uint64_t *id);

// Removes a row; the last row takes its slot.
void scree_entity_remove(struct scree_entity *entity, scree_slot slot);

// Moves row order[k] to slot k. `order` is a permutation of all rows.
SCREE_NODISCARD scree_status scree_entity_permute(struct scree_entity *entity, const uint32_t *order);

// Finds the slot of an id; the error message names the entity and the id.
SCREE_NODISCARD scree_status scree_entity_find(const struct scree_entity *entity, uint64_t id,
                                               scree_slot *slot);

void scree_entity_free(struct scree_entity *entity);

static inline uint64_t *scree_entity_ids(const struct scree_entity *entity)
{
    return (uint64_t *)(void *)entity->columns.data[0].base;
}

#endif
