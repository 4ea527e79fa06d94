// Insertion and deletion of bodies during a run, see insert_delete.h.

#include "run/insert_delete.h"

#include "base/instant.h"
#include "build/build.h"
#include "measure/tally.h"
#include "run/host.h"
#include "run/schedule.h"
#include "world/cell.h"
#include "world/grain.h"
#include "world/world.h"

#include <scree/body.h>
#include <scree/cell.h>
#include <scree/group.h>
#include <scree/world.h>

#include <math.h>
#include <stdlib.h>

// --- removal of the bodies whose centres are in a region, or that belong to a group

struct scree_removal {
    size_t row;    // of the tally
    bool outside;  // removes bodies outside of the world's box; no region
    bool anywhere; // no region: removes the group regardless of positions
    struct scree_region region;
    scree_group_id group; // value 0 for all bodies
    double at;            // s; negative for a removal that repeats
    double from, until;   // s, of a removal that repeats
};

// Reads an entry of the scene, or of a stage if `stage`; errors become diagnostics.
static scree_status read_removal(struct scree_reading *reading, struct scree_world *world,
                                 const struct scree_node *map, bool stage, struct scree_removal *remove)
{
    const enum scree_key_id inside = stage ? SCREE_KEY_stage_removal_inside : SCREE_KEY_removal_inside;
    const enum scree_key_id group = stage ? SCREE_KEY_stage_removal_group : SCREE_KEY_removal_group;
    *remove = (struct scree_removal){.at = -1, .until = (double)INFINITY};
    remove->anywhere = !scree_reading_has(map, inside);
    if (!remove->anywhere &&
        !scree_reading_region_in(reading, world, scree_reading_node(map, inside), &remove->region))
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
        outside = outside || (!scree_cell_is_periodic_along(world, k) &&
                              (position[k] < cell.lower[k] || position[k] > cell.upper[k]));
    return outside;
}

static bool is_removed(const struct scree_removal *remove, const struct scree_world *world, size_t slot)
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

scree_status scree_insert_delete_remove(struct scree_world *world, size_t row, scree_body_id id)
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

// Removes all matching bodies, in the order of ids.
static scree_status remove_now(struct scree_removal *remove, struct scree_world *world)
{
    scree_region_mesh_follow(&remove->region, world);
    SCREE_ARRAY(uint64_t) ids = {0};
    scree_status status = SCREE_OK;
    for (size_t slot = 0; slot < scree_world_bodies(world) && status == SCREE_OK; ++slot)
        if (is_removed(remove, world, slot))
            status = scree_array_push(&ids, scree_world_ids(world)[slot]);
    if (ids.count > 0)
        qsort(ids.data, ids.count, sizeof *ids.data, compare);
    for (size_t k = 0; k < ids.count && status == SCREE_OK; ++k)
        status = scree_insert_delete_remove(world, remove->row, (scree_body_id){ids.data[k]});
    scree_array_free(&ids);
    return status;
}

// Removes all matching bodies if the current time is within the period of the removal.
static scree_status remove_if_due(void *self, struct scree_host *host)
{
    struct scree_removal *remove = (struct scree_removal *)self;
    const double time = scree_world_time(host->world);
    if (remove->at < 0 &&
        (!scree_instant_has_come(time, remove->from) || !scree_instant_has_come(remove->until, time)))
        return SCREE_OK;
    return remove_now(remove, host->world);
}

// --- reading the scene

static size_t count_of(const struct scree_node *list)
{
    return list ? list->count : 0;
}

static scree_status read_insert(struct scree_reading *reading, struct scree_world *world,
                                const struct scree_node *map, struct scree_insert **insert)
{
    SCREE_TRY(scree_memory_new(1, sizeof **insert, (void **)insert));
    return scree_insert_read(reading, world, map, *insert);
}

