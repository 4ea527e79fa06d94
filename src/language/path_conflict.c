// Finds conflicts between the files of records, see check.h.

#include "exchange/formats.h"
#include "file/checkpoint.h"
#include "file/lock.h"
#include "file/part.h"
#include "file/path.h"
#include "language/check.h"

#include <stdio.h>
#include <string.h>

// MAX_LENGTH: of a path that scree_path_check accepts
enum { MAX_LENGTH = 1024, NAME_SIZE = 2 * MAX_LENGTH + 2, DIGITS = 6 };

// Uses of files that the scene reads; no record may write these.
static const char use_scene[] = "is the scene itself", use_included[] = "is included in the scene",
                  use_bodies[] = "is a file of bodies that the scene reads";

// A file that a record writes or the scene reads; if `numbered`, files with a number of at least six digits
// between stem and ending.
struct used_file {
    const struct scree_node *node; // the record's path; null for a file that the scene reads
    const char *use;               // how the scene uses a file that it reads
    const char *path;              // as written in the scene
    char stem[MAX_LENGTH + 1];     // the path without ending, normalised
    const char *ending;
    bool numbered, derived; // derived: its name differs from `path`
};

struct used_files {
    struct scree_reading *reading;
    SCREE_ARRAY(struct used_file) all;
    bool reported; // a conflict of the current record was reported
};

static bool has_number(const char *text, size_t length)
{
    bool digits = length >= DIGITS;
    for (size_t k = 0; k < length; ++k)
        digits = digits && text[k] >= '0' && text[k] <= '9';
    return digits;
}

// Returns true if a path is the file, or one of the numbered files.
static bool matches(const struct used_file *file, const char *path)
{
    const size_t stem = strlen(file->stem), ending = strlen(file->ending), length = strlen(path);
    return length >= stem + ending && strncmp(path, file->stem, stem) == 0 &&
           strcmp(path + length - ending, file->ending) == 0 &&
           (file->numbered ? has_number(path + stem, length - stem - ending) : length == stem + ending);
}

// Writes the path of a file, without its number.
static void name_of(const struct used_file *file, char name[NAME_SIZE])
{
    snprintf(name, NAME_SIZE, "%s%s", file->stem, file->ending);
}

static bool collide(const struct used_file *a, const struct used_file *b)
{
    char name[2][NAME_SIZE];
    name_of(a, name[0]);
    name_of(b, name[1]);
    if (a->numbered == b->numbered)
        return strcmp(name[0], name[1]) == 0;
    return a->numbered ? matches(a, name[1]) : matches(b, name[0]);
}

// Returns true if a file of `one` would also be a folder that contains `other`; `folder` gets its path.
static bool is_folder_of(const struct used_file *one, const struct used_file *other, char folder[NAME_SIZE])
{
    char name[NAME_SIZE];
    name_of(other, name);
    for (const char *slash = name; (slash = strchr(slash + 1, '/'));) {
        snprintf(folder, NAME_SIZE, "%.*s", (int)(slash - name), name);
        if (matches(one, folder))
            return true;
    }
    return false;
}

static void report(struct scree_reading *reading, const struct used_file *file, const struct used_file *other)
{
    const struct used_file *shown = file->derived ? file : other;
    char written[160] = "";
    if (file->derived)
        snprintf(written, sizeof written, " would write '%.100s%s%s', which", file->stem,
                 file->numbered ? "000000" : "", file->ending);
    if (!other->node)
        scree_reading_report(reading, file->node, "'%.100s'%s %s: give the record another name", file->path,
                             written, other->use);
    else if (!shown->derived)
        scree_reading_report(reading, file->node, "'%.100s' is written by another record too", file->path);
    else
        scree_reading_report(reading, file->node, "'%.100s' and '%.100s' would both write '%.100s%s%s'",
                             other->path, file->path, shown->stem, shown->numbered ? "000000" : "",
                             shown->ending);
}

// Adds a file of a record; reports its conflict with a file of another record, at most one per record.
static scree_status add(struct used_files *files, const struct used_file *file)
{
    for (size_t k = 0; k < files->all.count && !files->reported; ++k) {
        const struct used_file *other = &files->all.data[k];
        char folder[NAME_SIZE];
        files->reported = other->node != file->node;
        if (files->reported && collide(other, file))
            report(files->reading, file, other);
        else if (files->reported && (is_folder_of(other, file, folder) || is_folder_of(file, other, folder)))
            scree_reading_report(
                files->reading, file->node,
                "'%.100s' and '%.100s' need '%.100s' both as a file and as a folder: give the "
                "record another name",
                other->path, file->path, folder);
        else
            files->reported = false;
    }
    return scree_array_push(&files->all, *file);
}

// Adds a file with a name derived from the record's, and the temporary file of its atomic write.
static scree_status add_derived(struct used_files *files, const struct used_file *record, const char *middle,
                                bool numbered, const char *ending)
{
    struct used_file file = *record;
    const size_t length = strlen(file.stem);
    char temporary[MAX_LENGTH + sizeof SCREE_PART], *stored;
    snprintf(file.stem + length, sizeof file.stem - length, "%s", middle);
    file.ending = ending;
    file.numbered = numbered;
    file.derived = file.derived || middle[0] || ending[0];
    SCREE_TRY(add(files, &file));
    snprintf(temporary, sizeof temporary, "%s%s", ending, SCREE_PART);
    SCREE_TRY(scree_tree_text(&files->reading->tree, temporary, strlen(temporary), &stored));
    file.ending = stored;
    file.derived = true;
    return add(files, &file);
}

