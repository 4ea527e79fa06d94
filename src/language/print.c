// Writes a complete scene, see print.h, in the order of the table of keys.

#include "language/print.h"

#include "language/clumps.h"
#include "language/law_keys.h"
#include "language/measurement.h"
#include "language/polyhedra.h"
#include "language/rates.h"
#include "text/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// lines are broken after this many characters, where possible, since the parser limits their length
enum { LINE_LENGTH = 1000 };

struct out {
    scree_text_function *write;
    void *user;
    struct scree_reading *reading;
    int depth;       // indentation, in steps of two blanks
    bool dash;       // the next line begins an item of a list
    bool open;       // a key was written whose value, if any, follows on the next lines
    size_t left;     // bytes that may still be written
    size_t line;     // bytes of the line so far
    bool too_long;   // the limit was exceeded
    bool unexpanded; // variables are kept
};

static void put(struct out *out, const char *text)
{
    const size_t length = strlen(text);
    out->too_long = out->too_long || length > out->left;
    if (out->too_long)
        return;
    const char *last = strrchr(text, '\n');
    out->line = last ? strlen(last + 1) : out->line + length;
    out->left -= length;
    out->write(out->user, text);
}

// Separates items in brackets.
static void put_comma(struct out *out)
{
    if (out->line <= LINE_LENGTH) {
        put(out, ", ");
        return;
    }
    put(out, ",\n");
    for (int k = 0; k < out->depth + 2; ++k)
        put(out, "  ");
}

// --- values

static void put_number(struct out *out, double value)
{
    char text[SCREE_DECIMAL_SIZE];
    (void)scree_decimal_write(text, value);
    put(out, text);
}

// Returns true if a text needs no quotes, in other YAML parsers too.
static bool needs_no_quotes(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char *const reserved[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n", NULL};
    const size_t length = strlen(text);
    if (length == 0 || !strchr(letters, text[0]) || text[length - 1] == ' ')
        return false;
    for (size_t k = 0; k < length; ++k)
        if (!strchr(letters, text[k]) && !strchr("0123456789./- ", text[k]))
            return false;
    for (size_t t = 0; reserved[t]; ++t) {
        size_t same = 0;
        while (same < length && (text[same] | 0x20) == reserved[t][same])
            ++same;
        if (same == length && !reserved[t][same])
            return false;
    }
    return true;
}

static void put_text(struct out *out, const char *text)
{
    if (needs_no_quotes(text)) {
        put(out, text);
        return;
    }
    put(out, "\"");
    for (; *text; ++text) {
        const char letter[2] = {*text, 0};
        put(out, *text == '"'    ? "\\\""
                 : *text == '\\' ? "\\\\"
                 : *text == '\n' ? "\\n"
                 : *text == '\t' ? "\\t"
                 : *text == '\r' ? "\\r"
                                 : letter);
    }
    put(out, "\"");
}

static void put_numbers(struct out *out, const double *number, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        put(out, k > 0 ? ", " : "[");
        put_number(out, number[k]);
    }
    put(out, "]");
}

// Returns true if a node was written as a number, without quotes.
static bool is_unquoted_number(const struct scree_node *node)
{
    const char *text = node->text + (node->text[0] == '-' || node->text[0] == '+');
    return !node->quoted && ((text[0] >= '0' && text[0] <= '9') || text[0] == '.') &&
           !strpbrk(text, ",:#[]{}\"'\n");
}

// Writes a node, with its variables expanded unless `unexpanded`.
static void put_node(struct out *out, const struct scree_node *node)
{
    const char *text = node->text;
    const bool map = node->kind == SCREE_NODE_MAP;
    if (node->kind == SCREE_NODE_TEXT && out->unexpanded && is_unquoted_number(node))
        put(out, text);
    else if (node->kind == SCREE_NODE_TEXT &&
             (out->unexpanded || scree_value_text(&out->reading->values, node, "", &text)))
        put_text(out, text);
    if (node->kind != SCREE_NODE_LIST && !map)
        return;
    put(out, map ? "{" : "[");
    for (size_t k = 0; k < node->count && !out->too_long; ++k) {
        if (k > 0)
            put_comma(out);
        if (map) {
            put_text(out, node->item[2 * k]->text);
            put(out, ": ");
        }
        put_node(out, node->item[map ? 2 * k + 1 : k]);
    }
    put(out, map ? "}" : "]");
}

