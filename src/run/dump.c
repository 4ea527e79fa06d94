// The record `dump`: all bodies in a file format of another program, see format.h. Its mark is the number of
// snapshots.
//
// Invariants: a format for several snapshots has one file, to which snapshots are appended; only the last one
// can be incomplete, if the run was killed. A format for a single snapshot has one file per snapshot, written
// atomically. Bodies are in ascending order of id, so that files do not depend on slots or threads.

#include "base/memory.h"
#include "build/build.h"
#include "exchange/format_name.h"
#include "exchange/format_save.h"
#include "exchange/format_world.h"
#include "exchange/formats.h"
#include "file/append.h"
#include "file/atomic.h"
#include "file/guard.h"
#include "file/lock.h"
#include "file/numbered.h"
#include "file/path.h"
#include "file/writer.h"
#include "run/host.h"
#include "run/records.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

struct dump {
    struct scree_writer *writer;
    const struct scree_format *format;
    struct scree_append to;            // the file of a format for several snapshots
    char *path;                        // as written in the scene, with its folder
    char *current, *first;             // path of the current and of the first snapshot file
    char *folder, *prefix;             // of snapshot files; the folder ends with a slash
    const char *ending;                // extension, points into `path`
    struct scree_lock_path lock;       // of snapshot files
    bool must_be_new;                  // there must be no snapshot files yet
    struct scree_format_output output; // used only by the thread of the writer
    uint64_t taken;
};

// A snapshot to be written.
struct job {
    struct dump *dump;
    struct scree_format_table table;
    uint64_t number;
};

// --- files

// Splits the path for snapshot files, whose number is inserted before the extension.
static scree_status split_path(struct dump *dump)
{
    const size_t size = strlen(dump->path) + 24;
    const char *name = strrchr(dump->path, '/') + 1;
    const char *dot = strrchr(name, '.');
    dump->ending = dot && dot > name ? dot : name + strlen(name);
    SCREE_TRY(scree_memory_new(size, 1, (void **)&dump->current));
    SCREE_TRY(scree_memory_new(size, 1, (void **)&dump->first));
    SCREE_TRY(scree_memory_new(size, 1, (void **)&dump->folder));
    SCREE_TRY(scree_memory_new(size, 1, (void **)&dump->prefix));
    snprintf(dump->folder, size, "%.*s", (int)(name - dump->path), dump->path);
    snprintf(dump->prefix, size, "%.*s-", (int)(dump->ending - name), name);
    return SCREE_OK;
}

static const char *path_of(struct dump *dump, uint64_t number)
{
    snprintf(dump->current, strlen(dump->path) + 24, "%s%s%0*llu%s", dump->folder, dump->prefix,
             SCREE_NUMBERED_DIGITS, (unsigned long long)number, dump->ending);
    return dump->current;
}

// Checks after a restart that all snapshot files exist, or none: then the record starts again.
static scree_status find_all(struct dump *dump, uint64_t snapshots)
{
    uint64_t existing = 0, missing = 0;
    struct stat info;
    for (uint64_t number = 0; number < snapshots; ++number)
        if (lstat(path_of(dump, number), &info) == 0)
            ++existing;
        else if (errno != ENOENT)
            return scree_status_fail(SCREE_ERROR_IO, "cannot access '%s': %s", dump->current,
                                     strerror(errno));
        else if (number == existing)
            missing = number;
    if (existing > 0 && existing < snapshots)
        return scree_status_fail(
            SCREE_ERROR_IO,
            "'%s', a snapshot of the dump at the time of the checkpoint, is missing: move "
            "the others to another folder to start a new dump",
            path_of(dump, missing));
    dump->taken = existing;
    return SCREE_OK;
}

static scree_status refuse_existing(const struct dump *dump)
{
    bool found;
    SCREE_TRY(scree_numbered_any(dump->folder, dump->prefix, dump->ending, 0, &found));
    if (found)
        return scree_status_fail(SCREE_ERROR_EXISTS,
                                 "'%s' already exists, or another snapshot of it: choose another name or "
                                 "another folder, or allow overwriting",
                                 dump->first);
    return SCREE_OK;
}

