// Reads the values of a scene, see value.h.

#include "language/value.h"

#include "base/suggestion.h"
#include "text/decimal.h"
#include "text/expression.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 32, MAX_LENGTH = 1 << 16, MAX_BYTES = SCREE_TREE_BYTES };

// The text of a node with its variables expanded.
struct expanded {
    bool number; // the text is a single expression with the value `quantity`
    struct scree_quantity quantity;
    const char *text;
    size_t length;
};

void scree_value_free(struct scree_values *values)
{
    scree_array_free(&values->variables);
}

#define report(values, node, ...)                                                                            \
    scree_diagnostic_add((values)->tree->diagnostics, &(node)->place, __VA_ARGS__)

bool scree_value_report_at(struct scree_values *values, const struct scree_node *node,
                           const struct scree_parse_error *error)
{
    struct scree_place place = node->place;
    if (place.length == node->length) {
        place.column += (uint32_t)error->at;
        place.length = error->length > 0 ? (uint32_t)error->length : 1;
    }
    return scree_diagnostic_add(values->tree->diagnostics, &place, "%s", error->message);
}

// --- variables

scree_status scree_value_declare(struct scree_values *values, const struct scree_node *name,
                                 const struct scree_node *value)
{
    struct scree_variable variable = {.name = name->text, .node = value};
    struct scree_parse_error error;
    // a wrong variable is stored too, so that it is reported once, not at every use
    if (!scree_expression_is_name(name->text, name->length, &error)) {
        scree_value_report_at(values, name, &error);
        variable.state = SCREE_VARIABLE_WRONG;
    } else if (value->kind != SCREE_NODE_TEXT) {
        report(values, value, "a variable must be a number or a text, not %s",
               scree_tree_kind_name(value->kind));
        variable.state = SCREE_VARIABLE_WRONG;
    }
    for (size_t v = 0; v < values->variables.count; ++v)
        if (strcmp(values->variables.data[v].name, name->text) == 0) {
            values->variables.data[v].redeclared = true;
            return SCREE_OK;
        }
    return scree_array_push(&values->variables, variable);
}

static bool expand(struct scree_values *values, const struct scree_node *node, struct expanded *expanded);

// Evaluates a variable; its state gives the result.
static void read_variable(struct scree_values *values, size_t v)
{
    const struct scree_node *node = values->variables.data[v].node;
    struct expanded expanded = {0};
    struct scree_parse_error error;
    values->variables.data[v].state = SCREE_VARIABLE_EVALUATING;
    ++values->depth;
    const bool good = expand(values, node, &expanded);
    --values->depth;
    struct scree_variable *variable = &values->variables.data[v];
    variable->state = SCREE_VARIABLE_WRONG;
    if (!good)
        return;
    variable->text = expanded.text;
    variable->length = expanded.length;
    variable->quantity = expanded.quantity;
    const bool number =
        expanded.number ||
        (!node->quoted && scree_quantity_read(expanded.text, expanded.length, &variable->quantity, &error));
    variable->state = number ? SCREE_VARIABLE_NUMBER : SCREE_VARIABLE_TEXT;
}

void scree_value_read_all(struct scree_values *values)
{
    for (size_t v = 0; v < values->variables.count; ++v)
        if (values->variables.data[v].state == SCREE_VARIABLE_UNREAD)
            read_variable(values, v);
}

static struct scree_variable *find_variable(struct scree_values *values, const char *name, size_t length,
                                            struct scree_parse_error *error)
{
    char wanted[64];
    struct scree_suggestion known = {.wanted = wanted};
    snprintf(wanted, sizeof wanted, "%.*s", (int)length, name);
    for (size_t v = 0; v < values->variables.count; ++v) {
        const char *other = values->variables.data[v].name;
        if (strcmp(other, wanted) != 0)
            continue;
        if (values->variables.data[v].state == SCREE_VARIABLE_UNREAD && values->depth < MAX_DEPTH)
            read_variable(values, v);
        struct scree_variable *variable = &values->variables.data[v];
        if (variable->state > SCREE_VARIABLE_WRONG)
            return variable;
        // a wrong variable was reported at its own place
        if (variable->state != SCREE_VARIABLE_WRONG)
            scree_quantity_error(error, 0, length, "the variable '%s' depends on %s", other,
                                 variable->state == SCREE_VARIABLE_EVALUATING ? "itself" : "too many others");
        return NULL;
    }
    for (size_t v = 0; v < values->variables.count; ++v)
        scree_suggestion_add(&known, values->variables.data[v].name);
    scree_quantity_error(error, 0, length, "there is no variable '%s'%s", wanted,
                         scree_suggestion_hint(&known, ""));
    return NULL;
}

