// Broken bonds: counts and events, see include/scree/bond.h.

#include "world/bond.h"

#include <scree/bond.h>

static const struct scree_entity *events_of(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_BROKEN_BOND);
}

uint64_t scree_bond_broken(const struct scree_world *world, uint64_t by_mode[SCREE_BOND_MODES])
{
    const uint64_t *broken = scree_world_clock(world)->broken;
    uint64_t sum = 0;
    for (int k = 0; k < SCREE_BOND_MODES; ++k) {
        sum += broken[k];
        if (by_mode)
            by_mode[k] = broken[k];
    }
    return sum;
}

static void copy_event(const struct scree_world *world, uint32_t row, struct scree_bond_event *event)
{
    const struct scree_broken_bond *broken = &scree_bond_events(world)[row];
    *event = (struct scree_bond_event){
        .number = scree_entity_ids(events_of(world))[row],
        .time = broken->time,
        .step = broken->step,
        .bond = {broken->bond},
        .kind = (enum scree_bond_kind)broken->kind,
        .mode = (enum scree_bond_mode)broken->mode,
        .side = {{{broken->body[0]}, broken->part[0]}, {{broken->body[1]}, broken->part[1]}},
        .wall = {broken->wall},
        .point = {broken->point[0], broken->point[1], broken->point[2]},
        .energy = broken->energy,
        .lost = broken->lost};
}

bool scree_bond_next_event(const struct scree_world *world, uint64_t after, struct scree_bond_event *event)
{
    const struct scree_entity *events = events_of(world);
    uint64_t lowest = 0;
    uint32_t row;
    if (after >= events->pool.last || events->count == 0)
        return false;
    // events are dropped from the first on, so the next number exists unless the cursor is before the first
    if (!scree_pool_find(&events->pool, after + 1, &row)) {
        for (uint32_t k = 0; k < events->count; ++k) {
            const uint64_t number = scree_entity_ids(events)[k];
            if (number > after && (lowest == 0 || number < lowest)) {
                lowest = number;
                row = k;
            }
        }
        if (lowest == 0)
            return false;
    }
    copy_event(world, row, event);
    return true;
}

uint64_t scree_bond_last_event(const struct scree_world *world)
{
    return events_of(world)->pool.last;
}

void scree_bond_drop_events(struct scree_world *world, uint64_t number)
{
    struct scree_entity *events = scree_world_entity(world, SCREE_ENTITY_BROKEN_BOND);
    // backwards, because the last row takes the place of a removed one
    for (size_t row = events->count; row-- > 0;)
        if (scree_entity_ids(events)[row] <= number)
            scree_entity_remove(events, (scree_slot){(uint32_t)row});
}
