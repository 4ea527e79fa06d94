// Time series of files, see series.h. The index is JSON with a line per frame, so that it can be truncated.

#include "file/series.h"

#include "file/atomic.h"
#include "file/lock.h"
#include "file/numbered.h"
#include "file/path.h"
#include "text/decimal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char head[] = "{\"file-series-version\": \"1.0\", \"files\": [";
static const char tail[] = "\n]}\n";
static const char ending[] = ".hdf";

static const size_t max_index_size = (size_t)1 << 30;

// --- names

static scree_status name_files(struct scree_series *series, const char *folder, const char *name)
{
    char *inside = NULL;
    *series = (struct scree_series){.check_only = series->check_only};
    SCREE_TRY(scree_path_concat(name, "/0", "", &inside));
    const scree_status status = scree_path_inspect(folder, inside, &series->folder);
    scree_memory_free(inside);
    SCREE_TRY(status);
    *strrchr(series->folder, '/') = 0;
    series->name = strrchr(series->folder, '/') + 1;
    return scree_path_concat(series->folder, ending, ".series", &series->path);
}

// Locks the folder of the frames if it exists.
static scree_status lock_folder(struct scree_series *series)
{
    struct stat facts;
    if (series->check_only || series->locked || lstat(series->folder, &facts) != 0 || !S_ISDIR(facts.st_mode))
        return SCREE_OK;
    SCREE_TRY(scree_lock_folder(series->folder, &series->lock));
    series->locked = true;
    return SCREE_OK;
}

// Makes the path of a frame; free it by scree_memory_free.
static scree_status name_frame(const struct scree_series *series, uint64_t number, char **path)
{
    char name[40];
    snprintf(name, sizeof name, "/%06llu", (unsigned long long)number);
    return scree_path_concat(series->folder, name, ending, path);
}

// --- the index

static scree_status write_index(const struct scree_series *series)
{
    const struct scree_atomic_piece pieces[] = {
        {head, sizeof head - 1}, {series->text.data, series->text.count}, {tail, sizeof tail - 1}};
    return scree_atomic_write(series->path, NULL, pieces, 3, false);
}

static scree_status append(struct scree_series *series, const char *text, size_t length)
{
    if (length == 0)
        return SCREE_OK;
    SCREE_TRY(scree_array_reserve(&series->text, series->text.count + length));
    memcpy(series->text.data + series->text.count, text, length);
    series->text.count += length;
    return SCREE_OK;
}

// Escapes a character for a JSON string.
static void escape(char character, char escaped[8])
{
    const unsigned number = (unsigned char)character;
    const bool plain = character != '"' && character != '\\' && number >= ' ';
    snprintf(escaped, 8, plain ? "%c" : "\\u%04x", number);
}

static scree_status append_text(struct scree_series *series, const char *text)
{
    for (; *text; ++text) {
        char escaped[8];
        escape(*text, escaped);
        SCREE_TRY(append(series, escaped, strlen(escaped)));
    }
    return SCREE_OK;
}

static const char begin_line[] = ",\n  {\"name\": \"";

static scree_status append_line(struct scree_series *series, double time)
{
    const size_t skip = series->text.count == 0; // no comma before the first line
    char number[SCREE_DECIMAL_SIZE], rest[100];
    scree_decimal_write(number, time);
    const int length = snprintf(rest, sizeof rest, "/%06llu.hdf\", \"time\": %s}",
                                (unsigned long long)series->frames, number);
    SCREE_TRY(append(series, begin_line + skip, sizeof begin_line - 1 - skip));
    SCREE_TRY(append_text(series, series->name));
    return append(series, rest, (size_t)length);
}

static scree_status fail_index(const struct scree_series *series, const char *why)
{
    return scree_status_fail(SCREE_ERROR_IO,
                             "'%s' %s: move it and its frames away, and the run starts a new series",
                             series->path, why);
}

// Gets the number of the frame in a line of the index; returns false if it is not a frame of the series.
static bool read_frame_number(const struct scree_series *series, const char *line, const char *end,
                              uint64_t *number)
{
    const char *line_start = begin_line + 2;
    char name[32] = "", escaped[8];
    const size_t length = strlen(line_start);
    if ((size_t)(end - line) < length || memcmp(line, line_start, length) != 0)
        return false;
    line += length;
    for (const char *name_at = series->name; *name_at; ++name_at, line += strlen(escaped)) {
        escape(*name_at, escaped);
        if ((size_t)(end - line) < strlen(escaped) || memcmp(line, escaped, strlen(escaped)) != 0)
            return false;
    }
    if (line == end || *line != '/')
        return false;
    for (size_t k = 0; k < sizeof name - 1 && ++line < end && *line != '"'; ++k)
        name[k] = *line;
    return scree_numbered_read(name, "", ending, number);
}

static scree_status check_frame(const struct scree_series *series, uint64_t number)
{
    struct stat facts;
    char *path;
    SCREE_TRY(name_frame(series, number, &path));
    const bool exists = lstat(path, &facts) == 0;
    scree_memory_free(path);
    return exists ? SCREE_OK : fail_index(series, "lists missing frames");
}

