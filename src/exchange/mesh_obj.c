// OBJ files, see mesh_input.h: the statements v (vertices) and f (polygons); others do not change the shape
// of a mesh.
//
// A polygon with three vertices is a facet. A convex one is split by lines from its first vertex; another one
// by cutting off ears: triangles of three consecutive vertices that bend like the polygon and contain no
// other vertex. Neither makes a facet without area where the polygon has an area.

#include "exchange/mesh_input.h"
#include "math/vec3.h"

// the time for ears grows with the third power of the number of vertices
enum { MOST_EARS = 64 };

struct reader {
    struct scree_mesh_input *input;
    SCREE_ARRAY(uint32_t) corner; // of the present polygon
    uint32_t polygons;
};

// --- polygons

static struct scree_vec3 point(const struct reader *reader, size_t corner)
{
    return scree_vec3_load(reader->input->vertex.data[reader->corner.data[corner]]);
}

// Twice the area of a polygon as a vector (Newell).
static struct scree_vec3 normal_of(const struct reader *reader)
{
    struct scree_vec3 sum = scree_vec3_zero();
    const struct scree_vec3 origin = point(reader, 0);
    for (size_t i = 2; i < reader->corner.count; ++i)
        sum = scree_vec3_add(sum, scree_vec3_cross(scree_vec3_sub(point(reader, i - 1), origin),
                                                   scree_vec3_sub(point(reader, i), origin)));
    return sum;
}

// Twice the area of the triangle of three corners, as seen along a normal.
static double turn(const struct reader *reader, struct scree_vec3 normal, size_t a, size_t b, size_t c)
{
    const struct scree_vec3 origin = point(reader, a);
    return scree_vec3_dot(normal, scree_vec3_cross(scree_vec3_sub(point(reader, b), origin),
                                                   scree_vec3_sub(point(reader, c), origin)));
}

static bool is_convex(const struct reader *reader, struct scree_vec3 normal)
{
    const size_t count = reader->corner.count;
    for (size_t i = 0; i < count; ++i)
        if (!(turn(reader, normal, i, (i + 1) % count, (i + 2) % count) > 0))
            return false;
    // corners that all bend to the left may still go around twice
    for (size_t i = 2; i + 1 < count; ++i)
        if (!(turn(reader, normal, 0, i, i + 1) > 0))
            return false;
    return true;
}

static bool add_facet(struct reader *reader, size_t a, size_t b, size_t c)
{
    const uint32_t *corner = reader->corner.data;
    reader->input->lines.status =
        scree_mesh_input_facet(reader->input, corner[a], corner[b], corner[c], reader->polygons);
    return reader->input->lines.status == SCREE_OK;
}

// Whether the corners before, at and after `at` are an ear.
static bool is_ear(const struct reader *reader, struct scree_vec3 normal, size_t at)
{
    const size_t count = reader->corner.count, before = (at + count - 1) % count, after = (at + 1) % count;
    if (!(turn(reader, normal, before, at, after) > 0))
        return false;
    for (size_t i = 0; i < count; ++i) {
        const uint32_t v = reader->corner.data[i];
        if (v == reader->corner.data[before] || v == reader->corner.data[at] ||
            v == reader->corner.data[after])
            continue;
        if (turn(reader, normal, before, at, i) >= 0 && turn(reader, normal, at, after, i) >= 0 &&
            turn(reader, normal, after, before, i) >= 0)
            return false;
    }
    return true;
}

static bool cut_ears(struct reader *reader, struct scree_vec3 normal)
{
    while (reader->corner.count > 3) {
        const size_t count = reader->corner.count;
        size_t at = 0;
        while (at < count && !is_ear(reader, normal, at))
            ++at;
        if (at == count)
            return scree_lines_report_line(
                &reader->input->lines,
                "this polygon crosses itself or has no area: it must be split into triangles");
        if (!add_facet(reader, (at + count - 1) % count, at, (at + 1) % count))
            return false;
        memmove(reader->corner.data + at, reader->corner.data + at + 1,
                (count - at - 1) * sizeof *reader->corner.data);
        --reader->corner.count;
    }
    return add_facet(reader, 0, 1, 2);
}

