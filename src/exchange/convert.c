// Converting files of bodies, see scree/convert.h.

#include "base/memory.h"
#include "exchange/format_loss.h"
#include "exchange/format_name.h"
#include "exchange/format_save.h"
#include "exchange/formats.h"

#include <scree/convert.h>

#include <math.h>
#include <string.h>

bool scree_convert_format_at(size_t index, struct scree_convert_format *format)
{
    for (size_t k = 0; k <= index; ++k)
        if (!scree_formats[k].name)
            return false;
    const struct scree_format *row = &scree_formats[index];
    *format = (struct scree_convert_format){row->name, row->about, row->endings, row->many};
    return true;
}

// --- data missing in the input

static scree_status fill(struct scree_format_table *table, enum scree_format_column column, double value)
{
    SCREE_TRY(scree_format_extend(table, column));
    for (size_t body = 0; body < table->count; ++body)
        table->number[column][body] = value;
    return SCREE_OK;
}

static scree_status complete(struct scree_format_table *table, const struct scree_convert_def *def,
                             const struct scree_format *to)
{
    if (def->scale > 0)
        scree_format_scale(table, def->scale);
    if (def->radius > 0 && !scree_format_has(table, SCREE_FORMAT_RADIUS))
        SCREE_TRY(fill(table, SCREE_FORMAT_RADIUS, def->radius));
    if (def->density > 0 && !scree_format_has(table, SCREE_FORMAT_DENSITY) &&
        !scree_format_has(table, SCREE_FORMAT_MASS))
        return fill(table, SCREE_FORMAT_DENSITY, def->density);
    return to ? scree_format_complete(table, to) : SCREE_OK;
}

static scree_status check_needs(const char *in, const struct scree_format *to,
                                const struct scree_format_table *table)
{
    static const struct {
        enum scree_format_column column;
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

static scree_status open_target(struct scree_format_save *target, const struct scree_convert_def *def)
{
    if (def->units_to)
        SCREE_TRY(scree_format_find_units(def->units_to, &target->output.units));
    return scree_format_save_open(target, def->force);
}

// Completes and writes one snapshot.
static scree_status write_snapshot(const char *in, struct scree_format_save *target,
                                   const struct scree_convert_def *def, struct scree_format_table *table,
                                   struct scree_format_loss *loss)
{
    const unsigned had = table->has;
    SCREE_TRY(complete(table, def, target->format));
    if (!target->path)
        return SCREE_OK;
    SCREE_TRY(check_needs(in, target->format, table));
    SCREE_TRY(scree_format_name_check(table, target->format));
    if (!target->output.file)
        SCREE_TRY(open_target(target, def));
    else if (!target->format->many)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a file of the format %s has only one snapshot: choose one of '%s'",
                                 target->format->name, in);
    scree_format_loss_add(loss, table, had, target->format,
                          def->units_to && strcmp(def->units_to, "si") != 0);
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
    report->stepped = table->stepped;
    report->timed = table->timed;
    report->step = table->step;
    report->time = table->time;
    report->boxed = table->boxed;
    memcpy(report->periodic, table->periodic, sizeof report->periodic);
    scree_format_box(table, report->lower, report->upper);
    report->least = radius && table->count > 0 ? (double)INFINITY : 0;
    report->most = 0;
    for (size_t body = 0; body < table->count && radius; ++body) {
        report->least = radius[body] < report->least ? radius[body] : report->least;
        report->most = radius[body] > report->most ? radius[body] : report->most;
    }
}

static scree_status convert(struct scree_formats_file *file, const char *in, struct scree_format_save *target,
                            const struct scree_convert_def *def, struct scree_convert_report *report)
{
    struct scree_format_table table = {0};
    struct scree_format_loss loss = {0};
    bool found = true;
    scree_status status = SCREE_OK;
    while (status == SCREE_OK && found) {
        status = scree_formats_next(file, &table, &found);
        if (status != SCREE_OK || !found)
            break;
        status = write_snapshot(in, target, def, &table, &loss);
        if (status != SCREE_OK)
            break;
        report_snapshot(report, file->format, &table);
        if (target->path)
            scree_format_loss_number(&table, target->format, report->numbers, sizeof report->numbers);
    }
    report->to = target->path ? target->format->name : NULL;
    scree_format_loss_text(&loss, report->lost, sizeof report->lost);
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

static bool is_good(double value)
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
    if (!is_good(def->scale) || !is_good(def->radius) || !is_good(def->density))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "scale, radius and density must be positive, or 0 if not given");
    if (def->to)
        SCREE_TRY(scree_formats_find(def->to, &target.format));
    if (def->to && !target.format->write)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED, "the format %s can only be read", def->to);
    if (!def->to && out)
        SCREE_TRY(scree_formats_of_path(out, &target.format));
    const struct scree_formats_selection pick = {.format = def->from,
                                                 .units = def->units,
                                                 .snapshot = def->snapshot,
                                                 .by_step = def->by_step,
                                                 .step = def->step,
                                                 .all = def->all};
    scree_status status = scree_formats_open(&file, in, in, &pick, &diagnostics);
    if (status == SCREE_OK)
        status = convert(&file, in, &target, def, report);
    scree_formats_close(&file);
    if (status == SCREE_OK && diagnostics.all > 0)
        status = fail_with(in, &diagnostics);
    scree_diagnostic_free(&diagnostics);
    return scree_format_save_close(&target, status);
}
