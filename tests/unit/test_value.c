// Values of a scene (language/value.h): numbers, words and texts, with variables; mistakes are reported with
// their position.

#include "language/value.h"

#include <math.h>
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
    struct scree_values values;
    struct scree_node *root;
    char *message;
};

static const struct scree_value_rule length = {
    .name = "radius", .unit = "m", .most = (double)INFINITY, .above = true};

// Reads a scene; the keys under `variables` become variables.
static void read_scene(struct scene *scene, const char *text)
{
    char *copy;
    memset(scene, 0, sizeof *scene);
    scene->tree.diagnostics = &scene->diagnostics;
    scene->values.tree = &scene->tree;
    assert_int_equal(scree_memory_new(strlen(text) + 1, 1, (void **)&copy), SCREE_OK);
    memcpy(copy, text, strlen(text));
    assert_int_equal(scree_tree_read(&scene->tree, "scene.yaml", copy, strlen(text), &scene->root), SCREE_OK);
    const struct scree_node *variables = scree_tree_find(scene->root, "variables");
    for (size_t k = 0; variables && k < variables->count; ++k)
        assert_int_equal(
            scree_value_declare(&scene->values, variables->item[2 * k], variables->item[2 * k + 1]),
            SCREE_OK);
}

static const char *message(struct scene *scene)
{
    scree_memory_free(scene->message);
    assert_int_equal(scree_diagnostic_text(&scene->diagnostics, &scene->message), SCREE_OK);
    return scene->message ? scene->message : "";
}

static void free_scene(struct scene *scene)
{
    assert_int_equal(scene->values.status, SCREE_OK);
    scree_memory_free(scene->message);
    scree_value_free(&scene->values);
    scree_tree_free(&scene->tree);
    scree_diagnostic_free(&scene->diagnostics);
}

static void variables_are_replaced_by_their_values(void **state)
{
    (void)state;
    struct scene scene;
    read_scene(
        &scene,
        "variables: {gap: \"${2 * radius}\", radius: 2 mm, name: glass, count: 7}\n"
        "a: ${radius * 2}\nb: ${gap}\nc: ${count} mm\nd: out/${name}-${count}-${radius * 1.5}\ne: 5 mm\n"
        "f: 0.005\ng: ${count + 1}\nh: ${name}\n");
    static const double expected[] = {0.004, 0.004, 0.007};
    for (char key[2] = "a"; key[0] <= 'c'; ++key[0]) {
        double number = 0;
        if (!scree_value_number(&scene.values, scree_tree_find(scene.root, key), &length, &number))
            fail_msg("%s", message(&scene));
        assert_true(number == expected[key[0] - 'a']);
    }
    const char *text;
    assert_true(scree_value_text(&scene.values, scree_tree_find(scene.root, "d"), "d", &text));
    assert_string_equal(text, "out/glass-7-0.003 m");
    double values[2];
    assert_true(scree_value_number(&scene.values, scree_tree_find(scene.root, "e"), &length, &values[0]));
    assert_true(scree_value_number(&scene.values, scree_tree_find(scene.root, "f"), &length, &values[1]));
    assert_true(values[0] == values[1]);
    uint64_t integer;
    const struct scree_value_rule count = {.name = "count", .unit = "", .most = 100};
    assert_true(scree_value_whole(&scene.values, scree_tree_find(scene.root, "g"), &count, &integer));
    assert_int_equal(integer, 8);
    static const char *const words[] = {"steel", "glass", NULL};
    size_t word;
    assert_true(scree_value_word(&scene.values, scree_tree_find(scene.root, "h"), "h", words, &word));
    assert_int_equal(word, 1);
    assert_string_equal(message(&scene), "");
    free_scene(&scene);
}

