// Numbers and vectors that depend on time, see rates.h.

#include "language/rates.h"

#include "base/memory.h"
#include "file/path.h"
#include "text/decimal.h"
#include "text/expression.h"
#include "text/lines.h"

#include <math.h>
#include <string.h>

static const char *const expected_table =
    "a list of rows of a time and values, or the path of a CSV file of such rows";

// --- expressions

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Whether a text is meant as an expression: it has a bracket or a product, or the variable t.
static bool is_expression(const char *text)
{
    if (strpbrk(text, "(*"))
        return true;
    for (size_t k = 0; text[k]; ++k)
        if (text[k] == 't' && (k == 0 || !is_letter(text[k - 1])) && !is_letter(text[k + 1]))
            return true;
    return false;
}

static bool copy(struct scree_reading *reading, const char *text, char **to)
{
    const size_t size = strlen(text) + 1;
    const scree_status status = scree_memory_new(size, 1, (void **)to);
    reading->values.status = status == SCREE_OK ? reading->values.status : status;
    if (status == SCREE_OK)
        memcpy(*to, text, size);
    return status == SCREE_OK;
}

// Evaluates an expression once, at time 0, to find its mistakes.
static bool read_expression(struct scree_reading *reading, const struct scree_node *node,
                            const struct scree_key *key, const char *text, struct scree_rate *rate)
{
    const enum scree_key_id id = (enum scree_key_id)(key - scree_key_rows);
    const char *unit = scree_key_unit(id, reading->dimension);
    struct scree_quantity quantity;
    struct scree_parse_error error;
    if (!scree_expression_read_of_time(text, strlen(text), 0, &quantity, &error))
        return scree_reading_report(reading, node, "'%s': '%.80s': %s", key->name, text, error.message);
    char found[48];
    scree_quantity_format(quantity.dimension, found, sizeof found);
    if (!scree_dimension_equal(quantity.dimension, (struct scree_dimension){{0}}) &&
        !scree_dimension_equal(quantity.dimension, scree_quantity_dimension(unit)))
        return scree_reading_report(reading, node, "'%s' must be in %s, but '%.80s' is in %s", key->name,
                                    unit, text, found);
    return copy(reading, text, &rate->text);
}

// --- tables

static bool add_row(struct scree_reading *reading, struct scree_rate *rate, const struct scree_rate_row *row)
{
    const scree_status status = scree_array_push(&rate->row, *row);
    reading->values.status = status == SCREE_OK ? reading->values.status : status;
    return status == SCREE_OK;
}

static bool goes_back(const struct scree_rate *rate, double time)
{
    return rate->row.count > 0 && time < rate->row.data[rate->row.count - 1].time;
}

// Reads rows of a time and values in a scene; the value is that of a column, from 1.
static bool read_rows(struct scree_reading *reading, const struct scree_node *node,
                      const struct scree_key *key, size_t column, size_t columns, struct scree_rate *rate)
{
    const struct scree_value_rule time = {
        .name = "time", .unit = "s", .least = -(double)INFINITY, .most = (double)INFINITY};
    bool good = node->kind == SCREE_NODE_LIST && node->count > 0;
    if (!good)
        return scree_reading_expect(reading, node, key, expected_table);
    for (size_t k = 0; k < node->count && good; ++k) {
        const struct scree_node *item = node->item[k];
        struct scree_rate_row row;
        if (item->kind != SCREE_NODE_LIST || item->count != columns + 1)
            return scree_reading_report(reading, item,
                                        columns == 1 ? "a row of this table must be a list of a time and a "
                                                       "value, as in `[0.5 s, 0.1]`"
                                                     : "a row of this table must be a list of a time and "
                                                       "three values, as in `[0.5 s, 0, 0, 0.1]`");
        good = scree_value_number(&reading->values, item->item[0], &time, &row.time) &&
               scree_reading_item(reading, item->item[column], key, &row.value);
        if (good && goes_back(rate, row.time))
            good = scree_reading_report(reading, item,
                                        "the times of a table must not decrease; %g s is "
                                        "before the time of the previous row",
                                        row.time);
        good = good && add_row(reading, rate, &row);
    }
    return good;
}