// Adds the file by which a run locks a path that it replaces.
static scree_status add_lock(struct used_files *files, const struct used_file *record)
{
    struct used_file file = *record;
    file.ending = SCREE_LOCK_ENDING;
    file.derived = true;
    return add(files, &file);
}

static scree_status add_frames(struct used_files *files, const struct used_file *record)
{
    const char *const *series = scree_key_words("series");
    char middle[64];
    for (size_t k = 0; series[k]; ++k) {
        snprintf(middle, sizeof middle, "-%s", series[k]);
        SCREE_TRY(add_derived(files, record, middle, false, ".hdf.series"));
        snprintf(middle, sizeof middle, "-%s/", series[k]);
        SCREE_TRY(add_derived(files, record, middle, true, ".hdf"));
    }
    return SCREE_OK;
}

// Adds the file of a dump. A format with one snapshot per file has numbered files. An unknown format is
// reported elsewhere.
static scree_status add_dump(struct used_files *files, const struct scree_node *map,
                             const struct used_file *record)
{
    const struct scree_format *format;
    const char *name;
    const bool has_format = scree_reading_has(map, SCREE_KEY_record_format) &&
                            scree_reading_text(files->reading, map, SCREE_KEY_record_format, &name);
    if ((has_format ? scree_formats_find(name, &format) : scree_formats_of_path(record->path, &format)) !=
            SCREE_OK ||
        format->many)
        return add(files, record);
    struct used_file stem = *record;
    const char *slash = strrchr(stem.stem, '/');
    char *dot = strrchr(stem.stem, '.'), ending[MAX_LENGTH + 1] = "";
    char *stored;
    if (dot && (slash ? dot > slash + 1 : true)) {
        snprintf(ending, sizeof ending, "%s", dot);
        *dot = 0;
    }
    SCREE_TRY(scree_tree_text(&files->reading->tree, ending, strlen(ending), &stored));
    SCREE_TRY(add_lock(files, record));
    return add_derived(files, &stem, "-", true, stored);
}

static scree_status add_record(struct used_files *files, const struct scree_node *map)
{
    static const enum scree_key_id keys[] = {SCREE_KEY_record_table,       SCREE_KEY_record_track,
                                             SCREE_KEY_record_frames,      SCREE_KEY_record_checkpoint,
                                             SCREE_KEY_record_dump,        SCREE_KEY_record_events,
                                             SCREE_KEY_record_distribution};
    files->reported = false;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k) {
        struct used_file file = {.node = scree_reading_node(map, keys[k]), .ending = ""};
        if (!file.node || !scree_reading_text(files->reading, map, keys[k], &file.path))
            continue;
        scree_path_normalise(file.path, file.stem);
        if (keys[k] == SCREE_KEY_record_frames)
            return add_frames(files, &file);
        if (keys[k] == SCREE_KEY_record_dump)
            return add_dump(files, map, &file);
        if (keys[k] != SCREE_KEY_record_checkpoint)
            return add(files, &file);
        SCREE_TRY(add_derived(files, &file, "", false, ""));
        SCREE_TRY(add_lock(files, &file));
        return add_derived(files, &file, "", false, SCREE_CHECKPOINT_PREVIOUS);
    }
    return SCREE_OK;
}

// Adds a file that the scene reads.
static scree_status add_source(struct used_files *files, const char *path, const char *use)
{
    struct used_file file = {.path = path, .ending = "", .use = use};
    // no record can have such a long path
    if (strlen(path) > MAX_LENGTH)
        return SCREE_OK;
    scree_path_normalise(path, file.stem);
    return scree_array_push(&files->all, file);
}

static scree_status add_sources(struct used_files *files)
{
    struct scree_reading *reading = files->reading;
    const struct scree_node *bodies = scree_reading_node(reading->root, SCREE_KEY_scene_bodies);
    if (reading->name) {
        const char *slash = strrchr(reading->name, '/');
        SCREE_TRY(add_source(files, slash ? slash + 1 : reading->name, use_scene));
    }
    for (size_t k = 0; k < reading->included.count; ++k)
        SCREE_TRY(add_source(files, reading->included.data[k]->text, use_included));
    for (size_t k = 0; bodies && k < bodies->count; ++k) {
        const struct scree_node *read = scree_reading_node(bodies->item[k], SCREE_KEY_bodies_read);
        const char *path;
        if (read && scree_reading_text(reading, read, SCREE_KEY_read_file, &path))
            SCREE_TRY(add_source(files, path, use_bodies));
    }
    return SCREE_OK;
}

scree_status scree_path_conflict_check(struct scree_reading *reading, const struct scree_node *list)
{
    struct used_files files = {.reading = reading};
    scree_status status = add_sources(&files);
    for (size_t k = 0; status == SCREE_OK && k < list->count && k < SCREE_PATH_CONFLICT_RECORDS; ++k)
        status = add_record(&files, list->item[k]);
    scree_array_free(&files.all);
    return status;
}
