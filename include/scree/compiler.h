// Compiler: what the batch loops ask of a compiler beyond the language, attributes and intrinsics of gcc and
// clang for the sets of instructions that loops are compiled for. C only. What a device compiles too is in
// law.h, resistance.h and frame.h, which ask for nothing of this.
#ifndef SCREE_COMPILER_H
#define SCREE_COMPILER_H

#ifndef __cplusplus

#if defined __x86_64__
#include <immintrin.h>
#endif

#define SCREE_KERNEL_INLINE static inline __attribute__((always_inline, unused))

/** The sets of instructions that loops are compiled for: features are named one by one, since a function for
 * a named processor cannot take one for another into itself. */
#define SCREE_KERNEL_V3 "avx2,bmi,bmi2,f16c,fma,lzcnt,movbe"
#define SCREE_KERNEL_V4 SCREE_KERNEL_V3 ",avx512f,avx512bw,avx512cd,avx512dq,avx512vl"

// clang would carry the first lane of a tile from the registers that filled it, and then sees no loop over
// equal lanes
#if defined __clang__
#define SCREE_KERNEL_SETTLE(tile) __asm__ volatile("" : : "r"(tile) : "memory")
#else
#define SCREE_KERNEL_SETTLE(tile) (void)(tile)
#endif

#endif

#endif