bool scree_insert_delete_deletes_outside(struct scree_reading *reading)
{
    const struct scree_node *map = scree_reading_node(reading->root, SCREE_KEY_scene_world);
    size_t word;
    return map &&
           (scree_reading_has(map, SCREE_KEY_world_box) || scree_reading_has(map, SCREE_KEY_world_cell)) &&
           scree_reading_word(reading, map, SCREE_KEY_world_outside, &word) && word == 3;
}

// Reads removals only to report their mistakes.
static scree_status check_removals(struct scree_reading *reading, struct scree_world *world,
                                   const struct scree_node *list, bool stage)
{
    struct scree_removal remove;
    for (size_t k = 0; k < count_of(list); ++k)
        SCREE_TRY(read_removal(reading, world, list->item[k], stage, &remove));
    return SCREE_OK;
}

scree_status scree_insert_delete_check(struct scree_reading *reading, struct scree_world *world)
{
    const struct scree_node *inserts = scree_reading_node(reading->root, SCREE_KEY_scene_insert);
    const uint64_t last = scree_world_entity(world, SCREE_ENTITY_BODY)->pool.last;
    for (size_t k = 0; k < count_of(inserts); ++k) {
        struct scree_insert *insert;
        SCREE_TRY(scree_build_group_bodies(reading, world, inserts->item[k], SCREE_KEY_insert_group, last));
        const scree_status status = read_insert(reading, world, inserts->item[k], &insert);
        scree_memory_free(insert);
        SCREE_TRY(status);
    }
    SCREE_TRY(
        check_removals(reading, world, scree_reading_node(reading->root, SCREE_KEY_scene_remove), false));
    for (size_t s = 1; s <= scree_reading_stages(reading); ++s)
        SCREE_TRY(check_removals(reading, world,
                                 scree_reading_node(scree_reading_stage(reading, s), SCREE_KEY_stage_remove),
                                 true));
    return SCREE_OK;
}

scree_status scree_insert_delete_expected(struct scree_reading *reading, struct scree_world *world,
                                          double time, double *bodies)
{
    const struct scree_node *inserts = scree_reading_node(reading->root, SCREE_KEY_scene_insert);
    *bodies = 0;
    for (size_t k = 0; k < count_of(inserts); ++k) {
        struct scree_insert *insert;
        double due = 0;
        scree_status status = read_insert(reading, world, inserts->item[k], &insert);
        if (status == SCREE_OK)
            status = scree_insert_due(insert, world, time, &due);
        scree_memory_free(insert);
        SCREE_TRY(status);
        *bodies += due;
    }
    return SCREE_OK;
}

// --- during the run

static scree_status add_insert(struct scree_insert_delete *insert_delete, struct scree_host *host,
                               struct scree_schedule *schedule, const struct scree_node *map, bool restarted)
{
    struct scree_insert **insert = &insert_delete->insert[insert_delete->inserts];
    struct scree_schedule_item item = {
        .order = SCREE_SCHEDULE_CHANGE, .step = SCREE_INSERT_DELETE_EVERY, .act = scree_insert_act};
    SCREE_TRY(scree_memory_new(1, sizeof **insert, (void **)insert));
    item.self = *insert;
    (*insert)->row = insert_delete->inserts++;
    SCREE_TRY(scree_insert_read(host->reading, host->world, map, *insert));
    SCREE_TRY(scree_tally_add(host->world, SCREE_TALLY_IN, (*insert)->row));
    return scree_schedule_add(schedule, &item, host->world, restarted);
}

// Adds a removal of the scene, or if `map` is null, the removal of bodies outside of the world's box.
static scree_status add_remove(struct scree_insert_delete *insert_delete, struct scree_host *host,
                               struct scree_schedule *schedule, const struct scree_node *map, bool restarted)
{
    struct scree_removal **remove = &insert_delete->remove[insert_delete->removes];
    struct scree_schedule_item item = {.order = SCREE_SCHEDULE_CHANGE, .act = remove_if_due};
    SCREE_TRY(scree_memory_new(1, sizeof **remove, (void **)remove));
    ++insert_delete->removes;
    **remove = (struct scree_removal){.outside = true, .at = -1, .until = (double)INFINITY};
    if (map)
        SCREE_TRY(read_removal(host->reading, host->world, map, false, *remove));
    (*remove)->row = insert_delete->inserts + insert_delete->removes - 1;
    item.self = *remove;
    if ((*remove)->at >= 0) {
        item.first = item.last = (*remove)->at;
        item.every = 1;
        // a `last` of 0 would mean no limit
        item.last = item.last > 0 ? item.last : 0x1p-1000;
    } else {
        item.step = SCREE_INSERT_DELETE_EVERY;
    }
    SCREE_TRY(scree_tally_add(host->world, SCREE_TALLY_OUT, (*remove)->row));
    return scree_schedule_add(schedule, &item, host->world, restarted);
}

