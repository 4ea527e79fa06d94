// Rows of numbers, see format_rows.h.

#include "exchange/format_rows.h"

#include "text/decimal.h"
#include "text/quantity.h"

#include <string.h>

// --- names of columns

// The names of columns in files, in lower case, with a dash between words. The second name of a row belongs
// to the column after `column`, and so on.
static const struct {
    int column;
    double factor;
    const char *names;
} columns[] = {
    {SCREE_FORMAT_ID, 1, "id"},
    {SCREE_FORMAT_TYPE, 1, "type"},
    {SCREE_FORMAT_TYPE, 1, "material"},
    {SCREE_FORMAT_TYPE, 1, "species"},
    {SCREE_FORMAT_TYPE, 1, "element"},
    {SCREE_FORMAT_SHAPE, 1, "shape"},
    {SCREE_FORMAT_BODY, 1, "id-multisphere"},
    {SCREE_FORMAT_X, 1, "x y z"},
    {SCREE_FORMAT_X, 1, "xu yu zu"},
    {SCREE_FORMAT_X, 1, "position-x position-y position-z"},
    {SCREE_FORMAT_X, 1, "pos-x pos-y pos-z"},
    {SCREE_FORMAT_X, 1, "points-0 points-1 points-2"},
    {SCREE_FORMAT_X, 1, "position-0 position-1 position-2"},
    {SCREE_FORMAT_SCALED_X, 1, "xs ys zs"},
    {SCREE_FORMAT_SCALED_X, 1, "xsu ysu zsu"},
    {SCREE_FORMAT_RADIUS, 1, "radius"},
    {SCREE_FORMAT_RADIUS, 1, "r"},
    {SCREE_FORMAT_RADIUS, 0.5, "diameter"},
    {SCREE_FORMAT_RADIUS, 0.5, "d"},
    {SCREE_FORMAT_DENSITY, 1, "density"},
    {SCREE_FORMAT_DENSITY, 1, "rho"},
    {SCREE_FORMAT_MASS, 1, "mass"},
    {SCREE_FORMAT_MASS, 1, "m"},
    {SCREE_FORMAT_VELOCITY_X, 1, "vx vy vz"},
    {SCREE_FORMAT_VELOCITY_X, 1, "velocity-x velocity-y velocity-z"},
    {SCREE_FORMAT_VELOCITY_X, 1, "velocity-0 velocity-1 velocity-2"},
    {SCREE_FORMAT_SPIN_X, 1, "omegax omegay omegaz"},
    {SCREE_FORMAT_SPIN_X, 1, "omega-x omega-y omega-z"},
    {SCREE_FORMAT_SPIN_X, 1, "wx wy wz"},
    {SCREE_FORMAT_SPIN_X, 1, "spin-x spin-y spin-z"},
    {SCREE_FORMAT_SPIN_X, 1, "spin-0 spin-1 spin-2"},
    {SCREE_FORMAT_FORCE_X, 1, "fx fy fz"},
    {SCREE_FORMAT_FORCE_X, 1, "force-x force-y force-z"},
    {SCREE_FORMAT_FORCE_X, 1, "force-0 force-1 force-2"},
    {SCREE_FORMAT_IMAGE_X, 1, "ix iy iz"},
    {SCREE_FORMAT_IMAGE_X, 1, "image-x image-y image-z"},
    {SCREE_FORMAT_IMAGE_X, 1, "image-0 image-1 image-2"},
    {SCREE_FORMAT_QUAT_W, 1, "orientation-w orientation-x orientation-y orientation-z"},
    {SCREE_FORMAT_QUAT_W, 1, "orientation-0 orientation-1 orientation-2 orientation-3"},
    {SCREE_FORMAT_QUAT_W, 1, "qw qx qy qz"},
    {SCREE_FORMAT_QUAT_W, 1, "quatw quati quatj quatk"},
};

// Returns the length of the first of the names, and moves to the next one.
static size_t next_name(const char **names)
{
    const size_t length = strcspn(*names, " ");
    *names += length + ((*names)[length] == ' ');
    return length;
}

struct scree_format_rows_slot scree_format_rows_named(const char *name, size_t length)
{
    char plain[32] = "";
    for (size_t k = 0; k < length && k < sizeof plain - 1; ++k) {
        const char c = name[k];
        plain[k] = c >= 'A' && c <= 'Z'                           ? (char)(c + 'a' - 'A')
                   : c == '_' || c == ' ' || c == ':' || c == '.' ? '-'
                                                                  : c;
    }
    for (size_t c = 0; c < sizeof columns / sizeof columns[0] && length < sizeof plain; ++c) {
        int column = columns[c].column;
        for (const char *next = columns[c].names, *at = next; *at; at = next, ++column)
            if (next_name(&next) == length && memcmp(at, plain, length) == 0)
                return (struct scree_format_rows_slot){column, columns[c].factor};
    }
    return (struct scree_format_rows_slot){SCREE_FORMAT_SKIPPED, 1};
}

