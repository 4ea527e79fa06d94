// Reads the values of keys of a scene, see reading.h.

#include "language/reading.h"

#include "file/path.h"

#include <math.h>
#include <string.h>

void scree_reading_clear_origins(struct scree_reading *reading)
{
    for (size_t k = 0; k < reading->origins.count; ++k)
        scree_memory_free(reading->origins.data[k].line);
    scree_array_free(&reading->origins);
}

void scree_reading_free(struct scree_reading *reading)
{
    scree_reading_clear_origins(reading);
    scree_value_free(&reading->values);
    scree_named_free(&reading->groups);
    scree_named_free(&reading->materials);
    scree_named_free(&reading->shapes);
    scree_tree_free(&reading->tree);
    scree_diagnostic_free(&reading->diagnostics);
    scree_array_free(&reading->included);
    scree_memory_free(reading->folder);
}

const struct scree_node *scree_reading_node(const struct scree_node *map, enum scree_key_id key)
{
    const struct scree_node *node = scree_tree_find(map, scree_key_rows[key].name);
    return node && node->kind != SCREE_NODE_NOTHING ? node : NULL;
}

bool scree_reading_has(const struct scree_node *map, enum scree_key_id key)
{
    return scree_reading_node(map, key) != NULL;
}

size_t scree_reading_stages(const struct scree_reading *reading)
{
    const struct scree_node *stages = scree_reading_node(reading->root, SCREE_KEY_scene_run);
    return !stages ? 0 : stages->kind == SCREE_NODE_LIST ? stages->count : 1;
}

const struct scree_node *scree_reading_stage(const struct scree_reading *reading, size_t number)
{
    const struct scree_node *stages = scree_reading_node(reading->root, SCREE_KEY_scene_run);
    return stages->kind == SCREE_NODE_LIST ? stages->item[number - 1] : stages;
}

bool scree_reading_is_allowed(const struct scree_node *map, enum scree_key_id key,
                              const struct scree_key_constraint **constraint)
{
    const struct scree_key_constraint *missing = NULL;
    bool satisfied = false;
    for (size_t t = 0; scree_key_constraints[t].key != scree_key_constraints[t].other; ++t) {
        const struct scree_key_constraint *row = &scree_key_constraints[t];
        const bool has = row->key == key && scree_reading_has(map, row->other);
        if (has && row->relation == SCREE_KEY_WITHOUT) {
            if (constraint)
                *constraint = row;
            return false;
        }
        // one of several required keys is enough
        satisfied = satisfied || has;
        missing = row->key == key && row->relation == SCREE_KEY_WITH ? row : missing;
    }
    if (constraint)
        *constraint = missing;
    return !missing || satisfied;
}

static struct scree_value_rule rule_of(const struct scree_reading *reading, const struct scree_key *key)
{
    const enum scree_key_id id = (enum scree_key_id)(key - scree_key_rows);
    const char *unit = scree_key_unit(id, reading->dimension);
    return (struct scree_value_rule){.name = key->name,
                                     .unit = key->type == SCREE_KEY_MEASURED ? NULL : unit,
                                     .example = key->example,
                                     .is_2d = unit != key->unit,
                                     .least = key->least,
                                     .most = key->most,
                                     .above = key->flags & SCREE_KEY_ABOVE,
                                     .below = key->flags & SCREE_KEY_BELOW};
}

bool scree_reading_expect(struct scree_reading *reading, const struct scree_node *node,
                          const struct scree_key *key, const char *expected)
{
    char shown[SCREE_TREE_SHOWN];
    if (node->kind == SCREE_NODE_LIST)
        return scree_reading_report(reading, node, "'%s' must be %s, as in `%s`, not a list of length %zu",
                                    key->name, expected, key->example, node->count);
    return scree_reading_report(reading, node, "'%s' must be %s, as in `%s`, not %s", key->name, expected,
                                key->example, scree_tree_show(node, shown));
}

