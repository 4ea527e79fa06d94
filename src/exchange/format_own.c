// Reading bodies from frames and checkpoints of Scree, see format_each.h.
//
// Invariant: allocations are bounded by the size of the file, because compression has a bounded factor.

#include "base/memory.h"
#include "exchange/format_each.h"
#include "exchange/format_world.h"
#include "file/atomic.h"
#include "file/hdf.h"
#include "file/path.h"
#include "file/vtk.h"
#include "text/decimal.h"

#include <scree/checkpoint.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// maximum compression factor of deflate, and maximum size of a frame on disk, bytes
enum { MAX_COMPRESSION = 1100 };
static const size_t max_frame_size = (size_t)1 << 36;

// --- one frame

// Arrays of a frame that are read if present.
static const struct {
    const char *name;
    int column;
    unsigned width;
} arrays[] = {{"id", SCREE_FORMAT_ID, 1},
              {"material", SCREE_FORMAT_TYPE, 1},
              {"shape", SCREE_FORMAT_SHAPE, 1},
              {"body", SCREE_FORMAT_BODY, 1},
              {"radius", SCREE_FORMAT_RADIUS, 1},
              {"mass", SCREE_FORMAT_MASS, 1},
              {"velocity", SCREE_FORMAT_VELOCITY_X, 3},
              {"spin", SCREE_FORMAT_SPIN_X, 3},
              {"orientation", SCREE_FORMAT_QUAT_W, 4},
              {"force", SCREE_FORMAT_FORCE_X, 3}};
enum { ARRAYS = sizeof arrays / sizeof arrays[0] };

struct frame {
    struct scree_hdf hdf;
    size_t size; // of the file
    struct scree_format_table *table;
};

static double number_at(const void *data, scree_type type, size_t at)
{
    switch (type) {
    case SCREE_F64:
        return ((const double *)data)[at];
    case SCREE_F32:
        return (double)((const float *)data)[at];
    case SCREE_I64:
        return (double)((const int64_t *)data)[at];
    case SCREE_U64:
        return (double)((const uint64_t *)data)[at];
    case SCREE_U32:
        return (double)((const uint32_t *)data)[at];
    case SCREE_U16:
        return (double)((const uint16_t *)data)[at];
    default:
        return (double)((const unsigned char *)data)[at];
    }
}

// Reads a data set that must have this shape; `data` is null on failure.
static scree_status read_data(struct frame *frame, const char *path, size_t rows, unsigned width,
                              struct scree_hdf_shape *shape, void **data)
{
    *data = NULL;
    SCREE_TRY(scree_hdf_find(&frame->hdf, path, shape));
    const size_t bytes = scree_field_size(shape->type) * width;
    if ((shape->width > 0 ? shape->width : 1) != width || shape->rows != rows)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "'%s' has %zu rows of %u values instead of %zu of %u",
                                 path, shape->rows, shape->width, rows, width);
    if (rows > UINT32_MAX || rows * bytes > frame->size * MAX_COMPRESSION)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "'%s' is larger than is possible in a file of this size", path);
    SCREE_TRY(scree_memory_new(rows, bytes, data));
    const scree_status status = rows > 0 ? scree_hdf_read(&frame->hdf, path, shape, *data) : SCREE_OK;
    if (status == SCREE_OK)
        return SCREE_OK;
    scree_memory_free(*data);
    *data = NULL;
    return status;
}

static scree_status set_type(scree_format_types *types, uint32_t *type, double number)
{
    char name[SCREE_FORMAT_TYPE_LENGTH];
    const int length = snprintf(name, sizeof name, "%.0f", fabs(number) < 1e9 && number != 0 ? number : 0);
    SCREE_TRY(scree_format_type(types, name, (size_t)length, type));
    return *type < SCREE_FORMAT_TYPES
               ? SCREE_OK
               : scree_status_fail(SCREE_ERROR_ARGUMENT, "there are more than %d materials or shapes",
                                   (int)SCREE_FORMAT_TYPES);
}

static scree_status set_value(struct scree_format_table *table, int column, size_t row, double value)
{
    if (!(value >= -1e300 && value <= 1e300))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "row %zu has a value that is not finite or too large",
                                 row + 1);
    if (column == SCREE_FORMAT_TYPE)
        return set_type(&table->types, &table->type[row], value);
    if (column == SCREE_FORMAT_SHAPE)
        return set_type(&table->shapes, &table->shape[row], value);
    if (column == SCREE_FORMAT_BODY)
        table->body[row] = value >= 0 && value < 0x1p63 ? (uint64_t)value : 0;
    else if (column == SCREE_FORMAT_ID)
        table->id[row] = value >= 0 && value < 0x1p63 ? (uint64_t)value : 0;
    else
        table->number[column][row] = value;
    return SCREE_OK;
}

