// Checking a scene against the table of keys, see check.h.

#include "language/check.h"

#include "base/instant.h"
#include "base/suggestion.h"
#include "language/equivalent.h"
#include "language/law_keys.h"
#include "language/measurement.h"
#include "language/misplaced_key.h"
#include "language/path_conflict.h"
#include "language/reading.h"
#include "language/removal.h"
#include "measure/column.h"
#include "pack/region.h"
#include "pack/sizes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VISITS = 1 << 22, MOST_COMPLAINTS = 10000 };

static void check_section(struct scree_reading *reading, const struct scree_node *node,
                          enum scree_section section, const char *called);

// Whether another node may be looked at: what is written once may be meant a billion times.
static bool may_visit(struct scree_reading *reading, const struct scree_node *node)
{
    if (++reading->visits == MOST_VISITS)
        scree_diagnostic_add(&reading->diagnostics, &node->place,
                             "with its aliases this scene has too many values");
    // who reads so far does not read on
    return reading->visits < MOST_VISITS && reading->diagnostics.tried < MOST_COMPLAINTS;
}

static void check_list(struct scree_reading *reading, const struct scree_node *node,
                       const struct scree_key *key, enum scree_section section)
{
    if (node->kind != SCREE_NODE_LIST) {
        scree_reading_expect(reading, node, key,
                             key->type == SCREE_KEY_LIST_OR_ONE ? "a map of keys or a list of such"
                                                                : "a list");
        return;
    }
    for (size_t k = 0; k < node->count; ++k)
        check_section(reading, node->item[k], section, NULL);
}

static void check_map(struct scree_reading *reading, const struct scree_node *node,
                      const struct scree_key *key, enum scree_section section)
{
    if (node->kind != SCREE_NODE_MAP) {
        scree_reading_expect(reading, node, key, "a map of names");
        return;
    }
    for (size_t k = 0; k < node->count; ++k) {
        const struct scree_node *name = node->item[2 * k];
        if ((section == SCREE_SECTION_material &&
             scree_named_make(&reading->materials, name->text, 0) != SCREE_OK) ||
            (section == SCREE_SECTION_change &&
             scree_named_mean(&reading->materials, name->text, 0, &name->place) != SCREE_OK))
            reading->values.trouble = SCREE_ERROR_MEMORY;
        check_section(reading, node->item[2 * k + 1], section, node->item[2 * k]->text);
    }
}

// What may be in a group, by bits.
enum { BODIES = 1, WALLS = 2 };
static const char *const in_groups[] = {"bodies", "walls"};

// Names of groups are made where bodies and walls are put into them; elsewhere they are meant, as those of
// materials are.
static void check_names(struct scree_reading *reading, const struct scree_node *node,
                        const struct scree_key *key)
{
    const enum scree_key_id id = (enum scree_key_id)(key - scree_key_rows);
    const unsigned kind = key->flags & SCREE_KEY_BODIES ? BODIES : key->flags & SCREE_KEY_WALLS ? WALLS : 0;
    struct scree_named *named = key->flags & SCREE_KEY_MATERIAL ? &reading->materials : &reading->groups;
    const char *text;
    const bool makes = key->type == SCREE_KEY_SOME_NAMES, alone = node->kind == SCREE_NODE_TEXT;
    for (size_t k = 0; k < (alone ? 1 : node->count); ++k) {
        const struct scree_node *item = alone ? node : node->item[k];
        if (scree_value_text(&reading->values, item, key->name, &text) &&
            !scree_reading_is_special(id, text) &&
            (makes ? scree_named_make(named, text, kind)
                   : scree_named_mean(named, text, kind, &item->place)) != SCREE_OK)
            reading->values.trouble = SCREE_ERROR_MEMORY;
    }
}

// What is measured says of what a group is to be.
static void check_measured(struct scree_reading *reading, const struct scree_node *map,
                           enum scree_section section, enum scree_key_id measure, enum scree_key_id of)
{
    const char *column, *group;
    const size_t before = reading->diagnostics.all;
    check_section(reading, map, section, NULL);
    const struct scree_node *node = scree_reading_node(map, of);
    if (reading->diagnostics.all != before || !node || !scree_reading_has(map, measure) ||
        !scree_reading_text(reading, map, measure, &column) || !scree_reading_text(reading, map, of, &group))
        return;
    const unsigned takes = scree_column_rows[scree_column_find(column)].takes;
    const unsigned kind = takes & SCREE_COLUMN_OF ? WALLS : takes & SCREE_COLUMN_MEMBERS ? BODIES : 0;
    if (scree_named_mean(&reading->groups, group, kind, &node->place) != SCREE_OK)
        reading->values.trouble = SCREE_ERROR_MEMORY;
}

