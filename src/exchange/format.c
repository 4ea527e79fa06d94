// Other programs' files of bodies, see format.h: the table of formats, choosing one, and tables in memory.

#include "exchange/format.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/spell.h"
#include "exchange/format_csv.h"
#include "exchange/format_data.h"
#include "exchange/format_dump.h"
#include "exchange/format_own.h"
#include "exchange/format_rows.h"
#include "exchange/format_xyz.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;

// --- formats

#define ENDINGS(...)                                                                                         \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        __VA_ARGS__, NULL                                                                                    \
    }
#define BIT(column) (1u << SCREE_FORMAT_##column)
#define PLACE (BIT(X) | BIT(Y) | BIT(Z))
#define SPHERES (PLACE | BIT(RADIUS) | BIT(DENSITY))
#define LABELS (BIT(ID) | BIT(TYPE) | BIT(IMAGE_X) | BIT(IMAGE_Y) | BIT(IMAGE_Z))
#define MOVING (SPHERES | LABELS | 7u << SCREE_FORMAT_VELOCITY_X | 7u << SCREE_FORMAT_SPIN_X)
#define ALL (LABELS | ((1u << SCREE_FORMAT_COLUMNS) - 1))
#define INSTANT (SCREE_FORMAT_BOX | SCREE_FORMAT_PERIODS | SCREE_FORMAT_STEP)

#define ROWS                                                                                                 \
    ROW("lammps-data", "LAMMPS data file, atom style sphere; others are read where they have places",        \
        ENDINGS(".data", ".lmp"), false, data_detect, data_read, scree_format_data_write, SPHERES, MOVING,   \
        SCREE_FORMAT_BOX | SCREE_FORMAT_UNITS)                                                               \
    ROW("liggghts-data", "LIGGGHTS data file, atom style granular", ENDINGS(".liggghts"), false,             \
        data_detect, data_read, scree_format_data_write_plain, SPHERES, MOVING,                              \
        SCREE_FORMAT_BOX | SCREE_FORMAT_UNITS)                                                               \
    ROW("lammps-dump", "LAMMPS or LIGGGHTS dump as text, of style custom or atom",                           \
        ENDINGS(".dump", ".lammpstrj"), true, dump_detect, dump_read, scree_format_dump_write, PLACE, ALL,   \
        INSTANT | SCREE_FORMAT_TIME | SCREE_FORMAT_UNITS)                                                    \
    ROW("liggghts-dump", "the same without units and time, at which LIGGGHTS's read_dump ends",              \
        ENDINGS(".liggghts.dump"), true, dump_detect, dump_read, scree_format_dump_write_plain, PLACE, ALL,  \
        INSTANT)                                                                                             \
    ROW("xyz", "XYZ, plain or extended by Properties and Lattice", ENDINGS(".xyz", ".extxyz"), true,         \
        xyz_detect, xyz_read, scree_format_xyz_write, PLACE, ALL,                                            \
        INSTANT | SCREE_FORMAT_TIME | SCREE_FORMAT_UNITS | SCREE_FORMAT_NAMES | SCREE_FORMAT_WORDS)          \
    ROW("frames", "series of frames of bodies that Scree keeps; only read", ENDINGS(".series"), true,        \
        own_is_series, own_read_series, NULL, PLACE, 0, 0)                                                   \
    ROW("frame", "one of these frames; only read", ENDINGS(".hdf"), false, own_is_frame, own_read_frame,     \
        NULL, PLACE, 0, 0)                                                                                   \
    ROW("checkpoint", "checkpoint of Scree; only read", ENDINGS(".chk"), false, own_is_checkpoint,           \
        own_read_checkpoint, NULL, PLACE, 0, 0)                                                              \
    ROW("csv", "rows of numbers with names and units in the header, or x, y, z, radius and velocity",        \
        ENDINGS(".csv", ".txt"), false, csv_detect, csv_read, scree_format_csv_write, PLACE, ALL,            \
        SCREE_FORMAT_NAMES | SCREE_FORMAT_UNITS)

