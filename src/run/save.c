// The record `checkpoint`, see save.h.

#include "run/save.h"

#include "base/memory.h"
#include "file/atomic.h"
#include "file/path.h"
#include "language/print.h"
#include "run/host.h"
#include "run/record.h"
#include "text/utf8.h"

#include <scree/checkpoint.h>
#include <scree/field.h>
#include <scree/world.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- the run in the file

struct text {
    SCREE_ARRAY(char) all;
    scree_status status;
};

static void append(void *user, const char *piece)
{
    struct text *text = (struct text *)user;
    const size_t length = strlen(piece);
    if (text->status == SCREE_OK)
        text->status = scree_array_reserve(&text->all, text->all.count + length);
    if (text->status != SCREE_OK)
        return;
    memcpy(text->all.data + text->all.count, piece, length);
    text->all.count += length;
}

// To be freed also after a failure.
static scree_status print_scene(struct scree_host *host, struct text *text)
{
    *text = (struct text){.status = SCREE_OK};
    const scree_status status = scree_print_plain(host->reading, append, text);
    return status == SCREE_OK ? text->status : status;
}

static scree_status put_scene(struct scree_hdf *hdf, struct scree_host *host)
{
    struct text text;
    scree_status status = print_scene(host, &text);
    if (status == SCREE_OK)
        status = scree_hdf_write(hdf, "/run/scene", &(struct scree_hdf_shape){SCREE_CHAR, text.all.count, 0},
                                 text.all.data, 0);
    scree_array_free(&text.all);
    return status;
}

// Whether a scene can be read that has this text, which is freed.
static scree_status try_text(char *text, size_t length)
{
    struct scree_diagnostics diagnostics = {0};
    struct scree_tree tree = {.diagnostics = &diagnostics};
    struct scree_node *root;
    scree_status status = scree_tree_read(&tree, "the scene", text, length, &root);
    if (status == SCREE_OK && diagnostics.all > 0)
        status = diagnostics.list.count > 0
                     ? scree_status_fail(SCREE_ERROR_LIMIT, "%s", diagnostics.list.data[0].what)
                     : scree_status_fail(SCREE_ERROR_MEMORY, "no memory for what is wrong with the scene");
    scree_tree_free(&tree);
    scree_diagnostic_free(&diagnostics);
    return status;
}

scree_status scree_save_try(struct scree_host *host)
{
    struct text text;
    char why[SCREE_DIAGNOSTIC_LENGTH];
    scree_status status = print_scene(host, &text);
    if (status == SCREE_OK)
        status = scree_array_push(&text.all, '\0');
    if (status == SCREE_OK) {
        status = try_text(text.all.data, text.all.count - 1);
        text.all.data = NULL;
    }
    scree_array_free(&text.all);
    if (status != SCREE_ERROR_LIMIT)
        return status;
    snprintf(why, sizeof why, "%s", scree_status_message());
    return scree_status_fail(status,
                             "no checkpoint of this run could be gone on from: its scene, written out with "
                             "its aliases and the files that it includes, cannot be read back (%s)",
                             why);
}

static scree_status put_marks(struct scree_hdf *hdf, struct scree_host *host)
{
    const struct scree_records *records = host->records;
    const size_t count = records->list.count;
    uint64_t *marks;
    SCREE_TRY(scree_memory_new(count, sizeof *marks, (void **)&marks));
    scree_status status = SCREE_OK;
    for (size_t r = 0; r < count && status == SCREE_OK; ++r)
        status = records->list.data[r]->kind->mark(records->list.data[r]->self, &marks[r]);
    if (status == SCREE_OK)
        status = scree_hdf_write(hdf, "/run/marks", &(struct scree_hdf_shape){SCREE_U64, count, 0}, marks, 0);
    scree_memory_free(marks);
    return status;
}

static scree_status put_run(struct scree_hdf *hdf, struct scree_host *host, const char *name)
{
    const char *title = "", *slash = strrchr(host->reading->name, '/');
    char text[256];
    const struct scree_node *root = host->reading->root;
    const uint64_t steps[3] = {host->began_step, host->stage, host->stage_first_step};
    const double times[3] = {host->began, host->stage_start, host->def->until};
    if (scree_reading_has(root, SCREE_KEY_scene_title))
        (void)scree_reading_text(host->reading, root, SCREE_KEY_scene_title, &title);
    SCREE_TRY(scree_hdf_group(hdf, "/run"));
    SCREE_TRY(scree_hdf_set(hdf, "/run", "began, stage, first step of it", SCREE_U64, 3, steps));
    SCREE_TRY(scree_hdf_set(hdf, "/run", "began, start of stage, until", SCREE_F64, 3, times));
    snprintf(text, sizeof text, "%.*s", (int)scree_utf8_fit(title, 100), title);
    SCREE_TRY(scree_hdf_set_text(hdf, "/run", "title", text));
    const char *scene = slash ? slash + 1 : host->reading->name;
    snprintf(text, sizeof text, "%.*s", (int)scree_utf8_fit(scene, 200), scene);
    SCREE_TRY(scree_hdf_set_text(hdf, "/run", "name", text));
    SCREE_TRY(scree_hdf_set_text(hdf, "/run", "record", name));
    SCREE_TRY(put_marks(hdf, host));
    return put_scene(hdf, host);
}

