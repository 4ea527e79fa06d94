// XYZ files, plain, and extended as in ASE and OVITO: a snapshot has the number of bodies, a comment line,
// and one row per body with species and position; snapshots follow each other. In extended XYZ the comment
// line has key=value pairs: Properties names the columns as name:kind:width, Lattice and Origin give the box,
// pbc the periodic axes, Time and Step the time. Orientations are in the order x, y, z, w.

#include "exchange/format_each.h"
#include "exchange/format_name.h"
#include "exchange/format_text.h"

#include <strings.h>

// Returns whether the first line is one whole number.
bool scree_format_xyz_detect(const char *text, size_t length)
{
    const size_t blanks = strspn(text, " \t"), digits = strspn(text + blanks, "0123456789");
    const size_t rest = blanks + digits + strspn(text + blanks + digits, " \t\r");
    return digits > 0 && rest < length && text[rest] == '\n';
}

// --- the comment line

struct pair {
    const char *key, *value;
    size_t key_length, value_length;
};

// Reads the next key=value pair of the current line; a word without a value has value_length 0.
static bool next_pair(const struct scree_lines *lines, size_t *at, struct pair *pair)
{
    const char *text = lines->text;
    size_t end = *at;
    while (end < lines->length && (text[end] == ' ' || text[end] == '\t'))
        ++end;
    pair->key = text + end;
    size_t begin = end;
    while (end < lines->length && text[end] != ' ' && text[end] != '\t' && text[end] != '=')
        ++end;
    pair->key_length = end - begin;
    pair->value = "";
    pair->value_length = 0;
    if (end < lines->length && text[end] == '=') {
        const bool quoted = end + 1 < lines->length && text[end + 1] == '"';
        begin = end = end + 1 + quoted;
        while (end < lines->length && (quoted ? text[end] != '"' : text[end] != ' ' && text[end] != '\t'))
            ++end;
        pair->value = text + begin;
        pair->value_length = end - begin;
        end += quoted && end < lines->length;
    }
    const bool more = end > *at && pair->key_length > 0;
    *at = end;
    return more;
}

static bool is_key(const struct pair *pair, const char *key)
{
    return strlen(key) == pair->key_length && strncasecmp(pair->key, key, pair->key_length) == 0;
}

// Reads up to `max_count` numbers of a value; returns their number, 0 on error.
static size_t read_numbers(const struct pair *pair, double *number, size_t max_count)
{
    size_t count = 0;
    for (size_t at = 0; at < pair->value_length && count < max_count;) {
        size_t end = at;
        while (end < pair->value_length && pair->value[end] != ' ')
            ++end;
        if (end > at && !scree_decimal_read(pair->value + at, end - at, &number[count++]))
            return 0;
        at = end + 1;
    }
    return count;
}

static bool report(struct scree_lines *lines, const struct pair *pair, const char *what)
{
    return scree_lines_report_word(lines, pair->key, pair->key_length, "%s", what);
}

static bool read_lattice(struct scree_format_input *input, struct scree_format_table *table,
                         const struct pair *pair)
{
    double edge[9];
    if (read_numbers(pair, edge, 9) != 9)
        return report(&input->lines, pair, "'Lattice' must be three vectors, nine numbers");
    for (int k = 0; k < 9; ++k)
        if (k % 4 != 0 && edge[k] != 0)
            return report(&input->lines, pair, "a tilted box is not supported: only edges along x, y and z");
    for (int k = 0; k < 3; ++k) {
        if (!(edge[4 * k] >= 0))
            return report(&input->lines, pair, "an edge of the box is negative");
        table->upper[k] = edge[4 * k] * scree_format_rows_factor(scree_format_rows_units(input), 1, 0, 0);
    }
    table->has_box = true;
    return true;
}

static bool read_periods(struct scree_format_table *table, const struct pair *pair)
{
    int axis = 0;
    for (size_t k = 0; k < pair->value_length && axis < 3; ++k)
        if (pair->value[k] != ' ')
            table->periodic[axis++] = pair->value[k] == 'T' || pair->value[k] == '1';
    return true;
}

// Names of columns in extended XYZ, besides those of all formats.
static const struct {
    const char *name;
    int column, width;
} properties[] = {{"pos", SCREE_FORMAT_X, 3},
                  {"velo", SCREE_FORMAT_VELOCITY_X, 3},
                  {"vel", SCREE_FORMAT_VELOCITY_X, 3},
                  {"velocity", SCREE_FORMAT_VELOCITY_X, 3},
                  {"velocities", SCREE_FORMAT_VELOCITY_X, 3},
                  {"angular_velocity", SCREE_FORMAT_SPIN_X, 3},
                  {"spin", SCREE_FORMAT_SPIN_X, 3},
                  {"omega", SCREE_FORMAT_SPIN_X, 3},
                  {"force", SCREE_FORMAT_FORCE_X, 3},
                  {"forces", SCREE_FORMAT_FORCE_X, 3},
                  {"masses", SCREE_FORMAT_MASS, 1},
                  {"image", SCREE_FORMAT_IMAGE_X, 3}};
