// Writes the JSON schema of scenes, see schema.h.

#include "language/schema.h"

#include "language/key.h"
#include "language/schema_tables.h"
#include "language/schema_text.h"

#include <math.h>
#include <string.h>

#define print scree_schema_text_print

// A number may be given as a text with a unit or with variables. Some keys also take a word.
static void print_number(const struct scree_schema_text *out, const struct scree_key *key, const char *type)
{
    const enum scree_key_id id = (enum scree_key_id)(key - scree_key_rows);
    const char *const words[] = {key->of, NULL};
    if (key->flags & SCREE_KEY_OTHER) {
        print(out, "{\"anyOf\": [");
        scree_schema_text_words(out, words);
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
        scree_schema_text_unit(out, NULL, NULL);
    else
        scree_schema_text_unit(out, scree_key_unit(id, 3), scree_key_unit(id, 2));
    print(out, key->flags & SCREE_KEY_OTHER ? "}]}" : "}");
}

// The schema of the value of each key type. `@` and a letter are placeholders: `@n` a number and `@i` a whole
// number within the bounds of the key, `@b` these bounds for the length of an array, `@w` a word of the key,
// `@s` a map of its section, `@f` a flag as a word, `@t` a number of steps, `@c` the name of a column, `@<` a
// comparison, `@p` a path, `@1` the unit of a number without dimension, `@a` any scalar, `@l` the name of a
// law for keys that name one, else any scalar.
static const char *const types[] = {
    [SCREE_KEY_NUMBER] = "@n",
    [SCREE_KEY_MEASURED] = "@n",
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
    [SCREE_KEY_PAIR] = "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": @n}",
    [SCREE_KEY_QUADRUPLE] = "{\"type\": \"array\", \"minItems\": 4, \"maxItems\": 4, \"items\": @n}",
    [SCREE_KEY_BOX] = "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": "
                      "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": @n}}",
    [SCREE_KEY_TABLE] = "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", "
                        "\"prefixItems\": [@n, {\"type\": [\"number\", \"string\"], \"minimum\": 0, "
                        "\"maximum\": 1, @1}], \"minItems\": 2, \"maxItems\": 2}}",
    [SCREE_KEY_SECTION] = "@s",
    [SCREE_KEY_LIST] = "{\"type\": \"array\", \"items\": @s}",
    [SCREE_KEY_LIST_OR_ONE] = "{\"anyOf\": [{\"type\": \"array\", \"items\": @s}, @s]}",
    [SCREE_KEY_MAP] = "{\"type\": \"object\", \"additionalProperties\": @s}",
    [SCREE_KEY_VARIABLES] = "{\"type\": \"object\", \"propertyNames\": {\"pattern\": "
                            "\"^[A-Za-z_][A-Za-z_0-9]{0,62}$\"}, \"additionalProperties\": @a}",
};

// Writes a placeholder by its letter.
static void print_part(const struct scree_schema_text *out, const struct scree_key *key, char part)
{
    static const char *const flags[] = {"true", "false", "yes", "no", NULL};
    const char *const *words = part == 'f' ? flags : part == 'w' ? scree_key_words(key->of) : NULL;
    if (part == 'n' || part == 'i')
        print_number(out, key, part == 'n' ? "number" : "integer");
    else if (part == 'b')
        print(out, "\"minItems\": %g, \"maxItems\": %g", key->least, key->most);
    else if (part == 's')
        print(out, "{\"$ref\": \"#/$defs/%s\"}", key->of);
    else if (part == 't')
        scree_schema_text_steps(out);
    else if (part == 'c')
        scree_schema_tables_columns(out);
    else if (part == '<')
        scree_schema_text_comparison(out);
    else if (part == 'p')
        scree_schema_text_path(out);
    else if (part == '1')
        scree_schema_text_unit(out, "", "");
    else if (words)
        scree_schema_text_words(out, words);
    else if (part != 'l' || !scree_schema_tables_type(out, key))
        scree_schema_text_any(out);
}

