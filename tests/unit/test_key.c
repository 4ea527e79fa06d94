// Consistency of the table of keys: each example is valid in a scene, each default is a possible value, and
// rows to which others refer exist.

#include "base/memory.h"
#include "language/key.h"
#include "measure/column.h"
#include "support/folder.h"
#include "text/quantity.h"

#include <scree/interaction.h>
#include <scree/law.h>
#include <scree/scene.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { MAX_TEXT = 8000 };

static void append(char *text, const char *more)
{
    assert_true(strlen(text) + strlen(more) + 1 < MAX_TEXT);
    strcat(text, more);
}

static void add_key(char *text, const char *line)
{
    append(text, text[strlen(text) - 1] == '{' ? "" : ", ");
    append(text, line);
}

// Adds a key and the keys that the table requires with it.
static void add_with_requirements(bool chosen[SCREE_KEYS], size_t key)
{
    bool has_one = false;
    size_t first = SCREE_KEYS;
    if (chosen[key])
        return;
    chosen[key] = true;
    for (size_t t = 0; scree_key_constraints[t].key != scree_key_constraints[t].other; ++t)
        if (scree_key_constraints[t].key == key && scree_key_constraints[t].relation == SCREE_KEY_WITH) {
            has_one = has_one || chosen[scree_key_constraints[t].other];
            first = first < SCREE_KEYS ? first : scree_key_constraints[t].other;
        }
    if (!has_one && first < SCREE_KEYS)
        add_with_requirements(chosen, first);
}

// Parameters of a measurement, by the keys of its section.
static const struct {
    const char *name;
    unsigned arguments;
} arguments[] = {{"inside", SCREE_COLUMN_INSIDE},   {"of", SCREE_COLUMN_OF},
                 {"through", SCREE_COLUMN_THROUGH}, {"percentile", SCREE_COLUMN_PERCENTILE},
                 {"grid", SCREE_COLUMN_GRID},       {"since", SCREE_COLUMN_SINCE},
                 {"over", SCREE_COLUMN_OVER},       {"about", SCREE_COLUMN_ABOUT}};

// Finds a column of tables that accepts the chosen keys, in a unit if there is one; adds other keys that it
// needs.
static const char *find_measure(bool chosen[SCREE_KEYS], enum scree_section section, const char *unit)
{
    unsigned accepted = 0;
    for (size_t a = 0; a < sizeof arguments / sizeof arguments[0]; ++a)
        if (chosen[scree_key_find(section, arguments[a].name) - scree_key_rows])
            accepted |= arguments[a].arguments;
    // a column with a grid or a point needs a group too, one with a window a surface
    accepted |= accepted & SCREE_COLUMN_ABOUT ? SCREE_COLUMN_OF : 0;
    accepted |= accepted & SCREE_COLUMN_OVER ? SCREE_COLUMN_THROUGH : 0;
    accepted |= accepted & SCREE_COLUMN_GRID ? SCREE_COLUMN_OF : 0;
    for (const struct scree_column_row *row = scree_column_rows; row->name; ++row) {
        if ((row->arguments & accepted) != accepted ||
            (unit &&
             !scree_dimension_equal(scree_quantity_dimension(row->unit), scree_quantity_dimension(unit))) ||
            (accepted && (row->arguments & SCREE_COLUMN_REQUIRED & ~accepted)))
            continue;
        for (size_t a = 0; a < sizeof arguments / sizeof arguments[0]; ++a)
            if (row->arguments & SCREE_COLUMN_REQUIRED & arguments[a].arguments)
                add_with_requirements(chosen,
                                      (size_t)(scree_key_find(section, arguments[a].name) - scree_key_rows));
        return row->name;
    }
    fail_msg("no column accepts these keys");
    return NULL;
}

// Adds the first of the keys of which a section needs at least one, unless another one is chosen.
static void add_one_of_some(bool chosen[SCREE_KEYS], enum scree_section section)
{
    static const enum scree_section sections[] = {
        SCREE_SECTION_bond,       SCREE_SECTION_bond_removal,    SCREE_SECTION_parallel_bond,
        SCREE_SECTION_euler_beam, SCREE_SECTION_timoshenko_beam, SCREE_SECTION_deform};
    size_t first = SCREE_KEYS;
    bool applies = false;
    for (size_t s = 0; s < sizeof sections / sizeof sections[0]; ++s)
        applies = applies || sections[s] == section;
    for (size_t k = SCREE_KEYS; applies && k-- > 0;)
        if (scree_key_rows[k].section == section && scree_key_rows[k].flags & SCREE_KEY_SOME) {
            first = k;
            applies = !chosen[k];
        }
    if (applies && first < SCREE_KEYS)
        add_with_requirements(chosen, first);
}