// Reads the numbers of a line. Returns their count, or 0 after a diagnostic.
static size_t read_line(struct scree_lines *lines, double *number, size_t capacity)
{
    size_t count = 0;
    for (size_t at = 0; at < lines->length;) {
        if (strchr(" \t,;", lines->text[at])) {
            ++at;
            continue;
        }
        const size_t length = scree_decimal_length(lines->text + at, lines->length - at);
        const size_t end = at + length;
        if (length == 0 || (end < lines->length && !strchr(" \t,;", lines->text[end]))) {
            scree_lines_report(lines, at, lines->length - at, "a number in SI units was expected here");
            return 0;
        }
        if (count < capacity)
            number[count] = scree_decimal_value(lines->text + at, length, 0);
        ++count;
        at = end;
    }
    return count;
}

static bool add_line(struct scree_reading *reading, struct scree_lines *lines, size_t column, size_t columns,
                     struct scree_rate *rate)
{
    double number[4];
    const size_t count = read_line(lines, number, columns + 1);
    if (count == 0)
        return false;
    if (count != columns + 1)
        return scree_lines_report_line(lines, "a row of this table must have %zu numbers, a time and %s",
                                       columns + 1, columns == 1 ? "a value" : "three values");
    if (goes_back(rate, number[0]))
        return scree_lines_report_line(lines, "the times of a table must not decrease");
    return add_row(reading, rate, &(struct scree_rate_row){number[0], number[column]});
}

static bool is_skipped(const struct scree_lines *lines)
{
    size_t at = 0;
    while (at < lines->length && strchr(" \t,;\"", lines->text[at]))
        ++at;
    return at == lines->length || lines->text[at] == '#' ||
           (lines->number == 1 && is_letter(lines->text[at]));
}

static bool read_file(struct scree_reading *reading, const struct scree_node *node,
                      const struct scree_key *key, size_t column, size_t columns, struct scree_rate *rate)
{
    const char *name;
    char *path;
    struct scree_lines lines;
    if (!scree_value_text(&reading->values, node, key->name, &name))
        return false;
    scree_status status = scree_path_join(reading->folder, name, &path);
    if (status == SCREE_OK) {
        status = scree_lines_open(&lines, path, name, &reading->diagnostics);
        while (status == SCREE_OK && scree_lines_next(&lines))
            if (!is_skipped(&lines))
                (void)add_line(reading, &lines, column, columns, rate);
        status = status == SCREE_OK ? lines.status : status;
        const bool mistakes = lines.mistakes > 0;
        scree_lines_close(&lines);
        scree_memory_free(path);
        if (status == SCREE_OK && (mistakes || reading->values.status != SCREE_OK))
            return false;
    }
    if (status == SCREE_ERROR_MEMORY)
        reading->values.status = status;
    if (status != SCREE_OK)
        return status == SCREE_ERROR_MEMORY
                   ? false
                   : scree_reading_report(reading, node, "%s", scree_status_message());
    return rate->row.count > 0 ||
           scree_reading_report(reading, node, "the table '%.100s' has no rows of numbers", name);
}

// Reads `{table: file.csv}` or `{table: [[0, 0], [1, 0.1]]}`.
static bool read_table(struct scree_reading *reading, const struct scree_node *map,
                       const struct scree_key *key, size_t column, size_t columns, struct scree_rate *rate)
{
    const struct scree_node *table = scree_tree_find(map, "table");
    if (!table || map->count != 1)
        return scree_reading_report(reading, map,
                                    "a map under '%s' must have the key 'table' only, as in `{table: "
                                    "motion.csv}`",
                                    key->name);
    return table->kind == SCREE_NODE_TEXT ? read_file(reading, table, key, column, columns, rate)
                                          : read_rows(reading, table, key, column, columns, rate);
}

