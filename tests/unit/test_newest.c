// Search for the newest checkpoint that fits the results (scene/newest.c). After a run is killed, its
// results may end before its last checkpoint: then the previous checkpoint must be found. Reference: the
// steps of the checkpoints, 8 and 10, and an uninterrupted run.

#include "support/folder.h"
#include "support/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char text[] = "scree: 1\nvariables: {unit: 1 s}\n"
                           "materials: {glass: {density: 2500}}\nengine: {soft: {step: 1 ms}}\n"
                           "bodies: [{group: all, sphere: {radius: 1 mm, at: [0, 0, 0], velocity: [1, 0, 0], "
                           "material: glass}}]\n"
                           "run: {steps: 10}\n"
                           "record:\n"
                           "  - {checkpoint: s.chk, every: 4 steps}\n"
                           "  - {table: t.csv, every: 1 steps, columns: [time, {formula: '${unit} * "
                           "time', as: product}]}\n"
                           "  - {dump: n.csv, every: 1 steps}\n"
                           "  - {dump: d.xyz, every: 1 steps}\n"
                           "  - {frames: f, every: 1 steps, of: [bodies]}\n";

static int write_scene(void **state)
{
    const int result = scree_test_folder_make(state);
    scree_folder_write(&scree_test_folder, SCREE_TRIAL_SCENE, text);
    return result;
}

static scree_status end_early(void *user, const struct scree_progress *progress)
{
    (void)user;
    (void)progress;
    return SCREE_ERROR_STATE;
}

static void run_to_end(void)
{
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, SCREE_TRIAL_SCENE));
    assert_int_equal(scree_trial_run(&trial, &(struct scree_run_def){.threads = 1, .force = true}), SCREE_OK);
    scree_trial_free(&trial);
}

static scree_status restart(const char *name, char message[2000])
{
    struct scree_trial trial = scree_trial_restart(scree_folder_path(&scree_test_folder, name));
    const scree_status status = scree_trial_run(&trial, &(struct scree_run_def){.threads = 1});
    snprintf(message, 2000, "%s", scree_trial_message(&trial));
    scree_trial_free(&trial);
    return status;
}

// Fails unless the newest checkpoint that fits is `expected`, of step 8 or 10.
static void assert_newest(const char *checkpoint, const char *expected, uint64_t steps)
{
    char path[200];
    struct scree_checkpoint_facts facts;
    assert_int_equal(scree_scene_newest(scree_folder_path(&scree_test_folder, checkpoint), NULL, NULL, path,
                                        sizeof path, &facts),
                     SCREE_OK);
    assert_string_equal(path, scree_folder_path(&scree_test_folder, expected));
    assert_int_equal(facts.steps, steps);
}

static void shell(const char *command)
{
    char line[300];
    snprintf(line, sizeof line, "cd %s && %s", scree_test_folder.path, command);
    assert_int_equal(system(line), 0);
}

static void the_later_of_two_checkpoints_that_fit_is_found(void **state)
{
    (void)state;
    char message[2000];
    run_to_end();
    assert_newest("s.chk", "s.chk", 10);
    assert_newest("s.chk.previous", "s.chk", 10);
    shell("echo damaged > s.chk");
    assert_newest("s.chk", "s.chk.previous", 8);
    shell("rm s.chk");
    assert_newest("s.chk", "s.chk.previous", 8);
    assert_int_equal(restart("s.chk.previous", message), SCREE_OK);
}

