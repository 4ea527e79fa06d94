// Finds the right place of a misplaced key, see misplaced_key.h.

#include "language/misplaced_key.h"

#include <string.h>

enum { DEEPEST = 4 };

// Searches the sections within a map for a key; `owner` gets the key whose value has it.
static const struct scree_key *find_inside(const struct scree_node *map, enum scree_section section,
                                           const char *name, int depth, const struct scree_key **owner)
{
    for (size_t k = 0; map->kind == SCREE_NODE_MAP && k < map->count; ++k) {
        const struct scree_key *key = scree_key_find(section, map->item[2 * k]->text);
        const enum scree_section child = key ? scree_key_child_section(key) : SCREE_SECTIONS;
        // lists and maps of names have several entries: which one is meant is unknown
        if (child == SCREE_SECTIONS || key->type == SCREE_KEY_MAP || key->type == SCREE_KEY_LIST ||
            key->type == SCREE_KEY_COLUMNS)
            continue;
        const struct scree_key *found = scree_key_find(child, name);
        *owner = key;
        if (!found && depth < DEEPEST)
            found = find_inside(map->item[2 * k + 1], child, name, depth + 1, owner);
        if (found)
            return found;
    }
    return NULL;
}

// Searches the sections around a section for a key; `owner` gets the key whose value is the section.
static const struct scree_key *find_beside(enum scree_section section, const char *name,
                                           const struct scree_key **owner)
{
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        *owner = &scree_key_rows[k];
        if (scree_key_child_section(*owner) != section)
            continue;
        const struct scree_key *found = scree_key_find((*owner)->section, name);
        if (found)
            return found;
    }
    return NULL;
}

// Searches the sections that a section can have but does not have here. The key must be in only one of them;
// at top level the first one counts.
static const struct scree_key *find_absent(enum scree_section section, const char *name,
                                           const struct scree_key **owner)
{
    const struct scree_key *first = NULL;
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key *row = &scree_key_rows[k];
        if (row->section != section || row->type != SCREE_KEY_SECTION)
            continue;
        const struct scree_key *found = scree_key_find(scree_key_section(row->of), name);
        if (found && first)
            return section == SCREE_SECTION_scene ? first : NULL;
        if (found) {
            first = found;
            *owner = row;
        }
    }
    return first;
}

bool scree_misplaced_key_report(struct scree_reading *reading, const struct scree_node *map,
                                const struct scree_node *name, enum scree_section section)
{
    const struct scree_key *owner, *key = find_inside(map, section, name->text, 1, &owner);
    if (!key)
        key = find_absent(section, name->text, &owner);
    if (key) {
        scree_diagnostic_add(&reading->diagnostics, &name->place, "'%s' belongs to %s, as in `%s: {%s}`",
                             key->name, scree_key_sections[key->section].name, owner->name, key->example);
        return true;
    }
    key = find_beside(section, name->text, &owner);
    if (key)
        scree_diagnostic_add(&reading->diagnostics, &name->place,
                             "%s has no key '%s': put it beside '%s', not inside, as in `%s`",
                             scree_key_sections[section].name, key->name, owner->name, key->example);
    return key != NULL;
}
