// Removal of bodies, see remove.h.

#include "run/remove.h"

#include "base/array.h"
#include "base/instant.h"
#include "build/build.h"
#include "measure/tally.h"
#include "run/host.h"
#include "world/grain.h"

#include <scree/body.h>
#include <scree/cell.h>
#include <scree/group.h>
#include <scree/world.h>

#include <math.h>
#include <stdlib.h>

scree_status scree_remove_read(struct scree_reading *reading, struct scree_world *world,
                               const struct scree_node *map, bool stage, struct scree_remove *remove)
{
    const enum scree_key_id inside = stage ? SCREE_KEY_clearing_inside : SCREE_KEY_removal_inside;
    const enum scree_key_id group = stage ? SCREE_KEY_clearing_group : SCREE_KEY_removal_group;
    *remove = (struct scree_remove){.at = -1, .until = (double)INFINITY};
    remove->anywhere = !scree_reading_has(map, inside);
    if (!remove->anywhere && !scree_reading_region(reading, scree_reading_node(map, inside), &remove->region))
        return SCREE_OK;
    if (scree_reading_has(map, group))
        SCREE_TRY(scree_build_group(reading, world, map, group, &remove->group));
    if (stage)
        return SCREE_OK;
    if (scree_reading_has(map, SCREE_KEY_removal_at))
        (void)scree_reading_number(reading, map, SCREE_KEY_removal_at, &remove->at);
    else
        (void)scree_reading_number(reading, map, SCREE_KEY_removal_from, &remove->from);
    if (scree_reading_has(map, SCREE_KEY_removal_until))
        (void)scree_reading_number(reading, map, SCREE_KEY_removal_until, &remove->until);
    return SCREE_OK;
}

static bool is_outside(const struct scree_world *world, const double position[3])
{
    struct scree_cell_def cell;
    bool outside = false;
    scree_cell_get(world, &cell);
    for (int k = 0; k < scree_world_dimension(world); ++k)
        outside =
            outside || (!cell.periodic[k] && (position[k] < cell.lower[k] || position[k] > cell.upper[k]));
    return outside;
}

static bool is_removed(const struct scree_remove *remove, const struct scree_world *world, size_t slot)
{
    const double *position = scree_world_grains(world)[slot].position;
    if (remove->outside ? !is_outside(world, position)
                        : !remove->anywhere && !scree_region_contains(&remove->region, position, 0))
        return false;
    const scree_body_id id = {scree_world_ids(world)[slot]};
    return remove->group.value == 0 || scree_group_has_body(world, remove->group, id);
}

static int compare(const void *a, const void *b)
{
    const uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

scree_status scree_remove_body(struct scree_world *world, size_t row, scree_body_id id)
{
    struct scree_body_state state;
    uint64_t bodies;
    double mass;
    SCREE_TRY(scree_body_get(world, id, &state));
    SCREE_TRY(scree_body_remove(world, id));
    scree_tally_get(world, row, &bodies, &mass);
    scree_tally_set(world, row, bodies + 1, mass + state.mass);
    return SCREE_OK;
}

scree_status scree_remove_now(const struct scree_remove *remove, struct scree_world *world)
{
    SCREE_ARRAY(uint64_t) ids = {0};
    scree_status status = SCREE_OK;
    for (size_t slot = 0; slot < scree_world_bodies(world) && status == SCREE_OK; ++slot)
        if (is_removed(remove, world, slot))
            status = scree_array_push(&ids, scree_world_ids(world)[slot]);
    if (ids.count > 0)
        qsort(ids.data, ids.count, sizeof *ids.data, compare);
    for (size_t k = 0; k < ids.count && status == SCREE_OK; ++k)
        status = scree_remove_body(world, remove->row, (scree_body_id){ids.data[k]});
    scree_array_free(&ids);
    return status;
}

scree_status scree_remove_act(void *self, struct scree_host *host)
{
    const struct scree_remove *remove = (const struct scree_remove *)self;
    const double time = scree_world_time(host->world);
    if (remove->at < 0 &&
        (!scree_instant_has_come(time, remove->from) || !scree_instant_has_come(remove->until, time)))
        return SCREE_OK;
    return scree_remove_now(remove, host->world);
}