// --- columns of a row

static int destination_of(int column)
{
    return column >= SCREE_FORMAT_SCALED_X && column <= SCREE_FORMAT_SCALED_Z
               ? SCREE_FORMAT_X + column - SCREE_FORMAT_SCALED_X
               : column;
}

bool scree_format_rows_has(const struct scree_format_rows *rows, int column)
{
    for (size_t k = 0; k < rows->count; ++k)
        if (destination_of(rows->slot[k].column) == (int)column)
            return true;
    return false;
}

void scree_format_rows_push(struct scree_format_rows *rows, struct scree_format_rows_slot slot)
{
    if (slot.column != SCREE_FORMAT_SKIPPED && scree_format_rows_has(rows, destination_of(slot.column)))
        slot.column = SCREE_FORMAT_SKIPPED;
    if (rows->count < SCREE_FORMAT_ROWS_MAX)
        rows->slot[rows->count++] = slot;
}

void scree_format_rows_push_names(struct scree_format_rows *rows, const char *names)
{
    for (const char *name = names; *name; name = names) {
        const size_t length = next_name(&names);
        scree_format_rows_push(rows, scree_format_rows_named(name, length));
    }
}

bool scree_format_rows_check(struct scree_lines *lines, const struct scree_format_rows *rows)
{
    static const struct {
        int first, count;
        const char *about;
    } quantities[] = {{SCREE_FORMAT_X, 2, "a position needs x and y, and z in three dimensions"},
                      {SCREE_FORMAT_QUAT_W, 4, "an orientation needs four numbers, w, x, y and z"}};
    for (size_t w = 0; w < sizeof quantities / sizeof quantities[0]; ++w) {
        int present = 0, missing = 0;
        for (int k = quantities[w].first; k < quantities[w].first + quantities[w].count; ++k) {
            const bool has = scree_format_rows_has(rows, k);
            present += has;
            missing = has ? missing : k;
        }
        if (present == 0 || present == quantities[w].count)
            continue;
        return scree_lines_report_line(lines, "%s: '%s' is missing", quantities[w].about,
                                       scree_format_numbers[missing].name);
    }
    return true;
}

static double power(double base, int exponent)
{
    double product = 1;
    for (int k = 0; k < (exponent < 0 ? -exponent : exponent); ++k)
        product *= base;
    return exponent < 0 ? 1 / product : product;
}

double scree_format_rows_factor(const struct scree_format_units *units, int length, int mass, int time)
{
    return units ? power(units->length, length) * power(units->mass, mass) * power(units->time, time) : 1;
}

double scree_format_rows_unit(const struct scree_format_units *units, int column)
{
    if (column >= SCREE_FORMAT_COLUMNS)
        return 1;
    const struct scree_format_number *number = &scree_format_numbers[column];
    return scree_format_rows_factor(units, number->length, number->mass, number->time);
}

bool scree_format_rows_set_units(struct scree_format_input *input, const char *word, size_t length)
{
    struct scree_lines *lines = &input->lines;
    const struct scree_format_units *user_units = input->units;
    const size_t at = (size_t)(word - lines->text);
    char name[16] = "";
    memcpy(name, word, length < sizeof name ? length : sizeof name - 1);
    const scree_status status = scree_format_find_units(name, &input->file_units);
    if (user_units && strcmp(user_units->name, name) != 0)
        scree_lines_report(
            lines, at, length,
            "this file states the units %s, but %s were given: leave the units out, or correct "
            "this line",
            name, user_units->name);
    else if (status != SCREE_OK)
        scree_lines_report(lines, at, length, "%s", scree_status_message());
    return lines->mistakes == 0;
}

void scree_format_rows_scale(struct scree_format_rows *rows, const struct scree_format_units *units)
{
    for (size_t k = 0; k < rows->count; ++k)
        rows->slot[k].factor *= scree_format_rows_unit(units, rows->slot[k].column);
}

void scree_format_rows_declare(struct scree_format_table *table, const struct scree_format_rows *rows)
{
    for (size_t k = 0; k < rows->count; ++k)
        if (rows->slot[k].column != SCREE_FORMAT_SKIPPED)
            scree_format_declare(table, destination_of(rows->slot[k].column), 1);
}