static bool is_declared(const struct scree_values *values, const char *name, size_t length)
{
    for (size_t v = 0; v < values->variables.count; ++v) {
        const char *other = values->variables.data[v].name;
        if (strlen(other) == length && memcmp(other, name, length) == 0)
            return true;
    }
    return false;
}

static bool read_for_expression(void *user, const char *name, size_t length, struct scree_quantity *quantity,
                                struct scree_parse_error *error)
{
    struct scree_values *values = (struct scree_values *)user;
    if (!quantity)
        return is_declared(values, name, length);
    const struct scree_variable *variable = find_variable(values, name, length, error);
    if (!variable)
        return false;
    *quantity = variable->quantity;
    if (variable->state == SCREE_VARIABLE_NUMBER)
        return true;
    struct scree_parse_error cause;
    if (scree_quantity_read(variable->text, variable->length, quantity, &cause))
        return scree_quantity_error(error, 0, length,
                                    "the variable '%s' is a text because of its quotes, not a number",
                                    variable->name);
    return scree_quantity_error(error, 0, length, "the variable '%s' is '%.40s', not a number: %.80s",
                                variable->name, variable->text, cause.message);
}

// --- texts

typedef SCREE_ARRAY(char) buffer;

static bool put(struct scree_values *values, buffer *out, const char *text, size_t length)
{
    scree_status status = scree_array_reserve(out, out->count + length + 1);
    if (status != SCREE_OK) {
        values->status = status;
        return false;
    }
    memcpy(out->data + out->count, text, length);
    out->count += length;
    out->data[out->count] = 0;
    return true;
}

// Writes a quantity: a number that reads back as the same bits, and its unit.
static bool put_quantity(struct scree_values *values, buffer *out, const struct scree_quantity *quantity)
{
    char text[SCREE_DECIMAL_SIZE], unit[48] = "";
    (void)scree_decimal_write(text, quantity->value);
    if (!scree_dimension_equal(quantity->dimension, (struct scree_dimension){{0}}))
        scree_quantity_format(quantity->dimension, unit, sizeof unit);
    return put(values, out, text, strlen(text)) && (!unit[0] || put(values, out, " ", 1)) &&
           put(values, out, unit, strlen(unit));
}

static bool is_name(const char *text, size_t length)
{
    struct scree_parse_error error;
    return scree_expression_is_name(text, length, &error);
}

// Expands the expression between `${` and `}`; a variable that is a text is inserted as it is.
static bool put_expression(struct scree_values *values, buffer *out, const char *text, size_t length,
                           struct scree_quantity *quantity, bool *number, struct scree_parse_error *error)
{
    *number = false;
    if (is_name(text, length)) {
        const struct scree_variable *variable = find_variable(values, text, length, error);
        if (!variable)
            return false;
        *number = variable->state == SCREE_VARIABLE_NUMBER;
        *quantity = variable->quantity;
        return put(values, out, variable->text, variable->length);
    }
    *number = true;
    return scree_expression_read(text, length, read_for_expression, values, quantity, error) &&
           put_quantity(values, out, quantity);
}

static bool expand_all(struct scree_values *values, const struct scree_node *node, buffer *out,
                       struct expanded *expanded, struct scree_parse_error *error)
{
    const char *text = node->text;
    for (size_t at = 0; at < node->length;) {
        const char *open = strstr(text + at, "${");
        const size_t before = open ? (size_t)(open - text) : node->length;
        if (!put(values, out, text + at, before - at))
            return false;
        if (!open)
            return true;
        const char *close = strchr(open, '}');
        if (!close)
            return scree_quantity_error(error, before, node->length - before, "'${' is not closed by '}'");
        const size_t inside = before + 2, length = (size_t)(close - text) - inside;
        bool number;
        if (!put_expression(values, out, text + inside, length, &expanded->quantity, &number, error)) {
            error->at += inside;
            return false;
        }
        at = inside + length + 1;
        expanded->number = number && before == 0 && at == node->length;
        if (out->count > MAX_LENGTH)
            return scree_quantity_error(error, 0, node->length,
                                        "this text is too long after expanding its variables");
    }
    return true;
}

