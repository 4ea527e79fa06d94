// Common functions of the benches: clocks, median, error exit, and checked arguments.
#ifndef SCREE_BENCH_BENCH_H
#define SCREE_BENCH_BENCH_H

#include <scree/status.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Processor time of all threads.
static inline double bench_cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Processor time for one thread, so that interruptions by other programs do not count; wall-clock time for
// several threads.
static inline double bench_clock(int threads)
{
    return threads == 1 ? bench_cpu_time() : bench_now();
}

static inline void bench_must(scree_status status)
{
    if (status == SCREE_OK)
        return;
    fprintf(stderr, "bench: %s\n", scree_status_message());
    exit(1);
}

static inline void *bench_new(size_t count, size_t size)
{
    void *block;
    if (posix_memalign(&block, 64, (count * size + 63) / 64 * 64 + 64) != 0) {
        fprintf(stderr, "bench: no memory for %zu times %zu bytes\n", count, size);
        exit(1);
    }
    memset(block, 0, count * size);
    return block;
}

static inline int bench_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double bench_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, bench_ascending);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

// A pseudo-random number in (-1, 1).
static inline double bench_draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 0x1p52 - 1;
}

static inline size_t bench_number(const char *text, size_t min, size_t max)
{
    char *end;
    const unsigned long long value = strtoull(text, &end, 10);
    // strtoull accepts a sign and blanks as well
    if (text[0] >= '0' && text[0] <= '9' && *end == 0 && value >= min && value <= max)
        return (size_t)value;
    fprintf(stderr, "bench: a number from %zu to %zu is expected; got '%s'\n", min, max, text);
    exit(2);
}

#endif
