// The parameters of contact laws as keys of a scene, see law_keys.h.

#include "language/law_keys.h"

#include "contact/rule.h"
#include "language/absent.h"
#include "law/law.h"

#include <string.h>

const struct scree_contact_law *scree_law_keys_law(struct scree_reading *reading,
                                                   const struct scree_node *contact, bool *wrong)
{
    const char *name;
    struct scree_suggestion known = {.wanted = ""};
    *wrong = !scree_reading_has(contact, SCREE_KEY_contact_law) ||
             !scree_reading_text(reading, contact, SCREE_KEY_contact_law, &name);
    if (*wrong || scree_reading_is_special(SCREE_KEY_contact_law, name))
        return NULL;
    known.wanted = name;
    for (size_t l = 0; scree_law_at(l); ++l) {
        if (strcmp(scree_law_at(l)->name, name) == 0)
            return scree_law_at(l);
        scree_suggestion_add(&known, scree_law_at(l)->name);
    }
    *wrong = true;
    const struct scree_absent *absent = scree_absent_find(name);
    if (absent) {
        scree_reading_report(reading, scree_reading_node(contact, SCREE_KEY_contact_law),
                             "there is no contact law '%.60s': Scree has no %s yet; instead: %s", name,
                             absent->what, absent->advice);
        return NULL;
    }
    scree_reading_report(reading, scree_reading_node(contact, SCREE_KEY_contact_law),
                         "there is no contact law '%.60s'%s known laws: %.200s", name,
                         scree_suggestion_hint(&known, ";"), known.text);
    return NULL;
}

// Resistance and lever arms are of forces; a collision has none. The law 'none' has the keys of any other.
static bool law_has_extras(const struct scree_contact_law *law)
{
    return !law || law->force;
}

const struct scree_law_parameter *scree_law_keys_at(const struct scree_contact_law *law, size_t index)
{
    size_t count = 0;
    while (law && law->parameters[count].name)
        ++count;
    if (index < count)
        return &law->parameters[index];
    return law_has_extras(law) && index - count < SCREE_RULE_EXTRAS ? &scree_law_extras[index - count] : NULL;
}

const struct scree_law_parameter *scree_law_keys_find(const struct scree_contact_law *law, const char *name,
                                                      struct scree_suggestion *known)
{
    const struct scree_law_parameter *parameter;
    for (size_t p = 0; (parameter = scree_law_keys_at(law, p)); ++p) {
        if (strcmp(parameter->name, name) == 0)
            return parameter;
        if (known)
            scree_suggestion_add(known, parameter->name);
    }
    return NULL;
}

bool scree_law_keys_read(struct scree_values *values, const struct scree_node *node,
                         const struct scree_law_parameter *parameter, struct scree_interaction_value *value)
{
    const struct scree_value_rule rule = {
        .name = parameter->name, .unit = parameter->unit, .least = parameter->least, .most = parameter->most};
    size_t word;
    *value = (struct scree_interaction_value){.name = parameter->name};
    if (!parameter->choices)
        return scree_value_number(values, node, &rule, &value->number);
    if (!scree_value_word(values, node, parameter->name, parameter->choices, &word))
        return false;
    value->word = parameter->choices[word];
    return true;
}
