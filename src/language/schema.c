// The scene language as a JSON schema (draft 2020-12), from the tables of keys, laws and columns, for
// completion and checks in editors.
//
// Invariant: every valid scene is valid by the schema. The schema checks the keys and their constraints, the
// parameters of each law, words, ranges of plain numbers, and the dimension of single units. Only `scree
// check` checks the values of variables, products of units, ranges of numbers with units, references to
// names, the dimension of the world, and conditions on several keys. The schema sees one file without its
// includes. A pattern accepts every text that `scree check` accepts, and also any text with variables and any
// product of units.

#include "language/key.h"
#include "language/law_keys.h"
#include "language/print.h"
#include "law/law.h"
#include "measure/column.h"
#include "text/quantity.h"

#include <scree/soft.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// numbers as scree_decimal_length reads them
#define NUMBER "[-+]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eEdD][-+]?[0-9]+)?"
#define VARIABLE "[$][{]"

enum { UNITS = 64, NAMES = 256 }; // maximum numbers

struct out {
    scree_text_function *write;
    void *user;
};

__attribute__((format(printf, 2, 3))) static void print(const struct out *out, const char *format, ...)
{
    char text[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    out->write(out->user, text);
}

// Writes a JSON string, in quotes.
static void print_string(const struct out *out, const char *text)
{
    print(out, "\"");
    for (; *text; ++text)
        print(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    print(out, "\"");
}

// Writes the schema of a value that is one of the words, null-terminated, or a text with variables.
static void print_choice(const struct out *out, const char *const *words)
{
    print(out, "{\"anyOf\": [{\"enum\": [");
    for (size_t w = 0; words[w]; ++w) {
        print(out, w > 0 ? ", " : "");
        print_string(out, words[w]);
    }
    print(out, "]}, {\"type\": \"string\", \"pattern\": \"" VARIABLE "\"}]}");
}

// Writes the pattern of a comparison, as "kinetic < 1 nJ": any formula may be compared, since titles of
// columns are not known here.
static void print_comparison(const struct out *out)
{
    print(out,
          "{\"type\": \"string\", \"pattern\": \"^[^<>]*[^<> ] *[<>] *" NUMBER "[^<>]*$|" VARIABLE "\"}");
}

// --- units

// Writes the name of a unit's definition, using only characters that need no escape in a URI.
static void print_unit_name(const struct out *out, const char *unit)
{
    print(out, "in_");
    for (const char *at = unit ? (unit[0] ? unit : "numbers") : "any"; *at; ++at)
        if (*at == '/')
            print(out, "_per_");
        else if (*at != '^')
            print(out, "%c", *at == ' ' ? '_' : *at);
}

static void print_unit_reference(const struct out *out, const char *unit)
{
    print(out, "\"$ref\": \"#/$defs/");
    print_unit_name(out, unit);
    print(out, "\"");
}

// Writes the pattern of a number with a unit, as members of an object. `unit` is null for any unit; `unit_2d`
// is the unit in two dimensions, which may be the same.
static void print_unit(const struct out *out, const char *unit, const char *unit_2d)
{
    const bool same = !unit || strcmp(unit, unit_2d) == 0;
    if (!same)
        print(out, "\"anyOf\": [{");
    print_unit_reference(out, unit);
    if (same)
        return;
    print(out, "}, {");
    print_unit_reference(out, unit_2d);
    print(out, "}]");
}

// Writes the unit symbols of a dimension and those without dimension, as alternatives; all symbols if null.
static void print_symbols(const struct out *out, const struct scree_dimension *dimension)
{
    struct scree_dimension own;
    double factor;
    bool prefixed;
    const char *symbol, *prefix;
    print(out, "(?:");
    for (size_t u = 0, count = 0; (symbol = scree_quantity_unit(u, &factor, &own, &prefixed)); ++u) {
        if (dimension && !scree_dimension_equal(own, *dimension) &&
            !scree_dimension_equal(own, (struct scree_dimension){{0}}))
            continue;
        print(out, count++ > 0 ? "|" : "");
        for (size_t p = 0; prefixed && (prefix = scree_quantity_prefix(p)); ++p)
            print(out, "%s%s", p > 0 ? "|" : "(?:", prefix);
        print(out, "%s%s", prefixed ? ")?" : "", symbol);
    }
    print(out, ")");
}

// Writes the pattern of products of units, with powers and fractions.
static void print_products(const struct out *out)
{
    static const char power[] = "(?:\\\\^-?[0-9]|[2-9])", separator[] = "[ \\t*/(]+";
    // "/s" and "1/s", "m^2", "kg m"
    print(out, "(?:1?/[ \\t(]*");
    print_symbols(out, NULL);
    print(out, "|");
    print_symbols(out, NULL);
    print(out, "(?:%s|%s", power, separator);
    print_symbols(out, NULL);
    print(out, "))(?:%s|%s", power, separator);
    print_symbols(out, NULL);
    print(out, "|[ \\t]*[)])*");
}

// Writes the definition of a unit: single symbols of its dimension, or any product of units.
static void print_definition(const struct out *out, const char *unit)
{
    const struct scree_dimension dimension = scree_quantity_dimension(unit ? unit : "");
    print(out, ",\n  \"");
    print_unit_name(out, unit);
    print(out, "\": {\"pattern\": \"^" NUMBER "[ \\t]*(?:");
    print_symbols(out, unit ? &dimension : NULL);
    print(out, "|");
    print_products(out);
    print(out, ")?[ \\t]*$|" VARIABLE "\"}");
}

// Writes the definition of a unit, unless it is in `known`, and adds it there.
static void define(const struct out *out, const char *unit, const char *known[UNITS], size_t *count)
{
    size_t k = 0;
    while (k < *count && strcmp(known[k], unit) != 0)
        ++k;
    if (k < *count || *count == UNITS)
        return;
    known[(*count)++] = unit;
    print_definition(out, unit);
}

// Writes the definitions that print_unit refers to, for all units of keys and laws.
static void print_units(const struct out *out)
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

// --- laws

// Returns name `index` of the contact laws or integration schemes that a key selects; null past the last and
// for other keys.
static const char *choice_at(enum scree_key_id key, size_t index)
{
    switch (key) {
    case SCREE_KEY_contact_law:
        return scree_law_at(index) ? scree_law_at(index)->name : NULL;
    case SCREE_KEY_motion_translation:
        return scree_motion_name(SCREE_TRANSLATION, index);
    case SCREE_KEY_motion_rotation:
        return scree_motion_name(SCREE_ROTATION, index);
    default:
        return NULL;
    }
}

// Writes the names that choice_at has for a key; returns false and writes nothing if there are none.
static bool print_named_choice(const struct out *out, const struct scree_key *key)
{
    const enum scree_key_id id = (enum scree_key_id)(key - scree_key_rows);
    const char *names[NAMES + 1] = {scree_key_special(id)};
    for (size_t n = 1; n < NAMES && choice_at(id, n - 1); ++n)
        names[n] = choice_at(id, n - 1);
    if (names[1])
        print_choice(out, names);
    return names[1] != NULL;
}

static void print_parameter(const struct out *out, const struct scree_law_parameter *parameter)
{
    print_string(out, parameter->name);
    print(out, ": ");
    if (parameter->choices) {
        print_choice(out, parameter->choices);
        return;
    }
    print(out, "{\"type\": [\"number\", \"string\"]");
    // a tiny lower bound means "above 0", a huge upper bound means "unbounded"
    if (parameter->least > 0 && parameter->least < 1e-100)
        print(out, ", \"exclusiveMinimum\": 0");
    else if (parameter->least > -1e100)
        print(out, ", \"minimum\": %.17g", parameter->least);
    if (parameter->most < 1e100)
        print(out, ", \"maximum\": %.17g", parameter->most);
    print(out, ", ");
    print_unit(out, parameter->unit, parameter->unit);
    print(out, "}");
}

// Returns true if a law before `law` has a parameter of the same name.
static bool is_declared(size_t law, const char *name)
{
    for (size_t l = 0; l < law; ++l)
        if (scree_law_keys_find(scree_law_at(l), name, NULL))
            return true;
    return false;
}

// Declares the parameters of all laws as properties; their types are in the rules of each law.
static void print_parameter_names(const struct out *out)
{
    const struct scree_law_parameter *parameter;
    for (size_t l = 0; scree_law_at(l); ++l)
        for (size_t p = 0; (parameter = scree_law_keys_at(scree_law_at(l), p)); ++p) {
            if (is_declared(l, parameter->name))
                continue;
            print(out, ", ");
            print_string(out, parameter->name);
            print(out, ": {\"description\": ");
            print_string(out, parameter->about);
            print(out, "}");
        }
}

// Writes the rule of a law: its parameters, and which are required; null for the reserved word `none`.
static void print_law(const struct out *out, const struct scree_contact_law *law)
{
    const struct scree_law_parameter *parameter;
    print(out,
          "{\"if\": {\"properties\": {\"law\": {\"const\": \"%s\"}}, \"required\": [\"law\"]}, \"then\": {",
          law ? law->name : scree_key_special(SCREE_KEY_contact_law));
    print(out, "\"required\": [\"law\"");
    for (size_t p = 0; (parameter = scree_law_keys_at(law, p)); ++p)
        if (parameter->required)
            print(out, ", \"%s\"", parameter->name);
    print(out, "], \"properties\": {");
    for (size_t p = 0; (parameter = scree_law_keys_at(law, p)); ++p) {
        print(out, p > 0 ? ", " : "");
        print_parameter(out, parameter);
    }
    print(out, "}, \"propertyNames\": {\"enum\": [\"between\", \"law\"");
    for (size_t p = 0; (parameter = scree_law_keys_at(law, p)); ++p)
        print(out, ", \"%s\"", parameter->name);
    print(out, "]}}}");
}

static void print_laws(const struct out *out)
{
    print(out, ", \"allOf\": [");
    print_law(out, NULL);
    for (size_t l = 0; scree_law_at(l); ++l) {
        print(out, ", ");
        print_law(out, scree_law_at(l));
    }
    print(out, "]");
}

// --- columns

// Writes the rule of the columns that take the same keys.
static void print_arguments(const struct out *out, unsigned arguments)
{
    static const struct {
        unsigned flags;
        const char *name;
    } keys[] = {{SCREE_COLUMN_INSIDE, "inside"},   {SCREE_COLUMN_OF | SCREE_COLUMN_MEMBERS, "of"},
                {SCREE_COLUMN_THROUGH, "through"}, {SCREE_COLUMN_PERCENTILE, "percentile"},
                {SCREE_COLUMN_GRID, "grid"},       {SCREE_COLUMN_SINCE, "since"},
                {SCREE_COLUMN_OVER, "over"}};
    print(out, "\"required\": [\"measure\"");
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k)
        if (arguments & keys[k].flags & SCREE_COLUMN_REQUIRED)
            print(out, ", \"%s\"", keys[k].name);
    print(out, "], \"properties\": {");
    size_t count = 0;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k)
        if (!(arguments & keys[k].flags))
            print(out, "%s\"%s\": false", count++ > 0 ? ", " : "", keys[k].name);
    print(out, "}");
}

