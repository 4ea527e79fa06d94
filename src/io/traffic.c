// What comes and goes on the way of a run, see traffic.h.

#include "io/traffic.h"

#include "io/build.h"
#include "io/run.h"
#include "world/entity.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static const char entity_name[] = "traffic";
enum { WAY, BODIES, MASS };
static const struct scree_field_def fields[] = {
    [WAY] = {.entity = entity_name,
             .name = "way",
             .type = SCREE_U64,
             .width = 1,
             .flags = SCREE_PERSISTED,
             .about = "1 for what comes in, 2 for what is taken out."},
    [BODIES] = {.entity = entity_name,
                .name = "bodies",
                .type = SCREE_U64,
                .width = 1,
                .flags = SCREE_PERSISTED,
                .about = "How many have come in or were taken out."},
    [MASS] = {.entity = entity_name,
              .name = "mass",
              .type = SCREE_F64,
              .width = 1,
              .unit = "kg",
              .flags = SCREE_PERSISTED,
              .about = "Their mass."},
};

// --- rows

static struct scree_entity *find_entity(const struct scree_world *world)
{
    return scree_registry_entity(&world->registry, entity_name);
}

// The value of a field in a row.
static void *at(const struct scree_entity *entity, const struct scree_field_def *def, size_t row)
{
    for (size_t f = 0; f < entity->fields.count; ++f)
        if (strcmp(entity->fields.data[f].name, def->name) == 0)
            return (void *)(uintptr_t)scree_registry_at(entity, &entity->fields.data[f], row);
    return NULL;
}

static scree_status add_row(struct scree_world *world, enum scree_traffic_way way, size_t row)
{
    uint64_t id;
    if (!find_entity(world)) {
        SCREE_TRY(scree_field_add_entity(world, entity_name));
        for (size_t f = 0; f < sizeof fields / sizeof fields[0]; ++f)
            SCREE_TRY(scree_field_add(world, &fields[f]));
    }
    if (row < find_entity(world)->count)
        return SCREE_OK;
    SCREE_TRY(scree_field_add_row(world, entity_name, &id));
    *(uint64_t *)at(find_entity(world), &fields[WAY], row) = way;
    return SCREE_OK;
}

void scree_traffic_get(const struct scree_world *world, size_t row, uint64_t *bodies, double *mass)
{
    *bodies = *(const uint64_t *)at(find_entity(world), &fields[BODIES], row);
    *mass = *(const double *)at(find_entity(world), &fields[MASS], row);
}

void scree_traffic_set(struct scree_world *world, size_t row, uint64_t bodies, double mass)
{
    *(uint64_t *)at(find_entity(world), &fields[BODIES], row) = bodies;
    *(double *)at(find_entity(world), &fields[MASS], row) = mass;
}

void scree_traffic_sum(const struct scree_world *world, enum scree_traffic_way way, uint64_t *bodies,
                       double *mass)
{
    const struct scree_entity *entity = find_entity(world);
    *bodies = 0;
    *mass = 0;
    // rows never move, so the order of this sum is theirs
    for (size_t row = 0; entity && row < entity->count; ++row) {
        uint64_t number;
        double amount;
        if (*(const uint64_t *)at(entity, &fields[WAY], row) != way)
            continue;
        scree_traffic_get(world, row, &number, &amount);
        *bodies += number;
        *mass += amount;
    }
}

// --- what the scene says

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

static bool deletes_outside(struct scree_reading *reading)
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

static const struct scree_node *stage_removals(const struct scree_reading *reading, size_t number)
{
    const struct scree_node *stages = scree_reading_node(reading->root, SCREE_KEY_scene_run);
    return scree_reading_node(stages->kind == SCREE_NODE_LIST ? stages->item[number] : stages,
                              SCREE_KEY_stage_remove);
}

scree_status scree_traffic_try(struct scree_reading *reading, struct scree_world *world)
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
    for (size_t s = 0; s < scree_stage_count(reading); ++s)
        SCREE_TRY(try_removals(reading, world, stage_removals(reading, s), true));
    return SCREE_OK;
}

// --- on the way