// Reports a number whose unit is the name of another key, as in `until: 2000 steps`.
static bool is_number_of_other_key(struct scree_reading *reading, const struct scree_node *node,
                                   const struct scree_key *key)
{
    if (key->type != SCREE_KEY_NUMBER || node->kind != SCREE_NODE_TEXT)
        return false;
    const size_t digits = strspn(node->text, "0123456789.eE+-");
    const char *unit = node->text + digits + strspn(node->text + digits, " ");
    const struct scree_key *other = digits > 0 ? scree_key_find(key->section, unit) : NULL;
    if (!other || other->type != SCREE_KEY_WHOLE)
        return false;
    scree_reading_report(reading, node, "'%s' is in %s; give a number of %s as `%s: %.*s`", key->name,
                         key->unit, unit, other->name, (int)(digits < 40 ? digits : 40), node->text);
    return true;
}

// Reads a number, or the word allowed instead, which reads as infinity or 0.
static bool read_number(struct scree_reading *reading, const struct scree_node *node,
                        const struct scree_key *key, double *number)
{
    const struct scree_value_rule rule = rule_of(reading, key);
    const char *text = node->text;
    const bool may_be_word = key->flags & SCREE_KEY_OTHER && node->kind == SCREE_NODE_TEXT;
    if (may_be_word && strstr(text, "${") && !scree_value_text(&reading->values, node, key->name, &text))
        return false;
    if (may_be_word && strcmp(text, key->set) == 0) {
        *number = key->flags & SCREE_KEY_ZERO ? 0 : (double)INFINITY;
        return true;
    }
    return !is_number_of_other_key(reading, node, key) &&
           scree_value_number(&reading->values, node, &rule, number);
}

bool scree_reading_item(struct scree_reading *reading, const struct scree_node *node,
                        const struct scree_key *key, double *number)
{
    return read_number(reading, node, key, number);
}

static bool read_numbers(struct scree_reading *reading, const struct scree_node *node,
                         const struct scree_key *key, size_t count, const char *expected, double *numbers)
{
    if (node->kind != SCREE_NODE_LIST || node->count != count)
        return scree_reading_expect(reading, node, key, expected);
    bool good = true;
    for (size_t k = 0; k < count; ++k)
        good = read_number(reading, node->item[k], key, &numbers[k]) && good;
    return good;
}

static bool read_vector(struct scree_reading *reading, const struct scree_node *node,
                        const struct scree_key *key, double vector[3])
{
    const bool is_2d = reading->dimension == 2 && node->kind == SCREE_NODE_LIST && node->count == 2;
    vector[2] = 0;
    return read_numbers(
        reading, node, key, is_2d ? 2 : 3,
        reading->dimension == 2 ? "a list of two or three numbers" : "a list of three numbers", vector);
}

static bool read_box(struct scree_reading *reading, const struct scree_node *node,
                     const struct scree_key *key, double box[2][3])
{
    if (node->kind != SCREE_NODE_LIST || node->count != 2)
        return scree_reading_expect(reading, node, key, "a list of two lists of numbers");
    const bool lower = read_vector(reading, node->item[0], key, box[0]);
    return read_vector(reading, node->item[1], key, box[1]) && lower;
}

static bool read_table_row(struct scree_reading *reading, const struct scree_node *node,
                           const struct scree_key *key, double row[2])
{
    const struct scree_value_rule fraction = {.name = "fraction", .unit = "", .least = 0, .most = 1};
    if (node->kind != SCREE_NODE_LIST || node->count != 2)
        return scree_reading_expect(reading, node, key, "a list of pairs of a number and a fraction");
    const bool good = read_number(reading, node->item[0], key, &row[0]);
    return scree_value_number(&reading->values, node->item[1], &fraction, &row[1]) && good;
}

// Reads the rows of a table; only checks them if `row` is null.
static bool read_table(struct scree_reading *reading, const struct scree_node *node,
                       const struct scree_key *key, double (*row)[2])
{
    double unused[2];
    if (node->kind != SCREE_NODE_LIST || node->count == 0)
        return scree_reading_expect(reading, node, key, "a list of pairs of a number and a fraction");
    bool good = true;
    for (size_t k = 0; k < node->count; ++k)
        good = read_table_row(reading, node->item[k], key, row ? row[k] : unused) && good;
    return good;
}

// Reads lists of three numbers; only checks them if `triple` is null.
// A list of vectors, or of three numbers each in any dimension.
static bool read_triples(struct scree_reading *reading, const struct scree_node *node,
                         const struct scree_key *key, double (*triple)[3])
{
    double unused[3];
    if (node->kind != SCREE_NODE_LIST || node->count == 0)
        return scree_reading_expect(reading, node, key, scree_key_values(key->type));
    bool good = true;
    for (size_t k = 0; k < node->count; ++k) {
        double *numbers = triple ? triple[k] : unused;
        good = (key->type == SCREE_KEY_VECTORS
                    ? read_vector(reading, node->item[k], key, numbers)
                    : read_numbers(reading, node->item[k], key, 3, "a list of three numbers", numbers)) &&
               good;
    }
    return good;
}