static void print_type(const struct scree_schema_text *out, const struct scree_key *key)
{
    for (const char *at = types[key->type]; *at; ++at)
        if (*at == '@')
            print_part(out, key, *++at);
        else
            print(out, "%c", *at);
}

static void print_property(const struct scree_schema_text *out, const struct scree_key *key)
{
    scree_schema_text_string(out, key->name);
    print(out, ": {\"allOf\": [");
    print_type(out, key);
    print(out, "], \"description\": ");
    scree_schema_text_string(out, key->about);
    print(out, "}");
}

// Requires a key; a flag must also be true.
static void print_required(const struct scree_schema_text *out, const struct scree_key *key)
{
    print(out, "{\"required\": [\"%s\"]", key->name);
    if (key->type == SCREE_KEY_FLAG)
        print(out, ", \"properties\": {\"%s\": {\"not\": {\"const\": false}}}", key->name);
    print(out, "}");
}

// Writes the keys that a key requires, one of several, and those that it excludes.
static void print_constraints_of(const struct scree_schema_text *out, enum scree_key_id key)
{
    for (int with = 0; with < 2; ++with) {
        size_t count = 0;
        for (const struct scree_key_constraint *constraint = scree_key_constraints;
             constraint->key != constraint->other; ++constraint) {
            if (constraint->key != key || constraint->with != with)
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

static void print_constraints(const struct scree_schema_text *out, enum scree_section section)
{
    size_t count = 0;
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key_constraint *constraint = scree_key_constraints;
        while (constraint->key != constraint->other && constraint->key != k)
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

// Writes the keys of a section with a flag: as bare names, or each as a required key.
static void print_flagged(const struct scree_schema_text *out, enum scree_section section, unsigned flag,
                          const char *before, bool bare, const char *after)
{
    size_t count = 0;
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        if (scree_key_rows[k].section == section && scree_key_rows[k].flags & flag) {
            print(out, "%s", count++ > 0 ? ", " : before);
            if (bare)
                print(out, "\"%s\"", scree_key_rows[k].name);
            else
                print_required(out, &scree_key_rows[k]);
        }
    print(out, "%s", count > 0 ? after : "");
}

static void print_section(const struct scree_schema_text *out, enum scree_section section)
{
    size_t count = 0;
    print(out, "{\"type\": \"object\", \"description\": ");
    scree_schema_text_string(out, scree_key_sections[section].about);
    print(out, ", \"properties\": {");
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        if (scree_key_rows[k].section == section) {
            print(out, count++ > 0 ? ", " : "");
            print_property(out, &scree_key_rows[k]);
        }
    scree_schema_tables_properties(out, section);
    print(out, "}");
    print_flagged(out, section, SCREE_KEY_NEEDED, ", \"required\": [", true, "]");
    print_flagged(out, section, SCREE_KEY_ONE, ", \"oneOf\": [", false, "]");
    print_flagged(out, section, SCREE_KEY_SOME, ", \"anyOf\": [", false, "]");
    print_constraints(out, section);
    scree_schema_tables_rules(out, section);
    print(out, ", \"additionalProperties\": false}");
}

void scree_schema_write(scree_text_function *write, void *user)
{
    const struct scree_schema_text out = {write, user};
    print(&out,
          "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n \"title\": \"Scree scene\",\n");
    print(&out, " \"$ref\": \"#/$defs/scene\",\n \"$defs\": {\n");
    for (size_t s = 0; s < SCREE_SECTIONS; ++s) {
        print(&out, "  \"%s\": ", scree_key_sections[s].key);
        print_section(&out, (enum scree_section)s);
        print(&out, "%s\n", s + 1 < SCREE_SECTIONS ? "," : "");
    }
    scree_schema_text_units(&out);
    print(&out, "\n }}\n");
}
