// STL files, see mesh_input.h.
//
// A binary file has a header of 80 bytes, a number of facets, and for each facet 50 bytes: the normal and
// three vertices as 32-bit floats, and 16 bits without meaning. A file of the size that follows from its
// number of facets is binary, even if it begins with "solid". In a text each statement has a line. Normals
// are not read: they follow from the order of the vertices, and some programs write zeros or NaN.

#include "exchange/mesh_input.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 84, FACET = 50, AT_ONCE = 4096 };

// Reads bytes at an offset; a file that ends before them is an error.
static scree_status read_bytes(const struct scree_mesh_input *input, uint64_t offset, void *bytes,
                               size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t more =
            pread(input->lines.file, (char *)bytes + done, size - done, (off_t)(offset + done));
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0)
            return scree_status_fail(SCREE_ERROR_IO, "cannot read '%s' at byte %llu: %s", input->path,
                                     (unsigned long long)(offset + done),
                                     more < 0 ? strerror(errno) : "the file has become shorter");
        done += (size_t)more;
    }
    return SCREE_OK;
}

static uint32_t number_of(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// --- binary

static scree_status read_facet(struct scree_mesh_input *input, const unsigned char *bytes, uint32_t facet)
{
    for (uint32_t k = 0; k < 9; ++k) {
        const uint32_t bits = number_of(bytes + 12 + 4 * k);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "'%s': coordinate %c of vertex %u of facet %u, at byte %llu, is %s: it "
                                     "must be a finite number",
                                     input->path, 'x' + (int)(k % 3), (unsigned)(k / 3 + 1),
                                     (unsigned)facet + 1,
                                     HEAD + FACET * (unsigned long long)facet + 12 + 4 * k,
                                     isnan(value) ? "not a number" : "infinite");
        input->vertex.data[3 * (size_t)facet + k / 3][k % 3] = (double)value;
    }
    for (uint32_t k = 0; k < 3; ++k)
        input->facet.data[facet][k] = 3 * facet + k;
    input->number.data[facet] = facet + 1;
    return SCREE_OK;
}

static scree_status read_binary(struct scree_mesh_input *input, uint32_t facets)
{
    static const char name[] = "binary STL";
    unsigned char *bytes;
    scree_status status = SCREE_OK;
    input->format = name;
    input->precision = 0x1p-24; // half a unit in the last place
    if (facets > UINT32_MAX / 3)
        return scree_status_fail(SCREE_ERROR_LIMIT, "'%s' has %u facets; a mesh can have at most %u",
                                 input->path, (unsigned)facets, UINT32_MAX / 3);
    // the size of the file has confirmed the number
    SCREE_TRY(scree_array_reserve(&input->vertex, 3 * (size_t)facets));
    SCREE_TRY(scree_array_reserve(&input->facet, facets));
    SCREE_TRY(scree_array_reserve(&input->number, facets));
    SCREE_TRY(scree_memory_new(facets < AT_ONCE ? facets : AT_ONCE, FACET, (void **)&bytes));
    for (uint32_t f = 0; status == SCREE_OK && f < facets;) {
        const uint32_t count = facets - f < AT_ONCE ? facets - f : AT_ONCE;
        status = read_bytes(input, HEAD + FACET * (uint64_t)f, bytes, (size_t)count * FACET);
        for (uint32_t i = 0; status == SCREE_OK && i < count; ++i)
            status = read_facet(input, bytes + (size_t)i * FACET, f + i);
        f += count;
    }
    scree_memory_free(bytes);
    input->vertex.count = 3 * (size_t)facets;
    input->facet.count = input->number.count = facets;
    return status;
}

// --- text

enum state { OUTSIDE, SOLID, LOOP, FIRST, SECOND, THIRD, LOOP_END, FACET_END };

// The statements of a text: what they begin with, and the state before and after them.
static const struct {
    enum state before, after;
    const char *words[2];
} statements[] = {
    {OUTSIDE, SOLID, {"solid"}},        {SOLID, LOOP, {"facet", "normal"}}, {LOOP, FIRST, {"outer", "loop"}},
    {FIRST, SECOND, {"vertex"}},        {SECOND, THIRD, {"vertex"}},        {THIRD, LOOP_END, {"vertex"}},
    {LOOP_END, FACET_END, {"endloop"}}, {FACET_END, SOLID, {"endfacet"}},   {SOLID, OUTSIDE, {"endsolid"}},
};
enum { STATEMENTS = sizeof statements / sizeof statements[0] };

static const char *const expected[] = {
    [OUTSIDE] = "`solid NAME`",  [SOLID] = "`facet normal X Y Z` or `endsolid`",
    [LOOP] = "`outer loop`",     [FIRST] = "`vertex X Y Z`",
    [SECOND] = "`vertex X Y Z`", [THIRD] = "`vertex X Y Z`",
    [LOOP_END] = "`endloop`",    [FACET_END] = "`endfacet`"};