// Columns stand by name, or as maps; a map that is a section as such is looked at as a whole.
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
            check_measured(reading, node->item[k], section, SCREE_KEY_column_measure, SCREE_KEY_column_of);
    if (reading->diagnostics.all == before)
        scree_measurement_check_columns(reading, node, key);
}

static void check_comparison(struct scree_reading *reading, const struct scree_node *node,
                             const struct scree_key *key, enum scree_section section)
{
    const size_t before = reading->diagnostics.all;
    struct scree_comparison comparison;
    if (node->kind == SCREE_NODE_MAP)
        check_measured(reading, node, section, SCREE_KEY_comparison_measure, SCREE_KEY_comparison_of);
    if (reading->diagnostics.all == before)
        (void)scree_measurement_comparison(reading, node, key, &comparison);
}

static void check_key(struct scree_reading *reading, const struct scree_node *node,
                      const struct scree_key *key)
{
    const enum scree_section section = scree_key_section(key->of);
    switch (key->type) {
    case SCREE_KEY_SECTION:
        check_section(reading, node, section, NULL);
        break;
    case SCREE_KEY_SIZE:
        if (node->kind == SCREE_NODE_MAP)
            check_section(reading, node, section, NULL);
        else
            (void)scree_reading_try(reading, node, key);
        break;
    case SCREE_KEY_LIST_OR_ONE:
        if (node->kind == SCREE_NODE_MAP)
            check_section(reading, node, section, NULL);
        else
            check_list(reading, node, key, section);
        break;
    case SCREE_KEY_COLUMNS:
        check_columns(reading, node, key, section);
        break;
    case SCREE_KEY_COMPARISON:
        check_comparison(reading, node, key, section);
        break;
    case SCREE_KEY_LIST:
        check_list(reading, node, key, section);
        break;
    case SCREE_KEY_MAP:
        check_map(reading, node, key, section);
        break;
    default:
        if (!scree_reading_try(reading, node, key))
            break;
        if (key->flags & (SCREE_KEY_MATERIAL | SCREE_KEY_BODIES | SCREE_KEY_WALLS))
            check_names(reading, node, key);
    }
}

// --- keys that a law brings

// Whether a key that the table does not have belongs to the section all the same; then it is checked.
static bool check_brought(struct scree_reading *reading, const struct scree_node *map,
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
    // keys of a law that nobody knows
    return parameter || wrong;
}

// --- sections

static void complain_of_key(struct scree_reading *reading, const struct scree_node *map,
                            const struct scree_node *key, enum scree_section section,
                            struct scree_suggestion *known)
{
    if (scree_misplaced_key_tell(reading, map, key, section))
        return;
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        if (scree_key_rows[k].section == section)
            scree_suggestion_add(known, scree_key_rows[k].name);
    const char *meant = scree_suggestion_best(known);
    // a letter is sooner mistaken than a program
    if (!known->renamed && (!meant || known->distance > 1) &&
        scree_equivalent_tell(reading, map, key, section))
        return;
    if (known->renamed || meant)
        scree_diagnostic_add(&reading->diagnostics, &key->place, "%s has no key '%.60s'%s",
                             scree_key_sections[section].name, key->text, scree_suggestion_hint(known, ""));
    else
        scree_diagnostic_add(&reading->diagnostics, &key->place, "%s has no key '%.60s'; there are %.250s",
                             scree_key_sections[section].name, key->text, known->text);
}

static void check_needed(struct scree_reading *reading, const struct scree_node *node,
                         enum scree_section section, const char *called)
{
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key *key = &scree_key_rows[k];
        if (key->section == section && key->flags & SCREE_KEY_NEEDED &&
            !scree_reading_has(node, (enum scree_key_id)k))
            scree_diagnostic_add(&reading->diagnostics, &node->place, "%s%s%s%s needs '%s', as in `%s`",
                                 scree_key_sections[section].name, called ? " '" : "", called ? called : "",
                                 called ? "'" : "", key->name, key->example);
    }
}