static bool split(struct reader *reader)
{
    const size_t count = reader->corner.count;
    const struct scree_vec3 normal = normal_of(reader);
    if (count == 3)
        return add_facet(reader, 0, 1, 2);
    if (is_convex(reader, normal)) {
        for (size_t i = 2; i < count; ++i)
            if (!add_facet(reader, 0, i - 1, i))
                return false;
        return true;
    }
    if (count > MOST_EARS)
        return scree_lines_report_line(&reader->input->lines,
                                       "a polygon that is not convex can have at most %d vertices; this one "
                                       "has %zu",
                                       (int)MOST_EARS, count);
    return cut_ears(reader, normal);
}

// --- statements

static bool read_vertex(struct reader *reader, size_t at)
{
    double coordinates[3];
    // a weight or a colour may follow
    if (!scree_mesh_input_point_read(reader->input, &at, coordinates))
        return false;
    reader->input->lines.status = scree_mesh_input_vertex(reader->input, coordinates);
    return reader->input->lines.status == SCREE_OK;
}

// Reads a whole number of at most 10 digits at the start of a word, and returns its length; 0 if there is
// none.
static size_t read_whole(const char *word, size_t length, int64_t *value)
{
    const size_t sign = length > 0 && word[0] == '-';
    size_t at = sign;
    for (*value = 0; at < length && at < sign + 10 && word[at] >= '0' && word[at] <= '9'; ++at)
        *value = 10 * *value + (word[at] - '0');
    *value = sign ? -*value : *value;
    return at > sign ? at : 0;
}

// Whether the rest of a word is one of the forms /t, /t/n and //n. Numbers of textures and normals are not
// used.
static bool is_rest(const char *word, size_t length)
{
    int64_t value;
    size_t at = 0;
    for (int slashes = 0; at < length; ++slashes) {
        if (word[at] != '/' || slashes == 2)
            return false;
        ++at;
        const size_t digits = read_whole(word + at, length - at, &value);
        // only the number between two slashes may be missing
        if (digits == 0 && (slashes == 1 || at >= length || word[at] != '/'))
            return false;
        at += digits;
    }
    return true;
}

static bool read_corner(struct reader *reader, const char *word, size_t length)
{
    struct scree_lines *lines = &reader->input->lines;
    const size_t vertices = reader->input->vertex.count;
    int64_t value;
    const size_t digits = read_whole(word, length, &value);
    if (digits == 0 || !is_rest(word + digits, length - digits))
        return scree_lines_report_word(lines, word, length,
                                       "the number of a vertex was expected, as in 1, 1/2, 1//3 or 1/2/3, "
                                       "not '%.*s'%s",
                                       (int)(length < 40 ? length : 40), word,
                                       word[0] == '\\' ? ": a polygon must be in one line" : "");
    // negative numbers count from the last vertex before the line
    const int64_t vertex = value < 0 ? (int64_t)vertices + value : value - 1;
    if (vertex < 0 || (uint64_t)vertex >= vertices)
        return scree_lines_report_word(
            lines, word, length,
            "there is no vertex %lld: the lines before this one have %zu, numbered "
            "from 1, or backwards from -1",
            (long long)value, vertices);
    lines->status = scree_array_push(&reader->corner, (uint32_t)vertex);
    return lines->status == SCREE_OK;
}

static bool read_polygon(struct reader *reader, size_t at)
{
    struct scree_lines *lines = &reader->input->lines;
    const char *word;
    size_t length;
    reader->corner.count = 0;
    ++reader->polygons;
    while (scree_lines_word(lines, &at, &word, &length) && word[0] != '#')
        if (!read_corner(reader, word, length))
            return false;
    if (reader->corner.count < 3)
        return scree_lines_report_line(lines, "a polygon has at least three vertices; this one has %zu",
                                       reader->corner.count);
    return split(reader);
}

scree_status scree_mesh_obj_read(struct scree_mesh_input *input)
{
    struct reader reader = {.input = input};
    struct scree_lines *lines = &input->lines;
    input->format = "OBJ";
    // a wrong line does not make the next ones wrong, except that numbers of vertices would be
    for (bool good = true; good && scree_lines_next(lines);) {
        const char *word;
        size_t at = 0, length;
        if (!scree_lines_word(lines, &at, &word, &length))
            continue;
        if (scree_lines_is(word, length, "v"))
            good = read_vertex(&reader, at);
        else if (scree_lines_is(word, length, "f"))
            read_polygon(&reader, at);
    }
    scree_array_free(&reader.corner);
    return lines->status;
}
