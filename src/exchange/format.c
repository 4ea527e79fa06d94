// Bodies in files of other programs, see format.h: units, and tables in memory.

#include "exchange/format.h"

#include "base/memory.h"
#include "base/suggestion.h"
#include "math/real.h"

#include <string.h>

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
    struct scree_suggestion known = {.wanted = name};
    for (*units = scree_format_units; (*units)->name; ++*units) {
        if (strcmp((*units)->name, name) == 0)
            return SCREE_OK;
        scree_suggestion_add(&known, (*units)->name);
    }
    *units = NULL;
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "unknown units '%.40s': use one of %s", name, known.text);
}

// --- tables

#define COLUMN(symbol, name, length, mass, time) {name, length, mass, time},
const struct scree_format_number scree_format_numbers[SCREE_FORMAT_COLUMNS] = {SCREE_FORMAT_NUMBERS(COLUMN)};
#undef COLUMN

void scree_format_empty(struct scree_format_table *table)
{
    const struct scree_format_table next = {.types = table->types, .shapes = table->shapes};
    for (int c = 0; c < SCREE_FORMAT_COLUMNS; ++c)
        scree_memory_free(table->number[c]);
    scree_memory_free(table->id);
    scree_memory_free(table->type);
    scree_memory_free(table->shape);
    scree_memory_free(table->body);
    scree_memory_free(table->image);
    scree_memory_free(table->line);
    *table = next;
}

void scree_format_free(struct scree_format_table *table)
{
    scree_format_empty(table);
    scree_array_free(&table->types);
    scree_array_free(&table->shapes);
}

void scree_format_declare(struct scree_format_table *table, int column, int width)
{
    static const unsigned vectors[] = {7u << SCREE_FORMAT_VELOCITY_X, 7u << SCREE_FORMAT_SPIN_X,
                                       7u << SCREE_FORMAT_FORCE_X, 7u << SCREE_FORMAT_IMAGE_X};
    const unsigned declared = ((1u << width) - 1) << column;
    table->has |= declared;
    for (size_t v = 0; v < sizeof vectors / sizeof vectors[0]; ++v)
        table->has |= vectors[v] & declared ? vectors[v] : 0;
}

static scree_status grow(struct scree_format_table *table)
{
    const size_t capacity = table->capacity, new_capacity = capacity < 64 ? 64 : capacity + capacity / 2;
    for (int c = 0; c < SCREE_FORMAT_COLUMNS; ++c)
        if (scree_format_has(table, c))
            SCREE_TRY(scree_memory_resize((void **)&table->number[c], capacity, new_capacity,
                                          sizeof **table->number));
    if (scree_format_has(table, SCREE_FORMAT_ID))
        SCREE_TRY(scree_memory_resize((void **)&table->id, capacity, new_capacity, sizeof *table->id));
    if (scree_format_has(table, SCREE_FORMAT_TYPE))
        SCREE_TRY(scree_memory_resize((void **)&table->type, capacity, new_capacity, sizeof *table->type));
    if (scree_format_has(table, SCREE_FORMAT_SHAPE))
        SCREE_TRY(scree_memory_resize((void **)&table->shape, capacity, new_capacity, sizeof *table->shape));
    if (scree_format_has(table, SCREE_FORMAT_BODY))
        SCREE_TRY(scree_memory_resize((void **)&table->body, capacity, new_capacity, sizeof *table->body));
    if (scree_format_has(table, SCREE_FORMAT_IMAGE_X))
        SCREE_TRY(scree_memory_resize((void **)&table->image, capacity, new_capacity, sizeof *table->image));
    SCREE_TRY(scree_memory_resize((void **)&table->line, capacity, new_capacity, sizeof *table->line));
    table->capacity = new_capacity;
    return SCREE_OK;
}

scree_status scree_format_add(struct scree_format_table *table)
{
    const size_t row = table->count;
    if (row == UINT32_MAX)
        return scree_status_fail(SCREE_ERROR_LIMIT, "a table can have at most %u bodies", UINT32_MAX);
    if (row == table->capacity)
        SCREE_TRY(grow(table));
    // clear the row: it may contain values of a removed row
    for (int c = 0; c < SCREE_FORMAT_COLUMNS; ++c)
        if (table->number[c])
            table->number[c][row] = 0;
    if (table->id)
        table->id[row] = 0;
    if (table->type)
        table->type[row] = 0;
    if (table->shape)
        table->shape[row] = 0;
    if (table->body)
        table->body[row] = 0;
    if (table->image)
        memset(table->image[row], 0, sizeof table->image[row]);
    table->line[row] = 0;
    ++table->count;
    return SCREE_OK;
}

