// Columns with formulas, see columns.h.

#include "language/columns.h"

#include "base/memory.h"
#include "base/suggestion.h"
#include "text/expression.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Reads the formulas of columns, and adds the columns they use.
struct reader {
    struct scree_reading *reading;
    struct scree_world *world; // null: only checks
    struct scree_columns *columns;
    size_t path[SCREE_COLUMNS_MAX], depth; // formulas being read, each used by the one before
    bool reported;                         // a mistake has been reported already
};

// The value of all columns while units are checked. It is not a whole number, so a power of a quantity with
// a unit is refused if its exponent depends on columns.
static const double trial_value = 1.25;

// --- columns

static void set_unit(struct scree_columns_item *item)
{
    static const char *const units[] = {"N", "Pa", "J", "W"};
    const struct scree_dimension none = {{0}};
    scree_quantity_format(item->dimension, item->unit, sizeof item->unit);
    if (scree_dimension_equal(item->dimension, none))
        item->unit[0] = 0;
    for (size_t u = 0; u < sizeof units / sizeof units[0]; ++u)
        if (scree_dimension_equal(item->dimension, scree_quantity_dimension(units[u])))
            snprintf(item->unit, sizeof item->unit, "%s", units[u]);
}

// Finds the record with a list of columns; null for a default list.
static const struct scree_node *record_of(const struct scree_reading *reading, const struct scree_node *list)
{
    const struct scree_node *records = scree_reading_node(reading->root, SCREE_KEY_scene_record);
    for (size_t r = 0; list && records && r < records->count; ++r)
        if (scree_reading_node(records->item[r], SCREE_KEY_record_columns) == list)
            return records->item[r];
    return NULL;
}

// Adds a column, bound to the world if there is one. Returns false after a diagnostic or a lack of memory.
static bool add(struct reader *reader, struct scree_measurement_text *text, const struct scree_node *table,
                size_t *index)
{
    struct scree_reading *reading = reader->reading;
    struct scree_columns *columns = reader->columns;
    const size_t before = reading->diagnostics.all;
    if (columns->count == SCREE_COLUMNS_MAX)
        return scree_reading_report(reading, text->node,
                                    "there are too many columns together with those that formulas use: at "
                                    "most %d are possible",
                                    (int)SCREE_COLUMNS_MAX);
    if (reader->world && !scree_measurement_give_window(reading, record_of(reading, table), text))
        return false;
    const scree_status status =
        reader->world ? scree_measurement_bind(reading, reader->world, text) : SCREE_OK;
    if (status != SCREE_OK)
        reading->values.status = status;
    if (status != SCREE_OK || reading->diagnostics.all != before)
        return false;
    const struct scree_column_row *row = &scree_column_rows[text->measurement.row];
    struct scree_columns_item *item = &columns->item[ *index = columns->count++];
    *item = (struct scree_columns_item){.name = text->name,
                                        .table = table,
                                        .formula = text->formula,
                                        .node = text->node,
                                        .measurement = text->measurement};
    if (item->formula)
        return true;
    const char *unit = reading->dimension == 2 ? row->flat : row->unit;
    item->dimension = scree_quantity_dimension(unit);
    snprintf(item->unit, sizeof item->unit, "%s", unit);
    return true;
}

// --- names

// The column whose name a text begins with.
struct match {
    size_t length; // of its name; 0 for none
    struct scree_measurement_text text;
    const struct scree_node *table;
    bool ambiguous; // another table has another column of that title
};

static bool is_same(const struct scree_measurement_text *a, const struct scree_measurement_text *b)
{
    if (a->formula || b->formula)
        return a->formula && b->formula && strcmp(a->formula, b->formula) == 0;
    return memcmp(&a->measurement, &b->measurement, sizeof a->measurement) == 0 &&
           memcmp(&a->flux_surface, &b->flux_surface, sizeof a->flux_surface) == 0 &&
           strcmp(a->group ? a->group : "", b->group ? b->group : "") == 0;
}