static bool read_names(struct scree_reading *reading, const struct scree_node *node,
                       const struct scree_key *key)
{
    const char *const *words = scree_key_words(key->set);
    if (node->kind != SCREE_NODE_LIST || (double)node->count < key->least || (double)node->count > key->most)
        return scree_reading_expect(reading, node, key,
                                    key->least == 2 ? "a list of two words" : "a list of words");
    bool good = true;
    for (size_t k = 0; k < node->count; ++k) {
        const char *text;
        size_t word;
        good = (words ? scree_value_word(&reading->values, node->item[k], key->name, words, &word)
                      : scree_value_text(&reading->values, node->item[k], key->name, &text)) &&
               good;
    }
    return good;
}

// Reads one name or a list of names.
static bool read_some_names(struct scree_reading *reading, const struct scree_node *node,
                            const struct scree_key *key)
{
    const char *text;
    if (node->kind == SCREE_NODE_TEXT)
        return scree_value_text(&reading->values, node, key->name, &text);
    if (node->kind == SCREE_NODE_LIST)
        return read_names(reading, node, key);
    return scree_reading_expect(reading, node, key, "a name or a list of names");
}

static bool read_path(struct scree_reading *reading, const struct scree_node *node,
                      const struct scree_key *key, const char **path)
{
    if (!scree_value_text(&reading->values, node, key->name, path))
        return false;
    if (scree_path_check(*path) == SCREE_OK)
        return true;
    return scree_reading_report(reading, node, "%s", scree_status_message());
}

// Reads a time, or a number of steps as in "100 steps".
static bool read_interval(struct scree_reading *reading, const struct scree_node *node,
                          const struct scree_key *key, struct scree_reading_every *every)
{
    const struct scree_value_rule rule = {.name = key->name, .unit = "", .least = 1, .most = 1e15};
    struct scree_node count = *node;
    const char *text;
    char *number;
    *every = (struct scree_reading_every){0};
    if (node->kind != SCREE_NODE_TEXT)
        return read_number(reading, node, key, &every->time);
    if (!scree_value_text(&reading->values, node, key->name, &text))
        return false;
    const char *unit = strstr(text, " step");
    if (!unit || (strcmp(unit, " step") != 0 && strcmp(unit, " steps") != 0))
        return read_number(reading, node, key, &every->time);
    if (scree_tree_text(&reading->tree, text, (size_t)(unit - text), &number) != SCREE_OK) {
        reading->values.status = SCREE_ERROR_MEMORY;
        return false;
    }
    count.text = number;
    count.length = (size_t)(unit - text);
    return scree_value_whole(&reading->values, &count, &rule, &every->steps);
}

static bool read_wholes(struct scree_reading *reading, const struct scree_node *node,
                        const struct scree_key *key)
{
    const struct scree_value_rule rule = rule_of(reading, key);
    uint64_t number;
    if (node->kind != SCREE_NODE_LIST)
        return scree_value_whole(&reading->values, node, &rule, &number);
    bool good = node->count > 0;
    if (!good)
        scree_reading_expect(reading, node, key, "a whole number or a list of whole numbers");
    for (size_t k = 0; k < node->count; ++k)
        good = scree_value_whole(&reading->values, node->item[k], &rule, &number) && good;
    return good;
}

static bool read_id_pair(struct scree_reading *reading, const struct scree_node *node,
                         const struct scree_key *key, uint64_t ids[2])
{
    const struct scree_value_rule rule = rule_of(reading, key);
    if (node->kind != SCREE_NODE_LIST || node->count != 2)
        return scree_reading_expect(reading, node, key, scree_key_values(key->type));
    const bool good = scree_value_whole(&reading->values, node->item[0], &rule, &ids[0]);
    return scree_value_whole(&reading->values, node->item[1], &rule, &ids[1]) && good;
}

