// The passes and steps once per instruction set, by function attributes, so that one binary holds them all,
// and the table of what came out. Features are named one by one: a function for a named processor cannot
// inline one for another.

#ifndef SCREE_BENCH_KERNEL_ISA_H
#define SCREE_BENCH_KERNEL_ISA_H

// clang would carry the first lane of a tile from the registers that filled it, and then sees no loop over
// equal lanes
#if defined __clang__
#define PROBE_SETTLE(tile) __asm__ volatile("" : : "r"(tile) : "memory")
#else
#define PROBE_SETTLE(tile) (void)(tile)
#endif

#define LANES 2
#define NAME(x) x##_v2
#include "kernel_pass.h"
#include "kernel_step.h"
#undef LANES
#undef NAME

#if defined __x86_64__

#if defined __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,f16c,fma,lzcnt,movbe"))),                  \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,f16c,fma,lzcnt,movbe")
#endif
#define LANES 4
#define NAME(x) x##_v3
#include "kernel_pass.h"
#include "kernel_step.h"
#undef LANES
#undef NAME
#if defined __clang__
#pragma clang attribute pop
#pragma clang attribute push(                                                                                \
    __attribute__((                                                                                          \
        target("avx2,bmi,bmi2,f16c,fma,lzcnt,movbe,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"))),          \
    apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,f16c,fma,lzcnt,movbe,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")
#pragma GCC target("prefer-vector-width=512")
#endif
#define LANES 8
#define NAME(x) x##_v4
#include "kernel_pass.h"
#include "kernel_step.h"
#undef LANES
#undef NAME
#if defined __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif

typedef void probe_run(const struct law *, const struct probe *);

enum { ISA_LOADS = 4, ISA_STEPS = 4 };

enum step { STEP_EVERY, STEP_LIVE, STEP_ADDED, STEP_LIVE192 };

struct isa {
    const char *name, *needs;
    probe_run *pass[ISA_LOADS], *step[ISA_STEPS];
};

#define ISA(set, feature, suffix)                                                                            \
    {                                                                                                        \
        .name = set, .needs = feature,                                                                       \
        .pass = {pass_rows128_##suffix, pass_rows192_##suffix, pass_elements_##suffix,                       \
                 pass_columns_##suffix},                                                                     \
        .step = {step_every_##suffix, step_live_##suffix, step_added_##suffix, step_live192_##suffix},       \
    }

// best first
static const struct isa isa_table[] = {
#if defined __x86_64__
    ISA("v4", "avx512vl", v4),
    ISA("v3", "avx2", v3),
#endif
    ISA("v2", NULL, v2),
};

enum { ISA_COUNT = sizeof isa_table / sizeof isa_table[0] };

static inline int isa_runs(const struct isa *isa)
{
#if defined __x86_64__
    if (isa->needs && strcmp(isa->needs, "avx512vl") == 0)
        return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    if (isa->needs)
        return __builtin_cpu_supports("avx2");
#endif
    return isa->needs == NULL;
}

#endif
