// Tables separated by commas, semicolons or blanks. The header names columns, each with its unit in brackets
// if it is not SI. Without a header a row is x, y, z, radius, and with seven numbers also the velocity.
// Lines that begin with '#' are skipped, and so are leading lines of words without the columns x and y.

#include "exchange/format_each.h"
#include "exchange/format_text.h"
#include "text/quantity.h"

#include <strings.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '"' || c == '_';
}

// Returns whether a line is a header. "nan" and "inf" are bad numbers, not names.
static bool is_header(const struct scree_lines *lines)
{
    const size_t at = strspn(lines->text, " \t");
    const char *text = lines->text + at;
    return at < lines->length && is_letter(*text) &&
           !(lines->length - at >= 3 &&
             (strncasecmp(text, "nan", 3) == 0 || strncasecmp(text, "inf", 3) == 0));
}

// Accepts any text: this format is the last one in the table of formats.
bool scree_format_csv_detect(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n'))
        ++at;
    return at < length && !memchr(text, 0, length) &&
           (text[at] == '#' || is_letter(text[at]) || strchr("+-.0123456789", text[at]));
}

static bool is_skipped(const struct scree_lines *lines)
{
    size_t at = 0;
    while (at < lines->length && strchr(" \t,;", lines->text[at]))
        ++at;
    return at == lines->length || lines->text[at] == '#';
}

// Returns the separator of a header: the first of comma, semicolon and tab that occurs in it, else a blank.
static char separator_of(const struct scree_lines *lines)
{
    for (const char *separator = ",;\t"; *separator; ++separator)
        if (memchr(lines->text, *separator, lines->length))
            return *separator;
    return ' ';
}

static void trim(const char **text, size_t *length)
{
    while (*length > 0 && strchr(" \t\"", **text)) {
        ++*text;
        --*length;
    }
    while (*length > 0 && strchr(" \t\"", (*text)[*length - 1]))
        --*length;
}

// Reads a column of the header: its name, and its unit in brackets. A column without a unit is in the units
// of the file.
static bool read_column(struct scree_format_input *input, const char *name, size_t length,
                        struct scree_format_rows_slot *slot)
{
    struct scree_lines *lines = &input->lines;
    const char *open = memchr(name, '[', length), *end = name + length;
    char text[48] = "1 ";
    struct scree_quantity quantity;
    struct scree_parse_error error;
    size_t size;
    if (!open)
        open = memchr(name, '(', length);
    if (!open || (end[-1] != ']' && end[-1] != ')')) {
        *slot = scree_format_rows_named(name, length);
        slot->factor *= scree_format_rows_unit(input->units, slot->column);
        return true;
    }
    size = (size_t)(end - open) - 2;
    for (length = (size_t)(open - name); length > 0 && (name[length - 1] == ' ' || name[length - 1] == '_');)
        --length;
    *slot = scree_format_rows_named(name, length);
    if (slot->column >= SCREE_FORMAT_COLUMNS || size == 0)
        return true;
    const struct scree_format_number *number = &scree_format_numbers[slot->column];
    const struct scree_dimension wanted = {{number->length, number->mass, number->time, 0}};
    memcpy(text + 2, open + 1, size < sizeof text - 3 ? size : sizeof text - 3);
    const bool good = scree_quantity_read(text, strlen(text), &quantity, &error);
    if (good)
        quantity.dimension.power[SCREE_ANGLE] = 0;
    if (!good || !scree_dimension_equal(quantity.dimension, wanted)) {
        char unit[48];
        scree_quantity_format(wanted, unit, sizeof unit);
        return scree_lines_report_word(lines, open, size + 2, "'%s' must be in %s, not in '%.*s'",
                                       number->name, unit, (int)(size < 40 ? size : 40), open + 1);
    }
    slot->factor *= quantity.value;
    return true;
}

static size_t length_without_unit(const char *name, size_t length)
{
    size_t without_unit = 0;
    while (without_unit < length && name[without_unit] != '[' && name[without_unit] != '(')
        ++without_unit;
    while (without_unit > 0 && strchr(" _", name[without_unit - 1]))
        --without_unit;
    return without_unit;
}

// Returns whether an earlier column has the same name, and reports it.
static bool is_duplicate(struct scree_lines *lines, char separator, const char *name, size_t length)
{
    const size_t own = length_without_unit(name, length);
    for (const char *text = lines->text, *next; (next = memchr(text, separator, (size_t)(name - text)));
         text = next + 1) {
        const char *other = text;
        size_t size = (size_t)(next - text);
        trim(&other, &size);
        if (length_without_unit(other, size) != own || strncasecmp(other, name, own) != 0)
            continue;
        scree_lines_report_word(lines, name, length,
                                "there are two columns '%.*s': remove or rename one of them",
                                (int)(own < 40 ? own : 40), name);
        return true;
    }
    return false;
}