static void a_refused_restart_names_the_checkpoint_that_fits(void **state)
{
    (void)state;
    // shortens one result to end at step 8, as after a kill; the others end at step 10
    static const char *const shorten[] = {
        "head -n 10 t.csv > t && cp t t.csv", "rm n-000010.csv n-000009.csv",
        "head -n 27 d.xyz > d && cp d d.xyz",
        "sed -i -e '/000009\\.hdf/d' -e '/000010\\.hdf/d' -e '/000008/s/,$//' f-bodies.hdf.series"};
    char message[2000];
    for (size_t s = 0; s < sizeof shorten / sizeof shorten[0]; ++s) {
        run_to_end();
        shell(shorten[s]);
        assert_int_equal(restart("s.chk", message), SCREE_ERROR_IO);
        if (!strstr(message, "s.chk.previous', at 0.008 s, in step 8, which fits the results") ||
            strstr(message, "move"))
            fail_msg("after `%s`: '%s'", shorten[s], message);
        assert_newest("s.chk", "s.chk.previous", 8);
        if (restart("s.chk.previous", message) != SCREE_OK)
            fail_msg("after `%s`: '%s'", shorten[s], message);
        assert_newest("s.chk", "s.chk", 10);
    }
}

// With another unit in the title of a column neither checkpoint fits.
static void advice_counts_for_the_variables_of_the_restart(void **state)
{
    (void)state;
    const struct scree_scene_variable unit = {"unit", "1 m"};
    const struct scree_scene_def variables = {.variables = &unit, .count = 1};
    struct scree_scene *scene;
    run_to_end();
    assert_int_equal(scree_scene_restart(scree_folder_path(&scree_test_folder, "s.chk"), &variables, &scene),
                     SCREE_OK);
    assert_int_equal(scree_scene_run(scene, &(struct scree_run_def){.threads = 1}, NULL), SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "does not have the columns that the run writes"));
    assert_null(strstr(scree_status_message(), "which fits"));
    scree_scene_free(scene);
}

static void if_no_checkpoint_fits_both_reasons_are_reported(void **state)
{
    (void)state;
    char path[200], message[2000];
    run_to_end();
    shell("head -n 3 t.csv > t && cp t t.csv");
    assert_int_equal(restart("s.chk", message), SCREE_ERROR_IO);
    assert_non_null(strstr(message, "move it away, and the run starts a new one"));
    assert_int_equal(scree_scene_newest(scree_folder_path(&scree_test_folder, "s.chk"), NULL, NULL, path,
                                        sizeof path, NULL),
                     SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "neither from"));
    assert_non_null(strstr(scree_status_message(), "s.chk.previous' (the table"));
    // there is a checkpoint that fits, but its path is longer than the buffer
    char small_path[10];
    run_to_end();
    assert_int_equal(scree_scene_newest(scree_folder_path(&scree_test_folder, "s.chk"), NULL, NULL,
                                        small_path, sizeof small_path, NULL),
                     SCREE_ERROR_LIMIT);
}

// The state after a kill: the run is interrupted, and the earlier checkpoints and a shortened table are put
// back.
static void a_run_interrupted_before_its_checkpoint_can_be_continued(void **state)
{
    (void)state;
    char message[2000];
    run_to_end();
    shell("cp s.chk later && cp s.chk.previous earlier && cp t.csv whole");
    struct scree_trial trial = scree_trial_restart(scree_folder_path(&scree_test_folder, "s.chk.previous"));
    const struct scree_run_def def = {.threads = 1, .function = end_early, .interval = 1e-9};
    (void)scree_trial_run(&trial, &def);
    scree_trial_free(&trial);
    shell("cp later s.chk && cp earlier s.chk.previous && head -n 10 t.csv > t && cp t t.csv");
    assert_int_equal(restart("s.chk", message), SCREE_ERROR_IO);
    assert_newest("s.chk", "s.chk.previous", 8);
    assert_int_equal(restart("s.chk.previous", message), SCREE_OK);
    shell("cmp t.csv whole");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_later_of_two_checkpoints_that_fit_is_found),
        cmocka_unit_test(a_refused_restart_names_the_checkpoint_that_fits),
        cmocka_unit_test(advice_counts_for_the_variables_of_the_restart),
        cmocka_unit_test(if_no_checkpoint_fits_both_reasons_are_reported),
        cmocka_unit_test(a_run_interrupted_before_its_checkpoint_can_be_continued),
    };
    return cmocka_run_group_tests(tests, write_scene, scree_test_folder_remove);
}