// Returns the length of a name if the text is the name, or begins with the name and a '-'; else 0.
static size_t begins_with(const char *text, size_t length, const char *name)
{
    const size_t name_length = strlen(name);
    const bool begins = name_length <= length && memcmp(text, name, name_length) == 0;
    return begins && (name_length == length || text[name_length] == '-') ? name_length : 0;
}

static void match_quantities(const char *text, size_t length, struct match *match,
                             struct scree_suggestion *known)
{
    for (size_t r = 0; scree_column_rows[r].name; ++r) {
        const struct scree_column_row *row = &scree_column_rows[r];
        const size_t matched =
            row->arguments & SCREE_COLUMN_REQUIRED ? 0 : begins_with(text, length, row->name);
        if (!(row->arguments & SCREE_COLUMN_REQUIRED))
            scree_suggestion_add(known, row->name);
        if (matched <= match->length)
            continue;
        memset(match, 0, sizeof *match);
        match->length = matched;
        match->text.measurement.row = r;
        match->text.name = row->name;
    }
}

static void match_titles(struct reader *reader, const struct scree_node *list, const char *text,
                         size_t length, struct match *match, struct scree_suggestion *known)
{
    for (size_t k = 0; list && k < list->count; ++k) {
        struct scree_measurement_text column;
        if (!scree_measurement_read_column(reader->reading, list->item[k], &column)) {
            reader->reported = true;
            return;
        }
        const size_t matched = begins_with(text, length, column.name);
        scree_suggestion_add(known, column.name);
        if (matched > 0 && matched == match->length && match->table && match->table != list)
            match->ambiguous = match->ambiguous || !is_same(&match->text, &column);
        if (matched > match->length)
            *match = (struct match){.length = matched, .text = column, .table = list};
    }
}

static void match_all_titles(struct reader *reader, const char *text, size_t length, struct match *match,
                             struct scree_suggestion *known)
{
    const struct scree_node *records = scree_reading_node(reader->reading->root, SCREE_KEY_scene_record);
    for (size_t r = 0; records && r < records->count; ++r)
        match_titles(reader, scree_reading_node(records->item[r], SCREE_KEY_record_columns), text, length,
                     match, known);
}

// Sets the error of a name that is not known in a table, or elsewhere if `table` is null.
static bool refuse_name(struct reader *reader, const struct scree_node *table, const char *text,
                        size_t length, struct scree_suggestion *known, struct scree_parse_error *error)
{
    const struct scree_column_row *row = &scree_column_rows[scree_column_find(known->wanted)];
    struct scree_suggestion others = {.wanted = known->wanted};
    struct match match;
    memset(&match, 0, sizeof match);
    if (row->name)
        return scree_quantity_error(error, 0, length,
                                    "'%s' needs %s: make it a column of the table with a title ('as'), and "
                                    "use the title here",
                                    row->name, scree_column_arguments(row));
    if (strcmp(known->wanted, "t") == 0)
        return scree_quantity_error(error, 0, length,
                                    "there is no column 't': the time is the column 'time'");
    if (table)
        match_all_titles(reader, text, length, &match, &others);
    if (match.length > 0)
        return scree_quantity_error(error, 0, length,
                                    "'%s' is a column of another table: add it to this one to use it here",
                                    match.text.name);
    return scree_quantity_error(error, 0, length, "there is no column '%s'%s", known->wanted,
                                scree_suggestion_hint(known, ""));
}

// Finds the longest name at the start of a text.
static bool find_name(struct reader *reader, const struct scree_node *table, const char *text, size_t length,
                      struct match *match, struct scree_parse_error *error)
{
    char word[61];
    struct scree_suggestion known = {.wanted = word};
    memset(match, 0, sizeof *match);
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), text);
    if (table)
        match_titles(reader, table, text, length, match, &known);
    match_quantities(text, length, match, &known);
    if (!table)
        match_all_titles(reader, text, length, match, &known);
    if (match->ambiguous)
        return scree_quantity_error(error, 0, length,
                                    "several tables have different columns with the title '%s': give them "
                                    "different titles",
                                    match->text.name);
    return match->length > 0 || refuse_name(reader, table, text, length, &known, error);
}

