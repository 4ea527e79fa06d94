// Checks a scene against the table of keys, see check.h.

#include "language/check.h"

#include "base/instant.h"
#include "base/suggestion.h"
#include "language/absent.h"
#include "language/columns.h"
#include "language/law_keys.h"
#include "language/reading.h"
#include "language/removed_groups.h"
#include "language/strength.h"
#include "measure/column.h"
#include "pack/region.h"
#include "pack/sizes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_VISITS = 1 << 22, MAX_DIAGNOSTICS = 10000 };

static void check_section(struct scree_reading *reading, const struct scree_node *node,
                          enum scree_section section, const char *entry_name);

// Counts a visited node; returns false after too many, since aliases can expand exponentially.
static bool may_visit(struct scree_reading *reading, const struct scree_node *node)
{
    if (++reading->visits == MAX_VISITS)
        scree_reading_report(reading, node, "the scene has too many values with its aliases expanded");
    // stop once there are too many diagnostics
    return reading->visits < MAX_VISITS && reading->diagnostics.with_duplicates < MAX_DIAGNOSTICS;
}

static void check_list(struct scree_reading *reading, const struct scree_node *node,
                       const struct scree_key *key, enum scree_section section)
{
    if (node->kind != SCREE_NODE_LIST) {
        scree_reading_expect(reading, node, key,
                             key->type == SCREE_KEY_LIST_OR_ONE ? "a map or a list of maps" : "a list");
        return;
    }
    for (size_t k = 0; k < node->count; ++k)
        check_section(reading, node->item[k], section, NULL);
}

// members of a group, and what shapes are made of, as bits
enum { BODIES = 1, WALLS = 2, PEBBLES = 1, FACES = 2, SHAPES = SCREE_KEY_CLUMP | SCREE_KEY_POLYHEDRON };
static const char *const member_kinds[] = {"bodies", "walls"};
static const char *const shape_kinds[] = {"pebbles (`clumps`)", "faces (`polyhedra`)"};

// The kind of what a key names; 0 for any.
static unsigned kind_of(const struct scree_key *key)
{
    return key->flags & SCREE_KEY_BODIES                   ? BODIES
           : key->flags & SCREE_KEY_WALLS                  ? WALLS
           : (key->flags & SHAPES) == SCREE_KEY_CLUMP      ? PEBBLES
           : (key->flags & SHAPES) == SCREE_KEY_POLYHEDRON ? FACES
                                                           : 0;
}

static void check_map(struct scree_reading *reading, const struct scree_node *node,
                      const struct scree_key *key, enum scree_section section)
{
    if (node->kind != SCREE_NODE_MAP) {
        scree_reading_expect(reading, node, key, "a map of names");
        return;
    }
    const unsigned shape = section == SCREE_SECTION_clump       ? PEBBLES
                           : section == SCREE_SECTION_polyhedra ? FACES
                                                                : 0;
    struct scree_named *defined = section == SCREE_SECTION_material ? &reading->materials
                                  : shape > 0                       ? &reading->shapes
                                                                    : NULL;
    for (size_t k = 0; k < node->count; ++k) {
        const struct scree_node *name = node->item[2 * k];
        if ((defined && scree_named_define(defined, name->text, shape) != SCREE_OK) ||
            (section == SCREE_SECTION_material_change &&
             scree_named_refer(&reading->materials, name->text, 0, &name->place) != SCREE_OK))
            reading->values.status = SCREE_ERROR_MEMORY;
        check_section(reading, node->item[2 * k + 1], section, node->item[2 * k]->text);
    }
}

