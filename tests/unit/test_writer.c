// The writing thread (file/writer.h): jobs are done in order, each is freed once, and the first failure is
// reported. Reference: a log of the jobs.

#include "base/memory.h"
#include "file/writer.h"
#include "support/worlds.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { JOBS = 20 };

// Shared by the jobs; used by one thread at a time.
struct job_log {
    int done[JOBS], count, freed[JOBS];
    int fail_at;
    pthread_t thread;
    bool unblocked_signal; // SIGINT or SIGTERM
};

struct job {
    struct job_log *job_log;
    int number;
};

static struct job_log *clear_log(int fail_at)
{
    static struct job_log job_log;
    job_log = (struct job_log){.fail_at = fail_at};
    return &job_log;
}

static scree_status work(void *context)
{
    const struct job *job = (const struct job *)context;
    struct job_log *job_log = job->job_log;
    sigset_t mask;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    job_log->done[job_log->count++] = job->number;
    job_log->thread = pthread_self();
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    job_log->unblocked_signal =
        job_log->unblocked_signal || !sigismember(&mask, SIGINT) || !sigismember(&mask, SIGTERM);
    return job->number < job_log->fail_at ? SCREE_OK
                                          : scree_status_fail(SCREE_ERROR_IO, "no job %d", job->number);
}

static void release(void *context)
{
    struct job *job = (struct job *)context;
    ++job->job_log->freed[job->number];
    scree_memory_free(job);
}

static scree_status submit(struct scree_writer *writer, struct job_log *job_log, int number)
{
    struct job *job;
    assert_int_equal(scree_memory_new(1, sizeof *job, (void **)&job), SCREE_OK);
    *job = (struct job){job_log, number};
    return scree_writer_submit(writer, work, release, job);
}

static void jobs_are_done_in_order_and_in_another_thread(void **state)
{
    (void)state;
    struct scree_writer *writer;
    struct job_log *job_log = clear_log(JOBS);
    const size_t live = scree_memory_live();
    assert_int_equal(scree_writer_begin(&writer), SCREE_OK);
    for (int k = 0; k < JOBS; ++k)
        assert_int_equal(submit(writer, job_log, k), SCREE_OK);
    assert_int_equal(scree_writer_wait(writer), SCREE_OK);
    assert_int_equal(job_log->count, JOBS);
    for (int k = 0; k < JOBS; ++k) {
        assert_int_equal(job_log->done[k], k);
        assert_int_equal(job_log->freed[k], 1);
    }
    assert_false(pthread_equal(job_log->thread, pthread_self()));
    assert_false(job_log->unblocked_signal);
    // each job takes a millisecond and at most two jobs may wait, so submission waits too
    const struct scree_writer_times times = scree_writer_times(writer);
    assert_true(times.busy >= JOBS * 1e-3);
    assert_true(times.waited > 0);
    assert_int_equal(scree_writer_end(writer), SCREE_OK);
    assert_int_equal(scree_memory_live(), live);
}

// A limit of address space leaves no memory for the stack of a thread.
static void without_a_thread_jobs_are_done_at_once(void **state)
{
    (void)state;
#ifdef UNDER_SANITIZER
    // the memory of a sanitizer exceeds the limit
    skip();
#endif
    struct scree_writer *writer;
    struct rlimit before, limit;
    struct job_log *job_log = clear_log(2);
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1)
        skip();
    fclose(file);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    limit = before;
    limit.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + (1 << 20);
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    const scree_status status = scree_writer_begin(&writer);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(status, SCREE_OK);
    assert_int_equal(submit(writer, job_log, 0), SCREE_OK);
    assert_int_equal(job_log->count, 1);
    assert_true(pthread_equal(job_log->thread, pthread_self()));
    assert_int_equal(submit(writer, job_log, 1), SCREE_OK);
    assert_int_equal(submit(writer, job_log, 2), SCREE_ERROR_IO);
    assert_int_equal(submit(writer, job_log, 3), SCREE_ERROR_IO);
    assert_int_equal(job_log->count, 3);
    assert_int_equal(job_log->freed[3], 1);
    assert_true(scree_writer_times(writer).waited >= 3e-3);
    assert_int_equal(scree_writer_end(writer), SCREE_ERROR_IO);
    assert_string_equal(scree_status_message(), "no job 2");
}

static void ending_waits_for_unfinished_jobs(void **state)
{
    (void)state;
    struct scree_writer *writer;
    struct job_log *job_log = clear_log(JOBS);
    assert_int_equal(scree_writer_begin(&writer), SCREE_OK);
    for (int k = 0; k < 2; ++k)
        assert_int_equal(submit(writer, job_log, k), SCREE_OK);
    assert_int_equal(scree_writer_end(writer), SCREE_OK);
    assert_int_equal(job_log->count, 2);
    assert_int_equal(scree_writer_end(NULL), SCREE_OK);
}

static void the_first_failure_is_reported_and_ends_the_work(void **state)
{
    (void)state;
    struct scree_writer *writer;
    struct job_log *job_log = clear_log(3);
    const size_t live = scree_memory_live();
    assert_int_equal(scree_writer_begin(&writer), SCREE_OK);
    scree_status status = SCREE_OK;
    for (int k = 0; k < JOBS; ++k) {
        const scree_status result = submit(writer, job_log, k);
        // every call after the failure reports the same status
        assert_true(status == SCREE_OK || result == status);
        status = result;
    }
    assert_int_equal(status, SCREE_ERROR_IO);
    assert_int_equal(scree_writer_wait(writer), SCREE_ERROR_IO);
    assert_string_equal(scree_status_message(), "no job 3");
    assert_int_equal(job_log->count, 4);
    for (int k = 0; k < JOBS; ++k)
        assert_int_equal(job_log->freed[k], 1);
    assert_int_equal(scree_writer_end(writer), SCREE_ERROR_IO);
    assert_int_equal(scree_memory_live(), live);
}

static void a_failed_allocation_is_reported(void **state)
{
    (void)state;
    struct scree_writer *writer;
    scree_memory_fail_at(1);
    assert_int_equal(scree_writer_begin(&writer), SCREE_ERROR_MEMORY);
    assert_null(writer);
    scree_memory_fail_at(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        // this test is first: later the stack of an ended thread could be reused
        cmocka_unit_test(without_a_thread_jobs_are_done_at_once),
        cmocka_unit_test(jobs_are_done_in_order_and_in_another_thread),
        cmocka_unit_test(ending_waits_for_unfinished_jobs),
        cmocka_unit_test(the_first_failure_is_reported_and_ends_the_work),
        cmocka_unit_test(a_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
