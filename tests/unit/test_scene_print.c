// A scene that is written out in full is the same scene: it makes the same world, is written as itself, and
// has all numbers with all bits.

#include "law/law.h"
#include "support/starve.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

// Writes a scene out; the caller frees the text.
static char *print(const char *text, const struct scree_scene_def *def)
{
    struct scree_trial trial = {0};
    char *written;
    trial.status = scree_scene_read(SCREE_TRIAL_SCENE, text, strlen(text), def, &trial.scene);
    scree_trial_assert_ok(&trial);
    assert_ok(scree_trial_print(&trial, &written));
    scree_trial_free(&trial);
    return written;
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

// The text of a scene as written; checks that this text makes the same world and is written as itself.
static char *check(const char *text, const struct scree_scene_def *def)
{
    char *once = print(text, def), *twice = print(once, NULL);
    assert_string_equal(once, twice);
    assert_true(scree_test_digests_equal(digest_of(text, def), digest_of(once, NULL)));
    free(twice);
    return once;
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

static const char *const lines[] = {
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

static void a_scene_written_out_is_the_same_scene(void **state)
{
    (void)state;
    char *text = check(beads, NULL);
    for (size_t l = 0; l < sizeof lines / sizeof lines[0]; ++l)
        if (!strstr(text, lines[l]))
            fail_msg("'%s' is not in the output", lines[l]);
    assert_null(strstr(text, "variables"));
    assert_null(strstr(text, "${"));
    // a stage without damping keys changes no damping
    assert_null(strstr(text, "stop: \"kinetic < 1e-09\"\n    damping"));
    free(text);
}

static void variables_from_outside_are_written_as_values(void **state)
{
    (void)state;
    const struct scree_scene_variable large = {"radius", "5.5 mm"};
    char *text = check(beads, &(struct scree_scene_def){.variables = &large, .count = 1});
    assert_non_null(strstr(text, "radius: 0.0055\n"));
    free(text);
}

static void a_scene_with_a_version_only_is_written_with_all_defaults(void **state)
{
    (void)state;
    const char *text = "{scree: 1, engine: {soft: {step: 1}}, run: [{steps: 0}], bodies: [], materials: {}}";
    char *printed = check(text, NULL);
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

// The default that a law uses for a missing parameter is a value that it accepts, with the same meaning.
static void the_defaults_of_every_law_can_be_written(void **state)
{
    (void)state;
    // only the required parameters of the laws
    static const struct {
        const char *name, *unit;
        double value;
    } given[] = {{"friction", "", 0.5},
                 {"stiffness", "N/m", 1e4},
                 {"restitution", "", 0.5},
                 {"cohesion", "Pa", 1000},
                 {"work-of-adhesion", "J/m^2", 0.01}};
    for (size_t l = 0; scree_law_at(l); ++l) {
        const struct scree_contact_law *law = scree_law_at(l);
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
        for (const struct scree_law_parameter *p = law->parameters; p->name; ++p)
            for (size_t g = 0; g < sizeof given / sizeof given[0]; ++g)
                if (strcmp(given[g].name, p->name) == 0 && strcmp(given[g].unit, p->unit) == 0)
                    used += (size_t)snprintf(text + used, sizeof text - used, "    %s: %g\n", p->name,
                                             given[g].value);
        free(check(text, NULL));
    }
}

static void texts_expanded_by_variables_are_limited(void **state)
{
    (void)state;
    // a long text in twelve hundred positions
    enum { LONG = 60000 };
    char *text = (char *)malloc(1 << 20);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "scree: 1\nvariables: {long: ");
    memset(text + used, 'a', LONG);
    used += LONG;
    used += (size_t)sprintf(text + used, "}\nmaterials:\n  ? ");
    memset(text + used, 'a', LONG);
    used += LONG;
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

static void scenes_with_mistakes_are_not_written(void **state)
{
    (void)state;
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, "scree: 2");
    char *written;
    assert_int_equal(trial.status, SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_trial_print(&trial, &written), SCREE_ERROR_ARGUMENT);
    assert_null(written);
    scree_trial_free(&trial);
}

static scree_status try_to_print(void *user)
{
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, beads);
    char *written = NULL;
    scree_status status = trial.status;
    if (status == SCREE_OK)
        status = scree_trial_print(&trial, &written);
    if (status == SCREE_OK)
        assert_string_equal(written, (const char *)user);
    free(written);
    scree_trial_free(&trial);
    return status;
}

static void no_failed_allocation_leaks(void **state)
{
    (void)state;
    char *whole = print(beads, NULL);
    assert_true(scree_starve(try_to_print, whole) > 20);
    free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_written_out_is_the_same_scene),
        cmocka_unit_test(variables_from_outside_are_written_as_values),
        cmocka_unit_test(a_scene_with_a_version_only_is_written_with_all_defaults),
        cmocka_unit_test(the_defaults_of_every_law_can_be_written),
        cmocka_unit_test(texts_expanded_by_variables_are_limited),
        cmocka_unit_test(scenes_with_mistakes_are_not_written),
        cmocka_unit_test(no_failed_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
