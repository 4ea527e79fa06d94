// Spheres from a file of numbers, see build.h. The file is a source of complaints like the scene itself, so a
// wrong row is shown as it stands.

#include "io/build.h"
#include "io/path.h"

#include <scree/scree.h>

#include <string.h>

enum { NUMBERS = 7 };

struct rows {
    struct scree_reading *reading;
    struct scree_world *world;
    scree_material_id material;
    uint32_t source;
};

static bool is_between(char c)
{
    return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r';
}

// The numbers of a row; false after a complaint.
static bool read_row(struct rows *rows, uint32_t line, const char *text, size_t length, double *number,
                     size_t *count)
{
    *count = 0;
    for (size_t at = 0; at < length;) {
        struct scree_place place = {rows->source, line, (uint32_t)at, 1};
        struct scree_quantity quantity;
        struct scree_slip slip;
        if (is_between(text[at])) {
            ++at;
            continue;
        }
        size_t end = at;
        while (end < length && !is_between(text[end]))
            ++end;
        place.length = (uint32_t)(end - at);
        if (*count == NUMBERS) {
            scree_complaint_add(&rows->reading->complaints, &place,
                                "a row has 4 or 7 numbers, and this is one more");
            return false;
        }
        if (!scree_quantity_read(text + at, end - at, &quantity, &slip)) {
            scree_complaint_add(&rows->reading->complaints, &place, "%s", slip.what);
            return false;
        }
        number[(*count)++] = quantity.value;
        at = end;
    }
    return true;
}

static scree_status add_row(struct rows *rows, uint32_t line, const char *text, size_t length)
{
    double number[NUMBERS] = {0};
    size_t count;
    const struct scree_place place = {rows->source, line, 0, (uint32_t)length};
    const size_t first = strspn(text, " \t");
    const bool letter =
        (text[first] >= 'a' && text[first] <= 'z') || (text[first] >= 'A' && text[first] <= 'Z');
    if (first >= length || text[first] == '#' || letter ||
        !read_row(rows, line, text, length, number, &count) || count == 0)
        return SCREE_OK;
    if (count != 4 && count != NUMBERS) {
        scree_complaint_add(&rows->reading->complaints, &place,
                            "a row has 4 numbers, x, y, z and the radius, or 7 with the velocity, not %zu",
                            count);
        return SCREE_OK;
    }
    const struct scree_sphere_def def = {.radius = number[3],
                                         .material = rows->material,
                                         .position = {number[0], number[1], number[2]},
                                         .velocity = {number[4], number[5], number[6]}};
    scree_body_id id;
    const struct scree_node node = {.place = place};
    return scree_build_note(rows->reading, &node, scree_body_add_sphere(rows->world, &def, &id));
}

static scree_status add_rows(struct rows *rows, const char *text, size_t length)
{
    uint32_t line = 0;
    for (size_t at = 0; at < length; ++line) {
        const char *end = memchr(text + at, '\n', length - at);
        const size_t size = end ? (size_t)(end - text) - at : length - at;
        SCREE_TRY(add_row(rows, line, text + at, size));
        at += size + 1;
    }
    return SCREE_OK;
}

scree_status scree_build_read(struct scree_reading *reading, struct scree_world *world,
                              const struct scree_node *map)
{
    struct rows rows = {.reading = reading, .world = world};
    const char *name;
    char *path, *text;
    size_t length;
    SCREE_TRY(scree_build_material(reading, world, map, SCREE_KEY_read_material, &rows.material));
    if (rows.material.value == 0 || !scree_reading_text(reading, map, SCREE_KEY_read_file, &name))
        return SCREE_OK;
    const struct scree_node *node = scree_reading_node(map, SCREE_KEY_read_file);
    scree_status status = scree_path_join(reading->folder, name, &path);
    if (status == SCREE_OK) {
        status = scree_tree_load(path, &text, &length);
        scree_memory_free(path);
    }
    if (status != SCREE_OK)
        return scree_build_note(reading, node, status);
    SCREE_TRY(scree_complaint_source(&reading->complaints, name, text, length, &rows.source));
    return add_rows(&rows, text, length);
}
