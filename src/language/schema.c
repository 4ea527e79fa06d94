// The scene language as a JSON schema (draft 2020-12), from the tables of keys, laws and columns, for
// completion and checks in editors.
//
// Invariant: every valid scene is valid by the schema. The schema checks the keys and their constraints, the
// parameters of each law, words, ranges of plain numbers, and the dimension of single units. Only `scree
// check` checks the values of variables, products of units, ranges of numbers with units, references to
// names, the dimension of the world, and conditions on several keys. The schema sees one file without its
// includes. A pattern accepts every text that `scree check` accepts, and also any text with variables and any
// product of units.

#include "language/schema.h"

#include "language/key.h"
#include "language/print.h"
#include "measure/column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Writes the pattern of a comparison, as "kinetic < 1 nJ": any formula may be compared, since titles of
// columns are not known here.
static void print_comparison(const struct scree_schema_out *out)
{
    scree_schema_print(out, "{\"type\": \"string\", \"pattern\": \"^[^<>]*[^<> ] *[<>] *" SCREE_SCHEMA_NUMBER
                            "[^<>]*$|" SCREE_SCHEMA_VARIABLE "\"}");
}

// --- columns

// Writes the rule of the columns that take the same keys.
static void print_arguments(const struct scree_schema_out *out, unsigned arguments)
{
    static const struct {
        unsigned flags;
        const char *name;
    } keys[] = {{SCREE_COLUMN_INSIDE, "inside"},   {SCREE_COLUMN_OF | SCREE_COLUMN_MEMBERS, "of"},
                {SCREE_COLUMN_THROUGH, "through"}, {SCREE_COLUMN_PERCENTILE, "percentile"},
                {SCREE_COLUMN_GRID, "grid"},       {SCREE_COLUMN_SINCE, "since"},
                {SCREE_COLUMN_OVER, "over"}};
    scree_schema_print(out, "\"required\": [\"measure\"");
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k)
        if (arguments & keys[k].flags & SCREE_COLUMN_REQUIRED)
            scree_schema_print(out, ", \"%s\"", keys[k].name);
    scree_schema_print(out, "], \"properties\": {");
    size_t count = 0;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k)
        if (!(arguments & keys[k].flags))
            scree_schema_print(out, "%s\"%s\": false", count++ > 0 ? ", " : "", keys[k].name);
    scree_schema_print(out, "}");
}

// Writes the names of columns that need no further keys.
static void print_column_names(const struct scree_schema_out *out)
{
    const char *names[SCREE_SCHEMA_NAMES + 1] = {NULL};
    size_t count = 0;
    for (const struct scree_column_row *row = scree_column_rows; row->name && count < SCREE_SCHEMA_NAMES;
         ++row)
        if (!(row->arguments & SCREE_COLUMN_REQUIRED))
            names[count++] = row->name;
    scree_schema_choice(out, names);
}

static bool is_first_with_arguments(const struct scree_column_row *row)
{
    for (const struct scree_column_row *other = scree_column_rows; other < row; ++other)
        if (other->arguments == row->arguments)
            return false;
    return true;
}

static void print_columns(const struct scree_schema_out *out)
{
    scree_schema_print(out, ", \"allOf\": [");
    for (const struct scree_column_row *row = scree_column_rows; row->name; ++row) {
        size_t count = 0;
        if (!is_first_with_arguments(row))
            continue;
        scree_schema_print(out, "%s{\"if\": {\"properties\": {\"measure\": {\"enum\": [",
                           row > scree_column_rows ? ", " : "");
        for (const struct scree_column_row *other = row; other->name; ++other)
            if (other->arguments == row->arguments)
                scree_schema_print(out, "%s\"%s\"", count++ > 0 ? ", " : "", other->name);
        scree_schema_print(out, "]}}, \"required\": [\"measure\"]}, \"then\": {");
        print_arguments(out, row->arguments);
        scree_schema_print(out, "}}");
    }
    scree_schema_print(out, "]");
}

// --- keys

