// Records of a run, see record.h.

#include "run/record.h"

#include "base/clock.h"
#include "base/memory.h"
#include "run/dump.h"
#include "run/frames.h"
#include "run/run.h"
#include "run/save.h"
#include "run/table.h"
#include "run/track.h"

#include <scree/world.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const struct scree_record_kind *const kinds[] = {
    &scree_table_kind, &scree_track_kind, &scree_frames_kind, &scree_dump_kind, &scree_save_kind};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static scree_status take(struct scree_record *record, struct scree_run *run)
{
    const double begun = scree_clock_now();
    record->taken = scree_world_steps(run->world) + 1;
    const scree_status status = record->kind->take(record->self, run);
    run->profile.seconds[SCREE_PROFILE_RECORDS] += scree_clock_now() - begun;
    return status;
}

static scree_status act(void *self, struct scree_run *run)
{
    struct scree_record *record = (struct scree_record *)self;
    return !record->during || record->during[run->stage.number] ? take(record, run) : SCREE_OK;
}

static const struct scree_record_kind *kind_of(const struct scree_node *map)
{
    for (size_t k = 0; k < KINDS; ++k)
        if (scree_reading_has(map, kinds[k]->key))
            return kinds[k];
    return NULL;
}

static scree_status read_stages(struct scree_run *run, const struct scree_node *map, bool **during)
{
    const size_t stages = scree_stage_count(run->reading);
    uint64_t stage;
    if (!scree_reading_has(map, SCREE_KEY_record_stages))
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(stages + 1, sizeof **during, (void **)during));
    for (size_t k = 0; k < scree_reading_count(map, SCREE_KEY_record_stages); ++k)
        if (scree_reading_whole_at(run->reading, map, SCREE_KEY_record_stages, k, &stage) && stage <= stages)
            (*during)[stage] = true;
    return SCREE_OK;
}

// Warns of a file that is not there to go on with.
static void warn_of_gone(void *user, const char *kind, const char *path)
{
    const struct scree_run *run = (const struct scree_run *)user;
    struct stat facts;
    char *text;
    const size_t room = strlen(path) + 200;
    if (lstat(path, &facts) == 0 || errno != ENOENT || scree_memory_new(room, 1, (void **)&text) != SCREE_OK)
        return;
    snprintf(text, room, "the %s '%s', which this run was writing, is gone: another begins at %g s", kind,
             path, scree_world_time(run->world));
    scree_run_warn(run, text);
    scree_memory_free(text);
}

// What is in another folder than the run's own, or has another name than it had, is not cut: it begins anew
// there.
static scree_status look_at(struct scree_run *run, const struct scree_node *map, const uint64_t *mark)
{
    const struct scree_record_kind *kind = kind_of(map);
    struct scree_pace pace;
    struct scree_record *record;
    if (!kind || !scree_reading_pace(run->reading, map, SCREE_KEY_record_every, &pace))
        return SCREE_ERROR_ARGUMENT;
    SCREE_TRY(scree_array_reserve(&run->records.list, run->records.list.count + 1));
    SCREE_TRY(scree_memory_new(1, sizeof *record, (void **)&record));
    run->records.list.data[run->records.list.count++] = record;
    record->kind = kind;
    const bool fresh = run->def->folder || (mark && *mark == SCREE_SAVE_NO_MARK);
    SCREE_TRY(read_stages(run, map, &record->during));
    SCREE_TRY(scree_memory_new(kind->size, 1, &record->self));
    SCREE_TRY(kind->look(record->self, run, map, fresh ? NULL : mark));
    if (mark && !fresh && !kind->saves && *mark > 0)
        kind->tell(record->self, warn_of_gone, run);
    const struct scree_agenda_item item = {.order = kind->saves ? SCREE_AGENDA_SAVE : SCREE_AGENDA_KEEP,
                                           .first = run->began,
                                           .every = pace.time,
                                           .first_step = run->began_step,
                                           .step = pace.steps,
                                           .act = act,
                                           .self = record};
    return scree_agenda_add(&run->agenda, &item, run->world, mark != NULL);
}

scree_status scree_record_look_all(struct scree_run *run, const uint64_t *marks, size_t count)
{
    const struct scree_node *list = scree_reading_node(run->reading->root, SCREE_KEY_scene_record);
    for (size_t k = 0; list && k < list->count; ++k)
        SCREE_TRY(look_at(run, list->item[k], marks && k < count ? &marks[k] : NULL));
    return SCREE_OK;
}

scree_status scree_record_begin_all(struct scree_run *run)
{
    for (size_t r = 0; r < run->records.list.count; ++r)
        SCREE_TRY(run->records.list.data[r]->kind->begin(run->records.list.data[r]->self));
    return SCREE_OK;
}

scree_status scree_record_save_all(struct scree_run *run)
{
    for (size_t r = 0; r < run->records.list.count; ++r) {
        struct scree_record *record = run->records.list.data[r];
        if (record->kind->saves && record->taken != scree_world_steps(run->world) + 1)
            SCREE_TRY(take(record, run));
    }
    return SCREE_OK;
}

bool scree_record_saves(const struct scree_run *run)
{
    for (size_t r = 0; r < run->records.list.count; ++r)
        if (run->records.list.data[r]->kind->saves)
            return true;
    return false;
}

scree_status scree_record_mark_all(struct scree_run *run, uint64_t *marks)
{
    for (size_t r = 0; r < run->records.list.count; ++r)
        SCREE_TRY(run->records.list.data[r]->kind->mark(run->records.list.data[r]->self, &marks[r]));
    return SCREE_OK;
}

void scree_record_tell_all(const struct scree_run *run, scree_record_told *tell, void *user)
{
    for (size_t r = 0; r < run->records.list.count; ++r)
        run->records.list.data[r]->kind->tell(run->records.list.data[r]->self, tell, user);
}

scree_status scree_record_close_all(struct scree_run *run)
{
    scree_status status = SCREE_OK;
    for (size_t r = 0; r < run->records.list.count; ++r) {
        struct scree_record *record = run->records.list.data[r];
        const scree_status closed = record->self ? record->kind->close(record->self) : SCREE_OK;
        status = status == SCREE_OK ? closed : status;
        scree_memory_free(record->self);
        scree_memory_free(record->during);
        scree_memory_free(record);
    }
    scree_array_free(&run->records.list);
    return status;
}