// How many keys with a flag are given, and which there are; -1 where there are none. A flag that is false is
// as good as left out.
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

// `sound` says that nothing is wrong with what there is.
static void check_presence(struct scree_reading *reading, const struct scree_node *node,
                           enum scree_section section, const char *called, bool sound)
{
    struct scree_suggestion one = {.wanted = ""}, some = {.wanted = ""};
    const char *name = scree_key_sections[section].name;
    check_needed(reading, node, section, called);
    const int choices = count_flagged(reading, node, section, SCREE_KEY_ONE, &one);
    if (choices >= 0 && choices != 1)
        scree_diagnostic_add(&reading->diagnostics, &node->place, "%s has exactly one of %s", name, one.text);
    if (sound && count_flagged(reading, node, section, SCREE_KEY_SOME, &some) == 0)
        scree_diagnostic_add(&reading->diagnostics, &node->place,
                             "%s has at least one of %s, and what is false is none", name, some.text);
}

// A key that would be passed over, or contradict another, is a mistake.
static void check_tie(struct scree_reading *reading, const struct scree_node *map,
                      const struct scree_node *name, enum scree_key_id key)
{
    const struct scree_key_constraint *constraint;
    if (!scree_reading_fits(map, key, &constraint))
        scree_diagnostic_add(&reading->diagnostics, &name->place,
                             constraint->with ? "'%s' goes with '%s', which is not here"
                                              : "'%s' does not go with '%s'",
                             scree_key_rows[key].name, scree_key_rows[constraint->other].name);
}

// What no single value is wrong about: sizes and regions that hold nothing, and vectors that point nowhere.
// Of a key whose value has passed.
static void check_sense(struct scree_reading *reading, const struct scree_node *map, enum scree_key_id key)
{
    const struct scree_key *row = &scree_key_rows[key];
    const struct scree_node *node = scree_reading_node(map, key);
    double vector[3];
    struct scree_sizes sizes;
    struct scree_region region;
    if (row->type == SCREE_KEY_SIZE)
        (void)scree_reading_sizes(reading, map, key, &sizes);
    else if (row->type == SCREE_KEY_SECTION && scree_key_section(row->of) == SCREE_SECTION_region)
        (void)scree_reading_region(reading, node, &region);
    else if (row->flags & SCREE_KEY_DIRECTION && scree_reading_vector(reading, map, key, vector) &&
             vector[0] == 0 && vector[1] == 0 && vector[2] == 0)
        scree_diagnostic_add(&reading->diagnostics, &node->place, "'%s' has a length of 0 and points nowhere",
                             row->name);
}

static void check_section(struct scree_reading *reading, const struct scree_node *node,
                          enum scree_section section, const char *called)
{
    const size_t begun = reading->diagnostics.tried;
    if (!may_visit(reading, node))
        return;
    if (node->kind != SCREE_NODE_MAP) {
        char shown[SCREE_TREE_SHOWN];
        scree_diagnostic_add(&reading->diagnostics, &node->place, "%s is a map of keys, not %s",
                             scree_key_sections[section].name, scree_tree_show(node, shown));
        return;
    }
    for (size_t k = 0; k < node->count; ++k) {
        const struct scree_node *name = node->item[2 * k], *value = node->item[2 * k + 1];
        const struct scree_key *key = scree_key_find(section, name->text);
        struct scree_suggestion known = {.wanted = name->text};
        if (!may_visit(reading, value))
            return;
        if (!key && !check_brought(reading, node, section, value, &known))
            complain_of_key(reading, node, name, section, &known);
        else if (key && value->kind == SCREE_NODE_NOTHING)
            scree_diagnostic_add(&reading->diagnostics, &name->place, "'%s' has no value, as in `%s`",
                                 key->name, key->example);
        else if (key) {
            const size_t before = reading->diagnostics.tried;
            check_key(reading, value, key);
            if (reading->diagnostics.tried == before)
                check_sense(reading, node, (enum scree_key_id)(key - scree_key_rows));
        }
        if (key && value->kind != SCREE_NODE_NOTHING)
            check_tie(reading, node, name, (enum scree_key_id)(key - scree_key_rows));
    }
    bool wrong;
    if (section == SCREE_SECTION_contact)
        (void)scree_law_keys_law(reading, node, &wrong);
    check_presence(reading, node, section, called, reading->diagnostics.tried == begun);
}