// A number may be given as a text with a unit or with variables. Some keys also take a word.
static void print_number(const struct scree_schema_out *out, const struct scree_key *key, const char *type)
{
    const enum scree_key_id id = (enum scree_key_id)(key - scree_key_rows);
    const char *const words[] = {key->set, NULL};
    if (key->flags & SCREE_KEY_OTHER) {
        scree_schema_print(out, "{\"anyOf\": [");
        scree_schema_choice(out, words);
        scree_schema_print(out, ", ");
    }
    scree_schema_print(out, "{\"type\": [\"%s\", \"string\"]", type);
    if (!isinf(key->least))
        scree_schema_print(out, ", \"%s\": %.17g",
                           key->flags & SCREE_KEY_ABOVE ? "exclusiveMinimum" : "minimum", key->least);
    if (!isinf(key->most))
        scree_schema_print(out, ", \"%s\": %.17g",
                           key->flags & SCREE_KEY_BELOW ? "exclusiveMaximum" : "maximum", key->most);
    scree_schema_print(out, ", ");
    if (key->type == SCREE_KEY_MEASURED)
        scree_schema_unit(out, NULL, NULL);
    else
        scree_schema_unit(out, scree_key_unit(id, 3), scree_key_unit(id, 2));
    scree_schema_print(out, key->flags & SCREE_KEY_OTHER ? "}]}" : "}");
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
    [SCREE_KEY_RATE] = "{\"type\": [\"number\", \"string\", \"array\", \"object\"]}",
    [SCREE_KEY_RATE_ROWS] = "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": "
                            "{\"type\": [\"array\", \"object\"]}}",
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
static void print_part(const struct scree_schema_out *out, const struct scree_key *key, char part)
{
    static const char *const flags[] = {"true", "false", "yes", "no", NULL};
    const char *const *words = part == 'f' ? flags : part == 'w' ? scree_key_words(key->set) : NULL;
    if (part == 'n' || part == 'i')
        print_number(out, key, part == 'n' ? "number" : "integer");
    else if (part == 'b')
        scree_schema_print(out, "\"minItems\": %g, \"maxItems\": %g", key->least, key->most);
    else if (part == 's')
        scree_schema_print(out, "{\"$ref\": \"#/$defs/%s\"}", key->set);
    else if (part == 't')
        scree_schema_print(out, "{\"type\": \"string\", \"pattern\": \"^" SCREE_SCHEMA_NUMBER " steps?$\"}");
    else if (part == 'c')
        print_column_names(out);
    else if (part == '<')
        print_comparison(out);
    else if (part == 'p')
        // a relative path to a file that does not leave the folder of the scene
        scree_schema_print(out, "{\"type\": [\"string\", \"number\"], \"pattern\": "
                                "\"^(?!/)(?!(?:.*/)?[.][.](?:/|$)).*[^/]$\"}");
    else if (part == '1')
        scree_schema_unit(out, "", "");
    else if (words)
        scree_schema_choice(out, words);
    else if (part != 'l' || !scree_schema_named_choice(out, key))
        scree_schema_print(out, "{\"type\": [\"string\", \"number\", \"boolean\"]}");
}

static void print_type(const struct scree_schema_out *out, const struct scree_key *key)
{
    for (const char *at = types[key->type]; *at; ++at)
        if (*at == '@')
            print_part(out, key, *++at);
        else
            scree_schema_print(out, "%c", *at);
}

static void print_property(const struct scree_schema_out *out, const struct scree_key *key)
{
    scree_schema_string(out, key->name);
    scree_schema_print(out, ": {\"allOf\": [");
    print_type(out, key);
    scree_schema_print(out, "], \"description\": ");
    scree_schema_string(out, key->about);
    scree_schema_print(out, "}");
}

// Requires a key; a flag must also be true.
static void print_required(const struct scree_schema_out *out, const struct scree_key *key)
{
    scree_schema_print(out, "{\"required\": [\"%s\"]", key->name);
    if (key->type == SCREE_KEY_FLAG)
        scree_schema_print(out, ", \"properties\": {\"%s\": {\"not\": {\"const\": false}}}", key->name);
    scree_schema_print(out, "}");
}

// Writes the keys that a key requires, one of several, and those that it excludes.
static void print_constraints_of(const struct scree_schema_out *out, enum scree_key_id key)
{
    for (int with = 0; with < 2; ++with) {
        size_t count = 0;
        for (const struct scree_key_constraint *constraint = scree_key_constraints;
             constraint->key != constraint->other; ++constraint) {
            if (constraint->key != key || constraint->relation != (with ? SCREE_KEY_WITH : SCREE_KEY_WITHOUT))
                continue;
            const char *name = scree_key_rows[constraint->other].name;
            if (with)
                scree_schema_print(out, "%s{\"required\": [\"%s\"]}", count++ > 0 ? ", " : ", \"anyOf\": [",
                                   name);
            else
                scree_schema_print(out, "%s\"%s\": false", count++ > 0 ? ", " : ", \"properties\": {", name);
        }
        scree_schema_print(out, count == 0 ? "" : with ? "]" : "}");
    }
}

static void print_constraints(const struct scree_schema_out *out, enum scree_section section)
{
    size_t count = 0;
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key_constraint *constraint = scree_key_constraints;
        while (constraint->key != constraint->other &&
               (constraint->key != k || constraint->relation == SCREE_KEY_UNLESS))
            ++constraint;
        if (scree_key_rows[k].section != section || constraint->key == constraint->other)
            continue;
        scree_schema_print(out, "%s\"%s\": {\"type\": \"object\"",
                           count++ > 0 ? ", " : ", \"dependentSchemas\": {", scree_key_rows[k].name);
        print_constraints_of(out, (enum scree_key_id)k);
        scree_schema_print(out, "}");
    }
    scree_schema_print(out, count > 0 ? "}" : "");
}