static void mistakes_are_reported_at_their_position(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"a: 5 Pa", ":1:4: 'radius' must be in m, but this is in kg/(m s^2)\n"},
        {"a: -5 mm", ":1:4: 'radius' must be above 0 m, not -0.005\n"},
        {"a: 5 mn", ":1:6: 'radius': there is no unit 'mn': did you mean 'mN'?\n    a: 5 mn\n         ^~\n"},
        {"a: [5]", ":1:4: 'radius' must be a number in m, not a list\n"},
        {"a: abc", ":1:4: 'radius' must be a number in m, not 'abc'\n"},
        {"a: ${2 * radios}\nvariables: {radius: 2}",
         ":1:10: there is no variable 'radios': did you mean 'radius'?\n"},
        {"a: ${x}\nvariables: {x: \"${y}\", y: \"${x}\"}", "'x' depends on itself"},
        {"a: ${2 +}", ":1:9: a number, a name or '(' was expected here\n"},
        {"a: ${2", ":1:4: '${' is not closed by '}'\n"},
        {"a: ${2 + name}\nvariables: {name: glass}",
         "the variable 'name' is 'glass', not a number: a number was expected here\n"},
        {"b: 1\na:", ":2:1: 'radius' must be a number in m, not nothing\n"},
        {"a: ${5 mm}\nvariables: {mm: 5}", ":1:8: 'mm' after a number is a unit, but also a variable here: "
                                           "write '* mm' for the variable, or rename "
                                           "it to use the unit\n"},
        {"a: ${1 kg/h}\nvariables: {h: 5}", ":1:11: 'h' after a number is a unit, but also a variable here"},
        {"a: 1\nvariables: {x: [5]}", "a variable must be a number or a text, not a list\n"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        struct scene scene;
        double number;
        read_scene(&scene, rows[r][0]);
        assert_non_null(scene.root);
        const bool good =
            scree_value_number(&scene.values, scree_tree_find(scene.root, "a"), &length, &number);
        if (good != (strncmp(rows[r][0], "a: 1", 4) == 0) || !strstr(message(&scene), rows[r][1]))
            fail_msg("'%s': %s", rows[r][0], message(&scene));
        free_scene(&scene);
    }
}

static void diagnostics_of_words_and_flags_list_the_allowed_values(void **state)
{
    (void)state;
    static const char *const words[] = {"stop", "warn", "ignore", NULL};
    struct scene scene;
    size_t word;
    bool flag = false;
    read_scene(&scene, "a: wan\nb: maybe\nc: yes\n");
    assert_false(scree_value_word(&scene.values, scree_tree_find(scene.root, "a"), "policy", words, &word));
    assert_false(scree_value_flag(&scene.values, scree_tree_find(scene.root, "b"), "periodic", &flag));
    assert_non_null(strstr(message(&scene),
                           "'policy' must be one of stop, warn, ignore, not 'wan': did you mean 'warn'?\n"));
    assert_non_null(strstr(message(&scene), "'periodic' must be one of true, false, yes, no, not 'maybe'\n"));
    assert_true(scree_value_flag(&scene.values, scree_tree_find(scene.root, "c"), "periodic", &flag) && flag);
    free_scene(&scene);
}

static void texts_from_variables_that_are_too_long_are_refused(void **state)
{
    (void)state;
    char text[4000];
    struct scene scene;
    size_t used = (size_t)snprintf(text, sizeof text, "a: \"${v20}\"\nvariables:\n  v0: \"xxxxxxxx\"\n");
    for (int k = 1; k <= 20; ++k)
        used += (size_t)snprintf(text + used, sizeof text - used, "  v%d: \"${v%d}${v%d}${v%d}${v%d}\"\n", k,
                                 k - 1, k - 1, k - 1, k - 1);
    read_scene(&scene, text);
    const char *value;
    assert_false(scree_value_text(&scene.values, scree_tree_find(scene.root, "a"), "a", &value));
    assert_non_null(strstr(message(&scene), "too long"));
    free_scene(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_are_replaced_by_their_values),
        cmocka_unit_test(mistakes_are_reported_at_their_position),
        cmocka_unit_test(diagnostics_of_words_and_flags_list_the_allowed_values),
        cmocka_unit_test(texts_from_variables_that_are_too_long_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
