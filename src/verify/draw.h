// Pseudo-random numbers for positions and velocities in the cases, the same on every machine.

#ifndef SCREE_VERIFY_DRAW_H
#define SCREE_VERIFY_DRAW_H

#include <stdint.h>

// Returns a number in [-1, 1) that depends only on the arguments.
static inline double scree_verify_draw(uint64_t seed, uint64_t thing, uint64_t number)
{
    uint64_t x = thing * UINT64_C(0x9E3779B97F4A7C15) + number * UINT64_C(0xD1B54A32D192ED03) + seed;
    for (int round = 0; round < 3; ++round) {
        x ^= x >> 31;
        x *= UINT64_C(0x7FB5D329728EA185);
    }
    return (double)(x >> 11) / 0x1p52 - 1;
}

#endif
