// Variables changed at a restart: a warning names each variable whose old value is already in the state of
// the run, and no other.

#include "support/folder.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <stdio.h>

static const char text[] =
    "scree: 1\n"
    "variables: {mu: 0.5, radius: 5 mm, wide: \"${2 * radius}\", last: 20, first: 10, free: 1,\n"
    "            slow: 1 us}\n"
    "gravity: [0, 0, \"${-9.81 * free}\"]\n"
    "materials: {glass: {density: 2500, young: 50 MPa, poisson: 0.25}}\n"
    "contacts:\n"
    "  - {between: [any, any], law: hertz-mindlin, friction: \"${mu}\", restitution: 0.7}\n"
    "bodies: [{sphere: {radius: 5 mm, at: [0, 0, \"${wide + 1 mm}\"], material: glass}}]\n"
    "walls: [plane: {point: [0, 0, \"${-wide}\"], normal: [0, 0, 1], material: glass}]\n"
    "engine: {soft: {step: \"${slow}\"}}\n"
    "run:\n"
    "  - {steps: \"${first}\"}\n"
    "  - {steps: \"${last}\", gravity: [0, 0, \"${-mu}\"]}\n"
    "  - {steps: 10, gravity: [\"${mu}\", 0, 0]}\n"
    "record:\n"
    "  - {table: \"kept/run-${mu}.csv\", every: 5 steps}\n"
    "  - {checkpoint: kept/state.chk, every: 15 steps}\n";

// A cell that deforms: a constant rate is read once, a function of time again at the restart.
static const char cell[] = "scree: 1\n"
                           "variables: {rate: 1, wave: 1, width: 1}\n"
                           "world: {cell: {vectors: [[\"${width}\", 0, 0], [0, 1, 0], [0, 0, 1]]}}\n"
                           "engine: {soft: {step: 1 us}}\n"
                           "run:\n"
                           "  - {steps: 10, deform: {strain-rate: [0, 0, \"${rate}\"]}}\n"
                           "  - {steps: 20, deform: {strain-rate: [0, 0, \"${wave} * sin(1 Hz * t)\"]}}\n"
                           "record:\n"
                           "  - {checkpoint: kept/state.chk, every: 15 steps}\n";

struct warnings {
    size_t count;
    char text[4][700];
};

static void store_warning(void *user, const char *warning)
{
    struct warnings *warnings = (struct warnings *)user;
    if (warnings->count < 4)
        snprintf(warnings->text[warnings->count++], sizeof warnings->text[0], "%s", warning);
}

// Restarts from step 15, in the second stage, with a new value of a variable.
static struct warnings restart(const struct scree_folder *folder, const char *name, const char *value)
{
    struct warnings warnings = {0};
    struct scree_scene *scene;
    const struct scree_scene_variable variable = {name, value};
    const struct scree_run_def def = {
        .until = 60e-6, .warn = store_warning, .user = &warnings, .force = true};
    assert_ok(scree_scene_restart(scree_folder_path(folder, "kept/state.chk.previous"),
                                  &(struct scree_scene_def){.variables = &variable, .count = 1}, &scene));
    assert_ok(scree_scene_run(scene, &def, NULL));
    scree_scene_free(scene);
    return warnings;
}

static void a_warning_names_each_variable_that_is_changed_too_late(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *warning; // null for none
    } rows[] = {
        {"radius", "6 mm", "the new value of variable 'radius' does not apply to 'bodies', 'walls': "},
        {"wide", "11 mm", "the new value of variable 'wide' does not apply to 'bodies', 'walls': "},
        {"first", "12", "the new value of variable 'first' does not apply to stages that have started: "},
        {"free", "2", "the new value of variable 'free' does not apply to 'gravity': "},
        {"free", "1", NULL},
        {"last", "30", NULL},
        {"slow", "2 us", NULL},
        {"mu", "0.7",
         "the new value of variable 'mu' does not apply to 'contacts' and stages that have started: "},
        {"rate", "2", "the new value of variable 'rate' does not apply to stages that have started: "},
        {"width", "2", "the new value of variable 'width' does not apply to 'cell': "},
        {"wave", "2", NULL},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        const struct scree_folder folder = scree_folder_make("altered");
        struct scree_scene *scene;
        // the run ends such that the checkpoint of step 15 is the previous one
        const char *read = strstr("rate width wave", rows[r].name) ? cell : text;
        assert_ok(
            scree_scene_read(scree_folder_path(&folder, "scene.yaml"), read, strlen(read), NULL, &scene));
        assert_ok(scree_scene_run(scene, &(struct scree_run_def){.until = 17e-6}, NULL));
        scree_scene_free(scene);
        const struct warnings warnings = restart(&folder, rows[r].name, rows[r].value);
        const size_t expected = !rows[r].warning ? 0 : strcmp(rows[r].name, "mu") == 0 ? 2 : 1;
        if (warnings.count != expected ||
            (rows[r].warning && strstr(warnings.text[0], rows[r].warning) != warnings.text[0]))
            fail_msg("%s: %zu warnings, '%s'", rows[r].name, warnings.count, warnings.text[0]);
        if (expected == 2)
            assert_string_equal(warnings.text[1],
                                "the table continues as 'kept/run-0.7.csv'; 'kept/run-0.5.csv' is not "
                                "changed and keeps its output from after the checkpoint");
        scree_folder_drop(&folder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warning_names_each_variable_that_is_changed_too_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
