// Printing of scenes (language/print.h): a printed scene makes the same world, is printed the same again,
// and gives all numbers with all bits. Also compared with expected lines.

#include "law/law.h"
#include "support/starve.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

// Prints a scene; the caller frees the text.
static char *print_scene(const char *text, const struct scree_scene_def *def)
{
    struct scree_trial trial = {0};
    char *printed;
    trial.status = scree_scene_read(SCREE_TRIAL_SCENE, text, strlen(text), def, &trial.scene);
    scree_trial_assert_ok(&trial);
    assert_ok(scree_trial_print(&trial, &printed));
    scree_trial_free(&trial);
    return printed;
}

static struct scree_digest digest_of(const char *text, const struct scree_scene_def *def)
{
    struct scree_trial trial = {0};
    trial.status = scree_scene_read(SCREE_TRIAL_SCENE, text, strlen(text), def, &trial.scene);
    (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 1});
    scree_trial_assert_ok(&trial);
    const struct scree_digest digest = scree_test_digest(trial.world);
    scree_trial_free(&trial);
    return digest;
}

// Prints a scene, and checks that the printed scene makes the same world and is printed the same.
static char *print_and_check(const char *text, const struct scree_scene_def *def)
{
    char *first = print_scene(text, def), *second = print_scene(first, NULL);
    assert_string_equal(first, second);
    assert_true(scree_test_digests_equal(digest_of(text, def), digest_of(first, NULL)));
    free(second);
    return first;
}

static const char beads[] =
    "scree: 1\n"
    "title: \"${name}: \\\"two\\\"\\n\\\\beads\"\n"
    "variables: {radius: 5 mm, third: \"${1/3}\", name: 7}\n"
    "materials:\n"
    "  glass: &glass {density: 2500, young: 50 MPa, poisson: \"${third}\"}\n"
    "  \"any: thing\": *glass\n"
    "  steel: {density: 7800, young: rigid}\n"
    "contacts:\n"
    "  - {between: [steel, steel], law: none}\n"
    "  - {between: [any, any], law: linear, stiffness: 10 kN/m, friction: 0.5, restitution: 0.7}\n"
    "world: {box: [[-1, -1, -1], [1, 1, 1]], periodic: [x]}\n"
    "bodies:\n"
    "  - sphere: {radius: \"${radius}\", at: [0.1 mm, 0, 0], material: 'any: thing', velocity: [-0.0, "
    "\"${sqrt(2)}\", 0]}\n"
    "  - sphere: {radius: 1 cm, at: [1.5 cm, 0, 0], material: steel, fixed: [x, spin-z], spin: [0, 60 rpm, "
    "0]}\n"
    "walls:\n"
    "  - {plane: {point: [0, 0, -10 cm], normal: [0, 0, 1], material: steel}, velocity: [0, 0, 1 mm/s]}\n"
    "run:\n"
    "  - {steps: 10, stop: kinetic < 1 nJ}\n"
    "  - {for: 10 us, damping: {local: 0.3}, contacts: [{between: [any, any], law: linear, stiffness: 20 "
    "kN/m, "
    "friction: 0, restitution: 1}]}\n";

static const char *const expected_lines[] = {
    "title: \"7: \\\"two\\\"\\n\\\\beads\"\n",
    "poisson: 0.3333333333333333\n",
    "  \"any: thing\":\n    density: 2500\n",
    "    young: rigid\n",
    "stiffness: 10000\n",
    "  periodic: [x]\n",
    "  translation: velocity-verlet\n",
    "      at: [0.0001, 0, 0]\n      material: \"any: thing\"\n      velocity: [-0, 1.4142135623730951, 0]\n",
    "      spin: [0, 6.283185307179586, 0]\n      fixed: [x, spin-z]\n",
    "  - steps: 10\n    stop: \"kinetic < 1e-09\"\n",
    "  - for: 1e-05\n    damping:\n      local: 0.3\n      viscous: 0\n    contacts:\n      - between: [any, "
    "any]\n"
    "        law: linear\n        friction: 0\n        stiffness: 20000\n",
};

static void a_printed_scene_is_the_same_scene(void **state)
{
    (void)state;
    char *text = print_and_check(beads, NULL);
    for (size_t l = 0; l < sizeof expected_lines / sizeof expected_lines[0]; ++l)
        if (!strstr(text, expected_lines[l]))
            fail_msg("'%s' is not in the output", expected_lines[l]);
    assert_null(strstr(text, "variables"));
    assert_null(strstr(text, "${"));
    // a stage without damping keys changes no damping
    assert_null(strstr(text, "stop: \"kinetic < 1e-09\"\n    damping"));
    free(text);
}

static void given_variables_are_printed_as_their_values(void **state)
{
    (void)state;
    const struct scree_scene_variable large = {"radius", "5.5 mm"};
    char *text = print_and_check(beads, &(struct scree_scene_def){.variables = &large, .count = 1});
    assert_non_null(strstr(text, "radius: 0.0055\n"));
    free(text);
}

