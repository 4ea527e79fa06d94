// Converting files of bodies, see scree/convert.h.

#include "base/memory.h"
#include "exchange/clumps.h"
#include "exchange/format_name.h"
#include "exchange/format_save.h"
#include "exchange/formats.h"
#include "file/atomic.h"
#include "file/path.h"

#include <scree/convert.h>

#include <math.h>
#include <string.h>
#include <unistd.h>

bool scree_convert_format_at(size_t index, struct scree_convert_format *format)
{
    for (size_t k = 0; k <= index; ++k)
        if (!scree_formats[k].name)
            return false;
    const struct scree_format *row = &scree_formats[index];
    *format = (struct scree_convert_format){row->name, row->about, row->endings, row->many};
    return true;
}

// --- data that the format cannot store

// All zero before the first table.
struct loss {
    unsigned columns, facts; // bits, as those of formats
    bool mass_as_density;    // the mass is stored as the density of a sphere
};

#define BITS(column, count) (((1u << (count)) - 1) << SCREE_FORMAT_##column)
static const struct {
    unsigned columns, facts;
    const char *name;
} losses[] = {{BITS(RADIUS, 1), 0, "radius"},  {BITS(DENSITY, 1), 0, "density"},
              {BITS(MASS, 1), 0, "mass"},      {BITS(VELOCITY_X, 3), 0, "velocity"},
              {BITS(SPIN_X, 3), 0, "spin"},    {BITS(QUAT_W, 4), 0, "orientation"},
              {BITS(FORCE_X, 3), 0, "force"},  {BITS(IMAGE_X, 3), 0, "image flags"},
              {BITS(SHAPE, 1), 0, "shape"},    {BITS(BODY, 1), 0, "the body of each pebble"},
              {0, SCREE_FORMAT_BOX, "box"},    {0, SCREE_FORMAT_PERIODS, "periodic axes"},
              {0, SCREE_FORMAT_TIME, "time"},  {0, SCREE_FORMAT_STEP, "step"},
              {0, SCREE_FORMAT_UNITS, "units"}};
enum { LOSSES = sizeof losses / sizeof losses[0] };

// Adds the data of a table that the format leaves out. `input_columns` excludes columns that
// were computed for the format; `units`: the output is in units other than SI.
static void add_loss(struct loss *loss, const struct scree_format_table *table, unsigned input_columns,
                     const struct scree_format *format, bool units)
{
    const unsigned mass = BITS(MASS, 1), density = BITS(DENSITY, 1);
    const bool periodic = table->periodic[0] || table->periodic[1] || table->periodic[2];
    const unsigned facts = (table->has_box ? SCREE_FORMAT_BOX : 0u) | (periodic ? SCREE_FORMAT_PERIODS : 0u) |
                           (table->has_time ? SCREE_FORMAT_TIME : 0u) |
                           (table->has_step ? SCREE_FORMAT_STEP : 0u) | (units ? SCREE_FORMAT_UNITS : 0u);
    loss->columns |= input_columns & ~format->columns;
    loss->facts |= facts & ~format->facts;
    loss->mass_as_density =
        loss->mass_as_density || ((input_columns & mass & ~format->columns) && !(input_columns & density) &&
                                  (table->has & density & format->columns));
}

static void append(char *text, size_t capacity, const char *between, const char *word)
{
    const size_t used = strlen(text);
    snprintf(text + used, capacity - used, "%s%s", used > 0 ? between : "", word);
}

// Lists the data left out, separated by commas.
static void list_losses(const struct loss *loss, char *text, size_t capacity)
{
    text[0] = 0;
    for (size_t r = 0; r < LOSSES; ++r) {
        const bool mass = losses[r].columns == BITS(MASS, 1) && loss->mass_as_density;
        if (loss->columns & losses[r].columns || loss->facts & losses[r].facts)
            append(text, capacity, ", ", mass ? "mass (kept as the density of a sphere)" : losses[r].name);
    }
}

// Lists the number of each type, as "1 glass, 2 steel"; nothing if names are numbers or are kept.
static void list_numbers(const struct scree_format_table *table, const struct scree_format *format,
                         char *text, size_t capacity)
{
    text[0] = 0;
    if (format->facts & SCREE_FORMAT_NAMES || !scree_format_has(table, SCREE_FORMAT_TYPE) ||
        scree_format_types_are_numbers(table))
        return;
    for (size_t t = 0; t < table->types.count; ++t) {
        char one[SCREE_FORMAT_TYPE_LENGTH + 24];
        snprintf(one, sizeof one, "%zu %s", t + 1, table->types.data[t].name);
        // leave space for ", ..."
        if (strlen(text) + strlen(one) + sizeof ", ..." + 1 > capacity) {
            append(text, capacity, ", ", "...");
            return;
        }
        append(text, capacity, ", ", one);
    }
}

// --- data missing in the input

static scree_status set_column(struct scree_format_table *table, int column, double value)
{
    SCREE_TRY(scree_format_extend(table, column));
    for (size_t body = 0; body < table->count; ++body)
        table->number[column][body] = value;
    return SCREE_OK;
}

