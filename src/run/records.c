// The records of a run, see records.h.

#include "run/records.h"

#include "base/clock.h"
#include "base/memory.h"
#include "run/host.h"
#include "run/schedule.h"

#include <scree/world.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const struct scree_record_kind *const kinds[] = {
    &scree_table_kind,  &scree_track_kind,        &scree_frames_kind, &scree_dump_kind,
    &scree_events_kind, &scree_distribution_kind, &scree_save_kind};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static scree_status take(struct scree_record *record, struct scree_host *host)
{
    const double start = scree_clock_now();
    record->last_taken = scree_world_steps(host->world) + 1;
    const scree_status status = record->kind->take(record->self, host);
    host->profile.seconds[SCREE_PROFILE_RECORDS] += scree_clock_now() - start;
    return status;
}

static scree_status act(void *self, struct scree_host *host)
{
    struct scree_record *record = (struct scree_record *)self;
    return !record->in_stage || record->in_stage[host->stage] ? take(record, host) : SCREE_OK;
}

static const struct scree_record_kind *kind_of(const struct scree_node *map)
{
    for (size_t k = 0; k < KINDS; ++k)
        if (scree_reading_has(map, kinds[k]->key))
            return kinds[k];
    return NULL;
}

static scree_status read_stages(struct scree_host *host, const struct scree_node *map, bool **in_stage)
{
    const size_t stages = scree_reading_stages(host->reading);
    uint64_t stage;
    if (!scree_reading_has(map, SCREE_KEY_record_stages))
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(stages + 1, sizeof **in_stage, (void **)in_stage));
    for (size_t k = 0; k < scree_reading_count(map, SCREE_KEY_record_stages); ++k)
        if (scree_reading_whole_at(host->reading, map, SCREE_KEY_record_stages, k, &stage) && stage <= stages)
            (*in_stage)[stage] = true;
    return SCREE_OK;
}

// Warns that a file to continue with is missing.
static void warn_if_missing(void *user, const char *kind, const char *path)
{
    const struct scree_host *host = (const struct scree_host *)user;
    struct stat info;
    char *text;
    const size_t size = strlen(path) + 200;
    if (lstat(path, &info) == 0 || errno != ENOENT || scree_memory_new(size, 1, (void **)&text) != SCREE_OK)
        return;
    snprintf(text, size, "the %s '%s' of this run is missing: a new one starts at %g s", kind, path,
             scree_world_time(host->world));
    scree_host_warn(host, text);
    scree_memory_free(text);
}

// Checks and schedules one record. After a restart its files are truncated to its mark; it starts new files
// if its folder or its file name has changed.
static scree_status check_record(struct scree_records *records, struct scree_host *host,
                                 struct scree_schedule *schedule, const struct scree_node *map,
                                 const uint64_t *mark)
{
    const struct scree_record_kind *kind = kind_of(map);
    struct scree_reading_every every = {.steps = kind ? kind->steps : 0};
    struct scree_record *record;
    const bool has_every = every.steps == 0 || scree_reading_has(map, SCREE_KEY_record_every);
    if (!kind || (has_every && !scree_reading_value(host->reading, map, SCREE_KEY_record_every, &every)))
        return SCREE_ERROR_ARGUMENT;
    SCREE_TRY(scree_array_reserve(&records->list, records->list.count + 1));
    SCREE_TRY(scree_memory_new(1, sizeof *record, (void **)&record));
    records->list.data[records->list.count++] = record;
    record->kind = kind;
    const bool is_new = host->def->folder || (mark && *mark == SCREE_RECORDS_NO_MARK);
    SCREE_TRY(read_stages(host, map, &record->in_stage));
    SCREE_TRY(scree_memory_new(kind->size, 1, &record->self));
    SCREE_TRY(kind->check(record->self, host, map, is_new ? NULL : mark));
    if (mark && !is_new && !kind->is_checkpoint && *mark > 0)
        kind->list_files(record->self, warn_if_missing, host);
    const struct scree_schedule_item item = {.order = kind->is_checkpoint ? SCREE_SCHEDULE_SAVE
                                                                          : SCREE_SCHEDULE_RECORD,
                                             .first = host->run_start,
                                             .every = every.time,
                                             .first_step = host->run_first_step,
                                             .step = every.steps,
                                             .act = act,
                                             .self = record};
    return scree_schedule_add(schedule, &item, host->world, mark != NULL);
}

scree_status scree_records_check(struct scree_records *records, struct scree_host *host,
                                 struct scree_schedule *schedule, const uint64_t *marks, size_t count)
{
    const struct scree_node *list = scree_reading_node(host->reading->root, SCREE_KEY_scene_record);
    for (size_t k = 0; list && k < list->count; ++k)
        SCREE_TRY(
            check_record(records, host, schedule, list->item[k], marks && k < count ? &marks[k] : NULL));
    return SCREE_OK;
}

scree_status scree_records_begin(struct scree_records *records)
{
    for (size_t r = 0; r < records->list.count; ++r)
        if (records->list.data[r]->kind->lock)
            SCREE_TRY(records->list.data[r]->kind->lock(records->list.data[r]->self));
    for (size_t r = 0; r < records->list.count; ++r)
        SCREE_TRY(records->list.data[r]->kind->begin(records->list.data[r]->self));
    return SCREE_OK;
}

scree_status scree_records_save(struct scree_records *records, struct scree_host *host)
{
    for (size_t r = 0; r < records->list.count; ++r) {
        struct scree_record *record = records->list.data[r];
        if (record->kind->is_checkpoint && record->last_taken != scree_world_steps(host->world) + 1)
            SCREE_TRY(take(record, host));
    }
    return SCREE_OK;
}

bool scree_records_can_save(const struct scree_records *records)
{
    for (size_t r = 0; r < records->list.count; ++r)
        if (records->list.data[r]->kind->is_checkpoint)
            return true;
    return false;
}

void scree_records_list_files(const struct scree_records *records, scree_record_visit *visit, void *user)
{
    for (size_t r = 0; r < records->list.count; ++r)
        records->list.data[r]->kind->list_files(records->list.data[r]->self, visit, user);
}

scree_status scree_records_close(struct scree_records *records)
{
    scree_status status = SCREE_OK;
    for (size_t r = 0; r < records->list.count; ++r) {
        struct scree_record *record = records->list.data[r];
        const scree_status closed = record->self ? record->kind->close(record->self) : SCREE_OK;
        status = status == SCREE_OK ? closed : status;
        scree_memory_free(record->self);
        scree_memory_free(record->in_stage);
        scree_memory_free(record);
    }
    scree_array_free(&records->list);
    return status;
}