scree_status scree_format_extend(struct scree_format_table *table, int column)
{
    double **number = &table->number[column];
    // the column may have memory from an earlier declaration that was withdrawn
    if (!*number)
        SCREE_TRY(scree_memory_new(table->capacity, sizeof **number, (void **)number));
    scree_format_declare(table, column, 1);
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
        const double *position = table->number[SCREE_FORMAT_X + k];
        if (table->has_box && upper[k] > lower[k])
            continue;
        lower[k] = upper[k] = table->count > 0 && position ? position[0] : 0;
        for (size_t row = 0; row < table->count && position; ++row) {
            const double r = radius ? radius[row] : 0;
            lower[k] = position[row] - r < lower[k] ? position[row] - r : lower[k];
            upper[k] = position[row] + r > upper[k] ? position[row] + r : upper[k];
        }
        // a box must not have zero width
        if (!(upper[k] > lower[k])) {
            lower[k] -= 0.5;
            upper[k] += 0.5;
        }
    }
}

scree_status scree_format_type(scree_format_types *types, const char *name, size_t length, uint32_t *type)
{
    struct scree_format_type added = {""};
    const size_t count = types->count;
    // start at the type of the previous row, which is often the same
    for (size_t k = 0; k < count; ++k) {
        const size_t t = (*type + k) % count;
        const char *known = types->data[t].name;
        if (strncmp(known, name, length) == 0 && known[length] == 0) {
            *type = (uint32_t)t;
            return SCREE_OK;
        }
    }
    *type = (uint32_t)count;
    if (count == SCREE_FORMAT_TYPES)
        return SCREE_OK;
    memcpy(added.name, name, length);
    return scree_array_push(types, added);
}

bool scree_format_read_integer(const char *word, size_t length, uint64_t *number)
{
    *number = 0;
    for (size_t k = 0; k < length; ++k) {
        const unsigned digit = (unsigned)(word[k] - '0');
        if (digit > 9 || *number > (UINT64_MAX - digit) / 10)
            return false;
        *number = 10 * *number + digit;
    }
    return length > 0;
}

bool scree_format_types_are_numbers(const struct scree_format_table *table)
{
    bool numbers = table->types.count > 0;
    for (size_t t = 0; t < table->types.count; ++t) {
        const char *name = table->types.data[t].name;
        uint64_t number;
        numbers = numbers && scree_format_read_integer(name, strlen(name), &number) && number > 0 &&
                  number <= INT32_MAX;
    }
    return numbers;
}

uint32_t scree_format_type_number(const struct scree_format_table *table, size_t row, bool numbers)
{
    uint64_t number = 1;
    if (!scree_format_has(table, SCREE_FORMAT_TYPE))
        return 1;
    if (!numbers)
        return table->type[row] + 1;
    const char *name = table->types.data[table->type[row]].name;
    (void)scree_format_read_integer(name, strlen(name), &number);
    return (uint32_t)number;
}

scree_status scree_format_complete(struct scree_format_table *table, const struct scree_format *format)
{
    if (!(format->needs & 1u << SCREE_FORMAT_DENSITY) || scree_format_has(table, SCREE_FORMAT_DENSITY) ||
        !scree_format_has(table, SCREE_FORMAT_MASS) || !scree_format_has(table, SCREE_FORMAT_RADIUS))
        return SCREE_OK;
    SCREE_TRY(scree_format_extend(table, SCREE_FORMAT_DENSITY));
    for (size_t body = 0; body < table->count; ++body) {
        const double r = table->number[SCREE_FORMAT_RADIUS][body];
        const double volume = 4.0 / 3.0 * SCREE_PI * r * r * r;
        table->number[SCREE_FORMAT_DENSITY][body] =
            volume > 0 ? table->number[SCREE_FORMAT_MASS][body] / volume : 0;
    }
    return SCREE_OK;
}
