// The table of formats, and reading a file in any of them, see formats.h.

#include "exchange/formats.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/suggestion.h"
#include "exchange/format_each.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

// --- formats

#define ENDINGS(...)                                                                                         \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        __VA_ARGS__, NULL                                                                                    \
    }
#define BIT(column) (1u << SCREE_FORMAT_##column)
#define POSITION (BIT(X) | BIT(Y) | BIT(Z))
#define SPHERES (POSITION | BIT(RADIUS) | BIT(DENSITY))
#define LABELS (BIT(ID) | BIT(TYPE) | BIT(IMAGE_X) | BIT(IMAGE_Y) | BIT(IMAGE_Z))
#define SPHERES_AND_MOTION (SPHERES | LABELS | 7u << SCREE_FORMAT_VELOCITY_X | 7u << SCREE_FORMAT_SPIN_X)
#define ALL (LABELS | ((1u << SCREE_FORMAT_COLUMNS) - 1))
#define BOX_AND_STEP (SCREE_FORMAT_BOX | SCREE_FORMAT_PERIODS | SCREE_FORMAT_STEP)

#define ROWS                                                                                                 \
    ROW("lammps-data", "LAMMPS data file, atom style sphere; most other styles can be read",                 \
        ENDINGS(".data", ".lmp"), false, data_detect, data_read, scree_format_data_write, SPHERES,           \
        SPHERES_AND_MOTION, SCREE_FORMAT_BOX | SCREE_FORMAT_UNITS)                                           \
    ROW("liggghts-data", "LIGGGHTS data file, atom style granular", ENDINGS(".liggghts"), false,             \
        data_detect, data_read, scree_format_data_write_plain, SPHERES, SPHERES_AND_MOTION,                  \
        SCREE_FORMAT_BOX | SCREE_FORMAT_UNITS)                                                               \
    ROW("lammps-dump", "LAMMPS or LIGGGHTS dump as text, of style custom or atom",                           \
        ENDINGS(".dump", ".lammpstrj"), true, dump_detect, dump_read, scree_format_dump_write, POSITION,     \
        ALL, BOX_AND_STEP | SCREE_FORMAT_TIME | SCREE_FORMAT_UNITS)                                          \
    ROW("liggghts-dump", "LIGGGHTS dump as text, without units and time, which its read_dump rejects",       \
        ENDINGS(".liggghts.dump"), true, dump_detect, dump_read, scree_format_dump_write_plain, POSITION,    \
        ALL, BOX_AND_STEP)                                                                                   \
    ROW("xyz", "XYZ, plain or extended by Properties and Lattice", ENDINGS(".xyz", ".extxyz"), true,         \
        xyz_detect, xyz_read, scree_format_xyz_write, POSITION, ALL,                                         \
        BOX_AND_STEP | SCREE_FORMAT_TIME | SCREE_FORMAT_UNITS | SCREE_FORMAT_NAMES | SCREE_FORMAT_WORDS)     \
    ROW("frames", "series of body frames written by Scree; only read", ENDINGS(".series"), true,             \
        own_is_series, own_read_series, NULL, POSITION, 0, 0)                                                \
    ROW("frame", "one body frame written by Scree; only read", ENDINGS(".hdf"), false, own_is_frame,         \
        own_read_frame, NULL, POSITION, 0, 0)                                                                \
    ROW("checkpoint", "checkpoint of Scree; only read", ENDINGS(".chk"), false, own_is_checkpoint,           \
        own_read_checkpoint, NULL, POSITION, 0, 0)                                                           \
    ROW("csv", "table with names and units in a header, or x, y, z, radius and velocity without one",        \
        ENDINGS(".csv", ".txt"), false, csv_detect, csv_read, scree_format_csv_write, POSITION,              \
        ALL | BIT(SHAPE), SCREE_FORMAT_NAMES | SCREE_FORMAT_UNITS)

#define ROW(name, about, endings, many, detect, read, ...)                                                   \
    {name, about, endings, many, scree_format_##detect, scree_format_##read, __VA_ARGS__},
const struct scree_format scree_formats[] = {ROWS{0}};
#undef ROW
#define ROW(name, ...) name,
const char *const scree_formats_names[] = {ROWS NULL};
#undef ROW

static scree_status fail_unknown(const char *problem, struct scree_suggestion *known)
{
    for (const struct scree_format *row = scree_formats; row->name; ++row)
        scree_suggestion_add(known, row->name);
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "%s '%.60s'%s known formats: %s", problem, known->wanted,
                             scree_suggestion_hint(known, ";"), known->text);
}

