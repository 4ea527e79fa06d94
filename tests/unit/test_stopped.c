// Runs that are ended early write their state to a file, and no state file is lost by writing another.

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

// Ends a run at the first report after step `beyond`, and stores the step and the reported file name.
struct observer {
    uint64_t beyond, steps;
    char path[200];
};

static scree_status end_after(void *user, const struct scree_progress *progress)
{
    struct observer *observer = (struct observer *)user;
    observer->steps = progress->steps;
    return progress->steps > observer->beyond ? scree_status_fail(SCREE_ERROR_STATE, "enough") : SCREE_OK;
}

static void record_file(void *user, const char *kind, const char *path)
{
    struct observer *observer = (struct observer *)user;
    if (strcmp(kind, "checkpoint") == 0)
        snprintf(observer->path, sizeof observer->path, "%s", path);
}

static struct scree_run_def observed(struct observer *observer, bool force)
{
    return (struct scree_run_def){.interval = 1e-9,
                                  .threads = 1,
                                  .force = force,
                                  .function = end_after,
                                  .result = record_file,
                                  .user = observer};
}

static scree_status run_to_end(struct scree_trial trial, struct observer *observer, bool force)
{
    const struct scree_run_def def = observed(observer, force);
    scree_trial_assert_ok(&trial);
    const scree_status status = scree_trial_run(&trial, &def);
    scree_trial_free(&trial);
    return status;
}

// Starts a run, or restarts it from `from`, and ends it; checks that its state is in `name`. Returns its
// step.
static uint64_t run_and_end(const char *from, uint64_t beyond, bool force, const char *name)
{
    struct observer observer = {.beyond = beyond};
    struct scree_checkpoint_facts facts;
    const struct scree_trial trial =
        from ? scree_trial_restart(scree_folder_path(&scree_test_folder, from))
             : scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    assert_int_equal(run_to_end(trial, &observer, force), SCREE_ERROR_STATE);
    assert_string_equal(scree_status_message(), "enough");
    assert_string_equal(observer.path, scree_folder_path(&scree_test_folder, name));
    assert_int_equal(scree_checkpoint_info(observer.path, &facts), SCREE_OK);
    assert_true(facts.steps == observer.steps && facts.steps > beyond);
    return facts.steps;
}

static void assert_holds(const char *name, uint64_t steps)
{
    struct scree_checkpoint_facts facts;
    assert_int_equal(scree_checkpoint_info(scree_folder_path(&scree_test_folder, name), &facts), SCREE_OK);
    assert_int_equal(facts.steps, steps);
}

static int begin(void **state)
{
    const int result = scree_test_folder_make(state);
    scree_folder_write(&scree_test_folder, "scene.yaml", scene);
    return result;
}

// Also when the later run ends at an earlier step.
static void no_state_replaces_an_existing_one(void **state)
{
    (void)state;
    const uint64_t first = run_and_end(NULL, 2000, false, "scene.stopped.chk"),
                   second = run_and_end(NULL, 100, false, "scene.stopped-2.chk"),
                   third = run_and_end(NULL, 5000, false, "scene.stopped-3.chk");
    assert_holds("scene.stopped.chk", first);
    assert_holds("scene.stopped-2.chk", second);
    assert_holds("scene.stopped-3.chk", third);
    assert_false(scree_folder_has(&scree_test_folder, "scene.stopped.chk.previous"));
    // an overwritten state is kept as the previous one
    const uint64_t overwriting = run_and_end(NULL, 100, true, "scene.stopped.chk");
    assert_holds("scene.stopped.chk", overwriting);
    assert_holds("scene.stopped.chk.previous", first);
    assert_holds("scene.stopped-2.chk", second);
}

static void a_restarted_run_replaces_the_state_that_it_started_from(void **state)
{
    (void)state;
    const uint64_t other = run_and_end(NULL, 100, false, "scene.stopped.chk"),
                   first = run_and_end(NULL, 100, false, "scene.stopped-2.chk"),
                   second = run_and_end("scene.stopped-2.chk", first + 100, false, "scene.stopped-2.chk");
    assert_holds("scene.stopped-2.chk.previous", first);
    // a restart from the previous state does not overwrite the newer state
    const uint64_t restarted =
        run_and_end("scene.stopped-2.chk.previous", first, false, "scene.stopped-3.chk");
    assert_holds("scene.stopped-2.chk", second);
    assert_holds("scene.stopped-2.chk.previous", first);
    const uint64_t third = run_and_end("scene.stopped-2.chk", second, false, "scene.stopped-2.chk");
    assert_holds("scene.stopped-2.chk", third);
    assert_holds("scene.stopped-2.chk.previous", second);
    assert_holds("scene.stopped-3.chk", restarted);
    assert_holds("scene.stopped.chk", other);
}