// Writes the names of columns that need no further keys.
static void print_column_names(const struct out *out)
{
    const char *names[NAMES + 1] = {NULL};
    size_t count = 0;
    for (const struct scree_column_row *row = scree_column_rows; row->name && count < NAMES; ++row)
        if (!(row->arguments & SCREE_COLUMN_REQUIRED))
            names[count++] = row->name;
    print_choice(out, names);
}

static bool is_first_with_arguments(const struct scree_column_row *row)
{
    for (const struct scree_column_row *other = scree_column_rows; other < row; ++other)
        if (other->arguments == row->arguments)
            return false;
    return true;
}

static void print_columns(const struct out *out)
{
    print(out, ", \"allOf\": [");
    for (const struct scree_column_row *row = scree_column_rows; row->name; ++row) {
        size_t count = 0;
        if (!is_first_with_arguments(row))
            continue;
        print(out, "%s{\"if\": {\"properties\": {\"measure\": {\"enum\": [",
              row > scree_column_rows ? ", " : "");
        for (const struct scree_column_row *other = row; other->name; ++other)
            if (other->arguments == row->arguments)
                print(out, "%s\"%s\"", count++ > 0 ? ", " : "", other->name);
        print(out, "]}}, \"required\": [\"measure\"]}, \"then\": {");
        print_arguments(out, row->arguments);
        print(out, "}}");
    }
    print(out, "]");
}