static bool read_id_pairs(struct scree_reading *reading, const struct scree_node *node,
                          const struct scree_key *key)
{
    uint64_t ids[2];
    if (node->kind != SCREE_NODE_LIST || node->count == 0)
        return scree_reading_expect(reading, node, key, scree_key_values(key->type));
    bool good = true;
    for (size_t k = 0; k < node->count; ++k)
        good = read_id_pair(reading, node->item[k], key, ids) && good;
    return good;
}

bool scree_reading_is_formula(struct scree_reading *reading, const struct scree_node *node,
                              const struct scree_key *key)
{
    struct scree_quantity quantity;
    struct scree_parse_error error;
    const char *text = node->text;
    if (node->kind != SCREE_NODE_TEXT ||
        (strstr(text, "${") && !scree_value_text(&reading->values, node, key->name, &text)))
        return false;
    // a number with a mistake in its unit is not a formula
    const bool computes = strpbrk(text, "*()") || strstr(text, " + ") || strstr(text, " - ") ||
                          strstr(text, " / ") || strspn(text + strspn(text, "+-"), ".0123456789") == 0;
    return computes && strcmp(text, key->set) != 0 &&
           !scree_quantity_read(text, strlen(text), &quantity, &error);
}

static bool set_unknown(double *number)
{
    *number = (double)NAN;
    return true;
}

// Returns what a key of one word or text takes, for a diagnostic; null for other types.
static const char *scalar_of(const struct scree_key *key)
{
    switch (key->type) {
    case SCREE_KEY_FLAG:
    case SCREE_KEY_WORD:
    case SCREE_KEY_TEXT:
    case SCREE_KEY_NAME:
    case SCREE_KEY_PATH:
        return scree_key_values(key->type);
    default:
        return NULL;
    }
}

// Reads a value of any type but sections; `value` is as in scree_reading_value.
static bool read_value(struct scree_reading *reading, const struct scree_node *node,
                       const struct scree_key *key, void *value)
{
    const struct scree_value_rule rule = rule_of(reading, key);
    if (node->kind != SCREE_NODE_TEXT && scalar_of(key))
        return scree_reading_expect(reading, node, key, scalar_of(key));
    switch (key->type) {
    case SCREE_KEY_NUMBER:
    case SCREE_KEY_MEASURED:
    case SCREE_KEY_SIZE:
        return read_number(reading, node, key, value);
    case SCREE_KEY_FORMULA:
        return scree_reading_is_formula(reading, node, key) ? set_unknown(value)
                                                            : read_number(reading, node, key, value);
    case SCREE_KEY_WHOLE:
        return scree_value_whole(&reading->values, node, &rule, value);
    case SCREE_KEY_INTERVAL:
        return read_interval(reading, node, key, value);
    case SCREE_KEY_FLAG:
        return scree_value_flag(&reading->values, node, key->name, value);
    case SCREE_KEY_WORD:
        return scree_value_word(&reading->values, node, key->name, scree_key_words(key->set), value);
    case SCREE_KEY_TEXT:
    case SCREE_KEY_NAME:
        return scree_value_text(&reading->values, node, key->name, value);
    case SCREE_KEY_PATH:
        return read_path(reading, node, key, value);
    case SCREE_KEY_NAMES:
        return read_names(reading, node, key);
    case SCREE_KEY_SOME_WHOLES:
        return read_wholes(reading, node, key);
    case SCREE_KEY_SOME_NAMES:
        return read_some_names(reading, node, key);
    case SCREE_KEY_VECTOR:
        return read_vector(reading, node, key, value);
    case SCREE_KEY_RATES:
        return scree_reading_rates(reading, node, key, value);
    case SCREE_KEY_RATE:
        return scree_reading_rate(reading, node, key, value);
    case SCREE_KEY_RATE_ROWS:
        return scree_reading_rate_rows(reading, node, key);
    case SCREE_KEY_PAIR:
        return read_numbers(reading, node, key, 2, "a list of two numbers", value);
    case SCREE_KEY_QUADRUPLE:
        return read_numbers(reading, node, key, 4, "a list of four numbers", value);
    case SCREE_KEY_SEXTUPLE:
        return read_numbers(reading, node, key, 6, "a list of six numbers", value);
    case SCREE_KEY_BOX:
        return read_box(reading, node, key, value);
    case SCREE_KEY_TRIPLES:
    case SCREE_KEY_VECTORS:
        return read_triples(reading, node, key, NULL);
    case SCREE_KEY_TABLE:
        return read_table(reading, node, key, NULL);
    case SCREE_KEY_ID_PAIRS:
        return read_id_pairs(reading, node, key);
    default:
        return true;
    }
}

