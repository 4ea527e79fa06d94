// CSV tables, see csv.h.

#include "file/csv.h"

#include "base/memory.h"
#include "file/guard.h"
#include "text/decimal.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static scree_status make_header(struct scree_csv *csv, const struct scree_csv_def *def)
{
    size_t capacity = 2, at = 0;
    for (size_t c = 0; c < def->columns; ++c)
        capacity += strlen(def->column[c].name) + strlen(def->column[c].unit) + sizeof ", []";
    SCREE_TRY(scree_memory_new(capacity, 1, (void **)&csv->header));
    for (size_t c = 0; c < def->columns; ++c)
        at += (size_t)snprintf(csv->header + at, capacity - at, def->column[c].unit[0] ? "%s%s [%s]" : "%s%s",
                               c > 0 ? "," : "", def->column[c].name, def->column[c].unit);
    csv->header[at] = '\n';
    return SCREE_OK;
}

// Returns whether the file has these bytes at an offset.
static bool file_has(const struct scree_csv *csv, const char *text, size_t length, uint64_t offset)
{
    char found[256];
    for (size_t done = 0, part; done < length; done += part) {
        part = length - done < sizeof found ? length - done : sizeof found;
        if (pread(fileno(csv->append.file), found, part, (off_t)(offset + done)) != (ssize_t)part ||
            memcmp(found, text + done, part) != 0)
            return false;
    }
    return true;
}

// Checks that the file is the table to continue: its size, its header, and that a row ends at `length`.
static scree_status check_table(const struct scree_csv *csv, uint64_t length)
{
    static const char advice[] = "move it away, and the run starts a new one";
    const char *path = csv->append.path;
    const size_t header = strlen(csv->header);
    if (csv->append.size < length)
        return scree_status_fail(
            SCREE_ERROR_IO, "the table '%s' has %llu bytes but had %llu when the checkpoint was written: %s",
            path, (unsigned long long)csv->append.size, (unsigned long long)length, advice);
    if (length < header || !file_has(csv, csv->header, header, 0))
        return scree_status_fail(
            SCREE_ERROR_IO, "the table '%s' does not have the columns that the run writes: %s", path, advice);
    if (!file_has(csv, "\n", 1, length - 1))
        return scree_status_fail(SCREE_ERROR_IO,
                                 "the table '%s' is not the one that the checkpoint belongs to: no row ends "
                                 "after %llu bytes; %s",
                                 path, (unsigned long long)length, advice);
    return SCREE_OK;
}

scree_status scree_csv_check(struct scree_csv *csv, const struct scree_csv_def *def)
{
    *csv = (struct scree_csv){0};
    const enum scree_append_mode mode = def->length  ? SCREE_APPEND_CONTINUE
                                        : def->force ? SCREE_APPEND_OVERWRITE
                                                     : SCREE_APPEND_NEW;
    SCREE_TRY(scree_append_check(&csv->append, "table", def->folder, def->name, mode, def->check_only));
    SCREE_TRY(make_header(csv, def));
    if (!csv->append.file || !def->length)
        return SCREE_OK;
    csv->append.length = *def->length;
    return check_table(csv, *def->length);
}

scree_status scree_csv_begin(struct scree_csv *csv)
{
    SCREE_TRY(scree_append_begin(&csv->append));
    if (csv->append.length > 0)
        return SCREE_OK;
    struct scree_guard guard;
    scree_guard_begin(&guard);
    fputs(csv->header, csv->append.file);
    scree_guard_end(&guard);
    return scree_csv_flush(csv);
}

scree_status scree_csv_length(struct scree_csv *csv, uint64_t *length)
{
    struct stat facts;
    SCREE_TRY(scree_csv_flush(csv));
    if (fsync(fileno(csv->append.file)) != 0 || fstat(fileno(csv->append.file), &facts) != 0)
        return scree_append_fail(&csv->append, "write to");
    *length = (uint64_t)facts.st_size;
    return SCREE_OK;
}

scree_status scree_csv_write(struct scree_csv *csv, const double *value, size_t values)
{
    return scree_csv_write_words(csv, value, NULL, values);
}

scree_status scree_csv_write_words(struct scree_csv *csv, const double *value, const char *const *word,
                                   size_t values)
{
    char text[SCREE_DECIMAL_SIZE];
    struct scree_guard guard;
    FILE *file = csv->append.file;
    scree_guard_begin(&guard);
    for (size_t v = 0; v < values; ++v) {
        if (v > 0)
            fputc(',', file);
        scree_decimal_write(text, value[v]);
        fputs(word && word[v] ? word[v] : text, file);
    }
    fputc('\n', file);
    scree_guard_end(&guard);
    return ferror(file) ? scree_append_fail(&csv->append, "write to") : SCREE_OK;
}

scree_status scree_csv_flush(struct scree_csv *csv)
{
    return scree_append_flush(&csv->append);
}

scree_status scree_csv_close(struct scree_csv *csv)
{
    scree_memory_free(csv->header);
    csv->header = NULL;
    return scree_append_close(&csv->append);
}
