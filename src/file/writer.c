// The thread that writes, see writer.h.

#include "file/writer.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

// jobs that are unfinished at most: one that is done and one that waits
enum { ROOM = 2 };

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
    struct task task[ROOM]; // number k of all ever submitted lies at k % ROOM
    size_t submitted, done;
    scree_status status; // of the first that failed
    char message[1024];
    struct scree_writer_times times;
};

// Does a task, unless one before has failed, and frees it.
static void do_task(struct scree_writer *writer, const struct task *task)
{
    const double start = scree_clock_now();
    if (writer->status == SCREE_OK) {
        const scree_status status = task->work(task->job);
        if (status != SCREE_OK) {
            strncpy(writer->message, scree_status_message(), sizeof writer->message - 1);
            // the last: with it the message is read
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
    // whatever the thread had that started this one
    (void)scree_team_float_enter();
    pthread_mutex_lock(&writer->lock);
    while (true) {
        while (writer->done == writer->submitted && !writer->ends)
            pthread_cond_wait(&writer->changed, &writer->lock);
        if (writer->done == writer->submitted)
            break;
        const struct task task = writer->task[writer->done % ROOM];
        pthread_mutex_unlock(&writer->lock);
        do_task(writer, &task);
        pthread_mutex_lock(&writer->lock);
        ++writer->done;
        pthread_cond_broadcast(&writer->changed);
    }
    pthread_mutex_unlock(&writer->lock);
    return NULL;
}

// Signals are the caller's: none is taken in the new thread.
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
        return scree_status_fail(SCREE_ERROR_MEMORY, "the system gives no lock for a thread that writes");
    }
    start(*writer);
    return SCREE_OK;
}

// Waits, under the lock, until fewer than `count` are unfinished.
static void wait_below(struct scree_writer *writer, size_t count)
{
    if (writer->submitted - writer->done < count)
        return;
    const double begun = scree_clock_now();
    while (writer->submitted - writer->done >= count)
        pthread_cond_wait(&writer->changed, &writer->lock);
    writer->times.waited += scree_clock_now() - begun;
}

// Under the lock; told outside of it.
static scree_status tell(struct scree_writer *writer)
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
        return tell(writer);
    }
    pthread_mutex_lock(&writer->lock);
    wait_below(writer, ROOM);
    writer->task[writer->submitted++ % ROOM] = task;
    pthread_cond_broadcast(&writer->changed);
    return tell(writer);
}

scree_status scree_writer_wait(struct scree_writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    wait_below(writer, 1);
    return tell(writer);
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
