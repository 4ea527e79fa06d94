// The JSON schema of scenes, see schema.h.

#include "language/schema.h"

#include "language/key.h"
#include "language/schema_brought.h"
#include "language/schema_text.h"

#include <math.h>
#include <string.h>

#define print scree_schema_text_print

// Numbers may be texts: with a unit, or made from variables. Some may be a word.
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

static void print_array(const struct scree_schema_text *out, const struct scree_key *key, int least, int most)
{
    print(out, "{\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": ", least, most);
    print_number(out, key, "number");
    print(out, "}");
}

static void print_names(const struct scree_schema_text *out, const struct scree_key *key)
{
    const char *const *words = scree_key_words(key->of);
    print(out, "{\"type\": \"array\", \"minItems\": %g, \"maxItems\": %g, \"items\": ", key->least,
          key->most);
    if (words)
        scree_schema_text_words(out, words);
    else
        scree_schema_text_any(out);
    print(out, "}");
}

static void print_section_name(const struct scree_schema_text *out, const char *of)
{
    print(out, "{\"$ref\": \"#/$defs/%s\"}", of);
}

// What may stand under a key.
static void print_type(const struct scree_schema_text *out, const struct scree_key *key)
{
    static const char *const flags[] = {"true", "false", "yes", "no", NULL};
    switch (key->type) {
    case SCREE_KEY_NUMBER:
    case SCREE_KEY_MEASURED:
        print_number(out, key, "number");
        break;
    case SCREE_KEY_PACE:
        print(out, "{\"anyOf\": [");
        print_number(out, key, "number");
        print(out, ", ");
        scree_schema_text_steps(out);
        print(out, "]}");
        break;
    case SCREE_KEY_WHOLE:
        print_number(out, key, "integer");
        break;
    case SCREE_KEY_SIZE:
        print(out, "{\"anyOf\": [");
        print_number(out, key, "number");
        print(out, ", ");
        print_section_name(out, key->of);
        print(out, "]}");
        break;
    case SCREE_KEY_COLUMNS:
        print(out, "{\"type\": \"array\", \"minItems\": %g, \"maxItems\": %g, \"items\": {\"anyOf\": [",
              key->least, key->most);
        scree_schema_brought_columns(out);
        print(out, ", ");
        print_section_name(out, key->of);
        print(out, "]}}");
        break;
    case SCREE_KEY_COMPARISON:
        print(out, "{\"anyOf\": [");
        scree_schema_text_comparison(out);
        print(out, ", ");
        print_section_name(out, key->of);
        print(out, "]}");
        break;
    case SCREE_KEY_FLAG:
        print(out, "{\"anyOf\": [{\"type\": \"boolean\"}, ");
        scree_schema_text_words(out, flags);
        print(out, "]}");
        break;
    case SCREE_KEY_WORD:
        scree_schema_text_words(out, scree_key_words(key->of));
        break;
    case SCREE_KEY_NAMES:
        print_names(out, key);
        break;
    case SCREE_KEY_SOME_NAMES:
        print(out, "{\"anyOf\": [");
        scree_schema_text_any(out);
        print(out, ", ");
        print_names(out, key);
        print(out, "]}");
        break;
    case SCREE_KEY_SOME_PATHS:
        print(out, "{\"anyOf\": [");
        scree_schema_text_path(out);
        print(out, ", {\"type\": \"array\", \"items\": ");
        scree_schema_text_path(out);
        print(out, "}]}");
        break;
    case SCREE_KEY_PATH:
        scree_schema_text_path(out);
        break;
    case SCREE_KEY_SOME_WHOLES:
        print(out, "{\"anyOf\": [");
        print_number(out, key, "integer");
        print(out, ", {\"type\": \"array\", \"minItems\": 1, \"items\": ");
        print_number(out, key, "integer");
        print(out, "}]}");
        break;
    case SCREE_KEY_VECTOR:
        print_array(out, key, 2, 3);
        break;
    case SCREE_KEY_PAIR:
        print_array(out, key, 2, 2);
        break;
    case SCREE_KEY_QUADRUPLE:
        print_array(out, key, 4, 4);
        break;
    case SCREE_KEY_BOX:
        print(out, "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": ");
        print_array(out, key, 2, 3);
        print(out, "}");
        break;
    case SCREE_KEY_TABLE:
        print(out,
              "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", \"prefixItems\": [");
        print_number(out, key, "number");
        print(out, ", {\"type\": [\"number\", \"string\"], \"minimum\": 0, \"maximum\": 1, ");
        scree_schema_text_unit(out, "", "");
        print(out, "}], \"minItems\": 2, \"maxItems\": 2}}");
        break;
    case SCREE_KEY_SECTION:
        print_section_name(out, key->of);
        break;
    case SCREE_KEY_LIST:
        print(out, "{\"type\": \"array\", \"items\": ");
        print_section_name(out, key->of);
        print(out, "}");
        break;
    case SCREE_KEY_LIST_OR_ONE:
        print(out, "{\"anyOf\": [{\"type\": \"array\", \"items\": ");
        print_section_name(out, key->of);
        print(out, "}, ");
        print_section_name(out, key->of);
        print(out, "]}");
        break;
    case SCREE_KEY_MAP:
        print(out, "{\"type\": \"object\", \"additionalProperties\": ");
        print_section_name(out, key->of);
        print(out, "}");
        break;
    case SCREE_KEY_VARIABLES:
        print(out, "{\"type\": \"object\", \"propertyNames\": {\"pattern\": "
                   "\"^[A-Za-z_][A-Za-z_0-9]{0,62}$\"}, \"additionalProperties\": ");
        scree_schema_text_any(out);
        print(out, "}");
        break;
    default:
        if (!scree_schema_brought_type(out, key))
            scree_schema_text_any(out);
    }
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

// A key that must be there; a flag counts if it is true.
static void print_demand(const struct scree_schema_text *out, const struct scree_key *key)
{
    print(out, "{\"required\": [\"%s\"]", key->name);
    if (key->type == SCREE_KEY_FLAG)
        print(out, ", \"properties\": {\"%s\": {\"not\": {\"const\": false}}}", key->name);
    print(out, "}");
}

// What goes with a key, and what does not; one of several that it goes with will do.
static void print_ties_of(const struct scree_schema_text *out, enum scree_key_id key)
{
    for (int with = 0; with < 2; ++with) {
        size_t count = 0;
        for (const struct scree_key_tie *tie = scree_key_ties; tie->key != tie->other; ++tie) {
            if (tie->key != key || tie->with != with)
                continue;
            const char *name = scree_key_rows[tie->other].name;
            if (with)
                print(out, "%s{\"required\": [\"%s\"]}", count++ > 0 ? ", " : ", \"anyOf\": [", name);
            else
                print(out, "%s\"%s\": false", count++ > 0 ? ", " : ", \"properties\": {", name);
        }
        print(out, count == 0 ? "" : with ? "]" : "}");
    }
}

static void print_ties(const struct scree_schema_text *out, enum scree_section section)
{
    size_t count = 0;
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key_tie *tie = scree_key_ties;
        while (tie->key != tie->other && tie->key != k)
            ++tie;
        if (scree_key_rows[k].section != section || tie->key == tie->other)
            continue;
        print(out, "%s\"%s\": {\"type\": \"object\"", count++ > 0 ? ", " : ", \"dependentSchemas\": {",
              scree_key_rows[k].name);
        print_ties_of(out, (enum scree_key_id)k);
        print(out, "}");
    }
    print(out, count > 0 ? "}" : "");
}

// The names of a section's keys that have a flag: bare, or each as a demand of its own.
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
                print_demand(out, &scree_key_rows[k]);
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
    scree_schema_brought_properties(out, section);
    print(out, "}");
    print_flagged(out, section, SCREE_KEY_NEEDED, ", \"required\": [", true, "]");
    print_flagged(out, section, SCREE_KEY_ONE, ", \"oneOf\": [", false, "]");
    print_flagged(out, section, SCREE_KEY_SOME, ", \"anyOf\": [", false, "]");
    print_ties(out, section);
    scree_schema_brought_rules(out, section);
    print(out, ", \"additionalProperties\": false}");
}

void scree_schema_write(scree_text_function *write, void *user)
{
    const struct scree_schema_text out = {write, user};
    print(&out, "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n \"title\": \"A scene of "
                "Scree\",\n");
    print(&out, " \"$ref\": \"#/$defs/scene\",\n \"$defs\": {\n");
    for (size_t s = 0; s < SCREE_SECTIONS; ++s) {
        print(&out, "  \"%s\": ", scree_key_sections[s].key);
        print_section(&out, (enum scree_section)s);
        print(&out, "%s\n", s + 1 < SCREE_SECTIONS ? "," : "");
    }
    scree_schema_text_units(&out);
    print(&out, "\n }}\n");
}
