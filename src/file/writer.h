// A thread in the background that does jobs one after the other, so that computing need not wait for disks.
//
// A job is a pointer and two functions: one does the work, the other frees the job. What always holds: each
// job that was submitted is freed exactly once, done or not; jobs are done in the order of submission, and
// after one has failed no further one is done. What a job works on is its own: nothing of the world is read
// in the thread. Where the system gives no thread, jobs are done by submit itself.

#ifndef SCREE_FILE_WRITER_H
#define SCREE_FILE_WRITER_H

#include "base/status.h"

struct scree_writer;

typedef scree_status scree_writer_work(void *job);
typedef void scree_writer_free(void *job);

// Starts; `writer` is null after a failure.
SCREE_NODISCARD scree_status scree_writer_begin(struct scree_writer **writer);

// Hands over a job, also where this fails; waits while two are unfinished. A failure is that of an earlier
// job: the first there was, from now on at every call.
SCREE_NODISCARD scree_status scree_writer_submit(struct scree_writer *writer, scree_writer_work *work,
                                                 scree_writer_free *release, void *job);

// Waits until all jobs are through.
SCREE_NODISCARD scree_status scree_writer_wait(struct scree_writer *writer);

// Waits likewise and ends the thread; null is fine.
SCREE_NODISCARD scree_status scree_writer_end(struct scree_writer *writer);

// Seconds that jobs took so far, and seconds that submit and wait had to wait for them.
struct scree_writer_times {
    double busy, waited;
};
struct scree_writer_times scree_writer_measure(struct scree_writer *writer);

#endif