// Writes a comparison of a formula as it was given: the unit of its limit is not known here.
static void put_formula_comparison(struct out *out, const struct scree_comparison *comparison)
{
    const char *limit;
    char *text;
    if (!scree_value_text(&out->reading->values, &comparison->limit_node, "stop", &limit))
        return;
    const size_t size = strlen(comparison->text.formula) + strlen(limit) + 4;
    const scree_status status = scree_memory_new(size, 1, (void **)&text);
    if (status != SCREE_OK) {
        out->reading->values.status = status;
        return;
    }
    snprintf(text, size, "%s %c %s", comparison->text.formula, comparison->below ? '<' : '>', limit);
    put_text(out, text);
    scree_memory_free(text);
}

static void put_comparison(struct out *out, enum scree_key_id id, const struct scree_node *node)
{
    struct scree_comparison comparison;
    char limit[SCREE_DECIMAL_SIZE], text[SCREE_DECIMAL_SIZE + 64];
    if (!scree_measurement_comparison(out->reading, node, &scree_key_rows[id], &comparison))
        return;
    if (comparison.text.formula) {
        put_formula_comparison(out, &comparison);
        return;
    }
    (void)scree_decimal_write(limit, comparison.limit);
    snprintf(text, sizeof text, "%s %c %s", comparison.text.name, comparison.below ? '<' : '>', limit);
    put_text(out, text);
}

static void put_table(struct out *out, const struct scree_node *map, enum scree_key_id id, size_t capacity)
{
    double(*row)[2];
    size_t rows;
    const scree_status status = scree_memory_new(capacity, sizeof *row, (void **)&row);
    if (status != SCREE_OK) {
        out->reading->values.status = status;
        return;
    }
    if (scree_reading_table(out->reading, map, id, row, capacity, &rows)) {
        for (size_t k = 0; k < rows; ++k) {
            if (k > 0)
                put_comma(out);
            else
                put(out, "[");
            put_numbers(out, row[k], 2);
        }
        put(out, "]");
    }
    scree_memory_free(row);
}

static void put_triples(struct out *out, const struct scree_node *node, const struct scree_key *key)
{
    for (size_t k = 0; k < node->count; ++k) {
        double triple[3] = {0};
        for (size_t n = 0; n < 3 && n < node->item[k]->count; ++n)
            (void)scree_reading_item(out->reading, node->item[k]->item[n], key, &triple[n]);
        if (k > 0)
            put_comma(out);
        else
            put(out, "[");
        put_numbers(out, triple, 3);
    }
    put(out, "]");
}

// Writes a constant vector as numbers, and others as they are.
static void put_rates(struct out *out, const struct scree_key *key, const struct scree_node *node,
                      const double *vector)
{
    struct scree_rates rates;
    const bool constant =
        scree_rates_read(out->reading, node, key, &rates) && scree_rates_are_constant(&rates);
    scree_rates_free(&rates);
    if (constant)
        put_numbers(out, vector, 3);
    else
        put_node(out, node);
}