// Writes a section with a line for one key, and the keys that this key and the section require.
static void write_section(char *text, const struct scree_key *focus, const char *line)
{
    bool chosen[SCREE_KEYS] = {false}, has_one = false;
    size_t first_alternative = SCREE_KEYS;
    add_with_requirements(chosen, (size_t)(focus - scree_key_rows));
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key *key = &scree_key_rows[k];
        if (key->section != focus->section)
            continue;
        if (key->flags & SCREE_KEY_NEEDED)
            add_with_requirements(chosen, k);
        has_one = has_one || (key->flags & SCREE_KEY_ONE && chosen[k]);
        first_alternative =
            key->flags & SCREE_KEY_ONE && first_alternative == SCREE_KEYS ? k : first_alternative;
    }
    if (!has_one && first_alternative < SCREE_KEYS)
        add_with_requirements(chosen, first_alternative);
    // these keys are valid only with a change
    if (focus == &scree_key_rows[SCREE_KEY_wall_change_group])
        add_with_requirements(chosen, SCREE_KEY_wall_change_velocity);
    if (focus == &scree_key_rows[SCREE_KEY_body_change_group])
        add_with_requirements(chosen, SCREE_KEY_body_change_velocity);
    // a removal needs a region or a group
    if (focus->section == SCREE_SECTION_removal || focus->section == SCREE_SECTION_stage_removal)
        add_with_requirements(chosen, (size_t)(scree_key_find(focus->section, "inside") - scree_key_rows));
    add_one_of_some(chosen, focus->section);
    char measure[80] = "";
    const struct scree_key *quantity = scree_key_find(focus->section, "measure");
    if (quantity && focus != quantity && strcmp(focus->name, "formula") != 0) {
        add_with_requirements(chosen, (size_t)(quantity - scree_key_rows));
        snprintf(measure, sizeof measure, "measure: %s",
                 find_measure(chosen, focus->section,
                              focus->type == SCREE_KEY_MEASURED ? strrchr(line, ' ') + 1 : NULL));
    }
    append(text, "{");
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key *key = &scree_key_rows[k];
        char number[80];
        snprintf(number, sizeof number, "%s: 1", key->name);
        if (chosen[k])
            add_key(text, key == focus                                      ? line
                          : measure[0] && strcmp(key->name, "measure") == 0 ? measure
                          : key->type == SCREE_KEY_MEASURED                 ? number
                                                                            : key->example);
    }
    append(text, "}");
}

// The key that contains a section.
static const struct scree_key *find_parent(enum scree_section section)
{
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        if (scree_key_child_section(&scree_key_rows[k]) == section)
            return &scree_key_rows[k];
    return NULL;
}

// Writes a scene that contains a line with a key.
static void write_scene(char *text, const struct scree_key *key, const char *line, int dimension)
{
    char section_text[MAX_TEXT], focus_line[MAX_TEXT];
    const struct scree_key *focus = key;
    snprintf(focus_line, sizeof focus_line, "%s", line);
    while (focus->section != SCREE_SECTION_scene) {
        section_text[0] = 0;
        write_section(section_text, focus, focus_line);
        const struct scree_key *parent = find_parent(focus->section);
        if (!parent)
            fail_msg("no key contains the section '%s'", scree_key_sections[focus->section].key);
        const bool map = parent->type == SCREE_KEY_MAP;
        const bool list = parent->type == SCREE_KEY_LIST || parent->type == SCREE_KEY_COLUMNS;
        snprintf(focus_line, sizeof focus_line, "%s: %s%.*s%s", parent->name,
                 map    ? "{glass: "
                 : list ? "["
                        : "",
                 MAX_TEXT - 100, section_text,
                 map    ? "}"
                 : list ? "]"
                        : "");
        focus = parent;
    }
    text[0] = 0;
    write_section(text, focus, focus_line);
    text[strlen(text) - 1] = 0;
    // definitions that examples refer to
    static const char *const definitions[][2] = {
        {"dimension", "dimension: 3"},
        {"materials", "materials: {glass: {density: 2500}, steel: {density: 7800}, "
                      "rubber: {density: 1100}}"},
        {"clumps", "clumps: {peanut: {spheres: [{radius: 2 mm, at: [0, 0, 0]}]}}"},
        {"polyhedra", "polyhedra: {die: {cube: {edge: 1 cm}}}"},
        {"run", "run: [{steps: 1}, {steps: 1}, {steps: 1}]"},
        {"bodies",
         "bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: glass}, group: [piston, lid, base, cue, "
         "grains, feed]}]"},
        {"walls",
         "walls: [{plane: {point: [0, 0, 0], normal: [0, 1, 0], material: glass}, group: [piston, lid, "
         "base, cue, grains, feed, vessel, gate]}]"},
    };
    for (size_t r = 0; r < sizeof definitions / sizeof definitions[0]; ++r) {
        char definition[400];
        snprintf(definition, sizeof definition, "%s", definitions[r][1]);
        if (strcmp(definitions[r][0], "dimension") == 0)
            snprintf(definition, sizeof definition, "dimension: %d", dimension);
        if (strcmp(focus->name, definitions[r][0]) != 0)
            add_key(text, definition);
    }
    append(text, "}\n");
}

static struct scree_folder folder;

static scree_status read_scene(const char *text, struct scree_scene **scene)
{
    return scree_scene_read(scree_folder_path(&folder, "scene.yaml"), text, strlen(text), NULL, scene);
}

// number of keys whose examples are invalid in two and three dimensions
static size_t invalid_rows;

