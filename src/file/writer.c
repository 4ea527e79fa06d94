// The background writer thread, see writer.h.

#include "file/writer.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

// largest number of unfinished jobs: one runs and one waits
enum { QUEUE = 2 };

struct task {
    scree_writer_work *work;
    scree_writer_free *release;
    void *job;
};

struct scree_writer {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool has_thread, ends;
    struct task task[QUEUE]; // ring buffer: job k is at k % QUEUE
    size_t submitted, done;
    scree_status status; // of the first job that failed
    char message[1024];
    struct scree_writer_times times;
};

// Runs a task, unless an earlier one has failed, and frees it.
static void do_task(struct scree_writer *writer, const struct task *task)
{
    const double start = scree_clock_now();
    if (writer->status == SCREE_OK) {
        const scree_status status = task->work(task->job);
        if (status != SCREE_OK) {
            strncpy(writer->message, scree_status_message(), sizeof writer->message - 1);
            // set the status last: readers of a failed status also read the message
            pthread_mutex_lock(&writer->lock);
            writer->status = status;
            pthread_mutex_unlock(&writer->lock);
        }
    }
    task->release(task->job);
    pthread_mutex_lock(&writer->lock);
    writer->times.busy += scree_clock_now() - start;
    pthread_mutex_unlock(&writer->lock);
}

static void *work(void *context)
{
    struct scree_writer *writer = (struct scree_writer *)context;
    // set the floating-point mode: it is inherited from the thread that started this one
    (void)scree_team_float_enter();
    pthread_mutex_lock(&writer->lock);
    while (true) {
        while (writer->done == writer->submitted && !writer->ends)
            pthread_cond_wait(&writer->changed, &writer->lock);
        if (writer->done == writer->submitted)
            break;
        const struct task task = writer->task[writer->done % QUEUE];
        pthread_mutex_unlock(&writer->lock);
        do_task(writer, &task);
        pthread_mutex_lock(&writer->lock);
        ++writer->done;
        pthread_cond_broadcast(&writer->changed);
    }
    pthread_mutex_unlock(&writer->lock);
    return NULL;
}

// Starts the thread with all signals blocked, so that the caller's threads handle them.
static void start(struct scree_writer *writer)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    writer->has_thread = pthread_create(&writer->thread, NULL, work, writer) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

scree_status scree_writer_begin(struct scree_writer **writer)
{
    SCREE_TRY(scree_memory_new(1, sizeof **writer, (void **)writer));
    if (pthread_mutex_init(&(*writer)->lock, NULL) != 0 ||
        pthread_cond_init(&(*writer)->changed, NULL) != 0) {
        scree_memory_free(*writer);
        *writer = NULL;
        return scree_status_fail(SCREE_ERROR_MEMORY, "cannot create the lock of the writer thread");
    }
    start(*writer);
    return SCREE_OK;
}

// Waits until fewer than `count` jobs are unfinished; the lock is held.
static void wait_below(struct scree_writer *writer, size_t count)
{
    if (writer->submitted - writer->done < count)
        return;
    const double begun = scree_clock_now();
    while (writer->submitted - writer->done >= count)
        pthread_cond_wait(&writer->changed, &writer->lock);
    writer->times.waited += scree_clock_now() - begun;
}

// Releases the lock and returns the failure of the first failed job, if any.
static scree_status unlock_and_return(struct scree_writer *writer)
{
    const scree_status status = writer->status;
    pthread_mutex_unlock(&writer->lock);
    return status == SCREE_OK ? SCREE_OK : scree_status_fail(status, "%s", writer->message);
}

scree_status scree_writer_submit(struct scree_writer *writer, scree_writer_work *work_on,
                                 scree_writer_free *release, void *job)
{
    const struct task task = {work_on, release, job};
    if (!writer->has_thread) {
        const double begun = scree_clock_now();
        do_task(writer, &task);
        pthread_mutex_lock(&writer->lock);
        writer->times.waited += scree_clock_now() - begun;
        return unlock_and_return(writer);
    }
    pthread_mutex_lock(&writer->lock);
    wait_below(writer, QUEUE);
    writer->task[writer->submitted++ % QUEUE] = task;
    pthread_cond_broadcast(&writer->changed);
    return unlock_and_return(writer);
}

scree_status scree_writer_wait(struct scree_writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    wait_below(writer, 1);
    return unlock_and_return(writer);
}

scree_status scree_writer_end(struct scree_writer *writer)
{
    if (!writer)
        return SCREE_OK;
    const scree_status status = scree_writer_wait(writer);
    pthread_mutex_lock(&writer->lock);
    writer->ends = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    if (writer->has_thread)
        pthread_join(writer->thread, NULL);
    pthread_mutex_destroy(&writer->lock);
    pthread_cond_destroy(&writer->changed);
    scree_memory_free(writer);
    return status;
}

struct scree_writer_times scree_writer_measure(struct scree_writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    const struct scree_writer_times times = writer->times;
    pthread_mutex_unlock(&writer->lock);
    return times;
}