// --- records

static void check_records(struct scree_reading *reading)
{
    const struct scree_node *list = scree_reading_node(reading->root, SCREE_KEY_scene_record);
    if (!list || list->kind != SCREE_NODE_LIST)
        return;
    if (scree_path_conflict_check(reading, list) != SCREE_OK)
        reading->values.trouble = SCREE_ERROR_MEMORY;
    if (list->count > SCREE_CLAIM_RECORDS)
        scree_diagnostic_add(&reading->diagnostics, &list->place, "a scene has at most %d records",
                             (int)SCREE_CLAIM_RECORDS);
}

// Adds how long a stage takes at least, and complains of one that would be over before it begins.
static void check_stage(struct scree_reading *reading, const struct scree_node *stage, double *time)
{
    double until, lasts = 0;
    const bool stops = scree_reading_has(stage, SCREE_KEY_stage_stop);
    if (scree_reading_has(stage, SCREE_KEY_stage_until) &&
        scree_reading_number(reading, stage, SCREE_KEY_stage_until, &until)) {
        if (scree_instant_has_come(*time, until) && *time > 0)
            scree_diagnostic_add(&reading->diagnostics,
                                 &scree_reading_node(stage, SCREE_KEY_stage_until)->place,
                                 "'until' is the time at which a stage ends, and this one begins at %g s or "
                                 "later; for how long it takes there is 'for'",
                                 *time);
        lasts = until - *time;
    } else if (scree_reading_has(stage, SCREE_KEY_stage_time)) {
        (void)scree_reading_number(reading, stage, SCREE_KEY_stage_time, &lasts);
    }
    *time += !stops && lasts > 0 ? lasts : 0;
}

// A stage that a record is kept in is one of the run.
static void check_record_stages(struct scree_reading *reading, const struct scree_node *record, size_t stages)
{
    uint64_t stage;
    for (size_t k = 0; k < scree_reading_count(record, SCREE_KEY_record_stages); ++k)
        if (scree_reading_whole_at(reading, record, SCREE_KEY_record_stages, k, &stage) && stage > stages)
            scree_diagnostic_add(&reading->diagnostics,
                                 &scree_reading_node(record, SCREE_KEY_record_stages)->place,
                                 "there is no stage %" PRIu64 ": this run has %zu", stage, stages);
}

static void check_stages(struct scree_reading *reading)
{
    const struct scree_node *run = scree_reading_node(reading->root, SCREE_KEY_scene_run);
    double time = 0;
    if (run && run->kind == SCREE_NODE_LIST && run->count == 0)
        scree_diagnostic_add(&reading->diagnostics, &run->place, "'run' has at least one stage, as in `%s`",
                             scree_key_rows[SCREE_KEY_scene_run].example);
    const size_t stages = scree_reading_stages(reading);
    for (size_t s = 1; s <= stages; ++s)
        check_stage(reading, scree_reading_stage(reading, s), &time);
    const struct scree_node *records = scree_reading_node(reading->root, SCREE_KEY_scene_record);
    for (size_t k = 0; records && records->kind == SCREE_NODE_LIST && k < records->count; ++k)
        check_record_stages(reading, records->item[k], stages);
}

scree_status scree_check(struct scree_reading *reading)
{
    const struct scree_node *variables = scree_reading_node(reading->root, SCREE_KEY_scene_variables);
    for (size_t k = 0; variables && variables->kind == SCREE_NODE_MAP && k < variables->count; ++k)
        SCREE_TRY(scree_value_declare(&reading->values, variables->item[2 * k], variables->item[2 * k + 1]));
    // vectors may have as many numbers as the world has dimensions
    uint64_t dimension = 3;
    if (scree_reading_has(reading->root, SCREE_KEY_scene_dimension))
        (void)scree_reading_whole(reading, reading->root, SCREE_KEY_scene_dimension, &dimension);
    reading->dimension = (int)dimension;
    check_section(reading, reading->root, SCREE_SECTION_scene, NULL);
    check_stages(reading);
    scree_value_read_all(&reading->values);
    scree_named_resolve(&reading->groups, "group", in_groups, &reading->diagnostics);
    scree_named_resolve(&reading->materials, "material", NULL, &reading->diagnostics);
    if (reading->diagnostics.all == 0) {
        check_records(reading);
        scree_removal_check(reading);
    }
    return reading->values.trouble;
}