#define ROW(name, about, endings, many, detect, read, ...)                                                   \
    {name, about, endings, many, scree_format_##detect, scree_format_##read, __VA_ARGS__},
const struct scree_format scree_format_rows[] = {ROWS{0}};
#undef ROW
#define ROW(name, ...) name,
const char *const scree_format_names[] = {ROWS NULL};
#undef ROW

static scree_status refuse(const char *what, struct scree_spell_list *known)
{
    for (const struct scree_format *row = scree_format_rows; row->name; ++row)
        scree_spell_add(known, row->name);
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "%s '%.60s'%s there are %s", what, known->wanted,
                             scree_spell_hint(known, ";"), known->text);
}

scree_status scree_format_find(const char *name, const struct scree_format **format)
{
    struct scree_spell_list known = {.wanted = name};
    for (*format = scree_format_rows; (*format)->name; ++*format)
        if (strcmp((*format)->name, name) == 0)
            return SCREE_OK;
    *format = NULL;
    return refuse("there is no format", &known);
}

static const struct scree_format *find_by_ending(const char *path)
{
    const size_t length = strlen(path);
    const struct scree_format *found = NULL;
    size_t longest = 0;
    for (const struct scree_format *row = scree_format_rows; row->name; ++row)
        for (const char *const *ending = row->endings; *ending; ++ending) {
            const size_t size = strlen(*ending);
            if (length <= size || size <= longest || strcasecmp(path + length - size, *ending) != 0)
                continue;
            found = row;
            longest = size;
        }
    return found;
}

scree_status scree_format_of_path(const char *path, const struct scree_format **format)
{
    struct scree_spell_list known = {.wanted = path};
    *format = find_by_ending(path);
    if (*format && !(*format)->write)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "'%s' would be of the format %s, which is only read", path, (*format)->name);
    return *format ? SCREE_OK : refuse("no format is known by the ending of", &known);
}

// --- units

#define UNITS                                                                                                \
    UNIT("si", 1, 1, 1)                                                                                      \
    UNIT("cgs", 1e-2, 1e-3, 1)                                                                               \
    UNIT("micro", 1e-6, 1e-15, 1e-6)                                                                         \
    UNIT("nano", 1e-9, 1e-21, 1e-9)                                                                          \
    UNIT("lj", 1, 1, 1)
#define UNIT(...) {__VA_ARGS__},
const struct scree_format_units scree_format_units[] = {UNITS{0}};
#undef UNIT
#define UNIT(name, ...) name,
const char *const scree_format_unit_names[] = {UNITS NULL};
#undef UNIT

scree_status scree_format_find_units(const char *name, const struct scree_format_units **units)
{
    struct scree_spell_list known = {.wanted = name};
    for (*units = scree_format_units; (*units)->name; ++*units) {
        if (strcmp((*units)->name, name) == 0)
            return SCREE_OK;
        scree_spell_add(&known, (*units)->name);
    }
    *units = NULL;
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "units are one of %s, not '%.40s'", known.text, name);
}

// --- tables

#define COLUMN(symbol, name, length, mass, time) {name, length, mass, time},
const struct scree_format_number scree_format_numbers[SCREE_FORMAT_COLUMNS] = {SCREE_FORMAT_NUMBERS(COLUMN)};
#undef COLUMN

// Frees all but the names of types, which have the same numbers in what is read next.
static void empty(struct scree_format_table *table)
{
    const struct scree_format_table next = {.types = table->types};
    for (int c = 0; c < SCREE_FORMAT_COLUMNS; ++c)
        scree_memory_free(table->number[c]);
    scree_memory_free(table->id);
    scree_memory_free(table->type);
    scree_memory_free(table->image);
    scree_memory_free(table->line);
    *table = next;
}

void scree_format_free(struct scree_format_table *table)
{
    empty(table);
    scree_array_free(&table->types);
}

void scree_format_declare(struct scree_format_table *table, enum scree_format_column column)
{
    static const unsigned vectors[] = {7u << SCREE_FORMAT_VELOCITY_X, 7u << SCREE_FORMAT_SPIN_X,
                                       7u << SCREE_FORMAT_FORCE_X, 7u << SCREE_FORMAT_IMAGE_X};
    table->has |= 1u << column;
    for (size_t v = 0; v < sizeof vectors / sizeof vectors[0]; ++v)
        table->has |= vectors[v] >> column & 1 ? vectors[v] : 0;
}

static bool has_image(const struct scree_format_table *table)
{
    return table->has & (BIT(IMAGE_X) | BIT(IMAGE_Y) | BIT(IMAGE_Z));
}

