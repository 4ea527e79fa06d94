// Result files belong to one run while it is running, and missing result files of a restarted run are
// reported.

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

static struct scree_folder folder;

static const char text[] = "scree: 1\nmaterials: {glass: {density: 2500}}\nengine: {soft: {step: 1 ms}}\n"
                           "bodies: [{group: all, sphere: {radius: 1 mm, at: [0, 0, 0], material: glass}}]\n"
                           "run: {steps: 10}\n"
                           "record:\n"
                           "  - {checkpoint: s.chk, every: 5 steps}\n"
                           "  - {table: t.csv, every: 1 steps, columns: [time]}\n"
                           "  - {track: k.csv, every: 1 steps, group: all}\n"
                           "  - {dump: d.dump, every: 1 steps}\n"
                           "  - {frames: f, every: 1 steps, of: [bodies]}\n";

static int enter(void **state)
{
    (void)state;
    folder = scree_folder_make("hold");
    scree_folder_write(&folder, SCREE_TRIAL_SCENE, text);
    return 0;
}

static int leave(void **state)
{
    (void)state;
    scree_folder_drop(&folder);
    return 0;
}

static void warn(void *user, const char *said)
{
    char *all = (char *)user;
    snprintf(all + strlen(all), 1000 - strlen(all), "%s\n", said);
}

static void run(bool again, scree_status status, const char *said, char warned[1000])
{
    struct scree_trial trial = again ? scree_trial_restart(scree_folder_path(&folder, "s.chk"))
                                     : scree_trial_load(scree_folder_path(&folder, SCREE_TRIAL_SCENE));
    const struct scree_run_def def = {
        .threads = 1, .force = !again, .until = again ? 0.02 : 0, .warn = warn, .user = warned};
    warned[0] = 0;
    if (scree_trial_run(&trial, &def) != status || !strstr(scree_trial_said(&trial), said))
        fail_msg("'%s'", scree_trial_said(&trial));
    scree_trial_free(&trial);
}

static void two_runs_do_not_write_the_same_results(void **state)
{
    (void)state;
    static const char *const held[] = {"t.csv", "k.csv", "d.dump", "f-bodies"};
    char warned[1000];
    run(false, SCREE_OK, "", warned);
    for (int again = 0; again < 2; ++again)
        for (size_t h = 0; h < sizeof held / sizeof held[0]; ++h) {
            const char *path = scree_folder_path(&folder, held[h]);
            size_t before, after;
            char *was = scree_folder_read(&folder, "t.csv", &before);
            const int other = open(path, O_RDONLY);
            assert_int_equal(scree_lock_file(other, path), SCREE_OK);
            run(again, SCREE_ERROR_IO, "is being written by another run", warned);
            char *is = scree_folder_read(&folder, "t.csv", &after);
            assert_true(before == after && memcmp(was, is, after) == 0);
            free(was);
            free(is);
            close(other);
        }
    run(false, SCREE_OK, "", warned);
}

static void missing_results_of_a_restarted_run_are_reported(void **state)
{
    (void)state;
    static const char *const gone[] = {"t.csv", "k.csv", "d.dump"};
    char warned[1000];
    for (size_t g = 0; g < sizeof gone / sizeof gone[0]; ++g) {
        run(false, SCREE_OK, "", warned);
        assert_int_equal(unlink(scree_folder_path(&folder, gone[g])), 0);
        run(true, SCREE_OK, "", warned);
        if (!strstr(warned, gone[g]) || !strstr(warned, "is missing: a new one starts at 0.01 s"))
            fail_msg("%s: '%s'", gone[g], warned);
        assert_true(scree_folder_has(&folder, gone[g]));
    }
    run(false, SCREE_OK, "", warned);
    run(true, SCREE_OK, "", warned);
    assert_string_equal(warned, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_runs_do_not_write_the_same_results),
        cmocka_unit_test(missing_results_of_a_restarted_run_are_reported),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
