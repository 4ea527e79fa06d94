// Schema parts from tables other than that of keys, see schema_tables.h.

#include "language/schema_tables.h"

#include "language/law_keys.h"
#include "law/law.h"
#include "measure/column.h"

#include <scree/soft.h>

#include <string.h>

#define print scree_schema_text_print

enum { NAMES = 256 };

// --- laws

// Returns law `index` of a key that names a law; null past the last and for other keys.
static const char *law_name(enum scree_key_id key, size_t index)
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

bool scree_schema_tables_type(const struct scree_schema_text *out, const struct scree_key *key)
{
    const enum scree_key_id id = (enum scree_key_id)(key - scree_key_rows);
    const char *names[NAMES + 1] = {scree_key_special(id)};
    for (size_t n = 1; n < NAMES && law_name(id, n - 1); ++n)
        names[n] = law_name(id, n - 1);
    if (names[1])
        scree_schema_text_words(out, names);
    return names[1] != NULL;
}

static void print_parameter(const struct scree_schema_text *out, const struct scree_law_parameter *parameter)
{
    scree_schema_text_string(out, parameter->name);
    print(out, ": ");
    if (parameter->choices) {
        scree_schema_text_words(out, parameter->choices);
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
    scree_schema_text_unit(out, parameter->unit, parameter->unit);
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
static void print_names(const struct scree_schema_text *out)
{
    const struct scree_law_parameter *parameter;
    for (size_t l = 0; scree_law_at(l); ++l)
        for (size_t p = 0; (parameter = scree_law_keys_at(scree_law_at(l), p)); ++p) {
            if (is_declared(l, parameter->name))
                continue;
            print(out, ", ");
            scree_schema_text_string(out, parameter->name);
            print(out, ": {\"description\": ");
            scree_schema_text_string(out, parameter->about);
            print(out, "}");
        }
}

// Writes the rule of a law: its parameters and those required; null for the reserved word `none`.
static void print_law(const struct scree_schema_text *out, const struct scree_contact_law *law)
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

static void print_laws(const struct scree_schema_text *out)
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
static void print_takes(const struct scree_schema_text *out, unsigned takes)
{
    static const struct {
        unsigned flags;
        const char *name;
    } keys[] = {{SCREE_COLUMN_INSIDE, "inside"},
                {SCREE_COLUMN_OF | SCREE_COLUMN_MEMBERS, "of"},
                {SCREE_COLUMN_THROUGH, "through"},
                {SCREE_COLUMN_PERCENTILE, "percentile"}};
    print(out, "\"required\": [\"measure\"");
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k)
        if (takes & keys[k].flags & SCREE_COLUMN_NEEDS)
            print(out, ", \"%s\"", keys[k].name);
    print(out, "], \"properties\": {");
    size_t count = 0;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k)
        if (!(takes & keys[k].flags))
            print(out, "%s\"%s\": false", count++ > 0 ? ", " : "", keys[k].name);
    print(out, "}");
}

void scree_schema_tables_columns(const struct scree_schema_text *out)
{
    const char *names[NAMES + 1] = {NULL};
    size_t count = 0;
    for (const struct scree_column_row *row = scree_column_rows; row->name && count < NAMES; ++row)
        if (!(row->takes & SCREE_COLUMN_NEEDS))
            names[count++] = row->name;
    scree_schema_text_words(out, names);
}

static bool is_first(const struct scree_column_row *row)
{
    for (const struct scree_column_row *other = scree_column_rows; other < row; ++other)
        if (other->takes == row->takes)
            return false;
    return true;
}

static void print_columns(const struct scree_schema_text *out)
{
    print(out, ", \"allOf\": [");
    for (const struct scree_column_row *row = scree_column_rows; row->name; ++row) {
        size_t count = 0;
        if (!is_first(row))
            continue;
        print(out, "%s{\"if\": {\"properties\": {\"measure\": {\"enum\": [",
              row > scree_column_rows ? ", " : "");
        for (const struct scree_column_row *other = row; other->name; ++other)
            if (other->takes == row->takes)
                print(out, "%s\"%s\"", count++ > 0 ? ", " : "", other->name);
        print(out, "]}}, \"required\": [\"measure\"]}, \"then\": {");
        print_takes(out, row->takes);
        print(out, "}}");
    }
    print(out, "]");
}

// --- both

void scree_schema_tables_properties(const struct scree_schema_text *out, enum scree_section section)
{
    if (section == SCREE_SECTION_contact)
        print_names(out);
}

void scree_schema_tables_rules(const struct scree_schema_text *out, enum scree_section section)
{
    if (section == SCREE_SECTION_contact)
        print_laws(out);
    else if (section == SCREE_SECTION_column || section == SCREE_SECTION_comparison)
        print_columns(out);
}