// --- keys

// A number may be given as a text with a unit or with variables. Some keys also take a word.
static void print_number(const struct out *out, const struct scree_key *key, const char *type)
{
    const enum scree_key_id id = (enum scree_key_id)(key - scree_key_rows);
    const char *const words[] = {key->set, NULL};
    if (key->flags & SCREE_KEY_OTHER) {
        print(out, "{\"anyOf\": [");
        print_choice(out, words);
        print(out, ", ");
    }
    print(out, "{\"type\": [\"%s\", \"string\"]", type);
    if (!isinf(key->least))
        print(out, ", \"%s\": %.17g", key->flags & SCREE_KEY_ABOVE ? "exclusiveMinimum" : "minimum",
              key->least);
    if (!isinf(key->most))
        print(out, ", \"%s\": %.17g", key->flags & SCREE_KEY_BELOW ? "exclusiveMaximum" : "maximum",
              key->most);
    print(out, ", ");
    if (key->type == SCREE_KEY_MEASURED)
        print_unit(out, NULL, NULL);
    else
        print_unit(out, scree_key_unit(id, 3), scree_key_unit(id, 2));
    print(out, key->flags & SCREE_KEY_OTHER ? "}]}" : "}");
}

// The schema of the value of each key type. `@` and a letter are replaced: `@n` by a number and `@i` by a
// whole number within the bounds of the key, `@b` by these bounds for the length of an array, `@w` by a word
// of the key, `@s` by a map of its section, `@f` by a flag as a word, `@t` by a number of steps, `@c` by the
// name of a column, `@<` by a comparison, `@p` by a path, `@1` by the unit of a number without dimension,
// `@a` by any scalar, `@l` by the name of a contact law or integration scheme for keys that select one, else
// by any scalar.
static const char *const types[] = {
    [SCREE_KEY_NUMBER] = "@n",
    [SCREE_KEY_MEASURED] = "@n",
    [SCREE_KEY_FORMULA] = "{\"type\": [\"number\", \"string\"]}",
    [SCREE_KEY_INTERVAL] = "{\"anyOf\": [@n, @t]}",
    [SCREE_KEY_WHOLE] = "@i",
    [SCREE_KEY_SIZE] = "{\"anyOf\": [@n, @s]}",
    [SCREE_KEY_COLUMNS] = "{\"type\": \"array\", @b, \"items\": {\"anyOf\": [@c, @s]}}",
    [SCREE_KEY_COMPARISON] = "{\"anyOf\": [@<, @s]}",
    [SCREE_KEY_FLAG] = "{\"anyOf\": [{\"type\": \"boolean\"}, @f]}",
    [SCREE_KEY_WORD] = "@w",
    [SCREE_KEY_TEXT] = "@l",
    [SCREE_KEY_PATH] = "@p",
    [SCREE_KEY_SOME_PATHS] = "{\"anyOf\": [@p, {\"type\": \"array\", \"items\": @p}]}",
    [SCREE_KEY_NAME] = "@a",
    [SCREE_KEY_NAMES] = "{\"type\": \"array\", @b, \"items\": @w}",
    [SCREE_KEY_SOME_NAMES] = "{\"anyOf\": [@a, {\"type\": \"array\", @b, \"items\": @w}]}",
    [SCREE_KEY_SOME_WHOLES] = "{\"anyOf\": [@i, {\"type\": \"array\", \"minItems\": 1, \"items\": @i}]}",
    [SCREE_KEY_VECTOR] = "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": @n}",
    [SCREE_KEY_RATES] = "{\"anyOf\": [{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": "
                        "{\"type\": [\"number\", \"string\", \"array\", \"object\"]}}, "
                        "{\"type\": \"object\", \"required\": [\"table\"]}]}",
    [SCREE_KEY_PAIR] = "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": @n}",
    [SCREE_KEY_QUADRUPLE] = "{\"type\": \"array\", \"minItems\": 4, \"maxItems\": 4, \"items\": @n}",
    [SCREE_KEY_SEXTUPLE] = "{\"type\": \"array\", \"minItems\": 6, \"maxItems\": 6, \"items\": @n}",
    [SCREE_KEY_BOX] = "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": "
                      "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": @n}}",
    [SCREE_KEY_TRIPLES] = "{\"type\": \"array\", \"minItems\": 1, \"items\": "
                          "{\"type\": \"array\", \"minItems\": 3, \"maxItems\": 3, \"items\": @n}}",
    [SCREE_KEY_VECTORS] = "{\"type\": \"array\", \"minItems\": 1, \"items\": "
                          "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": @n}}",
    [SCREE_KEY_TABLE] = "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", "
                        "\"prefixItems\": [@n, {\"type\": [\"number\", \"string\"], \"minimum\": 0, "
                        "\"maximum\": 1, @1}], \"minItems\": 2, \"maxItems\": 2}}",
    [SCREE_KEY_ID_PAIRS] = "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", "
                           "\"minItems\": 2, \"maxItems\": 2, \"items\": @i}}",
    [SCREE_KEY_SECTION] = "@s",
    [SCREE_KEY_LIST] = "{\"type\": \"array\", \"items\": @s}",
    [SCREE_KEY_LIST_OR_ONE] = "{\"anyOf\": [{\"type\": \"array\", \"items\": @s}, @s]}",
    [SCREE_KEY_MAP] = "{\"type\": \"object\", \"additionalProperties\": @s}",
    [SCREE_KEY_VARIABLES] = "{\"type\": \"object\", \"propertyNames\": {\"pattern\": "
                            "\"^[A-Za-z_][A-Za-z_0-9]{0,62}$\"}, \"additionalProperties\": @a}",
};