// Returns the index of a column that has been added; `count` if there is none.
static size_t find_item(const struct scree_columns *columns, const char *name, const struct scree_node *table)
{
    size_t k = 0;
    for (; k < columns->count; ++k)
        if (columns->item[k].table == table && columns->item[k].name &&
            strcmp(columns->item[k].name, name) == 0)
            break;
    return k;
}

// --- reading formulas

static bool read_formula(struct reader *reader, size_t index);

// Sets the error of a formula that uses itself: "a -> b -> a".
static bool refuse_ring(const struct reader *reader, size_t index, size_t length,
                        struct scree_parse_error *error)
{
    const struct scree_columns_item *item = reader->columns->item;
    char ring[120];
    size_t at = 0, first = 0;
    while (reader->path[first] != index)
        ++first;
    for (size_t p = first; p < reader->depth && at < sizeof ring - 1; ++p)
        at += (size_t)snprintf(ring + at, sizeof ring - at, "%.30s -> ", item[reader->path[p]].name);
    at = at < sizeof ring - 1 ? at : sizeof ring - 1;
    snprintf(ring + at, sizeof ring - at, "%.30s", item[index].name);
    return scree_quantity_error(error, 0, length, "formulas must not use each other in a ring: %s", ring);
}

// Gives a trial value in the unit of a column; adds the column if it is new.
static bool read_name(void *user, const char *text, size_t length, size_t *used,
                      struct scree_quantity *quantity, struct scree_parse_error *error)
{
    struct reader *reader = (struct reader *)user;
    struct scree_columns *columns = reader->columns;
    const struct scree_columns_item *formula = &columns->item[reader->path[reader->depth - 1]];
    struct match match;
    if (!find_name(reader, formula->table, text, length, &match, error))
        return false;
    match.text.node = match.text.node ? match.text.node : formula->node;
    size_t index = find_item(columns, match.text.name, match.table);
    if (index == columns->count && !add(reader, &match.text, match.table, &index)) {
        reader->reported = true;
        return false;
    }
    if (columns->item[index].formula && columns->item[index].state == SCREE_COLUMNS_READING)
        return refuse_ring(reader, index, length, error);
    if (columns->item[index].formula && !read_formula(reader, index)) {
        reader->reported = true;
        return false;
    }
    *used = match.length;
    *quantity = (struct scree_quantity){trial_value, columns->item[index].dimension};
    return true;
}

// Reads a formula and those it uses, unless that has been done. Returns false after a diagnostic.
static bool read_formula(struct reader *reader, size_t index)
{
    struct scree_columns *columns = reader->columns;
    struct scree_columns_item *item = &columns->item[index];
    struct scree_quantity quantity = {0};
    struct scree_parse_error error = {.message = ""};
    if (item->state == SCREE_COLUMNS_READ)
        return true;
    item->state = SCREE_COLUMNS_READING;
    reader->path[reader->depth++] = index;
    const bool good = scree_expression_read_of_columns(item->formula, strlen(item->formula), read_name,
                                                       reader, &quantity, &error);
    --reader->depth;
    item->state = SCREE_COLUMNS_READ;
    item->dimension = quantity.dimension;
    set_unit(item);
    columns->formula_at[columns->formulas++] = index;
    if (good || reader->reported || reader->reading->values.status != SCREE_OK)
        return good;
    reader->reported = true;
    // the place is known if the formula is the start of the text of the node
    return item->node->kind == SCREE_NODE_TEXT &&
                   strncmp(item->node->text, item->formula, strlen(item->formula)) == 0
               ? scree_value_report_at(&reader->reading->values, item->node, &error)
               : scree_reading_report(reader->reading, item->node, "%s", error.message);
}

