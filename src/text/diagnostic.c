// Diagnostics of input files, see diagnostic.h.

#include "text/diagnostic.h"

#include "text/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// columns quoted on either side of the place
enum { CONTEXT = 60 };

void scree_diagnostic_free(struct scree_diagnostics *diagnostics)
{
    for (size_t s = 0; s < diagnostics->sources.count; ++s) {
        scree_memory_free(diagnostics->sources.data[s].name);
        scree_memory_free(diagnostics->sources.data[s].text);
    }
    scree_array_free(&diagnostics->sources);
    scree_array_free(&diagnostics->list);
    diagnostics->all = diagnostics->with_duplicates = 0;
    diagnostics->out_of_memory = false;
}

scree_status scree_diagnostic_source(struct scree_diagnostics *diagnostics, const char *name, char *text,
                                     size_t length, uint32_t *source)
{
    struct scree_source added = {.text = text, .length = length};
    scree_status status = scree_memory_new(strlen(name) + 1, 1, (void **)&added.name);
    if (status == SCREE_OK) {
        memcpy(added.name, name, strlen(name));
        status = scree_array_push(&diagnostics->sources, added);
    }
    if (status != SCREE_OK) {
        scree_memory_free(added.name);
        scree_memory_free(text);
        return status;
    }
    *source = (uint32_t)diagnostics->sources.count - 1;
    return SCREE_OK;
}

const char *scree_diagnostic_place(const struct scree_diagnostics *diagnostics,
                                   const struct scree_place *place, char text[SCREE_DIAGNOSTIC_PLACE])
{
    const struct scree_source *source = &diagnostics->sources.data[place->source];
    const char *slash = strrchr(source->name, '/');
    snprintf(text, SCREE_DIAGNOSTIC_PLACE, "%.60s:%lu", slash ? slash + 1 : source->name,
             (unsigned long)place->line + source->lines_before + 1);
    return text;
}

