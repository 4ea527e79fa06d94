// A background thread that runs jobs one after the other, so that the simulation does not wait for disks.
//
// A job is a pointer and two functions: one does the work, the other frees the job. Invariants: each
// submitted job is freed exactly once, done or not; jobs run in order of submission, and none runs after one
// has failed. A job owns its data: the thread reads nothing of the world. If no thread can be created,
// scree_writer_submit runs the jobs itself.

#ifndef SCREE_FILE_WRITER_H
#define SCREE_FILE_WRITER_H

#include "base/status.h"

struct scree_writer;

typedef scree_status scree_writer_work(void *job);
typedef void scree_writer_free(void *job);

// Starts the thread; `writer` is null after a failure.
SCREE_NODISCARD scree_status scree_writer_begin(struct scree_writer **writer);

// Submits a job and owns it, also on failure; waits while two are unfinished. The first failure is kept.
SCREE_NODISCARD scree_status scree_writer_submit(struct scree_writer *writer, scree_writer_work *work,
                                                 scree_writer_free *release, void *job);

SCREE_NODISCARD scree_status scree_writer_wait(struct scree_writer *writer);

// Waits until all jobs are done and ends the thread; `writer` may be null.
SCREE_NODISCARD scree_status scree_writer_end(struct scree_writer *writer);

// Seconds that jobs took so far, and seconds that submit and wait waited for them.
struct scree_writer_times {
    double busy, waited;
};
struct scree_writer_times scree_writer_times(struct scree_writer *writer);

#endif