// --- vectors

static bool read_rate(struct scree_reading *reading, const struct scree_node *node,
                      const struct scree_key *key, struct scree_rate *rate)
{
    const char *text;
    if (node->kind == SCREE_NODE_MAP)
        return read_table(reading, node, key, 1, 1, rate);
    if (node->kind == SCREE_NODE_LIST)
        return read_rows(reading, node, key, 1, 1, rate);
    if (node->kind != SCREE_NODE_TEXT || !(strstr(node->text, "${") || is_expression(node->text)))
        return scree_reading_item(reading, node, key, &rate->number);
    if (!scree_value_text(&reading->values, node, key->name, &text))
        return false;
    return is_expression(text) ? read_expression(reading, node, key, text, rate)
                               : scree_reading_item(reading, node, key, &rate->number);
}

bool scree_rates_one_read(struct scree_reading *reading, const struct scree_node *node,
                          const struct scree_key *key, struct scree_rate *rate)
{
    *rate = (struct scree_rate){0};
    return read_rate(reading, node, key, rate);
}

bool scree_rates_read(struct scree_reading *reading, const struct scree_node *node,
                      const struct scree_key *key, struct scree_rates *rates)
{
    const bool is_2d = reading->dimension == 2;
    bool good = true;
    *rates = (struct scree_rates){0};
    if (node->kind == SCREE_NODE_MAP) {
        for (size_t k = 0; k < 3 && good; ++k)
            good = read_table(reading, node, key, k + 1, 3, &rates->component[k]);
        return good;
    }
    if (node->kind != SCREE_NODE_LIST || !(node->count == 3 || (is_2d && node->count == 2)))
        return scree_reading_expect(reading, node, key,
                                    is_2d ? "a list of two or three numbers or expressions of the time t"
                                          : "a list of three numbers or expressions of the time t");
    for (size_t k = 0; k < node->count; ++k)
        good = read_rate(reading, node->item[k], key, &rates->component[k]) && good;
    return good;
}

void scree_rates_one_free(struct scree_rate *rate)
{
    scree_memory_free(rate->text);
    scree_array_free(&rate->row);
    *rate = (struct scree_rate){0};
}

void scree_rates_free(struct scree_rates *rates)
{
    for (int k = 0; k < 3; ++k)
        scree_rates_one_free(&rates->component[k]);
}

bool scree_rates_one_is_constant(const struct scree_rate *rate)
{
    return !rate->text && rate->row.count == 0;
}

bool scree_rates_are_constant(const struct scree_rates *rates)
{
    return scree_rates_one_is_constant(&rates->component[0]) &&
           scree_rates_one_is_constant(&rates->component[1]) &&
           scree_rates_one_is_constant(&rates->component[2]);
}

// The value between the last row at or before a time and the next one.
static double look_up(const struct scree_rate *rate, double time)
{
    size_t low = 0, high = rate->row.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (rate->row.data[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || low == rate->row.count)
        return rate->row.data[low == 0 ? 0 : low - 1].value;
    const struct scree_rate_row before = rate->row.data[low - 1], after = rate->row.data[low];
    return before.value + (after.value - before.value) * ((time - before.time) / (after.time - before.time));
}

double scree_rates_one_at(const struct scree_rate *rate, double time)
{
    struct scree_quantity quantity;
    struct scree_parse_error error;
    if (rate->row.count > 0)
        return look_up(rate, time);
    if (!rate->text)
        return rate->number;
    return scree_expression_read_of_time(rate->text, strlen(rate->text), time, &quantity, &error)
               ? quantity.value
               : (double)NAN;
}

void scree_rates_at(const struct scree_rates *rates, double time, double vector[3])
{
    for (int k = 0; k < 3; ++k)
        vector[k] = scree_rates_one_at(&rates->component[k], time);
}