static int compare_places(const struct scree_place *a, const struct scree_place *b)
{
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

bool scree_diagnostic_add(struct scree_diagnostics *diagnostics, const struct scree_place *place,
                          const char *format, ...)
{
    va_list values;
    va_start(values, format);
    scree_diagnostic_add_list(diagnostics, place, format, values);
    va_end(values);
    return false;
}

void scree_diagnostic_add_list(struct scree_diagnostics *diagnostics, const struct scree_place *place,
                               const char *format, va_list values)
{
    struct scree_diagnostic added = {.place = *place};
    scree_status_format(added.message, sizeof added.message, format, values);
    // replace control characters and incomplete UTF-8
    size_t size;
    for (char *c = added.message; *c; c += size) {
        uint32_t code;
        size = scree_utf8_read(c, strlen(c), &code);
        if (size == 0 || (scree_utf8_is_control(code) && code != '\n'))
            memset(c, '?', size = size > 0 ? size : 1);
    }
    ++diagnostics->with_duplicates;
    // skip duplicates: a YAML alias is checked once per use
    for (size_t c = 0; c < diagnostics->list.count; ++c)
        if (compare_places(place, &diagnostics->list.data[c].place) == 0 &&
            strcmp(added.message, diagnostics->list.data[c].message) == 0)
            return;
    ++diagnostics->all;
    // if the list is full, drop the last one in file order
    if (diagnostics->list.count == SCREE_DIAGNOSTIC_LIMIT) {
        if (compare_places(place, &diagnostics->list.data[SCREE_DIAGNOSTIC_LIMIT - 1].place) >= 0)
            return;
        --diagnostics->list.count;
    }
    if (scree_array_push(&diagnostics->list, added) != SCREE_OK) {
        diagnostics->out_of_memory = true;
        return;
    }
    struct scree_diagnostic *list = diagnostics->list.data;
    size_t at = diagnostics->list.count - 1;
    for (; at > 0 && compare_places(&added.place, &list[at - 1].place) < 0; --at)
        list[at] = list[at - 1];
    list[at] = added;
}

// --- formatting

typedef SCREE_ARRAY(char) buffer;

static scree_status put(buffer *out, const char *text, size_t length)
{
    SCREE_TRY(scree_array_reserve(out, out->count + length + 1));
    memcpy(out->data + out->count, text, length);
    out->count += length;
    out->data[out->count] = 0;
    return SCREE_OK;
}

SCREE_PRINTF(2, 3) static scree_status print(buffer *out, const char *format, ...)
{
    char text[SCREE_DIAGNOSTIC_LENGTH + 256];
    va_list values;
    va_start(values, format);
    scree_status_format(text, sizeof text, format, values);
    va_end(values);
    return put(out, text, strlen(text));
}

const char *scree_diagnostic_next_line(const char *at, const char *end)
{
    while (at < end && *at != '\n' && *at != '\r')
        ++at;
    return at + 1 < end && at[0] == '\r' && at[1] == '\n' ? at + 2 : at < end ? at + 1 : end;
}

static const char *find_line(const struct scree_source *source, uint32_t line, size_t *length)
{
    const char *at = source->text, *end = source->text + source->length;
    for (; line > 0 && at < end; --line)
        at = scree_diagnostic_next_line(at, end);
    const char *next = scree_diagnostic_next_line(at, end);
    while (next > at && (next[-1] == '\n' || next[-1] == '\r'))
        --next;
    *length = (size_t)(next - at);
    return at;
}

// Writes a text with `mark` in place of each control character; `width` gets its columns. `out` and `width`
// may be null.
static scree_status put_shown(buffer *out, const char *text, size_t length, char mark, size_t *width)
{
    size_t columns = 0;
    for (size_t k = 0, size; k < length; k += size) {
        uint32_t code;
        size = scree_utf8_read(text + k, length - k, &code);
        const bool shown = size > 0 && !scree_utf8_is_control(code);
        size = size > 0 ? size : 1;
        columns += shown ? scree_utf8_width(code) : 1;
        if (out)
            SCREE_TRY(put(out, shown ? text + k : &mark, shown ? size : 1));
    }
    if (width)
        *width = columns;
    return SCREE_OK;
}

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

// Quotes the part of a line around the place, with control characters replaced, and marks the place below it.
static scree_status quote(buffer *out, const char *line, size_t length, const struct scree_place *place)
{
    const size_t column = place->column < length ? place->column : length;
    size_t first = column > CONTEXT ? column - CONTEXT : 0,
           last = column + CONTEXT < length ? column + CONTEXT : length;
    while (first > 0 && is_continuation(line[first]))
        --first;
    while (last < length && is_continuation(line[last]))
        ++last;
    const size_t end = column + place->length < last ? column + place->length : last;
    size_t before, marked;
    SCREE_TRY(print(out, "    %s", first > 0 ? "..." : ""));
    SCREE_TRY(put_shown(out, line + first, last - first, ' ', NULL));
    SCREE_TRY(print(out, "%s\n    %s", last < length ? "..." : "", first > 0 ? "   " : ""));
    SCREE_TRY(put_shown(NULL, line + first, column - first, ' ', &before));
    SCREE_TRY(put_shown(NULL, line + column, end > column ? end - column : 0, ' ', &marked));
    for (; before > 0; --before)
        SCREE_TRY(put(out, " ", 1));
    SCREE_TRY(put(out, "^", 1));
    for (; marked > 1; --marked)
        SCREE_TRY(put(out, "~", 1));
    return put(out, "\n", 1);
}

// Returns the number of the character at byte `column` of a line, from 1.
static unsigned character_at(const char *line, size_t length, size_t column)
{
    unsigned number = 1;
    for (size_t k = 0; k < column && k < length; ++k)
        number += !is_continuation(line[k]);
    return column > length ? number + (unsigned)(column - length) : number;
}

static scree_status write_all(const struct scree_diagnostics *diagnostics, buffer *out)
{
    for (size_t c = 0; c < diagnostics->list.count; ++c) {
        const struct scree_diagnostic *diagnostic = &diagnostics->list.data[c];
        const struct scree_source *source = &diagnostics->sources.data[diagnostic->place.source];
        size_t length;
        const char *line = find_line(source, diagnostic->place.line, &length);
        SCREE_TRY(put_shown(out, source->name, strlen(source->name), '?', NULL));
        SCREE_TRY(print(out, ":%u:%u: ", source->lines_before + diagnostic->place.line + 1,
                        character_at(line, length, diagnostic->place.column)));
        SCREE_TRY(print(out, "%s\n", diagnostic->message));
        if (source->text)
            SCREE_TRY(quote(out, line, length, &diagnostic->place));
    }
    const size_t more = diagnostics->all - diagnostics->list.count;
    if (more > 0)
        SCREE_TRY(print(out, "and %zu more%s\n", more, diagnostics->out_of_memory ? " (out of memory)" : ""));
    return SCREE_OK;
}

scree_status scree_diagnostic_text(const struct scree_diagnostics *diagnostics, char **text)
{
    buffer out = {0};
    const scree_status status = write_all(diagnostics, &out);
    *text = NULL;
    if (status != SCREE_OK)
        scree_array_free(&out);
    else
        *text = out.data;
    return status;
}
