// Locks of result files: they belong to one run while it is running, and missing result files of a
// restarted run are reported.

#include "file/lock.h"
#include "support/folder.h"
#include "support/trial.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char text[] = "scree: 1\nmaterials: {glass: {density: 2500}}\nengine: {soft: {step: 1 ms}}\n"
                           "bodies: [{group: all, sphere: {radius: 1 mm, at: [0, 0, 0], material: glass}}]\n"
                           "run: {steps: 10}\n"
                           "record:\n"
                           "  - {checkpoint: s.chk, every: 5 steps}\n"
                           "  - {table: t.csv, every: 1 steps, columns: [time]}\n"
                           "  - {track: k.csv, every: 1 steps, group: all}\n"
                           "  - {dump: d.dump, every: 1 steps}\n"
                           "  - {dump: n.csv, every: 1 steps}\n"
                           "  - {frames: f, every: 1 steps, of: [bodies]}\n";

static int make_folder(void **state)
{
    const int result = scree_test_folder_make(state);
    scree_folder_write(&scree_test_folder, SCREE_TRIAL_SCENE, text);
    return result;
}

static void append_warning(void *user, const char *message)
{
    char *messages = (char *)user;
    snprintf(messages + strlen(messages), 1000 - strlen(messages), "%s\n", message);
}

// Runs or restarts the scene, and checks the status and the message; collects the warnings.
static void run_scene(bool restart, scree_status status, const char *message, char warnings[1000])
{
    struct scree_trial trial =
        restart ? scree_trial_restart(scree_folder_path(&scree_test_folder, "s.chk"))
                : scree_trial_load(scree_folder_path(&scree_test_folder, SCREE_TRIAL_SCENE));
    const struct scree_run_def def = {.threads = 1,
                                      .force = !restart,
                                      .until = restart ? 0.02 : 0,
                                      .warn = append_warning,
                                      .user = warnings};
    warnings[0] = 0;
    if (scree_trial_run(&trial, &def) != status || !strstr(scree_trial_message(&trial), message))
        fail_msg("'%s'", scree_trial_message(&trial));
    scree_trial_free(&trial);
}

static void two_runs_do_not_write_the_same_results(void **state)
{
    (void)state;
    static const char *const locked[] = {"t.csv", "k.csv",      "d.dump",    "f-bodies",
                                         "s.chk", "s.chk.lock", "n.csv.lock"};
    char warnings[1000], process[80];
    snprintf(process, sizeof process, "being written by another run, process %d:", (int)getpid());
    run_scene(false, SCREE_OK, "", warnings);
    assert_false(scree_folder_has(&scree_test_folder, "s.chk.lock") ||
                 scree_folder_has(&scree_test_folder, "n.csv.lock"));
    // lock files that a killed run has left
    scree_folder_write(&scree_test_folder, "s.chk.lock", "");
    scree_folder_write(&scree_test_folder, "n.csv.lock", "");
    for (int restart = 0; restart < 2; ++restart)
        for (size_t h = 0; h < sizeof locked / sizeof locked[0]; ++h) {
            const char *path = scree_folder_path(&scree_test_folder, locked[h]);
            size_t before, after;
            char *old_text = scree_folder_read(&scree_test_folder, "t.csv", &before);
            const int other = open(path, O_RDONLY);
            assert_int_equal(scree_lock_file(other, path), SCREE_OK);
            run_scene(restart, SCREE_ERROR_IO, process, warnings);
            char *new_text = scree_folder_read(&scree_test_folder, "t.csv", &after);
            assert_true(before == after && memcmp(old_text, new_text, after) == 0);
            free(old_text);
            free(new_text);
            close(other);
        }
    run_scene(false, SCREE_OK, "", warnings);
    assert_false(scree_folder_has(&scree_test_folder, "s.chk.lock") ||
                 scree_folder_has(&scree_test_folder, "n.csv.lock"));
}

static void a_file_of_the_user_is_not_taken_for_a_lock(void **state)
{
    (void)state;
    char warnings[1000];
    scree_folder_write(&scree_test_folder, "s.chk.lock", "mine");
    run_scene(false, SCREE_ERROR_IO, "move it away", warnings);
    char *remaining = scree_folder_read(&scree_test_folder, "s.chk.lock", NULL);
    assert_string_equal(remaining, "mine");
    free(remaining);
    assert_int_equal(unlink(scree_folder_path(&scree_test_folder, "s.chk.lock")), 0);
}

static scree_status start_second_run(void *user, const struct scree_progress *progress)
{
    bool *done = (bool *)user;
    (void)progress;
    if (!*done) {
        struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "mark.yaml"));
        *done = true;
        if (scree_trial_run(&trial, &(struct scree_run_def){.threads = 1, .force = true}) != SCREE_ERROR_IO ||
            !strstr(scree_trial_message(&trial), "is being written by another run"))
            fail_msg("'%s'", scree_trial_message(&trial));
        scree_trial_free(&trial);
    }
    return SCREE_OK;
}

// The locks are held before the first output, also if the run has no other results.
static void a_run_locks_checkpoints_and_numbered_dumps_from_its_start(void **state)
{
    (void)state;
    static const char *const record[] = {"{checkpoint: only.chk, every: 1 s}",
                                         "{dump: only.csv, every: 1 s}"};
    static const char *const remaining[] = {"only.chk", "only-000000.csv"};
    for (size_t r = 0; r < 2; ++r) {
        char scene[500];
        bool done = false;
        snprintf(scene, sizeof scene, "%.*srecord: [%s]\n", (int)(strstr(text, "record:") - text), text,
                 record[r]);
        scree_folder_write(&scree_test_folder, "mark.yaml", scene);
        struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "mark.yaml"));
        const struct scree_run_def def = {
            .threads = 1, .function = start_second_run, .user = &done, .interval = 1e-9};
        assert_int_equal(scree_trial_run(&trial, &def), SCREE_OK);
        assert_true(done);
        scree_trial_free(&trial);
        assert_true(scree_folder_has(&scree_test_folder, remaining[r]));
    }
}

static void missing_results_of_a_restarted_run_are_reported(void **state)
{
    (void)state;
    static const char *const missing[] = {"t.csv", "k.csv", "d.dump"};
    char warnings[1000];
    for (size_t g = 0; g < sizeof missing / sizeof missing[0]; ++g) {
        run_scene(false, SCREE_OK, "", warnings);
        assert_int_equal(unlink(scree_folder_path(&scree_test_folder, missing[g])), 0);
        run_scene(true, SCREE_OK, "", warnings);
        if (!strstr(warnings, missing[g]) || !strstr(warnings, "is missing: a new one starts at 0.01 s"))
            fail_msg("%s: '%s'", missing[g], warnings);
        assert_true(scree_folder_has(&scree_test_folder, missing[g]));
    }
    run_scene(false, SCREE_OK, "", warnings);
    run_scene(true, SCREE_OK, "", warnings);
    assert_string_equal(warnings, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_runs_do_not_write_the_same_results),
        cmocka_unit_test(a_file_of_the_user_is_not_taken_for_a_lock),
        cmocka_unit_test(a_run_locks_checkpoints_and_numbered_dumps_from_its_start),
        cmocka_unit_test(missing_results_of_a_restarted_run_are_reported),
    };
    return cmocka_run_group_tests(tests, make_folder, scree_test_folder_remove);
}