// Keys of type SOME_NAMES define names of groups; all other keys refer to groups, materials or shapes.
static void check_names(struct scree_reading *reading, const struct scree_node *node,
                        const struct scree_key *key)
{
    const enum scree_key_id id = (enum scree_key_id)(key - scree_key_rows);
    const unsigned kind = kind_of(key);
    struct scree_named *named = key->flags & SCREE_KEY_MATERIAL ? &reading->materials
                                : key->flags & SHAPES           ? &reading->shapes
                                                                : &reading->groups;
    const char *text;
    const bool defines = key->type == SCREE_KEY_SOME_NAMES, alone = node->kind == SCREE_NODE_TEXT;
    for (size_t k = 0; k < (alone ? 1 : node->count); ++k) {
        const struct scree_node *item = alone ? node : node->item[k];
        if (scree_value_text(&reading->values, item, key->name, &text) &&
            !scree_reading_is_special(id, text) &&
            (defines ? scree_named_define(named, text, kind)
                     : scree_named_refer(named, text, kind, &item->place)) != SCREE_OK)
            reading->values.status = SCREE_ERROR_MEMORY;
    }
}

// Checks the map of a measurement. Its column decides whether a group under `of` is of walls or of bodies.
static void check_measurement(struct scree_reading *reading, const struct scree_node *map,
                              enum scree_section section, enum scree_key_id measure, enum scree_key_id of)
{
    const char *column, *group;
    const size_t before = reading->diagnostics.all;
    check_section(reading, map, section, NULL);
    const struct scree_node *node = scree_reading_node(map, of);
    if (reading->diagnostics.all != before || !node || !scree_reading_has(map, measure) ||
        !scree_reading_text(reading, map, measure, &column) || !scree_reading_text(reading, map, of, &group))
        return;
    const unsigned arguments = scree_column_rows[scree_column_find(column)].arguments;
    const unsigned kind = arguments & (SCREE_COLUMN_MEMBERS | SCREE_COLUMN_GRID) ? BODIES
                          : arguments & SCREE_COLUMN_OF                          ? WALLS
                                                                                 : 0;
    if (scree_named_refer(&reading->groups, group, kind, &node->place) != SCREE_OK)
        reading->values.status = SCREE_ERROR_MEMORY;
}

// Checks the keys of columns that are maps first, then all columns as measurements.
static void check_columns(struct scree_reading *reading, const struct scree_node *node,
                          const struct scree_key *key, enum scree_section section)
{
    const size_t before = reading->diagnostics.all;
    if (node->kind != SCREE_NODE_LIST) {
        scree_reading_expect(reading, node, key, "a list of columns");
        return;
    }
    for (size_t k = 0; k < node->count && may_visit(reading, node->item[k]); ++k)
        if (node->item[k]->kind == SCREE_NODE_MAP)
            check_measurement(reading, node->item[k], section, SCREE_KEY_column_measure, SCREE_KEY_column_of);
    if (reading->diagnostics.all == before)
        scree_measurement_check_columns(reading, node, key);
    if (reading->diagnostics.all == before)
        scree_columns_check(reading, node);
}

static void check_comparison(struct scree_reading *reading, const struct scree_node *node,
                             const struct scree_key *key, enum scree_section section)
{
    const size_t before = reading->diagnostics.all;
    struct scree_comparison comparison;
    if (node->kind == SCREE_NODE_MAP)
        check_measurement(reading, node, section, SCREE_KEY_comparison_measure, SCREE_KEY_comparison_of);
    if (reading->diagnostics.all == before)
        (void)scree_measurement_comparison(reading, node, key, &comparison);
}

static void check_key(struct scree_reading *reading, const struct scree_node *node,
                      const struct scree_key *key)
{
    const enum scree_section section = scree_key_section(key->set);
    const enum scree_key_type type = key->type;
    const bool map = node->kind == SCREE_NODE_MAP;
    if (type == SCREE_KEY_SECTION || (map && (type == SCREE_KEY_SIZE || type == SCREE_KEY_LIST_OR_ONE)))
        check_section(reading, node, section, NULL);
    else if (type == SCREE_KEY_LIST || type == SCREE_KEY_LIST_OR_ONE)
        check_list(reading, node, key, section);
    else if (type == SCREE_KEY_COLUMNS)
        check_columns(reading, node, key, section);
    else if (type == SCREE_KEY_COMPARISON)
        check_comparison(reading, node, key, section);
    else if (type == SCREE_KEY_MAP)
        check_map(reading, node, key, section);
    else if (scree_reading_check(reading, node, key) &&
             key->flags & (SCREE_KEY_MATERIAL | SHAPES | SCREE_KEY_BODIES | SCREE_KEY_WALLS))
        check_names(reading, node, key);
}

