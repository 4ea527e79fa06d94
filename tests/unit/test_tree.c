// Trees of scene files (text/tree.h): nodes with their positions; mistakes and invalid or malicious input
// are refused with messages. Reference: the nodes and mistakes in the texts.

#include "text/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct scene {
    struct scree_diagnostics diagnostics;
    struct scree_tree tree;
    struct scree_node *root;
    char *message;
};

static void read_bytes(struct scene *scene, const char *text, size_t length)
{
    char *copy;
    memset(scene, 0, sizeof *scene);
    scene->tree.diagnostics = &scene->diagnostics;
    assert_int_equal(scree_memory_new(length + 1, 1, (void **)&copy), SCREE_OK);
    memcpy(copy, text, length);
    assert_int_equal(scree_tree_read(&scene->tree, "scene.yaml", copy, length, &scene->root), SCREE_OK);
    assert_int_equal(scree_diagnostic_text(&scene->diagnostics, &scene->message), SCREE_OK);
}

static void read(struct scene *scene, const char *text)
{
    read_bytes(scene, text, strlen(text));
}

static void free_scene(struct scene *scene)
{
    scree_memory_free(scene->message);
    scree_tree_free(&scene->tree);
    scree_diagnostic_free(&scene->diagnostics);
}

static void a_file_becomes_a_tree_with_positions(void **state)
{
    (void)state;
    struct scene scene;
    read(&scene, "gravity: [0, 0, -9.81]\nmaterials:\n  glass: {density: 2500}\nnote: ~\nname: \"5\"\n");
    assert_non_null(scene.root);
    assert_int_equal(scene.root->count, 4);
    const struct scree_node *gravity = scree_tree_find(scene.root, "gravity");
    assert_int_equal(gravity->kind, SCREE_NODE_LIST);
    assert_int_equal(gravity->count, 3);
    assert_string_equal(gravity->item[2]->text, "-9.81");
    assert_int_equal(gravity->item[2]->place.column, 16);
    assert_int_equal(gravity->item[2]->place.length, 5);
    const struct scree_node *glass = scree_tree_find(scree_tree_find(scene.root, "materials"), "glass");
    assert_int_equal(scree_tree_find(glass, "density")->place.line, 2);
    assert_int_equal(scree_tree_find(scene.root, "note")->kind, SCREE_NODE_NOTHING);
    assert_true(scree_tree_find(scene.root, "name")->quoted);
    assert_null(scree_tree_find(scene.root, "nobody"));
    free_scene(&scene);
}

static void an_alias_has_the_value_of_its_anchor(void **state)
{
    (void)state;
    struct scene scene;
    read(&scene, "a: &x {b: 1}\nc: *x\n");
    assert_ptr_equal(scree_tree_find(scene.root, "a"), scree_tree_find(scene.root, "c"));
    free_scene(&scene);
}