// The line must be valid in three or in two dimensions.
static void assert_valid_in_scene(const struct scree_key *key, const char *line)
{
    char text[MAX_TEXT];
    struct scree_scene *scene;
    for (int dimension = 3; dimension >= 2; --dimension) {
        write_scene(text, key, line, dimension);
        const scree_status status = read_scene(text, &scene);
        if (status == SCREE_OK || dimension == 2) {
            if (status != SCREE_OK)
                print_error("'%s' of %s:\n%s\n%s", key->name, scree_key_sections[key->section].name,
                            scree_scene_diagnostics(scene), text);
            invalid_rows += status != SCREE_OK;
            dimension = 0;
        }
        scree_scene_free(scene);
    }
}

static void every_example_is_valid_in_a_scene(void **state)
{
    (void)state;
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key *key = &scree_key_rows[k];
        char prefix[80];
        snprintf(prefix, sizeof prefix, "%s: ", key->name);
        if (strncmp(key->example, prefix, strlen(prefix)) != 0)
            fail_msg("'%s' of %s has the example '%s'", key->name, scree_key_sections[key->section].name,
                     key->example);
        assert_valid_in_scene(key, key->example);
    }
    assert_int_equal(invalid_rows, 0);
}

static void every_default_is_an_allowed_value(void **state)
{
    (void)state;
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key *key = &scree_key_rows[k];
        char line[400];
        // a default that changes nothing is refused if it is the only change
        if (!key->default_value[0] ||
            (key->flags & SCREE_KEY_SOME && strcmp(key->default_value, "false") == 0))
            continue;
        assert_false(key->flags & SCREE_KEY_NEEDED);
        snprintf(line, sizeof line, "%s: %s", key->name, key->default_value);
        assert_valid_in_scene(key, line);
    }
    assert_int_equal(invalid_rows, 0);
}

static void rows_are_complete(void **state)
{
    (void)state;
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key *key = &scree_key_rows[k];
        const size_t about = strlen(key->about);
        const bool complete = about > 3 && key->about[about - 1] == '.' && key->least <= key->most &&
                              strlen(scree_key_values(key->type)) > 0 &&
                              scree_key_find(key->section, key->name) == key;
        if (!complete)
            fail_msg("the row '%s' of %s is incomplete", key->name, scree_key_sections[key->section].name);
        const bool word = key->type == SCREE_KEY_WORD;
        const bool section = key->type == SCREE_KEY_SECTION || key->type == SCREE_KEY_LIST ||
                             key->type == SCREE_KEY_LIST_OR_ONE || key->type == SCREE_KEY_MAP;
        if ((word && !scree_key_words(key->set)) ||
            (section && scree_key_section(key->set) == SCREE_SECTIONS))
            fail_msg("'%s' of %s requires '%s', which does not exist", key->name,
                     scree_key_sections[key->section].name, key->set);
    }
}

static int make_folder(void **state)
{
    (void)state;
    folder = scree_folder_make("scree-key");
    if (mkdir(scree_folder_path(&folder, "parts"), 0777))
        return -1;
    scree_folder_write(&folder, "parts/materials.yaml", "");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    scree_folder_end(&folder, "parts/materials.yaml parts");
    return 0;
}

// A parameter of a contact law counts as a key of a contact.
static bool is_parameter(const char *name)
{
    bool found = false;
    const struct scree_law_parameter *parameter;
    for (size_t k = 0; (parameter = scree_law_extra_at(k)) != NULL; ++k)
        found = found || strcmp(parameter->name, name) == 0;
    for (size_t l = 0; scree_law_at(l); ++l)
        for (parameter = scree_law_at(l)->parameters; parameter->name; ++parameter)
            found = found || strcmp(parameter->name, name) == 0;
    return found;
}

static void names_of_other_programs_refer_to_existing_keys(void **state)
{
    (void)state;
    struct scree_scene_equivalent equivalent, other;
    for (size_t p = 0; scree_scene_equivalent_at(p, &equivalent); ++p) {
        struct scree_scene_key key;
        bool found = strcmp(equivalent.section, "a contact") == 0 && is_parameter(equivalent.key);
        for (size_t k = 0; scree_scene_key_at(k, &key); ++k)
            found = found || (strcmp(key.name, equivalent.key) == 0 &&
                              (!equivalent.section[0] || strcmp(key.section, equivalent.section) == 0));
        if (!found || !(equivalent.name[0][0] || equivalent.name[1][0] || equivalent.name[2][0]))
            fail_msg("'%s' of '%s' is no key, or has no name in another program", equivalent.key,
                     equivalent.section);
        for (size_t q = 0; q < p && scree_scene_equivalent_at(q, &other); ++q)
            if (strcmp(other.key, equivalent.key) == 0 && strcmp(other.section, equivalent.section) == 0)
                fail_msg("'%s' of '%s' occurs twice", equivalent.key, equivalent.section);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_is_valid_in_a_scene),
        cmocka_unit_test(every_default_is_an_allowed_value),
        cmocka_unit_test(rows_are_complete),
        cmocka_unit_test(names_of_other_programs_refer_to_existing_keys),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
