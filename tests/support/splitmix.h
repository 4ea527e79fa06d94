// splitmix64 (Steele, Lea and Flood, OOPSLA 2014): reproducible random numbers for tests.

#ifndef SCREE_TESTS_SUPPORT_SPLITMIX_H
#define SCREE_TESTS_SUPPORT_SPLITMIX_H

#include <stdint.h>

// The next 64 bits of the sequence.
static inline uint64_t splitmix_next(uint64_t *state)
{
    uint64_t x = (*state += UINT64_C(0x9E3779B97F4A7C15));
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

// A number in [-1, 1).
static inline double splitmix_signed(uint64_t *state)
{
    return (double)(splitmix_next(state) >> 11) * 0x1p-52 - 1;
}

#endif