enum { PROPERTIES = sizeof properties / sizeof properties[0] };

static void push_property(struct scree_format_rows *rows, const char *name, size_t length, uint64_t width)
{
    static const int order[] = {SCREE_FORMAT_QUAT_X, SCREE_FORMAT_QUAT_Y, SCREE_FORMAT_QUAT_Z,
                                SCREE_FORMAT_QUAT_W};
    const bool orientation = width == 4 && length == 11 && strncasecmp(name, "orientation", 11) == 0;
    struct scree_format_rows_slot first = width == 1
                                              ? scree_format_rows_named(name, length)
                                              : (struct scree_format_rows_slot){SCREE_FORMAT_SKIPPED, 1};
    for (size_t p = 0; p < PROPERTIES; ++p)
        if (strlen(properties[p].name) == length && strncasecmp(properties[p].name, name, length) == 0 &&
            (uint64_t)properties[p].width == width)
            first.column = properties[p].column;
    if (first.column >= SCREE_FORMAT_SCALED_X)
        first.column = SCREE_FORMAT_SKIPPED;
    for (uint64_t k = 0; k < width; ++k) {
        struct scree_format_rows_slot slot = first;
        slot.column = orientation                            ? order[k]
                      : first.column != SCREE_FORMAT_SKIPPED ? first.column + (int)k
                                                             : first.column;
        scree_format_rows_push(rows, slot);
    }
}

static bool read_properties(struct scree_lines *lines, const struct pair *pair,
                            struct scree_format_rows *rows)
{
    const char *text = pair->value, *end = pair->value + pair->value_length;
    while (text < end) {
        const char *kind = memchr(text, ':', (size_t)(end - text));
        const char *number = kind ? memchr(kind + 1, ':', (size_t)(end - kind - 1)) : NULL;
        if (!number)
            return report(lines, pair,
                          "'Properties' must be name:kind:width, as in species:S:1:pos:R:3:radius:R:1");
        const char *next = memchr(number + 1, ':', (size_t)(end - number - 1));
        uint64_t width;
        if (!scree_format_read_integer(number + 1, (size_t)((next ? next : end) - number - 1), &width) ||
            width == 0 || rows->count + width > SCREE_FORMAT_ROWS_MAX || width > SCREE_FORMAT_ROWS_MAX)
            return report(lines, pair, "a property must have 1 to 256 columns, and a row at most 256");
        push_property(rows, text, (size_t)(kind - text), width);
        text = next ? next + 1 : end;
    }
    return true;
}

// Reads the units first, because they apply to all numbers of a snapshot. Unknown values are ignored: other
// programs may use this key for something else.
static bool read_units(struct scree_format_input *input)
{
    struct pair pair;
    for (size_t at = 0; next_pair(&input->lines, &at, &pair);)
        for (const char *const *name = scree_format_unit_names; *name && is_key(&pair, "Units"); ++name)
            if (scree_lines_is(pair.value, pair.value_length, *name))
                return scree_format_rows_set_units(input, pair.value, pair.value_length);
    return true;
}

static bool read_comment(struct scree_format_input *input, struct scree_format_table *table,
                         struct scree_format_rows *rows)
{
    struct scree_lines *lines = &input->lines;
    double origin[3] = {0, 0, 0}, number;
    struct pair pair;
    bool good = read_units(input);
    for (size_t at = 0; good && next_pair(lines, &at, &pair);) {
        if (is_key(&pair, "Properties")) {
            good = read_properties(lines, &pair, rows);
        } else if (is_key(&pair, "Lattice")) {
            good = read_lattice(input, table, &pair);
        } else if (is_key(&pair, "Origin")) {
            good =
                read_numbers(&pair, origin, 3) == 3 || report(lines, &pair, "'Origin' must be three numbers");
        } else if (is_key(&pair, "pbc")) {
            good = read_periods(table, &pair);
        } else if (is_key(&pair, "Time") && read_numbers(&pair, &number, 1) == 1) {
            table->time = number * scree_format_rows_factor(scree_format_rows_units(input), 0, 0, 1);
            table->has_time = true;
        } else if (is_key(&pair, "Step") || is_key(&pair, "Timestep")) {
            table->has_step = scree_format_read_integer(pair.value, pair.value_length, &table->step);
        }
    }
    for (int k = 0; k < 3 && table->has_box; ++k) {
        table->lower[k] = origin[k] * scree_format_rows_factor(scree_format_rows_units(input), 1, 0, 0);
        table->upper[k] += table->lower[k];
    }
    return good;
}

// --- snapshots

// Completes the columns: without Properties they are species, x, y and z.
static bool complete_columns(struct scree_lines *lines, struct scree_format_rows *rows)
{
    rows->ignore_rest = rows->count == 0;
    if (rows->ignore_rest)
        scree_format_rows_push_names(rows, "species x y z");
    if (scree_format_rows_has(rows, SCREE_FORMAT_X))
        return scree_format_rows_check(lines, rows);
    return scree_lines_report_line(lines, "'Properties' has no position: add pos:R:3");
}

