// The record `checkpoint`, see save.h.

#include "run/save.h"

#include "base/memory.h"
#include "file/atomic.h"
#include "file/lock.h"
#include "file/path.h"
#include "language/print.h"
#include "run/host.h"
#include "run/records.h"
#include "text/utf8.h"

#include <scree/checkpoint.h>
#include <scree/field.h>
#include <scree/world.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- the state of the run

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

// Prints the scene to `text`, to be freed also after a failure.
static scree_status print_scene(struct scree_host *host, struct text *text)
{
    *text = (struct text){.status = SCREE_OK};
    const scree_status status = scree_print_unexpanded(host->reading, append, text);
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

// Checks that the text of a scene can be read back; frees the text.
static scree_status check_text(char *text, size_t length)
{
    struct scree_diagnostics diagnostics = {0};
    struct scree_tree tree = {.diagnostics = &diagnostics};
    struct scree_node *root;
    scree_status status = scree_tree_read(&tree, "the scene", text, length, &root);
    if (status == SCREE_OK && diagnostics.all > 0)
        status =
            diagnostics.list.count > 0
                ? scree_status_fail(SCREE_ERROR_LIMIT, "%s", diagnostics.list.data[0].message)
                : scree_status_fail(SCREE_ERROR_MEMORY, "out of memory for the diagnostics of the scene");
    scree_tree_free(&tree);
    scree_diagnostic_free(&diagnostics);
    return status;
}

scree_status scree_save_check_scene(struct scree_host *host)
{
    struct text text;
    char reason[SCREE_DIAGNOSTIC_LENGTH];
    scree_status status = print_scene(host, &text);
    if (status == SCREE_OK)
        status = scree_array_push(&text.all, '\0');
    if (status == SCREE_OK) {
        status = check_text(text.all.data, text.all.count - 1);
        text.all.data = NULL;
    }
    scree_array_free(&text.all);
    if (status != SCREE_ERROR_LIMIT)
        return status;
    snprintf(reason, sizeof reason, "%s", scree_status_message());
    return scree_status_fail(status,
                             "this run could not be restarted from a checkpoint: its scene, with aliases and "
                             "included files expanded, cannot be read back (%s)",
                             reason);
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
    const uint64_t steps[3] = {host->run_first_step, host->stage, host->stage_first_step};
    const double times[3] = {host->run_start, host->stage_start, host->def->until};
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

// A job for the thread of the writer: the complete content of a file.
struct job {
    char *path;
    void *image;
    size_t size;
    uint64_t steps;
    bool keep_any; // keep the existing file as previous one even if its step number is not lower
};

static void free_job(void *user)
{
    struct job *job = (struct job *)user;
    scree_memory_free(job->path);
    scree_memory_free(job->image);
    scree_memory_free(job);
}

// Makes the path of the previous checkpoint; to be freed by scree_memory_free.
static scree_status name_previous(const char *path, char **previous)
{
    const size_t length = strlen(path) + sizeof SCREE_CHECKPOINT_PREVIOUS;
    SCREE_TRY(scree_memory_new(length, 1, (void **)previous));
    snprintf(*previous, length, "%s%s", path, SCREE_CHECKPOINT_PREVIOUS);
    return SCREE_OK;
}

static scree_status write_job(void *user)
{
    struct job *job = (struct job *)user;
    const struct scree_atomic_piece piece = {job->image, job->size};
    struct scree_checkpoint_facts facts;
    char *previous;
    scree_checkpoint_checksum(job->image, job->size);
    SCREE_TRY(name_previous(job->path, &previous));
    // the existing file becomes the previous one, unless it is damaged or later than this state: then it was
    // abandoned by a restart from an earlier checkpoint
    const scree_status read = scree_checkpoint_info(job->path, &facts);
    const bool keep = read == SCREE_OK && (job->keep_any || facts.steps < job->steps);
    const scree_status status = read == SCREE_ERROR_MEMORY
                                    ? read
                                    : scree_atomic_write(job->path, keep ? previous : NULL, &piece, 1, true);
    scree_memory_free(previous);
    return status;
}

// Makes the content of the file. The world is copied here; the thread of the writer writes it to disk.
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

scree_status scree_save_write(struct scree_host *host, const char *name, bool keep_any)
{
    struct job *job;
    SCREE_TRY(scree_memory_new(1, sizeof *job, (void **)&job));
    job->steps = scree_world_steps(host->world);
    job->keep_any = keep_any;
    scree_status status = scree_path_make(host->folder, name, &job->path);
    if (status == SCREE_OK)
        status = make_image(host, name, &job->image, &job->size);
    if (status == SCREE_OK)
        return scree_writer_submit(host->writer, write_job, free_job, job);
    free_job(job);
    return status;
}

// --- the record

struct record {
    char *path;
    bool is_new;      // existing files do not belong to this run
    bool force;       // existing files may be overwritten
    const char *name; // in the scene
    struct scree_lock_path lock;
};

// Fails if the checkpoint or the previous one exists.
static scree_status refuse_existing(const char *path, const char *previous)
{
    struct stat info;
    const char *existing = lstat(path, &info) == 0 ? path : lstat(previous, &info) == 0 ? previous : NULL;
    return existing
               ? scree_status_fail(SCREE_ERROR_EXISTS,
                                   "'%s' already exists: continue from it (scree restart), choose another "
                                   "name or another folder, or allow overwriting",
                                   existing)
               : SCREE_OK;
}

static scree_status check_save(void *self, struct scree_host *host, const struct scree_node *map,
                               const uint64_t *mark)
{
    struct record *record = (struct record *)self;
    char *previous;
    if (!scree_reading_text(host->reading, map, SCREE_KEY_record_checkpoint, &record->name))
        return SCREE_ERROR_ARGUMENT;
    SCREE_TRY(scree_path_inspect(host->folder, record->name, &record->path));
    SCREE_TRY(name_previous(record->path, &previous));
    record->is_new = !mark;
    record->force = host->def->force;
    scree_status status = host->check_only ? SCREE_OK : scree_lock_check(record->path);
    if (status == SCREE_OK && record->is_new && !record->force)
        status = refuse_existing(record->path, previous);
    if (status == SCREE_OK)
        status = scree_atomic_check(record->path, previous);
    scree_memory_free(previous);
    return status;
}

static scree_status lock_save(void *self)
{
    struct record *record = (struct record *)self;
    char *previous;
    SCREE_TRY(scree_path_make_parents(record->path));
    SCREE_TRY(scree_lock_path(&record->lock, record->path));
    if (!record->is_new || record->force)
        return SCREE_OK;
    SCREE_TRY(name_previous(record->path, &previous));
    const scree_status status = refuse_existing(record->path, previous);
    scree_memory_free(previous);
    return status;
}

static scree_status delete_file(const char *path)
{
    return unlink(path) == 0 || errno == ENOENT
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_IO, "cannot delete '%s': %s", path, strerror(errno));
}

// Deletes the checkpoints of a run that is overwritten: they do not match the new results.
static scree_status begin_save(void *self)
{
    const struct record *record = (const struct record *)self;
    char *previous;
    if (!record->is_new)
        return SCREE_OK;
    SCREE_TRY(name_previous(record->path, &previous));
    scree_status status = delete_file(previous);
    if (status == SCREE_OK)
        status = delete_file(record->path);
    scree_memory_free(previous);
    return status;
}

static scree_status take_save(void *self, struct scree_host *host)
{
    return scree_save_write(host, ((const struct record *)self)->name, false);
}

// A checkpoint has no position: it is replaced as a whole.
static scree_status mark_save(void *self, uint64_t *mark)
{
    (void)self;
    *mark = 0;
    return SCREE_OK;
}

// The file does not exist if no checkpoint could be written; an existing file belongs to this run.
static void list_save_files(const void *self, scree_record_visit *visit, void *user)
{
    const struct record *record = (const struct record *)self;
    struct stat info;
    if (stat(record->path, &info) == 0)
        visit(user, "checkpoint", record->path);
}

static scree_status close_save(void *self)
{
    struct record *record = (struct record *)self;
    scree_lock_release(&record->lock);
    scree_memory_free(record->path);
    return SCREE_OK;
}

const struct scree_record_kind scree_save_kind = {.key = SCREE_KEY_record_checkpoint,
                                                  .size = sizeof(struct record),
                                                  .is_checkpoint = true,
                                                  .check = check_save,
                                                  .lock = lock_save,
                                                  .begin = begin_save,
                                                  .take = take_save,
                                                  .mark = mark_save,
                                                  .list_files = list_save_files,
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
    char message[600], *previous;
    const scree_status status = scree_checkpoint_open(checkpoint, path);
    if (status == SCREE_OK || status == SCREE_ERROR_MEMORY)
        return status;
    snprintf(message, sizeof message, "%s", scree_status_message());
    SCREE_TRY(name_previous(path, &previous));
    const bool is_valid = scree_checkpoint_info(previous, &facts) == SCREE_OK;
    const scree_status failure =
        is_valid
            ? scree_status_fail(status, "%s; the previous checkpoint is valid: '%s', at %g s, in step %llu",
                                message, previous, facts.time, (unsigned long long)facts.steps)
            : scree_status_fail(status, "%s", message);
    scree_memory_free(previous);
    return failure;
}

scree_status scree_save_read(struct scree_checkpoint *checkpoint, struct scree_save *save)
{
    struct scree_hdf *hdf = &checkpoint->hdf;
    uint64_t steps[3];
    double times[3];
    *save = (struct scree_save){0};
    if (!scree_hdf_has(hdf, "/run"))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "the checkpoint was not written by the run of a "
                                                       "scene, so it has no scene to continue: read it with "
                                                       "scree_checkpoint_read");
    SCREE_TRY(scree_hdf_get(hdf, "/run", "began, stage, first step of it", SCREE_U64, 3, steps));
    SCREE_TRY(scree_hdf_get(hdf, "/run", "began, start of stage, until", SCREE_F64, 3, times));
    SCREE_TRY(scree_hdf_get_text(hdf, "/run", "name", save->name, sizeof save->name));
    SCREE_TRY(scree_hdf_get_text(hdf, "/run", "record", save->record, sizeof save->record));
    save->run_first_step = steps[0];
    save->stage = steps[1];
    save->stage_first_step = steps[2];
    save->run_start = times[0];
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