static scree_status grow(struct scree_format_table *table)
{
    const size_t room = table->room, wanted = room < 64 ? 64 : room + room / 2;
    for (int c = 0; c < SCREE_FORMAT_COLUMNS; ++c)
        if (scree_format_has(table, (enum scree_format_column)c))
            SCREE_TRY(scree_memory_resize((void **)&table->number[c], room, wanted, sizeof **table->number));
    if (scree_format_has(table, SCREE_FORMAT_ID))
        SCREE_TRY(scree_memory_resize((void **)&table->id, room, wanted, sizeof *table->id));
    if (scree_format_has(table, SCREE_FORMAT_TYPE))
        SCREE_TRY(scree_memory_resize((void **)&table->type, room, wanted, sizeof *table->type));
    if (has_image(table))
        SCREE_TRY(scree_memory_resize((void **)&table->image, room, wanted, sizeof *table->image));
    SCREE_TRY(scree_memory_resize((void **)&table->line, room, wanted, sizeof *table->line));
    table->room = wanted;
    return SCREE_OK;
}

scree_status scree_format_add(struct scree_format_table *table)
{
    const size_t row = table->count;
    if (row == UINT32_MAX)
        return scree_status_fail(SCREE_ERROR_LIMIT, "a table has at most %u bodies", UINT32_MAX);
    if (row == table->room)
        SCREE_TRY(grow(table));
    // one that was taken back may have left something
    for (int c = 0; c < SCREE_FORMAT_COLUMNS; ++c)
        if (table->number[c])
            table->number[c][row] = 0;
    if (table->id)
        table->id[row] = 0;
    if (table->type)
        table->type[row] = 0;
    if (table->image)
        memset(table->image[row], 0, sizeof table->image[row]);
    table->line[row] = 0;
    ++table->count;
    return SCREE_OK;
}

scree_status scree_format_extend(struct scree_format_table *table, enum scree_format_column column)
{
    double **number = &table->number[column];
    // one that was met nowhere has been taken back, and its memory is still there
    if (!*number)
        SCREE_TRY(scree_memory_new(table->room, sizeof **number, (void **)number));
    scree_format_declare(table, column);
    return SCREE_OK;
}

void scree_format_scale(struct scree_format_table *table, double factor)
{
    for (int c = 0; c < SCREE_FORMAT_COLUMNS && factor != 1; ++c) {
        const bool length =
            c <= SCREE_FORMAT_RADIUS || (c >= SCREE_FORMAT_VELOCITY_X && c <= SCREE_FORMAT_VELOCITY_Z);
        for (size_t body = 0; body < table->count && length && table->number[c]; ++body)
            table->number[c][body] *= factor;
    }
    for (int k = 0; k < 3; ++k) {
        table->lower[k] *= factor;
        table->upper[k] *= factor;
    }
}

void scree_format_box(const struct scree_format_table *table, double lower[3], double upper[3])
{
    const double *radius = table->number[SCREE_FORMAT_RADIUS];
    memcpy(lower, table->lower, sizeof table->lower);
    memcpy(upper, table->upper, sizeof table->upper);
    for (int k = 0; k < 3; ++k) {
        const double *place = table->number[SCREE_FORMAT_X + k];
        if (table->boxed && upper[k] > lower[k])
            continue;
        lower[k] = upper[k] = table->count > 0 && place ? place[0] : 0;
        for (size_t row = 0; row < table->count && place; ++row) {
            const double around = radius ? radius[row] : 0;
            lower[k] = place[row] - around < lower[k] ? place[row] - around : lower[k];
            upper[k] = place[row] + around > upper[k] ? place[row] + around : upper[k];
        }
        // without any extent nothing could be in it
        if (!(upper[k] > lower[k])) {
            lower[k] -= 0.5;
            upper[k] += 0.5;
        }
    }
}

scree_status scree_format_type(struct scree_format_table *table, const char *name, size_t length,
                               uint32_t *type)
{
    struct scree_format_type fresh = {""};
    const size_t count = table->types.count;
    // rows of one type often follow each other
    for (size_t k = 0; k < count; ++k) {
        const size_t t = (*type + k) % count;
        const char *known = table->types.data[t].name;
        if (strncmp(known, name, length) == 0 && known[length] == 0) {
            *type = (uint32_t)t;
            return SCREE_OK;
        }
    }
    *type = (uint32_t)count;
    if (count == SCREE_FORMAT_TYPES)
        return SCREE_OK;
    memcpy(fresh.name, name, length);
    return scree_array_push(&table->types, fresh);
}