// --- parameters of contact laws

// Returns true if a key that is not in the table is a parameter of the contact's law; checks its value.
static bool check_law_parameter(struct scree_reading *reading, const struct scree_node *map,
                                enum scree_section section, const struct scree_node *value,
                                struct scree_suggestion *known)
{
    struct scree_interaction_value read;
    bool wrong;
    if (section != SCREE_SECTION_contact)
        return false;
    const struct scree_contact_law *law = scree_law_keys_law(reading, map, &wrong);
    const struct scree_law_parameter *parameter = scree_law_keys_find(law, known->wanted, known);
    if (parameter)
        (void)scree_law_keys_read(&reading->values, value, parameter, &read);
    // the parameters of an unknown law are unknown too
    return parameter || wrong;
}

// --- misplaced keys

enum { MAX_DEPTH = 4 };

// Searches the sections within a map for a key; `owner` gets the key of the section that has it.
static const struct scree_key *find_inside(const struct scree_node *map, enum scree_section section,
                                           const char *name, int depth, const struct scree_key **owner)
{
    for (size_t k = 0; map->kind == SCREE_NODE_MAP && k < map->count; ++k) {
        const struct scree_key *key = scree_key_find(section, map->item[2 * k]->text);
        const enum scree_section child = key ? scree_key_child_section(key) : SCREE_SECTIONS;
        // a list or a map of names can have several entries, and the right one is unknown
        if (child == SCREE_SECTIONS || key->type == SCREE_KEY_MAP || key->type == SCREE_KEY_LIST ||
            key->type == SCREE_KEY_COLUMNS)
            continue;
        const struct scree_key *found = scree_key_find(child, name);
        *owner = key;
        if (!found && depth < MAX_DEPTH)
            found = find_inside(map->item[2 * k + 1], child, name, depth + 1, owner);
        if (found)
            return found;
    }
    return NULL;
}

// Searches the sections that contain a section for a key; `owner` gets the key of the contained section.
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

// Searches all sections that a section can contain for a key; `owner` gets the key of the section that has
// it. Returns null if several have it; at top level and of engines, the first one counts.
static const struct scree_key *find_possible(enum scree_section section, const char *name,
                                             const struct scree_key **owner)
{
    const struct scree_key *first = NULL;
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key *row = &scree_key_rows[k];
        if (row->section != section || row->type != SCREE_KEY_SECTION)
            continue;
        const struct scree_key *found = scree_key_find(scree_key_section(row->set), name);
        if (found && first)
            return section == SCREE_SECTION_scene || section == SCREE_SECTION_engine ? first : NULL;
        if (found) {
            first = found;
            *owner = row;
        }
    }
    return first;
}

// Reports an unknown key that belongs to a section within this one, or to one that contains it, with the
// likely place. Returns false, without a diagnostic, if no such section has the key.
static bool report_misplaced_key(struct scree_reading *reading, const struct scree_node *map,
                                 const struct scree_node *name, enum scree_section section)
{
    const struct scree_key *owner, *key = find_inside(map, section, name->text, 1, &owner);
    if (!key)
        key = find_possible(section, name->text, &owner);
    if (key) {
        scree_reading_report(reading, name, "'%s' belongs to %s, as in `%s: {%s}`", key->name,
                             scree_key_sections[key->section].name, owner->name, key->example);
        return true;
    }
    key = find_beside(section, name->text, &owner);
    if (key)
        scree_reading_report(reading, name, "%s has no key '%s': put it beside '%s', not inside, as in `%s`",
                             scree_key_sections[section].name, key->name, owner->name, key->example);
    return key != NULL;
}

// --- sections

