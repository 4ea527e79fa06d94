// A limit on file sizes: a run or a conversion that reaches it returns an error, and the signal SIGXFSZ
// does not end the process.

#include "file/guard.h"
#include "support/folder.h"
#include "support/trial.h"

#include <scree/convert.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

static struct scree_folder folder;

static int remove_folder(void **state)
{
    (void)state;
    scree_folder_end(&folder, "t.csv t.dump t-000000.csv back.xyz");
    return 0;
}

static void set_size_limit(rlim_t bytes)
{
    struct rlimit now;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &now), 0);
    now.rlim_cur = bytes < now.rlim_max ? bytes : now.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &now), 0);
}

// The signal was not delivered and is not pending, and can occur again.
static void assert_no_signal(void)
{
    sigset_t mask;
    assert_int_equal(sigpending(&mask), 0);
    assert_false(sigismember(&mask, SIGXFSZ));
    assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &mask), 0);
    assert_false(sigismember(&mask, SIGXFSZ));
}

// Runs ten spheres with a record.
static scree_status run_with_record(const char *record)
{
    char text[2000];
    int length = snprintf(text, sizeof text,
                          "scree: 1\nmaterials: {glass: {density: 2500, young: 5 MPa, poisson: 0.25}}\n"
                          "engine: {soft: {step: 1 ms}}\nrun: {steps: 100}\nrecord: [{%s}]\nbodies:\n",
                          record);
    for (int b = 0; b < 10; ++b)
        length +=
            snprintf(text + length, sizeof text - (size_t)length,
                     "  - {group: all, sphere: {radius: 1 mm, at: [%d, 0, 0.1], material: glass}}\n", b);
    struct scree_trial trial = scree_trial_read(SCREE_TRIAL_SCENE, text);
    (void)scree_trial_run(&trial,
                          &(struct scree_run_def){.threads = 1, .force = true, .folder = folder.path});
    scree_trial_free(&trial);
    return trial.status;
}

// Also runs once without a limit, because a library for threads may write a small file when it starts.
static int make_folder(void **state)
{
    (void)state;
    folder = scree_folder_make("guard-of-test");
    return run_with_record("table: t.csv, every: 1 steps, columns: [time]") != SCREE_OK;
}

static void a_record_beyond_the_limit_is_an_error(void **state)
{
    (void)state;
    static const char *const records[] = {
        "table: t.csv, every: 1 steps, columns: [time, steps, kinetic]",
        "track: t.csv, every: 1 steps, group: all",
        "dump: t.dump, every: 1 steps",
        "dump: t.csv, every: 1 steps",
    };
    // within the header, within the first rows, and between two instants
    static const rlim_t limits[] = {1, 200, 600};
    for (size_t r = 0; r < sizeof records / sizeof records[0]; ++r)
        for (size_t n = 0; n < sizeof limits / sizeof limits[0]; ++n) {
            set_size_limit(limits[n]);
            const scree_status status = run_with_record(records[r]);
            set_size_limit(RLIM_INFINITY);
            if (status != SCREE_ERROR_IO || !strstr(scree_status_message(), "ulimit"))
                fail_msg("%s: %s", records[r], scree_status_message());
            assert_no_signal();
        }
}

static void a_conversion_beyond_the_limit_is_an_error(void **state)
{
    (void)state;
    assert_int_equal(run_with_record("dump: t.dump, every: 1 steps"), SCREE_OK);
    set_size_limit(1000);
    const scree_status status =
        scree_convert_file(scree_folder_path(&folder, "t.dump"), scree_folder_path(&folder, "back.xyz"),
                           &(struct scree_convert_def){.all = true, .force = true}, NULL);
    set_size_limit(RLIM_INFINITY);
    assert_int_equal(status, SCREE_ERROR_IO);
    assert_non_null(strstr(scree_status_message(), "ulimit"));
    assert_false(scree_folder_has(&folder, "back.xyz"));
    assert_no_signal();
}

static void guards_can_be_nested_and_keep_pending_signals(void **state)
{
    (void)state;
    struct scree_guard outer, inner;
    sigset_t mask;
    scree_guard_begin(&outer);
    assert_int_equal(raise(SIGXFSZ), 0);
    scree_guard_begin(&inner);
    errno = EFBIG;
    scree_guard_end(&inner);
    assert_int_equal(errno, EFBIG);
    // the inner guard has not removed the signal of the outer one
    assert_int_equal(sigpending(&mask), 0);
    assert_true(sigismember(&mask, SIGXFSZ));
    scree_guard_end(&outer);
    assert_no_signal();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_beyond_the_limit_is_an_error),
        cmocka_unit_test(a_conversion_beyond_the_limit_is_an_error),
        cmocka_unit_test(guards_can_be_nested_and_keep_pending_signals),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
