// Each allocation of a restart fails in turn: the error is reported, nothing leaks, and the results stay,
// compared with their content before.

#include "support/folder.h"
#include "support/starve.h"
#include "support/worlds.h"

#include <stdio.h>
#include <stdlib.h>

static const char scene_text[] = "scree: 1\nvariables: {n: 1}\n"
                                 "materials: {glass: {density: 2500}}\n"
                                 "bodies: [{sphere: {radius: 5 mm, at: [0, 0, 0], velocity: [1, 0, 0], "
                                 "material: glass}, group: first}]\n"
                                 "engine: {soft: {step: 10 us}}\n"
                                 "run:\n  - {steps: 60}\n  - {steps: 40, gravity: [0, 0, -9.81]}\n"
                                 "record:\n"
                                 "  - {table: kept/table.csv, every: 20 steps, columns: [time, kinetic]}\n"
                                 "  - {track: kept/track.csv, every: 20 steps, group: first}\n"
                                 "  - {dump: kept/all.dump, every: 20 steps}\n"
                                 "  - {dump: kept/one.csv, every: 20 steps}\n"
                                 "  - {frames: kept/f, every: 20 steps, of: [bodies]}\n"
                                 "  - {checkpoint: kept/state.chk, every: 70 steps}\n";

// Restarts with a variable set: then the original scene is read too, and later stages are checked by a dry
// run.
static scree_status restart(void *user)
{
    const struct scree_scene_variable same = {"n", "1"};
    struct scree_scene *scene;
    scree_status status = scree_scene_restart(
        (const char *)user, &(struct scree_scene_def){.variables = &same, .count = 1}, &scene);
    if (status == SCREE_OK)
        status = scree_scene_run(scene, NULL, NULL);
    scree_scene_free(scene);
    return status;
}

// A finished run can be restarted any number of times.
static void a_failed_allocation_is_reported_and_keeps_the_results(void **state)
{
    (void)state;
    static const char *const files[] = {"kept/table.csv", "kept/track.csv", "kept/all.dump",
                                        "kept/one-000005.csv", "kept/f-bodies.hdf.series"};
    char *before[5], path[100];
    struct scree_scene *scene;
    const struct scree_folder folder = scree_folder_make("fault-restart");
    assert_ok(scree_scene_read(scree_folder_path(&folder, "scene.yaml"), scene_text, strlen(scene_text), NULL,
                               &scene));
    assert_ok(scree_scene_run(scene, NULL, NULL));
    scree_scene_free(scene);
    for (size_t k = 0; k < 5; ++k)
        before[k] = scree_folder_read(&folder, files[k], NULL);
    snprintf(path, sizeof path, "%s", scree_folder_path(&folder, "kept/state.chk"));
    // the first call allocates memory that libraries keep until the process ends
    assert_ok(restart(path));
    assert_true(scree_starve(restart, path) > 100);
    for (size_t k = 0; k < 5; ++k) {
        char *after = scree_folder_read(&folder, files[k], NULL);
        assert_string_equal(before[k], after);
        free(before[k]);
        free(after);
    }
    scree_folder_drop(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_allocation_is_reported_and_keeps_the_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
