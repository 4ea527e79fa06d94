// Insertion and deletion of bodies during a run, see insert_delete.h.

#include "run/insert_delete.h"

#include "build/build.h"
#include "measure/tally.h"
#include "run/host.h"
#include "run/schedule.h"
#include "world/world.h"

#include <math.h>

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
    return map && scree_reading_has(map, SCREE_KEY_world_box) &&
           scree_reading_word(reading, map, SCREE_KEY_world_outside, &word) && word == 3;
}

static scree_status try_removals(struct scree_reading *reading, struct scree_world *world,
                                 const struct scree_node *list, bool stage)
{
    struct scree_remove remove;
    for (size_t k = 0; k < count_of(list); ++k)
        SCREE_TRY(scree_remove_read(reading, world, list->item[k], stage, &remove));
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
    SCREE_TRY(try_removals(reading, world, scree_reading_node(reading->root, SCREE_KEY_scene_remove), false));
    for (size_t s = 1; s <= scree_reading_stages(reading); ++s)
        SCREE_TRY(try_removals(reading, world,
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
        double own = 0;
        scree_status status = read_insert(reading, world, inserts->item[k], &insert);
        if (status == SCREE_OK)
            status = scree_insert_due(insert, world, time, &own);
        scree_memory_free(insert);
        SCREE_TRY(status);
        *bodies += own;
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
    struct scree_remove **remove = &insert_delete->remove[insert_delete->removes];
    struct scree_schedule_item item = {.order = SCREE_SCHEDULE_CHANGE, .act = scree_remove_act};
    SCREE_TRY(scree_memory_new(1, sizeof **remove, (void **)remove));
    ++insert_delete->removes;
    **remove = (struct scree_remove){.outside = true, .at = -1, .until = (double)INFINITY};
    if (map)
        SCREE_TRY(scree_remove_read(host->reading, host->world, map, false, *remove));
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
    bool takes = scree_reading_has(stage, SCREE_KEY_stage_remove);
    for (size_t k = 0; k < count_of(bodies); ++k) {
        bool remove = false;
        (void)scree_reading_flag(reading, bodies->item[k], SCREE_KEY_alter_remove, &remove);
        takes = takes || remove;
    }
    return takes;
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
    insert_delete->stages = insert_delete->inserts + insert_delete->removes;
    if (any_stage_removes(host->reading))
        SCREE_TRY(scree_tally_add(host->world, SCREE_TALLY_OUT, insert_delete->stages));
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

scree_status scree_insert_delete_clear(const struct scree_insert_delete *insert_delete,
                                       struct scree_host *host, const struct scree_node *list)
{
    for (size_t k = 0; k < count_of(list); ++k) {
        struct scree_remove remove;
        SCREE_TRY(scree_remove_read(host->reading, host->world, list->item[k], true, &remove));
        remove.row = insert_delete->stages;
        SCREE_TRY(scree_remove_now(&remove, host->world));
    }
    return SCREE_OK;
}