// --- reading

static bool is_separator(char c, bool separators)
{
    return c == ' ' || c == '\t' || (separators && (c == ',' || c == ';'));
}

// Finds the next word; a quoted one may have blanks.
static bool next_word(const struct scree_lines *lines, bool separators, size_t *at, const char **word,
                      size_t *length)
{
    const char *text = lines->text;
    size_t end = *at;
    while (end < lines->length && is_separator(text[end], separators))
        ++end;
    const bool quoted = separators && end < lines->length && text[end] == '"';
    end += quoted;
    *word = text + end;
    const size_t begin = end;
    while (end < lines->length && (quoted ? text[end] != '"' : !is_separator(text[end], separators)))
        ++end;
    *length = end - begin;
    *at = end + (quoted && end < lines->length);
    return *length > 0 || quoted;
}

static bool read_quantity(struct scree_lines *lines, const char *word, size_t length, int column,
                          double *value)
{
    const struct scree_format_number *number = &scree_format_numbers[column];
    struct scree_quantity quantity;
    struct scree_parse_error error;
    if (!scree_quantity_read(word, length, &quantity, &error))
        return scree_lines_report_word(lines, word, length, "%s", error.message);
    const struct scree_dimension wanted = {{number->length, number->mass, number->time, 0}};
    quantity.dimension.power[SCREE_ANGLE] = 0;
    if (!scree_dimension_equal(quantity.dimension, (struct scree_dimension){{0}}) &&
        !scree_dimension_equal(quantity.dimension, wanted)) {
        char unit[48];
        scree_quantity_format(wanted, unit, sizeof unit);
        return scree_lines_report_word(lines, word, length, "'%s' must be in %s", number->name, unit);
    }
    *value = quantity.value;
    return true;
}

static bool read_number(struct scree_lines *lines, struct scree_format_table *table,
                        const struct scree_format_rows *rows, struct scree_format_rows_slot slot, size_t row,
                        const char *word, size_t length)
{
    const int column = destination_of(slot.column);
    double value;
    if (!scree_decimal_read(word, length, &value)) {
        if (!rows->separators)
            return scree_lines_report_word(lines, word, length, "'%s' must be a number, not '%.*s'",
                                           scree_format_numbers[column].name,
                                           (int)(length < 40 ? length : 40), word);
        if (!read_quantity(lines, word, length, column, &value))
            return false;
    }
    value *= slot.factor;
    if (slot.column >= SCREE_FORMAT_SCALED_X)
        value = table->lower[column] + value * (table->upper[column] - table->lower[column]);
    if (!(value >= -1e300 && value <= 1e300) ||
        (value < 0 && column >= SCREE_FORMAT_RADIUS && column <= SCREE_FORMAT_MASS))
        return scree_lines_report_word(lines, word, length, "'%s' must %s", scree_format_numbers[column].name,
                                       value < 0 && value >= -1e300 ? "not be negative"
                                                                    : "be at most 1e300 in magnitude");
    table->number[column][row] = value;
    return true;
}

static bool read_image(struct scree_lines *lines, int32_t *image, const char *word, size_t length)
{
    uint64_t size;
    const bool negative = length > 0 && word[0] == '-';
    if (!scree_format_read_integer(word + negative, length - negative, &size) || size > INT32_MAX)
        return scree_lines_report_word(lines, word, length,
                                       "an image flag must be a whole number, not '%.*s'",
                                       (int)(length < 40 ? length : 40), word);
    *image = negative ? -(int32_t)size : (int32_t)size;
    return true;
}

// Returns whether a name has no control characters, and none that ends a name in one of the formats.
static bool is_plain(const char *word, size_t length)
{
    bool plain = length > 0 && word[0] != '#';
    for (size_t k = 0; k < length && plain; ++k)
        plain = (unsigned char)word[k] >= ' ' && word[k] != 0x7f && word[k] != '"';
    return plain;
}

// Reads the name of a type or, in the same way, of a shape.
static bool read_type(struct scree_lines *lines, const char *what, scree_format_types *types, uint32_t *type,
                      const char *word, size_t length)
{
    if (!is_plain(word, length) || length >= SCREE_FORMAT_TYPE_LENGTH)
        return scree_lines_report_word(
            lines, word, length,
            "the name of a %s must have 1 to %d characters, no quotes, and no '#' at its start", what,
            SCREE_FORMAT_TYPE_LENGTH - 1);
    lines->status = scree_format_type(types, word, length, type);
    if (lines->status != SCREE_OK)
        return false;
    if (*type < SCREE_FORMAT_TYPES)
        return true;
    return scree_lines_report_word(lines, word, length, "more than %d %ss", (int)SCREE_FORMAT_TYPES, what);
}

