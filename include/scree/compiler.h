// Compiler: attributes and intrinsics of gcc and clang that the batch loops need for each instruction set. C
// only. Code that is also compiled for devices is in law.h, resistance.h and frame.h, which do not use this.
#ifndef SCREE_COMPILER_H
#define SCREE_COMPILER_H

#ifndef __cplusplus

#if defined __x86_64__
#include <immintrin.h>
#endif

// Whether loops are compiled for x86-64-v3 and v4 too. Without them (SCREE_NARROW) laws compile in a third of
// the time, and give the same bits.
#if defined __x86_64__ && !defined SCREE_NARROW
#define SCREE_WIDE_SETS 1
#else
#define SCREE_WIDE_SETS 0
#endif

#define SCREE_KERNEL_INLINE static inline __attribute__((always_inline, unused))

/** Instruction sets that the loops are compiled for. Features are listed one by one because a function
 * compiled for a named processor cannot inline one compiled for another. */
#define SCREE_KERNEL_V3 "avx2,bmi,bmi2,f16c,fma,lzcnt,movbe"
#define SCREE_KERNEL_V4 SCREE_KERNEL_V3 ",avx512f,avx512bw,avx512cd,avx512dq,avx512vl"

// clang would forward the first lane of a tile from registers instead of memory; the lanes then differ and
// the loop over them is not vectorised
#if defined __clang__
#define SCREE_KERNEL_BARRIER(tile) __asm__ volatile("" : : "r"(tile) : "memory")
#else
#define SCREE_KERNEL_BARRIER(tile) (void)(tile)
#endif

#endif

#endif
