// Reading a rule, see rule.h.

#include "contact/rule.h"

#include "base/suggestion.h"
#include "law/law.h"
#include "law/load.h"

static size_t parameters_of(const struct scree_contact_law *law)
{
    size_t count = 0;
    while (law->parameters[count].name)
        ++count;
    return count;
}

// Finds the index of a parameter; the error suggests the nearest name and lists all.
static scree_status find_parameter(const struct scree_contact_law *law, const char *name, size_t *index,
                                   const struct scree_law_parameter **parameter)
{
    struct scree_suggestion known = {.wanted = name};
    const size_t own = parameters_of(law);
    for (size_t p = 0; p < own + (law->force ? SCREE_RULE_EXTRAS : 0); ++p) {
        *parameter = p < own ? &law->parameters[p] : &scree_law_extras[p - own];
        *index = p < own ? p : SCREE_LAW_PARAMETERS + p - own;
        if (strcmp((*parameter)->name, name) == 0)
            return SCREE_OK;
        scree_suggestion_add(&known, (*parameter)->name);
    }
    if (known.renamed)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "the parameter '%s' of the contact law '%s' is called '%s' now", name,
                                 law->name, known.renamed);
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "the contact law '%s' has no parameter '%.40s': the closest name is '%s'; known "
                             "parameters are %s",
                             law->name, name, known.nearest, known.text);
}

static scree_status find_choice(const struct scree_contact_law *law,
                                const struct scree_law_parameter *parameter, const char *word, double *number)
{
    struct scree_suggestion known = {.wanted = word ? word : ""};
    for (size_t c = 0; parameter->choices[c]; ++c) {
        *number = (double)c;
        if (word && strcmp(parameter->choices[c], word) == 0)
            return SCREE_OK;
        scree_suggestion_add(&known, parameter->choices[c]);
    }
    if (!word)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "'%s' of the contact law '%s' takes a word: %s; got a number",
                                 parameter->name, law->name, known.text);
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "'%s' of the contact law '%s' cannot be '%.40s': the closest word is '%s'; "
                             "valid words are %s",
                             parameter->name, law->name, word, known.nearest, known.text);
}

static scree_status check_number(const struct scree_contact_law *law,
                                 const struct scree_law_parameter *parameter,
                                 const struct scree_interaction_value *value)
{
    const char *blank = parameter->unit[0] ? " " : "";
    if (value->word)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "'%s' of the contact law '%s' is a number from %g to %g%s%s; got the word "
                                 "'%.40s'",
                                 parameter->name, law->name, parameter->least, parameter->most, blank,
                                 parameter->unit, value->word);
    if (value->number >= parameter->least && value->number <= parameter->most)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT, "'%s' of the contact law '%s' must be from %g to %g%s%s; got %g",
        parameter->name, law->name, parameter->least, parameter->most, blank, parameter->unit, value->number);
}

// A rule that is being read, and which parameters were given so far.
struct draft {
    struct scree_rule rule;
    bool given[SCREE_RULE_PARAMETERS];
};

static scree_status read_value(const struct scree_contact_law *law,
                               const struct scree_interaction_value *value, struct draft *draft)
{
    const struct scree_law_parameter *parameter = NULL;
    size_t index = 0;
    if (!value->name)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "a value for the contact law '%s' has no name",
                                 law->name);
    SCREE_TRY(find_parameter(law, value->name, &index, &parameter));
    if (draft->given[index])
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "'%s' of the contact law '%s' is given twice",
                                 value->name, law->name);
    draft->given[index] = true;
    draft->rule.parameter[index] = value->number;
    if (parameter->choices)
        return find_choice(law, parameter, value->word, &draft->rule.parameter[index]);
    return check_number(law, parameter, value);
}

// Sets the parameters that every law has. Each friction parameter is followed by its damping, which acts
// below the friction limit, so damping without friction has no effect.
static scree_status fill_extras(const struct scree_contact_law *law, struct draft *draft)
{
    for (size_t r = 0; r < SCREE_RULE_EXTRAS; ++r) {
        const bool *given = &draft->given[SCREE_LAW_PARAMETERS + r];
        if (!given[0])
            draft->rule.parameter[SCREE_LAW_PARAMETERS + r] = scree_law_extras[r].fallback;
        else if (r < SCREE_RULE_RESISTANCES && r % 2 == 1 && !given[-1])
            return scree_status_fail(SCREE_ERROR_MISSING,
                                     "'%s' of the contact law '%s' has no effect without '%s': give both",
                                     scree_law_extras[r].name, law->name, scree_law_extras[r - 1].name);
    }
    return SCREE_OK;
}

const char *scree_rule_material(const struct scree_world *world, uint64_t material)
{
    // ids of materials are given in order and none is ever removed
    const struct scree_material *materials = (const struct scree_material *)scree_world_column(
        world, SCREE_ENTITY_MATERIAL, SCREE_MATERIAL_MATERIAL);
    return material > 0 ? materials[material - 1].name : "any material";
}

bool scree_rule_touches(const struct scree_rule *rule)
{
    return strcmp(rule->law, SCREE_LAW_NONE) != 0;
}

// Sets parameters that were not given to their defaults; fails if one is required.
static scree_status fill_defaults(const struct scree_world *world, const struct scree_contact_law *law,
                                  struct draft *draft)
{
    const size_t own = parameters_of(law);
    for (size_t p = 0; p < own; ++p) {
        const struct scree_law_parameter *parameter = &law->parameters[p];
        if (draft->given[p])
            continue;
        if (parameter->required)
            return scree_status_fail(
                SCREE_ERROR_MISSING, "the contact law '%s' between '%s' and '%s' needs '%s': %s", law->name,
                scree_rule_material(world, draft->rule.material[0]),
                scree_rule_material(world, draft->rule.material[1]), parameter->name, parameter->about);
        draft->rule.parameter[p] = parameter->fallback;
    }
    return fill_extras(law, draft);
}

static scree_status resolve_combination(const struct scree_world *world, const struct scree_contact_law *law,
                                        struct scree_rule *rule)
{
    const struct scree_law_traits *traits = scree_law_traits_of(law);
    const char *fault = traits->resolve ? traits->resolve(rule->parameter, world->dimension) : NULL;
    if (!fault)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "the contact law '%s' between '%s' and '%s': %s",
                             law->name, scree_rule_material(world, rule->material[0]),
                             scree_rule_material(world, rule->material[1]), fault);
}

scree_status scree_rule_read(const struct scree_world *world, const struct scree_interaction_def *def,
                             struct scree_rule *rule)
{
    struct draft draft = {.rule = *rule};
    const struct scree_contact_law *law;
    SCREE_TRY(scree_law_find_in(world, def->law, &law));
    if (!(law->dimensions >> world->dimension & 1))
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED, "the contact law '%s' is not defined in %s dimensions, for %s",
            law->name, world->dimension == 2 ? "two" : "three", world->dimension == 2 ? "disks" : "spheres");
    for (size_t v = 0; v < def->count; ++v)
        SCREE_TRY(read_value(law, &def->values[v], &draft));
    SCREE_TRY(fill_defaults(world, law, &draft));
    SCREE_TRY(resolve_combination(world, law, &draft.rule));
    // names of laws are shorter than this
    strncpy(draft.rule.law, law->name, sizeof draft.rule.law - 1);
    *rule = draft.rule;
    return SCREE_OK;
}