static void put_value(struct out *out, const struct scree_node *map, enum scree_key_id id,
                      const struct scree_node *node)
{
    const struct scree_key *key = &scree_key_rows[id];
    union scree_reading_any value;
    char text[32];
    if (key->type == SCREE_KEY_COMPARISON) {
        put_comparison(out, id, node);
        return;
    }
    if (key->type == SCREE_KEY_TABLE) {
        put_table(out, map, id, node->count);
        return;
    }
    if (!scree_reading_value(out->reading, map, id, &value))
        return;
    switch (key->type) {
    case SCREE_KEY_NUMBER:
    case SCREE_KEY_FORMULA:
    case SCREE_KEY_MEASURED:
    case SCREE_KEY_SIZE:
        if (key->flags & SCREE_KEY_OTHER && (isinf(value.number) || value.number == 0))
            put_text(out, key->set);
        else if (isnan(value.number))
            put_node(out, node);
        else
            put_number(out, value.number);
        break;
    case SCREE_KEY_WHOLE:
        snprintf(text, sizeof text, "%" PRIu64, value.whole);
        put(out, text);
        break;
    case SCREE_KEY_INTERVAL:
        snprintf(text, sizeof text, "%" PRIu64 " steps", value.every.steps);
        if (value.every.steps == 0)
            put_number(out, value.every.time);
        else
            put_text(out, text);
        break;
    case SCREE_KEY_FLAG:
        put(out, value.flag ? "true" : "false");
        break;
    case SCREE_KEY_WORD:
        put_text(out, scree_key_words(key->set)[value.word]);
        break;
    case SCREE_KEY_VECTOR:
        put_numbers(out, value.numbers, 3);
        break;
    case SCREE_KEY_RATES:
        put_rates(out, key, node, value.numbers);
        break;
    case SCREE_KEY_PAIR:
        put_numbers(out, value.numbers, 2);
        break;
    case SCREE_KEY_QUADRUPLE:
        put_numbers(out, value.numbers, 4);
        break;
    case SCREE_KEY_SEXTUPLE:
        put_numbers(out, value.numbers, 6);
        break;
    case SCREE_KEY_TRIPLES:
    case SCREE_KEY_VECTORS:
        put_triples(out, node, key);
        break;
    case SCREE_KEY_BOX:
        put(out, "[");
        put_numbers(out, value.numbers, 3);
        put(out, ", ");
        put_numbers(out, value.numbers + 3, 3);
        put(out, "]");
        break;
    default:
        put_node(out, node);
    }
}

// --- lines

// Begins the line of a key.
static void begin_key(struct out *out, const char *name)
{
    put(out, out->open ? "\n" : "");
    out->open = false;
    for (int k = 0; k < out->depth - out->dash; ++k)
        put(out, "  ");
    put(out, out->dash ? "- " : "");
    out->dash = false;
    put_text(out, name);
    put(out, ":");
}

static void put_section(struct out *out, enum scree_section section, const struct scree_node *map);

// Writes a map below its key, or "{}" behind the key if the map is empty.
static void put_below(struct out *out, enum scree_section section, const struct scree_node *node)
{
    out->open = true;
    ++out->depth;
    put_section(out, section, node);
    --out->depth;
    put(out, out->open ? " {}\n" : "");
    out->open = false;
}

static void put_map(struct out *out, enum scree_section section, const struct scree_node *node)
{
    out->open = true;
    ++out->depth;
    for (size_t k = 0; k < node->count && !out->too_long; ++k) {
        begin_key(out, node->item[2 * k]->text);
        put_below(out, section, node->item[2 * k + 1]);
    }
    --out->depth;
    put(out, out->open ? " {}\n" : "");
    out->open = false;
}

static void put_list(struct out *out, enum scree_section section, const struct scree_node *node)
{
    const bool list = node->kind == SCREE_NODE_LIST;
    const size_t count = list ? node->count : 1;
    out->open = count > 0;
    put(out, count > 0 ? "" : " []\n");
    out->depth += 2;
    for (size_t k = 0; k < count && !out->too_long; ++k) {
        out->dash = true;
        put_section(out, section, list ? node->item[k] : node);
    }
    out->depth -= 2;
}

// Writes columns, names and maps, each on lines of its own.
static void put_columns(struct out *out, enum scree_section section, const struct scree_node *node)
{
    put(out, "\n");
    for (size_t k = 0; k < node->count && !out->too_long; ++k) {
        if (node->item[k]->kind == SCREE_NODE_MAP) {
            out->depth += 2;
            out->dash = true;
            put_section(out, section, node->item[k]);
            out->depth -= 2;
            continue;
        }
        for (int blank = 0; blank <= out->depth; ++blank)
            put(out, "  ");
        put(out, "- ");
        put_node(out, node->item[k]);
        put(out, "\n");
    }
}

static bool has_maps(const struct scree_node *node)
{
    bool has = false;
    for (size_t k = 0; k < node->count; ++k)
        has = has || node->item[k]->kind == SCREE_NODE_MAP;
    return has;
}

// Returns true if the value is a map of keys, not one of the shorter forms.
static bool is_section(const struct scree_key *key, const struct scree_node *node)
{
    return key->type == SCREE_KEY_SECTION ||
           ((key->type == SCREE_KEY_SIZE || key->type == SCREE_KEY_COMPARISON) &&
            node->kind == SCREE_NODE_MAP);
}