static scree_status add_insert(struct scree_run *run, const struct scree_node *map, bool goes_on)
{
    struct scree_traffic *traffic = &run->traffic;
    struct scree_insert **insert = &traffic->insert[traffic->inserts];
    struct scree_agenda_item item = {
        .order = SCREE_AGENDA_CHANGE, .step = SCREE_TRAFFIC_EVERY, .act = scree_insert_act};
    SCREE_TRY(scree_memory_new(1, sizeof **insert, (void **)insert));
    item.self = *insert;
    (*insert)->row = traffic->inserts++;
    SCREE_TRY(scree_insert_read(run->reading, run->world, map, *insert));
    SCREE_TRY(add_row(run->world, SCREE_TRAFFIC_IN, (*insert)->row));
    return scree_agenda_add(&run->agenda, &item, run->world, goes_on);
}

// Of an entry of the scene, or of the bounds of the world where there is none.
static scree_status add_remove(struct scree_run *run, const struct scree_node *map, bool goes_on)
{
    struct scree_traffic *traffic = &run->traffic;
    struct scree_remove **remove = &traffic->remove[traffic->removes];
    struct scree_agenda_item item = {.order = SCREE_AGENDA_CHANGE, .act = scree_remove_act};
    SCREE_TRY(scree_memory_new(1, sizeof **remove, (void **)remove));
    ++traffic->removes;
    **remove = (struct scree_remove){.outside = true, .at = -1, .until = (double)INFINITY};
    if (map)
        SCREE_TRY(scree_remove_read(run->reading, run->world, map, false, *remove));
    (*remove)->row = traffic->inserts + traffic->removes - 1;
    item.self = *remove;
    if ((*remove)->at >= 0) {
        item.first = item.last = (*remove)->at;
        item.every = 1;
        // for ever is what 0 says there
        item.last = item.last > 0 ? item.last : 0x1p-1000;
    } else {
        item.step = SCREE_TRAFFIC_EVERY;
    }
    SCREE_TRY(add_row(run->world, SCREE_TRAFFIC_OUT, (*remove)->row));
    return scree_agenda_add(&run->agenda, &item, run->world, goes_on);
}

static bool stages_remove(const struct scree_reading *reading)
{
    bool any = false;
    for (size_t s = 0; s < scree_stage_count(reading); ++s)
        any = any || stage_removals(reading, s);
    return any;
}

scree_status scree_traffic_open(struct scree_run *run, bool goes_on)
{
    struct scree_traffic *traffic = &run->traffic;
    const struct scree_node *inserts = scree_reading_node(run->reading->root, SCREE_KEY_scene_insert);
    const struct scree_node *removes = scree_reading_node(run->reading->root, SCREE_KEY_scene_remove);
    SCREE_TRY(scree_memory_new(count_of(inserts), sizeof *traffic->insert, (void **)&traffic->insert));
    SCREE_TRY(scree_memory_new(count_of(removes) + 1, sizeof *traffic->remove, (void **)&traffic->remove));
    for (size_t k = 0; k < count_of(inserts); ++k)
        SCREE_TRY(add_insert(run, inserts->item[k], goes_on));
    for (size_t k = 0; k < count_of(removes); ++k)
        SCREE_TRY(add_remove(run, removes->item[k], goes_on));
    if (deletes_outside(run->reading))
        SCREE_TRY(add_remove(run, NULL, goes_on));
    traffic->stages = traffic->inserts + traffic->removes;
    if (stages_remove(run->reading))
        SCREE_TRY(add_row(run->world, SCREE_TRAFFIC_OUT, traffic->stages));
    return run->reading->complaints.all == 0 ? SCREE_OK : SCREE_ERROR_ARGUMENT;
}

void scree_traffic_close(struct scree_run *run)
{
    struct scree_traffic *traffic = &run->traffic;
    for (size_t k = 0; k < traffic->inserts; ++k)
        scree_memory_free(traffic->insert[k]);
    for (size_t k = 0; k < traffic->removes; ++k)
        scree_memory_free(traffic->remove[k]);
    scree_memory_free(traffic->insert);
    scree_memory_free(traffic->remove);
    *traffic = (struct scree_traffic){0};
}

scree_status scree_traffic_clear(struct scree_run *run, const struct scree_node *list)
{
    for (size_t k = 0; k < count_of(list); ++k) {
        struct scree_remove remove;
        SCREE_TRY(scree_remove_read(run->reading, run->world, list->item[k], true, &remove));
        remove.row = run->traffic.stages;
        SCREE_TRY(scree_remove_now(&remove, run->world));
    }
    return SCREE_OK;
}
