// Which set of instructions the batch loops run on: chosen once, from what the processor offers. The bits of
// results do not depend on it.

#ifndef SCREE_BASE_PROCESSOR_H
#define SCREE_BASE_PROCESSOR_H

// A loop that is compiled for wide registers too, and chosen when the program starts: the same operations, so
// the same bits. Sanitizers start too late for a function that is chosen so early.
#if defined(__x86_64__) && defined(__ELF__) && defined(__GNUC__) && !defined(__clang__) &&                   \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SCREE_PROCESSOR_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define SCREE_PROCESSOR_WIDE
#endif

// The best set that this processor runs: 0 for x86-64-v2 or any other processor, 1 for v3, 2 for v4.
int scree_processor_best(void);

// The set in use: the best, unless one was asked for.
int scree_processor_set(void);

// Asks for a set; one that the processor lacks, or a negative one, means the best.
void scree_processor_choose(int set);

#endif