bool scree_format_types_are_numbers(const struct scree_format_table *table)
{
    bool are = table->types.count > 0;
    for (size_t t = 0; t < table->types.count; ++t) {
        const char *name = table->types.data[t].name;
        uint64_t number;
        are =
            are && scree_format_rows_whole(name, strlen(name), &number) && number > 0 && number <= INT32_MAX;
    }
    return are;
}

uint32_t scree_format_type_number(const struct scree_format_table *table, size_t row, bool numbers)
{
    uint64_t number = 1;
    if (!scree_format_has(table, SCREE_FORMAT_TYPE))
        return 1;
    if (!numbers)
        return table->type[row] + 1;
    const char *name = table->types.data[table->type[row]].name;
    (void)scree_format_rows_whole(name, strlen(name), &number);
    return (uint32_t)number;
}

scree_status scree_format_complete(struct scree_format_table *table, const struct scree_format *format)
{
    if (!(format->needs & BIT(DENSITY)) || scree_format_has(table, SCREE_FORMAT_DENSITY) ||
        !scree_format_has(table, SCREE_FORMAT_MASS) || !scree_format_has(table, SCREE_FORMAT_RADIUS))
        return SCREE_OK;
    SCREE_TRY(scree_format_extend(table, SCREE_FORMAT_DENSITY));
    for (size_t body = 0; body < table->count; ++body) {
        const double r = table->number[SCREE_FORMAT_RADIUS][body];
        const double volume = 4.0 / 3.0 * pi * r * r * r;
        table->number[SCREE_FORMAT_DENSITY][body] =
            volume > 0 ? table->number[SCREE_FORMAT_MASS][body] / volume : 0;
    }
    return SCREE_OK;
}

// --- reading a file

enum { FIRST_BYTES = 4096 };

// The format of a file by its first bytes, else by its name; null where they are no text.
static const struct scree_format *detect(struct scree_lines *lines, const char *path)
{
    char text[FIRST_BYTES + 1];
    const ssize_t got = pread(lines->file, text, FIRST_BYTES, 0);
    const size_t length = got > 0 ? (size_t)got : 0;
    text[length] = 0;
    for (const struct scree_format *row = scree_format_rows; row->name; ++row)
        if (row->detect(text, length))
            return row;
    return memchr(text, 0, length) ? NULL : find_by_ending(path);
}

static bool is_picked(const struct scree_format_pick *pick, uint64_t number,
                      const struct scree_format_table *head)
{
    return pick->by_step ? head->stepped && head->step == pick->step : number == pick->snapshot;
}

static scree_status refuse_pick(const struct scree_format_pick *pick, const char *name, uint64_t snapshots)
{
    if (pick->by_step)
        return scree_status_fail(SCREE_ERROR_MISSING,
                                 "'%s' has no snapshot of step %llu among its %llu snapshots", name,
                                 (unsigned long long)pick->step, (unsigned long long)snapshots);
    return scree_status_fail(SCREE_ERROR_MISSING, "'%s' has %llu snapshot%s, and no number %llu", name,
                             (unsigned long long)snapshots, snapshots == 1 ? "" : "s",
                             (unsigned long long)pick->snapshot);
}

// Passes over what is not picked; the file is at the snapshot that is then.
static scree_status seek(const struct scree_format *format, struct scree_format_input *input,
                         const struct scree_format_pick *pick)
{
    struct scree_lines *lines = &input->lines;
    struct scree_lines_mark found = {0, 0}, here;
    uint64_t number = 0, at = 0;
    while (scree_lines_next(lines)) {
        here = scree_lines_here(lines);
        scree_lines_again(lines);
        struct scree_format_table head = {0};
        if (!format->read(input, &head))
            break;
        const bool last = !pick->by_step && pick->snapshot == 0;
        const bool picked = is_picked(pick, ++number, &head) || last;
        scree_format_free(&head);
        found = picked ? here : found;
        at = picked ? number : at;
        if (picked && !last)
            break;
    }
    if (lines->status != SCREE_OK || lines->wrong > 0)
        return lines->status;
    if (found.number == 0 && number > 0)
        return refuse_pick(pick, lines->name, number);
    if (found.number > 0)
        scree_lines_return(lines, found);
    input->snapshots = at > 0 ? at - 1 : 0;
    return SCREE_OK;
}

