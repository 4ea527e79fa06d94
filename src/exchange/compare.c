// Comparing files of results, see scree/compare.h.

#include "base/memory.h"
#include "file/atomic.h"
#include "file/hdf.h"
#include "file/vtk.h"

#include <scree/compare.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// maximum depth of groups, and size of a path
enum { MAX_DEPTH = 8, PATH = 512 };

// One of the two files.
struct side {
    struct scree_hdf hdf;
    void *image;
};

static void close_side(struct side *side)
{
    scree_hdf_close(&side->hdf);
    scree_memory_free(side->image);
}

static scree_status open_side(struct side *side, const char *path)
{
    size_t size;
    *side = (struct side){0};
    SCREE_TRY(scree_atomic_read(path, SIZE_MAX / 2, &side->image, &size));
    return scree_vtk_open(&side->hdf, path, side->image, size);
}

struct data {
    struct scree_hdf_shape shape;
    unsigned char *bytes;
};

static size_t components(const struct scree_hdf_shape *shape)
{
    return shape->width > 0 ? shape->width : 1;
}

static scree_status read_data(struct side *side, const char *path, struct data *data)
{
    *data = (struct data){0};
    SCREE_TRY(scree_hdf_find(&side->hdf, path, &data->shape));
    SCREE_TRY(scree_memory_new(data->shape.rows,
                               components(&data->shape) * scree_field_size(data->shape.type),
                               (void **)&data->bytes));
    return scree_hdf_read(&side->hdf, path, &data->shape, data->bytes);
}

static void write_value(const struct data *data, size_t component, char *text, size_t capacity)
{
    const size_t size = scree_field_size(data->shape.type);
    uint64_t bits = 0;
    double real;
    float single;
    memcpy(&bits, data->bytes + component * size, size);
    memcpy(&real, &bits, sizeof real);
    memcpy(&single, &bits, sizeof single);
    if (data->shape.type == SCREE_F64)
        snprintf(text, capacity, "%.17g", real);
    else if (data->shape.type == SCREE_F32)
        snprintf(text, capacity, "%.9g", (double)single);
    else if (data->shape.type == SCREE_I64)
        snprintf(text, capacity, "%" PRId64, (int64_t)bits);
    else
        snprintf(text, capacity, "%" PRIu64, bits);
}

// Names a row by the id in the data set `id` of the same group, as " of id 17"; without ids by its number.
static scree_status name_row(struct side *side, const char *path, size_t row, size_t rows, char *text,
                             size_t capacity)
{
    char id_path[PATH];
    struct data ids;
    snprintf(id_path, sizeof id_path, "%.*s/id", (int)(strrchr(path, '/') - path), path);
    struct scree_hdf_shape shape;
    const bool known = scree_hdf_has(&side->hdf, id_path) &&
                       scree_hdf_find(&side->hdf, id_path, &shape) == SCREE_OK && shape.rows == rows &&
                       shape.width == 0 && (shape.type == SCREE_I64 || shape.type == SCREE_U64);
    text[0] = 0;
    if (rows > 1)
        snprintf(text, capacity, " of row %zu", row);
    if (!known)
        return SCREE_OK;
    const scree_status status = read_data(side, id_path, &ids);
    if (status == SCREE_OK) {
        char id[32];
        write_value(&ids, row, id, sizeof id);
        snprintf(text, capacity, " of id %s", id);
    }
    scree_memory_free(ids.bytes);
    return status;
}

static scree_status compare_bytes(struct side side[2], const char *path, const struct data data[2],
                                  struct scree_difference *difference)
{
    const size_t width = components(&data[0].shape), size = scree_field_size(data[0].shape.type);
    const size_t count = data[0].shape.rows * width;
    char row[64], component[32] = "";
    size_t at = 0;
    while (at < count && memcmp(data[0].bytes + at * size, data[1].bytes + at * size, size) == 0)
        ++at;
    if (at == count)
        return SCREE_OK;
    SCREE_TRY(name_row(&side[0], path, at / width, data[0].shape.rows, row, sizeof row));
    if (width > 1)
        snprintf(component, sizeof component, "[%zu]", at % width);
    difference->differs = true;
    snprintf(difference->where, sizeof difference->where, "%.150s%s%s", path, component, row);
    write_value(&data[0], at, difference->value[0], sizeof difference->value[0]);
    write_value(&data[1], at, difference->value[1], sizeof difference->value[1]);
    return SCREE_OK;
}

static scree_status compare_data(struct side side[2], const char *path, struct scree_difference *difference)
{
    struct data data[2] = {0};
    scree_status status = read_data(&side[0], path, &data[0]);
    if (status == SCREE_OK)
        status = read_data(&side[1], path, &data[1]);
    const struct scree_hdf_shape *a = &data[0].shape, *b = &data[1].shape;
    if (status == SCREE_OK && (a->rows != b->rows || a->width != b->width || a->type != b->type)) {
        difference->differs = true;
        snprintf(difference->where, sizeof difference->where, "the shape of %.200s", path);
        for (int k = 0; k < 2; ++k)
            snprintf(difference->value[k], sizeof difference->value[k], "%zu rows of %zu", data[k].shape.rows,
                     components(&data[k].shape));
    } else if (status == SCREE_OK) {
        status = compare_bytes(side, path, data, difference);
    }
    scree_memory_free(data[0].bytes);
    scree_memory_free(data[1].bytes);
    return status;
}