// Writes the replacement of `@` and a letter.
static void print_part(const struct out *out, const struct scree_key *key, char part)
{
    static const char *const flags[] = {"true", "false", "yes", "no", NULL};
    const char *const *words = part == 'f' ? flags : part == 'w' ? scree_key_words(key->set) : NULL;
    if (part == 'n' || part == 'i')
        print_number(out, key, part == 'n' ? "number" : "integer");
    else if (part == 'b')
        print(out, "\"minItems\": %g, \"maxItems\": %g", key->least, key->most);
    else if (part == 's')
        print(out, "{\"$ref\": \"#/$defs/%s\"}", key->set);
    else if (part == 't')
        print(out, "{\"type\": \"string\", \"pattern\": \"^" NUMBER " steps?$\"}");
    else if (part == 'c')
        print_column_names(out);
    else if (part == '<')
        print_comparison(out);
    else if (part == 'p')
        // a relative path to a file that does not leave the folder of the scene
        print(out, "{\"type\": [\"string\", \"number\"], \"pattern\": "
                   "\"^(?!/)(?!(?:.*/)?[.][.](?:/|$)).*[^/]$\"}");
    else if (part == '1')
        print_unit(out, "", "");
    else if (words)
        print_choice(out, words);
    else if (part != 'l' || !print_named_choice(out, key))
        print(out, "{\"type\": [\"string\", \"number\", \"boolean\"]}");
}

