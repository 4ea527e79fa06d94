// The JSON schema of scenes, see schema.h.

#include "language/schema.h"

#include "language/key.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct out {
    scree_text_function *write;
    void *user;
};

static void print(const struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void print(const struct out *out, const char *format, ...)
{
    char text[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    out->write(out->user, text);
}

static void print_string(const struct out *out, const char *text)
{
    print(out, "\"");
    for (; *text; ++text)
        print(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    print(out, "\"");
}

// Numbers may be texts: with a unit, or made from variables.
static void print_number(const struct out *out, const struct scree_key *key, const char *type)
{
    print(out, "{\"type\": [\"%s\", \"string\"]", type);
    if (!isinf(key->least))
        print(out, ", \"%s\": %.17g", key->flags & SCREE_KEY_ABOVE ? "exclusiveMinimum" : "minimum",
              key->least);
    if (!isinf(key->most))
        print(out, ", \"%s\": %.17g", key->flags & SCREE_KEY_BELOW ? "exclusiveMaximum" : "maximum",
              key->most);
    print(out, "}");
}

static void print_words(const struct out *out, const char *const *words)
{
    print(out, "{\"anyOf\": [{\"enum\": [");
    for (size_t w = 0; words[w]; ++w) {
        print(out, w > 0 ? ", " : "");
        print_string(out, words[w]);
    }
    print(out, "]}, {\"type\": \"string\", \"pattern\": \"[$][{]\"}]}");
}

static void print_array(const struct out *out, const struct scree_key *key, int least, int most)
{
    print(out, "{\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": ", least, most);
    print_number(out, key, "number");
    print(out, "}");
}

static void print_names(const struct out *out, const struct scree_key *key)
{
    const char *const *words = scree_key_words(key->of);
    print(out, "{\"type\": \"array\", \"minItems\": %g, \"maxItems\": %g, \"items\": ", key->least,
          key->most);
    if (words)
        print_words(out, words);
    else
        print(out, "{\"type\": \"string\"}");
    print(out, "}");
}

static void print_section_name(const struct out *out, const char *of)
{
    print(out, "{\"$ref\": \"#/$defs/%s\"}", of);
}

// What may stand under a key.
static void print_type(const struct out *out, const struct scree_key *key)
{
    switch (key->type) {
    case SCREE_KEY_NUMBER:
    case SCREE_KEY_PACE:
        print_number(out, key, "number");
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
        print_words(out, scree_key_words(key->of));
        print(out, ", ");
        print_section_name(out, key->of);
        print(out, "]}}");
        break;
    case SCREE_KEY_COMPARISON:
        print(out, "{\"anyOf\": [{\"type\": \"string\", \"pattern\": \"[<>]\"}, ");
        print_section_name(out, key->of);
        print(out, "]}");
        break;
    case SCREE_KEY_FLAG:
        print(out, "{\"type\": [\"boolean\", \"string\"]}");
        break;
    case SCREE_KEY_WORD:
        print_words(out, scree_key_words(key->of));
        break;
    case SCREE_KEY_NAMES:
        print_names(out, key);
        break;
    case SCREE_KEY_SOME_NAMES:
        print(out, "{\"anyOf\": [{\"type\": \"string\"}, ");
        print_names(out, key);
        print(out, "]}");
        break;
    case SCREE_KEY_SOME_PATHS:
        print(out, "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": "
                   "\"string\"}}]}");
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
        print(out,
              ", {\"type\": [\"number\", \"string\"], \"minimum\": 0, \"maximum\": 1}], \"minItems\": 2, "
              "\"maxItems\": 2}}");
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
        print(out, "{\"type\": \"object\", \"additionalProperties\": {\"type\": [\"number\", \"string\"]}}");
        break;
    default:
        print(out, "{\"type\": [\"string\", \"number\"]}");
    }
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

// A key that must be there; a flag counts if it is true.
static void print_demand(const struct out *out, const struct scree_key *key)
{
    print(out, "{\"required\": [\"%s\"]", key->name);
    if (key->type == SCREE_KEY_FLAG)
        print(out, ", \"properties\": {\"%s\": {\"not\": {\"const\": false}}}", key->name);
    print(out, "}");
}

// The names of a section's keys that have a flag: bare, or each as a demand of its own.
static void print_flagged(const struct out *out, enum scree_section section, unsigned flag,
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
    print(out, "}");
    print_flagged(out, section, SCREE_KEY_NEEDED, ", \"required\": [", true, "]");
    print_flagged(out, section, SCREE_KEY_ONE, ", \"oneOf\": [", false, "]");
    print_flagged(out, section, SCREE_KEY_SOME, ", \"anyOf\": [", false, "]");
    // laws bring keys of their own
    print(out, ", \"additionalProperties\": %s}", section == SCREE_SECTION_contact ? "true" : "false");
}

void scree_schema_write(scree_text_function *write, void *user)
{
    const struct out out = {write, user};
    print(&out, "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n \"title\": \"A scene of "
                "Scree\",\n");
    print(&out, " \"$ref\": \"#/$defs/scene\",\n \"$defs\": {\n");
    for (size_t s = 0; s < SCREE_SECTIONS; ++s) {
        print(&out, "  \"%s\": ", scree_key_sections[s].key);
        print_section(&out, (enum scree_section)s);
        print(&out, "%s\n", s + 1 < SCREE_SECTIONS ? "," : "");
    }
    print(&out, " }}\n");
}