// --- tables

// Reads a list of columns; returns false after a diagnostic.
static bool read_list(struct reader *reader, const struct scree_node *list)
{
    struct scree_columns *columns = reader->columns;
    for (size_t k = 0; k < list->count; ++k) {
        struct scree_measurement_text text;
        size_t index;
        if (!scree_measurement_read_column(reader->reading, list->item[k], &text) ||
            !add(reader, &text, list, &index))
            return false;
    }
    columns->requested = columns->count;
    for (size_t k = 0; k < columns->requested; ++k)
        if (columns->item[k].formula && !read_formula(reader, k))
            return false;
    return true;
}

void scree_columns_check(struct scree_reading *reading, const struct scree_node *list)
{
    struct scree_columns columns = {.count = 0};
    struct reader reader = {.reading = reading, .columns = &columns};
    (void)read_list(&reader, list);
}

scree_status scree_columns_table(struct scree_reading *reading, struct scree_world *world,
                                 const struct scree_node *record, struct scree_columns *columns)
{
    struct reader reader = {.reading = reading, .world = world, .columns = columns};
    const struct scree_node *list = scree_reading_or_default(reading, record, SCREE_KEY_record_columns);
    columns->count = columns->requested = columns->formulas = 0;
    if (!list || !read_list(&reader, list) || reading->diagnostics.all > 0)
        columns->requested = 0;
    return reading->values.status;
}

// --- single formulas

static scree_status bind_one(struct scree_reading *reading, struct scree_world *world,
                             struct scree_measurement_text *text, struct scree_columns *columns)
{
    struct reader reader = {.reading = reading, .world = world, .columns = columns};
    size_t index;
    columns->count = columns->requested = columns->formulas = 0;
    if (add(&reader, text, NULL, &index) && (!text->formula || read_formula(&reader, index)))
        columns->requested = 1;
    return reading->values.status;
}

scree_status scree_columns_comparison(struct scree_reading *reading, struct scree_world *world,
                                      struct scree_comparison *comparison, struct scree_columns *columns)
{
    SCREE_TRY(bind_one(reading, world, &comparison->text, columns));
    if (columns->requested > 0 && comparison->text.formula)
        (void)scree_measurement_read_limit(reading, comparison, columns->item[0].unit);
    return reading->values.status;
}

scree_status scree_columns_formula(struct scree_reading *reading, struct scree_world *world,
                                   const struct scree_node *node, const char *formula, const char *unit,
                                   struct scree_columns *columns)
{
    struct scree_measurement_text text;
    memset(&text, 0, sizeof text);
    text.node = node;
    text.formula = formula;
    text.measurement.row = scree_column_find("");
    SCREE_TRY(bind_one(reading, world, &text, columns));
    const struct scree_columns_item *item = &columns->item[0];
    if (columns->requested == 0 || scree_dimension_equal(item->dimension, scree_quantity_dimension(unit)))
        return SCREE_OK;
    columns->requested = 0;
    scree_reading_report(reading, node, "the result of `%.80s` is in %s, but must be in %s", formula,
                         item->unit[0] ? item->unit : "no unit", unit);
    return SCREE_OK;
}

// --- all columns of a scene

static scree_status bind_stage(struct scree_reading *reading, struct scree_world *world,
                               const struct scree_node *stage)
{
    const struct scree_node *node = scree_reading_node(stage, SCREE_KEY_stage_stop);
    struct scree_comparison comparison;
    struct scree_columns columns;
    if (!node ||
        !scree_measurement_comparison(reading, node, &scree_key_rows[SCREE_KEY_stage_stop], &comparison))
        return SCREE_OK;
    return scree_columns_comparison(reading, world, &comparison, &columns);
}