static void mistakes_are_shown_at_their_position(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"a: 1\na: 2\n", "scene.yaml:2:1: this key is already given in line 1\n    a: 2\n    ^\n"},
        {"a: [1, 2\nb: 3\n", "scene.yaml:1:4: this is not YAML"},
        {"a: {b: *nobody}\n", "scene.yaml:1:"},
        {"a: &x [1, *x]\n", "this alias refers to the list or map that contains it"},
        {"[1, 2]: 3\n", "a key must be a text"},
        {"a: !!int 5\n", "YAML tags are not allowed"},
        {"a: 1\n---\nb: 2\n", "only one YAML document"},
        {"a: \"x\n", "not YAML"},
        {"a: {b: \"\xc2\xb5\", c: ${r}, d: 1}\n", ":1:17: put ${...} in quotes here, as in"},
        {"a: [1, 2 ${2 * r}]\n", ":1:11: put ${...} in quotes here, as in"},
        {"a: [1, $ {r}]\n", "not YAML: missing comma"},
        {"a:\tb\n\tc: 5\n", "not YAML"},
        {"{\"B\xc3\xbcro\": *x}\n", "scene.yaml:1:11: no anchor of this name is defined above\n"
                                    "    {\"B\xc3\xbcro\": *x}\n              ^\n"},
        // wide characters take two columns
        {"{\"\xe6\xbc\xa2\": *x}\n", "scene.yaml:1:8: no anchor of this name is defined above\n"
                                     "    {\"\xe6\xbc\xa2\": *x}\n            ^\n"},
        // lines may end with a carriage return
        {"a: 1\r\rb: *x\r",
         "scene.yaml:3:5: no anchor of this name is defined above\n    b: *x\n        ^\n"},
        {"a: \"\\e[31m\"\n", "scene.yaml:1:5: a text cannot have control characters"},
        {"a: \"\\x9b\"\n", "a text cannot have control characters"},
        {"a: \"\\0\"\n", "a text cannot have control characters"},
        // characters that change the writing direction are not printed
        {"a: {b: \xe2\x80\xae, c: *x}\n", "    a: {b:  , c: *x}\n"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct scene scene;
        read(&scene, rows[r][0]);
        if (!scene.message || !strstr(scene.message, rows[r][1]))
            fail_msg("'%s': %s", rows[r][0], scene.message ? scene.message : "nothing");
        free_scene(&scene);
    }
}

static void recoverable_mistakes_are_reported_together_with_later_ones(void **state)
{
    (void)state;
    struct scene scene;
    read(&scene, "a: 1\na: 2\nb: !!int 5\nc: 6\nb: 7\n");
    assert_non_null(scene.root);
    assert_int_equal(scene.diagnostics.all, 3);
    assert_non_null(strstr(scene.message, "scene.yaml:5:1: this key is already given in line 3\n"));
    assert_string_equal(scree_tree_find(scene.root, "c")->text, "6");
    free_scene(&scene);
}

static void an_empty_file_is_an_empty_map(void **state)
{
    (void)state;
    static const char *const rows[] = {"", "# only a remark\n", "\n\n"};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct scene scene;
        read(&scene, rows[r]);
        assert_true(scene.root && scene.root->kind == SCREE_NODE_MAP && scene.root->count == 0);
        free_scene(&scene);
    }
}

static void malicious_files_are_refused_with_bounded_memory(void **state)
{
    (void)state;
    static char text[200000];
    struct scene scene;
    memset(text, '[', sizeof text);
    read_bytes(&scene, text, sizeof text);
    assert_null(scene.root);
    assert_true(scene.tree.nodes < 100);
    free_scene(&scene);

    // each list contains the previous one twice: 2^100 values if they were copied
    size_t used = (size_t)snprintf(text, sizeof text, "a0: &a0 [1, 1]\n");
    for (int k = 1; k < 100; ++k)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "a%d: &a%d [*a%d, *a%d]\n", k, k, k - 1, k - 1);
    read_bytes(&scene, text, used);
    assert_non_null(scene.root);
    assert_true(scene.tree.nodes < 1000);
    free_scene(&scene);

    // an invalid byte in UTF-8, an overlong slash, half of a surrogate pair, a truncated character
    static const char *const bad[] = {"a: 1\n# Caf\xe9\nb: 2\n", "a: \xc0\xaf\n", "a: \xed\xa0\x80\n",
                                      "a: \xe2\x82"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        read_bytes(&scene, bad[k], strlen(bad[k]));
        assert_null(scene.root);
        assert_non_null(strstr(scene.message, "this byte is not text"));
        free_scene(&scene);
    }

    read_bytes(&scene, "a: b\0c\n", 7);
    assert_null(scene.root);
    assert_non_null(strstr(scene.message, "scene.yaml:1:5: this byte is not text"));
    free_scene(&scene);

    for (size_t k = 0; k < sizeof text; ++k)
        text[k] = k % 4 == 0 ? '-' : k % 4 == 1 ? ' ' : k % 4 == 2 ? 'x' : '\n';
    read_bytes(&scene, text, sizeof text);
    assert_int_equal(scene.root->count, sizeof text / 4);
    free_scene(&scene);
}