static bool is_tail_at(const char *text, size_t size, size_t offset)
{
    return size - offset > 3 && memcmp(text + offset, tail, 3) == 0;
}

// Finds the length of the lines, after the head of an index, that list the frames below number `frames`. The
// files of these frames must exist.
static scree_status find_lines(const struct scree_series *series, const char *text, size_t size,
                               uint64_t frames, size_t *length)
{
    const size_t head_length = sizeof head - 1;
    if (size < head_length || memcmp(text, head, head_length) != 0)
        return fail_index(series, "is not an index of frames as Scree writes it");
    size_t end = head_length;
    uint64_t next = 0;
    // `end` is at the newline before each line
    while (next < frames && end < size && text[end] == '\n' && !is_tail_at(text, size, end)) {
        const char *line = text + end + 1, *line_end = memchr(line, '\n', size - end - 1);
        uint64_t number;
        if (!line_end)
            break;
        if (!read_frame_number(series, line, line_end, &number))
            return fail_index(series, "lists a file that is not one of its frames");
        if (number >= frames)
            break;
        if (next > 0 && number != next)
            return fail_index(series, "skips frames");
        SCREE_TRY(check_frame(series, number));
        next = number + 1;
        end = (size_t)(line_end - text);
    }
    // a series whose first frame is `frames` or later lists none below it, but its index must be complete
    const bool complete =
        is_tail_at(text, size, end) || (size - end > 3 && memcmp(text + end, "\n  {", 4) == 0);
    if (next < frames && (next > 0 || !complete))
        return fail_index(series, "has fewer frames than at the time of the checkpoint");
    // without the comma at the end of the last line
    *length = end - head_length - (end > head_length && text[end - 1] == ',');
    return SCREE_OK;
}

// --- public functions

static scree_status refuse_existing(const struct scree_series *series)
{
    struct stat facts;
    bool frames;
    SCREE_TRY(scree_numbered_any(series->folder, "", ending, 0, &frames));
    return frames || lstat(series->path, &facts) == 0
               ? scree_path_exists_error(frames ? series->folder : series->path)
               : SCREE_OK;
}

scree_status scree_series_check(struct scree_series *series, const char *folder, const char *name, bool force)
{
    SCREE_TRY(name_files(series, folder, name));
    series->must_be_new = !force;
    SCREE_TRY(force ? SCREE_OK : refuse_existing(series));
    SCREE_TRY(scree_atomic_check(series->path, NULL));
    SCREE_TRY(scree_numbered_check(series->folder, "", ending, 0));
    return lock_folder(series);
}

static scree_status read_index(struct scree_series *series, uint64_t frames)
{
    void *text;
    size_t size, length = 0;
    SCREE_TRY(scree_atomic_read(series->path, max_index_size, &text, &size));
    scree_status status = find_lines(series, (const char *)text, size, frames, &length);
    if (status == SCREE_OK)
        status = append(series, (const char *)text + sizeof head - 1, length);
    scree_memory_free(text);
    return status;
}

scree_status scree_series_check_restart(struct scree_series *series, const char *folder, const char *name,
                                        bool force, uint64_t frames)
{
    struct stat facts;
    SCREE_TRY(name_files(series, folder, name));
    if (lstat(series->path, &facts) != 0 && errno == ENOENT) {
        const bool check_only = series->check_only;
        scree_series_free(series);
        series->check_only = check_only;
        SCREE_TRY(scree_series_check(series, folder, name, force));
    } else {
        SCREE_TRY(read_index(series, frames));
        SCREE_TRY(scree_atomic_check(series->path, NULL));
        SCREE_TRY(scree_numbered_check(series->folder, "", ending, frames));
        SCREE_TRY(lock_folder(series));
        series->first = frames;
    }
    series->frames = frames;
    return SCREE_OK;
}

scree_status scree_series_lock(struct scree_series *series)
{
    SCREE_TRY(scree_path_make_folder(series->folder));
    SCREE_TRY(lock_folder(series));
    return series->must_be_new ? refuse_existing(series) : SCREE_OK;
}

scree_status scree_series_begin(struct scree_series *series)
{
    SCREE_TRY(scree_series_lock(series));
    SCREE_TRY(write_index(series));
    return scree_numbered_clear(series->folder, "", ending, series->first);
}

scree_status scree_series_add(struct scree_series *series, double time, const void *image, size_t size)
{
    const struct scree_atomic_piece piece = {image, size};
    char *path;
    SCREE_TRY(name_frame(series, series->frames, &path));
    scree_status status = scree_atomic_write(path, NULL, &piece, 1, false);
    scree_memory_free(path);
    if (status == SCREE_OK)
        status = append_line(series, time);
    ++series->frames;
    return status == SCREE_OK ? write_index(series) : status;
}

void scree_series_free(struct scree_series *series)
{
    if (series->locked)
        close(series->lock);
    scree_memory_free(series->path);
    scree_memory_free(series->folder);
    scree_array_free(&series->text);
    *series = (struct scree_series){0};
}