// Expands the variables in the text of a node, into memory of the tree; copies nothing without variables.
static bool expand(struct scree_values *values, const struct scree_node *node, struct expanded *expanded)
{
    buffer out = {0};
    struct scree_parse_error error = {.message = ""};
    if (!strstr(node->text, "${")) {
        *expanded = (struct expanded){.text = node->text, .length = node->length};
        return true;
    }
    bool good = put(values, &out, "", 0) && expand_all(values, node, &out, expanded, &error);
    if (good && strstr(out.data, "${"))
        good =
            scree_quantity_error(&error, 0, node->length,
                                 "the expanded text contains '${' again: variables are not expanded twice");
    values->bytes += good ? out.count : 0;
    if (good && values->bytes > MAX_BYTES)
        good = scree_quantity_error(&error, 0, node->length,
                                    "this scene is too long after expanding its variables");
    if (!good && error.message[0])
        scree_value_report_at(values, node, &error);
    if (good) {
        char *text;
        const scree_status status = scree_tree_text(values->tree, out.data, out.count, &text);
        expanded->text = text;
        expanded->length = out.count;
        good = status == SCREE_OK;
        values->status = good ? values->status : status;
    }
    scree_array_free(&out);
    return good;
}

// --- readers

static bool is_text(struct scree_values *values, const struct scree_node *node, const char *name,
                    const char *wanted)
{
    if (node->kind == SCREE_NODE_TEXT)
        return true;
    return report(values, node, "'%s' must be %s, not %s", name, wanted, scree_tree_kind_name(node->kind));
}

// Checks the dimension of a quantity; `text` is the text of the node with its variables expanded.
static bool has_dimension(struct scree_values *values, const struct scree_node *node,
                          const struct scree_value_rule *rule, const struct scree_quantity *quantity,
                          const char *text)
{
    char unit[48];
    const bool has_variables = strstr(node->text, "${") != NULL;
    if (!rule->unit || scree_dimension_equal(quantity->dimension, (struct scree_dimension){{0}}) ||
        scree_dimension_equal(quantity->dimension, scree_quantity_dimension(rule->unit)))
        return true;
    scree_quantity_format(quantity->dimension, unit, sizeof unit);
    return report(values, node, "'%s' must be %s%s%s, but %.60s%s%.40s%s is in %s", rule->name,
                  rule->unit[0] ? "in " : "a number without a unit", rule->unit,
                  rule->is_2d ? " in two dimensions" : "", has_variables ? node->text : "this",
                  has_variables ? ", which is " : "", has_variables ? text : "", has_variables ? "," : "",
                  unit);
}

// Reports a value that is no number at all; `text` is null for a list or a map.
static bool report_no_number(struct scree_values *values, const struct scree_node *node,
                             const struct scree_value_rule *rule, const char *text)
{
    char given[SCREE_TREE_SHOWN];
    const char *shown = given, *unit = rule->unit ? rule->unit : "";
    if (text)
        snprintf(given, sizeof given, "'%.40s'", text);
    else
        shown = scree_tree_show(node, given);
    return report(values, node, "'%s' must be a number%s%s%s%.120s%s, not %s", rule->name,
                  unit[0] ? " in " : "", unit, rule->example ? ", as in `" : "",
                  rule->example ? rule->example : "", rule->example ? "`" : "", shown);
}

static bool read_quantity(struct scree_values *values, const struct scree_node *node,
                          const struct scree_value_rule *rule, struct scree_quantity *quantity)
{
    struct expanded expanded = {.text = ""};
    struct scree_parse_error error;
    if (node->kind != SCREE_NODE_TEXT)
        return report_no_number(values, node, rule, NULL);
    if (!expand(values, node, &expanded))
        return false;
    *quantity = expanded.quantity;
    if (expanded.number || scree_quantity_read(expanded.text, expanded.length, quantity, &error))
        return has_dimension(values, node, rule, quantity, expanded.text);
    if (scree_decimal_length(expanded.text, expanded.length) == 0)
        return report_no_number(values, node, rule, expanded.text);
    char message[sizeof error.message];
    memcpy(message, error.message, sizeof message);
    scree_quantity_error(&error, error.at, error.length, "'%s': %s", rule->name, message);
    return expanded.length == node->length ? scree_value_report_at(values, node, &error)
                                           : report(values, node, "%s", error.message);
}