// Writes the keys of a section that have a flag: as names if `bare`, else as conditions that require the key.
static void print_flagged(const struct scree_schema_out *out, enum scree_section section, unsigned flag,
                          const char *before, bool bare, const char *after)
{
    size_t count = 0;
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        if (scree_key_rows[k].section == section && scree_key_rows[k].flags & flag &&
            scree_key_unless((enum scree_key_id)k) == SCREE_KEYS) {
            scree_schema_print(out, "%s", count++ > 0 ? ", " : before);
            if (bare)
                scree_schema_print(out, "\"%s\"", scree_key_rows[k].name);
            else
                print_required(out, &scree_key_rows[k]);
        }
    scree_schema_print(out, "%s", count > 0 ? after : "");
}

// Requires the keys that are needed unless another one is given. Only sections without keys of which some are
// needed have them, since both are written as `anyOf`.
static void print_unless(const struct scree_schema_out *out, enum scree_section section)
{
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const enum scree_key_id unless = scree_key_unless((enum scree_key_id)k);
        if (scree_key_rows[k].section != section || unless == SCREE_KEYS)
            continue;
        scree_schema_print(out, ", \"anyOf\": [");
        print_required(out, &scree_key_rows[k]);
        scree_schema_print(out, ", ");
        print_required(out, &scree_key_rows[unless]);
        scree_schema_print(out, "]");
    }
}

static void print_section(const struct scree_schema_out *out, enum scree_section section)
{
    size_t count = 0;
    scree_schema_print(out, "{\"type\": \"object\", \"description\": ");
    scree_schema_string(out, scree_key_sections[section].about);
    scree_schema_print(out, ", \"properties\": {");
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        if (scree_key_rows[k].section == section) {
            scree_schema_print(out, count++ > 0 ? ", " : "");
            print_property(out, &scree_key_rows[k]);
        }
    if (section == SCREE_SECTION_contact)
        scree_schema_parameter_names(out);
    scree_schema_print(out, "}");
    print_flagged(out, section, SCREE_KEY_NEEDED, ", \"required\": [", true, "]");
    print_flagged(out, section, SCREE_KEY_ONE, ", \"oneOf\": [", false, "]");
    print_flagged(out, section, SCREE_KEY_SOME, ", \"anyOf\": [", false, "]");
    print_unless(out, section);
    print_constraints(out, section);
    if (section == SCREE_SECTION_contact)
        scree_schema_laws(out);
    if (section == SCREE_SECTION_column || section == SCREE_SECTION_comparison)
        print_columns(out);
    scree_schema_print(out, ", \"additionalProperties\": false}");
}

void scree_schema_write(scree_text_function *write, void *user)
{
    const struct scree_schema_out out = {write, user};
    scree_schema_print(
        &out,
        "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n \"title\": \"Scree scene\",\n");
    scree_schema_print(&out, " \"$ref\": \"#/$defs/scene\",\n \"$defs\": {\n");
    for (size_t s = 0; s < SCREE_SECTIONS; ++s) {
        scree_schema_print(&out, "  \"%s\": ", scree_key_sections[s].key);
        print_section(&out, (enum scree_section)s);
        scree_schema_print(&out, "%s\n", s + 1 < SCREE_SECTIONS ? "," : "");
    }
    scree_schema_units(&out);
    scree_schema_print(&out, "\n }}\n");
}
