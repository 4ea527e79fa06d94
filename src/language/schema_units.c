// Text, words and units of the schema, see schema.h.

#include "language/law_keys.h"
#include "language/schema.h"
#include "law/law.h"
#include "text/quantity.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { UNITS = 64 }; // maximum number

void scree_schema_print(const struct scree_schema_out *out, const char *format, ...)
{
    char text[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    out->write(out->user, text);
}

// Writes a JSON string, in quotes.
void scree_schema_string(const struct scree_schema_out *out, const char *text)
{
    scree_schema_print(out, "\"");
    for (; *text; ++text)
        scree_schema_print(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    scree_schema_print(out, "\"");
}

// Writes the schema of a value that is one of the words, null-terminated, or a text with variables.
void scree_schema_choice(const struct scree_schema_out *out, const char *const *words)
{
    scree_schema_print(out, "{\"anyOf\": [{\"enum\": [");
    for (size_t w = 0; words[w]; ++w) {
        scree_schema_print(out, w > 0 ? ", " : "");
        scree_schema_string(out, words[w]);
    }
    scree_schema_print(out, "]}, {\"type\": \"string\", \"pattern\": \"" SCREE_SCHEMA_VARIABLE "\"}]}");
}

// --- units

// Writes the name of a unit's definition, using only characters that need no escape in a URI.
static void print_unit_name(const struct scree_schema_out *out, const char *unit)
{
    scree_schema_print(out, "in_");
    for (const char *at = unit ? (unit[0] ? unit : "numbers") : "any"; *at; ++at)
        if (*at == '/')
            scree_schema_print(out, "_per_");
        else if (*at != '^')
            scree_schema_print(out, "%c", *at == ' ' ? '_' : *at);
}

static void print_unit_reference(const struct scree_schema_out *out, const char *unit)
{
    scree_schema_print(out, "\"$ref\": \"#/$defs/");
    print_unit_name(out, unit);
    scree_schema_print(out, "\"");
}

// Writes the pattern of a number with a unit, as members of an object. `unit` is null for any unit; `unit_2d`
// is the unit in two dimensions, which may be the same.
void scree_schema_unit(const struct scree_schema_out *out, const char *unit, const char *unit_2d)
{
    const bool same = !unit || strcmp(unit, unit_2d) == 0;
    if (!same)
        scree_schema_print(out, "\"anyOf\": [{");
    print_unit_reference(out, unit);
    if (same)
        return;
    scree_schema_print(out, "}, {");
    print_unit_reference(out, unit_2d);
    scree_schema_print(out, "}]");
}

// Writes the unit symbols of a dimension and those without dimension, as alternatives; all symbols if null.
static void print_symbols(const struct scree_schema_out *out, const struct scree_dimension *dimension)
{
    struct scree_dimension own;
    double factor;
    bool prefixed;
    const char *symbol, *prefix;
    scree_schema_print(out, "(?:");
    for (size_t u = 0, count = 0; (symbol = scree_quantity_unit(u, &factor, &own, &prefixed)); ++u) {
        if (dimension && !scree_dimension_equal(own, *dimension) &&
            !scree_dimension_equal(own, (struct scree_dimension){{0}}))
            continue;
        scree_schema_print(out, count++ > 0 ? "|" : "");
        for (size_t p = 0; prefixed && (prefix = scree_quantity_prefix(p)); ++p)
            scree_schema_print(out, "%s%s", p > 0 ? "|" : "(?:", prefix);
        scree_schema_print(out, "%s%s", prefixed ? ")?" : "", symbol);
    }
    scree_schema_print(out, ")");
}

// Writes the pattern of products of units, with powers and fractions.
static void print_products(const struct scree_schema_out *out)
{
    static const char power[] = "(?:\\\\^-?[0-9]|[2-9])", separator[] = "[ \\t*/(]+";
    // "/s" and "1/s", "m^2", "kg m"
    scree_schema_print(out, "(?:1?/[ \\t(]*");
    print_symbols(out, NULL);
    scree_schema_print(out, "|");
    print_symbols(out, NULL);
    scree_schema_print(out, "(?:%s|%s", power, separator);
    print_symbols(out, NULL);
    scree_schema_print(out, "))(?:%s|%s", power, separator);
    print_symbols(out, NULL);
    scree_schema_print(out, "|[ \\t]*[)])*");
}

// Writes the definition of a unit: single symbols of its dimension, or any product of units.
static void print_definition(const struct scree_schema_out *out, const char *unit)
{
    const struct scree_dimension dimension = scree_quantity_dimension(unit ? unit : "");
    scree_schema_print(out, ",\n  \"");
    print_unit_name(out, unit);
    scree_schema_print(out, "\": {\"pattern\": \"^" SCREE_SCHEMA_NUMBER "[ \\t]*(?:");
    print_symbols(out, unit ? &dimension : NULL);
    scree_schema_print(out, "|");
    print_products(out);
    scree_schema_print(out, ")?[ \\t]*$|" SCREE_SCHEMA_VARIABLE "\"}");
}

// Writes the definition of a unit, unless it is in `known`, and adds it there.
static void define(const struct scree_schema_out *out, const char *unit, const char *known[UNITS],
                   size_t *count)
{
    size_t k = 0;
    while (k < *count && strcmp(known[k], unit) != 0)
        ++k;
    if (k < *count || *count == UNITS)
        return;
    known[(*count)++] = unit;
    print_definition(out, unit);
}

// Writes the definitions that scree_schema_unit refers to, for all units of keys and laws.
void scree_schema_units(const struct scree_schema_out *out)
{
    const char *known[UNITS];
    size_t count = 0;
    const struct scree_law_parameter *parameter;
    print_definition(out, NULL);
    define(out, "", known, &count);
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        for (int dimension = 2; dimension <= 3; ++dimension)
            define(out, scree_key_unit((enum scree_key_id)k, dimension), known, &count);
    for (size_t l = 0; scree_law_at(l); ++l)
        for (size_t p = 0; (parameter = scree_law_keys_at(scree_law_at(l), p)); ++p)
            define(out, parameter->unit, known, &count);
}