static void report_unknown_key(struct scree_reading *reading, const struct scree_node *map,
                               const struct scree_node *key, enum scree_section section,
                               struct scree_suggestion *known)
{
    const struct scree_absent *absent = scree_absent_find(key->text);
    if (report_misplaced_key(reading, map, key, section))
        return;
    if (absent) {
        scree_reading_report(reading, key, "%s has no key '%.60s': Scree has no %s yet; instead: %s",
                             scree_key_sections[section].name, key->text, absent->what, absent->advice);
        return;
    }
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        if (scree_key_rows[k].section == section)
            scree_suggestion_add(known, scree_key_rows[k].name);
    const char *best = scree_suggestion_best(known);
    // a typing error of one letter is likelier than a key of another program
    if (!known->renamed && (!best || known->distance > 1) &&
        scree_equivalent_report(reading, map, key, section))
        return;
    if (known->renamed || best)
        scree_reading_report(reading, key, "%s has no key '%.60s'%s", scree_key_sections[section].name,
                             key->text, scree_suggestion_hint(known, ""));
    else
        scree_reading_report(reading, key, "%s has no key '%.60s'; its keys are %.250s",
                             scree_key_sections[section].name, key->text, known->text);
}

static void check_needed_keys(struct scree_reading *reading, const struct scree_node *node,
                              enum scree_section section, const char *entry_name)
{
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key *key = &scree_key_rows[k];
        if (key->section != section || !(key->flags & SCREE_KEY_NEEDED) ||
            scree_reading_has(node, (enum scree_key_id)k))
            continue;
        const enum scree_key_id unless = scree_key_unless((enum scree_key_id)k);
        if (unless == SCREE_KEYS || !scree_reading_has(node, unless))
            scree_reading_report(reading, node, "%s%s%s%s needs '%s', as in `%s`",
                                 scree_key_sections[section].name, entry_name ? " '" : "",
                                 entry_name ? entry_name : "", entry_name ? "'" : "", key->name,
                                 key->example);
    }
}

// Counts the keys with a flag that are given, -1 if the section has none, and lists all keys with the flag. A
// key of type FLAG that is false counts as not given.
static int count_flagged(struct scree_reading *reading, const struct scree_node *node,
                         enum scree_section section, unsigned flag, struct scree_suggestion *choices)
{
    int given = -1;
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key *key = &scree_key_rows[k];
        bool has = scree_reading_has(node, (enum scree_key_id)k);
        if (key->section != section || !(key->flags & flag))
            continue;
        if (has && key->type == SCREE_KEY_FLAG)
            (void)scree_reading_flag(reading, node, (enum scree_key_id)k, &has);
        scree_suggestion_add(choices, key->name);
        given = (given < 0 ? 0 : given) + has;
    }
    return given;
}

// Returns whether a flag is among the keys of which a section needs at least one.
static bool takes_flag(enum scree_section section)
{
    bool any = false;
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        any = any || (scree_key_rows[k].section == section && scree_key_rows[k].flags & SCREE_KEY_SOME &&
                      scree_key_rows[k].type == SCREE_KEY_FLAG);
    return any;
}

// Checks that required keys are given. `valid`: the section had no diagnostics.
static void check_required_keys(struct scree_reading *reading, const struct scree_node *node,
                                enum scree_section section, const char *entry_name, bool valid)
{
    struct scree_suggestion one = {.wanted = ""}, some = {.wanted = ""};
    const char *name = scree_key_sections[section].name;
    check_needed_keys(reading, node, section, entry_name);
    const int choices = count_flagged(reading, node, section, SCREE_KEY_ONE, &one);
    if (choices >= 0 && choices != 1)
        scree_reading_report(reading, node, "%s needs exactly one of %s", name, one.text);
    if (valid && count_flagged(reading, node, section, SCREE_KEY_SOME, &some) == 0)
        scree_reading_report(reading, node, "%s needs at least one of %s%s", name, some.text,
                             takes_flag(section) ? " (false does not count)" : "");
}

