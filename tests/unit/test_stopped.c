// Runs that are ended early write a checkpoint (run/stopped.c), and no checkpoint is lost by writing
// another. References: names of files and steps in the checkpoints.

#include "support/folder.h"
#include "support/starve.h"
#include "support/trial.h"

#include <scree/scree.h>

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char scene[] =
    "scree: 1\n"
    "materials: {glass: {density: 2500, young: 50 MPa, poisson: 0.25}}\n"
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"
    "bodies: [sphere: {radius: 5 mm, at: [0, 0, 1 cm], velocity: [1, 0, 0], material: glass}]\n"
    "engine: {soft: {step: 10 us}}\n"
    "run: {until: 10 s}\n";

// Ends a run at the first report after `last_step`, and stores the step and the reported path of the
// checkpoint.
struct observer {
    uint64_t last_step, steps;
    char path[200];
};

static scree_status stop_after(void *user, const struct scree_progress *progress)
{
    struct observer *observer = (struct observer *)user;
    observer->steps = progress->steps;
    return progress->steps > observer->last_step ? scree_status_fail(SCREE_ERROR_STATE, "enough") : SCREE_OK;
}

static void record_file(void *user, const char *kind, const char *path)
{
    struct observer *observer = (struct observer *)user;
    if (strcmp(kind, "checkpoint") == 0)
        snprintf(observer->path, sizeof observer->path, "%s", path);
}

static struct scree_run_def run_def(struct observer *observer, bool force)
{
    return (struct scree_run_def){.interval = 1e-9,
                                  .threads = 1,
                                  .force = force,
                                  .function = stop_after,
                                  .result = record_file,
                                  .user = observer};
}

static scree_status run_to_end(struct scree_trial trial, struct observer *observer, bool force)
{
    const struct scree_run_def def = run_def(observer, force);
    scree_trial_assert_ok(&trial);
    const scree_status status = scree_trial_run(&trial, &def);
    scree_trial_free(&trial);
    return status;
}

// Starts a run, or restarts it from a checkpoint, and ends it; checks that its new checkpoint is `name`.
// Returns its step.
static uint64_t run_and_stop(const char *checkpoint, uint64_t last_step, bool force, const char *name)
{
    struct observer observer = {.last_step = last_step};
    struct scree_checkpoint_facts facts;
    const struct scree_trial trial =
        checkpoint ? scree_trial_restart(scree_folder_path(&scree_test_folder, checkpoint))
                   : scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    assert_int_equal(run_to_end(trial, &observer, force), SCREE_ERROR_STATE);
    assert_string_equal(scree_status_message(), "enough");
    assert_string_equal(observer.path, scree_folder_path(&scree_test_folder, name));
    assert_int_equal(scree_checkpoint_info(observer.path, &facts), SCREE_OK);
    assert_true(facts.steps == observer.steps && facts.steps > last_step);
    return facts.steps;
}

static void assert_step(const char *name, uint64_t steps)
{
    struct scree_checkpoint_facts facts;
    assert_int_equal(scree_checkpoint_info(scree_folder_path(&scree_test_folder, name), &facts), SCREE_OK);
    assert_int_equal(facts.steps, steps);
}

static int write_scene(void **state)
{
    const int result = scree_test_folder_make(state);
    scree_folder_write(&scree_test_folder, "scene.yaml", scene);
    return result;
}

// A later run may end at an earlier step.
static void no_checkpoint_replaces_an_existing_one(void **state)
{
    (void)state;
    const uint64_t first = run_and_stop(NULL, 2000, false, "scene.stopped.chk"),
                   second = run_and_stop(NULL, 100, false, "scene.stopped-2.chk"),
                   third = run_and_stop(NULL, 5000, false, "scene.stopped-3.chk");
    assert_step("scene.stopped.chk", first);
    assert_step("scene.stopped-2.chk", second);
    assert_step("scene.stopped-3.chk", third);
    assert_false(scree_folder_has(&scree_test_folder, "scene.stopped.chk.previous"));
    // an overwritten checkpoint is kept as the previous one
    const uint64_t overwriting = run_and_stop(NULL, 100, true, "scene.stopped.chk");
    assert_step("scene.stopped.chk", overwriting);
    assert_step("scene.stopped.chk.previous", first);
    assert_step("scene.stopped-2.chk", second);
}

static void a_restarted_run_replaces_the_checkpoint_from_which_it_started(void **state)
{
    (void)state;
    const uint64_t other = run_and_stop(NULL, 100, false, "scene.stopped.chk"),
                   first = run_and_stop(NULL, 100, false, "scene.stopped-2.chk"),
                   second = run_and_stop("scene.stopped-2.chk", first + 100, false, "scene.stopped-2.chk");
    assert_step("scene.stopped-2.chk.previous", first);
    // a restart from the previous checkpoint does not overwrite the newer one
    const uint64_t restarted =
        run_and_stop("scene.stopped-2.chk.previous", first, false, "scene.stopped-3.chk");
    assert_step("scene.stopped-2.chk", second);
    assert_step("scene.stopped-2.chk.previous", first);
    const uint64_t third = run_and_stop("scene.stopped-2.chk", second, false, "scene.stopped-2.chk");
    assert_step("scene.stopped-2.chk", third);
    assert_step("scene.stopped-2.chk.previous", second);
    assert_step("scene.stopped-3.chk", restarted);
    assert_step("scene.stopped.chk", other);
}