scree_status scree_formats_find(const char *name, const struct scree_format **format)
{
    struct scree_suggestion known = {.wanted = name};
    for (*format = scree_formats; (*format)->name; ++*format)
        if (strcmp((*format)->name, name) == 0)
            return SCREE_OK;
    *format = NULL;
    return fail_unknown("unknown format", &known);
}

static const struct scree_format *find_by_ending(const char *path)
{
    const size_t length = strlen(path);
    const struct scree_format *found = NULL;
    size_t longest = 0;
    for (const struct scree_format *row = scree_formats; row->name; ++row)
        for (const char *const *ending = row->endings; *ending; ++ending) {
            const size_t size = strlen(*ending);
            if (length <= size || size <= longest || strcasecmp(path + length - size, *ending) != 0)
                continue;
            found = row;
            longest = size;
        }
    return found;
}

scree_status scree_formats_of_path(const char *path, const struct scree_format **format)
{
    struct scree_suggestion known = {.wanted = path};
    *format = find_by_ending(path);
    if (*format && !(*format)->write)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "'%s' has the file extension of the format %s, which can only be read", path,
                                 (*format)->name);
    return *format ? SCREE_OK : fail_unknown("no format has the file extension of", &known);
}

// --- reading a file

enum { FIRST_BYTES = 4096 };

// Detects a format by the first bytes of a file, or else, for text files, by its extension; null if unknown.
static const struct scree_format *detect(struct scree_lines *lines, const char *path)
{
    char text[FIRST_BYTES + 1];
    const ssize_t count = pread(lines->file, text, FIRST_BYTES, 0);
    const size_t length = count > 0 ? (size_t)count : 0;
    text[length] = 0;
    for (const struct scree_format *row = scree_formats; row->name; ++row)
        if (row->detect(text, length))
            return row;
    return memchr(text, 0, length) ? NULL : find_by_ending(path);
}

static scree_status fail_selection(const struct scree_formats_selection *selection, const char *name,
                                   uint64_t snapshots)
{
    if (selection->by_step)
        return scree_status_fail(SCREE_ERROR_MISSING,
                                 "'%s' has no snapshot of step %llu; it has %llu snapshots", name,
                                 (unsigned long long)selection->step, (unsigned long long)snapshots);
    return scree_status_fail(SCREE_ERROR_MISSING, "'%s' has %llu snapshot%s: there is no number %llu", name,
                             (unsigned long long)snapshots, snapshots == 1 ? "" : "s",
                             (unsigned long long)selection->snapshot);
}

// Skips snapshots up to the selected one.
static scree_status seek(const struct scree_format *format, struct scree_format_input *input,
                         const struct scree_formats_selection *selection)
{
    struct scree_lines *lines = &input->lines;
    struct scree_lines_mark found = {0, 0}, here;
    uint64_t number = 0, selected_number = 0;
    while (scree_lines_next(lines)) {
        here = scree_lines_here(lines);
        scree_lines_repeat(lines);
        struct scree_format_table snapshot = {0};
        if (!format->read(input, &snapshot))
            break;
        const bool last = !selection->by_step && selection->snapshot == 0;
        ++number;
        const bool selected =
            last || (selection->by_step ? snapshot.has_step && snapshot.step == selection->step
                                        : number == selection->snapshot);
        scree_format_free(&snapshot);
        found = selected ? here : found;
        selected_number = selected ? number : selected_number;
        if (selected && !last)
            break;
    }
    if (lines->status != SCREE_OK || lines->mistakes > 0)
        return lines->status;
    if (found.number == 0 && number > 0)
        return fail_selection(selection, lines->name, number);
    if (found.number > 0)
        scree_lines_return(lines, found);
    input->snapshots = selected_number > 0 ? selected_number - 1 : 0;
    return SCREE_OK;
}