// Checks the snapshot files; those after the mark are deleted when the record starts.
static scree_status check_files(struct dump *dump, const struct scree_host *host, const uint64_t *mark)
{
    dump->must_be_new = !mark && !host->def->force;
    SCREE_TRY(host->check_only ? SCREE_OK : scree_lock_check(dump->path));
    if (mark)
        SCREE_TRY(find_all(dump, *mark));
    if (dump->must_be_new)
        SCREE_TRY(refuse_existing(dump));
    SCREE_TRY(scree_atomic_check(path_of(dump, dump->taken), NULL));
    return scree_numbered_check(dump->folder, dump->prefix, dump->ending, dump->taken);
}

// Finds the position after this number of snapshots in the file.
static scree_status find_end(struct dump *dump, uint64_t snapshots)
{
    uint64_t found = snapshots;
    SCREE_TRY(scree_formats_size(dump->path, dump->format, &found, &dump->to.length));
    if (found == snapshots)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_IO,
                             "the dump '%s' has only %llu snapshots, but had %llu at the time of the "
                             "checkpoint: move it to another folder to start a new dump",
                             dump->path, (unsigned long long)found, (unsigned long long)snapshots);
}

// Checks the file of all snapshots; after a restart a missing file is started again.
static scree_status check_file(struct dump *dump, const struct scree_host *host, const char *name,
                               const uint64_t *mark)
{
    const enum scree_append_mode mode = mark               ? SCREE_APPEND_CONTINUE
                                        : host->def->force ? SCREE_APPEND_OVERWRITE
                                                           : SCREE_APPEND_NEW;
    SCREE_TRY(scree_append_check(&dump->to, "dump", host->folder, name, mode, host->check_only));
    if (!mark || !dump->to.file)
        return SCREE_OK;
    dump->taken = *mark;
    dump->output.snapshots = *mark;
    return find_end(dump, *mark);
}

static scree_status choose_format(struct dump *dump, struct scree_reading *reading,
                                  const struct scree_node *map, const char *name)
{
    const enum scree_key_id key = SCREE_KEY_record_format;
    size_t word;
    if (scree_reading_has(map, key)) {
        if (!scree_reading_word(reading, map, key, &word))
            return SCREE_ERROR_ARGUMENT;
        dump->format = &scree_formats[word];
        if (dump->format->write)
            return SCREE_OK;
        scree_reading_report(reading, scree_reading_node(map, key), "the format %s can only be read",
                             dump->format->name);
        return SCREE_ERROR_ARGUMENT;
    }
    if (scree_formats_of_path(name, &dump->format) == SCREE_OK)
        return SCREE_OK;
    scree_reading_report(reading, scree_reading_node(map, SCREE_KEY_record_dump),
                         "%s; or give the format by `%s`", scree_status_message(),
                         scree_key_rows[key].example);
    return SCREE_ERROR_ARGUMENT;
}

// Checks that the names of materials stay different in the file.
static scree_status check_names(const struct dump *dump, struct scree_host *host,
                                const struct scree_node *map)
{
    struct scree_format_table table = {0};
    scree_status status = scree_format_world_types(host->world, &table);
    if (status == SCREE_OK)
        status = scree_format_name_check(&table, dump->format);
    scree_format_free(&table);
    if (status == SCREE_ERROR_ARGUMENT)
        scree_reading_report(host->reading, scree_reading_node(map, SCREE_KEY_record_dump), "%s",
                             scree_status_message());
    return status;
}

