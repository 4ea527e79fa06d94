// Contact laws, integration schemes and the parameters of laws in the schema, see schema.h.

#include "language/law_keys.h"
#include "language/schema.h"
#include "law/law.h"

#include <scree/soft.h>

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
bool scree_schema_named_choice(const struct scree_schema_out *out, const struct scree_key *key)
{
    const enum scree_key_id id = (enum scree_key_id)(key - scree_key_rows);
    const char *names[SCREE_SCHEMA_NAMES + 1] = {scree_key_special(id)};
    for (size_t n = 1; n < SCREE_SCHEMA_NAMES && choice_at(id, n - 1); ++n)
        names[n] = choice_at(id, n - 1);
    if (names[1])
        scree_schema_choice(out, names);
    return names[1] != NULL;
}

static void print_parameter(const struct scree_schema_out *out, const struct scree_law_parameter *parameter)
{
    scree_schema_string(out, parameter->name);
    scree_schema_print(out, ": ");
    if (parameter->choices) {
        scree_schema_choice(out, parameter->choices);
        return;
    }
    scree_schema_print(out, "{\"type\": [\"number\", \"string\"]");
    // a tiny lower bound means "above 0", a huge upper bound means "unbounded"
    if (parameter->least > 0 && parameter->least < 1e-100)
        scree_schema_print(out, ", \"exclusiveMinimum\": 0");
    else if (parameter->least > -1e100)
        scree_schema_print(out, ", \"minimum\": %.17g", parameter->least);
    if (parameter->most < 1e100)
        scree_schema_print(out, ", \"maximum\": %.17g", parameter->most);
    scree_schema_print(out, ", ");
    scree_schema_unit(out, parameter->unit, parameter->unit);
    scree_schema_print(out, "}");
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
void scree_schema_parameter_names(const struct scree_schema_out *out)
{
    const struct scree_law_parameter *parameter;
    for (size_t l = 0; scree_law_at(l); ++l)
        for (size_t p = 0; (parameter = scree_law_keys_at(scree_law_at(l), p)); ++p) {
            if (is_declared(l, parameter->name))
                continue;
            scree_schema_print(out, ", ");
            scree_schema_string(out, parameter->name);
            scree_schema_print(out, ": {\"description\": ");
            scree_schema_string(out, parameter->about);
            scree_schema_print(out, "}");
        }
}

// Writes the rule of a law: its parameters, and which are required; null for the reserved word `none`.
static void print_law(const struct scree_schema_out *out, const struct scree_contact_law *law)
{
    const struct scree_law_parameter *parameter;
    scree_schema_print(
        out,
        "{\"if\": {\"properties\": {\"law\": {\"const\": \"%s\"}}, \"required\": [\"law\"]}, \"then\": {",
        law ? law->name : scree_key_special(SCREE_KEY_contact_law));
    scree_schema_print(out, "\"required\": [\"law\"");
    for (size_t p = 0; (parameter = scree_law_keys_at(law, p)); ++p)
        if (parameter->required)
            scree_schema_print(out, ", \"%s\"", parameter->name);
    scree_schema_print(out, "], \"properties\": {");
    for (size_t p = 0; (parameter = scree_law_keys_at(law, p)); ++p) {
        scree_schema_print(out, p > 0 ? ", " : "");
        print_parameter(out, parameter);
    }
    scree_schema_print(out, "}, \"propertyNames\": {\"enum\": [\"between\", \"law\"");
    for (size_t p = 0; (parameter = scree_law_keys_at(law, p)); ++p)
        scree_schema_print(out, ", \"%s\"", parameter->name);
    scree_schema_print(out, "]}}}");
}

void scree_schema_laws(const struct scree_schema_out *out)
{
    scree_schema_print(out, ", \"allOf\": [");
    print_law(out, NULL);
    for (size_t l = 0; scree_law_at(l); ++l) {
        scree_schema_print(out, ", ");
        print_law(out, scree_law_at(l));
    }
    scree_schema_print(out, "]");
}
