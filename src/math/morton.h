// Bits of a Morton curve through space (Morton, IBM report, 1966).

#ifndef SCREE_MATH_MORTON_H
#define SCREE_MATH_MORTON_H

#include <stdint.h>

// Inserts two zeros between the lowest 21 bits: each step halves groups of bits and shifts their upper
// halves.
static inline uint64_t scree_morton_insert_zeros(uint64_t bits)
{
    bits = (bits | bits << 32) & UINT64_C(0x001F00000000FFFF);
    bits = (bits | bits << 16) & UINT64_C(0x001F0000FF0000FF);
    bits = (bits | bits << 8) & UINT64_C(0x100F00F00F00F00F);
    bits = (bits | bits << 4) & UINT64_C(0x10C30C30C30C30C3);
    return (bits | bits << 2) & UINT64_C(0x1249249249249249);
}

#endif