static scree_status read_array(struct frame *frame, const char *path, int column, unsigned width)
{
    struct scree_format_table *table = frame->table;
    struct scree_hdf_shape shape;
    void *data;
    SCREE_TRY(read_data(frame, path, table->count, width, &shape, &data));
    scree_status status = SCREE_OK;
    for (size_t row = 0; row < table->count && status == SCREE_OK; ++row)
        for (unsigned k = 0; k < width && status == SCREE_OK; ++k)
            status = set_value(table, column + (int)k, row, number_at(data, shape.type, row * width + k));
    // not every id can be a double: copy them as integers
    if (column == SCREE_FORMAT_ID && shape.type == SCREE_I64 && status == SCREE_OK && table->count > 0)
        memcpy(table->id, data, table->count * sizeof *table->id);
    scree_memory_free(data);
    return status;
}

static void read_time(struct frame *frame)
{
    struct scree_format_table *table = frame->table;
    const struct scree_hdf_shape time = {SCREE_F64, 1, 0}, step = {SCREE_I64, 1, 0};
    int64_t steps;
    table->has_time = scree_hdf_read(&frame->hdf, "/VTKHDF/FieldData/time", &time, &table->time) == SCREE_OK;
    table->has_step = scree_hdf_read(&frame->hdf, "/VTKHDF/FieldData/step", &step, &steps) == SCREE_OK;
    table->step = table->has_step ? (uint64_t)steps : 0;
}

// Refuses frames of contacts and walls, which have lines or triangles, or cell arrays.
static scree_status refuse_other_frames(struct frame *frame)
{
    struct scree_hdf_shape shape;
    void *kinds;
    size_t cell_arrays = 0;
    int kind = SCREE_VTK_VERTEX;
    if (scree_hdf_has(&frame->hdf, "/VTKHDF/CellData"))
        SCREE_TRY(scree_hdf_count(&frame->hdf, "/VTKHDF/CellData", &cell_arrays));
    SCREE_TRY(scree_hdf_find(&frame->hdf, "/VTKHDF/Types", &shape));
    SCREE_TRY(read_data(frame, "/VTKHDF/Types", shape.rows, 1, &shape, &kinds));
    for (size_t cell = 0; cell < shape.rows && kind == SCREE_VTK_VERTEX; ++cell)
        kind = (int)number_at(kinds, shape.type, cell);
    scree_memory_free(kinds);
    if (cell_arrays == 0 && kind == SCREE_VTK_VERTEX)
        return SCREE_OK;
    const bool bonds = scree_hdf_has(&frame->hdf, "/VTKHDF/CellData/elongation");
    const bool walls = kind == SCREE_VTK_TRIANGLE || scree_hdf_has(&frame->hdf, "/VTKHDF/CellData/id");
    const bool contacts = scree_hdf_has(&frame->hdf, "/VTKHDF/CellData/first");
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT,
        "this is a frame of %s without bodies: bodies are in the frames with '-bodies' in "
        "their names",
        bonds      ? "bonds"
        : walls    ? "walls"
        : contacts ? "contacts"
                   : "contacts or walls");
}

static scree_status read_frame(struct frame *frame, bool read_bodies)
{
    struct scree_format_table *table = frame->table;
    struct scree_hdf_shape points;
    char path[64];
    SCREE_TRY(refuse_other_frames(frame));
    read_time(frame);
    if (!read_bodies)
        return SCREE_OK;
    SCREE_TRY(scree_hdf_find(&frame->hdf, "/VTKHDF/Points", &points));
    if (points.rows > UINT32_MAX || points.rows > frame->size * MAX_COMPRESSION / 12)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the number of points is larger than is possible in a file of this size");
    scree_format_declare(table, SCREE_FORMAT_X, 3);
    for (size_t a = 0; a < ARRAYS; ++a) {
        snprintf(path, sizeof path, "/VTKHDF/PointData/%s", arrays[a].name);
        if (scree_hdf_has(&frame->hdf, path))
            scree_format_declare(table, arrays[a].column, (int)arrays[a].width);
    }
    for (size_t row = 0; row < points.rows; ++row)
        SCREE_TRY(scree_format_add(table));
    SCREE_TRY(read_array(frame, "/VTKHDF/Points", SCREE_FORMAT_X, 3));
    for (size_t a = 0; a < ARRAYS; ++a) {
        snprintf(path, sizeof path, "/VTKHDF/PointData/%s", arrays[a].name);
        if (scree_format_has(table, arrays[a].column))
            SCREE_TRY(read_array(frame, path, arrays[a].column, arrays[a].width));
    }
    return SCREE_OK;
}