bool scree_reading_check(struct scree_reading *reading, const struct scree_node *node,
                         const struct scree_key *key)
{
    union scree_reading_any value;
    return read_value(reading, node, key, &value);
}

// --- by key

// Parses the default of a key into a node, once; null if the key has no default.
static const struct scree_node *default_of(struct scree_reading *reading, const struct scree_key *key)
{
    struct scree_node **node = &reading->defaults[key - scree_key_rows];
    char *text;
    if (!key->default_value[0] || *node)
        return *node;
    const size_t length = strlen(key->default_value);
    scree_status status = scree_memory_new(length + 1, 1, (void **)&text);
    if (status == SCREE_OK) {
        memcpy(text, key->default_value, length);
        status = scree_tree_read(&reading->tree, "default", text, length, node);
    }
    if (status != SCREE_OK)
        reading->values.status = status;
    return *node;
}

const struct scree_node *scree_reading_or_default(struct scree_reading *reading, const struct scree_node *map,
                                                  enum scree_key_id key)
{
    const struct scree_node *node = scree_reading_node(map, key);
    return node ? node : default_of(reading, &scree_key_rows[key]);
}

bool scree_reading_value(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                         void *value)
{
    const struct scree_node *node = scree_reading_or_default(reading, map, key);
    return node && read_value(reading, node, &scree_key_rows[key], value);
}

bool scree_reading_text(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                        const char **text)
{
    const struct scree_node *node = scree_reading_or_default(reading, map, key);
    return node && scree_value_text(&reading->values, node, scree_key_rows[key].name, text);
}

bool scree_reading_whole_at(struct scree_reading *reading, const struct scree_node *map,
                            enum scree_key_id key, size_t index, uint64_t *number)
{
    const struct scree_value_rule rule = rule_of(reading, &scree_key_rows[key]);
    const struct scree_node *node = scree_reading_node(map, key);
    return scree_value_whole(&reading->values, node->kind == SCREE_NODE_LIST ? node->item[index] : node,
                             &rule, number);
}

bool scree_reading_id_pair(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                           size_t index, uint64_t ids[2])
{
    return read_id_pair(reading, scree_reading_node(map, key)->item[index], &scree_key_rows[key], ids);
}

bool scree_reading_table(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                         double (*row)[2], size_t capacity, size_t *rows)
{
    const struct scree_node *node = scree_reading_or_default(reading, map, key);
    if (!node)
        return false;
    if (node->count > capacity)
        return scree_reading_report(reading, node, "'%s' can have at most %zu rows, not %zu",
                                    scree_key_rows[key].name, capacity, node->count);
    *rows = node->count;
    return read_table(reading, node, &scree_key_rows[key], row);
}

bool scree_reading_triples(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                           double (*triple)[3])
{
    return read_triples(reading, scree_reading_node(map, key), &scree_key_rows[key], triple);
}

size_t scree_reading_count(const struct scree_node *map, enum scree_key_id key)
{
    const struct scree_node *node = scree_reading_node(map, key);
    return !node ? 0 : node->kind == SCREE_NODE_TEXT ? 1 : node->count;
}

bool scree_reading_name(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key,
                        size_t index, const char **text, size_t *word)
{
    const struct scree_node *all = scree_reading_node(map, key);
    const struct scree_node *node = all->kind == SCREE_NODE_TEXT ? all : all->item[index];
    const char *const *words = scree_key_words(scree_key_rows[key].set);
    if (!scree_value_text(&reading->values, node, scree_key_rows[key].name, text))
        return false;
    return !words || scree_value_word(&reading->values, node, scree_key_rows[key].name, words, word);
}

bool scree_reading_is_special(enum scree_key_id key, const char *text)
{
    const char *special = scree_key_special(key);
    return special && strcmp(special, text) == 0;
}

scree_status scree_reading_report_status(struct scree_reading *reading, const struct scree_node *node,
                                         scree_status status)
{
    if (status == SCREE_OK || status == SCREE_ERROR_MEMORY)
        return status;
    scree_reading_report(reading, node, "%s", scree_status_message());
    return SCREE_OK;
}
