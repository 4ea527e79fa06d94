// Writes strings and patterns of the schema, see schema_text.h.

#include "language/schema_text.h"

#include "language/key.h"
#include "language/law_keys.h"
#include "law/law.h"
#include "measure/column.h"
#include "text/quantity.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// numbers as scree_decimal_length reads them
#define NUMBER "[-+]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eEdD][-+]?[0-9]+)?"
#define VARIABLE "[$][{]"

enum { UNITS = 64 };

void scree_schema_text_print(const struct scree_schema_text *out, const char *format, ...)
{
    char text[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    out->write(out->user, text);
}

void scree_schema_text_string(const struct scree_schema_text *out, const char *text)
{
    scree_schema_text_print(out, "\"");
    for (; *text; ++text)
        scree_schema_text_print(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    scree_schema_text_print(out, "\"");
}

void scree_schema_text_any(const struct scree_schema_text *out)
{
    scree_schema_text_print(out, "{\"type\": [\"string\", \"number\", \"boolean\"]}");
}

void scree_schema_text_words(const struct scree_schema_text *out, const char *const *words)
{
    scree_schema_text_print(out, "{\"anyOf\": [{\"enum\": [");
    for (size_t w = 0; words[w]; ++w) {
        scree_schema_text_print(out, w > 0 ? ", " : "");
        scree_schema_text_string(out, words[w]);
    }
    scree_schema_text_print(out, "]}, {\"type\": \"string\", \"pattern\": \"" VARIABLE "\"}]}");
}

void scree_schema_text_steps(const struct scree_schema_text *out)
{
    scree_schema_text_print(out, "{\"type\": \"string\", \"pattern\": \"^" NUMBER " steps?$\"}");
}

void scree_schema_text_path(const struct scree_schema_text *out)
{
    // a relative path to a file that does not leave the folder of the scene
    scree_schema_text_print(out, "{\"type\": [\"string\", \"number\"], \"pattern\": "
                                 "\"^(?!/)(?!(?:.*/)?[.][.](?:/|$)).*[^/]$\"}");
}

void scree_schema_text_comparison(const struct scree_schema_text *out)
{
    const struct scree_column_row *row = scree_column_rows;
    scree_schema_text_print(out, "{\"type\": \"string\", \"pattern\": \"^(?:");
    for (size_t count = 0; row->name; ++row)
        if (!(row->takes & SCREE_COLUMN_NEEDS))
            scree_schema_text_print(out, "%s%s", count++ > 0 ? "|" : "", row->name);
    scree_schema_text_print(out, ") ?[<>] *" NUMBER "[^<>]*$|" VARIABLE "\"}");
}

// --- units

// Writes the name of a unit's definition, using only characters that need no escape in a URI.
static void print_name(const struct scree_schema_text *out, const char *unit)
{
    scree_schema_text_print(out, "in_");
    for (const char *at = unit ? (unit[0] ? unit : "numbers") : "any"; *at; ++at)
        if (*at == '/')
            scree_schema_text_print(out, "_per_");
        else if (*at != '^')
            scree_schema_text_print(out, "%c", *at == ' ' ? '_' : *at);
}

static void print_reference(const struct scree_schema_text *out, const char *unit)
{
    scree_schema_text_print(out, "\"$ref\": \"#/$defs/");
    print_name(out, unit);
    scree_schema_text_print(out, "\"");
}

void scree_schema_text_unit(const struct scree_schema_text *out, const char *unit, const char *flat)
{
    const bool one = !unit || strcmp(unit, flat) == 0;
    if (!one)
        scree_schema_text_print(out, "\"anyOf\": [{");
    print_reference(out, unit);
    if (one)
        return;
    scree_schema_text_print(out, "}, {");
    print_reference(out, flat);
    scree_schema_text_print(out, "}]");
}

// Writes the alternatives of unit symbols: of one dimension and of numbers without dimension, or all if null.
static void print_words(const struct scree_schema_text *out, const struct scree_dimension *dimension)
{
    struct scree_dimension own;
    double factor;
    bool prefixed;
    const char *symbol, *prefix;
    scree_schema_text_print(out, "(?:");
    for (size_t u = 0, count = 0; (symbol = scree_quantity_unit(u, &factor, &own, &prefixed)); ++u) {
        if (dimension && !scree_dimension_equal(own, *dimension) &&
            !scree_dimension_equal(own, (struct scree_dimension){{0}}))
            continue;
        scree_schema_text_print(out, count++ > 0 ? "|" : "");
        for (size_t p = 0; prefixed && (prefix = scree_quantity_prefix(p)); ++p)
            scree_schema_text_print(out, "%s%s", p > 0 ? "|" : "(?:", prefix);
        scree_schema_text_print(out, "%s%s", prefixed ? ")?" : "", symbol);
    }
    scree_schema_text_print(out, ")");
}

// Writes the pattern of products of units, with powers and fractions.
static void print_products(const struct scree_schema_text *out)
{
    static const char power[] = "(?:\\\\^-?[0-9]|[2-9])", between[] = "[ \\t*/(]+";
    // "/s" and "1/s", "m^2", "kg m"
    scree_schema_text_print(out, "(?:1?/[ \\t(]*");
    print_words(out, NULL);
    scree_schema_text_print(out, "|");
    print_words(out, NULL);
    scree_schema_text_print(out, "(?:%s|%s", power, between);
    print_words(out, NULL);
    scree_schema_text_print(out, "))(?:%s|%s", power, between);
    print_words(out, NULL);
    scree_schema_text_print(out, "|[ \\t]*[)])*");
}

// Writes the definition of a unit: single symbols of its dimension, or any product of units.
static void print_definition(const struct scree_schema_text *out, const char *unit)
{
    const struct scree_dimension dimension = scree_quantity_dimension(unit ? unit : "");
    scree_schema_text_print(out, ",\n  \"");
    print_name(out, unit);
    scree_schema_text_print(out, "\": {\"pattern\": \"^" NUMBER "[ \\t]*(?:");
    print_words(out, unit ? &dimension : NULL);
    scree_schema_text_print(out, "|");
    print_products(out);
    scree_schema_text_print(out, ")?[ \\t]*$|" VARIABLE "\"}");
}

// Writes the definition of a unit unless it is written already, and lists it in `known`.
static void define(const struct scree_schema_text *out, const char *unit, const char *known[UNITS],
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

void scree_schema_text_units(const struct scree_schema_text *out)
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