// An id may be there only once.
static scree_status check_ids(struct scree_lines *lines, const struct scree_format_table *table)
{
    uint32_t *order;
    if (!scree_format_has(table, SCREE_FORMAT_ID) || table->count == 0)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(table->count, sizeof *order, (void **)&order));
    const scree_status status = scree_sort_order(table->id, table->count, order);
    for (size_t k = 1; k < table->count && status == SCREE_OK; ++k)
        if (table->id[order[k]] == table->id[order[k - 1]])
            scree_lines_complain(lines, 0, 1, "the bodies of lines %u and %u have one id, %llu",
                                 table->line[order[k - 1]], table->line[order[k]],
                                 (unsigned long long)table->id[order[k]]);
    scree_memory_free(order);
    return status;
}

// In two dimensions z may be left out.
static scree_status fill_up(struct scree_format_table *table)
{
    if (!scree_format_has(table, SCREE_FORMAT_X) || scree_format_has(table, SCREE_FORMAT_Z))
        return SCREE_OK;
    table->dimension = 2;
    return scree_format_extend(table, SCREE_FORMAT_Z);
}

scree_status scree_format_open(struct scree_format_file *file, const char *path, const char *name,
                               const struct scree_format_pick *pick, struct scree_complaints *complaints)
{
    struct scree_format_input *input = &file->input;
    *file = (struct scree_format_file){.all = pick->all};
    input->path = path;
    SCREE_TRY(scree_lines_open(&input->lines, path, name, complaints));
    if (pick->units)
        SCREE_TRY(scree_format_find_units(pick->units, &input->units));
    if (pick->format)
        SCREE_TRY(scree_format_find(pick->format, &file->format));
    else
        file->format = detect(&input->lines, path);
    SCREE_TRY(input->lines.status);
    if (!file->format)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "'%s' looks like no format that is known: name it; of what is packed, or no "
                                 "text, as restarts and binary dumps of LAMMPS are, make a text first",
                                 name);
    if (!file->format->write && pick->units)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "'%s' is of the format %s, which is in SI units", name,
                                 file->format->name);
    if (!file->format->many && (pick->by_step || pick->snapshot > 1))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "'%s' is of the format %s, which has one snapshot without a number", name,
                                 file->format->name);
    if (file->format->many && !pick->all)
        SCREE_TRY(seek(file->format, input, pick));
    input->whole = true;
    return SCREE_OK;
}

scree_status scree_format_next(struct scree_format_file *file, struct scree_format_table *table, bool *found)
{
    struct scree_lines *lines = &file->input.lines;
    empty(table);
    *found = false;
    if (lines->wrong > 0 || (file->through && !(file->all && file->format->many)))
        return SCREE_OK;
    *found = file->format->read(&file->input, table);
    if (!*found && !file->through && lines->wrong == 0)
        scree_lines_complain(lines, 0, 1, "there are no bodies in this file, which is read as %s",
                             file->format->name);
    file->through = true;
    SCREE_TRY(lines->status);
    SCREE_TRY(check_ids(lines, table));
    *found = *found && lines->wrong == 0;
    return fill_up(table);
}

void scree_format_close(struct scree_format_file *file)
{
    scree_lines_close(&file->input.lines);
}

scree_status scree_format_measure(const char *path, const struct scree_format *format, uint64_t *snapshots,
                                  uint64_t *bytes)
{
    struct scree_complaints complaints = {0};
    struct scree_format_input input = {.torn = true};
    struct scree_lines *lines = &input.lines;
    uint64_t wanted = *snapshots;
    scree_status status = scree_lines_open(lines, path, path, &complaints);
    *bytes = 0;
    for (*snapshots = 0; status == SCREE_OK && *snapshots < wanted; ++*snapshots) {
        struct scree_format_table head = {0};
        const bool found = format->read(&input, &head);
        scree_format_free(&head);
        if (!found)
            break;
        *bytes = scree_lines_next(lines) ? lines->begin : lines->offset;
        scree_lines_again(lines);
    }
    status = status == SCREE_OK ? lines->status : status;
    scree_lines_close(lines);
    scree_complaint_free(&complaints);
    return status;
}