// Reports a key whose required key is missing, or whose excluded key is given.
static void check_constraint(struct scree_reading *reading, const struct scree_node *map,
                             const struct scree_node *name, enum scree_key_id key)
{
    const struct scree_key_constraint *constraint;
    if (scree_reading_is_allowed(map, key, &constraint))
        return;
    // of several required keys one is enough
    struct scree_suggestion others = {.wanted = ""};
    const struct scree_key_constraint *row = scree_key_constraints;
    for (; row->key != row->other; ++row)
        if (row->key == key && row->relation == SCREE_KEY_WITH)
            scree_suggestion_add(&others, scree_key_rows[row->other].name);
    scree_reading_report(reading, name,
                         constraint->relation == SCREE_KEY_WITHOUT ? "'%s' and '%s' exclude each other"
                         : strchr(others.text, ',')                ? "'%s' requires at least one of %s"
                                                                   : "'%s' requires '%s', which is missing",
                         scree_key_rows[key].name,
                         constraint->relation == SCREE_KEY_WITHOUT ? scree_key_rows[constraint->other].name
                                                                   : others.text);
}

// Checks conditions on a value whose parts are valid: size distributions, regions that are not empty,
// directions that are not zero.
static void check_value(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key)
{
    const struct scree_key *row = &scree_key_rows[key];
    const struct scree_node *node = scree_reading_node(map, key);
    double vector[3];
    struct scree_sizes sizes;
    struct scree_region region;
    struct scree_strength strength;
    if (row->type == SCREE_KEY_SIZE && scree_key_section(row->set) == SCREE_SECTION_sizes)
        (void)scree_reading_sizes(reading, map, key, &sizes);
    else if (row->type == SCREE_KEY_SIZE)
        (void)scree_strength_read(reading, map, key, &strength);
    else if (row->type == SCREE_KEY_SECTION && scree_key_section(row->set) == SCREE_SECTION_region)
        (void)scree_reading_region(reading, node, &region);
    else if (row->flags & SCREE_KEY_DIRECTION && scree_reading_vector(reading, map, key, vector) &&
             vector[0] == 0 && vector[1] == 0 && vector[2] == 0)
        scree_reading_report(reading, node, "'%s' must not be the zero vector", row->name);
}

static void check_section(struct scree_reading *reading, const struct scree_node *node,
                          enum scree_section section, const char *entry_name)
{
    const size_t before_section = reading->diagnostics.with_duplicates;
    if (!may_visit(reading, node))
        return;
    if (node->kind != SCREE_NODE_MAP) {
        char shown[SCREE_TREE_SHOWN];
        scree_reading_report(reading, node, "%s must be a map of keys, not %s",
                             scree_key_sections[section].name, scree_tree_show(node, shown));
        return;
    }
    for (size_t k = 0; k < node->count; ++k) {
        const struct scree_node *name = node->item[2 * k], *value = node->item[2 * k + 1];
        const struct scree_key *key = scree_key_find(section, name->text);
        struct scree_suggestion known = {.wanted = name->text};
        if (!may_visit(reading, value))
            return;
        if (!key && !check_law_parameter(reading, node, section, value, &known))
            report_unknown_key(reading, node, name, section, &known);
        else if (key && value->kind == SCREE_NODE_NOTHING)
            scree_reading_report(reading, name, "'%s' has no value, as in `%s`", key->name, key->example);
        else if (key) {
            const size_t before = reading->diagnostics.with_duplicates;
            check_key(reading, value, key);
            if (reading->diagnostics.with_duplicates == before)
                check_value(reading, node, (enum scree_key_id)(key - scree_key_rows));
        }
        if (key && value->kind != SCREE_NODE_NOTHING)
            check_constraint(reading, node, name, (enum scree_key_id)(key - scree_key_rows));
    }
    bool wrong;
    if (section == SCREE_SECTION_contact)
        (void)scree_law_keys_law(reading, node, &wrong);
    check_required_keys(reading, node, section, entry_name,
                        reading->diagnostics.with_duplicates == before_section);
}

// --- records

static void check_records(struct scree_reading *reading)
{
    const struct scree_node *list = scree_reading_node(reading->root, SCREE_KEY_scene_record);
    if (!list || list->kind != SCREE_NODE_LIST)
        return;
    if (scree_path_conflict_check(reading, list) != SCREE_OK)
        reading->values.status = SCREE_ERROR_MEMORY;
    if (list->count > SCREE_PATH_CONFLICT_RECORDS)
        scree_reading_report(reading, list, "a scene can have at most %d records",
                             (int)SCREE_PATH_CONFLICT_RECORDS);
}