static void put_key(struct out *out, const struct scree_node *map, enum scree_key_id id)
{
    const struct scree_key *key = &scree_key_rows[id];
    const enum scree_section section = scree_key_section(key->set);
    const struct scree_node *node = scree_reading_or_default(out->reading, map, id);
    const bool given = scree_reading_has(map, id);
    if (!node || key->type == SCREE_KEY_VARIABLES || (!given && !scree_reading_is_allowed(map, id, NULL)))
        return;
    begin_key(out, key->name);
    if (is_section(key, node)) {
        put_below(out, section, node);
    } else if (key->type == SCREE_KEY_LIST || key->type == SCREE_KEY_LIST_OR_ONE) {
        put_list(out, section, node);
    } else if (key->type == SCREE_KEY_MAP) {
        put_map(out, section, node);
    } else if (key->type == SCREE_KEY_COLUMNS && has_maps(node)) {
        put_columns(out, section, node);
    } else {
        put(out, " ");
        put_value(out, map, id, node);
        put(out, "\n");
    }
}

// Writes the parameters of a contact's law, including defaults.
static void put_law_parameters(struct out *out, const struct scree_node *contact)
{
    const struct scree_law_parameter *parameter;
    bool wrong;
    const struct scree_contact_law *law = scree_law_keys_law(out->reading, contact, &wrong);
    for (size_t p = 0; (parameter = scree_law_keys_at(law, p)); ++p) {
        const struct scree_node *node = scree_tree_find(contact, parameter->name);
        struct scree_interaction_value value = {.number = parameter->fallback};
        if (node && !scree_law_keys_read(&out->reading->values, node, parameter, &value))
            continue;
        // no parameters without a law; a default of NaN means "not given"
        if (!node && (!law || parameter->required || isnan(parameter->fallback)))
            continue;
        begin_key(out, parameter->name);
        put(out, " ");
        if (parameter->choices)
            put_text(out, node ? value.word : parameter->choices[(size_t)value.number]);
        else
            put_number(out, value.number);
        put(out, "\n");
    }
}

static void put_section(struct out *out, enum scree_section section, const struct scree_node *map)
{
    for (size_t k = 0; k < SCREE_KEYS && !out->too_long; ++k)
        if (scree_key_rows[k].section == section)
            put_key(out, map, (enum scree_key_id)k);
    if (section == SCREE_SECTION_contact)
        put_law_parameters(out, map);
}

static scree_status end(const struct out *out)
{
    if (out->too_long)
        return scree_status_fail(
            SCREE_ERROR_LIMIT,
            "with its aliases and variables expanded, the scene is longer than the limit of %d bytes for "
            "scene files",
            (int)SCREE_TREE_BYTES);
    return out->reading->values.status;
}

scree_status scree_print(struct scree_reading *reading, scree_text_function *write, void *user)
{
    struct out out = {.write = write, .user = user, .reading = reading, .left = SCREE_TREE_BYTES};
    put_section(&out, SCREE_SECTION_scene, reading->root);
    return end(&out);
}

static void put_variables(struct out *out)
{
    const struct scree_values *values = &out->reading->values;
    size_t count = 0;
    put(out, "variables: {");
    for (size_t v = 0; v < values->variables.count; ++v) {
        if (count++ > 0)
            put_comma(out);
        put_text(out, values->variables.data[v].name);
        put(out, ": ");
        put_node(out, values->variables.data[v].node);
    }
    put(out, "}\n");
}

// Ends a map with its keys but those that were replaced.
static void put_others(struct out *out, const struct scree_node *map, const enum scree_key_id *replaced,
                       size_t count)
{
    for (size_t k = 0; k < map->count; ++k) {
        bool is_replaced = false;
        for (size_t n = 0; n < count; ++n)
            is_replaced |= strcmp(map->item[2 * k]->text, scree_key_rows[replaced[n]].name) == 0;
        if (is_replaced)
            continue;
        put_comma(out);
        put_text(out, map->item[2 * k]->text);
        put(out, ": ");
        put_node(out, map->item[2 * k + 1]);
    }
    put(out, "}");
}

