// Tables over time, see csv.h.

#include "file/csv.h"

#include "base/memory.h"
#include "file/guard.h"
#include "file/path.h"
#include "text/decimal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static scree_status fail(const struct scree_csv *csv, const char *what)
{
    return scree_status_fail(SCREE_ERROR_IO, "cannot %s the table '%s': %s%s", what, csv->path,
                             strerror(errno), scree_guard_hint());
}

static scree_status begin(struct scree_csv *csv, const char *path)
{
    *csv = (struct scree_csv){0};
    SCREE_TRY(scree_memory_new(strlen(path) + 1, 1, (void **)&csv->path));
    memcpy(csv->path, path, strlen(path));
    return SCREE_OK;
}

static scree_status take_file(struct scree_csv *csv, int file)
{
    csv->file = file < 0 ? NULL : fdopen(file, "a");
    if (csv->file)
        return SCREE_OK;
    const scree_status status = fail(csv, "open");
    if (file >= 0)
        close(file);
    return status;
}

scree_status scree_csv_open(struct scree_csv *csv, const char *path, bool force,
                            const struct scree_csv_column *column, size_t columns)
{
    SCREE_TRY(begin(csv, path));
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (force ? O_TRUNC : O_EXCL), 0666);
    if (file < 0 && errno == EEXIST)
        return scree_path_taken(path);
    SCREE_TRY(take_file(csv, file));
    struct scree_guard guard;
    scree_guard_begin(&guard);
    for (size_t c = 0; c < columns; ++c)
        fprintf(csv->file, column[c].unit[0] ? "%s%s [%s]" : "%s%s", c > 0 ? "," : "", column[c].name,
                column[c].unit);
    fputc('\n', csv->file);
    const bool good = fflush(csv->file) == 0;
    scree_guard_end(&guard);
    return good ? SCREE_OK : fail(csv, "write to");
}

scree_status scree_csv_continue(struct scree_csv *csv, const char *path, uint64_t length,
                                const struct scree_csv_column *column, size_t columns)
{
    struct stat found;
    if (stat(path, &found) != 0 && errno == ENOENT)
        return scree_csv_open(csv, path, false, column, columns);
    SCREE_TRY(begin(csv, path));
    SCREE_TRY(take_file(csv, open(path, O_WRONLY | O_APPEND | O_CLOEXEC)));
    if (fstat(fileno(csv->file), &found) != 0)
        return fail(csv, "look at");
    if ((uint64_t)found.st_size < length)
        return scree_status_fail(
            SCREE_ERROR_IO,
            "the table '%s' has %llu bytes and had %llu when the checkpoint was written: "
            "move it away, and the run begins another",
            path, (unsigned long long)found.st_size, (unsigned long long)length);
    return ftruncate(fileno(csv->file), (off_t)length) == 0 ? SCREE_OK : fail(csv, "cut");
}

scree_status scree_csv_length(struct scree_csv *csv, uint64_t *length)
{
    struct stat found;
    SCREE_TRY(scree_csv_flush(csv));
    if (fsync(fileno(csv->file)) != 0 || fstat(fileno(csv->file), &found) != 0)
        return fail(csv, "write to");
    *length = (uint64_t)found.st_size;
    return SCREE_OK;
}

scree_status scree_csv_write(struct scree_csv *csv, const double *value, size_t values)
{
    char text[SCREE_DECIMAL_ROOM];
    struct scree_guard guard;
    scree_guard_begin(&guard);
    for (size_t v = 0; v < values; ++v) {
        if (v > 0)
            fputc(',', csv->file);
        scree_decimal_write(text, value[v]);
        fputs(text, csv->file);
    }
    fputc('\n', csv->file);
    scree_guard_end(&guard);
    return ferror(csv->file) ? fail(csv, "write to") : SCREE_OK;
}

scree_status scree_csv_flush(struct scree_csv *csv)
{
    struct scree_guard guard;
    scree_guard_begin(&guard);
    const bool good = fflush(csv->file) == 0;
    scree_guard_end(&guard);
    return good ? SCREE_OK : fail(csv, "write to");
}

scree_status scree_csv_close(struct scree_csv *csv)
{
    scree_status status = SCREE_OK;
    struct scree_guard guard;
    // what a failure left unwritten is tried again
    scree_guard_begin(&guard);
    const bool good = !csv->file || fclose(csv->file) == 0;
    scree_guard_end(&guard);
    if (!good)
        status = fail(csv, "close");
    scree_memory_free(csv->path);
    *csv = (struct scree_csv){0};
    return status;
}
