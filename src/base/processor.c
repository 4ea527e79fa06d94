// Instruction sets of the processor, see processor.h.

#include "base/processor.h"

#include <scree/compiler.h>

#include <stdatomic.h>

static atomic_int chosen = -1;

int scree_processor_best(void)
{
#if SCREE_WIDE_SETS
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return 2;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
        return 1;
#endif
    return 0;
}

int scree_processor_set(void)
{
    const int wanted = atomic_load(&chosen), best = scree_processor_best();
    return wanted < 0 || wanted > best ? best : wanted;
}

void scree_processor_choose(int set)
{
    atomic_store(&chosen, set);
}