// Adds the shortest possible duration of a stage to `time`; reports a stage that would end before it begins.
static void check_stage(struct scree_reading *reading, const struct scree_node *stage, double *time)
{
    double until, duration = 0;
    const bool can_end_early = scree_reading_has(stage, SCREE_KEY_stage_stop);
    if (scree_reading_has(stage, SCREE_KEY_stage_until) &&
        scree_reading_number(reading, stage, SCREE_KEY_stage_until, &until)) {
        if (scree_instant_has_come(*time, until) && *time > 0)
            scree_reading_report(reading, scree_reading_node(stage, SCREE_KEY_stage_until),
                                 "'until' is the time at which a stage ends, but this stage begins at %g s "
                                 "or later: give its duration with 'for' instead",
                                 *time);
        duration = until - *time;
    } else if (scree_reading_has(stage, SCREE_KEY_stage_time)) {
        (void)scree_reading_number(reading, stage, SCREE_KEY_stage_time, &duration);
    }
    *time += !can_end_early && duration > 0 ? duration : 0;
}

// Reports stages in a record that the run does not have.
static void check_record_stages(struct scree_reading *reading, const struct scree_node *record, size_t stages)
{
    uint64_t stage;
    for (size_t k = 0; k < scree_reading_count(record, SCREE_KEY_record_stages); ++k)
        if (scree_reading_whole_at(reading, record, SCREE_KEY_record_stages, k, &stage) && stage > stages)
            scree_reading_report(reading, scree_reading_node(record, SCREE_KEY_record_stages),
                                 "there is no stage %" PRIu64 ": this run has %zu", stage, stages);
}

static void check_stages(struct scree_reading *reading)
{
    const struct scree_node *run = scree_reading_node(reading->root, SCREE_KEY_scene_run);
    double time = 0;
    if (run && run->kind == SCREE_NODE_LIST && run->count == 0)
        scree_reading_report(reading, run, "'run' must have at least one stage, as in `%s`",
                             scree_key_rows[SCREE_KEY_scene_run].example);
    const size_t stages = scree_reading_stages(reading);
    for (size_t s = 1; s <= stages; ++s)
        check_stage(reading, scree_reading_stage(reading, s), &time);
    const struct scree_node *records = scree_reading_node(reading->root, SCREE_KEY_scene_record);
    for (size_t k = 0; records && records->kind == SCREE_NODE_LIST && k < records->count; ++k)
        check_record_stages(reading, records->item[k], stages);
}

// --- the whole scene

scree_status scree_check(struct scree_reading *reading)
{
    const struct scree_node *variables = scree_reading_node(reading->root, SCREE_KEY_scene_variables);
    for (size_t k = 0; variables && variables->kind == SCREE_NODE_MAP && k < variables->count; ++k)
        SCREE_TRY(scree_value_declare(&reading->values, variables->item[2 * k], variables->item[2 * k + 1]));
    // the length of vectors depends on the dimension
    uint64_t dimension = 3;
    if (scree_reading_has(reading->root, SCREE_KEY_scene_dimension))
        (void)scree_reading_whole(reading, reading->root, SCREE_KEY_scene_dimension, &dimension);
    reading->dimension = (int)dimension;
    check_section(reading, reading->root, SCREE_SECTION_scene, NULL);
    check_stages(reading);
    scree_value_read_all(&reading->values);
    scree_named_resolve(&reading->groups, "group", member_kinds, &reading->diagnostics);
    scree_named_resolve(&reading->materials, "material", NULL, &reading->diagnostics);
    scree_named_resolve(&reading->shapes, "shape", shape_kinds, &reading->diagnostics);
    if (reading->diagnostics.all == 0) {
        check_records(reading);
        scree_removed_groups_check(reading);
    }
    return reading->values.status;
}