// Reads the body of a pebble; single spheres have a negative number there.
static bool read_body(struct scree_lines *lines, uint64_t *body, const char *word, size_t length)
{
    const bool negative = length > 0 && word[0] == '-';
    if (!scree_format_read_integer(word + negative, length - negative, body) || *body > INT64_MAX)
        return scree_lines_report_word(lines, word, length,
                                       "the body of a pebble must be a whole number below 2^63, not '%.*s'",
                                       (int)(length < 40 ? length : 40), word);
    *body = negative ? 0 : *body;
    return true;
}

static bool read_word(struct scree_lines *lines, struct scree_format_table *table,
                      const struct scree_format_rows *rows, struct scree_format_rows_slot slot, size_t row,
                      const char *word, size_t length)
{
    switch (slot.column) {
    case SCREE_FORMAT_SKIPPED:
        return true;
    case SCREE_FORMAT_ID:
        if (scree_format_read_integer(word, length, &table->id[row]) && table->id[row] <= INT64_MAX)
            return true;
        return scree_lines_report_word(lines, word, length,
                                       "an id must be a whole number below 2^63, not '%.*s'",
                                       (int)(length < 40 ? length : 40), word);
    case SCREE_FORMAT_TYPE:
        return read_type(lines, "type", &table->types, &table->type[row], word, length);
    case SCREE_FORMAT_SHAPE:
        return read_type(lines, "shape", &table->shapes, &table->shape[row], word, length);
    case SCREE_FORMAT_BODY:
        return read_body(lines, &table->body[row], word, length);
    case SCREE_FORMAT_IMAGE_X:
    case SCREE_FORMAT_IMAGE_Y:
    case SCREE_FORMAT_IMAGE_Z:
        return read_image(lines, &table->image[row][slot.column - SCREE_FORMAT_IMAGE_X], word, length);
    default:
        return read_number(lines, table, rows, slot, row, word, length);
    }
}

static bool report_count(struct scree_lines *lines, const struct scree_format_rows *rows, size_t count)
{
    if (rows->about)
        return scree_lines_report_line(lines, "a row must have %s, not %zu", rows->about, count);
    return scree_lines_report_line(lines, "a row of this table must have %zu values, not %zu", rows->count,
                                   count);
}

bool scree_format_rows_read(struct scree_format_input *input, struct scree_format_table *table,
                            struct scree_format_rows *rows, size_t row)
{
    struct scree_lines *lines = &input->lines;
    const size_t least = rows->count - rows->optional;
    const char *word;
    size_t at = 0, length, count = 0;
    while (next_word(lines, rows->separators, &at, &word, &length)) {
        if (word[0] == '#' && rows->ignore_rest)
            break;
        if (count < rows->count && !read_word(lines, table, rows, rows->slot[count], row, word, length))
            return false;
        ++count;
        if (count >= rows->count && rows->ignore_rest)
            break;
    }
    if (count != least && count != rows->count)
        return report_count(lines, rows, count);
    rows->optional_found = rows->optional_found || count > least;
    return true;
}

void scree_format_rows_add(struct scree_format_input *input, struct scree_format_table *table,
                           struct scree_format_rows *rows)
{
    struct scree_lines *lines = &input->lines;
    lines->status = scree_format_add(table);
    if (lines->status != SCREE_OK)
        return;
    table->line[table->count - 1] = lines->number < UINT32_MAX ? (uint32_t)lines->number : UINT32_MAX;
    if (!scree_format_rows_read(input, table, rows, table->count - 1))
        --table->count;
}

bool scree_format_rows_read_all(struct scree_format_input *input, struct scree_format_table *table,
                                struct scree_format_rows *rows, uint64_t count, const char *next)
{
    struct scree_lines *lines = &input->lines;
    if (input->read_bodies)
        scree_format_rows_declare(table, rows);
    for (uint64_t k = 0; k < count; ++k) {
        if (!scree_lines_next(lines) || (next && scree_lines_begins(lines, next)))
            return scree_lines_report(lines, 0, 1, "snapshot %llu ends after %llu of its %llu rows",
                                      (unsigned long long)input->snapshots, (unsigned long long)k,
                                      (unsigned long long)count);
        if (input->read_bodies)
            scree_format_rows_add(input, table, rows);
    }
    return true;
}
