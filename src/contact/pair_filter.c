// The narrow phase, see pair_filter.h: eight candidates at a time, for each set of instructions.

#include "contact/pair_filter.h"

#include <string.h>

void scree_pair_filter_fill(struct scree_pair_filter_compaction compaction[256])
{
    for (unsigned flags = 0; flags < 256; ++flags) {
        compaction[flags] = (struct scree_pair_filter_compaction){0};
        for (uint32_t l = 0; l < 8; ++l)
            if (flags >> l & 1)
                compaction[flags].lane[compaction[flags].count++] = l;
    }
}

// always writes eight; the caller counts the valid ones
SCREE_KERNEL_INLINE void write_lanes(uint32_t *restrict out,
                                     const struct scree_pair_filter_compaction *restrict compaction,
                                     uint32_t base)
{
#pragma omp simd
    for (int l = 0; l < 8; ++l)
        out[l] = base + compaction->lane[l];
}

// prefetch the grains of a later batch
SCREE_KERNEL_INLINE void prefetch(const struct scree_pair_filter_job *job, size_t c)
{
    for (size_t l = 0; l < 8; ++l) {
        const char *low = (const char *)&job->grain[job->pair[c + l].low];
        const char *high = (const char *)&job->grain[job->pair[c + l].high];
        __builtin_prefetch(low);
        __builtin_prefetch(low + 64);
        __builtin_prefetch(high);
        __builtin_prefetch(high + 64);
    }
}

// Of the pairs that left the interaction range, returns those that the law must end.
static unsigned find_ending(const struct scree_grain *grain, const struct scree_pair *pair, double *history,
                            size_t stride, size_t c, unsigned out_of_range)
{
    unsigned ending = 0;
    for (; out_of_range; out_of_range &= out_of_range - 1) {
        const unsigned l = (unsigned)__builtin_ctz(out_of_range);
        const unsigned flags = grain[pair[c + l].low].flags | grain[pair[c + l].high].flags;
        if (scree_contacts_must_end(history ? history + (c + l) * stride : NULL, stride, flags))
            ending |= 1u << l;
    }
    return ending;
}

unsigned scree_pair_filter_find_ended(const struct scree_kernel_job *job, size_t first, unsigned out_of_range)
{
    return find_ending(job->grain, job->pair, job->history, job->stride, first, out_of_range);
}

// Of eight pairs of a list that left the interaction range, returns those that the law must end, and adds
// them to job->ended.
static __attribute__((noinline)) unsigned list_ending(const struct scree_pair_filter_job *job, size_t c,
                                                      unsigned out_of_range, size_t *count)
{
    const unsigned ending = find_ending(job->grain, job->pair, job->history, job->stride, c, out_of_range);
    for (size_t l = 0; l < 8; ++l)
        if (ending >> l & 1)
            job->ended[(*count)++] = (uint32_t)(c + l);
    return ending;
}

#define SCREE_KERNEL_BODY "contact/pair_filter.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

const struct scree_pair_filter_set scree_pair_filter_sets[SCREE_KERNEL_SETS] = {
    {scree_kernel_inside_v2, scree_kernel_across_v2},
#if SCREE_WIDE_SETS
    {scree_kernel_inside_v3, scree_kernel_across_v3},
    {scree_kernel_inside_v4, scree_kernel_across_v4},
#endif
};