scree_status scree_columns_bind_all(struct scree_reading *reading, struct scree_world *world)
{
    const struct scree_node *records = scree_reading_node(reading->root, SCREE_KEY_scene_record);
    struct scree_columns columns;
    for (size_t r = 0; records && r < records->count; ++r)
        if (scree_reading_has(records->item[r], SCREE_KEY_record_columns))
            SCREE_TRY(scree_columns_table(reading, world, records->item[r], &columns));
    for (size_t s = 1; s <= scree_reading_stages(reading); ++s)
        SCREE_TRY(bind_stage(reading, world, scree_reading_stage(reading, s)));
    return SCREE_OK;
}

scree_status scree_columns_keep(struct scree_columns *columns, char **texts)
{
    size_t size = 0;
    for (size_t k = 0; k < columns->count; ++k)
        size += (columns->item[k].name ? strlen(columns->item[k].name) + 1 : 0) +
                (columns->item[k].formula ? strlen(columns->item[k].formula) + 1 : 0);
    SCREE_TRY(scree_memory_new(size, 1, (void **)texts));
    char *at = *texts;
    for (size_t k = 0; k < columns->count; ++k) {
        const char **const text[] = {&columns->item[k].name, &columns->item[k].formula};
        for (size_t t = 0; t < 2; ++t) {
            const size_t length = *text[t] ? strlen(*text[t]) + 1 : 0;
            if (length == 0)
                continue;
            memcpy(at, *text[t], length);
            *text[t] = at;
            at += length;
        }
    }
    return SCREE_OK;
}

// --- values

struct evaluation {
    const struct scree_columns *columns;
    const double *value;
    const struct scree_node *table; // of the formula
};

// Gives the value of the column with the longest name that a text begins with. If a quantity and a title are
// the same word, a formula of a table uses the title, any other formula the quantity.
static bool give_value(void *user, const char *text, size_t length, size_t *used,
                       struct scree_quantity *quantity, struct scree_parse_error *error)
{
    const struct evaluation *evaluation = (const struct evaluation *)user;
    const struct scree_columns_item *best = NULL, *item = evaluation->columns->item;
    *used = 0;
    for (size_t k = 0; k < evaluation->columns->count; ++k) {
        const size_t matched = item[k].name ? begins_with(text, length, item[k].name) : 0;
        const bool foreign = evaluation->table && item[k].table && item[k].table != evaluation->table;
        const bool better =
            matched > *used || (matched > 0 && matched == *used && item[k].table == evaluation->table &&
                                best && best->table != evaluation->table);
        if (foreign || !better)
            continue;
        *used = matched;
        best = &item[k];
    }
    if (!best)
        return scree_quantity_error(error, 0, length, "there is no such column");
    *quantity = (struct scree_quantity){evaluation->value[best - item], best->dimension};
    return true;
}

scree_status scree_columns_measure(const struct scree_columns *columns, struct scree_world *world,
                                   double *values)
{
    struct scree_measurement measurement[SCREE_COLUMNS_MAX];
    double measured[SCREE_COLUMNS_MAX], value[SCREE_COLUMNS_MAX];
    size_t count = 0, next = 0;
    for (size_t k = 0; k < columns->count; ++k)
        if (!columns->item[k].formula)
            measurement[count++] = columns->item[k].measurement;
    SCREE_TRY(scree_column_measure(world, measurement, count, measured));
    for (size_t k = 0; k < columns->count; ++k)
        value[k] = columns->item[k].formula ? (double)NAN : measured[next++];
    for (size_t f = 0; f < columns->formulas; ++f) {
        const struct scree_columns_item *item = &columns->item[columns->formula_at[f]];
        struct evaluation evaluation = {columns, value, item->table};
        struct scree_quantity quantity;
        struct scree_parse_error error;
        if (scree_expression_read_of_columns(item->formula, strlen(item->formula), give_value, &evaluation,
                                             &quantity, &error))
            // the sign of NaN depends on the machine
            value[columns->formula_at[f]] = isnan(quantity.value) ? (double)NAN : quantity.value;
    }
    memcpy(values, value, columns->requested * sizeof *values);
    return SCREE_OK;
}
