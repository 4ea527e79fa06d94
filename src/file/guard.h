// Writing under a limit on the size of files: one that would grow beyond it raises the signal SIGXFSZ, which
// would end the process, the host of the library included. Between begin and end it is held back from the
// calling thread, and taken away: the write fails with EFBIG, an error like others.
//
// What always holds: the mask of the thread is afterwards what it was, errno is kept, and a signal that
// waited from before waits on. Guards may lie within each other.

#ifndef SCREE_FILE_GUARD_H
#define SCREE_FILE_GUARD_H

#include <signal.h>
#include <stdbool.h>

struct scree_guard {
    sigset_t before;
    bool pending; // another's, from before
};

void scree_guard_begin(struct scree_guard *guard);

void scree_guard_end(const struct scree_guard *guard);

// What helps where errno tells of a full disk or of a limit; "" for other reasons.
const char *scree_guard_hint(void);

#endif