static scree_status complete_table(struct scree_format_table *table, const struct scree_convert_def *def,
                                   const struct scree_format *to)
{
    if (def->scale > 0)
        scree_format_scale(table, def->scale);
    if (def->radius > 0 && !scree_format_has(table, SCREE_FORMAT_RADIUS))
        SCREE_TRY(set_column(table, SCREE_FORMAT_RADIUS, def->radius));
    if (def->density > 0 && !scree_format_has(table, SCREE_FORMAT_DENSITY) &&
        !scree_format_has(table, SCREE_FORMAT_MASS))
        return set_column(table, SCREE_FORMAT_DENSITY, def->density);
    return to ? scree_format_complete(table, to) : SCREE_OK;
}

static scree_status check_needs(const char *in, const struct scree_format *to,
                                const struct scree_format_table *table)
{
    static const struct {
        int column;
        const char *remedy;
    } rows[] = {{SCREE_FORMAT_RADIUS, "give one radius for all"},
                {SCREE_FORMAT_DENSITY, "give one density for all"}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        if (to->needs >> rows[r].column & 1 && !scree_format_has(table, rows[r].column))
            return scree_status_fail(SCREE_ERROR_MISSING, "'%s' has no %s%s, which the format %s needs: %s",
                                     in, scree_format_numbers[rows[r].column].name,
                                     rows[r].column == SCREE_FORMAT_DENSITY ? " and no mass" : "", to->name,
                                     rows[r].remedy);
    return SCREE_OK;
}

// --- clumps

// Makes clumps of pebbles if the format stores shapes.
static scree_status make_clumps(const char *in, const struct scree_format *to,
                                struct scree_format_table *table, struct scree_format_clumps *clumps)
{
    size_t bodies, pebbles;
    if (!(to->columns & BITS(SHAPE, 1)))
        return SCREE_OK;
    SCREE_TRY(scree_exchange_clumps_count(table, &bodies, &pebbles));
    if (bodies == 0)
        return SCREE_OK;
    if (!scree_format_has(table, SCREE_FORMAT_RADIUS))
        return scree_status_fail(SCREE_ERROR_MISSING,
                                 "the pebbles in '%s' have no radius, which clumps need: give one radius for "
                                 "all",
                                 in);
    return scree_exchange_clumps_make(table, clumps);
}

// The file of a shape: bed.csv has the shapes bed-shape-1.txt and so on.
static scree_status shape_path(const char *out, size_t number, char **path)
{
    const char *slash = strrchr(out, '/'), *dot = strrchr(out, '.');
    const size_t length = dot && dot > (slash ? slash + 1 : out) ? (size_t)(dot - out) : strlen(out);
    char *stem, end[40];
    snprintf(end, sizeof end, "-shape-%zu.txt", number);
    SCREE_TRY(scree_memory_new(length + 1, 1, (void **)&stem));
    memcpy(stem, out, length);
    const scree_status status = scree_path_concat(stem, end, "", path);
    scree_memory_free(stem);
    return status;
}

static scree_status write_shape(const struct scree_format_clump *shape, const char *in, const char *path,
                                bool force)
{
    enum { LINE = 4 * 26 };
    char *text;
    if (scree_path_is_same(in, path))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "'%s', the input file, has the name of the file of a shape: rename it", in);
    if (!force && access(path, F_OK) == 0)
        return scree_path_exists_error(path);
    SCREE_TRY(scree_memory_new(shape->pebbles + 1, LINE, (void **)&text));
    size_t size = (size_t)snprintf(text, LINE, "# x y z r of the pebbles, m\n");
    for (size_t p = 0; p < shape->pebbles; ++p) {
        const struct scree_pebble *pebble = &shape->pebble[p];
        size += (size_t)snprintf(text + size, LINE, "%.17g %.17g %.17g %.17g\n", pebble->offset[0],
                                 pebble->offset[1], pebble->offset[2], pebble->radius);
    }
    const struct scree_atomic_piece piece = {text, size};
    const scree_status status = scree_atomic_write(path, NULL, &piece, 1, false);
    scree_memory_free(text);
    return status;
}

static scree_status write_shapes(const struct scree_format_clumps *clumps, const char *in, const char *out,
                                 bool force)
{
    scree_status status = SCREE_OK;
    for (size_t s = 0; s < clumps->shape.count && status == SCREE_OK; ++s) {
        char *path;
        SCREE_TRY(shape_path(out, s + 1, &path));
        status = write_shape(&clumps->shape.data[s], in, path, force);
        scree_memory_free(path);
    }
    return status;
}