static void a_minimal_scene_is_printed_with_all_defaults(void **state)
{
    (void)state;
    const char *text = "{scree: 1, engine: {soft: {step: 1}}, run: [{steps: 0}], bodies: [], materials: {}}";
    char *printed = print_and_check(text, NULL);
    static const char *const parts[] = {
        "scree: 1\ndimension: 3\ngravity: [0, 0, 0]\nmaterials: {}\n",
        "world: {}\n",
        "motion:\n  translation: velocity-verlet\n  rotation: splitting\n  damping:\n    local: 0\n",
        "    viscous: 0\nbodies: []\n",
        "engine:\n  soft:\n    step: 1\n    safety: 0.2\n",
        "  overlap:\n    limit: 0.2\n    policy: stop\n",
        "run:\n  - steps: 0\n"};
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; ++p)
        if (!strstr(printed, parts[p]))
            fail_msg("'%s' is not in the output", parts[p]);
    free(printed);
}

// The default that is printed for a parameter is a value that the law accepts, with the same effect as no
// value.
static void the_printed_defaults_of_every_law_have_the_same_effect(void **state)
{
    (void)state;
    // the required parameters of the laws
    static const struct {
        const char *name, *unit;
        double value;
    } required[] = {{"friction", "", 0.5},
                    {"stiffness", "N/m", 1e4},
                    {"restitution", "", 0.5},
                    {"cohesion", "Pa", 1000},
                    {"work-of-adhesion", "J/m^2", 0.01}};
    for (size_t l = 0; scree_law_with_force_at(l); ++l) {
        const struct scree_contact_law *law = scree_law_with_force_at(l);
        const int dimension = law->dimensions & 8 ? 3 : 2;
        char text[4000];
        size_t used = (size_t)snprintf(text, sizeof text,
                                       "scree: 1\ndimension: %d\nmaterials: {a: {density: 1000, "
                                       "young: 1 MPa, poisson: 0.3}}\nengine: {soft: {step: 1 "
                                       "us}}\nrun: {steps: 20}\n",
                                       dimension);
        for (int side = 0; side < 2; ++side)
            used += (size_t)snprintf(
                text + used, sizeof text - used,
                dimension == 3 ? "%s sphere: {radius: 1 cm, at: [%g, 0, 0], material: a}\n"
                               : "%s disk: {radius: 1 cm, thickness: 1 cm, at: [%g, 0], material: a}\n",
                side ? "  -" : "bodies:\n  -", side * 0.0199);
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "contacts:\n  - between: [a, a]\n    law: %s\n", law->name);
        for (const struct scree_law_parameter *param = law->parameters; param->name; ++param)
            for (size_t g = 0; g < sizeof required / sizeof required[0]; ++g)
                if (strcmp(required[g].name, param->name) == 0 && strcmp(required[g].unit, param->unit) == 0)
                    used += (size_t)snprintf(text + used, sizeof text - used, "    %s: %g\n", param->name,
                                             required[g].value);
        free(print_and_check(text, NULL));
    }
}

static void the_length_of_texts_from_variables_is_limited(void **state)
{
    (void)state;
    // a long text at 1200 positions
    enum { LENGTH = 60000 };
    char *text = (char *)malloc(1 << 20);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "scree: 1\nvariables: {long: ");
    memset(text + used, 'a', LENGTH);
    used += LENGTH;
    used += (size_t)sprintf(text + used, "}\nmaterials:\n  ? ");
    memset(text + used, 'a', LENGTH);
    used += LENGTH;
    used += (size_t)sprintf(text + used, "\n  : {density: 1}\ncontacts:\n");
    for (int k = 0; k < 1200; ++k)
        used += (size_t)sprintf(text + used, "  - {between: [\"${long}\", any], law: none}\n");
    struct scree_scene *scene;
    const scree_status status = scree_scene_read("s", text, used, NULL, &scene);
    assert_true(status == SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_scene_diagnostics(scene), "too long"));
    scree_scene_free(scene);
    free(text);
}

static void a_scene_with_mistakes_is_not_printed(void **state)
{
    (void)state;
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, "scree: 2");
    char *printed;
    assert_int_equal(trial.status, SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_trial_print(&trial, &printed), SCREE_ERROR_ARGUMENT);
    assert_null(printed);
    scree_trial_free(&trial);
}

static scree_status try_to_print(void *user)
{
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, beads);
    char *printed = NULL;
    scree_status status = trial.status;
    if (status == SCREE_OK)
        status = scree_trial_print(&trial, &printed);
    if (status == SCREE_OK)
        assert_string_equal(printed, (const char *)user);
    free(printed);
    scree_trial_free(&trial);
    return status;
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    char *printed = print_scene(beads, NULL);
    assert_true(scree_starve(try_to_print, printed) > 20);
    free(printed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_printed_scene_is_the_same_scene),
        cmocka_unit_test(given_variables_are_printed_as_their_values),
        cmocka_unit_test(a_minimal_scene_is_printed_with_all_defaults),
        cmocka_unit_test(the_printed_defaults_of_every_law_have_the_same_effect),
        cmocka_unit_test(the_length_of_texts_from_variables_is_limited),
        cmocka_unit_test(a_scene_with_mistakes_is_not_printed),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