static void print_type(const struct out *out, const struct scree_key *key)
{
    for (const char *at = types[key->type]; *at; ++at)
        if (*at == '@')
            print_part(out, key, *++at);
        else
            print(out, "%c", *at);
}

static void print_property(const struct out *out, const struct scree_key *key)
{
    print_string(out, key->name);
    print(out, ": {\"allOf\": [");
    print_type(out, key);
    print(out, "], \"description\": ");
    print_string(out, key->about);
    print(out, "}");
}

// Requires a key; a flag must also be true.
static void print_required(const struct out *out, const struct scree_key *key)
{
    print(out, "{\"required\": [\"%s\"]", key->name);
    if (key->type == SCREE_KEY_FLAG)
        print(out, ", \"properties\": {\"%s\": {\"not\": {\"const\": false}}}", key->name);
    print(out, "}");
}

// Writes the keys that a key requires, one of several, and those that it excludes.
static void print_constraints_of(const struct out *out, enum scree_key_id key)
{
    for (int with = 0; with < 2; ++with) {
        size_t count = 0;
        for (const struct scree_key_constraint *constraint = scree_key_constraints;
             constraint->key != constraint->other; ++constraint) {
            if (constraint->key != key || constraint->relation != (with ? SCREE_KEY_WITH : SCREE_KEY_WITHOUT))
                continue;
            const char *name = scree_key_rows[constraint->other].name;
            if (with)
                print(out, "%s{\"required\": [\"%s\"]}", count++ > 0 ? ", " : ", \"anyOf\": [", name);
            else
                print(out, "%s\"%s\": false", count++ > 0 ? ", " : ", \"properties\": {", name);
        }
        print(out, count == 0 ? "" : with ? "]" : "}");
    }
}