// Writes a shape by the vertices of its mesh instead of the file.
static void put_vertices(struct out *out, const struct scree_node *map,
                         const struct scree_polyhedra_shape *shape)
{
    put(out, "{vertices: [");
    for (size_t v = 0; v < shape->vertices && !out->too_long; ++v) {
        if (v > 0)
            put_comma(out);
        put_numbers(out, shape->vertex[v], 3);
    }
    put(out, "], vertex-error: ");
    put_number(out, shape->vertex_error);
    static const enum scree_key_id replaced[] = {SCREE_KEY_polyhedra_mesh};
    put_others(out, map, replaced, 1);
}

// Writes a clump by its pebbles, and the values of a body of uniform density that the file gives.
static void put_pebbles(struct out *out, const struct scree_node *map, const struct scree_clumps_shape *shape)
{
    static const enum scree_key_id replaced[] = {SCREE_KEY_clump_file, SCREE_KEY_clump_unit,
                                                 SCREE_KEY_clump_mass};
    const bool flat = out->reading->dimension == 2, uniform = shape->uniform.volume > 0;
    const struct scree_node *mass = scree_reading_node(map, SCREE_KEY_clump_mass),
                            *given = mass ? scree_reading_node(mass, SCREE_KEY_clump_mass_given) : NULL;
    put(out, flat ? "{disks: [" : "{spheres: [");
    for (size_t p = 0; p < shape->pebbles && !out->too_long; ++p) {
        put(out, p > 0 ? ", {radius: " : "{radius: ");
        put_number(out, shape->of_file[p].radius);
        put(out, ", at: ");
        put_numbers(out, shape->of_file[p].offset, 3);
        put(out, "}");
    }
    put(out, "]");
    if (uniform) {
        put(out, flat ? ", mass: {uniform: {area: " : ", mass: {uniform: {volume: ");
        put_number(out, shape->uniform.volume);
        put(out, ", centre: ");
        put_numbers(out, shape->uniform.centre, 3);
        put(out, ", tensor: ");
        put_numbers(out, shape->uniform.inertia, 6);
        put(out, given ? "}, given: " : "}}");
    }
    if (uniform && given) {
        put_node(out, given);
        put(out, "}");
    }
    put_others(out, map, replaced, uniform ? 3 : 2);
}

// Writes the shapes of polyhedra and clumps without files, so that a restart makes the same bodies even if
// those have changed.
static void put_shapes(struct out *out, const struct scree_node *map, bool clumps)
{
    put(out, "{");
    for (size_t k = 0; k < map->count && !out->too_long; ++k) {
        const char *name = map->item[2 * k]->text;
        const struct scree_polyhedra_shape *polyhedron =
            clumps ? NULL : scree_polyhedra_find(out->reading, name);
        const struct scree_clumps_shape *clump = clumps ? scree_clumps_find(out->reading, name) : NULL;
        if (k > 0)
            put_comma(out);
        put_text(out, name);
        put(out, ": ");
        if (polyhedron && polyhedron->vertices > 0)
            put_vertices(out, map->item[2 * k + 1], polyhedron);
        else if (clump && clump->of_file)
            put_pebbles(out, map->item[2 * k + 1], clump);
        else
            put_node(out, map->item[2 * k + 1]);
    }
    put(out, "}");
}

scree_status scree_print_unexpanded(struct scree_reading *reading, scree_text_function *write, void *user)
{
    struct out out = {
        .write = write, .user = user, .reading = reading, .left = SCREE_TREE_BYTES, .unexpanded = true};
    const struct scree_node *root = reading->root,
                            *polyhedra = scree_reading_node(root, SCREE_KEY_scene_polyhedra),
                            *clumps = scree_reading_node(root, SCREE_KEY_scene_clumps);
    put_variables(&out);
    for (size_t k = 0; k < root->count && !out.too_long; ++k) {
        if (strcmp(root->item[2 * k]->text, scree_key_rows[SCREE_KEY_scene_variables].name) == 0)
            continue;
        put_text(&out, root->item[2 * k]->text);
        put(&out, ": ");
        if (root->item[2 * k + 1] == polyhedra || root->item[2 * k + 1] == clumps)
            put_shapes(&out, root->item[2 * k + 1], root->item[2 * k + 1] == clumps);
        else
            put_node(&out, root->item[2 * k + 1]);
        put(&out, "\n");
    }
    return end(&out);
}