// Whether the next word of the line is `wanted`, in any case.
static bool takes(const struct scree_lines *lines, size_t *at, const char *wanted)
{
    const char *word;
    size_t length;
    if (!scree_lines_word(lines, at, &word, &length) || length != strlen(wanted))
        return false;
    for (size_t i = 0; i < length; ++i)
        if (tolower((unsigned char)word[i]) != wanted[i])
            return false;
    return true;
}

static bool is_blank(const struct scree_lines *lines)
{
    size_t at = 0, length;
    const char *word;
    return !scree_lines_word(lines, &at, &word, &length);
}

// Finds the statement of the line; `at` is then behind its first words.
static int find_statement(const struct scree_lines *lines, enum state state, size_t *at)
{
    for (int s = 0; s < STATEMENTS; ++s) {
        *at = 0;
        if (statements[s].before == state && takes(lines, at, statements[s].words[0]) &&
            (!statements[s].words[1] || takes(lines, at, statements[s].words[1])))
            return s;
    }
    return STATEMENTS;
}

// Reads a vertex, and adds the facet after the third one.
static bool read_vertex(struct scree_mesh_input *input, size_t at, enum state state)
{
    double point[3];
    const char *word;
    size_t length;
    if (!scree_mesh_input_point_read(input, &at, point))
        return false;
    if (scree_lines_word(&input->lines, &at, &word, &length))
        return scree_lines_report_word(&input->lines, word, length, "a vertex has three coordinates only");
    input->lines.status = scree_mesh_input_vertex(input, point);
    const uint32_t last = (uint32_t)input->vertex.count - 1;
    if (input->lines.status == SCREE_OK && state == THIRD)
        input->lines.status =
            scree_mesh_input_facet(input, last - 2, last - 1, last, (uint32_t)input->facet.count + 1);
    return input->lines.status == SCREE_OK;
}

static void read_text(struct scree_mesh_input *input)
{
    struct scree_lines *lines = &input->lines;
    enum state state = OUTSIDE;
    input->format = "ASCII STL";
    while (scree_lines_next(lines)) {
        size_t at;
        if (is_blank(lines))
            continue;
        const int s = find_statement(lines, state, &at);
        if (s == STATEMENTS) {
            // what follows would only repeat this mistake
            scree_lines_report_line(lines, "%s was expected here%s", expected[state],
                                    state == FIRST || state == SECOND || state == THIRD || state == LOOP_END
                                        ? ": a facet has three vertices"
                                        : "");
            return;
        }
        if (state >= FIRST && state <= THIRD && !read_vertex(input, at, state))
            return;
        state = statements[s].after;
    }
    if (lines->status == SCREE_OK && lines->mistakes == 0 && state != OUTSIDE)
        scree_lines_report(lines, 0, 1, "the file ends here, but %s was expected", expected[state]);
}

// --- which of both

// Whether a file with this beginning is a text: it begins with "solid" and has no byte that text has not.
static bool is_text(const unsigned char *bytes, size_t count)
{
    static const char word[] = "solid";
    size_t at = 0, same = 0;
    while (at < count && isspace(bytes[at]))
        ++at;
    while (same < sizeof word - 1 && at + same < count && tolower(bytes[at + same]) == word[same])
        ++same;
    for (size_t i = 0; i < count; ++i)
        if (bytes[i] < ' ' && !isspace(bytes[i]))
            return false;
    return same == sizeof word - 1;
}

scree_status scree_mesh_stl_read(struct scree_mesh_input *input)
{
    struct stat info;
    unsigned char head[HEAD] = {0};
    if (fstat(input->lines.file, &info) != 0)
        return scree_status_fail(SCREE_ERROR_IO, "cannot read '%s': %s", input->path, strerror(errno));
    const uint64_t size = (uint64_t)info.st_size;
    const size_t known = size < HEAD ? (size_t)size : HEAD;
    SCREE_TRY(read_bytes(input, 0, head, known));
    const uint32_t facets = number_of(head + HEAD - 4);
    if (size >= HEAD && size == HEAD + FACET * (uint64_t)facets)
        return read_binary(input, facets);
    if (is_text(head, known)) {
        read_text(input);
        return input->lines.status;
    }
    if (size < HEAD)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "'%s' is not an STL file: a text begins with `solid`, and a binary file has at "
            "least %d bytes; this one has %llu",
            input->path, (int)HEAD, (unsigned long long)size);
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT,
        "'%s' has %llu bytes, but a binary STL file of %u facets, which byte 80 states, "
        "has %llu: the file is truncated, has other data at its end, or is not an STL file",
        input->path, (unsigned long long)size, (unsigned)facets, HEAD + FACET * (unsigned long long)facets);
}
