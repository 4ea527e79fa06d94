// Time of a cache line that is read at random, ahead by prefetches: what waiting for memory costs an engine
// whose bodies do not fit the caches and that asks for all lines as early as it can.
//
//   bench-lines MEGABYTES
//
// Prints nanoseconds per line of 64 bytes, of processor time, from a block of this size: the best of five.

#define _DEFAULT_SOURCE // madvise
#include "bench.h"

#include <sys/mman.h>

enum { BATCH = 256, LINES = 4000000, LINE = 64 };

static uint64_t next(uint64_t state)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^ state << 17;
}

static double read_lines(const char *block, size_t lines, uint64_t *state)
{
    uint64_t sum = 0;
    const double start = bench_cpu_time();
    for (size_t k = 0; k < LINES; k += BATCH) {
        uint64_t ahead = *state;
        for (int b = 0; b < BATCH; ++b) {
            ahead = next(ahead);
            __builtin_prefetch(block + ahead % lines * LINE);
        }
        for (int b = 0; b < BATCH; ++b) {
            *state = next(*state);
            sum += *(const volatile unsigned char *)(block + *state % lines * LINE);
        }
    }
    const double time = bench_cpu_time() - start;
    return sum > 0 ? 1e9 * time / LINES : 0;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bench-lines MEGABYTES\n");
        return 2;
    }
    const size_t bytes = bench_number(argv[1], 1, 100000) << 20;
    char *block;
    uint64_t state = 88172645463325252u;
    if (posix_memalign((void **)&block, 2 << 20, bytes) != 0)
        return 1;
    // large pages, as engines have them
    (void)madvise(block, bytes, MADV_HUGEPAGE);
    memset(block, 1, bytes);
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
        const double time = read_lines(block, bytes / LINE, &state);
        best = time < best ? time : best;
    }
    printf("%.2f\n", best);
    free(block);
    return 0;
}