// --- the file

// Of the writer's thread: an image that is finished.
struct job {
    char *path;
    void *image;
    size_t size;
    uint64_t steps;
    bool any; // the one before may be of any step
};

static void free_job(void *user)
{
    struct job *job = (struct job *)user;
    scree_memory_free(job->path);
    scree_memory_free(job->image);
    scree_memory_free(job);
}

// The name of the one before; freed by scree_memory_free.
static scree_status name_previous(const char *path, char **older)
{
    const size_t length = strlen(path) + sizeof SCREE_CHECKPOINT_PREVIOUS;
    SCREE_TRY(scree_memory_new(length, 1, (void **)older));
    snprintf(*older, length, "%s%s", path, SCREE_CHECKPOINT_PREVIOUS);
    return SCREE_OK;
}

static scree_status do_job(void *user)
{
    struct job *job = (struct job *)user;
    const struct scree_atomic_piece piece = {job->image, job->size};
    struct scree_checkpoint_facts facts;
    char *older;
    scree_checkpoint_checksum(job->image, job->size);
    SCREE_TRY(name_previous(job->path, &older));
    // what is damaged does not take the place of one that is whole; nor does what is later than this one, of
    // a future that was given up
    const scree_status looked = scree_checkpoint_info(job->path, &facts);
    const bool keeps = looked == SCREE_OK && (job->any || facts.steps < job->steps);
    const scree_status status = looked == SCREE_ERROR_MEMORY
                                    ? looked
                                    : scree_atomic_replace(job->path, keeps ? older : NULL, &piece, 1);
    scree_memory_free(older);
    return status;
}

// The state as an image; the world is copied here, and written elsewhere.
static scree_status make_image(struct scree_host *host, const char *name, void **image, size_t *size)
{
    struct scree_hdf hdf;
    SCREE_TRY(scree_field_commit(host->world));
    SCREE_TRY(scree_checkpoint_begin(&hdf));
    scree_status status = scree_checkpoint_put(&hdf, host->world);
    if (status == SCREE_OK)
        status = put_run(&hdf, host, name);
    if (status == SCREE_OK)
        return scree_hdf_finish(&hdf, image, size);
    scree_hdf_close(&hdf);
    return status;
}

scree_status scree_save_write(struct scree_host *host, const char *name, bool any)
{
    struct job *job;
    SCREE_TRY(scree_memory_new(1, sizeof *job, (void **)&job));
    job->steps = scree_world_steps(host->world);
    job->any = any;
    scree_status status = scree_path_make(host->folder, name, &job->path);
    if (status == SCREE_OK)
        status = make_image(host, name, &job->image, &job->size);
    if (status == SCREE_OK)
        return scree_writer_submit(host->writer, do_job, free_job, job);
    free_job(job);
    return status;
}

// --- the record

struct record {
    char *path;
    bool fresh;       // nothing that is there belongs to the run
    const char *name; // in the scene
};

// The one before is a result as well.
static scree_status refuse_taken(const char *path, const char *older)
{
    struct stat facts;
    const char *there = lstat(path, &facts) == 0 ? path : lstat(older, &facts) == 0 ? older : NULL;
    return there ? scree_status_fail(SCREE_ERROR_EXISTS,
                                     "'%s' is there already: go on from it (scree restart), take another "
                                     "name, another folder, or let it be written over",
                                     there)
                 : SCREE_OK;
}

static scree_status look_save(void *self, struct scree_host *host, const struct scree_node *map,
                              const uint64_t *mark)
{
    struct record *record = (struct record *)self;
    char *older;
    if (!scree_reading_text(host->reading, map, SCREE_KEY_record_checkpoint, &record->name))
        return SCREE_ERROR_ARGUMENT;
    SCREE_TRY(scree_path_inspect(host->folder, record->name, &record->path));
    SCREE_TRY(name_previous(record->path, &older));
    record->fresh = !mark;
    scree_status status = mark || host->def->force ? SCREE_OK : refuse_taken(record->path, older);
    if (status == SCREE_OK)
        status = scree_atomic_check(record->path, older);
    scree_memory_free(older);
    return status;
}

static scree_status take_away(const char *path)
{
    return unlink(path) == 0 || errno == ENOENT
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_IO, "cannot take away '%s': %s", path, strerror(errno));
}

