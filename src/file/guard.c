// Protection against SIGXFSZ, see guard.h.

#include "file/guard.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

void scree_guard_begin(struct scree_guard *guard)
{
    sigset_t signals, pending;
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    sigpending(&pending);
    guard->pending = sigismember(&pending, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signals, &guard->before);
}

void scree_guard_end(const struct scree_guard *guard)
{
    const int error = errno;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    if (!guard->pending)
        while (sigtimedwait(&signals, NULL, &(struct timespec){0}) == -1 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &guard->before, NULL);
    errno = error;
}

const char *scree_guard_hint(void)
{
    return errno == ENOSPC || errno == EDQUOT ? ": free disk space, or write less"
           : errno == EFBIG                   ? ": file size limit reached (see ulimit -f)"
                                              : "";
}
