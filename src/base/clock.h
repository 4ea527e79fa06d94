// Wall-clock time, and processor time of the calling thread, in seconds since an arbitrary start. No result
// may depend on them.

#ifndef SCREE_BASE_CLOCK_H
#define SCREE_BASE_CLOCK_H

#include <time.h>

static inline double scree_clock_read(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline double scree_clock_now(void)
{
    return scree_clock_read(CLOCK_MONOTONIC);
}

static inline double scree_clock_processor(void)
{
    return scree_clock_read(CLOCK_THREAD_CPUTIME_ID);
}

#endif
