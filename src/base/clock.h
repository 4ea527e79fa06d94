// Wall-clock time in seconds since an arbitrary start. No result may depend on it.

#ifndef SCREE_BASE_CLOCK_H
#define SCREE_BASE_CLOCK_H

#include <time.h>

static inline double scree_clock_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
