// Selection of the instruction set of the vectorised loops, according to the processor. Results are bitwise
// the same for all of them.

#ifndef SCREE_BASE_PROCESSOR_H
#define SCREE_BASE_PROCESSOR_H

// Marks a function that is also compiled for AVX2 and selected at program start: the same operations, so the
// same bits. Off with sanitizers, which are not initialised when the selection runs.
#if defined(__x86_64__) && defined(__ELF__) && defined(__GNUC__) && !defined(__clang__) &&                   \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SCREE_PROCESSOR_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define SCREE_PROCESSOR_WIDE
#endif

// Best instruction set of this processor: 0 for x86-64-v2 or any other processor, 1 for v3, 2 for v4.
int scree_processor_best(void);

// Instruction set in use: the best, unless another one was chosen.
int scree_processor_set(void);

// Chooses an instruction set; a negative one, or one that the processor lacks, selects the best.
void scree_processor_choose(int set);

#endif