// The YAML library has no limit for such input.
static void input_beyond_the_limits_is_refused_before_it_is_parsed(void **state)
{
    (void)state;
    static const struct {
        const char *first, *repeated;
        size_t times;
        const char *message;
    } rows[] = {
        {"a: 1\nb: ", "[\n", 1001, "scene.yaml:1002:1: this is nested too deep"},
        {"a: 1\n# ", "x", 1000000, "scene.yaml:2:1: this line is longer than a million characters: split it"},
        {"a: [", "1,\n", SCREE_TREE_NODES, "a scene has too many values"},
        {"a: ", "&a\n", SCREE_TREE_NODES + 1, "a scene has too many values"}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        const size_t first = strlen(rows[r].first), size = strlen(rows[r].repeated);
        char *text;
        struct scene scene;
        assert_int_equal(scree_memory_new(first + size * rows[r].times, 1, (void **)&text), SCREE_OK);
        memcpy(text, rows[r].first, first);
        for (size_t k = 0; k < rows[r].times; ++k)
            memcpy(text + first + k * size, rows[r].repeated, size);
        read_bytes(&scene, text, first + size * rows[r].times);
        assert_null(scene.root);
        assert_int_equal(scene.tree.nodes, 0);
        if (!scene.message || !strstr(scene.message, rows[r].message))
            fail_msg("%.400s", scene.message ? scene.message : "nothing");
        scree_memory_free(text);
        free_scene(&scene);
    }
}

static void many_diagnostics_are_sorted_and_counted(void **state)
{
    (void)state;
    struct scene scene;
    read(&scene, "a: 1\nb: 2\n\xc3\xa9\xc3\xa9\xc3\xa9: wrong word here\n");
    for (uint32_t k = 100; k-- > 0;)
        scree_diagnostic_add(&scene.diagnostics,
                             &(struct scree_place){.line = k % 2, .column = 0, .length = 1}, "row %u", k);
    scree_diagnostic_add(&scene.diagnostics, &(struct scree_place){.line = 2, .column = 8, .length = 5},
                         "last");
    scree_memory_free(scene.message);
    assert_int_equal(scree_diagnostic_text(&scene.diagnostics, &scene.message), SCREE_OK);
    assert_memory_equal(scene.message, "scene.yaml:1:1: row ", 20);
    assert_non_null(strstr(scene.message, "and 61 more\n"));
    assert_int_equal(scene.diagnostics.list.count, SCREE_DIAGNOSTIC_LIMIT);
    free_scene(&scene);
}

static void carets_are_below_characters_not_bytes(void **state)
{
    (void)state;
    struct scene scene;
    read(&scene, "\xc3\xa9\xc3\xa9: wrong word here\n");
    scree_diagnostic_add(&scene.diagnostics, &(struct scree_place){.line = 0, .column = 6, .length = 5},
                         "no");
    scree_memory_free(scene.message);
    assert_int_equal(scree_diagnostic_text(&scene.diagnostics, &scene.message), SCREE_OK);
    assert_string_equal(scene.message,
                        "scene.yaml:1:5: no\n    \xc3\xa9\xc3\xa9: wrong word here\n        ^~~~~\n");
    free_scene(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_becomes_a_tree_with_positions),
        cmocka_unit_test(an_alias_has_the_value_of_its_anchor),
        cmocka_unit_test(mistakes_are_shown_at_their_position),
        cmocka_unit_test(recoverable_mistakes_are_reported_together_with_later_ones),
        cmocka_unit_test(an_empty_file_is_an_empty_map),
        cmocka_unit_test(malicious_files_are_refused_with_bounded_memory),
        cmocka_unit_test(input_beyond_the_limits_is_refused_before_it_is_parsed),
        cmocka_unit_test(many_diagnostics_are_sorted_and_counted),
        cmocka_unit_test(carets_are_below_characters_not_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
