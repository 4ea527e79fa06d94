// Reading text files line by line, see lines.h.

#include "text/lines.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A file is read in pieces of CAPACITY bytes; a smaller one has a buffer of its size, which grows if the file
// does.
enum { CAPACITY = 4 * SCREE_LINES_MAX_LENGTH, LEAST = 256 };

scree_status scree_lines_open(struct scree_lines *lines, const char *path, const char *name,
                              struct scree_diagnostics *diagnostics)
{
    struct stat info;
    *lines = (struct scree_lines){.diagnostics = diagnostics, .name = name, .file = -1, .text = ""};
    // do not block on a pipe
    lines->file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (lines->file < 0)
        return scree_status_fail(SCREE_ERROR_IO, "cannot open '%s': %s", path, strerror(errno));
    if (fstat(lines->file, &info) != 0 || !S_ISREG(info.st_mode))
        return scree_status_fail(SCREE_ERROR_IO, "'%s' is not a file", path);
    const size_t size = info.st_size < LEAST      ? LEAST
                        : info.st_size < CAPACITY ? (size_t)info.st_size + 1
                                                  : CAPACITY;
    return scree_memory_grow((void **)&lines->buffer, &lines->capacity, size + 1, 1);
}

void scree_lines_close(struct scree_lines *lines)
{
    if (lines->file >= 0)
        close(lines->file);
    scree_memory_free(lines->buffer);
    lines->file = -1;
    lines->buffer = NULL;
}

// Moves the unread part to the start of the buffer and reads more. Returns false at the end of the file and
// after an error.
static bool fill(struct scree_lines *lines)
{
    ssize_t bytes;
    memmove(lines->buffer, lines->buffer + lines->first, lines->filled - lines->first);
    lines->filled -= lines->first;
    lines->first = 0;
    if (lines->filled + 1 == lines->capacity)
        lines->status = scree_memory_grow((void **)&lines->buffer, &lines->capacity, 2 * lines->capacity, 1);
    if (lines->status != SCREE_OK)
        return false;
    do
        bytes = read(lines->file, lines->buffer + lines->filled, lines->capacity - 1 - lines->filled);
    while (bytes < 0 && errno == EINTR);
    if (bytes < 0)
        lines->status =
            scree_status_fail(SCREE_ERROR_IO, "cannot read '%s': %s", lines->name, strerror(errno));
    if (bytes <= 0)
        return false;
    lines->filled += (size_t)bytes;
    lines->offset += (uint64_t)bytes;
    return true;
}

// Marks the end of reading; always returns false.
static bool finish(struct scree_lines *lines)
{
    lines->number += !lines->ended;
    lines->ended = true;
    lines->text = "";
    lines->length = 0;
    return false;
}

bool scree_lines_next(struct scree_lines *lines)
{
    if (lines->status != SCREE_OK || lines->mistakes >= SCREE_LINES_MAX_DIAGNOSTICS || lines->ended)
        return finish(lines);
    if (lines->repeat) {
        lines->repeat = false;
        return true;
    }
    const char *end;
    while (!(end = memchr(lines->buffer + lines->first, '\n', lines->filled - lines->first))) {
        if (lines->filled - lines->first > SCREE_LINES_MAX_LENGTH)
            break;
        if (!fill(lines)) {
            // the last line may have no newline
            if (lines->status != SCREE_OK || lines->filled == lines->first)
                return finish(lines);
            end = lines->buffer + lines->filled;
            break;
        }
    }
    ++lines->number;
    lines->begin = lines->offset - (lines->filled - lines->first);
    lines->text = lines->buffer + lines->first;
    lines->length = end ? (size_t)(end - lines->text) : lines->filled - lines->first;
    if (lines->length > SCREE_LINES_MAX_LENGTH) {
        scree_lines_report(lines, 0, 1, "a line can have at most %d bytes", (int)SCREE_LINES_MAX_LENGTH);
        // stop here: further diagnostics would only be consequences of this one
        lines->mistakes = SCREE_LINES_MAX_DIAGNOSTICS;
        return finish(lines);
    }
    lines->first += lines->length + (end < lines->buffer + lines->filled);
    while (lines->length > 0 && lines->text[lines->length - 1] == '\r')
        --lines->length;
    return true;
}

struct scree_lines_mark scree_lines_here(const struct scree_lines *lines)
{
    return (struct scree_lines_mark){lines->number, lines->begin};
}

void scree_lines_return(struct scree_lines *lines, struct scree_lines_mark mark)
{
    if (lseek(lines->file, (off_t)mark.begin, SEEK_SET) < 0)
        lines->status =
            scree_status_fail(SCREE_ERROR_IO, "cannot read '%s': %s", lines->name, strerror(errno));
    lines->offset = mark.begin;
    lines->number = mark.number - 1;
    lines->first = lines->filled = 0;
    lines->repeat = lines->ended = false;
}

bool scree_lines_report(struct scree_lines *lines, size_t column, size_t length, const char *format, ...)
{
    struct scree_place place = {.column = (uint32_t)column, .length = (uint32_t)(length > 0 ? length : 1)};
    va_list values;
    char *quoted;
    if (lines->status != SCREE_OK || lines->mistakes >= SCREE_LINES_MAX_DIAGNOSTICS)
        return false;
    ++lines->mistakes;
    const size_t kept = lines->length < SCREE_LINES_MAX_LENGTH ? lines->length : SCREE_LINES_MAX_LENGTH;
    scree_status status = scree_memory_new(kept + 1, 1, (void **)&quoted);
    if (status == SCREE_OK) {
        memcpy(quoted, lines->text, kept);
        status = scree_diagnostic_source(lines->diagnostics, lines->name, quoted, kept, &place.source);
    }
    if (status != SCREE_OK) {
        lines->status = status;
        return false;
    }
    // binary files are not read by lines: number stays 0, report at the first line
    const uint64_t before = lines->number > 0 ? lines->number - 1 : 0;
    lines->diagnostics->sources.data[place.source].lines_before =
        before < UINT32_MAX ? (uint32_t)before : UINT32_MAX - 1;
    va_start(values, format);
    scree_diagnostic_add_list(lines->diagnostics, &place, format, values);
    va_end(values);
    return false;
}

bool scree_lines_begins(const struct scree_lines *lines, const char *text)
{
    const size_t length = strlen(text);
    return lines->length >= length && memcmp(lines->text, text, length) == 0;
}