bool scree_value_has_unit(struct scree_values *values, const struct scree_node *node)
{
    struct expanded expanded = {.text = ""};
    struct scree_parse_error error;
    struct scree_quantity quantity;
    if (node->kind != SCREE_NODE_TEXT || !expand(values, node, &expanded))
        return false;
    quantity = expanded.quantity;
    return (expanded.number || scree_quantity_read(expanded.text, expanded.length, &quantity, &error)) &&
           !scree_dimension_equal(quantity.dimension, (struct scree_dimension){{0}});
}

static bool is_in_range(struct scree_values *values, const struct scree_node *node,
                        const struct scree_value_rule *rule, double number)
{
    const bool above = rule->above ? number > rule->least : number >= rule->least;
    const bool below = rule->below ? number < rule->most : number <= rule->most;
    const char *unit = rule->unit ? rule->unit : "", *space = unit[0] ? " " : "";
    if (above && below)
        return true;
    if (!(rule->most > rule->least))
        return report(values, node, "'%s' must be %g%s%s, not %g", rule->name, rule->least, space, unit,
                      number);
    if (rule->most < (double)INFINITY && rule->least > -(double)INFINITY)
        return report(values, node, "'%s' must be %s %g and %s %g%s%s, not %g", rule->name,
                      rule->above ? "above" : "at least", rule->least, rule->below ? "below" : "at most",
                      rule->most, space, unit, number);
    if (!above)
        return report(values, node, "'%s' must be %s %g%s%s, not %g", rule->name,
                      rule->above ? "above" : "at least", rule->least, space, unit, number);
    return report(values, node, "'%s' must be at most %g%s%s, not %g", rule->name, rule->most, space, unit,
                  number);
}

bool scree_value_number(struct scree_values *values, const struct scree_node *node,
                        const struct scree_value_rule *rule, double *number)
{
    struct scree_quantity quantity;
    if (!read_quantity(values, node, rule, &quantity) || !is_in_range(values, node, rule, quantity.value))
        return false;
    *number = quantity.value;
    return true;
}

bool scree_value_whole(struct scree_values *values, const struct scree_node *node,
                       const struct scree_value_rule *rule, uint64_t *number)
{
    double value;
    if (!scree_value_number(values, node, rule, &value))
        return false;
    if (!(value >= 0 && value <= 0x1p53 && floor(value) == value))
        return report(values, node, "'%s' must be a whole number, not %g", rule->name, value);
    *number = (uint64_t)value;
    return true;
}

bool scree_value_text(struct scree_values *values, const struct scree_node *node, const char *name,
                      const char **text)
{
    struct expanded expanded = {0};
    if (!is_text(values, node, name, "a text") || !expand(values, node, &expanded))
        return false;
    *text = expanded.text;
    return true;
}

bool scree_value_word(struct scree_values *values, const struct scree_node *node, const char *name,
                      const char *const *words, size_t *number)
{
    const char *text;
    if (!scree_value_text(values, node, name, &text))
        return false;
    struct scree_suggestion known = {.wanted = text};
    for (size_t w = 0; words[w]; ++w) {
        if (strcmp(words[w], text) == 0) {
            *number = w;
            return true;
        }
        scree_suggestion_add(&known, words[w]);
    }
    // a long list is cut so that the suggestion still fits
    return report(values, node, "'%s' must be one of %.200s%s, not '%.60s'%s", name, known.text,
                  strlen(known.text) > 200 ? " ..." : "", text, scree_suggestion_hint(&known, ""));
}

bool scree_value_flag(struct scree_values *values, const struct scree_node *node, const char *name,
                      bool *flag)
{
    static const char *const words[] = {"true", "false", "yes", "no", NULL};
    size_t word;
    if (!scree_value_word(values, node, name, words, &word))
        return false;
    *flag = word % 2 == 0;
    return true;
}