static scree_status load_frame(const char *path, struct scree_format_table *table, bool read_bodies)
{
    struct frame frame = {.table = table};
    void *image;
    SCREE_TRY(scree_atomic_read(path, max_frame_size, &image, &frame.size));
    scree_status status = scree_vtk_open(&frame.hdf, path, image, frame.size);
    if (status == SCREE_OK)
        status = read_frame(&frame, read_bodies);
    scree_hdf_close(&frame.hdf);
    scree_memory_free(image);
    return status;
}

// Reports a failure: I/O and memory errors as a status, all others as a diagnostic of the file.
static bool check_status(struct scree_format_input *input, scree_status status)
{
    struct scree_lines *lines = &input->lines;
    if (status == SCREE_ERROR_MEMORY || status == SCREE_ERROR_IO)
        lines->status = status;
    else if (status != SCREE_OK)
        scree_lines_report(lines, 0, 1, "%s", scree_status_message());
    return status == SCREE_OK;
}

bool scree_format_own_is_frame(const char *text, size_t length)
{
    return scree_checksum_is(&scree_vtk_checksum, text, length);
}

bool scree_format_own_read_frame(struct scree_format_input *input, struct scree_format_table *table)
{
    return check_status(input, load_frame(input->path, table, input->read_bodies));
}

// --- series

static bool begins(const char *text, size_t length, const char *begin)
{
    return length > strlen(begin) && memcmp(text, begin, strlen(begin)) == 0;
}

bool scree_format_own_is_series(const char *text, size_t length)
{
    return begins(text, length, "{\"file-series-version\"");
}

// Returns the text after `key` in the current line, up to one of the characters `ends`; null without a key.
static const char *find_value(const struct scree_lines *lines, const char *key, const char *ends,
                              size_t *length)
{
    const size_t size = strlen(key);
    for (size_t at = 0; at + size <= lines->length; ++at) {
        const char *value = lines->text + at + size;
        if (memcmp(lines->text + at, key, size) != 0)
            continue;
        for (*length = 0; at + size + *length < lines->length && !strchr(ends, value[*length]);)
            ++*length;
        return value;
    }
    return NULL;
}

static bool read_frame_file(struct scree_format_input *input, struct scree_format_table *table,
                            const char *text, size_t length)
{
    char name[1024], *folder, *path = NULL;
    if (length >= sizeof name)
        return scree_lines_report(&input->lines, 0, 1, "the file name of a frame can have at most %zu bytes",
                                  sizeof name - 1);
    memcpy(name, text, length);
    name[length] = 0;
    scree_status status = scree_path_folder(input->path, &folder);
    if (status == SCREE_OK)
        status = scree_path_join(folder, name, &path);
    if (status == SCREE_OK)
        status = load_frame(path, table, input->read_bodies);
    scree_memory_free(path);
    scree_memory_free(folder);
    return check_status(input, status);
}

// Reports an index without its closing bracket; always returns false.
static bool report_truncated(struct scree_lines *lines)
{
    return lines->status == SCREE_OK &&
           scree_lines_report(lines, 0, 1, "the index is truncated: `]}` is missing at its end");
}

bool scree_format_own_read_series(struct scree_format_input *input, struct scree_format_table *table)
{
    struct scree_lines *lines = &input->lines;
    bool ended = false;
    while (scree_lines_next(lines)) {
        size_t length;
        const char *name = find_value(lines, "{\"name\": \"", "\"", &length);
        ended = ended || memchr(lines->text, ']', lines->length);
        if (!name)
            continue;
        ++input->snapshots;
        if (!read_frame_file(input, table, name, length))
            return false;
        const bool more = scree_lines_next(lines);
        scree_lines_repeat(lines);
        return more || ended || report_truncated(lines);
    }
    return ended ? false : report_truncated(lines);
}

// --- checkpoints

bool scree_format_own_is_checkpoint(const char *text, size_t length)
{
    return begins(text, length, "Scree checkpoint ");
}

bool scree_format_own_read_checkpoint(struct scree_format_input *input, struct scree_format_table *table)
{
    struct scree_checkpoint_facts facts;
    struct scree_world *world = NULL;
    scree_status status = scree_checkpoint_info(input->path, &facts);
    const struct scree_world_def def = {.dimension = status == SCREE_OK ? facts.dimension : 3};
    if (status == SCREE_OK)
        status = scree_world_create(&def, &world);
    if (status == SCREE_OK)
        status = scree_checkpoint_read(world, input->path);
    if (status == SCREE_OK)
        status = scree_format_world(world, table);
    scree_world_destroy(world);
    return check_status(input, status);
}
