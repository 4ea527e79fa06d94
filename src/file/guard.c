// Protection against SIGXFSZ, see guard.h.

#include "file/guard.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

void scree_guard_begin(struct scree_guard *guard)
{
    sigset_t size, pending;
    sigemptyset(&size);
    sigaddset(&size, SIGXFSZ);
    sigpending(&pending);
    guard->pending = sigismember(&pending, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &size, &guard->before);
}

void scree_guard_end(const struct scree_guard *guard)
{
    const int reason = errno;
    sigset_t size;
    sigemptyset(&size);
    sigaddset(&size, SIGXFSZ);
    if (!guard->pending)
        while (sigtimedwait(&size, NULL, &(struct timespec){0}) == -1 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &guard->before, NULL);
    errno = reason;
}

const char *scree_guard_hint(void)
{
    return errno == ENOSPC || errno == EDQUOT ? ": free disk space, or write less"
           : errno == EFBIG                   ? ": file size limit reached (see ulimit -f)"
                                              : "";
}
