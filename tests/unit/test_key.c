// Consistency of the table of keys: each example is valid in a scene, each default is a possible value, and
// references between rows exist.

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

enum { LONGEST = 8000 };

static void add(char *text, const char *more)
{
    assert_true(strlen(text) + strlen(more) + 1 < LONGEST);
    strcat(text, more);
}

static void add_key(char *text, const char *line)
{
    add(text, text[strlen(text) - 1] == '{' ? "" : ", ");
    add(text, line);
}

// Adds a key and the keys that the table requires with it.
static void add_with_requirements(bool chosen[SCREE_KEYS], size_t key)
{
    bool has = false;
    size_t first = SCREE_KEYS;
    if (chosen[key])
        return;
    chosen[key] = true;
    for (size_t t = 0; scree_key_constraints[t].key != scree_key_constraints[t].other; ++t)
        if (scree_key_constraints[t].key == key && scree_key_constraints[t].with) {
            has = has || chosen[scree_key_constraints[t].other];
            first = first < SCREE_KEYS ? first : scree_key_constraints[t].other;
        }
    if (!has && first < SCREE_KEYS)
        add_with_requirements(chosen, first);
}

// Parameters of a measurement, by the keys of its section.
static const struct {
    const char *name;
    unsigned arguments;
} arguments[] = {{"inside", SCREE_COLUMN_INSIDE},   {"of", SCREE_COLUMN_OF},
                 {"through", SCREE_COLUMN_THROUGH}, {"percentile", SCREE_COLUMN_PERCENTILE},
                 {"grid", SCREE_COLUMN_GRID},       {"since", SCREE_COLUMN_SINCE},
                 {"over", SCREE_COLUMN_OVER}};

// Finds a column of tables that accepts the chosen keys, in a unit if there is one; adds other keys that it
// needs.
static const char *find_measure(bool chosen[SCREE_KEYS], enum scree_section section, const char *unit)
{
    unsigned accepted = 0;
    for (size_t a = 0; a < sizeof arguments / sizeof arguments[0]; ++a)
        if (chosen[scree_key_find(section, arguments[a].name) - scree_key_rows])
            accepted |= arguments[a].arguments;
    // a column with a grid needs a group too, one with a window a surface
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

// Writes a section with one key as given, and the keys that it requires.
static void write_section(char *text, const struct scree_key *focus, const char *line)
{
    bool chosen[SCREE_KEYS] = {false}, has = false;
    size_t one = SCREE_KEYS;
    add_with_requirements(chosen, (size_t)(focus - scree_key_rows));
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key *key = &scree_key_rows[k];
        if (key->section != focus->section)
            continue;
        if (key->flags & SCREE_KEY_NEEDED)
            add_with_requirements(chosen, k);
        has = has || (key->flags & SCREE_KEY_ONE && chosen[k]);
        one = key->flags & SCREE_KEY_ONE && one == SCREE_KEYS ? k : one;
    }
    if (!has && one < SCREE_KEYS)
        add_with_requirements(chosen, one);
    // these keys need a change
    if (focus == &scree_key_rows[SCREE_KEY_wall_change_group])
        add_with_requirements(chosen, SCREE_KEY_wall_change_velocity);
    if (focus == &scree_key_rows[SCREE_KEY_body_change_group])
        add_with_requirements(chosen, SCREE_KEY_body_change_velocity);
    // a removal needs a region or a group
    if (focus->section == SCREE_SECTION_removal || focus->section == SCREE_SECTION_stage_removal)
        add_with_requirements(chosen, (size_t)(scree_key_find(focus->section, "inside") - scree_key_rows));
    char measure[80] = "";
    const struct scree_key *quantity = scree_key_find(focus->section, "measure");
    if (quantity && focus != quantity && strcmp(focus->name, "formula") != 0) {
        add_with_requirements(chosen, (size_t)(quantity - scree_key_rows));
        snprintf(measure, sizeof measure, "measure: %s",
                 find_measure(chosen, focus->section,
                              focus->type == SCREE_KEY_MEASURED ? strrchr(line, ' ') + 1 : NULL));
    }
    add(text, "{");
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
    add(text, "}");
}

// The key that contains a section.
static const struct scree_key *find_parent(enum scree_section section)
{
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        if (scree_key_child_section(&scree_key_rows[k]) == section)
            return &scree_key_rows[k];
    return NULL;
}