static bool is_data(struct side *side, const char *path)
{
    struct scree_hdf_shape shape;
    return scree_hdf_find(&side->hdf, path, &shape) != SCREE_ERROR_MISSING;
}

static void set_missing(const char *path, int present_side, struct scree_difference *difference)
{
    difference->differs = true;
    snprintf(difference->where, sizeof difference->where, "%.220s", path);
    snprintf(difference->value[present_side], sizeof difference->value[present_side], "present");
    snprintf(difference->value[1 - present_side], sizeof difference->value[present_side], "missing");
}

static scree_status count_members(struct side *side, const char *group, int depth, size_t *count)
{
    if (depth == MAX_DEPTH || strlen(group) > 200)
        return scree_status_fail(SCREE_ERROR_LIMIT, "'%s' is nested too deep for a frame", group);
    return scree_hdf_count(&side->hdf, group, count);
}

static scree_status path_of_member(struct side *side, const char *group, size_t k, char path[PATH])
{
    char name[PATH / 2];
    SCREE_TRY(scree_hdf_name(&side->hdf, group, k, name, sizeof name));
    snprintf(path, PATH, "%.200s/%s", group[1] ? group : "", name);
    return SCREE_OK;
}

static scree_status compare_group(struct side side[2], const char *group, int depth,
                                  struct scree_difference *difference)
{
    size_t count;
    char path[PATH];
    SCREE_TRY(count_members(&side[0], group, depth, &count));
    for (size_t k = 0; k < count && !difference->differs; ++k) {
        SCREE_TRY(path_of_member(&side[0], group, k, path));
        const bool data = is_data(&side[0], path);
        if (!scree_hdf_has(&side[1].hdf, path) || data != is_data(&side[1], path))
            set_missing(path, 0, difference);
        else if (data)
            SCREE_TRY(compare_data(side, path, difference));
        else
            SCREE_TRY(compare_group(side, path, depth + 1, difference));
    }
    // data that only the second file has
    SCREE_TRY(difference->differs ? SCREE_OK : scree_hdf_count(&side[1].hdf, group, &count));
    for (size_t k = 0; k < count && !difference->differs; ++k) {
        SCREE_TRY(path_of_member(&side[1], group, k, path));
        if (!scree_hdf_has(&side[0].hdf, path))
            set_missing(path, 1, difference);
    }
    return SCREE_OK;
}

scree_status scree_compare_frames(const char *first, const char *second, struct scree_difference *difference)
{
    struct side side[2] = {0};
    *difference = (struct scree_difference){0};
    scree_status status = open_side(&side[0], first);
    if (status == SCREE_OK)
        status = open_side(&side[1], second);
    if (status == SCREE_OK)
        status = compare_group(side, "/", 0, difference);
    close_side(&side[0]);
    close_side(&side[1]);
    return status;
}

static scree_status list_data(struct side *side, const char *path, scree_text_function *write, void *user)
{
    static const char *const types[] = {
        [SCREE_F64] = "double",         [SCREE_F32] = "float",          [SCREE_I64] = "64-bit integer",
        [SCREE_U64] = "64-bit counter", [SCREE_U32] = "32-bit counter", [SCREE_U16] = "16-bit counter",
        [SCREE_CHAR] = "byte"};
    char line[PATH + 128], value[64] = "", width[32] = "";
    struct data data;
    const scree_status status = read_data(side, path, &data);
    const struct scree_hdf_shape *shape = &data.shape;
    if (status == SCREE_OK && shape->rows == 1 && components(shape) == 1)
        write_value(&data, 0, value, sizeof value);
    if (components(shape) > 1)
        snprintf(width, sizeof width, " x %zu", components(shape));
    snprintf(line, sizeof line, "  %-40s %zu%s %s%s%s\n", path, shape->rows, width, types[shape->type],
             value[0] ? ": " : "", value);
    if (status == SCREE_OK)
        write(user, line);
    scree_memory_free(data.bytes);
    return status;
}

static scree_status list_group(struct side *side, const char *group, int depth, scree_text_function *write,
                               void *user)
{
    size_t count;
    char path[PATH];
    SCREE_TRY(count_members(side, group, depth, &count));
    for (size_t k = 0; k < count; ++k) {
        SCREE_TRY(path_of_member(side, group, k, path));
        if (is_data(side, path))
            SCREE_TRY(list_data(side, path, write, user));
        else
            SCREE_TRY(list_group(side, path, depth + 1, write, user));
    }
    return SCREE_OK;
}

scree_status scree_compare_list(const char *path, scree_text_function *write, void *user)
{
    struct side side = {0};
    scree_status status = open_side(&side, path);
    if (status == SCREE_OK)
        status = list_group(&side, "/", 0, write, user);
    close_side(&side);
    return status;
}