static scree_status check_ids(struct scree_lines *lines, const struct scree_format_table *table)
{
    uint32_t *order;
    if (!scree_format_has(table, SCREE_FORMAT_ID) || table->count == 0)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(table->count, sizeof *order, (void **)&order));
    const scree_status status = scree_sort_order(table->id, table->count, order);
    for (size_t k = 1; k < table->count && status == SCREE_OK; ++k)
        if (table->id[order[k]] == table->id[order[k - 1]])
            scree_lines_report(lines, 0, 1, "the bodies of lines %u and %u have the same id, %llu",
                               table->line[order[k - 1]], table->line[order[k]],
                               (unsigned long long)table->id[order[k]]);
    scree_memory_free(order);
    return status;
}

// Adds z = 0 if it was left out in two dimensions.
static scree_status add_z(struct scree_format_table *table)
{
    if (!scree_format_has(table, SCREE_FORMAT_X) || scree_format_has(table, SCREE_FORMAT_Z))
        return SCREE_OK;
    table->dimension = 2;
    return scree_format_extend(table, SCREE_FORMAT_Z);
}

scree_status scree_formats_open(struct scree_formats_file *file, const char *path, const char *name,
                                const struct scree_formats_selection *selection,
                                struct scree_diagnostics *diagnostics)
{
    struct scree_format_input *input = &file->input;
    *file = (struct scree_formats_file){.all = selection->all};
    input->path = path;
    SCREE_TRY(scree_lines_open(&input->lines, path, name, diagnostics));
    if (selection->units)
        SCREE_TRY(scree_format_find_units(selection->units, &input->units));
    if (selection->format)
        SCREE_TRY(scree_formats_find(selection->format, &file->format));
    else
        file->format = detect(&input->lines, path);
    SCREE_TRY(input->lines.status);
    if (!file->format)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the format of '%s' is not recognised: give its name; compressed and binary files, "
            "such as LAMMPS restarts and binary dumps, must be converted to text first",
            name);
    if (!file->format->write && selection->units)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "'%s' is of the format %s, which is always in SI units", name,
                                 file->format->name);
    if (!file->format->many && (selection->by_step || selection->snapshot > 1))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "'%s' is of the format %s, which has only one snapshot", name,
                                 file->format->name);
    if (file->format->many && !selection->all)
        SCREE_TRY(seek(file->format, input, selection));
    input->read_bodies = true;
    input->molecules = selection->molecules;
    return SCREE_OK;
}

scree_status scree_formats_next(struct scree_formats_file *file, struct scree_format_table *table,
                                bool *found)
{
    struct scree_lines *lines = &file->input.lines;
    scree_format_empty(table);
    *found = false;
    if (lines->mistakes > 0 || (file->begun && !(file->all && file->format->many)))
        return SCREE_OK;
    *found = file->format->read(&file->input, table);
    if (!*found && !file->begun && lines->mistakes == 0)
        scree_lines_report(lines, 0, 1, "this file, read as %s, has no bodies", file->format->name);
    file->begun = true;
    SCREE_TRY(lines->status);
    SCREE_TRY(check_ids(lines, table));
    *found = *found && lines->mistakes == 0;
    return add_z(table);
}

void scree_formats_close(struct scree_formats_file *file)
{
    scree_lines_close(&file->input.lines);
}

scree_status scree_formats_size(const char *path, const struct scree_format *format, uint64_t *snapshots,
                                uint64_t *bytes)
{
    struct scree_diagnostics diagnostics = {0};
    struct scree_format_input input = {.ignore_rest = true};
    struct scree_lines *lines = &input.lines;
    uint64_t wanted = *snapshots;
    scree_status status = scree_lines_open(lines, path, path, &diagnostics);
    *bytes = 0;
    for (*snapshots = 0; status == SCREE_OK && *snapshots < wanted; ++*snapshots) {
        struct scree_format_table snapshot = {0};
        const bool found = format->read(&input, &snapshot);
        scree_format_free(&snapshot);
        if (!found)
            break;
        *bytes = scree_lines_next(lines) ? lines->begin : lines->offset;
        scree_lines_repeat(lines);
    }
    status = status == SCREE_OK ? lines->status : status;
    scree_lines_close(lines);
    scree_diagnostic_free(&diagnostics);
    return status;
}
