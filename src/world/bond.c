// Rows of bonds, see bond.h.

#include "world/bond.h"

#include "base/sort.h"

// Start of the chain of a body.
static uint64_t *chain_of(const struct scree_world *world, uint64_t body)
{
    struct scree_body_bonds *bonds =
        (struct scree_body_bonds *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_BONDS);
    uint32_t slot;
    if (!bonds || !scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, body, &slot))
        return NULL;
    return &bonds[slot].last;
}

uint64_t scree_bond_last_of(const struct scree_world *world, scree_slot body)
{
    const struct scree_body_bonds *bonds =
        (const struct scree_body_bonds *)scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_BONDS);
    return bonds ? bonds[body.index].last : 0;
}

void scree_bond_link(struct scree_world *world, uint32_t row)
{
    struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
    for (int s = 0; s < 2 && sides->body[s] > 0; ++s) {
        uint64_t *last = chain_of(world, sides->body[s]);
        if (!last)
            continue;
        sides->next[s] = *last;
        *last = scree_bond_ids(world)[row];
    }
}

static void unlink_from(struct scree_world *world, uint64_t id, uint64_t body, uint64_t next)
{
    uint64_t *link = chain_of(world, body);
    uint32_t row;
    while (link && *link != id && scree_bond_row_of(world, *link, &row)) {
        struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
        link = &sides->next[sides->body[0] == body ? 0 : 1];
    }
    if (link && *link == id)
        *link = next;
}

scree_status scree_bond_relink(struct scree_world *world)
{
    const size_t rows = scree_bond_rows(world);
    uint32_t *order;
    if (rows == 0)
        return SCREE_OK;
    SCREE_TRY(scree_entity_require(scree_world_entity(world, SCREE_ENTITY_BODY), SCREE_BODY_BONDS));
    if (scree_world_bodies(world) > 0)
        memset(scree_world_column(world, SCREE_ENTITY_BODY, SCREE_BODY_BONDS), 0,
               scree_world_bodies(world) * sizeof(struct scree_body_bonds));
    SCREE_TRY(scree_memory_new(rows, sizeof *order, (void **)&order));
    const scree_status status = scree_sort_order(scree_bond_ids(world), rows, order);
    for (size_t k = 0; k < rows && status == SCREE_OK; ++k)
        scree_bond_link(world, order[k]);
    scree_memory_free(order);
    return status;
}

void scree_bond_remove_row(struct scree_world *world, uint32_t row)
{
    const struct scree_bond_sides *sides = &scree_bond_sides(world)[row];
    for (int s = 0; s < 2 && sides->body[s] > 0; ++s)
        unlink_from(world, scree_bond_ids(world)[row], sides->body[s], sides->next[s]);
    if (scree_bond_damages(world) && scree_bond_damages(world)[row].lost != 0)
        scree_total_add(&scree_world_clock(world)->released, scree_bond_damages(world)[row].lost);
    scree_entity_remove(scree_world_entity(world, SCREE_ENTITY_BOND), (scree_slot){row});
}

void scree_bond_remove_of_body(struct scree_world *world, scree_slot body)
{
    uint32_t row;
    while (scree_bond_row_of(world, scree_bond_last_of(world, body), &row))
        scree_bond_remove_row(world, row);
}

// Backwards, because the last row takes the place of a removed one.
void scree_bond_remove_of_wall(struct scree_world *world, uint64_t wall)
{
    for (size_t row = scree_bond_rows(world); row-- > 0;)
        if (scree_bond_sides(world)[row].wall == wall)
            scree_bond_remove_row(world, (uint32_t)row);
}