static void existing_files_with_the_name_of_a_checkpoint_are_kept(void **state)
{
    (void)state;
    static const char *const existing[] = {"scene.stopped.chk.part", "scene.stopped-2.chk.previous",
                                           "scene.stopped-3.chk/in", "scene.stopped-4.chk"};
    const int created = mkdir(scree_folder_path(&scree_test_folder, "scene.stopped-3.chk"), 0777);
    assert_int_equal(created, 0);
    for (size_t k = 0; k < 4; ++k)
        scree_folder_write(&scree_test_folder, existing[k], "mine");
    assert_int_equal(symlink("nowhere", scree_folder_path(&scree_test_folder, "scene.stopped-5.chk")), 0);
    run_and_stop(NULL, 10, false, "scene.stopped-6.chk");
    for (size_t k = 0; k < 4; ++k) {
        char *text = scree_folder_read(&scree_test_folder, existing[k], NULL);
        assert_string_equal(text, "mine");
        free(text);
    }
    assert_false(scree_folder_has(&scree_test_folder, "nowhere"));
}

// A checkpoint that a running run may write is locked.
static void files_of_another_running_run_are_not_replaced_even_with_force(void **state)
{
    (void)state;
    const uint64_t first = run_and_stop(NULL, 100, false, "scene.stopped.chk");
    const int lock = open(scree_folder_path(&scree_test_folder, "scene.stopped.chk"), O_RDONLY | O_CLOEXEC);
    assert_true(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0);
    run_and_stop(NULL, 200, true, "scene.stopped-2.chk");
    run_and_stop("scene.stopped.chk", first, false, "scene.stopped-3.chk");
    assert_step("scene.stopped.chk", first);
    close(lock);
}

static void runs_that_end_at_the_same_time_write_different_checkpoints(void **state)
{
    (void)state;
    enum { RUNS = 6 };
    pid_t process[RUNS];
    for (size_t r = 0; r < RUNS; ++r) {
        process[r] = fork();
        assert_true(process[r] >= 0);
        if (process[r] > 0)
            continue;
        struct observer observer = {.last_step = 1000 * r};
        struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
        const struct scree_run_def def = run_def(&observer, r % 2 == 1);
        _exit(scree_trial_run(&trial, &def) == SCREE_ERROR_STATE && observer.path[0] ? 0 : 1);
    }
    for (size_t r = 0; r < RUNS; ++r) {
        int status;
        assert_true(waitpid(process[r], &status, 0) == process[r] && WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    // runs without force write three different files; one with force may replace a file, and keeps it as the
    // previous checkpoint
    for (int r = 0; r < RUNS / 2; ++r) {
        char name[40];
        struct scree_checkpoint_facts facts;
        snprintf(name, sizeof name, r == 0 ? "scene.stopped.chk" : "scene.stopped-%d.chk", r + 1);
        assert_int_equal(scree_checkpoint_info(scree_folder_path(&scree_test_folder, name), &facts),
                         SCREE_OK);
    }
}

static void a_checkpoint_that_cannot_be_written_leaves_no_file(void **state)
{
    (void)state;
    struct rlimit limit, lower;
    struct observer observer = {.last_step = 100};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    lower = limit;
    lower.rlim_cur = 2000;
    const struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &lower), 0);
    const scree_status status = run_to_end(trial, &observer, false);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "scene.stopped.chk"));
    assert_string_equal(observer.path, "");
    // the folder contains the scene only
    assert_int_equal(unlink(scree_folder_path(&scree_test_folder, "scene.yaml")), 0);
    assert_int_equal(rmdir(scree_test_folder.path), 0);
    assert_int_equal(scree_test_folder_make(state), 0);
}

static scree_status try_to_stop(void *user)
{
    (void)user;
    struct observer observer = {.last_step = 10};
    const struct scree_run_def def = run_def(&observer, false);
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    const scree_status status = trial.status == SCREE_OK ? scree_trial_run(&trial, &def) : trial.status;
    scree_trial_free(&trial);
    if (scree_folder_has(&scree_test_folder, "scene.stopped.chk")) {
        assert_int_equal(status, SCREE_ERROR_STATE);
        assert_int_equal(unlink(scree_folder_path(&scree_test_folder, "scene.stopped.chk")), 0);
    }
    return status == SCREE_ERROR_STATE ? SCREE_OK : status;
}

static void a_failed_allocation_leaves_no_file(void **state)
{
    (void)state;
    assert_true(scree_starve(try_to_stop, NULL) > 100);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, write_scene, scree_test_folder_remove)
    const struct CMUnitTest tests[] = {
        TEST(no_checkpoint_replaces_an_existing_one),
        TEST(a_restarted_run_replaces_the_checkpoint_from_which_it_started),
        TEST(existing_files_with_the_name_of_a_checkpoint_are_kept),
        TEST(files_of_another_running_run_are_not_replaced_even_with_force),
        TEST(runs_that_end_at_the_same_time_write_different_checkpoints),
        TEST(a_checkpoint_that_cannot_be_written_leaves_no_file),
        TEST(a_failed_allocation_leaves_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