static void files_with_the_name_of_the_state_are_kept(void **state)
{
    (void)state;
    static const char *const existing[] = {"scene.stopped.chk.part", "scene.stopped-2.chk.previous",
                                           "scene.stopped-3.chk/in", "scene.stopped-4.chk"};
    const int created = mkdir(scree_folder_path(&scree_test_folder, "scene.stopped-3.chk"), 0777);
    assert_int_equal(created, 0);
    for (size_t k = 0; k < 4; ++k)
        scree_folder_write(&scree_test_folder, existing[k], "mine");
    assert_int_equal(symlink("nowhere", scree_folder_path(&scree_test_folder, "scene.stopped-5.chk")), 0);
    run_and_end(NULL, 10, false, "scene.stopped-6.chk");
    for (size_t k = 0; k < 4; ++k) {
        char *text = scree_folder_read(&scree_test_folder, existing[k], NULL);
        assert_string_equal(text, "mine");
        free(text);
    }
    assert_false(scree_folder_has(&scree_test_folder, "nowhere"));
}

// A file that another running run may write is locked.
static void files_of_another_running_run_are_not_replaced_even_with_force(void **state)
{
    (void)state;
    const uint64_t first = run_and_end(NULL, 100, false, "scene.stopped.chk");
    const int lock = open(scree_folder_path(&scree_test_folder, "scene.stopped.chk"), O_RDONLY | O_CLOEXEC);
    assert_true(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0);
    run_and_end(NULL, 200, true, "scene.stopped-2.chk");
    run_and_end("scene.stopped.chk", first, false, "scene.stopped-3.chk");
    assert_holds("scene.stopped.chk", first);
    close(lock);
}

static void runs_that_end_at_the_same_time_have_different_files(void **state)
{
    (void)state;
    enum { RUNS = 6 };
    pid_t process[RUNS];
    for (size_t r = 0; r < RUNS; ++r) {
        process[r] = fork();
        assert_true(process[r] >= 0);
        if (process[r] > 0)
            continue;
        struct observer observer = {.beyond = 1000 * r};
        struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
        const struct scree_run_def def = observed(&observer, r % 2 == 1);
        _exit(scree_trial_run(&trial, &def) == SCREE_ERROR_STATE && observer.path[0] ? 0 : 1);
    }
    for (size_t r = 0; r < RUNS; ++r) {
        int status;
        assert_true(waitpid(process[r], &status, 0) == process[r] && WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    // runs that may overwrite keep a previous file
    for (int r = 0; r < RUNS / 2; ++r) {
        char name[40];
        struct scree_checkpoint_facts facts;
        snprintf(name, sizeof name, r == 0 ? "scene.stopped.chk" : "scene.stopped-%d.chk", r + 1);
        assert_int_equal(scree_checkpoint_info(scree_folder_path(&scree_test_folder, name), &facts),
                         SCREE_OK);
    }
}

static void a_state_that_cannot_be_written_leaves_no_file(void **state)
{
    (void)state;
    struct rlimit limit, small;
    struct observer observer = {.beyond = 100};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 2000;
    const struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const scree_status status = run_to_end(trial, &observer, false);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "scene.stopped.chk"));
    assert_string_equal(observer.path, "");
    assert_int_equal(unlink(scree_folder_path(&scree_test_folder, "scene.yaml")), 0);
    assert_int_equal(rmdir(scree_test_folder.path), 0);
    assert_int_equal(scree_test_folder_make(state), 0);
}

static scree_status end_starving(void *user)
{
    (void)user;
    struct observer observer = {.beyond = 10};
    const struct scree_run_def def = observed(&observer, false);
    struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    const scree_status status = trial.status == SCREE_OK ? scree_trial_run(&trial, &def) : trial.status;
    scree_trial_free(&trial);
    if (scree_folder_has(&scree_test_folder, "scene.stopped.chk")) {
        assert_int_equal(status, SCREE_ERROR_STATE);
        assert_int_equal(unlink(scree_folder_path(&scree_test_folder, "scene.stopped.chk")), 0);
    }
    return status == SCREE_ERROR_STATE ? SCREE_OK : status;
}

static void a_state_whose_allocation_fails_leaves_no_file(void **state)
{
    (void)state;
    assert_true(scree_starve(end_starving, NULL) > 100);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, scree_test_folder_remove)
    const struct CMUnitTest tests[] = {
        TEST(no_state_replaces_an_existing_one),
        TEST(a_restarted_run_replaces_the_state_that_it_started_from),
        TEST(files_with_the_name_of_the_state_are_kept),
        TEST(files_of_another_running_run_are_not_replaced_even_with_force),
        TEST(runs_that_end_at_the_same_time_have_different_files),
        TEST(a_state_that_cannot_be_written_leaves_no_file),
        TEST(a_state_whose_allocation_fails_leaves_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