static scree_status dump_check(void *self, struct scree_host *host, const struct scree_node *map,
                               const uint64_t *mark)
{
    struct dump *dump = (struct dump *)self;
    const char *name;
    if (!scree_reading_text(host->reading, map, SCREE_KEY_record_dump, &name))
        return SCREE_ERROR_ARGUMENT;
    if (scree_build_deforms(host->reading)) {
        scree_reading_report(host->reading, scree_reading_node(map, SCREE_KEY_record_dump),
                             "formats of other programs cannot have a cell that has cell vectors or deforms: "
                             "use frames, or a checkpoint");
        return SCREE_ERROR_ARGUMENT;
    }
    SCREE_TRY(choose_format(dump, host->reading, map, name));
    SCREE_TRY(check_names(dump, host, map));
    dump->writer = host->writer;
    SCREE_TRY(scree_path_inspect(host->folder, name, &dump->path));
    SCREE_TRY(split_path(dump));
    strcpy(dump->first, dump->format->many ? dump->path : path_of(dump, 0));
    return dump->format->many ? check_file(dump, host, name, mark) : check_files(dump, host, mark);
}

static scree_status dump_lock(void *self)
{
    struct dump *dump = (struct dump *)self;
    if (dump->format->many)
        return SCREE_OK;
    SCREE_TRY(scree_path_make_parents(dump->path));
    SCREE_TRY(scree_lock_path(&dump->lock, dump->path));
    return dump->must_be_new ? refuse_existing(dump) : SCREE_OK;
}

static scree_status dump_begin(void *self)
{
    struct dump *dump = (struct dump *)self;
    if (!dump->format->many)
        return scree_numbered_clear(dump->folder, dump->prefix, dump->ending, dump->taken);
    SCREE_TRY(scree_append_begin(&dump->to));
    dump->output.file = dump->to.file;
    return SCREE_OK;
}

// --- in the thread of the writer

static scree_status write_job(void *context)
{
    struct job *job = (struct job *)context;
    struct dump *dump = job->dump;
    if (dump->format->many) {
        struct scree_guard guard;
        scree_guard_begin(&guard);
        dump->format->write(&dump->output, &job->table);
        scree_guard_end(&guard);
        return scree_append_flush(&dump->to);
    }
    struct scree_format_save save = {.path = path_of(dump, job->number), .format = dump->format};
    scree_status status = scree_format_save_open(&save, true);
    if (status == SCREE_OK)
        dump->format->write(&save.output, &job->table);
    return scree_format_save_close(&save, status);
}

static void free_job(void *context)
{
    struct job *job = (struct job *)context;
    scree_format_free(&job->table);
    scree_memory_free(job);
}

// --- in the calling thread

static scree_status dump_take(void *self, struct scree_host *host)
{
    struct dump *dump = (struct dump *)self;
    struct job *job;
    SCREE_TRY(scree_memory_new(1, sizeof *job, (void **)&job));
    job->dump = dump;
    job->number = dump->taken;
    scree_status status = scree_format_world(host->world, &job->table);
    if (status == SCREE_OK)
        status = scree_format_complete(&job->table, dump->format);
    if (status != SCREE_OK) {
        free_job(job);
        return status;
    }
    ++dump->taken;
    return scree_writer_submit(dump->writer, write_job, free_job, job);
}

static scree_status dump_mark(void *self, uint64_t *mark)
{
    *mark = ((const struct dump *)self)->taken;
    return SCREE_OK;
}

static void dump_list_files(const void *self, scree_record_visit *visit, void *user)
{
    visit(user, "dump", ((const struct dump *)self)->first);
}

static scree_status dump_close(void *self)
{
    struct dump *dump = (struct dump *)self;
    // wait for the jobs that still use the memory freed below
    scree_status status = dump->writer ? scree_writer_wait(dump->writer) : SCREE_OK;
    const scree_status closed = scree_append_close(&dump->to);
    status = status == SCREE_OK ? closed : status;
    scree_lock_release(&dump->lock);
    scree_memory_free(dump->path);
    scree_memory_free(dump->current);
    scree_memory_free(dump->first);
    scree_memory_free(dump->folder);
    scree_memory_free(dump->prefix);
    return status;
}

const struct scree_record_kind scree_dump_kind = {.key = SCREE_KEY_record_dump,
                                                  .size = sizeof(struct dump),
                                                  .check = dump_check,
                                                  .lock = dump_lock,
                                                  .begin = dump_begin,
                                                  .take = dump_take,
                                                  .mark = dump_mark,
                                                  .list_files = dump_list_files,
                                                  .close = dump_close};