static scree_status write_snapshot(const char *in, struct scree_format_save *target,
                                   const struct scree_convert_def *def, struct scree_format_table *table,
                                   struct scree_format_clumps *clumps, struct loss *loss)
{
    unsigned input_columns = table->has;
    SCREE_TRY(complete_table(table, def, target->format));
    if (!target->path)
        return SCREE_OK;
    SCREE_TRY(make_clumps(in, target->format, table, clumps));
    if (clumps->shape.count > 0) {
        input_columns &= ~BITS(BODY, 1);
        loss->columns |= input_columns & ~table->has;
    }
    SCREE_TRY(check_needs(in, target->format, table));
    SCREE_TRY(scree_format_name_check(table, target->format));
    if (target->output.file && !target->format->many)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a file of the format %s has only one snapshot: choose one of '%s'",
                                 target->format->name, in);
    if (!target->output.file) {
        if (def->units_to)
            SCREE_TRY(scree_format_find_units(def->units_to, &target->output.units));
        SCREE_TRY(scree_format_save_open(target, def->force));
    }
    add_loss(loss, table, input_columns, target->format, def->units_to && strcmp(def->units_to, "si") != 0);
    target->format->write(&target->output, table);
    return SCREE_OK;
}

// --- conversion

static void report_snapshot(struct scree_convert_report *report, const struct scree_format *format,
                            const struct scree_format_table *table)
{
    const double *radius = table->number[SCREE_FORMAT_RADIUS];
    report->format = format->name;
    ++report->snapshots;
    report->bodies = table->count;
    report->types = scree_format_has(table, SCREE_FORMAT_TYPE) ? table->types.count : 0;
    report->has_step = table->has_step;
    report->has_time = table->has_time;
    report->step = table->step;
    report->time = table->time;
    report->has_box = table->has_box;
    memcpy(report->periodic, table->periodic, sizeof report->periodic);
    scree_format_box(table, report->lower, report->upper);
    report->min_radius = radius && table->count > 0 ? (double)INFINITY : 0;
    report->max_radius = 0;
    for (size_t body = 0; body < table->count && radius; ++body) {
        report->min_radius = radius[body] < report->min_radius ? radius[body] : report->min_radius;
        report->max_radius = radius[body] > report->max_radius ? radius[body] : report->max_radius;
    }
}

static scree_status convert(struct scree_formats_file *file, const char *in, struct scree_format_save *target,
                            const struct scree_convert_def *def, struct scree_convert_report *report)
{
    struct scree_format_table table = {0};
    struct loss loss = {0};
    struct scree_format_clumps clumps = {0};
    bool found;
    scree_status status;
    for (;;) {
        size_t bodies = 0, pebbles = 0;
        status = scree_formats_next(file, &table, &found);
        if (status == SCREE_OK && found)
            status = scree_exchange_clumps_count(&table, &bodies, &pebbles);
        if (status == SCREE_OK && found)
            status = write_snapshot(in, target, def, &table, &clumps, &loss);
        if (status != SCREE_OK || !found)
            break;
        report->clumps = bodies;
        report->pebbles = pebbles;
        report_snapshot(report, file->format, &table);
        if (target->path)
            list_numbers(&table, target->format, report->type_numbers, sizeof report->type_numbers);
    }
    if (status == SCREE_OK && target->output.file)
        status = write_shapes(&clumps, in, target->path, def->force);
    report->shapes = clumps.shape.count;
    scree_exchange_clumps_free(&clumps);
    report->to = target->path ? target->format->name : NULL;
    list_losses(&loss, report->not_stored, sizeof report->not_stored);
    scree_format_free(&table);
    return status;
}

// Turns the diagnostics of a file into a failure.
static scree_status fail_with(const char *in, const struct scree_diagnostics *diagnostics)
{
    char *text;
    SCREE_TRY(scree_diagnostic_text(diagnostics, &text));
    const scree_status status =
        scree_status_fail(SCREE_ERROR_ARGUMENT, "'%.200s' cannot be read:\n%.700s", in, text);
    scree_memory_free(text);
    return status;
}

static bool is_valid_number(double value)
{
    return value >= 0 && value < (double)INFINITY;
}

scree_status scree_convert_file(const char *in, const char *out, const struct scree_convert_def *def,
                                struct scree_convert_report *report)
{
    static const struct scree_convert_def defaults = {0};
    struct scree_convert_report unused;
    struct scree_diagnostics diagnostics = {0};
    struct scree_formats_file file;
    struct scree_format_save target = {.path = out, .source = in};
    def = def ? def : &defaults;
    report = report ? report : &unused;
    *report = (struct scree_convert_report){0};
    if (!is_valid_number(def->scale) || !is_valid_number(def->radius) || !is_valid_number(def->density))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "scale, radius and density must be positive, or 0 if not given");
    if (def->to)
        SCREE_TRY(scree_formats_find(def->to, &target.format));
    if (def->to && !target.format->write)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED, "the format %s can only be read", def->to);
    if (!def->to && out)
        SCREE_TRY(scree_formats_of_path(out, &target.format));
    const struct scree_formats_selection selection = {.format = def->from,
                                                      .units = def->units,
                                                      .snapshot = def->snapshot,
                                                      .by_step = def->by_step,
                                                      .step = def->step,
                                                      .all = def->all,
                                                      .molecules = def->molecules};
    scree_status status = scree_formats_open(&file, in, in, &selection, &diagnostics);
    if (status == SCREE_OK)
        status = convert(&file, in, &target, def, report);
    scree_formats_close(&file);
    if (status == SCREE_OK && diagnostics.all > 0)
        status = fail_with(in, &diagnostics);
    scree_diagnostic_free(&diagnostics);
    return scree_format_save_close(&target, status);
}