// What the checkpoints of a run that is written over tell of its other results is no longer so.
static scree_status begin_save(void *self)
{
    const struct record *record = (const struct record *)self;
    char *older;
    SCREE_TRY(scree_path_make_way(record->path));
    if (!record->fresh)
        return SCREE_OK;
    SCREE_TRY(name_previous(record->path, &older));
    scree_status status = take_away(older);
    if (status == SCREE_OK)
        status = take_away(record->path);
    scree_memory_free(older);
    return status;
}

static scree_status take_save(void *self, struct scree_host *host)
{
    return scree_save_write(host, ((const struct record *)self)->name, false);
}

// A checkpoint is not cut back: the run goes on from it.
static scree_status mark_save(void *self, uint64_t *mark)
{
    (void)self;
    *mark = 0;
    return SCREE_OK;
}

// Where none could be written, there may be none; what is there is of this run.
static void tell_save(const void *self, scree_record_told *tell, void *user)
{
    const struct record *record = (const struct record *)self;
    struct stat facts;
    if (stat(record->path, &facts) == 0)
        tell(user, "checkpoint", record->path);
}

static scree_status close_save(void *self)
{
    scree_memory_free(((struct record *)self)->path);
    return SCREE_OK;
}

const struct scree_record_kind scree_save_kind = {.key = SCREE_KEY_record_checkpoint,
                                                  .size = sizeof(struct record),
                                                  .saves = true,
                                                  .check = look_save,
                                                  .begin = begin_save,
                                                  .take = take_save,
                                                  .mark = mark_save,
                                                  .tell = tell_save,
                                                  .close = close_save};

// --- reading

static scree_status read_marks(struct scree_hdf *hdf, struct scree_save *save)
{
    struct scree_hdf_shape shape;
    SCREE_TRY(scree_hdf_find(hdf, "/run/marks", &shape));
    save->records = shape.rows;
    SCREE_TRY(scree_memory_new(shape.rows, sizeof *save->marks, (void **)&save->marks));
    return scree_hdf_read(hdf, "/run/marks", &(struct scree_hdf_shape){SCREE_U64, shape.rows, 0},
                          save->marks);
}

static scree_status read_scene(struct scree_hdf *hdf, struct scree_save *save)
{
    struct scree_hdf_shape shape;
    SCREE_TRY(scree_hdf_find(hdf, "/run/scene", &shape));
    save->length = shape.rows;
    SCREE_TRY(scree_memory_new(shape.rows, 1, (void **)&save->scene));
    return scree_hdf_read(hdf, "/run/scene", &(struct scree_hdf_shape){SCREE_CHAR, shape.rows, 0},
                          save->scene);
}

scree_status scree_save_open(struct scree_checkpoint *checkpoint, const char *path)
{
    struct scree_checkpoint_facts facts;
    char message[600], *older;
    const scree_status status = scree_checkpoint_open(checkpoint, path);
    if (status == SCREE_OK || status == SCREE_ERROR_MEMORY)
        return status;
    snprintf(message, sizeof message, "%s", scree_status_message());
    SCREE_TRY(name_previous(path, &older));
    const bool whole = scree_checkpoint_info(older, &facts) == SCREE_OK;
    const scree_status told =
        whole ? scree_status_fail(status, "%s; the one before it is whole: '%s', at %g s, in step %llu",
                                  message, older, facts.time, (unsigned long long)facts.steps)
              : scree_status_fail(status, "%s", message);
    scree_memory_free(older);
    return told;
}

scree_status scree_save_read(struct scree_checkpoint *checkpoint, struct scree_save *save)
{
    struct scree_hdf *hdf = &checkpoint->hdf;
    uint64_t steps[3];
    double times[3];
    *save = (struct scree_save){0};
    if (!scree_hdf_has(hdf, "/run"))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the checkpoint was not written by the run of a scene, so that nothing tells how "
            "it goes on: read it by scree_checkpoint_read");
    SCREE_TRY(scree_hdf_get(hdf, "/run", "began, stage, first step of it", SCREE_U64, 3, steps));
    SCREE_TRY(scree_hdf_get(hdf, "/run", "began, start of stage, until", SCREE_F64, 3, times));
    SCREE_TRY(scree_hdf_get_text(hdf, "/run", "name", save->name, sizeof save->name));
    SCREE_TRY(scree_hdf_get_text(hdf, "/run", "record", save->record, sizeof save->record));
    save->began_step = steps[0];
    save->stage = steps[1];
    save->stage_first_step = steps[2];
    save->began = times[0];
    save->stage_start = times[1];
    save->until = times[2];
    SCREE_TRY(read_marks(hdf, save));
    return read_scene(hdf, save);
}

void scree_save_free(struct scree_save *save)
{
    scree_memory_free(save->marks);
    scree_memory_free(save->scene);
    *save = (struct scree_save){0};
}