bool scree_insert_delete_stage_removes(struct scree_reading *reading, const struct scree_node *stage)
{
    const struct scree_node *bodies = scree_reading_node(stage, SCREE_KEY_stage_bodies);
    bool removes = scree_reading_has(stage, SCREE_KEY_stage_remove);
    for (size_t k = 0; k < count_of(bodies); ++k) {
        bool remove = false;
        (void)scree_reading_flag(reading, bodies->item[k], SCREE_KEY_body_change_remove, &remove);
        removes = removes || remove;
    }
    return removes;
}

static bool any_stage_removes(struct scree_reading *reading)
{
    bool any = false;
    for (size_t s = 1; s <= scree_reading_stages(reading); ++s)
        any = any || scree_insert_delete_stage_removes(reading, scree_reading_stage(reading, s));
    return any;
}

scree_status scree_insert_delete_open(struct scree_insert_delete *insert_delete, struct scree_host *host,
                                      struct scree_schedule *schedule, bool restarted)
{
    const struct scree_node *inserts = scree_reading_node(host->reading->root, SCREE_KEY_scene_insert);
    const struct scree_node *removes = scree_reading_node(host->reading->root, SCREE_KEY_scene_remove);
    SCREE_TRY(
        scree_memory_new(count_of(inserts), sizeof *insert_delete->insert, (void **)&insert_delete->insert));
    SCREE_TRY(scree_memory_new(count_of(removes) + 1, sizeof *insert_delete->remove,
                               (void **)&insert_delete->remove));
    for (size_t k = 0; k < count_of(inserts); ++k)
        SCREE_TRY(add_insert(insert_delete, host, schedule, inserts->item[k], restarted));
    for (size_t k = 0; k < count_of(removes); ++k)
        SCREE_TRY(add_remove(insert_delete, host, schedule, removes->item[k], restarted));
    if (scree_insert_delete_deletes_outside(host->reading))
        SCREE_TRY(add_remove(insert_delete, host, schedule, NULL, restarted));
    insert_delete->stage_row = insert_delete->inserts + insert_delete->removes;
    if (any_stage_removes(host->reading))
        SCREE_TRY(scree_tally_add(host->world, SCREE_TALLY_OUT, insert_delete->stage_row));
    return host->reading->diagnostics.all == 0 ? SCREE_OK : SCREE_ERROR_ARGUMENT;
}

void scree_insert_delete_close(struct scree_insert_delete *insert_delete)
{
    for (size_t k = 0; k < insert_delete->inserts; ++k)
        scree_memory_free(insert_delete->insert[k]);
    for (size_t k = 0; k < insert_delete->removes; ++k)
        scree_memory_free(insert_delete->remove[k]);
    scree_memory_free(insert_delete->insert);
    scree_memory_free(insert_delete->remove);
    *insert_delete = (struct scree_insert_delete){0};
}

scree_status scree_insert_delete_apply_stage(const struct scree_insert_delete *insert_delete,
                                             struct scree_host *host, const struct scree_node *list)
{
    for (size_t k = 0; k < count_of(list); ++k) {
        struct scree_removal remove;
        SCREE_TRY(read_removal(host->reading, host->world, list->item[k], true, &remove));
        remove.row = insert_delete->stage_row;
        SCREE_TRY(remove_now(&remove, host->world));
    }
    return SCREE_OK;
}