bool scree_format_xyz_read(struct scree_format_input *input, struct scree_format_table *table)
{
    struct scree_lines *lines = &input->lines;
    struct scree_format_rows rows = {.count = 0};
    const char *word;
    size_t at = 0, length;
    uint64_t bodies;
    // skip blank lines between snapshots
    do
        if (!scree_lines_next(lines))
            return false;
    while (!(at = 0, scree_lines_word(lines, &at, &word, &length)));
    ++input->snapshots;
    if (!scree_format_read_integer(word, length, &bodies))
        return scree_lines_report_word(lines, word, length, "the number of bodies was expected here");
    if (!scree_lines_next(lines))
        return scree_lines_report(lines, 0, 1, "the comment line of the snapshot is missing");
    if (!read_comment(input, table, &rows) || !complete_columns(lines, &rows))
        return false;
    scree_format_rows_scale(&rows, scree_format_rows_units(input));
    return scree_format_rows_read_all(input, table, &rows, bodies, NULL) && lines->mistakes == 0 &&
           lines->status == SCREE_OK;
}

// --- writing

// The columns written, in order.
static const struct {
    const char *name;
    int column, width;
} written[] = {{"pos:R:3", SCREE_FORMAT_X, 3},           {"radius:R:1", SCREE_FORMAT_RADIUS, 1},
               {"density:R:1", SCREE_FORMAT_DENSITY, 1}, {"mass:R:1", SCREE_FORMAT_MASS, 1},
               {"velo:R:3", SCREE_FORMAT_VELOCITY_X, 3}, {"angular_velocity:R:3", SCREE_FORMAT_SPIN_X, 3},
               {"force:R:3", SCREE_FORMAT_FORCE_X, 3},   {"orientation:R:4", SCREE_FORMAT_QUAT_X, 4},
               {"image:I:3", SCREE_FORMAT_IMAGE_X, 3}};
enum { WRITTEN = sizeof written / sizeof written[0] };

static void write_comment(struct scree_format_output *output, const struct scree_format_table *table,
                          struct scree_format_text *row)
{
    const double unit = row->unit[SCREE_FORMAT_X];
    if (table->has_box) {
        scree_format_text_word(row, "Lattice=\"");
        for (int k = 0; k < 9; ++k) {
            scree_format_text_number(row,
                                     k % 4 == 0 ? (table->upper[k / 4] - table->lower[k / 4]) / unit : 0);
            scree_format_text_char(row, k < 8 ? ' ' : '"');
        }
        scree_format_text_word(row, " Origin=\"");
        for (int k = 0; k < 3; ++k) {
            scree_format_text_number(row, table->lower[k] / unit);
            scree_format_text_char(row, k < 2 ? ' ' : '"');
        }
        scree_format_text_word(row, " pbc=\"");
        for (int k = 0; k < 3; ++k) {
            scree_format_text_char(row, table->periodic[k] ? 'T' : 'F');
            scree_format_text_char(row, k < 2 ? ' ' : '"');
        }
        scree_format_text_char(row, ' ');
    }
    scree_format_text_word(row, "Properties=id:I:1:species:S:1");
    for (size_t w = 0; w < WRITTEN; ++w)
        if (scree_format_has(table, written[w].column)) {
            scree_format_text_char(row, ':');
            scree_format_text_word(row, written[w].name);
        }
    if (table->has_time) {
        scree_format_text_word(row, " Time=");
        scree_format_text_number(row, table->time / scree_format_rows_factor(output->units, 0, 0, 1));
    }
    if (table->has_step) {
        scree_format_text_word(row, " Step=");
        scree_format_text_integer(row, table->step);
    }
    if (output->units && strcmp(output->units->name, "si") != 0) {
        scree_format_text_word(row, " Units=");
        scree_format_text_word(row, output->units->name);
    }
    scree_format_text_end(row);
}

static void write_species(struct scree_format_text *row, const struct scree_format_table *table, size_t body)
{
    const bool named = scree_format_has(table, SCREE_FORMAT_TYPE);
    const char *name = named ? table->types.data[table->type[body]].name : "1";
    scree_format_text_word(row, scree_format_name_text(name, true).name);
}

void scree_format_xyz_write(struct scree_format_output *output, const struct scree_format_table *table)
{
    struct scree_format_text row;
    scree_format_text_begin(&row, output->file, output->units);
    fprintf(output->file, "%zu\n", table->count);
    write_comment(output, table, &row);
    for (size_t body = 0; body < table->count; ++body) {
        scree_format_text_id(&row, table, body);
        scree_format_text_char(&row, ' ');
        write_species(&row, table, body);
        // quaternions: the scalar part is first in the table and last in the file
        for (size_t w = 0; w < WRITTEN; ++w)
            for (int k = 0; k < written[w].width; ++k)
                scree_format_text_value(&row, ' ', table, body,
                                        k == 3 ? SCREE_FORMAT_QUAT_W : written[w].column + k);
        scree_format_text_end(&row);
    }
    ++output->snapshots;
}