// Reads the columns of a header; none if x or y is missing.
static bool read_header(struct scree_format_input *input, struct scree_format_rows *rows)
{
    struct scree_lines *lines = &input->lines;
    const char separator = separator_of(lines), *text = lines->text, *end = text + lines->length;
    while (text < end && rows->count < SCREE_FORMAT_ROWS_MAX) {
        const char *next = memchr(text, separator, (size_t)(end - text));
        const char *name = text;
        size_t length = (size_t)((next ? next : end) - text);
        struct scree_format_rows_slot slot;
        trim(&name, &length);
        text = next ? next + 1 : end;
        if (length == 0 && separator == ' ')
            continue;
        if (!read_column(input, name, length, &slot) ||
            (slot.column < SCREE_FORMAT_COLUMNS && is_duplicate(lines, separator, name, length)))
            return false;
        if (slot.column >= SCREE_FORMAT_SCALED_X)
            slot.column = SCREE_FORMAT_SKIPPED;
        scree_format_rows_push(rows, slot);
    }
    if (text < end)
        return scree_lines_report_word(lines, text, 1, "a row can have at most %d values",
                                       (int)SCREE_FORMAT_ROWS_MAX);
    if (scree_format_rows_has(rows, SCREE_FORMAT_X) && scree_format_rows_has(rows, SCREE_FORMAT_Y))
        return scree_format_rows_check(lines, rows);
    rows->count = 0;
    return true;
}

static bool is_default(const struct scree_format_rows *rows)
{
    static const int defaults[] = {SCREE_FORMAT_X,         SCREE_FORMAT_Y,          SCREE_FORMAT_Z,
                                   SCREE_FORMAT_RADIUS,    SCREE_FORMAT_VELOCITY_X, SCREE_FORMAT_VELOCITY_Y,
                                   SCREE_FORMAT_VELOCITY_Z};
    bool same = rows->count == 0 || rows->count == 4 || rows->count == 7;
    for (size_t k = 0; k < rows->count && same; ++k)
        same = rows->slot[k].column == defaults[k] && rows->slot[k].factor == 1;
    return same;
}

static void set_default_columns(struct scree_format_rows *rows, const struct scree_format_units *units)
{
    *rows = (struct scree_format_rows){
        .optional = 3, .separators = true, .about = "4 numbers (x, y, z, radius), or 7 with the velocity"};
    scree_format_rows_push_names(rows, "x y z radius vx vy vz");
    scree_format_rows_scale(rows, units);
}

bool scree_format_csv_read(struct scree_format_input *input, struct scree_format_table *table)
{
    struct scree_lines *lines = &input->lines;
    struct scree_format_rows rows = {.separators = true};
    bool has_rows = false;
    while (scree_lines_next(lines)) {
        if (is_skipped(lines))
            continue;
        if (!has_rows && rows.count == 0 && is_header(lines)) {
            if (!read_header(input, &rows))
                return false;
            continue;
        }
        if (!has_rows) {
            if (is_default(&rows))
                set_default_columns(&rows, input->units);
            scree_format_rows_declare(table, &rows);
            has_rows = true;
        }
        scree_format_rows_add(input, table, &rows);
    }
    if (rows.optional && !rows.optional_found)
        table->has &= ~(7u << SCREE_FORMAT_VELOCITY_X);
    return lines->mistakes == 0 && lines->status == SCREE_OK && has_rows;
}

// --- writing

static void write_header(struct scree_format_output *output, const struct scree_format_table *table)
{
    fprintf(output->file, "id%s%s", scree_format_has(table, SCREE_FORMAT_TYPE) ? ",type" : "",
            scree_format_has(table, SCREE_FORMAT_SHAPE) ? ",shape" : "");
    for (int c = 0; c < SCREE_FORMAT_COLUMNS; ++c) {
        const struct scree_format_number *number = &scree_format_numbers[c];
        const struct scree_dimension dimension = {{number->length, number->mass, number->time,
                                                   c >= SCREE_FORMAT_SPIN_X && c <= SCREE_FORMAT_SPIN_Z}};
        char unit[48];
        if (!scree_format_has(table, c))
            continue;
        scree_quantity_format(dimension, unit, sizeof unit);
        fprintf(output->file,
                c >= SCREE_FORMAT_FORCE_X  ? ",%s [N]"
                : c >= SCREE_FORMAT_QUAT_W ? ",%s"
                                           : ",%s [%s]",
                number->name, unit);
    }
    for (int k = 0; k < 3 && scree_format_has(table, SCREE_FORMAT_IMAGE_X); ++k)
        fprintf(output->file, ",image-%c", "xyz"[k]);
    fprintf(output->file, "\n");
}

static void write_name(struct scree_format_text *row, const char *name)
{
    const char *quote = strpbrk(name, " ,;\t") ? "\"" : "";
    scree_format_text_char(row, ',');
    scree_format_text_word(row, quote);
    scree_format_text_word(row, name);
    scree_format_text_word(row, quote);
}

void scree_format_csv_write(struct scree_format_output *output, const struct scree_format_table *table)
{
    struct scree_format_text row;
    scree_format_text_begin(&row, output->file, NULL);
    write_header(output, table);
    for (size_t body = 0; body < table->count; ++body) {
        scree_format_text_id(&row, table, body);
        if (scree_format_has(table, SCREE_FORMAT_TYPE))
            write_name(&row, table->types.data[table->type[body]].name);
        if (scree_format_has(table, SCREE_FORMAT_SHAPE))
            write_name(&row, table->shapes.data[table->shape[body]].name);
        for (int c = 0; c < SCREE_FORMAT_COLUMNS; ++c)
            scree_format_text_value(&row, ',', table, body, c);
        for (int c = SCREE_FORMAT_IMAGE_X; c <= SCREE_FORMAT_IMAGE_Z; ++c)
            scree_format_text_value(&row, ',', table, body, c);
        scree_format_text_end(&row);
    }
    ++output->snapshots;
}