static void print_constraints(const struct out *out, enum scree_section section)
{
    size_t count = 0;
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key_constraint *constraint = scree_key_constraints;
        while (constraint->key != constraint->other &&
               (constraint->key != k || constraint->relation == SCREE_KEY_UNLESS))
            ++constraint;
        if (scree_key_rows[k].section != section || constraint->key == constraint->other)
            continue;
        print(out, "%s\"%s\": {\"type\": \"object\"", count++ > 0 ? ", " : ", \"dependentSchemas\": {",
              scree_key_rows[k].name);
        print_constraints_of(out, (enum scree_key_id)k);
        print(out, "}");
    }
    print(out, count > 0 ? "}" : "");
}

// Writes the keys of a section that have a flag: as names if `bare`, else as conditions that require the key.
static void print_flagged(const struct out *out, enum scree_section section, unsigned flag,
                          const char *before, bool bare, const char *after)
{
    size_t count = 0;
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        if (scree_key_rows[k].section == section && scree_key_rows[k].flags & flag &&
            scree_key_unless((enum scree_key_id)k) == SCREE_KEYS) {
            print(out, "%s", count++ > 0 ? ", " : before);
            if (bare)
                print(out, "\"%s\"", scree_key_rows[k].name);
            else
                print_required(out, &scree_key_rows[k]);
        }
    print(out, "%s", count > 0 ? after : "");
}

// Requires the keys that are needed unless another one is given. Only sections without keys of which some are
// needed have them, since both are written as `anyOf`.
static void print_unless(const struct out *out, enum scree_section section)
{
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const enum scree_key_id unless = scree_key_unless((enum scree_key_id)k);
        if (scree_key_rows[k].section != section || unless == SCREE_KEYS)
            continue;
        print(out, ", \"anyOf\": [");
        print_required(out, &scree_key_rows[k]);
        print(out, ", ");
        print_required(out, &scree_key_rows[unless]);
        print(out, "]");
    }
}

static void print_section(const struct out *out, enum scree_section section)
{
    size_t count = 0;
    print(out, "{\"type\": \"object\", \"description\": ");
    print_string(out, scree_key_sections[section].about);
    print(out, ", \"properties\": {");
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        if (scree_key_rows[k].section == section) {
            print(out, count++ > 0 ? ", " : "");
            print_property(out, &scree_key_rows[k]);
        }
    if (section == SCREE_SECTION_contact)
        print_parameter_names(out);
    print(out, "}");
    print_flagged(out, section, SCREE_KEY_NEEDED, ", \"required\": [", true, "]");
    print_flagged(out, section, SCREE_KEY_ONE, ", \"oneOf\": [", false, "]");
    print_flagged(out, section, SCREE_KEY_SOME, ", \"anyOf\": [", false, "]");
    print_unless(out, section);
    print_constraints(out, section);
    if (section == SCREE_SECTION_contact)
        print_laws(out);
    if (section == SCREE_SECTION_column || section == SCREE_SECTION_comparison)
        print_columns(out);
    print(out, ", \"additionalProperties\": false}");
}

void scree_schema_write(scree_text_function *write, void *user)
{
    const struct out out = {write, user};
    print(&out,
          "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n \"title\": \"Scree scene\",\n");
    print(&out, " \"$ref\": \"#/$defs/scene\",\n \"$defs\": {\n");
    for (size_t s = 0; s < SCREE_SECTIONS; ++s) {
        print(&out, "  \"%s\": ", scree_key_sections[s].key);
        print_section(&out, (enum scree_section)s);
        print(&out, "%s\n", s + 1 < SCREE_SECTIONS ? "," : "");
    }
    print_units(&out);
    print(&out, "\n }}\n");
}
