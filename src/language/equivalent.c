// Finds the key for a word of another program, see check.h.

#include "language/check.h"
#include "language/law_keys.h"

#include <string.h>
#include <strings.h>

const struct scree_equivalent scree_equivalent_rows[] = {
#define EQUIVALENT(section, key, pfc, lammps, yade) {section, key, {pfc, lammps, yade}},
#include "language/equivalent.def"
#undef EQUIVALENT
    {NULL, NULL, {NULL}}};

enum { PROGRAMS = 3 };

static const char *const programs[PROGRAMS] = {"PFC", "LAMMPS", "Yade"};

// One name in the text of a row, without the remark in brackets. Commas and semicolons separate the names.
struct program_name {
    const char *text;
    size_t length;
};

static bool next_name(const char **at, struct program_name *name)
{
    *at += strspn(*at, ",; ");
    name->text = *at;
    *at += strcspn(*at, ",;");
    name->length = (size_t)(*at - name->text);
    const char *bracket = memchr(name->text, '(', name->length);
    name->length = bracket ? (size_t)(bracket - name->text) : name->length;
    while (name->length > 0 && name->text[name->length - 1] == ' ')
        --name->length;
    return name->length > 0;
}

// Returns true if the last word of a name is `word`, as in "ball attribute density" and `density`.
static bool ends_with(const struct program_name *name, const char *word)
{
    const size_t length = strlen(word);
    if (length < 2 || length > name->length ||
        strncasecmp(name->text + name->length - length, word, length) != 0)
        return false;
    return length == name->length || strchr(" ./", name->text[name->length - length - 1]);
}

// Returns true if the row's key is a key of the section, or a parameter of the contact's law.
static bool is_known(struct scree_reading *reading, const struct scree_node *map, enum scree_section section,
                     const struct scree_equivalent *row)
{
    bool wrong;
    if (row->section[0] && strcmp(row->section, scree_key_sections[section].name) != 0)
        return false;
    return scree_key_find(section, row->key) ||
           (section == SCREE_SECTION_contact &&
            scree_law_keys_find(scree_law_keys_law(reading, map, &wrong), row->key, NULL));
}

// Finds the row with a name that ends with `word`, for this section or, if `any`, for all sections. `name`
// and `program` get the name and its program.
static const struct scree_equivalent *find(struct scree_reading *reading, const struct scree_node *map,
                                           enum scree_section section, bool any, const char *word,
                                           struct program_name *name, int *program)
{
    for (const struct scree_equivalent *row = scree_equivalent_rows; row->key; ++row)
        for (*program = 0; *program < PROGRAMS; ++*program)
            for (const char *at = row->name[*program]; next_name(&at, name);)
                if (ends_with(name, word) &&
                    (any ? row->section[0] != 0 : is_known(reading, map, section, row)))
                    return row;
    return NULL;
}

static bool is_key(const char *name)
{
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        if (strcmp(scree_key_rows[k].name, name) == 0)
            return true;
    return false;
}

static const char liggghts_mark[] = " (LIGGGHTS)";

// Returns true if a name exists in LIGGGHTS only: the last name before a semicolon has the mark.
static bool is_of_liggghts(const struct program_name *name)
{
    const size_t length = strcspn(name->text, ";"), mark = strlen(liggghts_mark);
    return length >= mark && strncmp(name->text + length - mark, liggghts_mark, mark) == 0;
}

bool scree_equivalent_report(struct scree_reading *reading, const struct scree_node *map,
                             const struct scree_node *name, enum scree_section section)
{
    struct program_name found;
    int program;
    const struct scree_equivalent *row = find(reading, map, section, false, name->text, &found, &program);
    if (!row && !is_key(name->text))
        row = find(reading, map, section, true, name->text, &found, &program);
    if (!row)
        return false;
    // a remark in brackets is part of the name shown, unless it is the mark
    const char *end = found.text + found.length;
    const bool remark = strncmp(end, " (", 2) == 0 && strncmp(end, liggghts_mark, strlen(liggghts_mark)) != 0;
    if (remark)
        end += strcspn(end, ")") + 1;
    scree_reading_report(reading, name, "%s has no key '%.60s': '%.*s' of %s is the key '%s' of %s",
                         scree_key_sections[section].name, name->text, (int)(end - found.text), found.text,
                         is_of_liggghts(&found) ? "LIGGGHTS" : programs[program], row->key,
                         row->section[0] ? row->section : scree_key_sections[section].name);
    return true;
}