// A scene that contains the example of a key.
static void write_scene(char *text, const struct scree_key *key, const char *line, int dimension)
{
    char section_text[LONGEST], own[LONGEST];
    const struct scree_key *focus = key;
    snprintf(own, sizeof own, "%s", line);
    while (focus->section != SCREE_SECTION_scene) {
        section_text[0] = 0;
        write_section(section_text, focus, own);
        const struct scree_key *parent = find_parent(focus->section);
        if (!parent)
            fail_msg("no key contains the section '%s'", scree_key_sections[focus->section].key);
        const bool map = parent->type == SCREE_KEY_MAP;
        const bool list = parent->type == SCREE_KEY_LIST || parent->type == SCREE_KEY_COLUMNS;
        snprintf(own, sizeof own, "%s: %s%.*s%s", parent->name,
                 map    ? "{glass: "
                 : list ? "["
                        : "",
                 LONGEST - 100, section_text,
                 map    ? "}"
                 : list ? "]"
                        : "");
        focus = parent;
    }
    text[0] = 0;
    write_section(text, focus, own);
    text[strlen(text) - 1] = 0;
    // definitions that examples refer to
    static const char *const rest[][2] = {
        {"dimension", "dimension: 3"},
        {"materials", "materials: {glass: {density: 2500}, steel: {density: 7800}}"},
        {"run", "run: [{steps: 1}, {steps: 1}, {steps: 1}]"},
        {"bodies",
         "bodies: [{sphere: {radius: 1, at: [0, 0, 0], material: glass}, group: [piston, lid, base, cue, "
         "grains, feed]}]"},
        {"walls",
         "walls: [{plane: {point: [0, 0, 0], normal: [0, 1, 0], material: glass}, group: [piston, lid, "
         "base, cue, grains, feed]}]"},
    };
    for (size_t r = 0; r < sizeof rest / sizeof rest[0]; ++r) {
        char flat[400];
        snprintf(flat, sizeof flat, "%s", rest[r][1]);
        if (strcmp(rest[r][0], "dimension") == 0)
            snprintf(flat, sizeof flat, "dimension: %d", dimension);
        if (strcmp(focus->name, rest[r][0]) != 0)
            add_key(text, flat);
    }
    add(text, "}\n");
}

static struct scree_folder folder;

static scree_status read_scene(const char *text, struct scree_scene **scene)
{
    return scree_scene_read(scree_folder_path(&folder, "scene.yaml"), text, strlen(text), NULL, scene);
}

// rows without an example in a scene
static size_t wrong;

static void assert_valid_in_scene(const struct scree_key *key, const char *line)
{
    char text[LONGEST];
    struct scree_scene *scene;
    for (int dimension = 3; dimension >= 2; --dimension) {
        write_scene(text, key, line, dimension);
        const scree_status status = read_scene(text, &scene);
        if (status == SCREE_OK || dimension == 2) {
            if (status != SCREE_OK)
                print_error("'%s' of %s:\n%s\n%s", key->name, scree_key_sections[key->section].name,
                            scree_scene_diagnostics(scene), text);
            wrong += status != SCREE_OK;
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
        char begins[80];
        snprintf(begins, sizeof begins, "%s: ", key->name);
        if (strncmp(key->example, begins, strlen(begins)) != 0)
            fail_msg("'%s' of %s has the example '%s'", key->name, scree_key_sections[key->section].name,
                     key->example);
        assert_valid_in_scene(key, key->example);
    }
    assert_int_equal(wrong, 0);
}

static void every_default_is_an_allowed_value(void **state)
{
    (void)state;
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key *key = &scree_key_rows[k];
        char line[400];
        // a change to nothing is a mistake if nothing else is changed
        if (!key->default_value[0] ||
            (key->flags & SCREE_KEY_SOME && strcmp(key->default_value, "false") == 0))
            continue;
        assert_false(key->flags & SCREE_KEY_NEEDED);
        snprintf(line, sizeof line, "%s: %s", key->name, key->default_value);
        assert_valid_in_scene(key, line);
    }
    assert_int_equal(wrong, 0);
}

static void rows_are_complete(void **state)
{
    (void)state;
    for (size_t k = 0; k < SCREE_KEYS; ++k) {
        const struct scree_key *key = &scree_key_rows[k];
        const size_t about = strlen(key->about);
        const bool sound = about > 3 && key->about[about - 1] == '.' && key->least <= key->most &&
                           strlen(scree_key_values(key->type)) > 0 &&
                           scree_key_find(key->section, key->name) == key;
        if (!sound)
            fail_msg("row '%s' of %s", key->name, scree_key_sections[key->section].name);
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

static int drop_folder(void **state)
{
    (void)state;
    scree_folder_end(&folder, "parts/materials.yaml parts");
    return 0;
}

// A parameter of a contact law counts as a key of a contact.
static bool is_parameter(const char *name)
{
    bool is = false;
    const struct scree_law_parameter *parameter;
    for (size_t k = 0; (parameter = scree_law_extra_at(k)) != NULL; ++k)
        is = is || strcmp(parameter->name, name) == 0;
    for (size_t l = 0; scree_law_at(l); ++l)
        for (parameter = scree_law_at(l)->parameters; parameter->name; ++parameter)
            is = is || strcmp(parameter->name, name) == 0;
    return is;
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
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
